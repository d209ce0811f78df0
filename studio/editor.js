// The tab editor: paper on which pieces are painted cell by cell, or drawn corner by corner.
//
// Points are in steps of the paper, [i, j]; on triangular paper the second step goes up at 60 degrees.  A cell is
// [i, j, half]: its corner, and on triangular paper which of two triangles.

// The least size of the paper: what lies further out makes it larger.
const SIZE = { squares: [16, 11], triangles: [14, 11] };
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const COLORS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e69f00", "#999933", "#88a0d0", "#cc6699"];
const TARGET = "target";
const CELL = 34;
// How far apart points are, in steps, at which one looks for cells under a line.
const FINE = 0.1;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Where a fault is, as messages say it.
const PLACE = / (?:at|near) \((-?[\d.e+-]+), (-?[\d.e+-]+)\)/;
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

// Where the browser keeps the drawing of a window; the pages of a handout.
const KEPT = "jigsat-paper";
const PAGES = ["a4", "a3", "a5", "letter", "legal"];

const keyOf = (parts) => parts.join(",");

/** An empty drawing.  Its mark tells its files from others. */
function empty(paper) {
  const parts = crypto.getRandomValues(new Uint32Array(4));
  return { paper, cells: {}, polygons: [], mark: [...parts].map((part) => part.toString(36).padStart(7, "0")).join("") };
}

/** What belongs to a new drawing. */
const fresh = (name = "my-puzzle", noFlip = false) => ({ name, noFlip, results: [] });

/** Whether something kept is a drawing. */
function isDrawing(state) {
  return Boolean(SIZE[state?.paper] && state.cells && Array.isArray(state.polygons) && typeof state.mark === "string");
}

