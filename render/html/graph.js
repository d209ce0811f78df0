// The page of a graph of tilings: dots show their tilings, lines play their moves.

const data = JSON.parse(byId("data").textContent);
const KNOWN = { local: "#2b62b8", global: "#e07a1f" };
const COLORS = ["#1e6e4c", "#6b3fa0", "#7a4a22", "#8f1f33"];
const SECONDS = 1.4;

const colorOf = (kind) => KNOWN[kind] || COLORS[data.kinds.indexOf(kind) % COLORS.length];
const beside = data.places.map(() => new Map());
data.edges.forEach(([one, other], number) => {
  beside[one].set(other, number);
  beside[other].set(one, number);
});

const lines = [];
const dots = [];
const pieces = [];
let chosen = 0;
let last = null;
let frame = 0;

function drawGraph() {
  const graph = byId("graph");
  graph.setAttribute("viewBox", `0 0 ${data.size[0]} ${data.size[1]}`);
  for (const [cluster, cx, cy, r] of data.discs) {
    const disc = svgElement(graph, "circle", { class: "disc", cx, cy, r });
    svgElement(disc, "title", {}, `cluster ${cluster + 1}`);
  }
  data.edges.forEach(([one, other, kind], number) => {
    const [[x1, y1], [x2, y2]] = [data.places[one], data.places[other]];
    const ends = { x1, y1, x2, y2 };
    lines.push(svgElement(graph, "line", { class: "line", stroke: colorOf(data.kinds[kind]), ...ends }));
    const hit = svgElement(graph, "line", { class: "hit", "data-edge": number, ...ends });
    svgElement(hit, "title", {}, `${data.kinds[kind]}: tilings ${one + 1} and ${other + 1}`);
    hit.addEventListener("click", () => play(number, chosen === other));
  });
  const cores = new Set(data.cores);
  data.places.forEach(([cx, cy], vertex) => {
    const core = cores.has(vertex);
    const shape = { class: core ? "dot core" : "dot", cx, cy, r: core ? 7 : 5, "data-vertex": vertex };
    const dot = svgElement(graph, "circle", shape);
    svgElement(dot, "title", {}, described(vertex));
    dot.addEventListener("pointerenter", () => show(vertex));
    dot.addEventListener("pointerleave", () => show(chosen));
    dot.addEventListener("click", () => pick(vertex));
    dots.push(dot);
  });
}

function described(vertex) {
  const cluster = data.clusters.length ? `, cluster ${data.clusters[vertex] + 1}` : "";
  return `tiling ${vertex + 1}${cluster}, ${counted(beside[vertex].size, "move")}`;
}

function drawTiling() {
  const [width, height] = data.box;
  const picture = byId("tiling");
  picture.setAttribute("viewBox", `-4 -4 ${width + 8} ${height + 8}`);
  const still = svgElement(picture, "g");
  const moving = svgElement(picture, "g", { class: "moving" });
  data.fills.forEach((fill, piece) => {
    const shape = svgElement(still, "polygon", { fill });
    svgElement(shape, "title", {}, piecesInWords(data, [piece]));
    pieces.push({ shape, still, moving });
  });
  for (const points of data.target) svgElement(picture, "polygon", { points, fill: "none", "stroke-width": 3 });
}

/** Shows a tiling, unless a move is played. */
function show(vertex) {
  if (frame) return;
  place(vertex, []);
  byId("caption").textContent = described(vertex)[0].toUpperCase() + described(vertex).slice(1);
}

/** Places all pieces of a tiling; those of a move's parts come to lie on top, with a transformation. */
function place(vertex, transformed) {
  const moves = new Map(transformed.flatMap(([some, transform]) => some.map((piece) => [piece, transform])));
  pieces.forEach(({ shape, still, moving }, piece) => {
    shape.setAttribute("points", data.tilings[vertex][piece]);
    const transform = moves.get(piece);
    (transform ? moving : still).appendChild(shape);
    if (transform) shape.setAttribute("transform", transform);
    else shape.removeAttribute("transform");
  });
}

