// Some variables by themselves, in rows that are as wide as the window: a Markov boundary, or a powerset.

const BESIDE = 18;
// Below a line, and below a row: as much as a low window has room for.
const GAPS = [
  [26, 66],
  [16, 38],
];

// The variables in view, in letters that can be read: where they are, or else in rows.
function bringIntoView(v, rows, title) {
  const some = rows.flat();
  const isThere = () => some.every(isDrawn) && isReadable(nodesOf(some));
  if (!isThere()) drawAround(v);
  if (!isThere()) drawRows(rows, title);
  fit(nodesOf(some));
}

function drawRows(rows, title) {
  const widest = (cy.width() - 2 * MARGIN) / READABLE;
  const broken = rows.filter((row) => row.length).map((row) => brokenRow(row, widest));
  const lines = broken.flat();
  for (const gaps of GAPS) {
    const places = rowPlaces(broken, gaps);
    drawOnly(ROWS, places, waysThrough(lines, places));
    if (isReadable(shownNodes())) break;
  }
  showPartChoice(title);
  bowAround(lines);
}

function rowPlaces(broken, [below, belowRow]) {
  const places = new Map();
  let y = 0;
  for (const row of broken) {
    for (const line of row) {
      let x = -lineLength(line) / 2;
      for (const v of line) {
        places.set(v, [x + widths[v] / 2, y]);
        x += widths[v] + BESIDE;
      }
      y += data.height + below;
    }
    y += belowRow - below;
  }
  return places;
}

function lineLength(line) {
  return line.reduce((sum, v) => sum + widths[v] + BESIDE, -BESIDE);
}

// A row that is too wide becomes lines, of which one is about as long as the other.
function brokenRow(row, widest) {
  const n = Math.ceil(lineLength(row) / widest);
  const wanted = lineLength(row) / n;
  const lines = [[]];
  for (const v of row) {
    const line = lines.at(-1);
    const isFull = line.length && (lineLength([...line, v]) > widest || lineLength(line) >= wanted);
    if (isFull) lines.push([v]);
    else line.push(v);
  }
  return lines;
}

function lineOf(lines) {
  return new Map(lines.flatMap((line, i) => line.map((v) => [v, i])));
}

// An edge that would pass behind a box takes the nearest gap of that line.
function waysThrough(lines, places) {
  const at = lineOf(lines);
  const ways = new Map();
  allEdges.forEach(({ parent, child }, e) => {
    if (!at.has(parent) || !at.has(child)) return;
    const [from, to] = [at.get(parent), at.get(child)];
    const step = Math.sign(to - from);
    const ends = [places.get(parent), places.get(child)];
    const way = [];
    for (let i = from + step; step && i !== to; i += step) way.push(...gapPassed(lines[i], places, ends, step));
    // Several edges in one gap are told apart.
    const aside = 2 * ((e % 5) - 2);
    ways.set(e, way.map(([x, y]) => [x + aside, y]));
  });
  return ways;
}

function gapPassed(line, places, [[x0, y0], [x1, y1]], step) {
  const y = places.get(line[0])[1];
  const wanted = x0 + ((x1 - x0) * (y - y0)) / (y1 - y0);
  const isHit = line.some((v) => Math.abs(places.get(v)[0] - wanted) < widths[v] / 2 + BESIDE / 2);
  if (!isHit) return [];
  const sides = line.map((v) => places.get(v)[0] + widths[v] / 2 + BESIDE / 2);
  const gaps = [places.get(line[0])[0] - widths[line[0]] / 2 - BESIDE / 2, ...sides];
  const x = gaps.reduce((best, gap) => (Math.abs(gap - wanted) < Math.abs(best - wanted) ? gap : best));
  const half = (step * data.height) / 2;
  return [[x, y - half], [x, y + half]];
}

// An edge along a line leads around the boxes between its ends.
function bowAround(lines) {
  const at = lineOf(lines);
  cy.batch(() => {
    for (const drawn of cy.edges(EDGES)) {
      const { parent, child } = allEdges[drawn.data("e")];
      const line = lines[at.get(parent)];
      const isAlong = line !== undefined && at.get(parent) === at.get(child);
      drawn.toggleClass("bowed", isAlong && Math.abs(line.indexOf(parent) - line.indexOf(child)) > 1);
    }
  });
}

// Parents above; children below, and the spouses under them, so that few edges have to pass a row.
function boundaryRows(some, { parent, neighbour, child, spouse }) {
  return [parent, [...neighbour, ...some], child, spouse];
}
