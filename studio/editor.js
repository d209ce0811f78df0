// The tab editor: paper on which pieces are painted cell by cell, or drawn corner by corner.
//
// Points are in steps of the paper, [i, j]; on triangular paper the second step goes up at 60 degrees.  A cell is
// [i, j, half]: its corner, and on triangular paper which of two triangles.

const SIZE = { squares: [16, 11], triangles: [14, 11] };
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const COLORS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e69f00", "#999933", "#88a0d0", "#cc6699"];
const TARGET = "target";
const CELL = 34;
const EMPTY = { paper: "squares", cells: {}, polygons: [] };
const EXAMPLES = {
  rectangle: { paper: "squares", rows: ["AAAB", "ACBB", "CCDD"] },
  tangram: { paper: "squares", pieces: [
    [[0, 0], [4, 0], [2, 2]], [[0, 0], [2, 2], [0, 4]], [[2, 4], [4, 2], [4, 4]], [[2, 2], [3, 1], [4, 2], [3, 3]],
    [[3, 1], [4, 0], [4, 2]], [[1, 3], [2, 2], [3, 3]], [[0, 4], [1, 3], [3, 3], [2, 4]],
  ] },
  triangle: { paper: "triangles", pieces: [
    [[0, 0], [2, 0], [1, 1], [0, 1]], [[2, 0], [3, 0], [1, 2], [1, 1]], [[0, 3], [0, 1], [1, 1], [1, 2]],
  ] },
};

const keyOf = (parts) => parts.join(",");

