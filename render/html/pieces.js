// The pieces on the table: with an outline of their own each, or squares with colours (`data.colored`), which the page
// defines.

const SQUARE = "M-50 -50h100v100h-100z";

/** An element for each piece: a group that is moved, with an inner group that is rotated about the piece's centre. */
function madePieces(data) {
  const artwork = byId("artwork");
  byId("pieces").classList.toggle("painted", artwork !== null || Boolean(data.colored));
  return data.pieces.map((sides, piece) => {
    const name = isLocked(data, piece) ? "piece locked" : "piece";
    const group = svgElement(byId("pieces"), "g", { class: name, tabindex: 0, role: "button", "data-piece": piece });
    const turn = svgElement(group, "g", { class: "turn" });
    if (data.colored) svgElement(turn, "use", { href: `#piece${piece}` });
    if (data.words) sides.forEach((color, side) => addWord(turn, data.words[color], side));
    if (artwork) paint(data, turn, piece);
    const d = data.colored ? SQUARE : data.outlines[piece];
    svgElement(turn, "path", { class: "outline", id: `outline${piece}`, d, fill: data.fills?.[piece] ?? "none" });
    const over = data.flips?.[piece] ? svgElement(turn, "path", { class: "over", d: data.over }) : null;
    const long = piece >= 99 ? "number long" : "number";
    // Blanks of the sides come within 17 of the centre.
    const number = svgElement(turn, "text", { class: long, y: data.colored ? 8 : 13 }, String(piece + 1));
    if (!data.hidden && !data.colored) svgElement(turn, "circle", { class: "dot", cy: -10, r: 3.6 });
    return { group, turn, over, number };
  });
}

/** The word of a colour along a side, as large as the triangle between the side and the centre has room for. */
function addWord(parent, word, side) {
  if (!word) return;
  const size = Math.min(24, 88 / (0.56 * word.length + 1.6));
  const attributes = { class: "word", transform: `rotate(${90 * side})`, y: 0.85 * size - 47 };
  svgElement(parent, "text", attributes, word).style.fontSize = `${size}px`;
}

/** The part of the artwork on a piece, clipped by its outline. */
function paint(data, parent, piece) {
  const back = data.tiles ? tileMove(data, piece) : boardMove(data, piece);
  if (back === null) {
    svgElement(parent, "path", { d: data.outlines[piece], fill: data.fills[piece] });
    return;
  }
  const clip = svgElement(byId("cuts"), "clipPath", { id: `cut${piece}` });
  svgElement(clip, "path", { d: data.outlines[piece] });
  const clipped = svgElement(parent, "g", { "clip-path": `url(#cut${piece})` });
  svgElement(clipped, "use", { href: "#artwork", transform: back });
}

/** The motion of a picture of the first board that brings a piece's part to the piece; null for pieces not on it. */
function boardMove(data, piece) {
  const square = data.boards[0].findIndex((code) => pieceOf(data, code) === piece);
  if (square < 0) return null;
  const [x, y] = centreOf(data, square);
  return `rotate(${-90 * rotationOf(data, data.boards[0][square])})translate(${-x} ${-y})`;
}

/** The same for a picture with a tile for each piece. */
function tileMove(data, piece) {
  const { columns, side } = data.tiles;
  return `translate(${-side * (piece % columns + 0.5)} ${-side * (Math.floor(piece / columns) + 0.5)})`;
}

function movePiece({ group }, { x, y }) {
  group.style.transform = `translate(${x}px, ${y}px)`;
}

function turnPiece({ turn, over, number }, { turn: turns, flip }) {
  turn.style.transform = `rotate(${90 * turns}deg) scale(${flip ? -1 : 1}, 1)`;
  if (!over) return;
  toggle(over, flip);
  number.setAttribute("transform", `scale(${flip ? -1 : 1} 1)`);
}

/** The name, place and rotation of a piece. */
function pieceLabel(data, piece, { square, turn, flip }) {
  const where = square === undefined ? "next to the board" : `on ${data.names[square]}`;
  const over = flip ? ", turned over" : "";
  return `piece ${piece + 1}, ${where}, turned ${90 * (turn & 3)} degrees${over}`;
}

/** Draws the empty board: its frame and the lines between squares. */
function drawBoard(data, { board }) {
  const [frame, grid, rim, ends] = byId("board").children;
  byId("board").setAttribute("transform", `translate(${board.x} ${board.y})`);
  for (const id of ["misfits", "glow"]) byId(id).setAttribute("transform", `translate(${board.x} ${board.y})`);
  frame.setAttribute("width", board.width);
  frame.setAttribute("height", board.height);
  const isOuter = (square, side) => neighbour(data, square, side) === null;
  rim.setAttribute("d", data.places || data.rimColor ? edgesWhere(data, isOuter) : "");
  if (data.rimColor) Object.assign(rim.style, { stroke: data.rimColor, strokeWidth: 10 });
  ends.setAttribute("d", data.wrap ? edgesWhere(data, (square, side) => isRound(data, square, side)) : "");
  if (data.places) {
    const own = `h${data.cell}v${data.cell}h-${data.cell}z`;
    toggle(frame, false);
    grid.classList.add("shape");
    grid.setAttribute("d", data.places.map(([row, column]) => `M${column * data.cell} ${row * data.cell}${own}`).join(""));
    return;
  }
  let lines = "";
  for (let x = data.cell; x < board.width; x += data.cell) lines += `M${x} 0V${board.height}`;
  for (let y = data.cell; y < board.height; y += data.cell) lines += `M0 ${y}H${board.width}`;
  grid.setAttribute("d", lines);
}

/** Whether the square at a side lies at the other end of the board. */
function isRound(data, square, side) {
  const next = neighbour(data, square, side);
  const [[row, column], [down, across]] = [placeOf(data, square), SIDES[side]];
  return next !== null && String(placeOf(data, next)) !== String([row + down, column + across]);
}

/** A line along each side of a square for which a condition holds. */
function edgesWhere(data, isWanted) {
  const edge = (square, side) => {
    const [[x, y], [down, across], half] = [centreOf(data, square), SIDES[side], data.cell / 2];
    const start = `M${x + (across - Math.abs(down)) * half} ${y + (down - Math.abs(across)) * half}`;
    return start + (down ? `h${data.cell}` : `v${data.cell}`);
  };
  const sides = (square) => [0, 1, 2, 3].filter((side) => isWanted(square, side)).map((side) => edge(square, side));
  return data.names.flatMap((_, square) => sides(square)).join("");
}

/** Marks the square on which a piece would land; null hides the mark. */
function drawTarget(data, square) {
  const target = byId("board").querySelector(".target");
  toggle(target, square !== null);
  if (square === null) return;
  target.setAttribute("width", data.cell);
  target.setAttribute("height", data.cell);
  placeAt(target, data, square);
}

/** Marks the square for which the studio lists pieces; null hides the mark. */
function drawChosen(data, square) {
  const mark = byId("chosen");
  toggle(mark, square !== null);
  if (square !== null) placeAt(mark, data, square);
}

/** A line that glows along each of these joins. */
function drawGlow(data, joins) {
  byId("glow").setAttribute("d", joins.map(([square, side]) => barPath(data, square, side)).join(""));
}

function drawMisfits(data, invalid) {
  byId("misfits").replaceChildren();
  for (const kind of ["casing", "misfit"]) {
    for (const [square, side] of invalid) {
      svgElement(byId("misfits"), "path", { class: kind, d: barPath(data, square, side) });
    }
  }
}
