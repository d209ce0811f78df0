// What an experiment compares, kept in the browser; the event `ask` asks for engines and the price, answered by `tell`.

const GOALS = ["solve", "all", "count", "best"];

// A choice of several names, with a field to search.
const several = {
  props: { modelValue: Array, options: Array },
  emits: ["update:modelValue"],

  template: `
<q-select :model-value="modelValue" multiple use-input use-chips outlined dense input-debounce="0" class="wide"
  :options="options.filter((name) => name.toLowerCase().includes(part))" :disable="!options.length"
  @update:model-value="$emit('update:modelValue', $event)" @filter="filter" />`,

  data: () => ({ part: "" }),

  methods: {
    filter(part, update) {
      update(() => { this.part = part.toLowerCase(); });
    },
  },
};

export default {
  components: { several },
  props: { texts: Object, names: Array, chosen: Array },

  template: `
<form class="question" @submit.prevent="ask('run', { asked })">
  <several v-model="puzzles" :options="names" :label="texts.puzzles" />
  <several v-model="engines" :options="able" :label="texts.engines" />
  <q-btn-toggle v-model="goal" no-caps unelevated class="goals" :aria-label="texts.goal" :options="goals" />
  <div class="asked">
    <q-input v-model.number="limit" type="number" min="1" outlined dense debounce="600" :label="texts.time_limit" />
    <q-input v-model.number="times" type="number" min="1" outlined dense debounce="600" :label="texts.repetitions" />
    <q-btn type="submit" color="primary" unelevated icon="play_arrow" :label="texts.run" :disable="!price" />
  </div>
  <p class="words" aria-live="polite">{{ price || (asked ? texts.predicting : texts.choose) }}</p>
</form>`,

  data() {
    return { puzzles: this.chosen, engines: [], able: [], goal: "solve", limit: 60, times: 1, price: "" };
  },

  computed: {
    goals() {
      return GOALS.map((value) => ({ value, label: this.texts[value] }));
    },
    // What is compared; null if something is missing.
    asked() {
      const { puzzles, engines, goal, limit, times } = this;
      return puzzles.length && engines.length && limit > 0 && times > 0 ? { puzzles, engines, goal, limit, times } : null;
    },
    suited() {
      return { puzzles: this.puzzles, goal: this.goal };
    },
  },

  watch: {
    suited: {
      immediate: true,
      handler(suited) {
        this.ask("engines", suited);
      },
    },
    asked(asked) {
      this.price = "";
      if (asked) this.ask("price", { asked });
    },
  },

  methods: {
    ask(what, given) {
      this.$emit("ask", { what, ...given });
    },
    engines_able(able) {
      this.able = able;
      if (!this.engines.every((name) => able.includes(name))) this.engines = this.engines.filter((name) => able.includes(name));
    },
    priced(price, asked) {
      if (JSON.stringify(asked) === JSON.stringify(this.asked)) this.price = price;
    },
  },
};
