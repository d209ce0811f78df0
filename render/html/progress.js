// The progress of a jigsaw that outlasts the page: the places of the pieces, and the keys of boards found and shown.

function keepProgress(data, layout, { places, found, shown }) {
  const kept = {
    version: 1, width: layout.width, height: layout.height,
    places: places.map(({ square = null, x, y, turn, flip }) => [square, turn, x, y, Number(flip)]),
    found: [...found], shown: [...shown],
  };
  store(data.key, kept);
}

/** What was kept for this page, or null: places for this layout, and the sets of solutions found and shown. */
function keptProgress(data, layout) {
  return stored(data.key, (kept) => {
    const places = kept.version === 1 ? keptPlaces(data, layout, kept) : null;
    const texts = (list) => new Set(list.filter((text) => typeof text === "string"));
    return places && { places, found: texts(kept.found), shown: texts(kept.shown) };
  });
}

/** The places, if they are possible: one for each piece, and no two on a square. */
function keptPlaces(data, layout, { width, height, places }) {
  const squares = places.map(([square]) => square).filter((square) => square !== null);
  const isSquare = (square) => Number.isInteger(square) && square >= 0 && square < data.names.length;
  const isSound = places.length === data.pieces.length && places.every(([, turn]) => Number.isInteger(turn));
  if (!isSound || !squares.every(isSquare) || new Set(squares).size < squares.length) return null;
  const found = places.map(([square, turn, x, y, over], piece) => {
    const flip = Boolean(over && data.flips?.[piece]);
    if (square !== null) return { square, turn, flip };
    return { ...keptInside(layout, { x: Number(x), y: Number(y) }, data.cell), turn, flip };
  });
  return width === layout.width && height === layout.height ? found : tidied(data, layout, found);
}
