// The selection stands out, all else is dimmed.

const KINDS = "chosen parent child spouse boundary";

function clearChoice() {
  cy.elements().removeClass(`${KINDS} dimmed`);
  describeNothing();
  say("");
}

function nodesOf(some) {
  return some.reduce((found, v) => found.merge(cy.getElementById(nodeId(v))), cy.collection());
}

function chooseVariable(v) {
  const near = { parent: parents[v], child: children[v], spouse: spouses(v) };
  cy.batch(() => {
    cy.elements().removeClass(KINDS).addClass("dimmed");
    const node = cy.getElementById(nodeId(v)).addClass("chosen").removeClass("dimmed away");
    for (const [kind, some] of Object.entries(near)) nodesOf(some).addClass(kind).removeClass("dimmed");
    node.connectedEdges().removeClass("dimmed");
    // Edges between spouses and children show why spouses are in the boundary.
    nodesOf(near.child).incomers("edge").removeClass("dimmed");
  });
  describeVariable(v);
  say(`${data.names[v]}: parents ${parents[v].length}, children ${children[v].length}, spouses ${near.spouse.length}.`);
}

function chooseEdge(e) {
  const edge = cy.getElementById(`e${e}`);
  cy.batch(() => {
    cy.elements().removeClass(KINDS).addClass("dimmed");
    edge.addClass("chosen").removeClass("dimmed");
    edge.source().addClass("parent").removeClass("dimmed");
    edge.target().addClass("child").removeClass("dimmed");
  });
  describeEdge(e);
}

function choosePowerset(i) {
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
