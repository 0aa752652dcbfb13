// The drawing; positions come with the data.

const MANY = 400;
const MARGIN = 28;
// A few variables alone would fill the whole view.
const LARGEST_FIT = 1.4;
let cy = null;

function nodeId(v) {
  return `v${v}`;
}

function startGraph() {
  const { places, bends } = data.layouts.drawings[data.layouts.first];
  const nodes = variables.map((v) => ({
    data: { id: nodeId(v), v, name: data.shown[v], width: data.widths[v] },
    position: { x: places[v][0], y: places[v][1] },
    classes: nodeClasses(v),
  }));
  const edges = allEdges.map((edge, e) => {
    const { parent, child, isWeaker } = edge;
    const ends = { source: nodeId(parent), target: nodeId(child) };
    return {
      data: { id: `e${e}`, e, ...ends, width: lineWidth(edge), ...bent(edge, places, bendsOf(bends, e)) },
      classes: [
        !edge.isLearned && "weaker",
        !edge.isLearned && !isWeaker && "only-reference",
        bendsOf(bends, e).length && "bent",
        edge.reversible && "reversible",
      ].filter(Boolean),
    };
  });
  cy = cytoscape({
    container: byId("graph"),
    elements: { nodes, edges },
    style: graphStyle(),
    layout: { name: "preset", fit: false },
    autoungrabify: true,
    autounselectify: true,
    boxSelectionEnabled: false,
    minZoom: 0.02,
    maxZoom: 4,
    textureOnViewport: variables.length > MANY,
  });
}

function nodeClasses(v) {
  if (!hasLabels) return "variable";
  if (!isLabel[v]) return "feature";
  const colour = colourOf[powersetOf[v]];
  return colour === null ? "label" : `label powerset-${colour}`;
}

function lineWidth(edge) {
  const strength = edge.measure("strength") ?? edge.measure("correlation");
  return strength === null ? 1.6 : 0.8 + 2.4 * Math.abs(strength);
}

function place(layout) {
  const { places, bends } = data.layouts.drawings[layout];
  cy.batch(() => {
    cy.nodes().positions((node) => {
      const [x, y] = places[node.data("v")];
      return { x, y };
    });
    for (const edge of cy.edges()) {
      const e = edge.data("e");
      const points = bendsOf(bends, e);
      edge.data(bent(allEdges[e], places, points)).toggleClass("bent", points.length > 0);
    }
  });
  fit();
}

// The layout is that of the graph: other pairs have no bends.
function bendsOf(bends, e) {
  return bends[e] ?? [];
}

// Bends are given by their position along the line from parent to child, and their distance from it.
function bent({ parent, child }, places, points) {
  const [x0, y0] = places[parent];
  const [dx, dy] = [places[child][0] - x0, places[child][1] - y0];
  const square = dx * dx + dy * dy;
  return {
    along: points.map(([x, y]) => ((x - x0) * dx + (y - y0) * dy) / square),
    beside: points.map(([x, y]) => ((y - y0) * dx - (x - x0) * dy) / Math.sqrt(square)),
  };
}

// The fit of the library goes through every bend of every edge, which takes longer than drawing.
function fit(some = visibleVariables()) {
  if (!some.length) return;
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const v of some) {
    const { x, y } = cy.getElementById(nodeId(v)).position();
    box.left = Math.min(box.left, x - data.widths[v] / 2);
    box.right = Math.max(box.right, x + data.widths[v] / 2);
    box.top = Math.min(box.top, y - data.height / 2);
    box.bottom = Math.max(box.bottom, y + data.height / 2);
  }
  const zoom = Math.min(
    (cy.width() - 2 * MARGIN) / (box.right - box.left),
    (cy.height() - 2 * MARGIN) / (box.bottom - box.top),
    LARGEST_FIT,
  );
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  moveTo(middle, Math.max(zoom, cy.minZoom()));
}

function visibleVariables() {
  return variables.filter((v) => !cy.getElementById(nodeId(v)).hasClass("away"));
}

