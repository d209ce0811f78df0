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
  svg: "content_cut",
  pdf: "print",
  dxf: "architecture",
  png: "image",
  photo: "photo_camera",
  play: "extension",
  puzzle: "save",
};
// Milliseconds between two questions while a slider moves.
const PERIOD = 60;

export default {
  props: { texts: Object, puzzle: Object, uploads: Object },

  template: `
<div class="workshop">
  <q-tabs v-model="step" dense no-caps align="left" class="steps">
    <q-tab v-for="(each, index) in steps" :key="each" :name="each" :label="index + 1 + '. ' + texts[each]" />
  </q-tabs>

  <section v-show="step === 'make'" class="bench" role="tabpanel" :aria-label="texts.make">
    <form class="form" @submit.prevent="ask(source, wishes)">
      <q-btn-toggle v-model="source" spread no-caps :options="choices('numbers', 'photos')" />
      <div class="numbers">
        <q-input v-for="(least, name) in numbers" :key="name" v-model.number="make[name]" type="number" :min="least" step="1" required
          :label="texts[name]" :hint="name === 'seed' ? texts.seed_hint : undefined" @update:model-value="foresee" />
      </div>
      <template v-if="source === 'photos'">
        <label>{{ texts.weight }}</label>
        <q-btn-toggle v-model="make.weight" spread dense no-caps :aria-label="texts.weight"
          :options="weights" @update:model-value="foresee" />
        <q-toggle v-model="make.grey" :label="texts.grey" @update:model-value="foresee" />
        <q-toggle v-model="make.no_stay" :label="texts.no_stay" />
        <q-toggle v-model="make.thorough" :label="texts.thorough" />
      </template>
      <q-btn type="submit" color="primary" no-caps icon="auto_fix_high" :label="texts.make_it"
        :disable="source === 'photos' && !(photos.first && photos.second)" />
      <div aria-live="polite"><template v-for="run in runs" :key="run.number">
        <div v-if="!run.proof" class="run">
          <b>{{ run.about }}</b>
          <q-linear-progress v-if="!run.over" :value="run.done" :aria-label="texts.working" />
          <span class="words">{{ run.state === 'stopped' ? texts.stopped : run.words || texts.working }}</span>
          <q-btn v-if="run.state === 'stopped'" flat no-caps :label="texts.go_on"
            @click="ask('go_on', { number: run.number })" />
          <q-btn v-if="!run.over" flat no-caps :label="texts.stop" @click="ask('stop', { number: run.number })" />
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
            <photo-crop :src="photos[which]?.src" :at="photos[which]?.at" :ratio="make.columns / make.rows"
              :hint="fill('drop', { which: texts[which] })" :name="fill('frame', { which: texts[which] })"
              @crop="crop(which, $event.detail)" @photo="upload(which, $event.detail)" />
            <q-btn v-if="photos[which]" flat dense no-caps :label="texts.another" @click="choose($event)" />
          </div>
        </div>
        <q-btn v-if="!photos.first && !photos.second" flat no-caps :label="texts.example" @click="ask('example')" />
        <div aria-live="polite">
          <b v-if="seen.verdict">{{ fill('preview', { verdict: texts[seen.verdict] }) }}</b>
          <img v-if="seen.src" :src="seen.src" class="seen" :alt="texts[seen.verdict]">
        </div>
      </template>
    </div>
  </section>

  <section v-show="step === 'look'" role="tabpanel" :aria-label="texts.look" class="look">
    <p v-if="puzzle && !puzzle.ways">{{ texts.no_way }}</p>
    <div class="pair">
      <figure v-for="(way, index) in ways" :key="index">
        <img :src="way" :alt="fill('way', { number: index + 1 })">
        <figcaption>{{ fill('way', { number: index + 1 }) }}</figcaption>
      </figure>
    </div>
    <q-btn color="primary" no-caps icon="verified" :label="texts.prove" @click="ask('prove')" />
    <div aria-live="polite"><template v-for="run in runs" :key="run.number">
      <div v-if="run.proof" class="run">
        <q-linear-progress v-if="!run.over" :value="run.done" :aria-label="texts.working" />
        <b class="words">{{ run.words || texts.working }}</b>
        <template v-if="run.state === 'done'">
          <a v-for="name in run.proof" :key="name" :href="address(name)" download>{{ fill('proof_file', { name }) }}</a>
        </template>
        <q-btn v-if="!run.over" flat no-caps :label="texts.stop" @click="ask('stop', { number: run.number })" />
      </div>
    </template></div>
  </section>

  <section v-show="step === 'sheet'" class="bench picture-first" role="tabpanel" :aria-label="texts.sheet">
    <div class="form">
      <template v-for="(range, name) in sliders" :key="name">
        <template v-if="name === 'kerf'">
          <q-toggle v-model="sheet.apart" :label="texts.apart" />
          <small>{{ texts.apart_hint }}</small>
        </template>
        <div v-if="sheet.apart || (name !== 'kerf' && name !== 'fit')" class="measure">
          <span>{{ label(name) }}</span><output>{{ measured(name) }}</output>
          <input v-model.number="sheet[name]" type="range" :min="range[0]" :max="range[1]" :step="range[2]"
            :aria-label="label(name)" :aria-valuetext="measured(name)">
        </div>
      </template>
      <q-select v-model="sheet.page" :label="texts.page" emit-value map-options
        :options="[{ label: texts.page_none, value: null }, ...pages]" />
      <q-toggle v-model="sheet.numbers" :label="texts.numbers_on" />
    </div>
    <div class="sight">
      <div aria-live="polite"><b class="told">{{ told }}</b></div>
      <p v-for="note in drawn.notes" :key="note" class="warned">{{ note }}</p>
      <div class="sheets"><img v-for="(page, index) in drawn.pages" :key="index" :src="page" :alt="texts.sheet"></div>
      <details v-if="drawn.facts.length" class="facts">
        <summary>{{ texts.facts }}</summary>
        <ul><li v-for="fact in drawn.facts" :key="fact">{{ fact }}</li></ul>
      </details>
    </div>
  </section>

  <section v-show="step === 'files'" role="tabpanel" :aria-label="texts.files">
    <div class="takeaway">
      <q-card v-for="(icon, key) in files" :key="key" flat bordered class="takes">
        <q-btn flat no-caps align="left" color="primary" :icon="icon" :label="texts[key]" :loading="taking === key"
          @click="take(key)" />
        <p>{{ texts[key + '_for'] }}</p>
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
  },

  mounted() {
    // Below it, pictures stay in sight while one scrolls.
    this.$el.style.setProperty("--head", `${document.querySelector(".q-header").offsetHeight}px`);
  },

  data() {
    const start = (range) => range[3];
    const sheet = Object.fromEntries(Object.entries(SLIDERS).map(([name, range]) => [name, start(range)]));
    if (this.puzzle?.kind === "dissection") sheet.size = start(TARGET);
    return {
      step: !this.puzzle ? "make" : this.puzzle.kind === "jigsaw" ? "look" : "sheet",
      source: "numbers",
      make: { rows: 6, columns: 6, solutions: 2, seed: 0, weight: 0.5, grey: false, no_stay: false, thorough: false },
      photos: {},
      seen: {},
      sample: [],
      ways: [],
      runs: {},
      sheet: { ...sheet, apart: false, page: null, numbers: true },
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
      return this.source === "numbers" ? { rows: 1, columns: 1, solutions: 1, seed: 0 } : { rows: 1, columns: 1, seed: 0 };
    },
    wishes() {
      const crops = { crop_a: this.photos.first?.crop, crop_b: this.photos.second?.crop };
      return { ...this.make, ...crops };
    },
    sliders() {
      const { size, curves, margin, kerf, fit } = SLIDERS;
      const kinds = { jigsaw: SLIDERS, dissection: { size: TARGET, margin, kerf, fit } };
      return kinds[this.puzzle?.kind] || { size, margin };
    },
    // What is asked of a sheet: only what applies.
    options() {
      const names = Object.keys(this.sliders).filter((name) => this.sheet.apart || (name !== "kerf" && name !== "fit"));
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
      return Object.fromEntries(
        Object.entries(FILES).filter(([key]) => key !== "photo" || this.puzzle?.kind === "jigsaw"),
      );
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
  },

  methods: {
    ask(what, given = {}) {
      this.$emit("ask", { what, ...given });
    },
    // Take an answer.
    tell(what, value) {
      if (what === "run") this.runs[value.number] = value;
      else if (what === "photo") this.photos[value.which] = { ...value, crop: value.at };
      else if (what === "made") this.download(value);
      else this[what] = value;
      if (what === "photo") this.foresee();
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
      if (this.photos.first && this.photos.second) this.soon("foresee", () => this.wishes);
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
      await fetch(window.path_prefix + this.uploads[which], { method: "POST", body });
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
