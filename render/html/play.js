// Plays a jigsaw or an edge-matching puzzle: the places of pieces, their moves, and the solutions found.

const data = JSON.parse(byId("data").textContent);
const elements = madePieces(data);
// A key for each known board: its look or, on a page to give away, a hash of it.
let known = knownKeys();

const state = {
  layout: null, places: [], past: [], future: [], selected: null, drag: null, zoom: 0, isRevealed: false,
  // Keys of boards: those found, whether known or not, and those shown since the last shuffle.
  found: new Set(), shown: new Set(),
};
// The places that the elements show.
let drawn = [];
// From this number of solutions on, only those that are found have a line.
const MOST_BADGES = 12;

function knownKeys() {
  return data.hidden ? data.hidden.hashes : data.boards.map((codes) => lookOf(data, codes));
}

/** Goes to the other board for the same pieces, with the progress that was kept there. */
function switchBoard() {
  if (state.drag) return;
  for (const [name, value] of Object.entries(data.second)) [data.second[name], data[name]] = [data[name], value];
  known = knownKeys();
  for (const id of ["board-1", "board-2"]) press(id);
  Object.assign(state, { layout: null, found: new Set(), shown: new Set() });
  say("");
  layOut();
}

/** Shows what has changed. */
function show() {
  for (const { group } of elements) group.classList.remove("wrong");
  state.places.forEach((place, piece) => {
    if (place === drawn[piece]) return;
    turnPiece(elements[piece], place);
    if (state.drag?.piece !== piece) movePiece(elements[piece], pointOf(place));
    elements[piece].group.setAttribute("aria-label", pieceLabel(data, piece, place));
  });
  drawn = state.places;
  showTravel();
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
  drawMisfits(data, isPressed("misfits-toggle") ? [...joins.invalid, ...wrongSides(data, codes)] : []);
  drawGlow(data, isPressed("glow-toggle") ? joins.fitting : []);
}

function keep() {
  keepProgress(data, state.layout, state);
  tellHost({ laid: codesOn(data, state.places) });
}

/** Lays a board that the notebook around the page asks for. */
function layAsTold(codes) {
  change(assembled(data, state.layout, state.places, codes));
}

/** Reports which assembly it is if the board is solved. */
function recognise() {
  const codes = codesOn(data, state.places);
  // A dragged piece has no place yet.
  if (state.drag || !isSolved(data, codes)) return;
  const look = lookOf(data, codes);
  // What the notebook or the studio has laid is not found by the player.
  const { places, isTold } = state;
  if (!data.hidden) return announce(look, isTold);
  sha256(data.hidden.salt + look).then((key) => places === state.places && announce(key, isTold));
}

