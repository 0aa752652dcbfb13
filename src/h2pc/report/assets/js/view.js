// What the window shows of the drawing.

const MARGIN = 28;
// A few variables alone would fill the whole view.
const LARGEST_FIT = 1.4;
// From this zoom on, names are eleven pixels high; on a desk, nine will do where more is seen then.
const READABLE = 11 / TEXT_SIZE;
const LEGIBLE = 9 / TEXT_SIZE;
const narrow = matchMedia("(max-width: 900px)");

function shownNodes() {
  return cy.nodes().filter((node) => !node.hasClass("away") && !node.hasClass("outside"));
}

// The fit of the library goes through every bend of every edge, which takes longer than drawing.
function boxOf(nodes) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  nodes.forEach((node) => {
    const { x, y } = node.position();
    const half = node.data("width") / 2;
    box.left = Math.min(box.left, x - half);
    box.right = Math.max(box.right, x + half);
    box.top = Math.min(box.top, y - data.height / 2);
    box.bottom = Math.max(box.bottom, y + data.height / 2);
  });
  return box;
}

function zoomOf(box) {
  const zoom = Math.min(
    (cy.width() - 2 * MARGIN) / (box.right - box.left),
    (cy.height() - 2 * MARGIN) / (box.bottom - box.top),
    LARGEST_FIT,
  );
  return Math.max(zoom, cy.minZoom());
}

function fit(nodes = shownNodes()) {
  if (nodes.empty()) return;
  const box = boxOf(nodes);
  moveTo({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }, zoomOf(box));
}

function isReadable(nodes, least = READABLE) {
  return zoomOf(boxOf(nodes)) >= least;
}

// All that is drawn or, where names would be too small, what is around a node.
function fitReadable(node, least) {
  const nodes = shownNodes();
  if (nodes.empty() || isReadable(nodes, least)) {
    fit(nodes);
    return;
  }
  const box = boxOf(nodes);
  const { x, y } = node.position();
  const half = { x: cy.width() / 2 - MARGIN, y: cy.height() / 2 - MARGIN };
  moveTo({ x: within(x, box.left + half.x, box.right - half.x), y: within(y, box.top + half.y, box.bottom - half.y) }, 1);
  say(`A part of the drawing, around ${node.data("name")}. Drag to move it; Fit shows all.`);
}

function within(value, least, most) {
  return least > most ? (least + most) / 2 : Math.min(Math.max(value, least), most);
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
