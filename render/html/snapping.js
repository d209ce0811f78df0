// How a piece snaps near the target, in the motions that the search knows too: on the lattice from point to point, and
// otherwise with an edge along an edge and corner on corner.

// The largest turn in degrees by which a piece snaps: just over half of the least step, so that every angle is reached.
const ALMOST = 7.51;
// A step by keys in units of the page, and within which distance a piece snaps after a turn or a step: less than a step,
// so that it can go on, and more than half of the diagonal, so that every point is reached.
const STEP = 8, CLOSE = 6;
// How much of the distance `near` an edge along an edge or a corner on a corner weighs, and an overlap.
const TOUCH = 0.7, CLASH = 1.5;
// Up to which distance corners and edges that meet are off each other because of rounding.
const EXACT = 1e-4;

/** The place into which a piece snaps that is dropped at a place; the place itself if nothing is within `near`. */
function snapped(data, places, piece, place, near) {
  if (!isNearTarget(data, cornersAt(data, piece, place), near)) return place;
  return data.lattice ? snappedToLattice(data, places, piece, place, near) : snappedToEdges(data, places, piece, place, near);
}

function isNearTarget(data, corners, near) {
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  const isAbreast = (values, length) => Math.max(...values) > -near && Math.min(...values) < length + near;
  return isAbreast(xs, data.size[0]) && isAbreast(ys, data.size[1]);
}

/** The corners of the target, of its holes, and of the other pieces on it, as polygons with the free side inside. */
function surroundings(data, places, piece) {
  const isOther = (_, other) => other !== piece && !isLoose(data, other, places[other]);
  const others = places.map((place, other) => cornersAt(data, other, place)).filter(isOther);
  return [...data.target, ...data.holes.map(reversed), ...others.map(reversed)];
}

function reversed(polygon) {
  return [...polygon].reverse();
}

/** On a fine lattice the nearest corner counts before the nearest point. */
function snappedToLattice(data, places, piece, place, near) {
  const { across, up } = data.lattice;
  if (Math.min(Math.hypot(...across), Math.hypot(...up)) >= near) return latticePlace(data, place);
  const corners = surroundings(data, places, piece).flat();
  let [least, by] = [near, [0, 0]];
  for (const [x, y] of cornersAt(data, piece, place)) {
    for (const corner of corners) {
      const off = [corner[0] - x, corner[1] - y];
      if (Math.hypot(...off) < least) [least, by] = [Math.hypot(...off), off];
    }
  }
  return latticePlace(data, { ...place, x: place.x + by[0], y: place.y + by[1] });
}

/** The place at the nearest point of the lattice. */
function latticePlace({ lattice: { origin, across, up } }, place) {
  const cross = ([a, b], [c, d]) => a * d - b * c;
  const rows = cross(across, [place.x - origin[0], place.y - origin[1]]) / cross(across, up);
  const points = [Math.floor(rows), Math.ceil(rows)].map((row) => {
    const [x, y] = [origin[0] + row * up[0], origin[1] + row * up[1]];
    const steps = Math.round(((place.x - x) * across[0] + (place.y - y) * across[1]) / Math.hypot(...across) ** 2);
    return { ...place, x: x + steps * across[0], y: y + steps * across[1] };
  });
  const off = ({ x, y }) => Math.hypot(x - place.x, y - place.y);
  return off(points[0]) <= off(points[1]) ? points[0] : points[1];
}

/**
 * The steps by keys up, right, down and left, and within which distance a piece snaps after one.  They go along the
 * lattice, so that a step there and back ends where it began; from point to point, unless it is too fine.
 */
function keySteps(lattice) {
  if (!lattice) return { ways: [[0, -STEP], [STEP, 0], [0, STEP], [-STEP, 0]], near: CLOSE };
  const units = [lattice.across, lattice.up];
  // After steps of two points, the diagonal of a larger lattice can be too long to snap.
  const isCoarse = Math.hypot(...units.flat()) >= CLOSE;
  const [right, up] = units.map((unit) => {
    const times = isCoarse ? 1 : Math.ceil(STEP / Math.hypot(...unit));
    return unit.map((part) => part * times);
  });
  const back = ([x, y]) => [-x, -y];
  // The second coordinate points down.
  const ways = up[1] < 0 ? [up, right, back(up), back(right)] : [back(up), right, up, back(right)];
  return { ways, near: isCoarse ? 0 : CLOSE };
}

