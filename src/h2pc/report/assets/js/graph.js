// The drawing; positions come with the data.

const MANY = 400;
const TEXT_SIZE = 12;
const FONT = "system-ui, sans-serif";
const PADDING = 14;
let cy = null;

// Boxes as they were laid out, wider where the letters of this browser need it.
const pen = document.createElement("canvas").getContext("2d");
const widths = variables.map((v) => Math.max(data.widths[v], textWidth(data.shown[v], isLabel[v] || targets.includes(v))));

function textWidth(text, isBold) {
  pen.font = `${isBold ? "bold " : ""}${TEXT_SIZE}px ${FONT}`;
  return pen.measureText(text).width + PADDING;
}

function nodeId(v) {
  return `v${v}`;
}

function startGraph() {
  const nodes = variables.map((v) => ({
    data: { id: nodeId(v), v, name: data.shown[v], width: widths[v] },
    classes: nodeClasses(v),
  }));
  const edges = allEdges.map((edge, e) => {
    const { parent, child, isWeaker } = edge;
    const ends = { source: nodeId(parent), target: nodeId(child) };
    return {
      data: { id: `e${e}`, e, ...ends, width: lineWidth(edge), along: [], beside: [] },
      classes: [
        !edge.isLearned && "weaker",
        !edge.isLearned && !isWeaker && "only-reference",
        edge.reversible && "reversible",
      ].filter(Boolean),
    };
  });
  cy = cytoscape({
    container: byId("graph"),
    elements: { nodes: [...nodes, ...partNodes()], edges: [...edges, ...partLines()] },
    style: graphStyle(),
    layout: { name: "preset", fit: false },
    autoungrabify: true,
    autounselectify: true,
    boxSelectionEnabled: false,
    minZoom: 0.02,
    maxZoom: 4,
    textureOnViewport: variables.length > MANY,
  });
  // The library does not see that controls above take another line, and would miss what is clicked.
  byId("graph").addEventListener("pointerdown", () => cy.resize(), true);
}

function nodeClasses(v) {
  if (targets.includes(v)) return "target";
  if (!hasLabels) return "variable";
  if (!isLabel[v]) return "feature";
  const colour = colourOf[powersetOf[v]];
  return colour === null ? "label" : `label powerset-${colour}`;
}

function lineWidth(edge) {
  const strength = edge.measure("strength") ?? edge.measure("correlation");
  return strength === null ? 1.6 : 0.8 + 2.4 * Math.abs(strength);
}

// Puts some variables where they are wanted; an edge is straight where nothing says how it bends.
function arrange(places, bends) {
  cy.batch(() => {
    for (const [v, [x, y]] of places) cy.getElementById(nodeId(v)).position({ x, y });
    allEdges.forEach((edge, e) => {
      if (!places.has(edge.parent) || !places.has(edge.child)) return;
      const points = bends.get(e) ?? [];
      const ends = [places.get(edge.parent), places.get(edge.child)];
      cy.getElementById(`e${e}`).data(bent(ends, points)).toggleClass("bent", points.length > 0);
    });
  });
}

// Bends are given by their position along the line from parent to child, and their distance from it.
function bent([[x0, y0], [x1, y1]], points) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  return {
    along: points.map(([x, y]) => ((x - x0) * dx + (y - y0) * dy) / square),
    beside: points.map(([x, y]) => ((y - y0) * dx - (x - x0) * dy) / Math.sqrt(square)),
  };
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
        "font-size": TEXT_SIZE,
        "font-family": FONT,
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
    {
      selector: "node.target",
      style: {
        shape: "cut-rectangle",
        "background-color": colour("target"),
        "border-width": 2.5,
        "border-color": colour("label-border"),
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
      selector: "edge.weaker, edge.bowed",
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
    ...overviewStyles(colour),
    { selector: ".weak, .away, .outside, .empty", style: { display: "none" } },
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
