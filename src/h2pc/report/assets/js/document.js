// The learned graph, read once; variables are numbered.

const data = JSON.parse(byId("data").textContent);
const variables = data.names.map((_, v) => v);

const parents = variables.map(() => []);
const children = variables.map(() => []);
for (const [parent, child] of data.edges) {
  parents[child].push(parent);
  children[parent].push(child);
}

const learnedEdges = data.edges.map(([parent, child], e) => ({
  parent,
  child,
  isLearned: true,
  verdicts: data.verdicts && { class: data.verdicts.class[e], dag: data.verdicts.dag[e] },
  reversible: data.reversible[e],
  given: data.given && data.given[e],
  untested: data.untested && data.untested[e],
  measure: (name) => (data.measures[name] ? data.measures[name][e] : null),
}));

function strengthOf([strength, direction]) {
  return (name) => ({ strength, direction })[name] ?? null;
}

// Edges of the graph, those that only the reference has, then pairs that were found in few samples.
const allEdges = [
  ...learnedEdges,
  ...data.missing.map(([parent, child], e) => ({
    parent,
    child,
    isLearned: false,
    verdicts: { class: "missing", dag: "missing" },
    reversible: data.missing_reversible[e],
    given: null,
    measure: data.missing_strengths ? strengthOf(data.missing_strengths[e]) : () => null,
  })),
  ...data.weaker.map(([parent, child, ...values], e) => ({
    parent,
    child,
    isLearned: false,
    isWeaker: true,
    verdicts: null,
    reversible: data.weaker_reversible[e],
    given: null,
    measure: strengthOf(values),
  })),
];

const resampled = data.resampled && data.resampled.by === "subsample" ? "subsampling" : "bootstrap";
const MEASURES = {
  strength: {
    title: `${resampled} strength`,
    about: `Share of the ${resampled} graphs with this edge, in either direction`,
    text: (value) => number(value, 2),
  },
  direction: {
    title: `${resampled} direction`,
    about: "Share of these in which the edge has this direction",
    text: (value) => number(value, 2),
  },
  gain: {
    title: "score gain",
    about: "Score of the directed graph minus its score without the edge",
    text: (value) => number(value, 1),
  },
  log10_p: {
    title: "p-value",
    about: "Independence test of the two variables given the other parents that the child has in the directed graph",
    text: pValue,
  },
  weakest_log10_p: {
    title: "weakest p-value",
    about: "The largest among the tests that tried to separate the two variables: that of the edge",
    text: pValue,
  },
  log10_q: {
    title: "q-value",
    about: "The weakest p-value adjusted for the number of pairs: the false discovery rate of the edges up to this one",
    text: pValue,
  },
  correlation: {
    title: "partial correlation",
    about: "Of the two variables, given the other parents that the child has in the directed graph",
    text: (value) => (value < 0 ? "−" : "+") + number(Math.abs(value), 2),
  },
};
const knownMeasures = Object.keys(MEASURES).filter((name) => data.measures[name]);

const isLabel = variables.map(() => false);
for (const v of data.labels) isLabel[v] = true;
const hasLabels = data.labels.length > 0;
// Labels are marked as such.
const targets = data.targets.filter((v) => !isLabel[v]);

const powersetOf = variables.map(() => null);
data.powersets.forEach((some, i) => some.forEach((v) => (powersetOf[v] = i)));

// Powersets of several labels have colours, which repeat after the last one.
const N_COLOURS = 8;
const colourOf = data.powersets.map(() => null);
data.powersets
  .map((some, i) => i)
  .filter((i) => data.powersets[i].length > 1)
  .forEach((i, k) => (colourOf[i] = k % N_COLOURS));

const separated = variables.map(() => []);
for (const [x, y, given] of data.separators) {
  separated[x].push([y, given]);
  separated[y].push([x, given]);
}

const joined = variables.map(() => false);
for (const { parent, child } of allEdges) joined[parent] = joined[child] = true;
const lonely = variables.filter((v) => !joined[v] && !isLabel[v]);

const partOf = variables.map(() => null);
(data.overview || []).forEach(({ variables: some }, i) => some.forEach((v) => (partOf[v] = i)));

function spouses(v) {
  const near = new Set([v, ...parents[v], ...children[v]]);
  const found = new Set(children[v].flatMap((child) => parents[child]));
  return [...found].filter((u) => !near.has(u)).sort((a, b) => a - b);
}

function names(some) {
  return some.map((v) => data.names[v]).join(", ");
}
