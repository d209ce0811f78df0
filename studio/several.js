// A choice of several names: the browser keeps it, and the event `choose` tells it, so that quick choices are not lost.

export default {
  props: { label: String, options: Array, start: Array },

  template: `
<q-select v-model="value" multiple use-input use-chips outlined dense input-debounce="0" class="wide" :label="label"
  :options="shown" :disable="!options.length" @filter="filter" />`,

  data() {
    return { value: this.start, part: "" };
  },

  computed: {
    shown() {
      return this.options.filter((name) => name.toLowerCase().includes(this.part));
    },
  },

  watch: {
    options() {
      this.value = this.value.filter((name) => this.options.includes(name));
    },
    value(value) {
      this.$emit("choose", value);
    },
  },

  methods: {
    filter(part, update) {
      update(() => { this.part = part.toLowerCase(); });
    },
  },
};
