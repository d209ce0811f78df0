// The effect of moves on the places of all pieces.  A place is {square, turn} or {x, y, turn}; turns count clockwise
// quarter turns, also beyond four, so that a piece never spins back.  Moves return new lists and keep the old ones.

function withPlace(places, piece, place) {
  return places.map((old, number) => (number === piece ? place : old));
}

/** The places after turning a piece; null if it may not be turned. */
function turnedBy(data, places, piece, by) {
  if (data.still?.[piece]) return null;
  return withPlace(places, piece, { ...places[piece], turn: places[piece].turn + by });
}

/** A piece moved onto a square; the piece on that square goes to the old place. */
function placedOn(places, piece, square) {
  const { turn: _, ...from } = places[piece];
  return places.map((place, number) => {
    if (number === piece) return { square, turn: place.turn };
    return place.square === square ? { ...from, turn: place.turn } : place;
  });
}

/** The number on each square: 4 * piece + rotation, or null. */
function codesOn(data, places) {
  const codes = new Array(data.names.length).fill(null);
  places.forEach(({ square, turn }, piece) => {
    if (square !== undefined) codes[square] = 4 * piece + (turn & 3);
  });
  return codes;
}

/** All pieces except the fixed ones, scattered over the tray. */
function strewn(data, layout, deal) {
  const points = trayPoints(layout);
  const places = [];
  deal.forEach(([piece, turn, across, down], number) => {
    const { x, y } = points[Math.floor((number * points.length) / deal.length)];
    places[piece] = { ...keptInside(layout, { x: x + across, y: y + down }, data.cell), turn };
  });
  for (const [square, code] of data.fixed) places[code >> 2] = { square, turn: code & 3 };
  return places;
}

/** A deal like that of the new page: for each place a piece, its turn, and its offset from the place's centre. */
function newDeal(data, chance) {
  const deal = data.deal.map((_, piece) => {
    const turn = chance(4);
    return [piece, data.still?.[piece] ? 0 : turn, chance(17) - 8, chance(17) - 8];
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
  return places.map((place) => (place.square === undefined ? { ...points.next().value, turn: place.turn } : place));
}

/** The pieces of a board on their squares, and the other pieces in the tray. */
function assembled(data, layout, places, codes) {
  const laid = places.map((place, piece) => {
    const square = codes.findIndex((code) => code >> 2 === piece);
    if (square < 0) return { x: 0, y: 0, turn: place.turn };
    return { square, turn: nearestTurn(place.turn, codes[square] & 3) };
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
  const points = trayPoints(layout).map((point) => keptInside(layout, point, data.cell));
  const isFree = ({ x, y }) => !places.some((place) => Math.hypot(place.x - x, place.y - y) < data.cell * 0.7);
  return withPlace(places, piece, { ...(points.find(isFree) ?? points[0]), turn: places[piece].turn });
}

/** A piece moved by a square to a side, or from the tray onto the first free square; null if that is impossible. */
function stepped(data, places, piece, side) {
  const { square } = places[piece];
  const free = codesOn(data, places).indexOf(null);
  const target = square === undefined ? (free < 0 ? null : free) : neighbour(data, square, side);
  return target === null ? null : placedOn(places, piece, target);
}
