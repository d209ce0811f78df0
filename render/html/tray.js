// The table of a dissection: the target at the left or at the top, and a tray for the pieces.  Places are relative to
// the upper left corner of the target's bounding box.

// The distance of the target and of pieces from the edge of the table, and between pieces in the tray.
const MARGIN = 36, GAP = 12;
// How many widths of the tray are tried, and how many deals.
const WIDTHS = 24, DEALS = 20;

/** The bounding box of a piece at a place, relative to its origin. */
function boxOf(data, piece, { turn, flip }) {
  const corners = cornersAt(data, piece, { x: 0, y: 0, turn, flip });
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Boxes in rows of a width, the highest first: the upper left corner of each, and the height of all. */
function shelved(boxes, width) {
  const corners = [];
  const order = boxes.map((_, number) => number).sort((one, other) => boxes[other].height - boxes[one].height || one - other);
  let [x, y, row] = [0, 0, 0];
  for (const number of order) {
    const box = boxes[number];
    if (x > 0 && x + box.width > width) [x, y, row] = [0, y + row + GAP, 0];
    corners[number] = { x, y };
    x += box.width + GAP;
    row = Math.max(row, box.height);
  }
  return { corners, height: y + row };
}

function dealBoxes(data, deal, by = 0) {
  return deal.map(([piece, turn, flip]) => boxOf(data, piece, { turn: turn + by, flip }));
}

/** The turn nearest to a right angle that is a number of steps. */
function quarter(data) {
  return Math.round(90 / data.step) * data.step;
}

/** The sizes of the table that give the largest scale, with room for the pieces of a deal, also after a quarter turn. */
function tableOf(data, deal, room) {
  const [across, down] = data.size;
  const both = [dealBoxes(data, deal), dealBoxes(data, deal, quarter(data))];
  const least = Math.max(...both.flat().map(({ width }) => width));
  const most = both[0].reduce((sum, { width }) => sum + width + GAP, 0);
  let best = null;
  for (let number = 0; number <= WIDTHS; number++) {
    const width = least * (Math.max(most, least) / least) ** (number / WIDTHS);
    const height = Math.max(...both.map((boxes) => shelved(boxes, width + 1e-9).height));
    for (const wide of [true, false]) {
      const layout = wide
        ? { wide, width: across + width + 3 * MARGIN, height: Math.max(down, height) + 2 * MARGIN }
        : { wide, width: Math.max(across, width) + 2 * MARGIN, height: down + height + 3 * MARGIN };
      layout.scale = Math.min(room.width / layout.width, room.height / layout.height);
      if (!best || layout.scale > best.scale * 1.001) best = layout;
    }
  }
  return withTray(best, across, down, room);
}

/** The table with the rest of the room, and where the target and the tray are. */
function withTray({ wide, scale, ...least }, across, down, room) {
  const [width, height] = [Math.max(least.width, room.width / scale), Math.max(least.height, room.height / scale)];
  const board = { width: across, height: down, x: wide ? MARGIN : (width - across) / 2, y: wide ? (height - down) / 2 : MARGIN };
  const [left, top] = wide ? [across + 2 * MARGIN, MARGIN] : [MARGIN, down + 2 * MARGIN];
  return { wide, width, height, board, tray: { x: left, y: top, width: width - MARGIN - left, height: height - MARGIN - top } };
}

/** The pieces in the order of the tray, each with a turn and a side: of several deals the one that needs least room. */
function newDeal(data, { tray }, chance) {
  const height = (deal) => shelved(dealBoxes(data, deal), tray.width + 1e-9).height;
  const deals = Array.from({ length: DEALS }, () => randomDeal(data, chance));
  return deals.reduce((best, deal) => (height(best) <= tray.height || height(best) <= height(deal) ? best : deal));
}

function randomDeal(data, chance) {
  const deal = data.pieces.map((_, piece) => [piece, data.step * chance(360 / data.step), data.flips[piece] && chance(2) === 1]);
  for (let last = deal.length - 1; last > 0; last--) {
    const other = chance(last + 1);
    [deal[last], deal[other]] = [deal[other], deal[last]];
  }
  return deal;
}

/** All pieces in the tray. */
function strewn(data, layout, deal) {
  const places = [];
  for (const [piece, turn, flip] of deal) places[piece] = { x: 0, y: 0, turn, flip };
  return inTray(data, layout, places, deal.map(([piece]) => piece));
}

/** The pieces beside the target in rows in the tray. */
function tidied(data, layout, places) {
  return inTray(data, layout, places, places.map((_, piece) => piece).filter((piece) => isLoose(data, piece, places[piece])));
}

/** These pieces in rows in the tray; where they need more room they overlap. */
function inTray(data, { board, tray }, places, pieces) {
  const boxes = pieces.map((piece) => boxOf(data, piece, places[piece]));
  const { corners, height } = shelved(boxes, tray.width + 1e-9);
  const squeeze = Math.min(1, tray.height / Math.max(height, 1));
  const laid = [...places];
  pieces.forEach((piece, number) => {
    const x = tray.x - board.x + corners[number].x - boxes[number].left;
    const y = tray.y - board.y + corners[number].y * squeeze - boxes[number].top;
    laid[piece] = keptOn({ board, tray }, boxes[number], { ...places[piece], x, y });
  });
  return laid;
}

/** The place moved so that a piece with that bounding box ends before the far ends of the tray. */
function keptOn({ board, tray }, box, place) {
  const [right, bottom] = [tray.x + tray.width - board.x, tray.y + tray.height - board.y];
  return { ...place, x: Math.min(place.x, right - box.left - box.width), y: Math.min(place.y, bottom - box.top - box.height) };
}
