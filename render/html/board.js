// The picture of a board.  A placed piece is the number 4 * piece + rotation, an empty square is null; where pieces may
// be turned over (`data.flip`), it is 8 * piece + rotation.
//
// Of puzzles that are no framed rectangles, the data may have `places` (the row and column of each square), `wrap`, `rim`,
// `mates` (for a colour the one that fits onto it) and `words` (for a colour its name).

const SIDES = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/** The operations on the picture of a board: the same as on that of a tiling. */
function boardPicture(data) {
  const squares = boardSquares(data);
  const marks = byId("marks");
  const size = { width: data.cell, height: data.cell };
  const frames = pictureFrames((kind) => svgElement(byId("frames"), "rect", { class: `frame ${kind}`, ...size }));
  return {
    order: () => data.order,
    end: (index) => 1 + data.order.findLastIndex((square) => data.solutions[index][square] !== null),
    show(index, depth) {
      const shown = new Array(data.order.length).fill(null);
      for (const square of data.order.slice(0, depth)) shown[square] = data.solutions[index][square];
      squares.forEach((square, number) => setSquare(data, square, shown[number]));
      const joins = judgedJoins(data, shown);
      drawMarks(data, marks, shown, joins.invalid);
      const invalid = joins.invalid.length ? counted(joins.invalid.length, "invalid join") : "no invalid joins";
      const placed = shown.filter((code) => code !== null).length;
      return `${filledFact(data, placed)}, score ${joins.valid} of ${joins.all}, ${invalid}`;
    },
    compare(index, before, depth) {
      const differs = (square) => before !== null && data.solutions[index][square] !== data.solutions[before][square];
      const shown = new Set(data.order.slice(0, depth));
      const isSame = (square) => before !== null && shown.has(square) && !differs(square);
      squares.forEach((square, number) => toggle(square.veil, isSame(number)));
      return data.order.filter(differs).length;
    },
    frame(kind, square) {
      frames[kind].forEach((frame) => {
        toggle(frame, square !== null);
        if (square !== null) placeAt(frame, data, square);
      });
    },
    problems: (index) => data.problems[index] ?? [],
    itemName: (square) => `square ${data.names[square]}`,
    noun: "square",
    describe: (index, square, before) => describeSquare(data, index, square, before),
    pickable: squares.map((square) => square.target),
    beside: (square, side) => neighbour(data, square, side) ?? square,
  };
}

/** How much of a board is filled, in squares if there are spare pieces. */
function filledFact(data, placed) {
  const squares = data.names.length;
  if (data.pieces.length === squares) return `${placed} of ${counted(squares, "piece")}`;
  return `${placed} of ${counted(squares, "square")} filled`;
}

/** The elements of each square: piece, number, name, veil, and click target. */
function boardSquares(data) {
  const down = (layer) => Number(byId(layer).dataset.down);
  const [numberDown, nameDown] = [down("numbers"), down("names")];
  const layer = (id, tag, attributes) => svgElement(byId(id), tag, attributes);
  return data.names.map((name, square) => {
    const [x, y] = centreOf(data, square);
    const area = { x: x - data.cell / 2, y: y - data.cell / 2, width: data.cell, height: data.cell };
    const empty = layer("names", "text", { x, y: y + nameDown });
    empty.textContent = name;
    const target = layer("targets", "rect", { ...area, class: "target" });
    return {
      x, y, code: null, empty, target,
      over: data.flip && layer("over", "path", { d: data.over, transform: `translate(${x} ${y})`, visibility: "hidden" }),
      piece: layer("pieces", "use", { visibility: "hidden" }),
      number: layer("numbers", "text", { x, y: y + numberDown }),
      veil: layer("veils", "rect", { ...area, class: "veil", visibility: "hidden" }),
    };
  });
}

/** The piece of a placed piece's number, and its rotation. */
function pieceOf(data, code) {
  return data.flip ? code >> 3 : code >> 2;
}

