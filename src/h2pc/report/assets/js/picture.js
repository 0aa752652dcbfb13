// The graph as an image: to save, and to print, always in the light colours.

const LARGEST = 4000;

function lightPicture() {
  const root = document.documentElement;
  const before = root.dataset.theme;
  root.dataset.theme = "light";
  cy.style(graphStyle());
  const chosen = cy.elements(".dimmed").removeClass("dimmed");
  const image = cy.png({ full: true, scale: 2, maxWidth: LARGEST, maxHeight: LARGEST, bg: "#ffffff" });
  chosen.addClass("dimmed");
  root.dataset.theme = before;
  restyle();
  return image;
}

function startPicture() {
  byId("save").addEventListener("click", () => {
    element("a", { href: lightPicture(), download: "graph.png" }).click();
  });
  const prepare = () => {
    byId("legend").classList.toggle("of-selection", cy.nodes(".chosen").nonempty());
    byId("print-picture").src = lightPicture();
  };
  addEventListener("beforeprint", prepare);
  matchMedia("print").addEventListener("change", (event) => {
    if (event.matches) prepare();
  });
}