function moveTo(point, zoom) {
  const pan = { x: cy.width() / 2 - point.x * zoom, y: cy.height() / 2 - point.y * zoom };
  cy.stop();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || variables.length > MANY) {
    cy.viewport({ zoom, pan });
  } else {
    cy.animate({ zoom, pan }, { duration: 200 });
  }
}

function zoomBy(factor) {
  const middle = { x: cy.width() / 2, y: cy.height() / 2 };
  cy.zoom({ level: cy.zoom() * factor, renderedPosition: middle });
}

function restyle() {
  if (cy) cy.style(graphStyle());
}

function graphStyle(colour = colours()) {
  return [
    {
      selector: "node",
      style: {
        label: "data(name)",
        width: "data(width)",
        height: data.height,
        shape: "round-rectangle",
        "font-size": 12,
        "font-family": "system-ui, sans-serif",
        "text-valign": "center",
        "min-zoomed-font-size": 5,
        color: colour("node-text"),
        "background-color": colour("node"),
        "border-color": colour("node-border"),
        "border-width": 1,
        "overlay-opacity": 0,
      },
    },
    { selector: "node.feature", style: { shape: "rectangle", "background-color": colour("feature") } },
    {
      selector: "node.label",
      style: {
        "background-color": colour("alone"),
        "border-width": 2.5,
        "border-color": colour("label-border"),
        "corner-radius": data.height / 2,
        "font-weight": "bold",
      },
    },
    ...Array.from({ length: N_COLOURS }, (_, i) => ({
      selector: `node.powerset-${i}`,
      style: { "background-color": colour(`powerset-${i}`), color: colour("powerset-text") },
    })),
    {
      selector: "edge",
      style: {
        width: "data(width)",
        "curve-style": "straight",
        "line-color": colour("edge"),
        "target-arrow-color": colour("edge"),
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.9,
        "overlay-opacity": 0,
      },
    },
    {
      // A bow leads around the boxes of a row.
      selector: "edge.weaker",
      style: { "curve-style": "unbundled-bezier", "control-point-distances": 44, "control-point-weights": 0.5 },
    },
    {
      selector: "edge.bent",
      style: {
        "curve-style": "round-segments",
        "segment-weights": "data(along)",
        "segment-distances": "data(beside)",
        "segment-radii": 24,
        "edge-distances": "node-position",
      },
    },
    { selector: "edge.reversible", style: { "target-arrow-fill": "hollow" } },
    { selector: "edge.undirected", style: { "target-arrow-shape": "none" } },
    { selector: "edge.weaker", style: { display: "none", "line-style": "dashed", "line-dash-pattern": [4, 4], opacity: 0.7 } },
    { selector: "edge.revealed", style: { display: "element" } },
    ...verdictStyles(colour),
    { selector: "node.spouse", style: { "border-width": 3, "border-color": colour("spouse"), "border-style": "dashed" } },
    { selector: "node.parent", style: { "border-width": 3, "border-color": colour("parent") } },
    { selector: "node.child", style: { "border-width": 3, "border-color": colour("child") } },
    { selector: "node.neighbour", style: { "border-width": 3, "border-color": colour("neighbour") } },
    { selector: "node.boundary", style: { "border-width": 3, "border-color": colour("boundary") } },
    { selector: "node.chosen", style: { "border-width": 4, "border-color": colour("chosen") } },
    { selector: "edge.chosen", style: { width: 3.5, "z-index": 10 } },
    { selector: ".dimmed", style: { opacity: 0.16 } },
    { selector: ".weak, .away", style: { display: "none" } },
  ];
}

const DASHES = {
  right: null,
  missing: [9, 5],
  extra: [2, 4],
  reversed: [10, 4, 2, 4],
  "differently marked": [10, 4, 2, 4, 2, 4],
};

function verdictStyles(colour) {
  return Object.entries(DASHES).map(([verdict, pattern]) => ({
    selector: `edge.compared.${className(verdict)}`,
    style: {
      display: "element",
      opacity: 1,
      width: 2.4,
      "line-color": colour(className(verdict)),
      "target-arrow-color": colour(className(verdict)),
      "line-style": pattern ? "dashed" : "solid",
      ...(pattern && { "line-dash-pattern": pattern }),
    },
  }));
}
