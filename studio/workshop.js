// The tab workshop: its steps, and what they ask of the server with the event `ask`, which answers by `tell`.

// The least, the most, the step and the start of the sliders of a sheet.
const SLIDERS = {
  size: [8, 80, 1, 25],
  curves: [0, 60, 1, 0],
  margin: [0, 40, 1, 10],
  kerf: [0, 1, 0.05, 0.15],
  fit: [-0.3, 0.5, 0.05, 0],
};
const TARGET = [30, 500, 5, 120];
const FILES = {
  print: "print",
  scissors: "content_cut",
  svg: "polyline",
  dxf: "architecture",
  pdf: "picture_as_pdf",
  png: "image",
  strip: "straighten",
  photo: "photo_camera",
  play: "extension",
  whole: "folder_zip",
  puzzle: "save",
};
// The files that the settings of the sheet determine, and those of which the shape of the tabs does.
const SET = ["print", "scissors", "svg", "dxf", "pdf", "png", "strip"];
const SHAPED = ["photo", "play"];
// The most rows and columns, and pieces with photographs.
const MOST = 1024;
// The least and the most rows of the first of two boards.
const BOARDS = [4, 32];
// Milliseconds between two questions while a slider moves.
const PERIOD = 60;
// What a reload of the page keeps.
const KEPT = "jigsat-workshop";

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

// What is wrong, beside what it is about, until it is closed.
const fault = {
  props: { why: String, close: String },
  emits: ["close"],
  template: `
<p v-if="why" class="fault bad" role="alert"><span>{{ why }}</span>
  <q-btn flat round dense size="sm" icon="close" :aria-label="close" @click="$emit('close')" /></p>`,
};

