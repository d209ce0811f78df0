// Steps through solutions: the state of the page, and the actions that change it.

const data = JSON.parse(byId("data").textContent);
const picture = data.kind === "dissection" ? tilingPicture(data) : boardPicture(data);
const values = nodesByDepth(data.nodes);
const SPEEDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const ICONS = { play: "M5 3v14l11-7z", pause: "M4 3h4v14H4zM12 3h4v14h-4z" };

const state = { solution: 0, before: null, depth: picture.end(0), differences: false, picked: null };
// The depth and time at which playing started; null while it does not play.
let run = null;
let highlight = () => {};

const last = () => data.solutions.length - 1;
const end = () => picture.end(state.solution);
const speed = () => SPEEDS[Number(byId("speed").value)];

/** Shows the state. */
function show() {
  byId("score").textContent = picture.show(state.solution, state.depth);
  const item = state.depth ? picture.order(state.solution)[state.depth - 1] : null;
  picture.frame("latest", state.depth < end() ? item : null);
  picture.frame("selected", state.picked);
  showSolution();
  showDifferences();
  showDepth(item);
  if (state.picked !== null) byId("message").textContent = picture.describe(state.solution, state.picked, state.before);
}

function showSolution() {
  const [number, problems] = [state.solution + 1, picture.problems(state.solution)];
  if (document.activeElement !== byId("solution")) byId("solution").value = number;
  byId("solution-slider").value = number;
  byId("previous").disabled = state.solution === 0;
  byId("next").disabled = state.solution === last();
  byId("problems").hidden = !problems.length;
  byId("problems").textContent = problems.join("; ");
  const what = `${data.name}, ${data.word} ${number} of ${last() + 1}, ${byId("score").textContent}`;
  byId("picture").setAttribute("aria-label", what);
}

function showDifferences() {
  const compared = picture.compare(state.solution, state.differences ? state.before : null, state.depth);
  byId("differences-toggle").setAttribute("aria-pressed", state.differences);
  const number = picture.order(state.solution).length;
  const all = counted(number, picture.noun);
  let text = "";
  if (state.differences && state.before === null) text = `Go to another ${data.word} to see what differs`;
  else if (state.differences) text = `${compared} of ${all} differ from ${data.word} ${state.before + 1}`;
  if (text && compared && compared < number) text += ", the others are pale";
  byId("difference").textContent = text;
}

function showDepth(item) {
  const depth = state.depth;
  Object.assign(byId("depth-slider"), { max: end(), value: depth });
  byId("depth-text").textContent = `${depth} of ${end()}`;
  byId("back").disabled = depth === 0;
  byId("forward").disabled = depth >= end();
  byId("play-icon").setAttribute("d", run ? ICONS.pause : ICONS.play);
  byId("play-word").textContent = run ? "Pause" : "Play";
  byId("play").title = `${run ? "Pause" : "Play"} (space)`;
  if (!values.depths) return;
  highlight(depth);
  byId("at-depth").textContent = depthLines(depth, item);
  const rows = byId("scroll").querySelectorAll("tbody tr");
  rows.forEach((row, index) => row.classList.toggle("now", index === depth - 1));
  const now = rows[depth - 1];
  if (now) byId("scroll").scrollTop = now.offsetTop - byId("scroll").clientHeight / 2;
}

/** Two lines: depth 17, square C4; 6.81e5 predicted, 477 906 actual. */
function depthLines(depth, item) {
  if (!depth) return "depth 0\nno pieces placed";
  const [expected, actual] = [values.predicted[depth - 1], values.actual[depth - 1]];
  const parts = [];
  if (expected) parts.push(`${expected.text} predicted`);
  if (actual) parts.push(`${actual.text} actual`);
  return [`depth ${depth}`, picture.itemName(item)].filter(Boolean).join(", ") + `\n${parts.join(", ")}`;
}

