// Why labels are predicted for a sample: bars of what its features contribute.

function fillWhy() {
  if (!data.why) return;
  const { heading, powersets, others, about } = data.why;
  byId("why").append(
    element("p", {}, heading),
    element("div", { className: "whys" }, ...powersets.map(whyPowerset)),
    ...(others ? [element("p", {}, others)] : []),
    element("p", { className: "quiet" }, about),
  );
  byId("why").hidden = false;
}

function whyPowerset({ question, labels, sentences, features, rest }) {
  const largest = Math.max(...features.map(([, , , contribution]) => Math.abs(contribution)), 1e-300);
  const titles = ["feature", "value", "contribution", "", ...(features.some((f) => f[4]) ? ["in the directed graph"] : [])];
  const table = element(
    "table",
    {},
    element("caption", {}, "What each feature contributes"),
    element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))),
    element("tbody", {}, ...features.map((feature) => whyLine(feature, largest, titles.length > 4))),
  );
  return element(
    "article",
    { "aria-label": question },
    element("h3", {}, question),
    whyLabels(labels),
    ...sentences.map((sentence) => element("p", {}, sentence)),
    ...(features.length ? [table] : []),
    ...(rest ? [element("p", { className: "quiet" }, rest)] : []),
  );
}

// Predicted labels are marked by a sign too, not by colour alone.
function whyLabels(labels) {
  const marked = ([name, v, isPredicted]) =>
    element("li", {}, isPredicted ? "✓ " : "✗ ", v === null ? name : variableButton(v));
  return element("ul", { className: "variables" }, ...labels.map(marked));
}

function whyLine([name, v, value, contribution, role], largest, hasRoles) {
  const cells = [
    element("td", {}, v === null ? name : variableButton(v)),
    element("td", {}, value),
    element("td", { className: "number" }, (contribution < 0 ? "−" : "+") + number(Math.abs(contribution), 3)),
    element("td", {}, bar(contribution / largest)),
    ...(hasRoles ? [element("td", {}, role)] : []),
  ];
  return element("tr", {}, ...cells);
}

// From the middle to the right for what speaks for the prediction, to the left for what speaks against it.
function bar(share) {
  const filled = element("span", { className: share < 0 ? "against" : "for" });
  filled.style.width = `${50 * Math.abs(share)}%`;
  filled.style[share < 0 ? "right" : "left"] = "50%";
  return element("span", { className: "contribution", "aria-hidden": "true" }, filled);
}
