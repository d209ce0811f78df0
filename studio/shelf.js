// The tab shelf: puzzles as pictures; the event `ask` says what is wanted.

const NEW = {
  edge_matching: { rows: 6, columns: 6, frame_colors: 3, inner_colors: 5, seed: 0 },
  tetravex: { rows: 4, columns: 4, colors: 8, seed: 0 },
  jigsaw: { rows: 6, columns: 6, solutions: 2, seed: 0 },
};
const KINDS = ["edge-matching", "jigsaw", "dissection"];

export default {
  props: { texts: Object, bundled: Array, own: Array, upload: String },

  template: `
<div class="shelf" :class="{ over }" @dragover.prevent="over = true" @dragleave="over = false" @drop.prevent="drop">
  <div class="row-of-tools">
    <q-btn color="primary" no-caps icon="add" :label="texts.new" @click="making = 'edge_matching'" />
    <q-btn outline no-caps icon="upload_file" :label="texts.file" @click="$refs.file.click()" />
    <q-btn outline no-caps icon="link" :label="texts.link" @click="linking = true" />
    <input ref="file" type="file" multiple hidden :aria-label="texts.file" @change="take($event.target.files)">
    <q-input v-model="words" dense outlined clearable debounce="150" :label="texts.search" type="search" />
    <q-btn-toggle v-model="kind" no-caps dense :aria-label="texts.kind" :options="kinds" />
  </div>
  <p class="soft">{{ texts.drop }}</p>
  <div v-for="(problem, index) in problems" :key="problem.number" class="problem" role="alert">
    <p><b>{{ problem.title }}</b></p>
    <p v-for="line in problem.lines" :key="line" class="bad">{{ line }}</p>
    <div class="row-of-tools">
      <q-btn v-if="problem.sketch" outline no-caps icon="draw" :label="texts.sketch" @click="ask('draw', { file: problem.sketch })" />
      <q-btn flat no-caps icon="close" :label="texts.dismiss" @click="problems.splice(index, 1)" />
    </div>
  </div>
  <section v-for="group in groups" :key="group.name" :aria-label="group.name">
    <h2 class="heading">{{ group.name }}</h2>
    <p v-if="!group.puzzles.length" class="soft">{{ texts.none }}</p>
    <div class="puzzles">
      <div v-for="puzzle in group.puzzles" :key="puzzle.source" class="puzzle">
        <button type="button" class="opener" @click="ask('open', { source: puzzle.source, tab: 'board' })">
          <img :src="'picture/' + encodeURIComponent(puzzle.source)" alt="" loading="lazy">
          <b>{{ puzzle.name }}</b><span class="soft">{{ puzzle.size }}</span>
          <span v-if="puzzle.known" class="soft">{{ puzzle.known }}</span><span class="soft">{{ puzzle.about }}</span>
        </button>
        <div class="more">
          <q-btn v-for="(icon, tab) in tabs(puzzle)" :key="tab" flat round dense :icon="icon" :aria-label="texts[tab] + ': ' + puzzle.name"
            @click="ask('open', { source: puzzle.source, tab })"><q-tooltip>{{ texts[tab] }}</q-tooltip></q-btn>
          <template v-if="group.own">
            <q-btn flat round dense icon="download" :href="address(puzzle.source)" :aria-label="texts.download + ': ' + puzzle.name" />
            <q-btn flat round dense icon="delete" :aria-label="texts.remove + ': ' + puzzle.name" @click="removing = puzzle" />
          </template>
        </div>
      </div>
    </div>
  </section>

  <q-dialog :model-value="Boolean(making)" @before-show="wrong = {}" @update:model-value="making = ''">
    <q-card class="dialog"><form @submit.prevent="ask('make', { kind: making, values: values[making], title })">
      <h2 class="heading">{{ texts.new }}</h2>
      <q-option-group v-model="making" :options="news" :aria-label="texts.new" />
      <p class="soft">{{ texts[making + '_about'] }}</p>
      <q-input v-model="title" dense :label="texts.title" :error="wrong.name === 'name'" :error-message="wrong.why" @update:model-value="wrong = {}" />
      <q-input v-for="(value, name) in values[making]" :key="making + name" v-model.number="values[making][name]" type="number" min="0" dense
        :label="texts[name]" :error="name === wrong.name" :error-message="wrong.why" @update:model-value="wrong = {}" />
      <p v-if="wrong.why && wrong.name !== 'name' && !(wrong.name in values[making])" class="bad" role="alert">{{ wrong.why }}</p>
      <div class="row-of-tools">
        <q-btn type="submit" color="primary" no-caps :label="texts.make" />
        <q-btn flat no-caps :label="texts.draw" @click="ask('draw')" v-close-popup />
        <q-btn flat no-caps :label="texts.cancel" v-close-popup />
      </div>
    </form></q-card>
  </q-dialog>

  <q-dialog v-model="linking" @before-show="wrong = {}"><q-card class="dialog"><form @submit.prevent="ask('link', { link: link.trim() })">
    <h2 class="heading">{{ texts.link }}</h2>
    <p class="soft">{{ texts.link_about }}</p>
    <q-input v-model="link" autofocus :label="texts.link_label" :error="Boolean(wrong.why)" :error-message="wrong.why"
      @update:model-value="wrong = {}" />
    <div class="row-of-tools"><q-btn type="submit" color="primary" no-caps :label="texts.open" />
      <q-btn flat no-caps :label="texts.cancel" v-close-popup /></div>
  </form></q-card></q-dialog>

  <q-dialog :model-value="Boolean(removing)" @update:model-value="removing = null"><q-card class="dialog">
    <p>{{ texts.remove_ask.replace('{name}', removing?.source) }}</p>
    <div class="row-of-tools"><q-btn color="negative" no-caps :label="texts.remove" v-close-popup
      @click="ask('remove', { source: removing.source })" /><q-btn flat no-caps :label="texts.cancel" v-close-popup /></div>
  </q-card></q-dialog>
</div>`,

  data: () => ({
    words: "", kind: "", over: false, making: "", linking: false, link: "", removing: null, wrong: {}, title: "", problems: [],
    values: structuredClone(NEW),
  }),

  computed: {
    kinds() {
      return [{ label: this.texts.all, value: "" }, ...KINDS.map((value) => ({ label: this.texts[value], value }))];
    },
    news() {
      return Object.keys(NEW).map((value) => ({ label: this.texts[value], value }));
    },
    groups() {
      const found = [{ name: this.texts.bundled, puzzles: this.bundled.filter(this.isShown) }];
      if (this.own.length) found.unshift({ name: this.texts.own, own: true, puzzles: this.own.filter(this.isShown) });
      return found;
    },
  },

  methods: {
    address: (name) => fileAddress(name),
    ask(what, given) {
      this.$emit("ask", { what, ...given });
    },
    isShown({ kind, name, about, size }) {
      const text = `${name} ${about} ${size} ${kind}`.toLowerCase();
      const words = (this.words ?? "").toLowerCase().split(/\s+/);
      return (!this.kind || kind === this.kind) && words.every((word) => text.includes(word));
    },
    tabs({ kind }) {
      return { plan: "timer", ...(kind === "dissection" ? {} : { workshop: "content_cut" }) };
    },
    drop({ dataTransfer }) {
      this.over = false;
      this.take(dataTransfer.files);
    },
    async take(files) {
      for (const file of files) {
        const form = new FormData();
        form.append("file", file);
        const answer = await fetch(window.path_prefix + this.upload, { method: "POST", body: form });
        if (!answer.ok) this.refuse_file(file.name, [this.texts.not_sent]);
      }
      this.$refs.file.value = "";
    },
    close() {
      this.making = this.title = "";
      this.linking = false;
    },
    // A file that is of no use; `sketch` is its name if it is a drawing for the editor.
    refuse_file(name, lines, sketch = "") {
      this.problems.unshift({ number: Date.now(), title: filled(this.texts, "refused", { name }), lines, sketch });
    },
    // What is wrong with the values in a dialog: it begins with the name of the field.
    refuse(why) {
      this.wrong = { why: why.replace(/^\w+: /, ""), name: why.match(/^\w*/)[0] };
    },
  },
};
