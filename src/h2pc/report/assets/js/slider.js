// The slider: it hides weak edges and, by strength, shows pairs that the graph does not join.

function startSlider() {
  const usable = knownMeasures.filter((name) => ["strength", "gain", "correlation"].includes(name));
  if (!usable.length || !allEdges.length) return;
  byId("weak-choice").hidden = false;
  byId("measure").append(...usable.map((name) => element("option", { value: name }, MEASURES[name].title)));
  byId("measure").addEventListener("change", resetSlider);
  byId("weak").addEventListener("input", moveSlider);
  resetSlider();
}

function byStrength() {
  return byId("measure").value === "strength";
}

// The slider steps through the values that occur, however far apart these are.
function steps() {
  const some = byStrength() ? allEdges : learnedEdges;
  const values = some.map((edge) => edge.measure(byId("measure").value)).filter((value) => value !== null).map(size);
  const found = byStrength() ? [data.resampled.threshold, ...values.filter((value) => value > 0)] : values;
  return [...new Set(found)].sort((a, b) => a - b);
}

// Where exactly the edges of the graph are shown: at the threshold, or at the left end.
function start() {
  return byStrength() ? steps().indexOf(data.resampled.threshold) : 0;
}

// Correlations have a sign, which does not matter here.
function size(value) {
  return byId("measure").value === "correlation" ? Math.abs(value) : value;
}

function resetSlider() {
  byId("weak").max = String(Math.max(steps().length - 1, 0));
  byId("weak").value = String(start());
  moveSlider();
}

function moveSlider() {
  const measure = byId("measure").value;
  const [at, from] = [Number(byId("weak").value), start()];
  const limit = steps()[at] ?? 0;
  const isBelow = (edge) => edge.measure(measure) !== null && size(edge.measure(measure)) < limit;
  let [kept, revealed] = [0, 0];
  cy.batch(() => {
    for (const drawn of cy.edges(EDGES)) {
      const edge = allEdges[drawn.data("e")];
      if (edge.isLearned) {
        const hidden = at > from && isBelow(edge);
        drawn.toggleClass("weak", hidden);
        kept += !hidden;
      } else {
        const shown = at < from && edge.measure(measure) > 0 && !isBelow(edge);
        drawn.toggleClass("revealed", shown);
        revealed += shown;
      }
    }
  });
  const weaker = revealed ? `, ${counted(revealed, "weaker pair")}` : "";
  const text = `${where(limit, at === from)}: ${kept} of ${counted(learnedEdges.length, "edge")}${weaker}`;
  byId("weak-value").textContent = text;
  byId("weak").setAttribute("aria-valuetext", text);
  countBetween();
  showLegend();
}

// Edges of an averaged graph are stronger than the threshold; those of another may not be.
function where(limit, atStart) {
  const value = MEASURES[byId("measure").value].text(limit);
  if (!byStrength() || !atStart) return `from ${value}`;
  return data.resampled.averaged ? `above ${value}` : "as learned";
}