/** The transformation of a part of a move after a fraction of the way. */
function transformation([, turned, angle, x, y, u, v], part) {
  const [cos, sin] = [Math.cos(turned ? angle : part * angle), Math.sin(turned ? angle : part * angle)];
  const across = 1 - 2 * part;
  const [a, b, c, d] = turned
    ? [cos * cos + across * sin * sin, (1 - across) * cos * sin, (1 - across) * cos * sin, sin * sin + across * cos * cos]
    : [cos, sin, -sin, cos];
  const [p, q] = [x + part * (u - x), y + part * (v - y)];
  return `matrix(${[a, b, c, d, p - a * x - c * y, q - b * x - d * y].join(" ")})`;
}

/** Plays the move of an edge from its first tiling to the second one, or back. */
function play(edge, backwards) {
  const [one, other, kind, parts] = data.edges[edge];
  cancelAnimationFrame(frame);
  frame = 0;
  last = [edge, backwards];
  const [from, to] = backwards ? [other, one] : [one, other];
  choose(to);
  byId("again").disabled = false;
  byId("caption").textContent = `From tiling ${from + 1} to tiling ${to + 1}`;
  byId("move").textContent = moveInWords(data, kind, parts);
  const begun = performance.now();
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const step = (now) => {
    const passed = still ? 1 : Math.min(Math.max(now - begun, 0) / (1000 * SECONDS), 1);
    const eased = (1 - Math.cos(Math.PI * passed)) / 2;
    const part = backwards ? 1 - eased : eased;
    place(one, parts.map((each) => [each[0], transformation(each, part)]));
    frame = passed < 1 ? requestAnimationFrame(step) : 0;
  };
  frame = requestAnimationFrame(step);
}

/** Chooses a vertex, or plays the move that leads there from the chosen one. */
function pick(vertex) {
  const edge = beside[chosen].get(vertex);
  if (edge !== undefined) play(edge, data.edges[edge][0] === vertex);
  else {
    cancelAnimationFrame(frame);
    frame = 0;
    choose(vertex);
    byId("move").textContent = "";
    show(vertex);
  }
}

function choose(vertex) {
  chosen = vertex;
  byId("number").value = vertex + 1;
  dots.forEach((dot, other) => {
    dot.classList.toggle("chosen", other === vertex);
    dot.classList.toggle("beside", beside[vertex].has(other));
  });
  lines.forEach((line, edge) => line.classList.toggle("near", data.edges[edge].slice(0, 2).includes(vertex)));
  listMoves();
}

/** Lists the moves of the chosen tiling, for keys and screen readers. */
function listMoves() {
  const moves = byId("moves");
  const hadFocus = moves.contains(document.activeElement);
  moves.replaceChildren(...[...beside[chosen]].map(([other, edge]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = choiceInWords(data, data.edges[edge][2], other);
    button.addEventListener("click", () => pick(other));
    return button;
  }));
  moves.hidden = !moves.children.length;
  if (hadFocus) moves.firstElementChild.focus();
}

function drawLegend() {
  const counts = data.kinds.map((kind, number) => data.edges.filter((edge) => edge[2] === number).length);
  data.kinds.forEach((kind, number) => {
    const entry = document.createElement("p");
    const sample = svgElement(entry, "svg", { width: 28, height: 10, viewBox: "0 0 28 10", "aria-hidden": "true" });
    svgElement(sample, "line", { x1: 0, y1: 5, x2: 28, y2: 5, stroke: colorOf(kind), "stroke-width": 3 });
    entry.append(` ${kindInWords(data, number, counts[number])}`);
    byId("legend").append(entry);
  });
  byId("legend").hidden = !data.kinds.length;
}

drawGraph();
drawTiling();
drawLegend();
byId("number").max = data.places.length;
byId("previous").addEventListener("click", () => pick((chosen + data.places.length - 1) % data.places.length));
byId("next").addEventListener("click", () => pick((chosen + 1) % data.places.length));
byId("number").addEventListener("change", (event) => {
  const wanted = Math.min(Math.max(Math.round(Number(event.target.value)) || 1, 1), data.places.length);
  pick(wanted - 1);
});
byId("again").addEventListener("click", () => last && play(...last));
choose(0);
show(0);
