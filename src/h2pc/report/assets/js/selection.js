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
  cy.batch(() => {
    cy.elements().removeClass(KINDS).addClass("dimmed");
    const node = cy.getElementById(nodeId(v)).addClass("chosen").removeClass("dimmed away");
    for (const [kind, some] of Object.entries(near)) nodesOf(some).addClass(kind).removeClass("dimmed");
    node.connectedEdges().removeClass("dimmed");
    // Edges between spouses and children show why spouses are in the boundary.
    nodesOf(near.child).incomers("edge").not(".undirected").removeClass("dimmed");
  });
  describeVariable(v);
  const undirected = near.neighbour.length ? `, direction not identifiable ${near.neighbour.length}` : "";
  say(`${data.names[v]}: parents ${near.parent.length}, children ${near.child.length}${undirected}, spouses ${near.spouse.length}.`);
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
  fit([...data.powersets[i], ...data.boundaries[i]]);
  byId("drawing").scrollIntoView({ block: "nearest" });
}

function goTo(v) {
  chooseVariable(v);
  moveTo(cy.getElementById(nodeId(v)).position(), Math.max(cy.zoom(), 0.9));
  if (!byId("details").contains(document.activeElement)) byId("drawing").scrollIntoView({ block: "nearest" });
}

function startSelection() {
  cy.on("tap", "node", (event) => chooseVariable(event.target.data("v")));
  cy.on("tap", "edge", (event) => chooseEdge(event.target.data("e")));
  cy.on("tap", (event) => {
    if (event.target === cy) clearChoice();
  });
}
