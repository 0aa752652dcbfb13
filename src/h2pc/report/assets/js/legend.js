// The meaning of colours, shapes and lines.

function legendEntry(kind, text) {
  return element("li", {}, element("span", { className: `swatch ${kind}`, "aria-hidden": "true" }), text);
}

function legendList(title, ...entries) {
  return element("ul", { "aria-label": title }, ...entries);
}

// The edges that are drawn: what the slider and the comparison show of them, between variables that are drawn.
// In the overview every edge stands inside a part, or in a line between two.
function shownEdges() {
  return allEdges.filter((edge, e) => {
    const drawn = cy.getElementById(`e${e}`);
    const isKept = edge.isLearned ? !drawn.hasClass("weak") : drawn.hasClass("revealed") || isCompared(edge);
    return isKept && (drawnPart === OVERVIEW || (isInside(edge.parent) && isInside(edge.child)));
  });
}

function isCompared(edge) {
  return Boolean(edge.verdicts) && byId("overlay").checked;
}

function isInside(v) {
  return !cy.getElementById(nodeId(v)).hasClass("outside");
}

function showLegend() {
  const edges = shownEdges();
  const lists = drawnPart === OVERVIEW ? [overviewLegend(edges)] : [...variableLegend(), ...edgeLegend(edges)];
  byId("legend").replaceChildren(...lists);
}

function variableLegend() {
  const lists = [];
  if (targets.length) lists.push(legendList("Targets", legendEntry("box target", `target (${targets.length})`)));
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
  return lists;
}

// Every number is that of the lines that are drawn now.
function edgeLegend(edges) {
  const lists = [];
  const learned = edges.filter(({ isLearned }) => isLearned);
  const n = learned.filter(({ reversible }) => reversible).length;
  if (data.verdicts && byId("overlay").checked) {
    const number = (verdict) => edges.filter((edge) => verdictOf(edge) === verdict).length;
    const possible = Object.keys(DASHES).filter((verdict) => view === "class" || verdict !== "differently marked");
    lists.push(
      legendList(
        "Compared with the reference",
        ...possible.map((verdict) => legendEntry(`line ${className(verdict)}`, `${verdict} (${number(verdict)})`)),
      ),
    );
  }
  if (data.edges.length && hasDirections) {
    lists.push(
      legendList(
        "Directions",
        legendEntry("arrow", `direction identifiable (${learned.length - n})`),
        legendEntry(view === "class" ? "line plain" : "arrow hollow", `direction not identifiable (${n})`),
      ),
    );
  }
  const weaker = edges.filter((edge) => !edge.isLearned && !isCompared(edge)).length;
  if (data.weaker.length || weaker) {
    lists.push(legendList("Strengths", legendEntry("line weaker", `weaker pair, not in the graph (${weaker})`)));
  }
  lists.push(aroundLegend(data.reversible.some(Boolean)));
  return lists;
}

function aroundLegend(hasNeighbours) {
  const kinds = data.undirected
    ? [legendEntry("box neighbour", "neighbour")]
    : [
        legendEntry("box parent", "parent"),
        legendEntry("box child", "child"),
        ...(hasNeighbours && view === "class" ? [legendEntry("box neighbour", "direction not identifiable")] : []),
        legendEntry("box spouse", "spouse"),
      ];
  return legendList("Around the selected variable", legendEntry("box chosen", "selected"), ...kinds);
}

function overviewLegend(edges) {
  const learned = edges.filter(({ isLearned }) => isLearned);
  const between = learned.filter(partsOf).length;
  return legendList(
    "Overview",
    legendEntry("box community", "part of the graph: its variable with most edges (number of variables)"),
    ...(hasLabels ? [legendEntry("box community with-labels", "part with labels")] : []),
    legendEntry("line between", `edges between two parts, the wider the more (${between})`),
    element("li", {}, `edges inside parts (${learned.length - between})`),
  );
}

function powersetText(i) {
  const text = names(data.powersets[i]);
  return text.length > 40 ? `${text.slice(0, 38)}… (${data.powersets[i].length})` : text;
}