function goTo(solution) {
  const wanted = Math.min(Math.max(solution, 0), last());
  if (wanted === state.solution) return show();
  const full = state.depth >= end();
  state.before = state.solution;
  state.solution = wanted;
  state.depth = full && !run ? end() : Math.min(state.depth, end());
  show();
}

function setDepth(depth) {
  state.depth = Math.min(Math.max(depth, 0), end());
  show();
}

function step(by) {
  run = null;
  setDepth(state.depth + by);
}

function playOrPause() {
  if (run) return step(0);
  if (state.depth >= end()) state.depth = 0;
  startRun();
  requestAnimationFrame(tick);
  show();
}

function startRun() {
  run = { from: state.depth, since: performance.now() };
}

function tick(now) {
  if (!run) return;
  const depth = run.from + Math.floor(((now - run.since) * speed()) / 1000);
  if (depth >= end()) {
    run = null;
    return setDepth(end());
  }
  if (depth > state.depth) setDepth(depth);
  requestAnimationFrame(tick);
}

function setSpeed(value) {
  const slider = byId("speed");
  slider.value = value;
  byId("speed-text").textContent = `${counted(speed(), "piece")} a second`;
  slider.setAttribute("aria-valuetext", byId("speed-text").textContent);
  if (run) startRun();
}

function pick(item) {
  state.picked = item === state.picked ? null : item;
  if (state.picked === null) byId("message").textContent = "";
  show();
}

/** Turns a class of the picture on or off, with its button. */
function toggleClass(button, name, pressedIsOn) {
  const pressed = byId(button).getAttribute("aria-pressed") !== "true";
  byId(button).setAttribute("aria-pressed", pressed);
  byId("picture").classList.toggle(name, pressed === pressedIsOn);
}

const actions = {
  previous: () => goTo(state.solution - 1),
  next: () => goTo(state.solution + 1),
  first: () => goTo(0),
  last: () => goTo(last()),
  back: () => step(-1),
  forward: () => step(1),
  play: playOrPause,
  faster: () => setSpeed(Number(byId("speed").value) + 1),
  slower: () => setSpeed(Number(byId("speed").value) - 1),
  numbers: () => toggleClass("numbers-toggle", "no-numbers", false),
  order: () => byId("order") && toggleClass("order-toggle", "with-order", true),
  differences() {
    if (last() === 0) return;
    state.differences = !state.differences;
    show();
  },
  forget: () => state.picked !== null && pick(state.picked),
  help: () => byId("help").showModal(),
};

const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play", ArrowUp: "forward",
  ArrowDown: "back", ".": "forward", ",": "back", "+": "faster", "=": "faster", "-": "slower", n: "numbers",
  o: "order", d: "differences", Escape: "forget", "?": "help",
};

// Keys with which the focused picture chooses a piece or a square, and the side on which that one lies.
const CHOICES = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };

/** Chooses the first piece or square, or the next one on a side. */
function choose(side) {
  const item = state.picked === null ? 0 : picture.beside(state.picked, side);
  if (item !== state.picked) pick(item);
}

/** Whether the focused element uses a key itself. */
function isTaken(target, key) {
  if (byId("help").open || target.closest('input[type="number"]')) return true;
  if (key === " " || key === "Enter") return target.closest("button, summary") !== null;
  return /^(Arrow|Home|End)/.test(key) && target.closest('input[type="range"], .scroll') !== null;
}

function onKey(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!(key in KEYS) || event.ctrlKey || event.altKey || event.metaKey || isTaken(event.target, key)) return;
  event.preventDefault();
  if (event.target === byId("picture") && key in CHOICES) choose(CHOICES[key]);
  else actions[KEYS[key]]();
}

/** Makes the picture a stop of the tabulator key. */
function connectPicture() {
  const attributes = { tabindex: 0, role: "application", "aria-describedby": "message" };
  for (const [name, value] of Object.entries(attributes)) byId("picture").setAttribute(name, value);
  // After a click the arrow keys still go to other solutions.
  byId("picture").addEventListener("mousedown", (event) => event.preventDefault());
}

