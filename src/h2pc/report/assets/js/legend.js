// The meaning of colours, shapes and lines.

function legendEntry(kind, text) {
  return element("li", {}, element("span", { className: `swatch ${kind}`, "aria-hidden": "true" }), text);
}

function legendList(title, ...entries) {
  return element("ul", { "aria-label": title }, ...entries);
}

function showLegend() {
  const lists = [];
  if (hasLabels) {
    const several = data.powersets.map((some, i) => i).filter((i) => colourOf[i] !== null);
    const shown = several.slice(0, N_COLOURS);
    lists.push(
      legendList(
        "Variables",
        legendEntry("box feature", `feature (${variables.length - data.labels.length})`),
        legendEntry("box label", "label, a powerset by itself"),
        ...shown.map((i) => legendEntry(`box label powerset-${colourOf[i]}`, powersetText(i))),
        ...(several.length > shown.length ? [element("li", {}, `and ${several.length - shown.length} more powersets, in the same colours`)] : []),
      ),
    );
  }
  if (data.verdicts && byId("overlay").checked) {
    const number = (verdict) => allEdges.filter((edge) => verdictOf(edge) === verdict).length;
    const possible = Object.keys(DASHES).filter((verdict) => view === "class" || verdict !== "differently marked");
    lists.push(
      legendList(
        "Compared with the reference",
        ...possible.map((verdict) => legendEntry(`line ${className(verdict)}`, `${verdict} (${number(verdict)})`)),
      ),
    );
  }
  const n = data.reversible.filter(Boolean).length;
  if (data.edges.length && hasDirections) {
    lists.push(
      legendList(
        "Directions",
        legendEntry("arrow", `direction identifiable (${data.edges.length - n})`),
        legendEntry(view === "class" ? "line plain" : "arrow hollow", `direction not identifiable (${n})`),
      ),
    );
  }
  if (data.weaker.length) {
    lists.push(legendList("Strengths", legendEntry("line weaker", `weaker pair, not in the graph (${data.weaker.length})`)));
  }
  lists.push(
    legendList(
      "Around the selected variable",
      ...(data.undirected
        ? [legendEntry("box neighbour", "neighbour")]
        : [
            legendEntry("box parent", "parent"),
            legendEntry("box child", "child"),
            ...(n && view === "class" ? [legendEntry("box neighbour", "direction not identifiable")] : []),
            legendEntry("box spouse", "spouse"),
          ]),
    ),
  );
  byId("legend").replaceChildren(...lists);
}

function powersetText(i) {
  const text = names(data.powersets[i]);
  return text.length > 40 ? `${text.slice(0, 38)}… (${data.powersets[i].length})` : text;
}
