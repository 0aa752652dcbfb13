// The selection stands out, all else is dimmed.

const KINDS = "chosen parent child neighbour spouse boundary";
let repeatChoice = describeNothing;

function clearChoice() {
  repeatChoice = describeNothing;
  cy.elements().removeClass(`${KINDS} dimmed`);
  describeNothing();
  say("");
}

function nodesOf(some) {
  return some.reduce((found, v) => found.merge(cy.getElementById(nodeId(v))), cy.collection());
}

function chooseVariable(v) {
  const near = around(v);
  repeatChoice = () => chooseVariable(v);
  markChosen([v], near);
  describeVariable(v);
  const undirected = near.neighbour.length ? `, direction not identifiable ${near.neighbour.length}` : "";
  say(`${data.names[v]}: parents ${near.parent.length}, children ${near.child.length}${undirected}, spouses ${near.spouse.length}.`);
}

// Some variables and what is around them stand out.
function markChosen(some, near) {
  cy.batch(() => {
    cy.elements().removeClass(KINDS).addClass("dimmed");
    const chosen = nodesOf(some).addClass("chosen").removeClass("dimmed away");
    for (const [kind, found] of Object.entries(near)) nodesOf(found).addClass(kind).removeClass("dimmed");
    chosen.connectedEdges().removeClass("dimmed");
    // Edges between spouses and children show why spouses are in the boundary.
    nodesOf(near.child).incomers("edge").not(".undirected").removeClass("dimmed");
  });
}

function chooseEdge(e) {
  const edge = cy.getElementById(`e${e}`);
  const kinds = isUndirected(allEdges[e]) ? ["neighbour", "neighbour"] : ["parent", "child"];
  repeatChoice = () => chooseEdge(e);
  cy.batch(() => {
    cy.elements().removeClass(KINDS).addClass("dimmed");
    edge.addClass("chosen").removeClass("dimmed");
    edge.source().addClass(kinds[0]).removeClass("dimmed");
    edge.target().addClass(kinds[1]).removeClass("dimmed");
  });
  describeEdge(e);
}

function choosePowerset(i) {
  repeatChoice = () => describePowerset(i);
  cy.batch(() => {
    cy.elements().removeClass(KINDS).addClass("dimmed");
    const labels = nodesOf(data.powersets[i]).addClass("chosen").removeClass("dimmed");
    const features = nodesOf(data.boundaries[i]).addClass("boundary").removeClass("dimmed away");
    const both = labels.union(features);
    both.edgesWith(both).removeClass("dimmed");
  });
  describePowerset(i);
  bringIntoView(data.powersets[i][0], [data.powersets[i], data.boundaries[i]], `powerset ${i + 1}`);
  byId("graph").scrollIntoView({ block: "nearest" });
}

// A variable with its Markov boundary in view.
function goTo(v) {
  chooseVariable(v);
  bringIntoView(v, boundaryRows([v], around(v)), `${data.names[v]}: Markov boundary`);
  if (!byId("details").contains(document.activeElement)) byId("graph").scrollIntoView({ block: "nearest" });
}

// Of rows, only what is around their own variables is drawn.
function tapVariable(v) {
  if (drawnPart === ROWS) goTo(v);
  else chooseVariable(v);
}

function startSelection() {
  cy.on("tap", "node[v]", (event) => tapVariable(event.target.data("v")));
  cy.on("tap", "edge[e]", (event) => chooseEdge(event.target.data("e")));
  cy.on("tap", "node.community", (event) => showPart(event.target.data("part")));
  cy.on("tap", (event) => {
    if (event.target === cy) clearChoice();
  });
}