function connectButtons() {
  const buttons = {
    previous: "previous", next: "next", back: "back", forward: "forward", play: "play", "help-open": "help",
    "numbers-toggle": "numbers", "order-toggle": "order", "differences-toggle": "differences",
  };
  for (const [id, action] of Object.entries(buttons)) {
    byId(id).addEventListener("click", actions[action]);
    // A click leaves the focus where it is, so that the space bar still plays.
    byId(id).addEventListener("mousedown", (event) => event.preventDefault());
  }
  byId("help-close").addEventListener("click", () => byId("help").close());
}

function connectFields() {
  byId("solution").addEventListener("change", (event) => {
    const number = Number(event.target.value);
    event.target.blur();
    goTo(Number.isInteger(number) && number ? number - 1 : state.solution);
  });
  byId("solution-slider").addEventListener("input", (event) => goTo(event.target.value - 1));
  byId("depth-slider").addEventListener("input", (event) => step(event.target.value - state.depth));
  byId("speed").addEventListener("input", (event) => setSpeed(event.target.value));
}

/** A swipe to the left goes to the next solution, like turning a page. */
function connectSwipes(stage) {
  let start = null;
  stage.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" || !event.isPrimary ? null : [event.clientX, event.clientY];
  });
  stage.addEventListener("pointercancel", () => (start = null));
  stage.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [across, down] = [event.clientX - start[0], event.clientY - start[1]];
    start = null;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) actions[across < 0 ? "next" : "previous"]();
  });
}

function fillTable() {
  const heads = ["depth", ...(picture.itemName(0) ? ["square"] : [])];
  const all = [["predicted", values.predicted], ["actual", values.actual]];
  const columns = all.filter(([, known]) => known.length);
  const row = (parent, tag, cells) => {
    const line = parent.appendChild(document.createElement("tr"));
    for (const cell of cells) line.appendChild(document.createElement(tag)).textContent = cell;
  };
  row(byId("scroll").querySelector("thead"), "th", [...heads, ...columns.map(([name]) => name)]);
  for (let depth = 1; depth <= values.depths; depth++) {
    const item = heads.length > 1 ? [data.names[data.order[depth - 1]]] : [];
    const numbers = columns.map(([, known]) => known[depth - 1]?.text ?? "");
    row(byId("scroll").querySelector("tbody"), "td", [depth, ...item, ...numbers]);
  }
}

/** Draws the chart in the available width, with its legend, table and note. */
function connectChart() {
  byId("effort").hidden = !values.depths;
  if (!values.depths) return;
  const both = values.predicted.length && values.actual.length;
  const actual = data.nodes.complete ? "actual" : "actual (lower bounds)";
  const words = values.predicted.length ? ["predicted", ...(both ? [actual] : [])] : [actual];
  words.forEach((word, index) => {
    const entry = byId("legend").appendChild(document.createElement("span"));
    entry.textContent = word;
    entry.className = index ? "line" : "";
  });
  const tiny = values.predicted.some(({ log }) => log !== null && log < CHART.lowest);
  const omitted = tiny ? "Values below a thousandth of a node are not drawn." : "";
  byId("note").textContent = `${data.nodes.note} ${omitted}`.trim();
  fillTable();
  new ResizeObserver(() => {
    highlight = drawChart(byId("chart"), values, (depth) => step(depth - state.depth));
    highlight(state.depth);
  }).observe(byId("chart"));
}

function begin() {
  byId("word").textContent = data.word;
  byId("of").textContent = `of ${grouped(last() + 1)}`;
  for (const id of ["solution", "solution-slider"]) byId(id).max = last() + 1;
  byId("solutions").hidden = byId("differences-toggle").hidden = last() === 0;
  byId("order-toggle").hidden = !byId("order");
  picture.pickable.forEach((element, item) => element.addEventListener("click", () => pick(item)));
  connectPicture();
  connectButtons();
  connectFields();
  connectSwipes(byId("stage"));
  connectChart();
  document.addEventListener("keydown", onKey);
  setSpeed(byId("speed").value);
  show();
}

begin();
