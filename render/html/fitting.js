// Where the pieces of a dissection lie, and whether they fit: on the target, and not on each other.
//
// A place {x, y, turn, flip} turns a piece over, then by degrees clockwise about its origin, then moves it.  Polygons
// are lists of points [x, y], and have their inside at the right hand of their edges on the screen.

// Lengths on the page are integers or rounded: an overlap, and a distance of corners that are the same.
const OVERLAP = 0.6, SAME = 1.5;

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

function overlap(parts, others) {
  return parts.some((part) => others.some((other) => depth(part, other) > OVERLAP));
}

/** Whether convex parts lie on the target: in its hull, and not on its pockets and holes. */
function isOnTarget(data, parts) {
  const edges = edgesOf(data.hull);
  const isInHull = (point) => edges.every((edge) => inside(edge, point) > -OVERLAP);
  return parts.every((part) => part.every(isInHull)) && !overlap(parts, data.pockets);
}

/** Whether a piece is beside the target. */
function isLoose(data, piece, place) {
  return !overlap(partsAt(data, piece, place), [data.hull]);
}

/** For each piece whether it lies on the target and on no other piece. */
function fitting(data, places) {
  const parts = places.map((place, piece) => partsAt(data, piece, place));
  const onTarget = parts.map((own) => isOnTarget(data, own));
  return parts.map((own, piece) => onTarget[piece] && parts.every((other, number) => number === piece || !overlap(own, other)));
}

/** Whether the pieces fill the target: all fit, and the areas are the same. */
function isSolved(data, places) {
  return fitting(data, places).every(Boolean);
}

/** Whether two tilings are the same up to a symmetry of the target and the exchange of equal pieces. */
function isSameTiling(data, one, other) {
  const polygons = other.map((place, piece) => cornersAt(data, piece, place));
  const own = one.map((place, piece) => cornersAt(data, piece, place));
  return data.symmetries.some(([a, b, c, d, e, f]) => own.every((polygon) => {
    const image = polygon.map(([x, y]) => [a * x + b * y + e, c * x + d * y + f]);
    return polygons.some((other) => isSamePolygon(image, other));
  }));
}

function isSamePolygon(one, other) {
  const isNear = ([x, y]) => other.some(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) < SAME);
  return one.length === other.length && one.every(isNear);
}