function rotationOf(data, code) {
  return data.flip ? code & 7 : code & 3;
}

/** The number of a piece that lies with quarter turns and a side up. */
function codeOf(data, piece, { turn, flip }) {
  return data.flip ? 8 * piece + 4 * Number(flip) + (turn & 3) : 4 * piece + (turn & 3);
}

/** How the piece of a number lies: its quarter turns, and whether it is turned over. */
function lyingAs(data, code) {
  const rotation = rotationOf(data, code);
  return { turn: rotation & 3, flip: rotation >= 4 };
}

function setSquare(data, square, code) {
  if (square.code === code) return;
  square.code = code;
  toggle(square.piece, code !== null);
  toggle(square.empty, code === null);
  square.number.textContent = code === null ? "" : pieceOf(data, code) + 1;
  const rotation = code === null ? 0 : rotationOf(data, code);
  if (square.over) toggle(square.over, rotation >= 4);
  if (code === null) return;
  const over = rotation >= 4 ? "scale(-1 1)" : "";
  square.piece.setAttribute("href", `#piece${pieceOf(data, code)}`);
  square.piece.setAttribute("transform", `translate(${square.x} ${square.y})rotate(${90 * (rotation & 3)})${over}`);
}

/** The row and the column of a square. */
function placeOf(data, square) {
  return data.places ? data.places[square] : [Math.floor(square / data.columns), square % data.columns];
}

/** The square in a row and a column, which may lie round ends that meet; null for a gap or beyond the board. */
function squareAt(data, row, column) {
  if (data.wrap === "both") row = (row + data.rows) % data.rows;
  if (data.wrap) column = (column + data.columns) % data.columns;
  if (row < 0 || row >= data.rows || column < 0 || column >= data.columns) return null;
  if (!data.places) return row * data.columns + column;
  data.grid ??= gridOf(data);
  return data.grid[row * data.columns + column];
}

/** The square at each place of the rectangle around a board; null for a gap. */
function gridOf({ rows, columns, places }) {
  const grid = new Array(rows * columns).fill(null);
  places.forEach(([row, column], square) => (grid[row * columns + column] = square));
  return grid;
}

function centreOf(data, square) {
  const [row, column] = placeOf(data, square);
  return [data.cell * (column + 0.5), data.cell * (row + 0.5)];
}

function placeAt(frame, data, square) {
  const [x, y] = centreOf(data, square);
  frame.setAttribute("x", x - data.cell / 2);
  frame.setAttribute("y", y - data.cell / 2);
}

/** The sides that a placed piece shows: up, right, down, left. */
function sidesOf(data, code) {
  return turnedSides(data.pieces[pieceOf(data, code)], rotationOf(data, code));
}

/** Four sides after a rotation; one from 4 on turns them over first. */
function turnedSides([up, right, down, left], rotation) {
  const sides = rotation >= 4 ? [up, left, down, right] : [up, right, down, left];
  return [0, 1, 2, 3].map((side) => sides[(side - (rotation & 3) + 4) % 4]);
}

/** The number of joins, the number of valid joins between pieces, these, and the invalid ones. */
function judgedJoins(data, shown) {
  const found = { all: 0, valid: 0, invalid: [], fitting: [] };
  const sides = shown.map((code) => (code === null ? null : sidesOf(data, code)));
  for (let square = 0; square < shown.length; square++) {
    for (const side of [1, 2]) {
      const next = neighbour(data, square, side);
      if (next === null) continue;
      found.all += 1;
      if (!sides[square] || !sides[next]) continue;
      const [here, there] = [sides[square][side], sides[next][side ^ 2]];
      const mate = data.kind === "jigsaw" ? -there : data.mates?.[there] ?? there;
      found[here !== 0 && here === mate ? "fitting" : "invalid"].push([square, side]);
    }
  }
  found.valid = found.fitting.length;
  return found;
}