function announce(key, isTold) {
  const name = nameOf(key);
  // Pieces that are left over stay in sight.
  const isAlone = state.places.every(({ square }) => square !== undefined);
  if (isTold) {
    if (!state.found.has(key)) state.shown.add(key);
    // The studio says it beside the board.
    if (!isBare) say(`This is ${name ?? "a solution"}`);
    reveal(isAlone);
    return;
  }
  if (state.shown.has(key) && !state.found.has(key)) {
    say(`This is ${name ?? "a solution"}, which was shown to you: shuffle to find it yourself`);
    reveal(isAlone);
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
  reveal(isAlone);
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
  byId("assemblies-title").textContent = data.complete ? `All ${plural(data.word)}` : plural(title);
  byId("badges").replaceChildren();
  const isLong = known.length > MOST_BADGES;
  if (isLong) {
    const number = known.filter((look) => state.found.has(look)).length;
    const all = counted(known.length, data.complete ? data.word : `known ${data.word}`);
    addBadge(`${grouped(number)} of ${all} found`, number > 0);
    if (!data.hidden) addShow(byId("badges").lastChild, firstUnseen());
  }
  known.forEach((look, index) => {
    const found = state.found.has(look);
    if (isLong && !found) return;
    const what = found ? "found" : state.shown.has(look) ? "shown" : "not yet";
    const entry = addBadge(`${title} ${index + 1}: ${what}`, found);
    if (!data.hidden) addShow(entry, index);
  });
  const further = [...state.found].filter((look) => !known.includes(look));
  const word = known.length ? "Other solution" : "Solution";
  further.forEach((_, index) => addBadge(`${word} ${index + 1}: found`, true));
  if (known.length || further.length) return;
  addBadge(data.complete ? "No solution exists" : `No ${data.word} is known: any board that fits is a solution`, false);
}

/** Adds a button that shows a known board. */
function addShow(entry, index) {
  const button = entry.appendChild(document.createElement("button"));
  Object.assign(button, { type: "button", textContent: "Show" });
  button.setAttribute("aria-label", `Show ${data.word} ${index + 1}`);
  button.addEventListener("click", () => showBoard(index));
}

/** The first known board that was neither found nor shown; the first one if all were. */
function firstUnseen() {
  return Math.max(known.findIndex((look) => !state.found.has(look) && !state.shown.has(look)), 0);
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

/** No button turns a piece that may not be turned, or turned over. */
function afterSelect(piece) {
  const isHeld = piece !== null && isLocked(data, piece);
  for (const id of ["left", "right"]) byId(id).disabled ||= isHeld || Boolean(data.still?.[piece]);
  if (data.flips) byId("flip").disabled = isHeld || !data.flips[piece];
}

function turn(by) {
  const piece = state.drag?.piece ?? state.selected;
  if (piece !== null) change(turnedBy(data, state.places, piece, by));
}

function flip() {
  const piece = state.drag?.piece ?? state.selected;
  if (piece !== null) change(turnedOver(data, state.places, piece));
}

/** Lays a piece that belongs to a known solution with the pieces on the board, or says what is known. */
function help() {
  // The studio knows more.
  if (isBare) return tellHost({ hint: true });
  const hint = hintFor(data, state.places);
  if (hint.places) {
    // What the hints complete is not found by the player.
    const key = lookOf(data, hint.board);
    if (!state.found.has(key)) state.shown.add(key);
    change(hint.places);
    if (byId("message").textContent) return;
  }
  say(hint.words);
  for (const piece of hint.wrong ?? []) elements[piece].group.classList.add("wrong");
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

function isDraggable(piece) {
  return !isLocked(data, piece);
}

/** Puts a dragged piece down at a point, where it snaps into a square; false if it goes back to where it was. */
function layDown(piece, point) {
  const [place, square] = [state.places[piece], squareNear(data, state.layout, point)];
  const { turn, flip } = place;
  const isSame = square !== null && square === place.square;
  const places = square === null
    ? withPlace(state.places, piece, { ...point, turn, flip })
    : isSame ? null : placedOn(data, state.places, piece, square);
  change(places);
  return places !== null;
}

function toggleMisfits() {
  press("misfits-toggle");
  showJoins();
}

function toggleGlow() {
  press("glow-toggle");
  showJoins();
}

/** Marks the square and the pieces that fit on it, as the studio around the page says. */
function showFits(pieces, { square }) {
  drawChosen(data, Number.isInteger(square) ? square : null);
  elements.forEach(({ group }, piece) => group.classList.toggle("fits", pieces.includes(piece)));
}

/** Asks the studio around the page which pieces fit an empty square that is clicked. */
function askForFits(event) {
  if (event.target.closest(".piece")) return;
  const square = squareNear(data, state.layout, tablePoint(event));
  if (square !== null && codesOn(data, state.places)[square] === null) tellHost({ square });
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

function toggleWords() {
  press("words-toggle");
  byId("table").classList.toggle("no-words", !isPressed("words-toggle"));
}

byId("dot-help").hidden = Boolean(data.hidden) || data.colored;
// Pieces with tabs show themselves what does not fit.
if (data.colored) press("misfits-toggle");
byId("hint").hidden = !data.boards.length && !data.complete;
byId("flip").hidden = !data.flips;
byId("words-toggle").hidden = !data.words;
const boards = data.second && {
  "board-1": () => isPressed("board-1") || switchBoard(),
  "board-2": () => isPressed("board-2") || switchBoard(),
};
begin(
  { ...boards, "misfits-toggle": toggleMisfits, "glow-toggle": toggleGlow, "words-toggle": toggleWords, hint: help, flip },
  { m: toggleMisfits, j: toggleGlow, w: toggleWords, h: help, f: flip, Delete: takeOff, Backspace: takeOff, ...(boards && { b: switchBoard }) },
  { fits: showFits },
);
if (isBare) byId("table").addEventListener("click", askForFits);
