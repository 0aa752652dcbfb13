// The overview of a large graph: a box for each part, and a line between two parts that edges join.

const OVERVIEW_LINE = { least: 1.5, each: 1.2, most: 12 };

function partId(i) {
  return `part${i}`;
}

function partNodes() {
  return (data.overview || []).map(({ text, width, variables: some, place: [x, y] }, i) => ({
    data: { id: partId(i), part: i, name: text, width: Math.max(width, textWidth(text, true)) },
    position: { x, y },
    classes: `community outside ${some.some((v) => isLabel[v]) ? "with-labels" : ""}`,
  }));
}

// The two parts that an edge joins, or null if it stays in one.
function partsOf({ parent, child }) {
  const [one, two] = [partOf[parent], partOf[child]];
  return one === two ? null : [Math.min(one, two), Math.max(one, two)];
}

function partLines() {
  if (!data.overview) return [];
  const pairs = new Map(allEdges.map(partsOf).filter(Boolean).map((pair) => [pair.join("-"), pair]));
  return [...pairs].map(([key, [one, two]]) => ({
    data: { id: `between${key}`, between: key, source: partId(one), target: partId(two), width: 0 },
    classes: "community outside undirected",
  }));
}

// Lines are as wide as there are edges of the graph, those that the slider keeps.
function countBetween() {
  const numbers = new Map();
  learnedEdges.forEach((edge, e) => {
    const key = partsOf(edge)?.join("-");
    if (!cy.getElementById(`e${e}`).hasClass("weak")) numbers.set(key, (numbers.get(key) ?? 0) + 1);
  });
  cy.batch(() => {
    for (const line of cy.edges("[between]")) {
      const n = numbers.get(line.data("between")) ?? 0;
      const { least, each, most } = OVERVIEW_LINE;
      line.data({ n, width: Math.min(least + each * (n - 1), most) }).toggleClass("empty", n === 0);
    }
  });
}

function choosePart(i) {
  repeatChoice = () => choosePart(i);
  const { text, variables: some } = data.overview[i];
  const inside = learnedEdges.filter(({ parent, child }) => partOf[parent] === i && partOf[child] === i);
  const near = new Map();
  for (const edge of learnedEdges) {
    const pair = partsOf(edge);
    if (!pair || !pair.includes(i)) continue;
    const other = pair[0] === i ? pair[1] : pair[0];
    near.set(other, (near.get(other) ?? 0) + 1);
  }
  const others = [...near].sort(([i, m], [j, n]) => n - m || i - j);
  showDetails(
    text,
    element("p", {}, `${counted(some.length, "variable")}, ${counted(inside.length, "edge")} between them`),
    element("h3", {}, inside.length ? "Variables, those with most edges first" : "Variables"),
    variableButtons([...some].sort((u, v) => degree(v) - degree(u) || u - v)),
    element("h3", {}, `Edges to other parts (${others.reduce((sum, [, n]) => sum + n, 0)})`),
    others.length ? partButtons(others) : element("span", { className: "quiet" }, "none"),
  );
}

function partButtons(others) {
  const button = ([j, n]) => {
    const made = element("button", { type: "button", className: "variable" }, data.overview[j].text);
    made.addEventListener("click", () => showPart(j));
    return element("li", {}, made, ` ${counted(n, "edge")}`);
  };
  return element("ul", { className: "variables" }, ...others.map(button));
}

function overviewStyles(colour) {
  return [
    {
      selector: "node.community",
      style: { "background-color": colour("community"), "border-color": colour("accent"), "border-width": 2, "font-weight": "bold" },
    },
    { selector: "node.with-labels", style: { "border-color": colour("label-border"), "border-width": 3.5 } },
    { selector: "edge.community", style: { "line-cap": "round", opacity: 0.6 } },
  ];
}
