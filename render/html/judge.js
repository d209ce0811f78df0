// Whether a board is solved, and whether two boards are the same.  A board lists the numbers 4 * piece + rotation.

/** Whether every square is filled, every join fits, straight sides make the border, and fixed pieces are in place. */
function isSolved(data, shown) {
  if (shown.includes(null)) return false;
  const joins = judgedJoins(data, shown);
  const isInPlace = data.fixed.every(([square, code]) => shown[square] === code);
  return isInPlace && joins.valid === joins.all && shown.every((code, square) => hasBorder(data, code, square));
}

/** Whether the sides on the border are what the rim shows, straight unless said otherwise, and no others straight. */
function hasBorder(data, code, square) {
  const rim = data.rim ?? 0;
  return sidesOf(data, code).every((connector, side) =>
    neighbour(data, square, side) === null ? rim === "any" || connector === rim : connector !== 0);
}

/**
 * A key that two full boards share exactly if they are the same: the sides on their squares, in a canonical rotation
 * of the whole board unless pieces are fixed.
 */
function lookOf(data, shown) {
  if (data.moves) return movedLooks(data, shown).sort()[0];
  let board = { rows: data.rows, columns: data.columns, sides: shown.map((code) => sidesOf(data, code)) };
  const looks = [];
  for (let turn = 0; turn < (data.fixed.length ? 1 : 4); turn++) {
    if (board.rows === data.rows) looks.push(board.sides.join(";"));
    board = turnedBoard(board);
  }
  return looks.sort()[0];
}

/** The looks of a board after each of the given symmetries: a rotation, and where each square goes. */
function movedLooks(data, shown) {
  const sides = shown.map((code) => sidesOf(data, code));
  return data.moves.map(([rotation, targets]) => {
    const moved = [];
    sides.forEach((own, square) => {
      moved[targets[square]] = [0, 1, 2, 3].map((side) => own[(side - rotation + 4) % 4]);
    });
    return moved.join(";");
  });
}

/** A board after a quarter turn clockwise: its first row is the first column, from the bottom. */
function turnedBoard({ rows, columns, sides }) {
  const turned = [];
  for (let column = 0; column < columns; column++) {
    for (let row = rows - 1; row >= 0; row--) {
      const [up, right, down, left] = sides[row * columns + column];
      turned.push([left, up, right, down]);
    }
  }
  return { rows: columns, columns: rows, sides: turned };
}
