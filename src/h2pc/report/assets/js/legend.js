// What colours, shapes and lines mean.

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
        legendEntry("box label", "label of its own"),
        ...shown.map((i) => legendEntry(`box label powerset-${colourOf[i]}`, powersetText(i))),
        ...(several.length > shown.length ? [element("li", {}, `and ${several.length - shown.length} powersets more, in the same colours`)] : []),
      ),
    );
  }
  if (data.verdicts && byId("overlay").checked) {
    const number = (verdict) => allEdges.filter((edge) => edge.verdict === verdict).length;
    lists.push(
      legendList(
        "Compared with the reference",
        ...Object.keys(DASHES).map((verdict) => legendEntry(`line ${verdict}`, `${verdict} (${number(verdict)})`)),
      ),
    );
  }
  lists.push(
    legendList(
      "Around what is chosen",
      legendEntry("box parent", "parent"),
      legendEntry("box child", "child"),
      legendEntry("box spouse", "spouse"),
    ),
  );
  byId("legend").replaceChildren(...lists);
}

function powersetText(i) {
  const text = names(data.powersets[i]);
  return text.length > 40 ? `${text.slice(0, 38)}… (${data.powersets[i].length})` : text;
}
