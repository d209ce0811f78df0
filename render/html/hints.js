// Hints from the solutions that a page knows (`data.boards`); `data.complete` says whether they are all.

/**
 * The next piece of a solution with the pieces on the board: the `places` after it, the solution (`board`) and `words`;
 * or in words why no piece is laid, and the pieces that the nearest solution has elsewhere (`wrong`).
 */
function hintFor(data, places) {
  const codes = codesOn(data, places);
  const placed = codes.filter((code) => code !== null).length;
  const near = nearestSolution(data, codes);
  if (near === null) return { words: data.complete ? "This puzzle has no solution" : "The page knows no solution" };
  if (near.agreed < placed) return { words: wrongWords(data, placed, near.agreed), wrong: near.wrong };
  const square = nextSquare(data, codes);
  if (square === null) return { words: "All squares are filled" };
  for (const [piece, place] of places.entries()) {
    const lying = place.square === undefined && lyingWith(data, piece, place, near.sides[square]);
    if (!lying) continue;
    const words = `Piece ${piece + 1} can lie on ${data.names[square]}`;
    return { places: withPlace(places, piece, { square, ...lying }), board: near.board, words };
  }
  return { words: "No loose piece fits there" };
}

function wrongWords(data, placed, agreed) {
  const away = `take the ${counted(placed - agreed, "marked piece")} off to go on from one`;
  const all = data.boards.length;
  if (data.complete) return `No solution has these pieces on these squares: ${away}`;
  return `The page knows ${all === 1 ? "one solution" : `${grouped(all)} solutions`}, but none with these pieces on these squares: ${away}`;
}

/** The image of a known solution that shows the same as the board on most squares; null if none is known. */
function nearestSolution(data, codes) {
  const laid = codes.map((code) => (code === null ? null : sidesOf(data, code).join()));
  let best = null;
  for (const board of data.boards) {
    for (const move of data.moves) {
      const sides = movedSides(data, board, move);
      const differs = laid.flatMap((text, square) => (text !== null && text !== sides[square].join() ? [square] : []));
      const agreed = laid.filter((text) => text !== null).length - differs.length;
      if (best && agreed <= best.agreed) continue;
      best = { board, sides, agreed, wrong: differs.map((square) => pieceOf(data, codes[square])) };
    }
  }
  return best;
}

/** The empty square with the most filled neighbours, and of these the first one; null if all are filled. */
function nextSquare(data, codes) {
  const filled = (square) => [0, 1, 2, 3].filter((side) => (codes[neighbour(data, square, side)] ?? null) !== null).length;
  const empty = codes.flatMap((code, square) => (code === null ? [square] : []));
  return empty.reduce((best, square) => (best === null || filled(square) > filled(best) ? square : best), null);
}

/** How a piece lies if it shows these sides; null if it cannot. */
function lyingWith(data, piece, { turn }, sides) {
  for (const flip of data.flips?.[piece] ? [false, true] : [false]) {
    for (const rotation of data.still?.[piece] ? [0] : [0, 1, 2, 3]) {
      const shown = turnedSides(data.pieces[piece], rotation + 4 * Number(flip));
      if (shown.join() === sides.join()) return { turn: nearestTurn(turn, rotation), flip };
    }
  }
  return null;
}
