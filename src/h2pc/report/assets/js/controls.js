// Search, layout and overlay.

const LAYOUTS = { layers: "layers", distances: "path lengths" };

function startControls() {
  byId("zoom-in").addEventListener("click", () => zoomBy(1.25));
  byId("zoom-out").addEventListener("click", () => zoomBy(0.8));
  byId("fit").addEventListener("click", () => fit());
  startSearch();
  startLayoutChoice();
  startParts();
  startLonely();
  startDirections();
  startOverlay();
  startSlider();
  countBetween();
}

function startSearch() {
  byId("names").append(...data.names.map((name) => element("option", { value: name })));
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    const v = found(byId("name").value);
    if (v === null) say(`There is no variable ${byId("name").value}.`);
    else goTo(v);
  });
}

// The name itself, else one that begins with the text, else one that contains it; case is ignored.
function found(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return null;
  const lower = data.names.map((name) => name.toLowerCase());
  const tries = [
    data.names.indexOf(text),
    lower.indexOf(wanted),
    lower.findIndex((name) => name.startsWith(wanted)),
    lower.findIndex((name) => name.includes(wanted)),
  ];
  const best = tries.find((v) => v >= 0);
  return best === undefined ? null : best;
}

function startLayoutChoice() {
  const known = Object.keys(data.layouts.drawings);
  byId("layout").append(...known.map((name) => element("option", { value: name }, LAYOUTS[name])));
  byId("layout").value = data.layouts.first;
  byId("layout").addEventListener("change", () => {
    drawWhole();
    fit();
  });
}

function startOverlay() {
  if (!data.verdicts) return;
  byId("overlay-choice").hidden = false;
  byId("overlay").checked = true;
  byId("overlay").addEventListener("change", showOverlay);
  showOverlay();
}

function showOverlay() {
  cy.edges(EDGES).toggleClass("compared", byId("overlay").checked);
  showLegend();
}

// Where most variables have no edge, these are hidden at first.
function startLonely() {
  const box = byId("lonely");
  byId("lonely-choice").querySelector("span").textContent = `Variables without edges (${lonely.length})`;
  box.checked = lonely.length <= (variables.length - lonely.length) / 2;
  box.addEventListener("change", () => {
    hideLonely();
    fit();
  });
}

function hideLonely() {
  nodesOf(lonely).toggleClass("away", !byId("lonely").checked);
}
