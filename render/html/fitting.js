// Where the pieces of a dissection lie, and whether they fit: on the target, and not on each other.
//
// A place {x, y, turn, flip} turns a piece over, then by degrees clockwise about its origin, then moves it.  Polygons
// are lists of points [x, y], and have their inside at the right hand of their edges on the screen.  Lengths are rounded:
// overlaps up to `data.tolerance` do not count.

/** The points of a polygon at a place. */
function pointsAt(points, { x, y, turn, flip }) {
  const [cosine, sine] = direction(turn);
  const image = points.map(([px, py]) => {
    const across = flip ? -px : px;
    return [x + cosine * across - sine * py, y + sine * across + cosine * py];
  });
  return flip ? image.reverse() : image;
}

/** The cosine and the sine of an angle in degrees, exact for right angles. */
function direction(degrees) {
  const quarters = degrees / 90;
  if (Number.isInteger(quarters)) return [[1, 0], [0, 1], [-1, 0], [0, -1]][((quarters % 4) + 4) % 4];
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
}

function cornersAt(data, piece, place) {
  return pointsAt(data.pieces[piece], place);
}

/** The convex parts of a piece at a place. */
function partsAt(data, piece, place) {
  return data.parts[piece].map((part) => pointsAt(part, place));
}

function edgesOf(polygon) {
  return polygon.map((corner, number) => [corner, polygon[(number + 1) % polygon.length]]);
}

/** How far a point lies inside of the line through an edge. */
function inside([[x, y], [toX, toY]], [px, py]) {
  return ((toX - x) * (py - y) - (toY - y) * (px - x)) / Math.hypot(toX - x, toY - y);
}

/** How deep two convex polygons lie in each other: the least over their edges.  It is 0 or less if they are apart. */
function depth(one, other) {
  let least = Infinity;
  for (const [polygon, points] of [[one, other], [other, one]]) {
    for (const edge of edgesOf(polygon)) {
      least = Math.min(least, Math.max(...points.map((point) => inside(edge, point))));
      if (least <= 0) return least;
    }
  }
  return least;
}

function overlap({ tolerance }, parts, others) {
  return parts.some((part) => others.some((other) => depth(part, other) > tolerance));
}

/** Whether convex parts lie on the target: in its hull, and not on its pockets and holes. */
function isOnTarget(data, parts) {
  const edges = edgesOf(data.hull);
  const isInHull = (point) => edges.every((edge) => inside(edge, point) > -data.tolerance);
  return parts.every((part) => part.every(isInHull)) && !overlap(data, parts, data.pockets);
}

/** Whether a piece is beside the target. */
function isLoose(data, piece, place) {
  return !overlap(data, partsAt(data, piece, place), [data.hull]);
}

/** For each piece whether it lies on the target and on no other piece. */
function fitting(data, places) {
  const parts = places.map((place, piece) => partsAt(data, piece, place));
  const onTarget = parts.map((own) => isOnTarget(data, own));
  return parts.map((own, piece) => onTarget[piece] && parts.every((other, number) => number === piece || !overlap(data, own, other)));
}

/** The pieces on the target that overlap another one there. */
function clashing(data, places) {
  const parts = places.map((place, piece) => (isLoose(data, piece, place) ? [] : partsAt(data, piece, place)));
  const isClashing = (own, piece) => parts.some((other, number) => number !== piece && overlap(data, own, other));
  return parts.flatMap((own, piece) => (isClashing(own, piece) ? [piece] : []));
}

/** Whether the pieces fill the target: all fit, and the areas are the same. */
function isSolved(data, places) {
  return fitting(data, places).every(Boolean);
}

/** The distance within which corners are the same: overlaps that do not count can add up. */
function sameDistance({ tolerance }) {
  return 2.5 * tolerance;
}

/** Whether two tilings are the same up to a symmetry of the target and the exchange of equal pieces. */
function isSameTiling(data, one, other) {
  const polygons = other.map((place, piece) => cornersAt(data, piece, place));
  const own = one.map((place, piece) => cornersAt(data, piece, place));
  return data.symmetries.some(([a, b, c, d, e, f]) => own.every((polygon) => {
    const image = polygon.map(([x, y]) => [a * x + b * y + e, c * x + d * y + f]);
    return polygons.some((other) => isSamePolygon(image, other, sameDistance(data)));
  }));
}

function isSamePolygon(one, other, near) {
  const isNear = ([x, y]) => other.some(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) < near);
  return one.length === other.length && one.every(isNear);
}
