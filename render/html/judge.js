// Whether a board is solved, and whether two boards are the same.  A board lists the numbers 4 * piece + rotation.

/** Whether every square is filled, every join fits, straight sides make the border, and fixed pieces are in place. */
function isSolved(data, shown) {
  if (shown.includes(null)) return false;
  const joins = judgedJoins(data, shown);
  const isInPlace = data.fixed.every(([square, code]) => shown[square] === code);
  return isInPlace && joins.valid === joins.all && shown.every((code, square) => hasBorder(data, code, square));
}

/** Whether exactly the sides on the border are straight. */
function hasBorder(data, code, square) {
  return sidesOf(data, code).every((connector, side) => (connector === 0) === (neighbour(data, square, side) === null));
}

/**
 * A key that two full boards share exactly if they are the same: the sides on their squares, in a canonical rotation
 * of the whole board unless pieces are fixed.
 */
function lookOf(data, shown) {
  let board = { rows: data.rows, columns: data.columns, sides: shown.map((code) => sidesOf(data, code)) };
  const looks = [];
  for (let turn = 0; turn < (data.fixed.length ? 1 : 4); turn++) {
    if (board.rows === data.rows) looks.push(board.sides.join(";"));
    board = turnedBoard(board);
  }
  return looks.sort()[0];
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
