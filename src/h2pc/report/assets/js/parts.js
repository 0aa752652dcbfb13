// Which part of the graph is drawn: all variables, the overview, one of its parts, or some variables in rows.

const EDGES = "[e]";
const VARIABLES = "[v]";
const [OVERVIEW, WHOLE, ROWS] = ["overview", "whole", "rows"];
// The number of a part, or one of these.
let drawnPart = null;

// Without an overview the whole graph is what one starts from and comes back to.
function home() {
  return data.overview ? OVERVIEW : WHOLE;
}

function isDrawn(v) {
  const node = cy.getElementById(nodeId(v));
  return !node.hasClass("outside") && !node.hasClass("away");
}

// Some variables, each with its place, and the bends of edges; all else is outside.
function drawOnly(part, places, bends = new Map()) {
  drawnPart = part;
  arrange(places, bends);
  cy.batch(() => {
    for (const node of cy.nodes(VARIABLES)) {
      const isInside = places.has(node.data("v"));
      node.toggleClass("outside", !isInside);
      if (isInside) node.removeClass("away");
    }
    cy.edges().removeClass("bowed");
    cy.elements(".community").toggleClass("outside", part !== OVERVIEW);
  });
  showPartChoice();
  showLegend();
}

function drawWhole() {
  const { places, bends } = data.layouts.drawings[byId("layout").value];
  drawOnly(WHOLE, new Map(places.map((place, v) => [v, place])), new Map(bends.map((way, e) => [e, way])));
  hideLonely();
}

function drawPart(i) {
  const { variables: some, places, edges, bends } = data.overview[i];
  drawOnly(i, new Map(some.map((v, k) => [v, places[k]])), new Map(edges.map((e, k) => [e, bends[k]])));
}

function showPart(part) {
  clearChoice();
  if (part === OVERVIEW) drawOnly(OVERVIEW, new Map());
  else if (part === WHOLE) drawWhole();
  else drawPart(part);
  fitReadable(middleOf(part), leastZoom(part));
  if (typeof part === "number") choosePart(part);
}

// In a wide window the whole graph and the overview are seen whole.
function leastZoom(part) {
  if (narrow.matches) return READABLE;
  return typeof part === "number" ? LEGIBLE : 0;
}

// The variable with most edges, or the largest part.
function middleOf(part) {
  if (part === OVERVIEW) return cy.getElementById(partId(0));
  const some = part === WHOLE ? variables.filter(isDrawn) : data.overview[part].variables;
  const most = some.reduce((best, v) => (degree(v) > degree(best) ? v : best), some[0] ?? 0);
  return cy.getElementById(nodeId(most));
}

// The drawing in which a variable is at home: the whole graph, or its part.
function drawAround(v) {
  if (drawnPart === WHOLE || (!data.overview && drawnPart !== ROWS)) return;
  if (!data.overview) drawWhole();
  else if (drawnPart !== partOf[v]) drawPart(partOf[v]);
}

function startParts() {
  byId("part").addEventListener("change", () => {
    const { value } = byId("part");
    showPart(value === OVERVIEW || value === WHOLE ? value : Number(value));
  });
  byId("back").addEventListener("click", () => showPart(home()));
  byId("back").textContent = data.overview ? "Overview" : "Whole graph";
  if (!data.overview) return;
  byId("part-choice").hidden = false;
  byId("part").append(
    element("option", { value: OVERVIEW }, `overview (${data.overview.length})`),
    element("option", { value: WHOLE }, `all ${counted(variables.length, "variable")}`),
    ...data.overview.map(({ text }, i) => element("option", { value: String(i) }, text)),
  );
}

// Rows are not in the list: they have an entry while they are drawn.
function showPartChoice(title = "selection") {
  const extra = byId("part").querySelector(`[value=${ROWS}]`);
  if (extra) extra.remove();
  if (drawnPart === ROWS) byId("part").append(element("option", { value: ROWS, disabled: true }, title));
  byId("part").value = String(drawnPart);
  byId("back").hidden = drawnPart === home();
  byId("layout-choice").hidden = drawnPart !== WHOLE || Object.keys(data.layouts.drawings).length < 2;
  byId("lonely-choice").hidden = drawnPart !== WHOLE || !lonely.length;
}
