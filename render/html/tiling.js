// The picture of a tiling: each piece has a placement, which consists of points and the place and size of its number.

/** The operations on the picture of a tiling: the same as on that of a board. */
function tilingPicture(data) {
  const pieces = tilingPieces(data);
  const frames = pictureFrames((kind) => svgElement(byId("frames"), "polygon", { class: `frame ${kind}` }));
  const pointsOf = (index, piece) => data.placements[data.solutions[index][piece]][0];
  let current = 0;
  return {
    order: (index) => data.orders[index],
    end: (index) => data.orders[index].length,
    show(index, depth) {
      current = index;
      const laid = new Set(data.orders[index].slice(0, depth));
      pieces.forEach((piece, number) => setPiece(piece, data, data.solutions[index][number], laid.has(number)));
      return `${laid.size} of ${counted(pieces.length, "piece")}`;
    },
    compare(index, before, depth) {
      const differs = (piece) => before !== null && data.solutions[index][piece] !== data.solutions[before][piece];
      const shown = new Set(data.orders[index].slice(0, depth));
      pieces.forEach((piece, number) => {
        toggle(piece.veil, before !== null && shown.has(number) && !differs(number));
        piece.veil.setAttribute("points", pointsOf(index, number));
      });
      return data.orders[index].filter(differs).length;
    },
    frame(kind, piece) {
      frames[kind].forEach((frame, level) => {
        toggle(frame, piece !== null);
        frame.setAttribute("stroke-width", level ? 4 : 9);
        if (piece !== null) frame.setAttribute("points", pointsOf(current, piece));
      });
    },
    problems: (index) => data.problems[index] ?? [],
    itemName: () => "",
    noun: "piece",
    describe(index, piece, before) {
      const laid = `${data.titles[piece]}; placed as number ${data.orders[index].indexOf(piece) + 1}.`;
      const here = laid[0].toUpperCase() + laid.slice(1);
      if (before === null) return here;
      const same = data.solutions[index][piece] === data.solutions[before][piece];
      return `${here} In ${data.word} ${before + 1} it has ${same ? "the same" : "another"} place.`;
    },
    pickable: pieces.map((piece) => piece.shape),
    beside: (piece, side) => nextNumber(data, piece, side),
  };
}

/** The piece with the next number for keys to the right or down, with the previous one for the others. */
function nextNumber(data, piece, side) {
  const by = side === 1 || side === 2 ? 1 : -1;
  return Math.min(Math.max(piece + by, 0), data.fills.length - 1);
}

/** The elements of each piece. */
function tilingPieces(data) {
  return data.fills.map((fill, number) => ({
    placement: null,
    shape: svgElement(byId("pieces"), "polygon", { fill, class: "piece" }),
    number: svgElement(byId("numbers"), "text", {}, String(number + 1)),
    veil: svgElement(byId("veils"), "polygon", { class: "veil", visibility: "hidden" }),
  }));
}

function setPiece(piece, data, placement, visible) {
  toggle(piece.shape, visible);
  toggle(piece.number, visible);
  if (piece.placement === placement) return;
  piece.placement = placement;
  const [points, x, y, size] = data.placements[placement];
  piece.shape.setAttribute("points", points);
  const place = { x, y, "font-size": size, "stroke-width": size / 6 };
  for (const [name, value] of Object.entries(place)) piece.number.setAttribute(name, value);
}
