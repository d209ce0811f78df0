// The effect of moves on the places of all pieces.  A place is {square, turn, flip} or {x, y, turn, flip}; turns count
// clockwise quarter turns, also beyond four, so that a piece never spins back.  A piece with `flip` is turned over first.
// Moves return new lists and keep the old ones, or null if they are impossible.

function withPlace(places, piece, place) {
  return places.map((old, number) => (number === piece ? place : old));
}

/** Whether a piece is fixed on its square. */
function isLocked(data, piece) {
  return data.fixed.some(([, code]) => pieceOf(data, code) === piece);
}

/** The places after turning a piece. */
function turnedBy(data, places, piece, by) {
  if (data.still?.[piece] || isLocked(data, piece)) return null;
  return withPlace(places, piece, { ...places[piece], turn: places[piece].turn + by });
}

/** The places after turning a piece over as it is seen: its left becomes its right. */
function turnedOver(data, places, piece) {
  if (!data.flips?.[piece] || isLocked(data, piece)) return null;
  const { turn, flip, ...at } = places[piece];
  return withPlace(places, piece, { ...at, turn: -turn, flip: !flip });
}

/** A piece moved onto a square; the piece on that square goes to the old place. */
function placedOn(data, places, piece, square) {
  if (isLocked(data, piece) || data.fixed.some(([fixed]) => fixed === square)) return null;
  const { turn, flip, ...from } = places[piece];
  return places.map((place, number) => {
    if (number === piece) return { square, turn, flip };
    return place.square === square ? { ...from, turn: place.turn, flip: place.flip } : place;
  });
}

/** The number of the piece on each square, or null. */
function codesOn(data, places) {
  const codes = new Array(data.names.length).fill(null);
  places.forEach((place, piece) => {
    if (place.square !== undefined) codes[place.square] = codeOf(data, piece, place);
  });
  return codes;
}

/** All pieces except the fixed ones, scattered over the tray. */
function strewn(data, layout, deal) {
  const points = trayPoints(layout);
  const places = [];
  deal.forEach(([piece, turn, across, down, flip = false], number) => {
    const { x, y } = points[Math.floor((number * points.length) / deal.length)];
    places[piece] = { ...keptInside(layout, { x: x + across, y: y + down }, data.cell), turn, flip };
  });
  for (const [square, code] of data.fixed) places[pieceOf(data, code)] = { square, ...lyingAs(data, code) };
  return places;
}

/** A deal like that of the new page: for each place a piece, its turn, and its offset from the place's centre. */
function newDeal(data, chance) {
  const deal = data.deal.map((_, piece) => {
    const turn = chance(4);
    const flip = Boolean(data.flips?.[piece]) && chance(2) === 1;
    return [piece, data.still?.[piece] ? 0 : turn, chance(17) - 8, chance(17) - 8, flip];
  });
  for (let last = deal.length - 1; last > 0; last--) {
    const other = chance(last + 1);
    [deal[last], deal[other]] = [deal[other], deal[last]];
  }
  return deal;
}

/** The pieces that are not on the board, in rows in the tray. */
function tidied(data, layout, places) {
  const points = trayPoints(layout).map((point) => keptInside(layout, point, data.cell)).values();
  return places.map((place) => (place.square === undefined ? { ...place, ...points.next().value } : place));
}

/** The pieces of a board on their squares, and the other pieces in the tray. */
function assembled(data, layout, places, codes) {
  const laid = places.map(({ turn, flip }) => ({ x: 0, y: 0, turn, flip }));
  const all = [...codes.entries(), ...data.fixed];
  all.forEach(([square, code]) => {
    if (code === null) return;
    const piece = pieceOf(data, code);
    const { turn, flip } = lyingAs(data, code);
    laid[piece] = { square, turn: nearestTurn(laid[piece].turn, turn), flip };
  });
  return tidied(data, layout, laid);
}

/** The turn nearest to a given one that shows a certain rotation. */
function nearestTurn(turn, rotation) {
  const by = (rotation - turn) & 3;
  return turn + (by === 3 ? -1 : by);
}

/** A piece moved from the board to the first free point in the tray. */
function takenOff(data, layout, places, piece) {
  if (isLocked(data, piece)) return null;
  const points = trayPoints(layout).map((point) => keptInside(layout, point, data.cell));
  const isFree = ({ x, y }) => !places.some((place) => Math.hypot(place.x - x, place.y - y) < data.cell * 0.7);
  const { turn, flip } = places[piece];
  return withPlace(places, piece, { ...(points.find(isFree) ?? points[0]), turn, flip });
}

/** A piece moved by a square to a side, or from the tray onto the first free square. */
function stepped(data, places, piece, side) {
  const { square } = places[piece];
  const free = codesOn(data, places).indexOf(null);
  const target = square === undefined ? (free < 0 ? null : free) : neighbour(data, square, side);
  return target === null ? null : placedOn(data, places, piece, target);
}
