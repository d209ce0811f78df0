// What the pages to play have in common: moves and undo, messages, the selected piece, scales, buttons and keys.
//
// A page defines `state`, `elements`, and the functions that this file calls without defining them.

const NARROW = matchMedia("(max-width: 59.99rem)");
// The least width and height of the room for the table, in pixels.
const LEAST = 240;
// The scale doubles every second level.
const LARGEST = 4;
// The studio shows the table and its buttons alone.
const isBare = window.location.hash === "#bare";
// The effects of buttons, by their names; a page may have further ones.
const ACTIONS = {
  left: () => turn(-1), right: () => turn(1), undo, redo, numbers: toggleNumbers,
  shuffle: () => { shuffle(); window.scrollTo(0, 0); },
  tidy: () => change(tidy()), smaller: () => zoom(-1), larger: () => zoom(1),
  "help-open": () => byId("help").showModal(), "help-close": () => byId("help").close(),
};
const KEYS = {
  n: ACTIONS.numbers, "+": ACTIONS.larger, "=": ACTIONS.larger, "-": ACTIONS.smaller, "?": ACTIONS["help-open"],
  r: (event) => turn(event.shiftKey ? -1 : 1), Escape: () => drop(null),
};
// What the messages of the notebook or the studio around the page do, by the lists in them.
const HEARD = { lay: layTold };
const STEPS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
// Keys that work only while a piece has the focus.
const PIECE_KEYS = {
  Enter: () => turn(1), " ": () => turn(1),
  ...Object.fromEntries(Object.entries(STEPS).map(([key, side]) => [key, () => step(side)])),
};

/** Sets a new list of places; the previous one can be restored. */
function change(places) {
  if (places === null) return;
  state.past.push(state.places);
  state.future = [];
  go(places);
  recognise();
}

/**
 * Sends the notebook or the studio around the page something, such as what lies where, if there is one; with the number
 * of the message that asked to lay it.
 */
function tellHost(told) {
  if (window.parent !== window) window.parent.postMessage({ page: data.key, answer: state.answer, ...told }, "*");
}

function undo() {
  travel(state.past, state.future);
}

function redo() {
  travel(state.future, state.past);
}

/** Goes back to the last of the places in one list; the present ones go to the other list. */
function travel(from, to) {
  if (state.drag || !from.length) return;
  to.push(state.places);
  go(from.pop());
}

function go(places) {
  state.places = places;
  say("");
  reveal(false);
  show();
  keep();
}

function showTravel() {
  byId("undo").disabled = state.past.length === 0;
  byId("redo").disabled = state.future.length === 0;
}

function say(text, isAll = false) {
  byId("message").textContent = text;
  byId("banner").hidden = !text;
  byId("counter").hidden = Boolean(text);
  byId("banner").textContent = text;
  byId("banner").classList.toggle("all", isAll);
  byId("table").classList.toggle("celebrating", isAll);
}

/** Shows the board alone, as large as the window allows, or the whole table. */
function reveal(isRevealed) {
  if (isRevealed === state.isRevealed) return;
  state.isRevealed = isRevealed;
  const { width, height, board } = state.layout;
  // Tabs may stick out over a rim that is not straight.
  const edge = data.rim ? MARGIN : MARGIN / 2;
  const alone = [board.x - edge, board.y - edge, board.width + 2 * edge, board.height + 2 * edge];
  if (isRevealed) {
    zoom(-LARGEST);
    window.scrollTo(0, 0);
  }
  byId("table").style.height = isRevealed ? `${room().height}px` : "";
  byId("table").setAttribute("viewBox", (isRevealed ? alone : [0, 0, width, height]).join(" "));
}

function addBadge(text, isFound) {
  const entry = byId("badges").appendChild(document.createElement("li"));
  entry.classList.toggle("found", isFound);
  entry.appendChild(document.createElement("span")).textContent = text;
  return entry;
}

function select(piece) {
  if (state.selected !== null) elements[state.selected].group.classList.remove("selected");
  state.selected = piece;
  if (piece !== null) elements[piece].group.classList.add("selected");
  for (const id of ["left", "right"]) byId(id).disabled = piece === null;
  afterSelect(piece);
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
  const bars = isBare ? document.querySelectorAll(".bar, .side") : isBelow ? [byId("bar")] : [];
  const boxes = Array.from(bars, (bar) => bar.getBoundingClientRect());
  const below = boxes.length ? Math.max(...boxes.map(({ bottom }) => bottom)) - boxes[0].top : 0;
  const left = window.innerHeight - stage.getBoundingClientRect().top - window.scrollY - below - 16;
  // A page in a hidden frame has no room at all.
  return { width: Math.max(stage.clientWidth, LEAST), height: Math.max(left, LEAST), pitch: NARROW.matches ? 100 : 108 };
}

/** Whether two tables have about the same shape, as when a browser hides its address bar. */
function isLike(one, other) {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return one.wide === other.wide && ratio > 0.8 && ratio < 1.25;
}

function onKey(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (byId("help").open || event.altKey || event.metaKey && key !== "z" && key !== "y") return;
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    (key === "y" || event.shiftKey ? redo : undo)();
    return;
  }
  const action = KEYS[key] ?? (event.target.closest(".piece") && !state.drag ? PIECE_KEYS[key] : undefined);
  if (!action) return;
  event.preventDefault();
  action(event);
}

/** Lays out the table for the size of the window; the places of pieces beside the board change with it. */
function layOut() {
  const layout = newLayout();
  if (state.layout && isLike(layout, state.layout)) return;
  const isFirst = state.layout === null;
  state.layout = layout;
  state.isRevealed = false;
  byId("table").style.height = "";
  byId("table").setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
  drawTable(layout);
  // Points on another table are invalid.
  state.past = [];
  state.future = [];
  if (isFirst) Object.assign(state, firstState(layout));
  else state.places = tidy();
  showBadges();
  show();
  recognise();
}

/** Lays what the notebook or the studio around the page asks for, also as a beginning. */
function layTold(laid, { first, number }) {
  Object.assign(state, { answer: number, isTold: true });
  layAsTold(laid);
  Object.assign(state, { answer: undefined, isTold: false });
  if (!first) return;
  state.past = [];
  showTravel();
}

/** Starts the page, with buttons, keys and messages of its own. */
function begin(actions, keys, heard = {}) {
  Object.assign(HEARD, heard);
  document.body.classList.toggle("bare", isBare);
  Object.assign(ACTIONS, actions);
  Object.assign(KEYS, keys);
  for (const [id, action] of Object.entries(ACTIONS)) {
    byId(id).addEventListener("click", action);
    // A click leaves the focus on the piece.
    byId(id).addEventListener("mousedown", (event) => event.preventDefault());
  }
  document.addEventListener("keydown", onKey);
  connectPointer(byId("table"));
  window.addEventListener("resize", () => state.drag || layOut());
  window.addEventListener("message", ({ source, data: told }) => {
    if (source !== window.parent || source === window) return;
    for (const [name, hear] of Object.entries(HEARD)) if (Array.isArray(told?.[name])) hear(told[name], told);
  });
  select(null);
  zoom(0);
  // Numbers are hidden at first, because most puzzles are numbered along a solution.
  toggleNumbers();
  layOut();
}
