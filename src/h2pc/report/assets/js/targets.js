// The variables around which a graph was learned: they are marked, and chosen at the start.

// What is around any of them, those that are targets themselves left out.
function aroundTargets() {
  const near = {};
  const seen = new Set(targets);
  for (const kind of ["parent", "child", "neighbour", "spouse"]) {
    const found = targets.flatMap((v) => around(v)[kind]).filter((u) => !seen.has(u) && seen.add(u));
    near[kind] = found.sort((a, b) => a - b);
  }
  return near;
}

function chooseTargets() {
  if (targets.length === 1) {
    chooseVariable(targets[0]);
    return;
  }
  const near = aroundTargets();
  repeatChoice = chooseTargets;
  markChosen(targets, near);
  showDetails(
    counted(targets.length, "target"),
    ...targets.flatMap((v) => [
      element("h3", { className: "chosen" }, variableButton(v)),
      element("p", {}, `Markov boundary: ${counted(boundaryOf(v).length, "variable")}`),
      variableButtons(boundaryOf(v)),
    ]),
  );
  say(`${names(targets)}: chosen, with their Markov boundaries.`);
}

function boundaryOf(v) {
  const { parent, child, neighbour, spouse } = around(v);
  return [...parent, ...child, ...neighbour, ...spouse].sort((a, b) => a - b);
}

function goToTargets() {
  chooseTargets();
  bringIntoView(targets[0], boundaryRows(targets, aroundTargets()), "targets");
}
