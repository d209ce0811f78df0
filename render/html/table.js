// Places on the table.  A point is the centre of a piece, whose sides are `data.cell` long.

// The distance of squares and pieces from the edge of the table; tabs may stick out this far.
const MARGIN = 36;

/**
 * Sizes of the table: the board at the left or at the top, and a tray for `number` pieces next to it or below it,
 * whichever gives the larger scale.  The tray is the area of the centres of pieces.
 *
 * `room` holds the available width and height, and the least distance of pieces in the tray (`pitch`).
 */
function tableLayout(data, number, room) {
  const board = { width: data.cell * data.columns, height: data.cell * data.rows };
  const edge = MARGIN + data.cell / 2;
  const sizes = (across, along, ratio) => grown(across + 2 * MARGIN, along + MARGIN, number, edge, room.pitch, ratio);
  const [wideHeight] = sizes(board.height, board.width, room.width / room.height);
  const [tallWidth, tallHeight] = sizes(board.width, board.height, room.height / room.width);
  const wideWidth = (wideHeight * room.width) / room.height;
  const wide = wideWidth <= tallWidth;
  const [width, height] = wide ? [wideWidth, wideHeight] : [tallWidth, tallHeight];
  const x = wide ? MARGIN : (width - board.width) / 2;
  const y = wide ? (height - board.height) / 2 : MARGIN;
  const left = wide ? x + board.width + edge : edge;
  const top = wide ? edge : y + board.height + edge;
  const tray = { x: left, y: top, width: width - edge - left, height: height - edge - top };
  return { wide, width, height, board: { x, y, ...board }, tray, pitch: room.pitch };
}

/** The size of a table across and along the line from board to tray, with at most the given ratio. */
function grown(least, boardEnd, number, edge, pitch, ratio) {
  for (let across = least; ; across += 10) {
    const lines = Math.ceil(number / (1 + Math.floor((across - 2 * edge) / pitch)));
    const along = boardEnd + 2 * edge + (lines - 1) * pitch;
    if (along <= across * ratio) return [across, along];
  }
}

/** The centres of the places in the tray, row by row. */
function trayPoints({ tray, pitch }) {
  const [columns, rows] = [tray.width, tray.height].map((length) => 1 + Math.floor(length / pitch + 1e-9));
  const along = (place, places, start, length) => start + (places > 1 ? (place / (places - 1)) * length : length / 2);
  const point = (_, place) => ({
    x: along(place % columns, columns, tray.x, tray.width),
    y: along(Math.floor(place / columns), rows, tray.y, tray.height),
  });
  return Array.from({ length: columns * rows }, point);
}

/** The nearest point at which a piece with all its tabs lies on the table. */
function keptInside(layout, { x, y }, cell) {
  const edge = MARGIN + cell / 2;
  const kept = (value, length) => Math.min(Math.max(value, edge), length - edge);
  return { x: kept(x, layout.width), y: kept(y, layout.height) };
}

function squarePoint(data, { board }, square) {
  const [x, y] = centreOf(data, square);
  return { x: board.x + x, y: board.y + y };
}

/** The square that a piece at a point snaps into: the nearest one, unless the point is well off the board. */
function squareNear(data, { board }, { x, y }) {
  const [column, row] = [(x - board.x) / data.cell, (y - board.y) / data.cell];
  const isNear = (place, length) => place > -0.3 && place < length + 0.3;
  if (!isNear(column, data.columns) || !isNear(row, data.rows)) return null;
  const kept = (place, length) => Math.min(Math.max(Math.floor(place), 0), length - 1);
  return squareAt(data, kept(row, data.rows), kept(column, data.columns));
}
