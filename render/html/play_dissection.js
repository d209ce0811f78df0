// Plays a dissection: the places of pieces, their moves, and the tilings found.

const data = JSON.parse(byId("data").textContent);
const elements = data.pieces.map(madePiece);
// In pixels: within which distance a piece snaps, with a mouse and with a finger.
const NEAR = { mouse: 14, touch: 22 };
// The distance of pieces from the edge of the table, in units of the page.
const RIM = 4;

const state = {
  layout: null, places: [], past: [], future: [], selected: null, drag: null, zoom: 0, isRevealed: false,
  // Tilings: those found, whether known or not, and those shown since the last shuffle.
  found: [], shown: [], next: 0,
};
// The places that the elements show.
let drawn = [];

/** An element for each piece: a group that is moved, with an inner group that is turned and turned over. */
function madePiece(corners, piece) {
  const group = svgElement(byId("pieces"), "g", { class: "piece", tabindex: 0, role: "button", "data-piece": piece });
  const turn = svgElement(group, "g", { class: "turn" });
  svgElement(turn, "polygon", { class: "outline", points: pointsText(corners), fill: data.fills[piece] });
  const [x, y, size] = data.numbers[piece];
  const number = svgElement(turn, "text", { class: "number", y: size * 0.36 }, String(piece + 1));
  number.style.fontSize = `${size}px`;
  return { group, turn, number, at: `translate(${x} ${y})` };
}

function pointsText(polygon) {
  return polygon.map((corner) => corner.join()).join(" ");
}

/** Shows what has changed. */
function show() {
  state.places.forEach((place, piece) => {
    if (place === drawn[piece]) return;
    const { group, turn, number, at } = elements[piece];
    turn.style.transform = `rotate(${place.turn}deg) scale(${place.flip ? -1 : 1}, 1)`;
    // Digits stay upright.
    number.setAttribute("transform", `${at} scale(${place.flip ? -1 : 1} 1) rotate(${-place.turn})`);
    if (state.drag?.piece !== piece) movePiece(elements[piece], pointOf(place));
    group.setAttribute("aria-label", labelOf(piece, place));
  });
  drawn = state.places;
  drawClashes();
  showTravel();
  const placed = fitting(data, state.places).filter(Boolean).length;
  byId("counter").textContent = `${placed} of ${counted(data.pieces.length, "piece")} fit`;
}

/** Outlines, above all pieces, those on the target that overlap. */
function drawClashes() {
  byId("clashes").replaceChildren();
  for (const piece of clashing(data, state.places)) {
    svgElement(byId("clashes"), "polygon", { class: "clash", points: pointsText(cornersAt(data, piece, state.places[piece])) });
  }
}

function labelOf(piece, place) {
  const where = isLoose(data, piece, place) ? "next to the target" : "on the target";
  const degrees = ((Math.round(place.turn) % 360) + 360) % 360;
  return `piece ${piece + 1}, ${where}, turned ${degrees} degrees${place.flip ? ", turned over" : ""}`;
}

function pointOf({ x, y }) {
  return { x, y };
}

function movePiece({ group }, { x, y }) {
  group.style.transform = `translate(${x}px, ${y}px)`;
}

/** Reports a solution. */
function recognise() {
  if (state.drag || !isSolved(data, state.places)) return;
  const isThis = (tiling) => isSameTiling(data, tiling, state.places);
  const isFound = state.found.some(isThis);
  if (state.isTold) {
    // What the notebook or the studio has laid is not found by the player.
    if (!isFound) state.shown.push(state.places);
    // The studio says it beside the board.
    if (!isBare) say("This is a solution");
  } else if (!isFound && state.shown.some(isThis)) {
    say("This is a solution, which was shown to you: shuffle to find it yourself");
  } else if (isFound) {
    say("You found this solution again!");
  } else {
    state.found.push(state.places);
    say(state.found.length > 1 ? "Another solution!" : "You found a solution!", state.found.length === 1);
    keep();
    showBadges();
  }
  reveal(true);
}

/** Shows how many solutions are found, and whether the page can show one. */
function showBadges() {
  byId("assemblies-title").textContent = "Solutions";
  byId("badges").replaceChildren();
  const number = state.found.length;
  addBadge(number ? `${counted(number, "solution")} found` : "No solution found yet: any tiling is one", number > 0);
  byId("show").hidden = data.tilings.length === 0;
}

function showTiling() {
  const tiling = data.tilings[state.next % data.tilings.length];
  state.next += 1;
  const places = tiling.map(([x, y, turn, flip]) => ({ x, y, turn, flip: Boolean(flip) }));
  state.shown.push(places);
  change(places);
}

function shuffle() {
  state.shown = [];
  const deal = newDeal(data, state.layout, (number) => Math.floor(Math.random() * number));
  change(strewn(data, state.layout, deal));
}

function afterSelect(piece) {
  byId("flip").disabled = piece === null || !data.flips[piece];
}

function isPlaced(piece) {
  return !isLoose(data, piece, state.places[piece]);
}

function withPlace(piece, place) {
  return state.places.map((old, number) => (number === piece ? place : old));
}

/** Changes the place of a piece, which then snaps if it is on the target. */
function put(piece, wished, near) {
  const place = state.drag ? wished : keptWhole(piece, wished);
  const isFree = state.drag || isLoose(data, piece, place);
  change(withPlace(piece, isFree ? place : snappedWhole(piece, place, near)));
}

