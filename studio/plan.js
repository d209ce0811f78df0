// The tab plan: the ways to a goal as bars, the runs, and curves.  Each is an element whose attribute `data` is JSON; all
// that comes from there is shown as text.

// A number that is known roughly.
function about(number, words) {
  if (number >= 1e9 || (number > 0 && number < 0.001)) return number.toExponential(1).replace("e+", "e");
  if (number < 1e6) return grouped(Number(number.toPrecision(2)));
  return filled(words, "million", { number: (number / 1e6).toPrecision(3) });
}
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");

// Seconds in the largest unit of which they are at least two.
function duration(seconds, units) {
  const [unit, length] = Object.entries(units).filter(([, one]) => one === 1 || seconds >= 2 * one).at(-1);
  if (seconds < 0.001) return `< 0.001 ${unit}`;
  const number = seconds / length;
  return `${number < 1e6 ? Number(number.toPrecision(length === 1 ? 2 : 3)) : number.toExponential(1).replace("e+", "e")} ${unit}`;
}

// Where the axis of times may have marks, for each unit.
const MARKS = { s: [0.001, 0.01, 0.1, 1, 10], min: [1, 10], h: [1, 10], d: [10], y: [1, 100] };
for (let power = 4; power < 300; power += 2) MARKS.y.push(Number(`1e${power}`));
const ticksOf = (units) => Object.entries(MARKS).flatMap(([unit, steps]) => steps.map((step) =>
  [Math.log10(step * units[unit]), `${step < 1e4 ? step : step.toExponential().replace("e+", "e")} ${unit}`]));
// Longer times are cut off, so that the others can be told apart.
const MOST_POWERS = 12;

// A table of the ways with their times as bars on one logarithmic axis; a click on a name chooses the way.
class Ways extends Shown {
  show({ ways, chosen, words, units }) {
    const able = ways.filter((way) => way.refused === null);
    const ends = able.filter((way) => way.seconds).map(({ seconds }) => [seconds.low, seconds.high].map(Math.log10));
    const start = Math.floor(Math.min(...ends.map(([low]) => low)) - 0.2);
    const end = Math.min(Math.ceil(Math.max(...ends.map(([, high]) => high)) + 0.2), start + MOST_POWERS);
    const at = (log) => (100 * Math.min(Math.max(log - start, 0), end - start)) / (end - start);
    const ticks = spaced(ticksOf(units).filter(([log]) => log >= start && log <= end), 5);
    const rows = able.map((way, number) => {
      const is = number === chosen;
      const button = made("button", { type: "button", "aria-pressed": is }, way.name);
      button.onclick = () => this.tell("choose", number);
      const bar = made("td", { class: "bar" });
      let told = words.not_known;
      if (way.races && way.score !== null) told = filled(words, "score", { score: Math.round(way.score) });
      if (way.seconds) {
        const [low, median, high] = ["low", "median", "high"].map((name) => at(Math.log10(way.seconds[name])));
        bar.append(
          ...ticks.map(([log]) => made("i", { style: `left: ${at(log)}%` })),
          made("span", { class: "median", style: `width: ${median}%` }),
          made("span", { class: "interval", style: `left: ${low}%; right: ${100 - high}%` }),
          made("span", { class: "unseen" }, filled(words, "to", {
            low: duration(way.seconds.low, units), high: duration(way.seconds.high, units),
          })),
        );
        bar.title = bar.textContent;
        told = duration(way.seconds.median, units);
      }
      return made("tr", is ? { class: "chosen" } : {}, made("th", { scope: "row" }, button), bar,
        made("td", { class: "number" }, told),
        made("td", { class: "number" }, way.nodes ? about(way.nodes.median, words) : ""));
    });
    const axis = made("td", { class: "axis" },
      ...(ends.length ? ticks : []).map(([log, told]) => made("span", { style: `left: ${at(log)}%` }, told)));
    const first = made("tr", { class: "scale", "aria-hidden": "true" }, made("td"), axis, made("td"), made("td"));
    const head = ["way", "predicted", "time", "cost"].map((name) => made("th", { scope: "col" }, words[name]));
    const wasOpen = this.querySelector("details")?.open;
    const focused = [...this.querySelectorAll("button")].indexOf(document.activeElement);
    const refused = ways.filter((way) => way.refused !== null);
    const [known, unknown] = [true, false].map((is) => rows.filter((_, number) => is === isKnown(able[number])));
    this.replaceChildren(
      made("table", {}, made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, first, ...known)),
      made("p", { class: "soft" }, words.automatic),
      ...folded(filled(words, "unknown", { number: unknown.length }), unknown.length && made("table", {}, ...unknown),
        wasOpen || !isKnown(able[chosen])),
      ...folded(filled(words, "refused", { number: refused.length }), refused.length &&
        made("ul", {}, ...refused.map((way) => made("li", {}, `${way.name}: ${way.refused}`)))),
    );
    this.hidden = !able.length;
    if (focused >= 0) this.querySelectorAll("button")[focused]?.focus();
  }
}

