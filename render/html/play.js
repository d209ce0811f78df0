// Plays a jigsaw: the places of pieces, their moves, and the assemblies found.

const data = JSON.parse(byId("data").textContent);
const elements = madePieces(data);
// A key for each known board: its look or, on a page to give away, a hash of it.
const known = data.hidden ? data.hidden.hashes : data.boards.map((codes) => lookOf(data, codes));
const NARROW = matchMedia("(max-width: 59.99rem)");
// The scale doubles every second level.
const LARGEST = 4;

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

/** Sets a new list of places; the previous one can be restored. */
function change(places) {
  if (places === null) return;
  state.past.push(state.places);
  state.places = places;
  say("");
  reveal(false);
  show();
  keep();
  recognise();
}

function keep() {
  keepProgress(data, state.layout, state);
}

function undo() {
  if (state.drag || !state.past.length) return;
  state.places = state.past.pop();
  say("");
  reveal(false);
  show();
  keep();
}

function say(text, isAll = false) {
  byId("message").textContent = text;
  byId("banner").hidden = !text;
  byId("counter").hidden = Boolean(text);
  byId("banner").textContent = text;
  byId("banner").classList.toggle("all", isAll);
  byId("table").classList.toggle("celebrating", isAll);
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

/** Shows the board alone, as large as the window allows, or the whole table. */
function reveal(isRevealed) {
  if (isRevealed === state.isRevealed) return;
  state.isRevealed = isRevealed;
  const { width, height, board } = state.layout;
  const alone = [board.x - MARGIN / 2, board.y - MARGIN / 2, board.width + MARGIN, board.height + MARGIN];
  if (isRevealed) {
    zoom(-LARGEST);
    window.scrollTo(0, 0);
  }
  byId("table").style.height = isRevealed ? `${room().height}px` : "";
  byId("table").setAttribute("viewBox", (isRevealed ? alone : [0, 0, width, height]).join(" "));
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

function addBadge(text, isFound) {
  const entry = byId("badges").appendChild(document.createElement("li"));
  entry.classList.toggle("found", isFound);
  entry.appendChild(document.createElement("span")).textContent = text;
  return entry;
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

function select(piece) {
  if (state.selected !== null) elements[state.selected].group.classList.remove("selected");
  state.selected = piece;
  if (piece !== null) elements[piece].group.classList.add("selected");
  byId("left").disabled = byId("right").disabled = piece === null;
}

function turn(by) {
  const piece = state.drag?.piece ?? state.selected;
  if (piece !== null) change(turnedBy(state.places, piece, by));
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

function isPressed(id) {
  return byId(id).getAttribute("aria-pressed") === "true";
}

function press(id) {
  byId(id).setAttribute("aria-pressed", !isPressed(id));
}

function toggleNumbers() {
  press("numbers");
  byId("table").classList.toggle("no-numbers", !isPressed("numbers"));
}

function toggleMisfits() {
  press("misfits-toggle");
  showJoins();
}

/** Zooms the table by a number of levels, around the middle of the visible part. */
function zoom(by) {
  const stage = byId("stage");
  const level = Math.min(Math.max(state.zoom + by, 0), LARGEST);
  const factor = 2 ** ((level - state.zoom) / 2);
  const [across, down] = [stage.clientWidth / 2, stage.clientHeight / 2];
  const [left, top] = [(stage.scrollLeft + across) * factor - across, (stage.scrollTop + down) * factor - down];
  state.zoom = level;
  byId("smaller").disabled = level === 0;
  byId("larger").disabled = level === LARGEST;
  byId("table").style.width = `${100 * 2 ** (level / 2)}%`;
  stage.scrollTo(left, top);
}

/** The room for the table in the window, without the buttons that lie below it on a phone. */
function room() {
  const stage = byId("stage");
  const isBelow = NARROW.matches && getComputedStyle(byId("bar")).position === "sticky";
  const below = isBelow ? byId("bar").offsetHeight : 0;
  const left = window.innerHeight - stage.getBoundingClientRect().top - window.scrollY - below - 16;
  return { width: stage.clientWidth, height: Math.max(left, 240), pitch: NARROW.matches ? 100 : 108 };
}

function layOut() {
  const layout = tableLayout(data, data.pieces.length, room());
  if (state.layout && isLike(layout, state.layout)) return;
  const isFirst = state.layout === null;
  state.layout = layout;
  state.isRevealed = false;
  byId("table").style.height = "";
  byId("table").setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
  drawBoard(data, layout);
  // Points on another table are invalid.
  state.past = [];
  drawn = [];
  if (isFirst) Object.assign(state, keptProgress(data, layout) ?? { places: strewn(data, layout, data.deal) });
  else state.places = tidied(data, layout, state.places);
  showBadges();
  show();
  recognise();
}

/** Whether two tables have about the same shape, as when a browser hides its address bar. */
function isLike(one, other) {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return one.wide === other.wide && ratio > 0.8 && ratio < 1.25;
}

const ACTIONS = {
  left: () => turn(-1), right: () => turn(1), undo, shuffle, numbers: toggleNumbers, "misfits-toggle": toggleMisfits,
  tidy: () => change(tidied(data, state.layout, state.places)), smaller: () => zoom(-1),
  larger: () => zoom(1), "help-open": () => byId("help").showModal(), "help-close": () => byId("help").close(),
};
const STEPS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
const KEYS = {
  n: ACTIONS.numbers, m: ACTIONS["misfits-toggle"], "+": ACTIONS.larger, "=": ACTIONS.larger, "-": ACTIONS.smaller,
  "?": ACTIONS["help-open"], r: (event) => turn(event.shiftKey ? -1 : 1), Delete: takeOff, Backspace: takeOff,
  Escape: () => drop(null),
};
// Keys that work only while a piece has the focus.
const PIECE_KEYS = {
  Enter: () => turn(1), " ": () => turn(1),
  ...Object.fromEntries(Object.entries(STEPS).map(([key, side]) => [key, () => step(side)])),
};

function onKey(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (byId("help").open || event.altKey || event.metaKey && key !== "z") return;
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" || event.shiftKey) return;
    event.preventDefault();
    undo();
    return;
  }
  const action = KEYS[key] ?? (event.target.closest(".piece") && !state.drag ? PIECE_KEYS[key] : undefined);
  if (!action) return;
  event.preventDefault();
  action(event);
}

function begin() {
  for (const [id, action] of Object.entries(ACTIONS)) {
    byId(id).addEventListener("click", action);
    // A click leaves the focus on the piece.
    byId(id).addEventListener("mousedown", (event) => event.preventDefault());
  }
  document.addEventListener("keydown", onKey);
  connectPointer(byId("table"));
  window.addEventListener("resize", () => state.drag || layOut());
  select(null);
  zoom(0);
  // Numbers are hidden at first, because most jigsaws are numbered along their first assembly.
  toggleNumbers();
  byId("dot-help").hidden = Boolean(data.hidden);
  layOut();
}

begin();