export default {
  components: { fault },
  props: { texts: Object, puzzle: Object, uploads: Object, brought: Array },

  template: `
<div class="workshop">
  <q-tabs v-model="step" dense no-caps align="left" class="steps">
    <q-tab v-for="(each, index) in steps" :key="each" :name="each" :label="index + 1 + '. ' + texts[each]" />
  </q-tabs>

  <section v-show="step === 'make'" class="bench" role="tabpanel" :aria-label="texts.make">
    <form class="form" novalidate @submit.prevent="blocked || ask(source, wishes)">
      <q-btn-toggle v-model="source" spread no-caps :options="choices('numbers', 'photos')" />
      <div class="numbers">
        <q-input v-for="(least, name) in numbers" :key="name" v-model.number="make[name]" type="number" :min="least" step="1" required
          :label="name === 'rows' && make.two_boards ? texts.side : texts[name]" :hint="name === 'seed' ? texts.seed_hint : undefined"
          :error="Boolean(faults[name])" :error-message="faults[name]" />
      </div>
      <q-toggle v-model="make.two_boards" :label="texts.two_boards" />
      <small v-if="make.two_boards && !faults.rows">{{ fill('two_boards_hint', { rows: make.rows, less: make.rows - 1, more: make.rows + 1 }) }}</small>
      <template v-if="source === 'photos'">
        <label>{{ texts.weight }}</label>
        <q-btn-toggle v-model="make.weight" spread dense no-caps :aria-label="texts.weight" :options="weights" />
        <q-toggle v-model="make.grey" :label="texts.grey" />
        <q-toggle v-if="!make.two_boards" v-model="make.no_stay" :label="texts.no_stay" />
        <q-toggle v-model="make.thorough" :label="texts.thorough" />
      </template>
      <q-btn type="submit" color="primary" no-caps icon="auto_fix_high" :label="texts.make_it" :disable="Boolean(blocked)" />
      <small v-if="blocked" role="status">{{ blocked }}</small>
      <div aria-live="polite"><template v-for="run in makes" :key="run.number">
        <div class="run">
          <b>{{ run.about }}</b>
          <q-linear-progress v-if="!run.over" :value="run.done" :aria-label="texts.working" />
          <span class="words">{{ said(run) }}</span>
          <q-btn v-if="run.made" outline no-caps icon="visibility" :label="texts.open" @click="act(run, 'open')" />
          <q-btn v-if="run.state === 'stopped'" flat no-caps :label="texts.go_on" @click="act(run, 'go_on')" />
          <q-btn v-if="!run.over" flat no-caps :label="texts.stop" :disable="run.state === 'stopping'" @click="act(run, 'stop')" />
        </div>
      </template></div>
    </form>
    <div class="sight">
      <template v-if="source === 'numbers'">
        <p>{{ texts.sample }}</p>
        <div class="pair"><img v-for="(way, index) in sample" :src="way" :key="index" alt=""></div>
      </template>
      <template v-else>
        <p>{{ texts.photos_intro }}</p>
        <div class="pair">
          <div v-for="which in ['first', 'second']" :key="which" class="photograph">
            <photo-crop :src="photos[which]?.src" :at="photos[which]?.at" :ratio="ratios[which]"
              :hint="fill('drop', { which: texts[which] })" :name="fill('frame', { which: texts[which] })"
              @crop="crop(which, $event.detail)" @photo="upload(which, $event.detail)" />
            <fault :why="wrong[which]" :close="texts.close" @close="wrong[which] = ''" />
            <template v-if="photos[which]">
              <small>{{ texts.crop }}</small>
              <q-btn flat dense no-caps :label="texts.another" @click="choose($event)" />
            </template>
          </div>
        </div>
        <q-btn v-if="!photos.first && !photos.second" flat no-caps :label="texts.example" @click="example" />
        <div aria-live="polite" :class="{ stale: looking }">
          <b v-if="looking">{{ texts.looking }}</b>
          <b v-else-if="seen.verdict && !wrong.foresee">{{ fill('preview', { verdict: texts[seen.verdict] }) }}</b>
          <fault :why="wrong.foresee" :close="texts.close" @close="wrong.foresee = ''" />
          <img v-if="seen.src" :src="seen.src" class="seen" :alt="texts[seen.verdict]">
        </div>
      </template>
    </div>
  </section>

  <section v-show="step === 'look'" role="tabpanel" :aria-label="texts.look" class="look">
    <p v-if="puzzle && !puzzle.ways">{{ texts.no_way }}</p>
    <p v-else-if="!ways.length && !wrong.ways">{{ texts.working }}</p>
    <fault :why="wrong.ways" :close="texts.close" @close="wrong.ways = ''" />
    <div class="pair">
      <figure v-for="(way, index) in ways" :key="index">
        <img :src="way" :alt="fill('way', { number: index + 1 })">
        <figcaption>{{ fill('way', { number: index + 1 }) }}</figcaption>
      </figure>
    </div>
    <q-btn v-if="ways.length" outline no-caps icon="fullscreen" :label="texts.present" @click="present" />
    <dialog ref="present" class="present" :aria-label="texts.present" @close="unpresent">
      <div class="shown"><img v-for="(way, index) in ways.slice(0, 2)" :key="index" :src="way" :alt="fill('way', { number: index + 1 })"></div>
      <button type="button" @click="$refs.present.close()">{{ texts.close }}</button>
    </dialog>
    <template v-if="proof.number">
      <b class="good">{{ fill(proof.boards ? 'proved_boards' : proof.number === 1 ? 'proved_one' : 'proved', { number: proof.number }) }}</b>
      <p>{{ texts.proved_how }}</p>
      <q-btn color="primary" no-caps icon="folder_zip" :label="texts.proof" :loading="taking === 'proof'" @click="take('proof')" />
      <a v-for="name in made.proof" :key="name" :href="address(name)" download>{{ name }}</a>
    </template>
    <q-btn v-else-if="proof.number === 0" color="primary" no-caps icon="verified" :label="texts.prove" @click="ask('prove')" />
    <div aria-live="polite"><template v-for="run in proofs" :key="run.number">
      <div class="run">
        <q-linear-progress v-if="!run.over" :value="run.done" :aria-label="texts.working" />
        <b class="words">{{ said(run) }}</b>
        <q-btn v-if="!run.over" flat no-caps :label="texts.stop" :disable="run.state === 'stopping'" @click="act(run, 'stop')" />
      </div>
    </template></div>
  </section>

  <section v-show="step === 'sheet'" class="bench picture-first" role="tabpanel" :aria-label="texts.sheet">
    <div class="form">
      <template v-for="(range, name) in sliders" :key="name">
        <template v-if="name === 'fit'">
          <q-toggle v-model="sheet.apart" :label="texts.apart" />
          <small>{{ texts.apart_hint }}</small>
        </template>
        <div v-if="sheet.apart || name !== 'fit'" class="measure">
          <label :for="'measure-' + name">{{ label(name) }}</label>
          <span><input :id="'measure-' + name" type="number" :value="sheet[name]" :min="range[0]" :max="range[1]" :step="range[2]"
            @change="type(name, $event)"> {{ name === 'curves' ? '' : 'mm' }}</span>
          <q-btn v-if="name === 'curves'" outline dense no-caps icon="autorenew" :label="texts.another_shape"
            @click="sheet.curves = (sheet.curves + 1) % (range[1] + 1)" />
          <input v-else v-model.number="sheet[name]" type="range" :min="range[0]" :max="range[1]" :step="range[2]"
            :aria-label="label(name)" :aria-valuetext="measured(name)">
          <template v-if="name === 'fit'"><small>{{ texts.tight }}</small><small>{{ texts.loose }}</small></template>
          <fault :why="wrong[name]" :close="texts.close" @close="wrong[name] = ''" />
        </div>
      </template>
      <div v-if="puzzle?.art" class="measure"><span>{{ texts.curves }}</span><small>{{ texts.curves_painted }}</small></div>
      <q-select v-model="sheet.page" :label="texts.page" emit-value map-options
        :options="[{ label: texts.page_none, value: null }, ...pages]" />
      <q-toggle v-model="sheet.numbers" :label="texts.numbers_on" />
      <small>{{ texts.numbers_hint }}</small>
    </div>
    <div class="sight">
      <div aria-live="polite"><b class="told">{{ wrong.sheet ? '' : told }}</b></div>
      <p v-if="wrong.sheet" class="bad">{{ wrong.sheet }}</p>
      <template v-else>
        <p v-for="note in drawn.notes" :key="note" class="warned">{{ note }}</p>
        <div class="sheets"><img v-for="(page, index) in drawn.pages" :key="index" :src="page" :alt="texts.sheet"></div>
        <details v-if="drawn.facts.length" class="facts">
          <summary>{{ texts.facts }}</summary>
          <ul><li v-for="fact in drawn.facts" :key="fact">{{ fact }}</li></ul>
        </details>
      </template>
    </div>
  </section>

  <section v-show="step === 'files'" role="tabpanel" :aria-label="texts.files">
    <div class="takeaway">
      <q-card v-for="(icon, key) in files" :key="key" flat bordered class="takes">
        <q-btn flat no-caps align="left" color="primary" :icon="icon" :label="texts[key]" :loading="taking === key"
          :disable="Boolean(untaken(key))" @click="take(key)" />
        <p>{{ texts[key + (key === 'puzzle' && puzzle?.art ? '_without' : '_for')] }}</p>
        <p v-if="untaken(key) || settings(key)"><small>{{ untaken(key) || settings(key) }}</small></p>
        <fault :why="wrong['take-' + key]" :close="texts.close" @close="wrong['take-' + key] = ''" />
        <a v-for="name in made[key]" :key="name" :href="address(name)" download>{{ name }}</a>
      </q-card>
    </div>
    <details v-if="puzzle?.files.length">
      <summary>{{ texts.all_files }}</summary>
      <ul><li v-for="name in puzzle.files" :key="name"><a :href="address(name)" download>{{ name }}</a></li></ul>
    </details>
  </section>
</div>`,

  beforeCreate() {
    this.waiting = {};
    // The photographs that were there before the page was loaded again.
    this.again = {};
  },

  mounted() {
    // Below it, pictures stay in sight while one scrolls.
    this.$el.style.setProperty("--head", `${document.querySelector(".q-header").offsetHeight}px`);
    document.addEventListener("fullscreenchange", this.left);
    const slots = { ...kept().photos };
    for (const [index, name] of this.brought.entries()) {
      const free = ["first", "second"].find((which) => !slots[which]);
      slots[free ?? ["first", "second"][index % 2]] = { name };
    }
    this.again = slots;
    for (const [which, { name }] of Object.entries(slots)) this.ask("again", { which, name });
  },

  unmounted() {
    document.removeEventListener("fullscreenchange", this.left);
  },

  data() {
    const old = kept(), isSame = old.opened === (this.puzzle?.source ?? "");
    const start = (range) => range[3];
    const sheet = Object.fromEntries(Object.entries(SLIDERS).map(([name, range]) => [name, start(range)]));
    if (this.puzzle?.kind === "dissection") sheet.size = start(TARGET);
    return {
      step: !this.puzzle || this.brought.length ? "make" : (isSame && old.step) || (this.puzzle.kind === "jigsaw" ? "look" : "sheet"),
      source: this.brought.length ? "photos" : old.source ?? "numbers",
      make: { rows: 6, columns: 6, two_boards: false, solutions: 2, seed: 0, weight: 0.5, grey: false, no_stay: false, thorough: false, ...old.make },
      photos: {},
      seen: {},
      looking: false,
      wrong: {},
      proof: {},
      sample: [],
      ways: [],
      runs: {},
      sheet: { ...sheet, apart: false, page: null, numbers: false, ...(isSame && old.sheet) },
      pages: ["A4", "Letter", "A3"].map((label) => ({ label, value: label.toLowerCase() })),
      drawn: { pages: [], sizes: [], facts: [], notes: [] },
      made: {},
      taking: "",
    };
  },

  computed: {
    weights() {
      const values = { weight_first: 0.65, weight_same: 0.5, weight_second: 0.35 };
      return Object.entries(values).map(([name, value]) => ({ value, label: this.texts[name] }));
    },
    steps() {
      return ["make", "look", "sheet", "files"].filter(
        (step) => step === "make" || (this.puzzle && (step !== "look" || this.puzzle.kind === "jigsaw")),
      );
    },
    numbers() {
      if (this.make.two_boards) return { rows: BOARDS[0], seed: 0 };
      return this.source === "numbers" ? { rows: 1, columns: 1, solutions: 1, seed: 0 } : { rows: 1, columns: 1, seed: 0 };
    },
    // What is wrong with the fields, by their names.
    faults() {
      const found = {};
      for (const [name, least] of Object.entries(this.numbers)) {
        const value = this.make[name];
        const isSize = name === "rows" || name === "columns";
        const most = isSize ? (this.make.two_boards ? BOARDS[1] : MOST) : Number.MAX_SAFE_INTEGER;
        if (!Number.isInteger(value) || value < least || value > most) {
          found[name] = this.fill(name === "seed" || name === "solutions" ? "least" : "range", { least, most });
        }
      }
      const { rows, columns } = this.make;
      if (this.source === "photos" && !this.make.two_boards && !found.rows && !found.columns && rows * columns > MOST) {
        found.columns = this.fill("most_pieces", { most: MOST });
      }
      return found;
    },
    // Why no jigsaw can be made yet; empty if it can.
    blocked() {
      if (Object.keys(this.faults).length) return this.texts.fields;
      if (this.source === "numbers") return this.wrong.numbers ?? "";
      return this.photos.first && this.photos.second ? "" : this.texts.photos_missing;
    },
    // The proportions of the board of each photograph.
    ratios() {
      const { rows, columns, two_boards } = this.make;
      if (two_boards) return { first: 1, second: rows > 1 ? (rows + 1) / (rows - 1) : 1 };
      const ratio = rows > 0 && columns > 0 ? columns / rows : 1;
      return { first: ratio, second: ratio };
    },
    makes() {
      return Object.values(this.runs).filter((run) => !run.proof).reverse().slice(0, 5);
    },
    proofs() {
      return Object.values(this.runs).filter((run) => run.proof);
    },
    keeping() {
      const photos = Object.entries(this.photos).map(([which, { name, crop }]) => [which, { name, crop }]);
      const { source, make, step, sheet } = this;
      // Those that are still to come are kept, too.
      return JSON.stringify({ source, make, step, sheet, opened: this.puzzle?.source ?? "",
        photos: { ...this.again, ...Object.fromEntries(photos) } });
    },
    wishes() {
      const crops = { crop_a: this.photos.first?.crop, crop_b: this.photos.second?.crop };
      return { ...this.make, ...crops };
    },
    sliders() {
      const { size, curves, margin, kerf, fit } = SLIDERS;
      // The artwork was painted for the tabs of shape 0.
      const kinds = { jigsaw: this.puzzle?.art ? { size, margin, kerf, fit } : SLIDERS, dissection: { size: TARGET, margin, kerf, fit } };
      return kinds[this.puzzle?.kind] || { size, margin };
    },
    // What is asked of a sheet: only what applies.
    options() {
      const names = Object.keys(this.sliders).filter((name) => this.sheet.apart || name !== "fit");
      const { apart, page, numbers } = this.sheet;
      const lengths = names.map((name) => [name, Number(this.sheet[name].toFixed(2))]);
      return { ...Object.fromEntries(lengths), apart, page, numbers };
    },
    told() {
      const { sizes, pages } = this.drawn;
      if (!sizes.length) return "";
      const size = sizes[0].map((length) => Number(length.toFixed(1))).join(" × ");
      const some = pages.length < sizes.length ? ` ${this.fill("told_some", { shown: pages.length })}` : "";
      return this.fill(sizes.length > 1 ? "told_many" : "told_one", { size, pages: sizes.length }) + some;
    },
    files() {
      const { kind, art, files } = this.puzzle ?? {};
      const shown = { print: art, scissors: art, photo: kind === "jigsaw", strip: this.sliders.kerf, whole: art && files.length };
      return Object.fromEntries(Object.entries(FILES).filter(([key]) => !(key in shown) || shown[key]));
    },
  },

  watch: {
    step: {
      immediate: true,
      handler(step) {
        if (step === "look" && !this.ways.length) this.ask("ways");
        if (step === "sheet" && !this.drawn.pages.length) this.redraw();
        if (step === "make" && !this.sample.length) this.ask("ways", { sample: true });
      },
    },
    options() {
      this.redraw();
    },
    make: { deep: true, immediate: true, handler: "changed" },
    source: "changed",
    keeping(now) {
      sessionStorage.setItem(KEPT, now);
    },
  },

  methods: {
    ask(what, given = {}) {
      this.$emit("ask", { what, ...given });
    },
    // Take an answer.
    tell(what, value) {
      if (what === "run") this.runs[value.number] = value;
      else if (what === "photo") {
        const { name, crop } = this.again[value.which] ?? {};
        const at = name === value.name && crop ? crop : value.at;
        this.photos[value.which] = { ...value, at, crop: at };
        this.foresee();
      } else if (what === "made") this.download(value);
      else if (what === "drawn") {
        // The control itself says that nothing makes up for the cut.
        this.drawn = { ...value, notes: value.notes.filter((note) => !note.startsWith("kerf ")) };
      } else if (what === "wrong") {
        this.wrong[value.key] = value.why;
        if (value.key === "foresee" && value.why) this.looking = false;
        if (this.taking && value.why && value.key === `take-${this.taking}`) this.taking = "";
      } else this[what] = value;
      if (what === "seen") this.looking = false;
    },
    fill(key, values) {
      return this.texts[key].replace(/\{(\w+)\}/g, (whole, name) => values[name]);
    },
    address: (name) => fileAddress(name),
    choices(...names) {
      return names.map((value) => ({ value, label: this.texts[value] }));
    },
    label(name) {
      return this.texts[name === "size" && this.puzzle?.kind === "dissection" ? "size_dissection" : name];
    },
    example() {
      this.ask("again", { which: "first", name: "cup" });
      this.ask("again", { which: "second", name: "ring" });
    },
    // What a run says.
    said({ state, words }) {
      return this.texts[state] ?? (words || this.texts.working);
    },
    act(run, action) {
      if (action === "stop") run.state = "stopping";
      this.ask("run", { number: run.number, action });
    },
    // Takes a typed number if it is possible.
    type(name, { target }) {
      const [least, most] = this.sliders[name], value = target.valueAsNumber;
      const isPossible = value >= least && value <= most && (name !== "curves" || Number.isInteger(value));
      this.wrong[name] = isPossible ? "" : this.fill("range", { least, most });
      if (isPossible) this.sheet[name] = value;
    },
    async present() {
      await document.documentElement.requestFullscreen?.().catch(() => {});
      this.$refs.present.showModal();
    },
    unpresent() {
      if (document.fullscreenElement) document.exitFullscreen();
    },
    // Escape ends the full screen first.
    left() {
      if (!document.fullscreenElement) this.$refs.present.close();
    },
    // Why a file cannot be made.
    untaken(key) {
      return (key === "print" || key === "scissors") && this.sheet.apart ? this.texts.together : "";
    },
    // The settings that a file follows.
    settings(key) {
      const names = SET.includes(key) ? Object.keys(this.options) : SHAPED.includes(key) ? ["curves"] : [];
      const shown = names.filter((name) => name in this.sliders);
      const words = shown.map((name) => `${this.label(name)} ${this.measured(name)}`);
      if (SET.includes(key)) {
        const page = this.pages.find(({ value }) => value === this.sheet.page);
        words.push(page?.label ?? this.texts.page_none, ...(this.sheet.apart ? [this.texts.apart] : []));
        words.push(this.texts[this.sheet.numbers ? "numbered" : "unnumbered"]);
      }
      return words.join("; ");
    },
    changed() {
      if (this.source === "photos") this.foresee();
      else if (!Object.keys(this.faults).length) this.soon("check", () => this.wishes);
    },
    measured(name) {
      const value = Number(this.sheet[name].toFixed(2));
      return name === "curves" ? String(value) : `${value} mm`;
    },
    // Ask once when the changes of a short time are over.
    soon(what, given) {
      this.waiting[what] ??= setTimeout(() => {
        delete this.waiting[what];
        this.ask(what, given());
      }, PERIOD);
    },
    redraw() {
      this.soon("sheet", () => this.options);
    },
    foresee() {
      if (!this.photos.first || !this.photos.second || Object.keys(this.faults).length) return;
      this.looking = true;
      this.soon("foresee", () => this.wishes);
    },
    crop(which, place) {
      this.photos[which].crop = place;
      this.foresee();
    },
    choose(event) {
      event.currentTarget.parentElement.querySelector("photo-crop").choose();
    },
    async upload(which, file) {
      const body = new FormData();
      body.append("file", file);
      const answer = await fetch(window.path_prefix + this.uploads[which], { method: "POST", body });
      if (!answer.ok) this.wrong[which] = this.texts.not_sent;
    },
    take(key) {
      this.taking = key;
      this.ask("take", { key, options: this.options });
    },
    download({ key, files }) {
      this.taking = "";
      this.made[key] = files;
      if (files.length !== 1) return;
      const link = Object.assign(document.createElement("a"), { href: this.address(files[0]), download: "" });
      link.click();
    },
  },
};
