// Tables that sort by any column, and buttons that lead to variables.

function variableButton(v) {
  const button = element("button", { type: "button", className: "variable" }, data.names[v]);
  if (powersetOf[v] !== null && colourOf[powersetOf[v]] !== null) {
    button.classList.add(`powerset-${colourOf[powersetOf[v]]}`);
  }
  button.addEventListener("click", () => goTo(v));
  return button;
}

function variableButtons(some) {
  if (!some.length) return element("span", { className: "quiet" }, "none");
  return element("ul", { className: "variables" }, ...some.map((v) => element("li", {}, variableButton(v))));
}

// A column has a title, the content of its cells (text for numbers, show for others), and a key to sort by.
// It may be sorted from the beginning, by the number of a column, upwards or not.
function sortableTable(caption, columns, rows, sorted = null) {
  const body = element("tbody");
  const lines = rows.map((row) => ({
    keys: columns.map((column) => column.key(row)),
    line: element("tr", {}, ...columns.map((column) => tableCell(column, row))),
  }));
  const headings = columns.map((column, c) => {
    const button = element("button", { type: "button", title: column.about || "" }, column.title);
    const heading = element("th", { scope: "col", className: column.text ? "number" : "" }, button);
    button.addEventListener("click", () => sort(c, headings[c].getAttribute("aria-sort") !== "ascending"));
    return heading;
  });

  function sort(c, upwards) {
    for (const heading of headings) heading.removeAttribute("aria-sort");
    headings[c].setAttribute("aria-sort", upwards ? "ascending" : "descending");
    lines.sort((a, b) => ordered(a.keys[c], b.keys[c], upwards));
    body.replaceChildren(...lines.map(({ line }) => line));
  }

  if (sorted) sort(...sorted);
  else body.append(...lines.map(({ line }) => line));
  const table = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...headings)),
    body,
  );
  return element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": caption }, table);
}

function sortedBy(table) {
  const headings = table ? [...table.querySelectorAll("thead th")] : [];
  const c = headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
  return c < 0 ? null : [c, headings[c].getAttribute("aria-sort") === "ascending"];
}

function tableCell(column, row) {
  const shown = column.text ? column.text(column.key(row)) : column.show(row);
  return element("td", { className: column.text ? "number" : "" }, shown);
}

// Missing values come last in both orders.
function ordered(a, b, upwards) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
  return upwards ? order : -order;
}

function textColumn(title, show) {
  return { title, show, key: (row) => show(row) };
}

function variableColumn(title, variable) {
  return { title, show: (row) => variableButton(variable(row)), key: (row) => data.names[variable(row)] };
}

function measureColumns() {
  return knownMeasures.map((name) => ({ ...MEASURES[name], key: (edge) => shownMeasure(edge, name) }));
}

function givenColumn() {
  return data.given ? [textColumn("given", ({ given }) => (given ? names(given) : ""))] : [];
}

function verdictColumn() {
  return data.verdicts ? [textColumn("reference", (edge) => verdictOf(edge) ?? "")] : [];
}

function graphColumn() {
  return data.weaker.length ? [textColumn("in the graph", ({ isLearned }) => (isLearned ? "yes" : "no"))] : [];
}

function directionColumn() {
  const about = "Whether all equivalent graphs that obey the constraints have this direction";
  return { ...textColumn("direction", directionText), about };
}

function directionText({ reversible, isWeaker }) {
  if (isWeaker) return reversible ? "either way" : "mostly this way";
  return reversible ? "not identifiable" : "identifiable";
}

function secondColumn() {
  const second = (edge) => shownEnds(edge)[1];
  const mark = (edge) => (isUndirected(edge) ? "–" : "→");
  return {
    ...variableColumn(view === "dag" ? "child" : "second variable", second),
    show: (edge) => neighbour(mark(edge), second(edge)),
  };
}

function edgeColumns() {
  return [
    variableColumn(view === "dag" ? "parent" : "first variable", (edge) => shownEnds(edge)[0]),
    secondColumn(),
    ...graphColumn(),
    ...verdictColumn(),
    ...(data.undirected ? [] : [directionColumn()]),
    ...measureColumns(),
    ...givenColumn(),
  ];
}

