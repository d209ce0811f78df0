// Whether a board is solved, and whether two boards are the same.  A board lists the numbers of placed pieces.

/** Whether every square is filled, every join fits, straight sides make the border, and fixed pieces are in place. */
function isSolved(data, shown) {
  if (shown.includes(null)) return false;
  const joins = judgedJoins(data, shown);
  const isInPlace = data.fixed.every(([square, code]) => shown[square] === code);
  return isInPlace && joins.valid === joins.all && shown.every((code, square) => hasBorder(data, code, square));
}

/** Whether the sides on the border are what the rim shows, straight unless said otherwise, and no others straight. */
function hasBorder(data, code, square) {
  return sidesOf(data, code).every((connector, side) => sideFits(data, connector, neighbour(data, square, side) === null));
}

/** Whether a side may lie on the border, or inside. */
function sideFits({ rim = 0 }, connector, isOnBorder) {
  return isOnBorder ? rim === "any" || connector === rim : connector !== 0;
}

/** The sides of placed pieces that may not lie where they are, on the border or beside an empty square. */
function wrongSides(data, shown) {
  return shown.flatMap((code, square) => (code === null ? [] : sidesOf(data, code).flatMap((connector, side) => {
    const next = neighbour(data, square, side);
    // A join with another piece is judged as a join.
    const isJudged = next !== null && shown[next] !== null;
    return isJudged || sideFits(data, connector, next === null) ? [] : [[square, side]];
  })));
}

/** A key that two full boards share exactly if a symmetry carries one to the other, by the sides on their squares. */
function lookOf(data, shown) {
  return data.moves.map((move) => movedSides(data, shown, move).join(";")).sort()[0];
}

/** The sides on each square after a symmetry: a rotation, and where each square goes; null for an empty square. */
function movedSides(data, shown, [rotation, targets]) {
  const moved = [];
  shown.forEach((code, square) => {
    moved[targets[square]] = code === null ? null : turnedSides(sidesOf(data, code), rotation);
  });
  return moved;
}