/** The best of all places where an edge lies along an edge. */
function snappedToEdges(data, places, piece, place, near) {
  const others = surroundings(data, places, piece);
  const reach = Math.max(...data.pieces[piece].map((corner) => Math.hypot(...corner)));
  const isClose = (edge) => distance(edge, [place.x, place.y]) < reach + near;
  const edges = others.flatMap(edgesOf).filter(isClose);
  const obstacles = places.map((there, other) => (other === piece ? [] : partsAt(data, other, there)));
  const cost = (option) => {
    const corners = cornersAt(data, piece, option);
    const touching = edgesOf(corners).filter((own) => edges.some((edge) => isAlong(own, edge, sameDistance(data)))).length;
    const meeting = corners.filter(([x, y]) => edges.some(([[toX, toY]]) => Math.hypot(toX - x, toY - y) < EXACT)).length;
    const parts = partsAt(data, piece, option);
    const clashes = !isOnTarget(data, parts) || obstacles.some((other) => overlap(data, parts, other));
    const moved = Math.hypot(option.x - place.x, option.y - place.y);
    const turned = (Math.abs(option.turn - place.turn) / ALMOST) * near * 0.5;
    return moved + turned - TOUCH * near * (Math.min(touching, 3) + Math.min(meeting, 2)) + (clashes ? CLASH * near : 0);
  };
  let [least, best] = [0, place];
  for (const option of edgeOptions(data, piece, place, edges, near)) {
    const price = cost(option);
    if (price < least - 1e-6) [least, best] = [price, option];
  }
  return best;
}

/** Places near a place where a corner meets a corner, or an edge a line, with an edge in the direction of one of `edges`. */
function* edgeOptions(data, piece, place, edges, near) {
  for (const by of turnsAlong(edgesOf(cornersAt(data, piece, place)), edges)) {
    const turned = { ...place, turn: place.turn + by };
    const corners = cornersAt(data, piece, turned);
    for (const [[x, y]] of edges) {
      for (const [px, py] of corners) {
        const off = [x - px, y - py];
        if (Math.hypot(...off) < near) yield { ...turned, x: place.x + off[0], y: place.y + off[1] };
      }
    }
    for (const own of edgesOf(corners)) {
      for (const edge of edges) {
        const off = inside(edge, own[0]);
        if (Math.abs(off) >= near || Math.abs(angleBetween(own, edge)) > 1e-6) continue;
        const [cosine, sine] = [edge[1][0] - edge[0][0], edge[1][1] - edge[0][1]].map((part) => part / lengthOf(edge));
        yield { ...turned, x: place.x + off * sine, y: place.y - off * cosine };
      }
    }
  }
}

/** The small turns that bring an edge into the direction of another one, each once. */
function turnsAlong(own, edges) {
  const turns = [];
  for (const one of own) {
    for (const edge of edges) {
      const by = angleBetween(one, edge);
      if (Math.abs(by) > ALMOST || turns.some((turn) => Math.abs(turn - by) < 1e-7)) continue;
      turns.push(Math.abs(by) < 1e-7 ? 0 : by);
    }
  }
  return turns;
}

/** The angle from one edge to another one, from -180 to 180 degrees. */
function angleBetween(one, other) {
  const [from, to] = [one, other].map(([[x, y], [toX, toY]]) => (Math.atan2(toY - y, toX - x) * 180) / Math.PI);
  const by = to - from;
  return by > 180 ? by - 360 : by < -180 ? by + 360 : by;
}

function lengthOf([[x, y], [toX, toY]]) {
  return Math.hypot(toX - x, toY - y);
}

/** Whether an edge lies on another one, at least in part. */
function isAlong(own, edge, least) {
  if (own.some((point) => Math.abs(inside(edge, point)) > EXACT) || Math.abs(angleBetween(own, edge)) > 1) return false;
  const [[x, y], [toX, toY]] = edge;
  const along = own.map(([px, py]) => ((toX - x) * (px - x) + (toY - y) * (py - y)) / lengthOf(edge));
  return Math.max(...along) > least && Math.min(...along) < lengthOf(edge) - least;
}

/** The distance of a point from a segment. */
function distance([[x, y], [toX, toY]], [px, py]) {
  const share = ((px - x) * (toX - x) + (py - y) * (toY - y)) / ((toX - x) ** 2 + (toY - y) ** 2);
  const part = Math.min(Math.max(share, 0), 1);
  return Math.hypot(x + part * (toX - x) - px, y + part * (toY - y) - py);
}