function factTable(caption, facts) {
  const lines = facts.map(([name, value]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)),
  );
  return element("table", { className: "facts" }, element("caption", {}, caption), element("tbody", {}, ...lines));
}

// The order of the rows stays when directions are shown or hidden.
function fillEdges() {
  const before = byId("edges").querySelector(".scroll");
  const n = counted(data.edges.length, "edge");
  const more = data.missing.length ? `, ${data.missing.length} only in the reference` : "";
  const weaker = data.weaker.length ? `, ${counted(data.weaker.length, "weaker pair")}` : "";
  const table = sortableTable(`${n}${more}${weaker}; click a heading to sort`, edgeColumns(), edgesByEnds(), sortedBy(before));
  if (before) before.replaceWith(table);
  else byId("edges").append(table);
  fillComparison();
}

const COMPARED = { class: "equivalence classes", dag: "graphs" };

// Both comparisons, and a switch between them: the drawing and the table of edges have one.
function fillComparison() {
  if (!data.comparison) return;
  const kinds = Object.keys(COMPARED);
  const head = [
    element("th", { scope: "col" }, "edges"),
    ...kinds.map((kind) => element("th", { scope: "col", className: "number" }, COMPARED[kind])),
  ];
  const lines = Object.entries(data.comparison).map(([what, found]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, what),
      ...kinds.map((kind) => element("td", { className: "number" }, number(found[kind], 0))),
    ),
  );
  const table = element(
    "table",
    { className: "facts" },
    element("caption", {}, `The drawing and the table of edges compare the ${COMPARED[view]}`),
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...lines),
  );
  const other = element("button", { type: "button" }, `Compare the ${COMPARED[view === "class" ? "dag" : "class"]}`);
  other.addEventListener("click", () => {
    otherView();
    byId("comparison").querySelector("button").focus();
  });
  byId("comparison").replaceChildren(byId("comparison").querySelector("h2"), table, ...(hasDirections ? [other] : []));
  byId("comparison").hidden = false;
}

// In the order of their names: those of the graph, of the reference only, and weaker pairs.
function edgesByEnds() {
  const key = (edge) => [!edge.isLearned + Boolean(edge.isWeaker), ...shownEnds(edge)];
  const keyed = allEdges.map((edge) => [key(edge), edge]);
  keyed.sort(([a], [b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return keyed.map(([, edge]) => edge);
}

function fillTables() {
  fillEdges();
  if (data.powersets.length) {
    const several = data.powersets.filter((some) => some.length > 1).length;
    const rows = data.powersets.map((some, i) => ({ i, some, boundary: data.boundaries[i] }));
    const columns = [
      { title: "powerset", key: ({ i }) => i + 1, show: ({ i }) => powersetButton(i) },
      { title: "labels", key: ({ some }) => some.length, show: ({ some }) => variableButtons(some) },
      { title: "features", key: ({ boundary }) => boundary.length, show: ({ boundary }) => variableButtons(boundary) },
    ];
    const caption = `${counted(data.powersets.length, "powerset")}, ${several} of several labels; features are the Markov boundary`;
    byId("powersets").append(sortableTable(caption, columns, rows));
    byId("powersets").hidden = false;
  }
  if (!data.run.length) {
    byId("run").hidden = true;
    return;
  }
  const total = data.phases.reduce((sum, [, time]) => sum + time, 0);
  const times = [...data.phases, ["total", total]].map(([phase, time]) => [phase, `${number(time, 3)} s`]);
  byId("run").append(
    element("div", { className: "beside" }, factTable("Settings and counts", data.run), factTable("Running time", times)),
  );
}

function powersetButton(i) {
  const button = element("button", { type: "button" }, `${i + 1}`);
  button.setAttribute("aria-label", `Show powerset ${i + 1} in the graph`);
  button.addEventListener("click", () => choosePowerset(i));
  return button;
}