const isKnown = (way) => Boolean(way?.seconds) || way?.score != null;

// What is behind a fold, if there is anything.
function folded(title, content, isOpen = false) {
  if (!content) return [];
  return [made("details", isOpen ? { open: "" } : {}, made("summary", {}, title), content)];
}

// A picture that opens large in a window of its own.
function larger(words, image, address = "") {
  if (address) image.src = address;
  return made("a", { href: address, target: "_blank", title: words.larger }, image);
}

const ICONS = { waiting: "…", running: "▶", stopping: "■", done: "✓", stopped: "❙❙", failed: "✗", "cut off": "⚡" };

// A run: how far it is, what it found, and what can be done with it.
class Run extends Shown {
  show({ run, words, units }) {
    run.over = !["waiting", "running", "stopping"].includes(run.state);
    run.goal = run.act.name === "solve" && run.act.options.all ? "all" : run.act.name;
    // The address of the picture changes with the board.
    const board = (run.record?.best_board || run.record?.solutions?.length || run.best) && `${run.scores.length}-${run.over}`;
    const parts = this.parts ?? this.build(run, words);
    const state = words[run.state.replace(" ", "_")];
    this.dataset.state = run.state;
    parts.state.textContent = `${ICONS[run.state]} ${[state, ...this.told(run, words, units)].join(" · ")}`;
    parts.bar.hidden = run.over;
    parts.bar.value = run.progress?.done ?? 0;
    if (board && board !== this.board) parts.board.src = parts.large.href = `run/${run.number}?of=${board}`;
    this.board = board;
    parts.large.hidden = !board;
    parts.scores.hidden = run.scores.length < 2;
    if (run.scores.length > 1) {
      const last = [run.seconds, run.scores.at(-1)[1]];
      parts.scores.show({ lines: [{ points: steps([...run.scores, last]) }], x: words.seconds, label: words.scores });
    }
    const [first, ...more] = run.words.split("\n");
    parts.first.textContent = first.replace(/:$/, ".");
    parts.more.textContent = more.join("\n");
    parts.details.hidden = !more.length;
    parts.notices.textContent = run.notices.join("\n");
    const files = run.files.join("\n");
    if (files !== this.files) {
      this.files = files;
      parts.files.replaceChildren(...run.files.flatMap((name) => [made("a", { href: fileAddress(name), download: "" }, name),
        ...(name.endsWith(".svg") ? [larger(words, made("img", { alt: name }), `${fileAddress(name)}?shown=true`)] : [])]));
    }
    const may = { stop: !run.over && run.state !== "stopping", go_on: run.may_go_on, open: run.over && board,
      remove: run.over };
    for (const [name, is] of Object.entries(may)) parts[name].hidden = !is;
    this.showDepths(run, words);
  }

  build(run, words) {
    const parts = { state: made("p", { class: "state", "aria-live": "polite" }), bar: made("progress", { max: 1 }) };
    for (const name of ["first", "notices", "files", "actions", "pictures"]) parts[name] = made("div", { class: name });
    parts.more = made("pre");
    parts.details = made("details", {}, made("summary", {}, words.details), parts.more);
    parts.board = made("img", { alt: filled(words, "board", run) });
    parts.large = larger(words, parts.board);
    parts.scores = made("studio-curve");
    parts.depths = made("studio-curve");
    parts.pictures.append(parts.large, parts.scores, parts.depths);
    for (const name of ["stop", "go_on", "open", "same", "remove"]) {
      parts[name] = made("button", { type: "button" }, words[name]);
      parts[name].onclick = () => this.tell("act", name);
      parts.actions.append(parts[name]);
    }
    const title = filled(words, "title", { ...run, goal: words[run.goal] ?? run.goal });
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", title);
    this.replaceChildren(made("h3", {}, title), parts.state, parts.bar, parts.first, parts.details, parts.notices,
      parts.pictures, parts.files, parts.actions);
    // One that was just started is shown, also where the list is below the window.
    if (!run.over && run.seconds < 1) this.scrollIntoView({ block: "nearest" });
    return (this.parts = parts);
  }

  // How far a run is.
  told(run, words, units) {
    const told = run.seconds ? [duration(run.seconds, units)] : [];
    const now = run.progress;
    if (!now || run.state === "waiting" || (run.over && run.state !== "cut off")) return told;
    if (now.note && !now.nodes) return [...told, now.note];
    told.push(filled(words, "part", { part: (100 * now.done).toFixed(1) }));
    const nodes = { nodes: about(now.nodes, words), expected: about(now.expected ?? 0, words) };
    if (now.nodes) told.push(filled(words, now.expected === null ? "nodes" : "nodes_of", nodes));
    if (now.scores?.[0] != null) told.push(filled(words, "score_of", { score: now.scores[0], most: now.scores[1] }));
    else if (now.solutions) told.push(filled(words, "solutions", { number: about(now.solutions, words) }));
    // At the speed so far, without the part that was done before.
    const left = (now.seconds * (1 - now.done)) / (now.done - now.found);
    if (left > 0 && left < Infinity && !run.over) told.push(filled(words, "left", { time: duration(left, units) }));
    return told;
  }

