// Keys that work everywhere but in fields, and arrows that move the graph.

const STEP = 60;
const ARROWS = {
  ArrowLeft: { x: STEP, y: 0 },
  ArrowRight: { x: -STEP, y: 0 },
  ArrowUp: { x: 0, y: STEP },
  ArrowDown: { x: 0, y: -STEP },
};
const KEYS = {
  "/": () => byId("name").focus(),
  "+": () => zoomBy(1.25),
  "=": () => zoomBy(1.25),
  "-": () => zoomBy(0.8),
  f: () => fit(),
  d: () => otherView(),
  o: () => showPart(home()),
};

function startKeyboard() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.matches("input[type=search], select");
    if (event.key === "Escape") {
      if (inField) event.target.blur();
      clearChoice();
    } else if (!inField && KEYS[event.key]) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });
  byId("graph").addEventListener("keydown", (event) => {
    if (!ARROWS[event.key]) return;
    event.preventDefault();
    cy.panBy(ARROWS[event.key]);
  });
}
