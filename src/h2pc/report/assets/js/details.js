// The panel beside the graph: one variable, one edge, or one powerset.

const MOST_LISTED = 5;

function showDetails(heading, ...parts) {
  byId("details").classList.remove("idle");
  byId("details").replaceChildren(element("h2", {}, heading), ...parts);
}

function describeNothing() {
  const most = variables.filter(degree).sort((a, b) => degree(b) - degree(a) || a - b);
  showDetails(
    "No selection",
    element("p", {}, "Select a variable or an edge in the graph, or search for a name."),
    ...(most.length ? [element("h3", {}, "Variables with most edges"), degreeList(most.slice(0, MOST_LISTED))] : []),
  );
  byId("details").classList.add("idle");
}

function degreeList(some) {
  const line = (v) => element("li", {}, variableButton(v), ` ${counted(degree(v), "edge")}`);
  return element("ol", { className: "degrees" }, ...some.map(line));
}

function degree(v) {
  return parents[v].length + children[v].length;
}

function describeVariable(v) {
  const near = around(v);
  const size = degree(v) + near.spouse.length;
  const touching = allEdges.filter(({ parent, child }) => parent === v || child === v);
  showDetails(
    data.names[v],
    ...role(v),
    ...(data.undirected
      ? group("Neighbours", near.neighbour, "neighbour")
      : [
          element("p", {}, `Markov boundary: ${counted(size, "variable")}`),
          ...group("Parents", near.parent, "parent"),
          ...group("Children", near.child, "child"),
          ...(near.neighbour.length ? group("Direction not identifiable", near.neighbour, "neighbour") : []),
          ...group("Spouses", near.spouse, "spouse"),
        ]),
    ...parametersOf(v),
    ...(touching.length ? [element("h3", {}, "Edges"), linkTable(v, touching)] : []),
    ...separations(v),
  );
}

function linkTable(v, touching) {
  const other = ({ parent, child }) => (parent === v ? child : parent);
  const mark = (edge) => (isUndirected(edge) ? "–" : edge.parent === v ? "→" : "←");
  const columns = [
    { ...variableColumn("neighbour", other), show: (edge) => neighbour(mark(edge), other(edge)) },
    ...measureColumns(),
    ...givenColumn(),
    ...graphColumn(),
    ...verdictColumn(),
    directionColumn(),
  ];
  return sortableTable(`Edges of ${data.names[v]}`, columns, touching);
}

function neighbour(mark, u) {
  return element("span", { className: "marked" }, `${mark} `, variableButton(u));
}

function role(v) {
  if (!hasLabels) return [];
  if (!isLabel[v]) return [element("p", { className: "quiet" }, "feature")];
  const i = powersetOf[v];
  const together = data.powersets[i].filter((u) => u !== v);
  return [
    element("p", { className: "quiet" }, together.length ? `label, in powerset ${i + 1} with` : "label, a powerset by itself"),
    ...(together.length ? [variableButtons(together)] : []),
  ];
}

function group(title, some, kind) {
  return [element("h3", { className: kind }, `${title} (${some.length})`), variableButtons(some)];
}

function separations(v) {
  if (!separated[v].length) return [];
  const columns = [
    variableColumn("independent of", ([other]) => other),
    textColumn("given", ([, given]) => names(given) || "∅"),
  ];
  return [element("h3", {}, "Separating sets"), sortableTable(`Separating sets of ${data.names[v]}`, columns, separated[v])];
}

function describeEdge(e) {
  const edge = allEdges[e];
  const facts = knownMeasures
    .filter((name) => shownMeasure(edge, name) !== null)
    .map((name) => [MEASURES[name].title, MEASURES[name].text(shownMeasure(edge, name))]);
  if (!data.undirected) facts.unshift(["direction", directionText(edge)]);
  if (data.weaker.length) facts.unshift(["in the graph", edge.isLearned ? "yes" : "no"]);
  if (edge.given && edge.given.length) facts.push(["given", names(edge.given)]);
  if (edge.untested) facts.push(["no q-value: untested given", edge.untested]);
  if (verdictOf(edge)) facts.push(["reference", verdictOf(edge)]);
  showDetails(
    edgeText(edge),
    variableButtons(shownEnds(edge)),
    factTable("This edge", facts),
  );
}

function describePowerset(i) {
  showDetails(
    `Powerset ${i + 1}`,
    ...group("Labels", data.powersets[i], "chosen"),
    ...group("Features", data.boundaries[i], "boundary"),
  );
}

// Boxes cut long names; a tooltip has them whole.
function startTooltips() {
  const tell = (text) => (byId("graph").title = text);
  cy.on("mouseover", "node[v]", ({ target }) => tell(data.names[target.data("v")]));
  cy.on("mouseover", "edge[e]", ({ target }) => tell(edgeText(allEdges[target.data("e")])));
  cy.on("mouseout", () => tell(""));
}
