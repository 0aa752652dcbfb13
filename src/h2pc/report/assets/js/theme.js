// Light and dark: the colours live in the style sheet, and are read by the graph.

const darkPreferred = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "Light theme" : "Dark theme";
  restyle();
}

function startTheme() {
  byId("theme").addEventListener("click", () => setTheme(!isDark()));
  darkPreferred.addEventListener("change", () => setTheme(darkPreferred.matches));
  setTheme(darkPreferred.matches);
}
