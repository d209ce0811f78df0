// The words of the page of a graph of tilings.  Without clusters all moves are of one kind, whose name is left out.

/** Pieces by the numbers that they have in the puzzle: piece 3, pieces 1+2, 4 where 1 and 2 are taken as one. */
function piecesInWords(data, pieces) {
  const names = pieces.map((piece) => data.pieces[piece]).join(", ");
  return `${/^\d+$/.test(names) ? "piece" : "pieces"} ${names}`;
}

/** What a move does: its kind, its pieces, and how they move. */
function moveInWords(data, kind, parts) {
  const pieces = piecesInWords(data, parts.flatMap(([some]) => some).sort((p, q) => p - q));
  const way = parts.length > 1 ? "exchanged" : parts[0][1] ? "turned over" : "turned";
  const move = data.clusters.length ? `${data.kinds[kind]} move` : "move";
  return `A ${move}: ${pieces} ${pieces.startsWith("pieces") ? "are" : "is"} ${way}, up to symmetry.`;
}

function choiceInWords(data, kind, tiling) {
  return `to tiling ${tiling + 1}${data.clusters.length ? `, ${data.kinds[kind]}` : ""}`;
}

/** The number of moves of a kind. */
function kindInWords(data, kind, number) {
  return data.clusters.length ? `${grouped(number)} ${data.kinds[kind]}` : counted(number, "move");
}
