// Everything in its order; the graph comes first, so that it is there while tables are built.

function summary() {
  const parts = [counted(variables.length, "variable"), counted(data.edges.length, "edge")];
  if (hasLabels) {
    parts.push(counted(data.labels.length, "label"), counted(data.powersets.length, "powerset"));
  }
  return parts.join(", ");
}

byId("summary").textContent = summary();
startTheme();
startGraph();
startSelection();
startTooltips();
startControls();
showPart(targets.length ? WHOLE : home());
if (targets.length) goToTargets();
performance.mark("drawn");
startKeyboard();
startPicture();
requestAnimationFrame(() =>
  setTimeout(() => {
    fillTables();
    fillWhy();
    document.documentElement.dataset.ready = "yes";
    performance.mark("ready");
  }),
);
