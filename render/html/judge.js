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
  const rim = data.rim ?? 0;
  return sidesOf(data, code).every((connector, side) =>
    neighbour(data, square, side) === null ? rim === "any" || connector === rim : connector !== 0);
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