  async showDepths(run, words) {
    const { engine, goal, options = {}, nodes_by_depth: nodes = [] } = run.record ?? {};
    const shown = JSON.stringify(nodes);
    this.parts.depths.hidden = !run.over || !nodes.some((number) => number);
    if (shown === this.depths || this.parts.depths.hidden) return;
    this.depths = shown;
    let expected = [];
    // The prediction is of the whole tree, which other goals do not search.
    if (engine === "backtrack" && options.order && ["all", "count"].includes(goal)) {
      const { order, slips = "", symmetry = true } = options;
      const source = encodeURIComponent(run.act.given[0]);
      const answer = await fetch(`depths/${source}?${new URLSearchParams({ order, slips, symmetry })}`);
      if (answer.ok) expected = await answer.json();
    }
    const logs = nodes.map((number) => (number ? Math.log10(number) : null));
    const points = (values) => values.flatMap((log, at) => (log === null ? [] : [[at + 1, log]]));
    const lines = [
      { name: words.expected, points: points(expected.slice(0, logs.length)) },
      { name: words.found, points: points(logs), marks: true },
    ];
    const used = lines.filter((line) => line.points.length);
    this.parts.depths.show({ lines: used, log: true, x: words.depth, label: words.depths });
  }
}

// The corners of a curve that stays until the next point.
const steps = (points) => points.flatMap((point, at) => (at ? [[point[0], points[at - 1][1]], point] : [point]));

// At most so many of the items, evenly spread.
function spaced(items, most) {
  const step = Math.ceil(items.length / most);
  return items.filter((_, number) => number % step === 0);
}

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 48;
const BOTTOM = 30;

// Curves of numbers, or of decimal logarithms if `log`.
class Curve extends Shown {
  show({ lines, log, x, label }) {
    const points = lines.flatMap((line) => line.points);
    if (!points.length) return this.replaceChildren();
    const [left, right] = range(points.map((point) => point[0]), 0);
    const [low, high] = range(points.map((point) => point[1]), log ? 0 : 0.05);
    const across = (value) => LEFT + ((value - left) / (right - left)) * (WIDTH - LEFT - 8);
    const up = (value) => HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - BOTTOM - 18);
    const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
    for (const value of marks(low, high, 4)) {
      svg.append(drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: up(value), y2: up(value) }));
      svg.append(drawn("text", { x: LEFT - 5, y: up(value) + 3, "text-anchor": "end" }, log ? power(value) : short(value)));
    }
    for (const value of marks(left, right, 6))
      svg.append(drawn("text", { x: across(value), y: HEIGHT - BOTTOM + 12, "text-anchor": "middle" }, short(value)));
    svg.append(drawn("text", { x: (LEFT + WIDTH) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, x));
    svg.append(drawn("text", { x: LEFT, y: 8 }, label));
    for (const line of lines) {
      const place = ([a, b]) => `${across(a).toFixed(1)},${up(b).toFixed(1)}`;
      if (line.marks) {
        for (const [a, b] of line.points) {
          const told = `${short(a)}: ${log ? short(10 ** b) : short(b)}`;
          svg.append(drawn("circle", { class: "found", cx: across(a), cy: up(b), r: 2.2 }, drawn("title", {}, told)));
        }
      } else {
        svg.append(drawn("polyline", { class: "curve", points: line.points.map(place).join(" ") }));
      }
    }
    const legend = lines.length < 2 ? [] : lines.map((line) =>
      made("span", { class: line.marks ? "key found" : "key" }, line.name));
    this.replaceChildren(svg, made("div", { class: "legend" }, ...legend));
  }
}

function drawn(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The ends of an axis for these numbers.
function range(values, margin) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const more = (high - low) * margin || (high === low ? 0.5 : 0);
  return [low - more, high + more];
}

// Round numbers between the ends, about so many.
function marks(low, high, number) {
  const rough = (high - low) / number;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].map((factor) => factor * unit).find((one) => one >= rough), 1);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
  return found;
}

const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].entries()) };
const power = (value) => `10${[...String(Math.round(value))].map((digit) => RAISED[digit]).join("")}`;
const short = (value) =>
  Math.abs(value) >= 1e6 ? value.toExponential(1).replace("e+", "e") : String(Math.round(value * 10) / 10);

customElements.define("studio-ways", Ways);
customElements.define("studio-curve", Curve);
customElements.define("studio-run", Run);