/** The place into which a piece snaps, unless the edge of the table would cut it off there. */
function snappedWhole(piece, place, near) {
  const found = snapped(data, state.places, piece, place, near);
  const { x, y } = keptWhole(piece, found);
  return x === found.x && y === found.y ? found : place;
}

function turn(by) {
  const piece = state.drag?.piece ?? state.selected;
  if (piece === null) return;
  const place = state.places[piece];
  // A piece that has snapped goes on in whole steps.
  put(piece, { ...place, turn: data.step * (Math.round(place.turn / data.step) + by) }, CLOSE);
}

/** Turns a piece over as it is seen: its left becomes its right. */
function flip() {
  const piece = state.drag?.piece ?? state.selected;
  if (piece === null || !data.flips[piece]) return;
  const place = state.places[piece];
  put(piece, { ...place, turn: -place.turn, flip: !place.flip }, CLOSE);
}

function step(side) {
  const piece = state.selected;
  const { ways, near } = keySteps(data.lattice);
  const [x, y] = ways[side];
  const place = state.places[piece];
  put(piece, { ...place, x: place.x + x, y: place.y + y }, near);
}

function takeOff() {
  const piece = state.selected;
  if (piece === null || !isPlaced(piece)) return;
  change(inTray(data, state.layout, state.places, [piece]));
}

/** The nearest point at which the origin of a piece is on the table. */
function keptOnTable({ x, y }) {
  const { board, width, height } = state.layout;
  const kept = (value, start, length) => Math.min(Math.max(value, MARGIN - start), length - start - MARGIN);
  return { x: kept(x, board.x, width), y: kept(y, board.y, height) };
}

/** The nearest place at which all of a piece is on the table. */
function keptWhole(piece, place) {
  const { board, width, height } = state.layout;
  const box = boxOf(data, piece, place);
  const kept = (value, start, length, before, size) => Math.max(Math.min(value, length - start - before - size - RIM), RIM - start - before);
  const [x, y] = [kept(place.x, board.x, width, box.left, box.width), kept(place.y, board.y, height, box.top, box.height)];
  return { ...place, x, y };
}

function hint() {}

function isDraggable() {
  return true;
}

/** Puts a dragged piece down at a point, where it snaps. */
function layDown(piece, point) {
  const { a: scale } = byId("table").getScreenCTM();
  const near = (NARROW.matches ? NEAR.touch : NEAR.mouse) / scale;
  const place = snappedWhole(piece, keptWhole(piece, { ...state.places[piece], ...point }), near);
  const { x, y, turn } = state.places[piece];
  if (place.x === x && place.y === y && place.turn === turn) return false;
  change(withPlace(piece, place));
  return true;
}

function newLayout() {
  return tableOf(data, data.deal, room());
}

function drawTable({ board }) {
  for (const id of ["board", "pieces", "clashes"]) byId(id).setAttribute("transform", `translate(${board.x} ${board.y})`);
  byId("board").replaceChildren();
  const outlines = [...data.target, ...data.holes].map((outline) => `M${outline.join("L")}z`);
  svgElement(byId("board"), "path", { class: "frame", "fill-rule": "evenodd", d: outlines.join("") });
  for (const [label, x, y, size] of data.labels ?? []) {
    svgElement(byId("board"), "text", { class: "cell", x, y, "font-size": size }, label);
  }
  drawn = [];
}

function keep() {
  const plain = (places) => places.map(({ x, y, turn, flip }) => [x, y, turn, Number(flip)]);
  const { width, height } = state.layout;
  const [found, shown] = [state.found, state.shown].map((tilings) => tilings.map(plain));
  store(data.key, { version: 1, width, height, places: plain(state.places), found, shown });
  tellHost({ laid: plain(state.places).map((place, piece) => (isPlaced(piece) ? place : null)) });
}

/** Lays the pieces that the notebook around the page asks for: for each its place, or null for one to take off. */
function layAsTold(told) {
  const at = ([x, y, turn, flip]) => ({ x, y, turn, flip: Boolean(flip) });
  const laid = told.map((place, piece) => (place ? at(place) : state.places[piece]));
  const off = laid.flatMap((place, piece) => (!told[piece] && !isLoose(data, piece, place) ? [piece] : []));
  change(inTray(data, state.layout, laid, off));
}

/** What was kept of an earlier visit, or the first places. */
function firstState(layout) {
  const first = { places: strewn(data, layout, data.deal) };
  return stored(data.key, ({ version, width, height, places, found, shown }) => {
    if (version !== 1) return null;
    const isLike = width === layout.width && height === layout.height;
    const kept = { places: keptPlaces(places), found: found.map(keptPlaces), shown: shown.map(keptPlaces) };
    return isLike ? kept : { ...kept, places: tidied(data, layout, kept.places) };
  }) ?? first;
}

/** The places of all pieces as they were kept; raises an error if they are damaged. */
function keptPlaces(places) {
  const isSound = places.length === data.pieces.length && places.every(([x, y, turn]) => [x, y, turn].every(Number.isFinite));
  if (!isSound) throw new Error("damaged");
  return places.map(([x, y, turn, flip], piece) => ({ x, y, turn, flip: Boolean(flip) && data.flips[piece] }));
}

function tidy() {
  return tidied(data, state.layout, state.places);
}

begin({ flip, show: showTiling }, { f: flip, Delete: takeOff, Backspace: takeOff });