function neighbour(data, square, side) {
  const [row, column] = placeOf(data, square);
  return squareAt(data, row + SIDES[side][0], column + SIDES[side][1]);
}

/** Frames around fixed pieces on their squares, and bars on invalid joins, as in the SVG pictures. */
function drawMarks(data, layer, shown, invalid) {
  const fixed = data.fixed.filter(([square, code]) => shown[square] === code).map(([square]) => square);
  const state = JSON.stringify([fixed, invalid]);
  if (layer.dataset.state === state) return;
  layer.dataset.state = state;
  layer.replaceChildren();
  const frame = { class: "fixed", fill: "none", width: data.cell, height: data.cell };
  for (const square of fixed) {
    for (const [stroke, width] of [["#fff", 13], ["#1c1c1c", 6]]) {
      placeAt(svgElement(layer, "rect", { ...frame, stroke, "stroke-width": width }), data, square);
    }
  }
  for (const [name, stroke, width] of [["casing", "#fff", 25], ["mismatch", "#d4101c", 13]]) {
    const style = { class: name, stroke, "stroke-width": width, "stroke-linecap": "round" };
    for (const [square, side] of invalid) svgElement(layer, "path", { ...style, d: barPath(data, square, side) });
  }
}

/** A line along a side, a little shorter than it; two where it is a join round ends that meet. */
function barPath(data, square, side) {
  const next = neighbour(data, square, side);
  const isRound = next !== null && (side === 1 || side === 2) && placeOf(data, next)[side === 1 ? 1 : 0] === 0;
  return sidePath(data, centreOf(data, square), side) + (isRound ? sidePath(data, centreBefore(data, next, side), side) : "");
}

/** Where the centre of a square would be whose right or lower side is the left or upper one of a square. */
function centreBefore(data, square, side) {
  const [x, y] = centreOf(data, square);
  return side === 1 ? [x - data.cell, y] : [x, y - data.cell];
}

function sidePath(data, [x, y], side) {
  const [half, [down, across]] = [0.38 * data.cell, SIDES[side]];
  return across ? `M${x + (across * data.cell) / 2} ${y - half}v${2 * half}` : `M${x - half} ${y + (down * data.cell) / 2}h${2 * half}`;
}

function describeSquare(data, index, square, before) {
  const code = data.solutions[index][square];
  const name = data.names[square];
  const depth = `depth ${data.order.indexOf(square) + 1} of the order`;
  if (code === null) return `${name}: empty; ${depth}.`;
  const [piece, rotation] = [pieceOf(data, code), rotationOf(data, code)];
  const sides = sidesOf(data, code).map((color) => data.words?.[color] ?? color).join(data.words ? ", " : " ");
  const here = `${name}: piece ${piece + 1}, rotation ${rotation}, sides ${sides} (up, right, down, left); ${depth}.`;
  return before === null ? here : `${here} ${elsewhere(data, before, piece, square, rotation)}`;
}

/** The place of a piece in the previously shown solution. */
function elsewhere(data, before, piece, square, rotation) {
  const there = data.solutions[before].findIndex((code) => code !== null && pieceOf(data, code) === piece);
  const where = `In ${data.word} ${before + 1}`;
  if (there < 0) return `${where} it is not on the board.`;
  const turn = rotationOf(data, data.solutions[before][there]);
  if (there === square) return turn === rotation ? `${where} it has the same place and rotation.` : `${where} its rotation is ${turn}.`;
  return `${where} it lies on ${data.names[there]}, rotation ${turn}.`;
}

/** For each kind of frame, a coloured one and the white one below it, hidden. */
function pictureFrames(make) {
  const frames = {};
  for (const [kind, width] of [["latest", 7], ["selected", 7]]) {
    const [under, over] = [make("under"), make(kind)];
    under.setAttribute("stroke-width", 2 * width);
    over.setAttribute("stroke-width", width);
    frames[kind] = [under, over];
    frames[kind].forEach((frame) => toggle(frame, false));
  }
  return frames;
}
