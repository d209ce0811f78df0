// Plays a jigsaw: the places of pieces, their moves, and the assemblies found.

const data = JSON.parse(byId("data").textContent);
const elements = madePieces(data);
// A key for each known board: its look or, on a page to give away, a hash of it.
const known = data.hidden ? data.hidden.hashes : data.boards.map((codes) => lookOf(data, codes));

const state = {
  layout: null, places: [], past: [], selected: null, drag: null, zoom: 0, isRevealed: false,
  // Keys of boards: those found, whether known or not, and those shown since the last shuffle.
  found: new Set(), shown: new Set(),
};
// The places that the elements show.
let drawn = [];

/** Shows what has changed. */
function show() {
  state.places.forEach((place, piece) => {
    if (place === drawn[piece]) return;
    turnPiece(elements[piece], place.turn);
    if (state.drag?.piece !== piece) movePiece(elements[piece], pointOf(place));
    elements[piece].group.setAttribute("aria-label", pieceLabel(data, piece, place));
  });
  drawn = state.places;
  byId("undo").disabled = state.past.length === 0;
  showJoins();
}

function pointOf(place) {
  return place.square === undefined ? place : squarePoint(data, state.layout, place.square);
}

function showJoins() {
  const codes = codesOn(data, state.places);
  const joins = judgedJoins(data, codes);
  const placed = codes.filter((code) => code !== null).length;
  const squares = `${grouped(placed)} of ${grouped(codes.length)} on the board`;
  byId("counter").textContent = `${squares}, ${grouped(joins.valid)} of ${counted(joins.all, "join")} fit`;
  drawMisfits(data, isPressed("misfits-toggle") ? joins.invalid : []);
}

function keep() {
  keepProgress(data, state.layout, state);
}

/** Reports which assembly it is if the board is solved. */
function recognise() {
  const codes = codesOn(data, state.places);
  // A dragged piece has no place yet.
  if (state.drag || !isSolved(data, codes)) return;
  const look = lookOf(data, codes);
  if (!data.hidden) return announce(look);
  const { places } = state;
  sha256(data.hidden.salt + look).then((key) => places === state.places && announce(key));
}

function announce(key) {
  const name = nameOf(key);
  if (state.shown.has(key) && !state.found.has(key)) {
    say(`This is ${name ?? "a solution"}, which was shown to you: shuffle to find it yourself`);
    reveal(true);
    return;
  }
  const isNew = !state.found.has(key);
  state.found.add(key);
  keep();
  showBadges();
  const isAll = isNew && known.length > 0 && known.includes(key) && known.every((other) => state.found.has(other));
  if (isAll) say(allFound(name), true);
  else if (name) say(`You found ${name}${isNew ? "" : " again"}!`);
  else if (isNew) say(known.length || state.found.size > 1 ? "Another solution!" : "You found a solution!");
  else say("You found this solution again!");
  reveal(true);
}

/** The name of a known board; null for other boards. */
function nameOf(key) {
  const number = known.indexOf(key);
  return number < 0 ? null : `${data.word} ${number + 1}`;
}

function allFound(name) {
  const number = new Set(known).size;
  if (number === 1) return `You found the ${data.word}!`;
  return `You found ${name}, and now ${number === 2 ? "both" : `all ${grouped(number)}`} ${plural(data.word)}!`;
}

/** Shows for each known assembly whether it is found, with a button to show it; then other solutions. */
function showBadges() {
  const title = data.word[0].toUpperCase() + data.word.slice(1);
  byId("assemblies-title").textContent = plural(title);
  byId("badges").replaceChildren();
  known.forEach((look, index) => {
    const found = state.found.has(look);
    const what = found ? "found" : state.shown.has(look) ? "shown" : "not yet";
    const entry = addBadge(`${title} ${index + 1}: ${what}`, found);
    if (data.hidden) return;
    const button = entry.appendChild(document.createElement("button"));
    Object.assign(button, { type: "button", textContent: "Show" });
    button.setAttribute("aria-label", `Show ${data.word} ${index + 1}`);
    button.addEventListener("click", () => showBoard(index));
  });
  const further = [...state.found].filter((look) => !known.includes(look));
  const word = known.length ? "Other solution" : "Solution";
  further.forEach((_, index) => addBadge(`${word} ${index + 1}: found`, true));
  if (!known.length && !further.length) addBadge(`No ${data.word} is known: any board that fits is a solution`, false);
}

function showBoard(index) {
  if (!state.found.has(known[index])) state.shown.add(known[index]);
  showBadges();
  change(assembled(data, state.layout, state.places, data.boards[index]));
}

function shuffle() {
  state.shown.clear();
  showBadges();
  change(strewn(data, state.layout, newDeal(data, (number) => Math.floor(Math.random() * number))));
}

/** No button turns a piece that may not be turned. */
function afterSelect(piece) {
  for (const id of ["left", "right"]) byId(id).disabled ||= Boolean(data.still?.[piece]);
}

function turn(by) {
  const piece = state.drag?.piece ?? state.selected;
  if (piece !== null) change(turnedBy(data, state.places, piece, by));
}

function step(side) {
  const isOnTray = state.places[state.selected].square === undefined;
  const places = stepped(data, state.places, state.selected, side);
  if (places === null && isOnTray) say("All squares are filled");
  change(places);
}

function takeOff() {
  if (state.selected === null || state.places[state.selected].square === undefined) return;
  change(takenOff(data, state.layout, state.places, state.selected));
}

function keptOnTable(point) {
  return keptInside(state.layout, point, data.cell);
}

/** Marks where a dragged piece would land; null hides the mark. */
function hint(point) {
  drawTarget(data, point && squareNear(data, state.layout, point));
}

/** Puts a dragged piece down at a point, where it snaps into a square; false if it has come from there. */
function layDown(piece, point) {
  const [place, square] = [state.places[piece], squareNear(data, state.layout, point)];
  if (square === null) change(withPlace(state.places, piece, { ...point, turn: place.turn }));
  else if (square !== place.square) change(placedOn(state.places, piece, square));
  else return false;
  return true;
}

function toggleMisfits() {
  press("misfits-toggle");
  showJoins();
}

function newLayout() {
  return tableLayout(data, data.pieces.length, room());
}

function drawTable(layout) {
  drawBoard(data, layout);
  drawn = [];
}

/** What was kept of an earlier visit, or the first places. */
function firstState(layout) {
  return keptProgress(data, layout) ?? { places: strewn(data, layout, data.deal) };
}

function tidy() {
  return tidied(data, state.layout, state.places);
}

byId("dot-help").hidden = Boolean(data.hidden);
begin({ "misfits-toggle": toggleMisfits }, { m: toggleMisfits, Delete: takeOff, Backspace: takeOff });