/** The corners of a cell, in order. */
function corners(paper, [i, j, half]) {
  if (paper === "squares") return [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
  return half ? [[i + 1, j], [i + 1, j + 1], [i, j + 1]] : [[i, j], [i + 1, j], [i, j + 1]];
}

/** The outlines of some cells: the edges that only one of them has, as closed lines. */
function outlines(paper, cells) {
  const edges = new Map();
  for (const cell of cells) {
    const points = corners(paper, cell);
    points.forEach((point, index) => {
      const next = points[(index + 1) % points.length];
      if (!edges.delete(`${keyOf(next)}>${keyOf(point)}`)) edges.set(`${keyOf(point)}>${keyOf(next)}`, [point, next]);
    });
  }
  const found = [];
  while (edges.size) {
    const [[first, [start]]] = edges;
    const line = [];
    let edge = edges.get(first);
    edges.delete(first);
    while (edge) {
      line.push(edge[0]);
      const here = keyOf(edge[1]);
      if (here === keyOf(start)) break;
      const [next] = [...edges.keys()].filter((key) => key.startsWith(`${here}>`));
      edge = edges.get(next);
      edges.delete(next);
    }
    found.push(line.filter((point, index) => !isStraight(line.at(index - 1), point, line[(index + 1) % line.length])));
  }
  return found;
}

function isStraight([a, b], [c, d], [e, f]) {
  return (c - a) * (f - d) === (d - b) * (e - c);
}

/** Twice the area in squares; on triangular paper the number of triangles. */
function doubleArea(points) {
  return Math.abs(points.reduce((sum, [i, j], index) => {
    const [k, l] = points[(index + 1) % points.length];
    return sum + i * l - j * k;
  }, 0));
}

export default {
  props: { texts: Object, kept: String },

  template: `
<div class="editor">
  <div class="sheet">
    <div class="row-of-tools" role="toolbar" :aria-label="texts.tools">
      <q-btn-toggle v-model="paper" no-caps dense :options="choices('squares', 'triangles')" :aria-label="texts.paper" />
      <q-btn-toggle v-model="tool" no-caps dense :options="choices('paint', 'corners', 'erase')" :aria-label="texts.tool" />
      <q-btn outline dense icon="undo" :aria-label="texts.undo" :disable="!past.length" @click="undo" />
      <q-btn outline dense icon="redo" :aria-label="texts.redo" :disable="!future.length" @click="redo" />
      <q-btn outline dense no-caps :label="texts.clear" @click="change({ ...EMPTY, paper: state.paper })" />
    </div>
    <div class="letters" role="radiogroup" :aria-label="texts.piece">
      <button v-for="letter in letters" :key="letter" type="button" role="radio" :aria-checked="letter === piece" :class="{ chosen: letter === piece }"
        :style="{ background: color(letter), color: letter === target ? 'inherit' : '#fff' }" @click="piece = letter">{{ letter === target ? texts.target : letter }}</button>
    </div>
    <svg class="paper" ref="paper" :viewBox="view" tabindex="0" role="application" :aria-label="texts.paper_help"
      @pointerdown="press" @pointermove="move" @pointerup="release" @pointercancel="release" @keydown="type">
      <path class="grid" :d="grid" />
      <path v-for="(shape, index) in shapes" :key="index" :d="path(shape.points, true)" :fill="color(shape.letter)" :class="{ outline: shape.letter === target }" class="shape" />
      <text v-for="(shape, index) in shapes" :key="'t' + index" v-bind="middle(shape.label ?? shape.points)">{{ shape.letter === target ? '' : shape.letter }}</text>
      <path v-if="open.length" class="open" :d="path(open)" />
      <circle v-for="(point, index) in open" :key="'o' + index" :cx="place(point)[0]" :cy="place(point)[1]" r="5" class="corner" />
      <path v-if="tool === 'corners'" class="cursor" :d="ring" /><path v-else class="cursor" :d="path(corners(state.paper, cursor), true)" />
    </svg>
    <p class="soft">{{ texts[tool + '_help'] }}</p>
    <div class="row-of-tools"><span class="soft">{{ texts.examples }}</span>
      <q-btn v-for="name in Object.keys(EXAMPLES)" :key="name" flat dense no-caps :label="texts[name]" @click="example(name)" /></div>
  </div>
  <div class="verdict">
    <p class="score" role="status">{{ areas }}</p>
    <p v-for="fault in [...broken, ...faults]" :key="fault" class="warned" role="alert">{{ fault }}</p>
    <p v-if="isSound" class="good"><q-icon name="check_circle" /> {{ texts.sound }}</p>
    <q-input v-model="name" dense outlined :label="texts.name" />
    <q-toggle v-model="noFlip" :label="texts.no_flip" @update:model-value="send" />
    <div class="board-buttons">
      <q-btn v-for="(icon, then) in buttons" :key="then" outline no-caps :icon="icon" :label="texts[then]" :disable="!isSound" :loading="busy === then" @click="save(then)" />
    </div>
    <p v-if="answer" class="words" role="status">{{ answer }}</p>
    <template v-if="file">
      <a :href="address(file)" download>{{ file }}</a>
      <img v-if="file.endsWith('.svg')" :src="address(file) + '?shown=true&' + version" :alt="file" class="answer">
    </template>
  </div>
</div>`,

  data() {
    return {
      EMPTY, EXAMPLES, target: TARGET, state: EMPTY, past: [], future: [], tool: "paint", piece: "A", open: [],
      cursor: [0, 0, 0], isPainting: false, faults: [], isJudged: false, name: "my-puzzle", noFlip: false,
      answer: "", file: "", version: 0, busy: "",
      buttons: { save: "save", count: "tag", all: "grid_view", board: "extension", forms: "pentagon", handout: "print" },
    };
  },

  mounted() {
    try {
      if (this.kept) ({ state: this.state, name: this.name, noFlip: this.noFlip } = JSON.parse(this.kept));
    } catch {
      this.state = EMPTY;
    }
    this.send();
  },

  computed: {
    paper: {
      get() { return this.state.paper; },
      set(paper) { this.change({ ...EMPTY, paper }); },
    },
    letters() {
      const used = new Set([...Object.values(this.state.cells), ...this.state.polygons.map(({ letter }) => letter), this.piece]);
      const last = Math.max(...[...used].map((letter) => LETTERS.indexOf(letter)), 0);
      return [...LETTERS.slice(0, Math.max(last + 2, 4)), TARGET];
    },
    /** The outlines that are drawn: of painted pieces, and the polygons. */
    shapes() {
      const groups = new Map();
      for (const [key, letter] of Object.entries(this.state.cells)) {
        groups.set(letter, [...groups.get(letter) ?? [], key.split(",").map(Number)]);
      }
      const painted = [...groups].flatMap(([letter, cells]) => outlines(this.state.paper, cells)
        .map((points) => ({ letter, points, label: corners(this.state.paper, cells[0]) })));
      const all = [...painted, ...this.state.polygons];
      return [...all.filter(({ letter }) => letter === TARGET), ...all.filter(({ letter }) => letter !== TARGET)];
    },
    drawing() {
      const pieces = this.shapes.filter(({ letter }) => letter !== TARGET).map(({ points }) => points);
      const target = this.shapes.find(({ letter }) => letter === TARGET)?.points ?? null;
      return { paper: this.state.paper, pieces, target, no_flip: this.noFlip };
    },
    /** What the browser sees itself: pieces in several parts. */
    broken() {
      const times = {};
      for (const { letter } of this.shapes) times[letter] = (times[letter] ?? 0) + 1;
      return Object.entries(times).filter(([, number]) => number > 1)
        .map(([letter]) => this.texts.parts.replace("{piece}", letter === TARGET ? this.texts.target : letter));
    },
    areas() {
      const { pieces, target, paper } = this.drawing;
      const unit = paper === "squares" ? 2 : 1;
      const sum = pieces.reduce((all, points) => all + doubleArea(points), 0) / unit;
      const said = this.texts[target ? "areas" : "area"];
      return said.replace("{pieces}", pieces.length).replace("{area}", sum)
        .replace("{target}", target ? doubleArea(target) / unit : "").replace("{unit}", this.texts[paper]);
    },
    isSound() {
      return this.isJudged && !this.faults.length && !this.broken.length && this.drawing.pieces.length > 0;
    },
    view() {
      const [width, height] = this.extent();
      return `-8 -8 ${width + 16} ${height + 16}`;
    },
    grid() {
      const { paper } = this.state;
      return this.allCells().map((cell) => this.path(corners(paper, cell), true)).join("");
    },
    ring() {
      const [x, y] = this.place(this.cursor);
      return `M${x - 9} ${y}a9 9 0 1 0 18 0a9 9 0 1 0 -18 0`;
    },
  },

  methods: {
    address: (name) => fileAddress(name),
    corners,
    choices(...keys) {
      return keys.map((value) => ({ label: this.texts[value], value }));
    },
    color(letter) {
      return letter === TARGET ? "transparent" : COLORS[LETTERS.indexOf(letter) % COLORS.length];
    },
    extent() {
      const [across, down] = SIZE[this.state.paper];
      return [across * CELL, down * CELL * (this.state.paper === "squares" ? 1 : Math.sqrt(0.75))];
    },
    /** Where a point is on the paper: from the top left, downwards. */
    place([i, j]) {
      return this.state.paper === "squares" ? [CELL * i, CELL * j] : [CELL * (i + j / 2), CELL * Math.sqrt(0.75) * j];
    },
    allCells() {
      const [across, down] = SIZE[this.state.paper];
      const cells = [];
      for (let j = 0; j < down; j++) {
        for (let i = -down; i < across; i++) {
          for (const half of this.state.paper === "squares" ? [0] : [0, 1]) {
            const isOn = corners(this.state.paper, [i, j, half]).every((point) => {
              const [x] = this.place(point);
              return x >= -0.01 && x <= CELL * across + 0.01;
            });
            if (isOn) cells.push([i, j, half]);
          }
        }
      }
      return cells;
    },
    path(points, isClosed = false) {
      return `M${points.map((point) => this.place(point).map((number) => number.toFixed(1)).join(" ")).join("L")}${isClosed ? "Z" : ""}`;
    },
    middle(points) {
      const places = points.map((point) => this.place(point));
      const [x, y] = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
      return { x, y: y + 5 };
    },

    /** The point of the paper under the pointer, in steps with fractions. */
    under({ clientX, clientY }) {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.$refs.paper.getScreenCTM().inverse());
      if (this.state.paper === "squares") return [x / CELL, y / CELL];
      const j = y / CELL / Math.sqrt(0.75);
      return [x / CELL - j / 2, j];
    },
    press(event) {
      this.$refs.paper.setPointerCapture(event.pointerId);
      if (this.tool === "corners") {
        this.cursor = [...this.under(event).map(Math.round), 0];
        this.addCorner();
        return;
      }
      this.isPainting = true;
      this.remember();
      this.move(event);
    },
    move(event) {
      if (!this.isPainting) return;
      const [i, j] = this.under(event);
      const [a, b] = [Math.floor(i), Math.floor(j)];
      const half = this.state.paper === "triangles" && i - a + j - b > 1 ? 1 : 0;
      this.cursor = [a, b, half];
      this.paintCell([i, j]);
    },
    release() {
      if (this.isPainting) this.send();
      this.isPainting = false;
    },
    paintCell(point) {
      if (!this.allCells().some((cell) => keyOf(cell) === keyOf(this.cursor))) return;
      const cells = { ...this.state.cells };
      let { polygons } = this.state;
      if (this.tool === "erase") {
        delete cells[keyOf(this.cursor)];
        polygons = polygons.filter(({ points }) => !this.isInside(points, point));
      } else cells[keyOf(this.cursor)] = this.piece;
      this.state = { ...this.state, cells, polygons };
    },
    isInside(points, [x, y]) {
      return points.reduce((inside, [a, b], index) => {
        const [c, d] = points.at(index - 1);
        return (b > y) !== (d > y) && x < ((c - a) * (y - b)) / (d - b) + a ? !inside : inside;
      }, false);
    },
    addCorner() {
      const point = this.cursor.slice(0, 2);
      if (this.open.length > 2 && keyOf(point) === keyOf(this.open[0])) {
        const letter = this.piece;
        const points = this.open;
        this.open = [];
        this.change({ ...this.state, polygons: [...this.state.polygons, { letter, points }] });
        if (letter !== TARGET) this.piece = LETTERS[(LETTERS.indexOf(letter) + 1) % LETTERS.length];
      } else if (!this.open.some((other) => keyOf(other) === keyOf(point))) this.open = [...this.open, point];
    },
    type(event) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (event.ctrlKey || event.metaKey) {
        if (event.key === "z") this.undo();
        else if (event.key === "y") this.redo();
        else return;
      } else if (step) this.step(step);
      else if (event.key === "Enter" || event.key === " ") {
        if (this.tool === "corners") this.addCorner();
        else {
          this.remember();
          const points = corners(this.state.paper, this.cursor);
          this.paintCell([0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length));
          this.send();
        }
      } else if (event.key === "Escape") this.open = [];
      else return;
      event.preventDefault();
    },
    step([across, down]) {
      let [i, j, half] = this.cursor;
      if (this.state.paper === "triangles" && this.tool !== "corners" && across) {
        half += across;
        if (half < 0 || half > 1) [i, half] = [i + across, 1 - Math.min(Math.max(half, 0), 1)];
      } else i += across;
      j += down;
      const isOn = this.tool === "corners" ? true : this.allCells().some((cell) => keyOf(cell) === keyOf([i, j, half]));
      if (isOn && j >= 0) this.cursor = [i, j, half];
    },

    remember() {
      this.past.push(this.state);
      this.future = [];
    },
    change(state) {
      this.remember();
      this.state = state;
      this.open = [];
      this.send();
    },
    undo() {
      if (this.open.length) this.open = this.open.slice(0, -1);
      else if (this.past.length) {
        this.future.push(this.state);
        this.state = this.past.pop();
        this.send();
      }
    },
    redo() {
      if (!this.future.length) return;
      this.past.push(this.state);
      this.state = this.future.pop();
      this.send();
    },
    example(name) {
      const { paper, rows, pieces } = EXAMPLES[name];
      const cells = {};
      for (const [j, row] of (rows ?? []).entries()) for (const [i, letter] of [...row].entries()) cells[keyOf([i + 1, j + 1, 0])] = letter;
      const polygons = (pieces ?? []).map((points, index) => ({ letter: LETTERS[index], points: points.map(([i, j]) => [i + 1, j + 1]) }));
      this.name = name;
      this.change({ paper, cells, polygons });
    },

    send() {
      this.isJudged = false;
      const paper = JSON.stringify({ state: this.state, name: this.name, noFlip: this.noFlip });
      this.$emit("ask", { what: "drawn", paper, drawing: { ...this.drawing, pieces: this.broken.length ? [] : this.drawing.pieces } });
    },
    judged(faults) {
      [this.faults, this.isJudged] = [faults, true];
    },
    save(then) {
      this.busy = then;
      this.$emit("ask", { what: "save", name: this.name, drawing: this.drawing, then });
    },
    told(answer, file) {
      [this.answer, this.file, this.busy] = [answer, file, ""];
      this.version += 1;
    },
  },
};
