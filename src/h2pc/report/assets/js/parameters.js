// The parameters of a variable: its probabilities given its parents, or its regression on them.

const FIRST_ROWS = 20;
const NO_PARAMETERS = {
  mixed: "The data have continuous and discrete variables: their network has no parameters.",
  large: "The tables of this network are too large for a page.",
};

function parametersOf(v) {
  if (!data.parameters) return [];
  const { kind } = data.parameters;
  if (kind in NO_PARAMETERS) return [element("h3", {}, "Parameters"), quiet(NO_PARAMETERS[kind])];
  return kind === "tables" ? probabilitiesOf(v) : regressionOf(v);
}

function parentsOf(v) {
  return [...parents[v]].sort((a, b) => a - b);
}

// Tables and regressions have the parents of the directed graph, whatever directions are shown.
function aboutParents(v) {
  const isOpen = learnedEdges.some((edge) => edge.child === v && isUndirected(edge));
  return isOpen ? [quiet("Parents are those of the directed graph.")] : [];
}

function probabilitiesOf(v) {
  const given = parentsOf(v);
  const table = data.parameters.tables[v];
  const heading = element("h3", {}, `P(${data.names[v]}${given.length ? ` | ${names(given)}` : ""})`);
  if (!table || (table.n_seen && !table.rows.length)) return [heading, quiet("This table is too large for the page.")];
  const list = element("ol", { className: "rows scroll", tabIndex: 0, "aria-label": heading.textContent });
  const show = (rows) => list.replaceChildren(...rows.map((row) => rowLine(v, given, row)));
  show(table.rows.slice(0, FIRST_ROWS));
  return [heading, ...aboutParents(v), list, ...moreRows(table, list, show), ...otherRows(table)];
}

// The levels of the parents and the samples that have them, and the probabilities of the levels of a variable.
function rowLine(v, given, row) {
  const { levels } = data.parameters;
  const [samples, ...probabilities] = row.slice(given.length);
  const known = given.map((u, i) => element("div", {}, element("span", { className: "quiet" }, `${data.names[u]} `), levels[u][row[i]]));
  if (samples !== null) known.push(quiet(counted(samples, "sample")));
  const bars = probabilities.map((value, i) => levelBar(levels[v][i], value));
  return element("li", {}, element("div", {}, ...known), element("div", {}, ...bars));
}

function levelBar(level, value) {
  const line = element("div", { className: "level" }, element("span", {}, `${level} `), element("span", { className: "number" }, probability(value)));
  line.style.setProperty("--share", `${100 * value}%`);
  return line;
}

function quiet(text) {
  return element("div", { className: "quiet" }, text);
}

function moreRows({ rows, n_seen: nSeen }, list, show) {
  if (nSeen <= FIRST_ROWS) return [];
  const text = element("span", {}, `… and ${number(nSeen - Math.min(FIRST_ROWS, rows.length), 0)} more. `);
  const line = element("p", { className: "quiet" }, text);
  const absent = nSeen > rows.length ? `… and ${number(nSeen - rows.length, 0)} more, which are not on this page.` : "";
  if (rows.length <= FIRST_ROWS) {
    text.textContent = absent;
    return [line];
  }
  const what = absent ? `Show the ${number(rows.length, 0)} most frequent` : "Show all";
  const button = element("button", { type: "button", className: "more" }, what);
  button.addEventListener("click", () => {
    show(rows);
    text.textContent = absent;
    button.remove();
    list.focus();
  });
  line.append(button);
  return [line];
}

// The rest of a fitted table follows from its prior alone.
function otherRows({ n_seen: nSeen, n_rows: nRows }) {
  if (nSeen === nRows) return [];
  const others = nRows - nSeen === 1 ? "One more combination occurs" : `${number(nRows - nSeen, 0)} more combinations occur`;
  return [quiet(`${others} in no sample; all levels are equally probable there.`)];
}

function probability(value) {
  return value > 0 && value < 0.001 ? "<0.001" : number(value, 3);
}

function regressionOf(v) {
  const { intercept, coefficients, deviation, samples } = data.parameters.regressions[v];
  const facts = coefficients.length
    ? [
        ["intercept", significant(intercept)],
        ...coefficients.map(([u, value]) => [element("span", {}, "coefficient of ", variableButton(u)), significant(value)]),
        ["residual standard deviation", significant(deviation)],
      ]
    : [
        ["mean", significant(intercept)],
        ["standard deviation", significant(deviation)],
      ];
  if (samples !== null) facts.push(["samples", number(samples, 0)]);
  const title = coefficients.length ? "Regression on its parents" : "Distribution";
  return [element("h3", {}, title), ...aboutParents(v), factTable(`Parameters of ${data.names[v]}`, facts)];
}

// Four digits, for numbers of any size.
function significant(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(3);
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(4, Math.ceil(Math.log10(size + 1))) });
}
