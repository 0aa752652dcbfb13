// Search, layout, directions and overlay.

const LAYOUTS = { layers: "layers", distances: "path lengths" };

function startControls() {
  byId("zoom-in").addEventListener("click", () => zoomBy(1.25));
  byId("zoom-out").addEventListener("click", () => zoomBy(0.8));
  byId("fit").addEventListener("click", () => fit());
  startSearch();
  startLayoutChoice();
  startDirections();
  startOverlay();
  startLonely();
  startSlider();
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
  byId("layout").addEventListener("change", () => place(byId("layout").value));
  byId("layout-choice").hidden = known.length < 2;
}

function startOverlay() {
  if (!data.verdicts) return;
  byId("overlay-choice").hidden = false;
  byId("overlay").checked = true;
  byId("overlay").addEventListener("change", showOverlay);
  showOverlay();
}

function showOverlay() {
  cy.edges().toggleClass("compared", byId("overlay").checked);
  showLegend();
}

// Where most variables have no edge, these are hidden at first.
function startLonely() {
  if (!lonely.length) return;
  const box = byId("lonely");
  byId("lonely-choice").hidden = false;
  byId("lonely-choice").querySelector("span").textContent = `Variables without edges (${lonely.length})`;
  box.checked = lonely.length <= (variables.length - lonely.length) / 2;
  const show = () => nodesOf(lonely).toggleClass("away", !box.checked);
  box.addEventListener("change", () => {
    show();
    fit();
  });
  show();
}
