// Which directions are shown: only those that are identifiable ("class"), or all ("dag").

const VIEWS = { class: "only identifiable", dag: "all" };
let view = data.view;
const hasDirections = allEdges.length > 0 && !data.undirected;

function isUndirected(edge) {
  return view === "class" && edge.reversible;
}

function verdictOf(edge) {
  return edge.verdicts && edge.verdicts[view];
}

// The ends as they are shown: parent and child, or both in the order of their names.
function shownEnds(edge) {
  const ends = [edge.parent, edge.child];
  return isUndirected(edge) ? ends.sort((a, b) => a - b) : ends;
}

function edgeText(edge) {
  const [first, second] = shownEnds(edge);
  return `${data.names[first]} ${isUndirected(edge) ? "–" : "→"} ${data.names[second]}`;
}

// Bootstrap directions are about a direction that is not shown.
function shownMeasure(edge, name) {
  return name === "direction" && isUndirected(edge) ? null : edge.measure(name);
}

// Parents, children, and neighbours whose edge has no direction. Spouses are the same in both views.
function around(v) {
  const near = { parent: [], child: [], neighbour: [], spouse: data.undirected ? [] : spouses(v) };
  for (const edge of learnedEdges) {
    if (edge.parent !== v && edge.child !== v) continue;
    const kind = isUndirected(edge) ? "neighbour" : edge.child === v ? "parent" : "child";
    near[kind].push(edge.child === v ? edge.parent : edge.child);
  }
  for (const some of Object.values(near)) some.sort((a, b) => a - b);
  return near;
}

function startDirections() {
  const choice = byId("directions");
  choice.append(...Object.entries(VIEWS).map(([value, text]) => element("option", { value }, text)));
  choice.value = view;
  choice.addEventListener("change", () => setView(choice.value));
  byId("directions-choice").hidden = !hasDirections;
  markEdges();
}

function otherView() {
  if (hasDirections) setView(view === "class" ? "dag" : "class");
}

function setView(wanted) {
  view = wanted;
  byId("directions").value = view;
  markEdges();
  showLegend();
  fillEdges();
  repeatChoice();
  const n = data.reversible.filter(Boolean).length;
  say(`Directions: ${VIEWS[view]}; ${n} of ${counted(data.edges.length, "edge")} not identifiable.`);
}

function markEdges() {
  cy.batch(() => {
    for (const drawn of cy.edges(EDGES)) {
      const edge = allEdges[drawn.data("e")];
      drawn.toggleClass("undirected", isUndirected(edge));
      for (const verdict of Object.keys(DASHES)) drawn.toggleClass(className(verdict), verdictOf(edge) === verdict);
    }
  });
}

function className(verdict) {
  return verdict.replace(" ", "-");
}