/** A cell from its key. */
const cellOf = (key) => key.split(",").map(Number);

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
  props: { texts: Object, kept: String, opens: String, steps: Object, sketch: Object },

  template: `
<div class="editor">
  <div class="sheet">
    <div class="row-of-tools" role="toolbar" :aria-label="texts.tools">
      <q-btn-toggle v-model="paper" no-caps dense :options="choices('squares', 'triangles')" :aria-label="texts.paper" />
      <q-btn-toggle v-model="tool" no-caps dense :options="choices('paint', 'corners', 'move', 'erase')" :aria-label="texts.tool" />
      <q-btn outline dense icon="undo" :aria-label="texts.undo" :disable="!past.length" @click="undo" />
      <q-btn outline dense icon="redo" :aria-label="texts.redo" :disable="!future.length" @click="redo" />
      <q-btn outline dense no-caps icon="delete" :label="deleted" :disable="!isUsed(piece)" @click="remove" />
      <q-btn outline dense no-caps icon="note_add" :label="texts.clear" @click="begin(empty(state.paper))" />
      <q-btn v-if="opens" outline dense no-caps icon="file_open" :label="texts.opens.replace('{name}', opens)" @click="$emit('ask', { what: 'open' })" />
    </div>
    <div class="letters" role="radiogroup" :aria-label="texts.piece" @keydown="choose">
      <button v-for="letter in letters" :key="letter" type="button" role="radio" :aria-checked="letter === piece" :tabindex="letter === piece ? 0 : -1"
        :class="{ chosen: letter === piece, colored: letter !== target }" :style="{ background: color(letter) }" @click="piece = letter">{{ letter === target ? texts.target : letter }}</button>
    </div>
    <svg class="paper" ref="paper" :viewBox="view" tabindex="0" role="application" :aria-label="texts.paper_help"
      :class="tool" @pointerdown="press" @pointermove="drag" @pointerup="release" @pointercancel="release" @keydown="type">
      <path class="grid" :d="grid" />
      <path v-for="(shape, index) in shapes" :key="index" :d="path(shape.points, true)" :fill="color(shape.letter)" :class="{ outline: shape.letter === target }" class="shape" />
      <text v-for="(shape, index) in shapes" :key="'t' + index" v-bind="middle(shape.label ?? shape.points)">{{ shape.letter === target ? '' : shape.letter }}</text>
      <path v-if="open.length" class="open" :d="path(open)" />
      <circle v-for="(point, index) in open" :key="'o' + index" :cx="place(point)[0]" :cy="place(point)[1]" r="5" class="corner" />
      <path v-for="(mark, index) in marks" :key="'m' + index" class="fault" :d="mark" />
      <path v-if="tool === 'corners'" class="cursor" :d="ring" />
      <path v-else-if="tool !== 'move'" class="cursor" :d="path(corners(state.paper, cursor), true)" />
    </svg>
    <p v-if="isAside" class="note" role="status">{{ texts.put_aside }} <q-btn outline dense no-caps :label="texts.bring_back" @click="undo" /></p>
    <p class="unseen" aria-live="polite">{{ spot }}</p>
    <p class="soft">{{ texts[tool + '_help'] }}</p>
    <div class="row-of-tools"><span class="soft">{{ texts.examples }}</span>
      <q-btn v-for="name in Object.keys(EXAMPLES)" :key="name" flat dense no-caps :label="texts[name]" @click="example(name)" /></div>
  </div>
  <div class="verdict">
    <p class="score" role="status">{{ areas }}</p>
    <div role="alert"><p v-for="fault in [...broken, ...faults]" :key="fault" class="warned">{{ fault.replace(PLACE, "") }}</p></div>
    <p v-if="isChecking" class="soft" role="status"><q-spinner /> {{ texts.checking }}</p>
    <p v-if="isSound" class="good"><q-icon name="check_circle" /> {{ sound }}</p>
    <p v-for="doubt in doubts" :key="doubt" class="warned">{{ doubt }}</p>
    <q-input v-model="name" dense outlined debounce="400" :label="texts.name" @update:model-value="post" />
    <q-toggle v-model="noFlip" :label="texts.no_flip" @update:model-value="send" />
    <div class="board-buttons">
      <q-btn v-for="(icon, then) in buttons" :key="then" outline no-caps :icon="icon" :label="texts[then]" :disable="!isSound" :loading="isBusy(then)" @click="save(then)" />
    </div>
    <p v-if="!isSound" class="soft">{{ texts[isChecking ? "wait" : used.size ? "mend" : "begin"] }}</p>
    <details class="handout"><summary>{{ texts.handout_options }}</summary>
      <div class="row-of-tools">
        <q-input v-model.number="handout.sets" type="number" min="1" max="100" dense outlined :label="texts.sets" :error="!isSets" :error-message="texts.sets_wrong" hide-bottom-space />
        <q-select v-model="handout.page" dense outlined emit-value map-options :options="pages" :label="texts.page" />
      </div>
      <q-toggle v-model="handout.solution" :label="texts.solution" />
      <p class="soft">{{ numbering }}</p>
    </details>
    <p v-if="answer" class="words" role="status">{{ answer }}</p>
    <section v-for="result in own.results" :key="result.then" class="result" :aria-label="texts[result.then]">
      <h3 class="heading">{{ texts[result.then] }} <small v-if="result.shape !== shape" class="soft">{{ texts.earlier }}</small></h3>
      <p class="words" role="status">{{ result.said }}</p>
      <template v-if="result.file">
        <a :href="address(result.file)" download>{{ result.file }}</a>
        <a v-if="result.file.endsWith('.svg')" :href="address(result.file) + '?shown=true'" target="_blank" :title="texts.larger"><img
          :src="address(result.file) + '?shown=true&' + result.version" :alt="result.file" class="answer"></a>
      </template>
    </section>
  </div>
</div>`,

  data() {
    const state = empty("squares");
    return {
      EXAMPLES, PLACE, target: TARGET, state, about: { [state.mark]: fresh() }, isAside: false, outline: null,
      handout: { sets: 1, page: "a4", solution: true }, past: [], future: [], tool: "paint", piece: "A", open: [],
      cursor: [0, 0, 0], last: null, held: null, faults: [], isJudged: false, spot: "", answer: "",
      buttons: { save: "save", count: "tag", all: "grid_view", board: "extension", forms: "pentagon", handout: "print" },
    };
  },

  mounted() {
    // Each window has its own paper; a new one begins with the last drawing.
    for (const kept of [this.kept, sessionStorage.getItem(KEPT)]) {
      try {
        const { state, own } = JSON.parse(kept);
        if (!isDrawing(state) || !Array.isArray(own.results)) continue;
        const results = own.results.filter(({ run, over }) => run || over);
        [this.state, this.about[state.mark]] = [state, { name: String(own.name), noFlip: own.noFlip === true, results }];
      } catch {
        // There is none yet.
      }
    }
    this.$props.sketch ? this.opened(this.sketch.name, this.sketch.drawing) : this.send();
    for (const { run, then, over } of this.own.results) if (!over) this.follow(run, then, this.state.mark);
  },

  computed: {
    paper: {
      get() { return this.state.paper; },
      set(paper) { this.begin(empty(paper)); },
    },
    /** What belongs to this drawing: its name, a rule, and results, the latest first. */
    own() {
      return this.about[this.state.mark];
    },
    name: {
      get() { return this.own.name; },
      set(name) { this.own.name = name; },
    },
    noFlip: {
      get() { return this.own.noFlip; },
      set(noFlip) { this.own.noFlip = noFlip; },
    },
    pages() {
      return PAGES.map((value) => ({ label: this.texts[value] ?? value.toUpperCase(), value }));
    },
    isSets() {
      const { sets } = this.handout;
      return Number.isInteger(sets) && sets >= 1 && sets <= 100;
    },
    /** Which number on a sheet is which letter: a file of a puzzle has no names of pieces. */
    numbering() {
      const pieces = Object.keys(this.drawing.pieces).map((letter, index) => `${index + 1} = ${letter}`);
      return filled(this.texts, "numbering", { pieces: pieces.join(", ") });
    },
    /** The drawing as a text, without what only names it. */
    shape() {
      return JSON.stringify(this.drawing);
    },
    isChecking() {
      return !this.isJudged && !this.broken.length && Object.keys(this.drawing.pieces).length > 0;
    },
    sound() {
      if (this.drawing.target) return this.texts.sound_target;
      return this.texts[this.doubts.length ? "sound_odd" : "sound"];
    },
    /** What is unusual about the outline of a puzzle, and perhaps a slip. */
    doubts() {
      if (!this.isSound || !this.outline || this.drawing.target) return [];
      const [parts, holes] = this.outline;
      const found = parts > 1 ? [filled(this.texts, "in_parts", { number: parts })] : [];
      return holes ? [...found, filled(this.texts, holes > 1 ? "holes" : "hole", { number: holes })] : found;
    },
    /** How many steps the paper is wide and high. */
    size() {
      const { paper, cells, polygons } = this.state;
      const points = [...polygons.flatMap((one) => one.points), ...Object.keys(cells).flatMap((key) => corners(paper, cellOf(key)))];
      return SIZE[paper].map((least, axis) => Math.max(least, ...points.map(([i, j]) => Math.ceil(
        axis ? j : paper === "triangles" ? i + j / 2 : i,
      ))));
    },
    /** The keys of all cells. */
    onPaper() {
      return new Set(this.allCells().map(keyOf));
    },
    used() {
      return new Set([...Object.values(this.state.cells), ...this.state.polygons.map(({ letter }) => letter)]);
    },
    deleted() {
      return this.piece === TARGET ? this.texts.delete_target : this.texts.delete.replace("{piece}", this.piece);
    },
    letters() {
      const used = new Set([...this.used, this.piece]);
      const last = Math.max(...[...used].map((letter) => LETTERS.indexOf(letter)), 0);
      return [...LETTERS.slice(0, Math.max(last + 2, 4)), TARGET];
    },
    /** The outlines that are drawn: of painted pieces, and the polygons. */
    shapes() {
      const groups = new Map();
      for (const [key, letter] of Object.entries(this.state.cells)) {
        groups.set(letter, [...groups.get(letter) ?? [], cellOf(key)]);
      }
      const painted = [...groups].flatMap(([letter, cells]) => outlines(this.state.paper, cells)
        .map((points) => ({ letter, points, label: corners(this.state.paper, cells[0]) })));
      const all = [...painted, ...this.state.polygons];
      return [...all.filter(({ letter }) => letter === TARGET), ...all.filter(({ letter }) => letter !== TARGET)];
    },
    drawing() {
      const { paper, mark } = this.state;
      const order = ({ letter: one }, { letter: other }) => LETTERS.indexOf(one) - LETTERS.indexOf(other);
      const pieces = Object.fromEntries(this.shapes.filter(({ letter }) => letter !== TARGET).sort(order).map(({ letter, points }) => [letter, points]));
      const target = this.shapes.find(({ letter }) => letter === TARGET)?.points ?? null;
      return { paper, pieces, target, no_flip: this.noFlip, mark };
    },
    /** What the browser sees itself: pieces in several parts, and those in the same place. */
    broken() {
      const [times, places, found] = [{}, {}, []];
      for (const { letter, points } of this.shapes) {
        times[letter] = (times[letter] ?? 0) + 1;
        const place = points.map(keyOf).sort().join(" ");
        if (letter !== TARGET && places[place] && places[place] !== letter) {
          found.push(filled(this.texts, "same", { piece: places[place], other: letter }));
        } else if (letter !== TARGET) places[place] = letter;
      }
      const parts = Object.entries(times).filter(([, number]) => number > 1)
        .map(([letter]) => filled(this.texts, "parts", { piece: letter === TARGET ? this.texts.target : letter }));
      return [...parts, ...found];
    },
    areas() {
      const { target, paper } = this.drawing;
      const unit = paper === "squares" ? 2 : 1;
      const shapes = this.shapes.filter(({ letter }) => letter !== TARGET);
      const area = shapes.reduce((sum, { points }) => sum + doubleArea(points), 0) / unit;
      const number = new Set(shapes.map(({ letter }) => letter)).size;
      return filled(this.texts, target ? "areas" : "area", {
        area, pieces: number === 1 ? this.texts.one_piece : filled(this.texts, "pieces", { number }),
        target: target && doubleArea(target) / unit, unit: this.texts[area === 1 && !target ? `one_${paper}` : paper],
      });
    },
    /** Crosses where faults are. */
    marks() {
      const scale = CELL / this.steps[this.state.paper];
      return this.faults.map((fault) => PLACE.exec(fault)).filter(Boolean)
        .map(([, x, y]) => `M${x * scale - 7} ${y * scale - 7}l14 14m-14 0l14 -14`);
    },
    isSound() {
      return this.isJudged && !this.faults.length && !this.broken.length && this.shapes.some(({ letter }) => letter !== TARGET);
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
    empty,
    choices(...keys) {
      return keys.map((value) => ({ label: this.texts[value], value }));
    },
    color(letter) {
      return letter === TARGET ? "transparent" : COLORS[LETTERS.indexOf(letter) % COLORS.length];
    },
    extent() {
      const [across, down] = this.size;
      return [across * CELL, down * CELL * (this.state.paper === "squares" ? 1 : Math.sqrt(0.75))];
    },
    /** Where a point is on the paper: from the top left, downwards. */
    place([i, j]) {
      return this.state.paper === "squares" ? [CELL * i, CELL * j] : [CELL * (i + j / 2), CELL * Math.sqrt(0.75) * j];
    },
    allCells() {
      const [across, down] = this.size;
      const cells = [];
      for (let j = 0; j < down; j++) {
        for (let i = -down; i < across; i++) {
          for (const half of this.state.paper === "squares" ? [0] : [0, 1]) {
            if (corners(this.state.paper, [i, j, half]).every(this.isOnPaper)) cells.push([i, j, half]);
          }
        }
      }
      return cells;
    },
    middleOf(cell) {
      const points = corners(this.state.paper, cell);
      return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    },
    isOnPaper([i, j]) {
      const x = this.state.paper === "squares" ? i : i + j / 2;
      return x >= 0 && x <= this.size[0] && j >= 0 && j <= this.size[1];
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
      const point = this.under(event);
      if (this.tool === "corners") {
        const corner = point.map(Math.round);
        if (!this.isOnPaper(corner)) return;
        this.cursor = [...corner, 0];
        this.addCorner();
        return;
      }
      if (this.tool === "move") {
        const letter = this.letterAt(point);
        if (!letter) return;
        this.piece = letter;
        this.held = { letter, point, state: this.state };
        return;
      }
      this.remember();
      this.last = point;
      this.drag(event);
    },
    drag(event) {
      const point = this.under(event);
      if (this.held) {
        const { letter, point: from, state } = this.held;
        const moved = this.moved(state, letter, point.map((number, axis) => Math.round(number - from[axis])));
        if (moved) this.state = moved;
      } else if (this.last) {
        this.paintAlong(this.last, point);
        this.last = point;
      }
    },
    release() {
      if (this.held && this.held.state !== this.state) {
        this.past.push(this.held.state);
        this.future = [];
        this.send();
      }
      if (this.last) this.send();
      this.held = this.last = null;
    },
    /** Paint or erase the cells on a line. */
    paintAlong(from, to) {
      const number = Math.ceil(Math.max(...to.map((end, axis) => Math.abs(end - from[axis]))) / FINE) || 1;
      const cells = { ...this.state.cells };
      let { polygons } = this.state;
      for (let part = 0; part <= number; part++) {
        const point = from.map((start, axis) => start + ((to[axis] - start) * part) / number);
        const cell = this.cellAt(point);
        if (!this.onPaper.has(keyOf(cell))) continue;
        this.cursor = cell;
        if (this.tool === "erase") {
          delete cells[keyOf(cell)];
          polygons = polygons.filter(({ points }) => !this.isInside(points, point));
        } else cells[keyOf(cell)] = this.piece;
      }
      this.state = { ...this.state, cells, polygons };
    },
    cellAt([i, j]) {
      const [a, b] = [Math.floor(i), Math.floor(j)];
      return [a, b, this.state.paper === "triangles" && i - a + j - b > 1 ? 1 : 0];
    },
    /** What lies at a point: a piece, or else the target. */
    letterAt(point) {
      const found = this.state.polygons.filter(({ points }) => this.isInside(points, point)).map(({ letter }) => letter);
      const painted = this.state.cells[keyOf(this.cellAt(point))];
      const all = [...(painted ? [painted] : []), ...found];
      return all.filter((letter) => letter !== TARGET).at(-1) ?? all[0];
    },
    /** A drawing in which a piece was moved; nothing if it leaves the paper, or lies on what is painted. */
    moved(state, letter, [across, down]) {
      const cells = Object.fromEntries(Object.entries(state.cells).filter(([, other]) => other !== letter));
      for (const [key, other] of Object.entries(state.cells)) {
        const [i, j, half] = cellOf(key);
        const at = keyOf([i + across, j + down, half]);
        if (other !== letter) continue;
        if (!this.onPaper.has(at) || cells[at]) return null;
        cells[at] = letter;
      }
      const polygons = state.polygons.map((one) => one.letter !== letter ? one
        : { letter, points: one.points.map(([i, j]) => [i + across, j + down]) });
      const isOn = polygons.every((one) => one.letter !== letter || one.points.every(this.isOnPaper));
      return isOn ? { ...state, cells, polygons } : null;
    },
    isUsed(letter) {
      return this.used.has(letter);
    },
    remove() {
      if (!this.isUsed(this.piece)) return;
      this.change({
        ...this.state, cells: Object.fromEntries(Object.entries(this.state.cells).filter(([, letter]) => letter !== this.piece)),
        polygons: this.state.polygons.filter(({ letter }) => letter !== this.piece),
      });
    },
    isInside(points, [x, y]) {
      return points.reduce((inside, [a, b], index) => {
        const [c, d] = points.at(index - 1);
        return (b > y) !== (d > y) && x < ((c - a) * (y - b)) / (d - b) + a ? !inside : inside;
      }, false);
    },
    addCorner() {
      const point = this.cursor.slice(0, 2);
      if (!this.open.length && this.piece !== TARGET && this.isUsed(this.piece) && !this.nextLetter()) {
        this.answer = filled(this.texts, "most", { number: LETTERS.length });
        return;
      }
      if (this.open.length > 2 && keyOf(point) === keyOf(this.open[0])) {
        const [letter, points] = [this.piece, this.open];
        this.change({ ...this.state, polygons: [...this.state.polygons, { letter, points }] });
        if (letter !== TARGET) this.nextLetter();
      } else if (!this.open.some((other) => keyOf(other) === keyOf(point))) this.open = [...this.open, point];
    },
    /** Choose another letter by an arrow key. */
    choose(event) {
      const step = ARROWS[event.key];
      if (!step) return;
      const { letters } = this;
      this.piece = letters[(letters.indexOf(this.piece) + step[0] + step[1] + letters.length) % letters.length];
      this.$nextTick(() => this.$el.querySelector(".letters .chosen").focus());
      event.preventDefault();
    },
    /** Choose the next letter that no piece has; false if there is none. */
    nextLetter() {
      const free = [...LETTERS].filter((letter) => !this.isUsed(letter));
      this.piece = free.find((letter) => LETTERS.indexOf(letter) > LETTERS.indexOf(this.piece)) ?? free[0] ?? this.piece;
      return free.length > 0;
    },
    type(event) {
      const step = ARROWS[event.key];
      if (event.ctrlKey || event.metaKey) {
        if (event.key === "z") this.undo();
        else if (event.key === "y") this.redo();
        else return;
      } else if (step && this.tool === "move") {
        const moved = this.isUsed(this.piece) && this.moved(this.state, this.piece, step);
        if (moved) this.change(moved);
      } else if (step) this.step(step);
      else if (event.key === "Enter" || event.key === " ") {
        if (this.tool === "corners") this.addCorner();
        else if (this.tool !== "move") {
          this.remember();
          const middle = this.middleOf(this.cursor);
          this.paintAlong(middle, middle);
          this.saySpot();
          this.send();
        }
      } else if (event.key === "Delete" || event.key === "Backspace") this.remove();
      else if (event.key === "Escape") this.open = [];
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
      if (this.tool === "corners" ? this.isOnPaper([i, j]) : this.onPaper.has(keyOf([i, j, half]))) this.cursor = [i, j, half];
      this.saySpot();
    },
    /** Where the mark is, for screen readers. */
    saySpot() {
      const [i, j, half] = this.cursor;
      const letter = this.tool === "corners" ? "" : this.letterAt(this.middleOf(this.cursor)) ?? this.texts.blank;
      this.spot = filled(this.texts, this.tool === "corners" ? "corner_spot" : "cell_spot", {
        column: 1 + (this.state.paper === "squares" ? i : this.tool === "corners" ? i + Math.floor(j / 2) : 2 * i + half + j),
        row: j + 1,
        what: letter === TARGET ? this.texts.target : letter,
      });
    },

    remember() {
      this.isAside = false;
      this.past.push(this.state);
      this.future = [];
    },
    change(state) {
      this.remember();
      this.state = state;
      this.open = [];
      this.send();
    },
    /** Begin another drawing; a note offers the one before. */
    begin(state, name, noFlip) {
      const isAside = this.used.size > 0;
      this.about[state.mark] = fresh(name, noFlip);
      this.change(state);
      this.isAside = isAside;
    },
    undo() {
      this.isAside = false;
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
      this.begin({ ...empty(paper), cells, polygons }, name);
    },
    /** A puzzle takes the place of the drawing. */
    opened(name, { paper, pieces, target, no_flip: noFlip }) {
      const polygons = Object.entries({ ...(target ? { target } : {}), ...pieces }).map(([letter, points]) => ({ letter, points }));
      this.begin({ ...empty(paper), polygons }, name, noFlip);
      [this.piece, this.tool] = ["A", "move"];
    },

    send() {
      this.isJudged = false;
      this.post();
    },
    /** Send what is there; a new name changes no judgement, so that the buttons stay as they are. */
    post() {
      // An empty paper does not take the place of the last drawing.
      const kept = this.keep(), paper = this.used.size ? kept : "";
      this.$emit("ask", { what: "drawn", paper, drawing: { ...this.drawing, ...(this.broken.length ? { pieces: {}, target: null } : {}) } });
      if (this.broken.length || !Object.keys(this.drawing.pieces).length) this.faults = [];
    },
    keep() {
      const kept = JSON.stringify({ state: this.state, own: this.own });
      sessionStorage.setItem(KEPT, kept);
      return kept;
    },
    judged(faults, outline) {
      [this.faults, this.outline, this.isJudged] = [faults, outline, true];
    },
    isBusy(then) {
      return this.own.results.some((one) => one.then === then && !one.over);
    },
    save(then) {
      if (then === "handout" && !this.isSets) return;
      const { own, name, drawing, shape, handout: { solution, ...asked } } = this;
      const handout = solution ? asked : { ...asked, sheets: "target,cut" };
      this.answer = "";
      own.results = [{ then, shape, said: "", file: "", over: false }, ...own.results.filter((one) => one.then !== then)];
      this.$emit("ask", { what: "save", name, drawing, then, handout });
    },
    follow(run, then, mark) {
      this.$emit("ask", { what: "follow", run, then, mark });
    },
    /** What a button has done, for the drawing with this mark. */
    told(mark, then, { name, ...told }) {
      const own = this.about[mark], result = own?.results.find((one) => one.then === then);
      if (!result) return;
      Object.assign(result, { over: !told.run, version: Date.now(), ...told });
      own.name = name ?? own.name;
      if (!result.said && !result.file) own.results = own.results.filter((one) => one !== result);
      if (!result.over) this.follow(result.run, then, mark);
      this.keep();
    },
  },
};
