// What several tabs of the studio use in the browser.

/** Where a file in the folder is. */
function fileAddress(name) {
  return `file/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/** An element with attributes and contents; texts stay texts. */
function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// A text with values in its places.
const filled = (words, key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

// An element whose attribute `data` is JSON.
class Shown extends HTMLElement {
  static observedAttributes = ["data"];

  attributeChangedCallback(_name, before, now) {
    if (now && now !== before) this.show(JSON.parse(now));
  }

  tell(event, detail) {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }
}

/** Copies a text, as far as the browser allows; a button says so for a moment. */
function copyText(text, button, copied) {
  const label = button.lastChild, words = label.textContent;
  navigator.clipboard?.writeText(text).then(() => {
    label.textContent = copied;
    if (words !== copied) setTimeout(() => { label.textContent = words; }, 2000);
  }, () => {});
}

const icon = (name, ...more) => made("i", { class: ["material-icons", ...more].join(" "), "aria-hidden": true }, name);

// Light, dark, or as the system has it; the browser keeps the choice.
class Look extends Shown {
  static icons = { auto: "brightness_auto", dark: "dark_mode", light: "light_mode" };

  show({ words }) {
    const button = made("button", { type: "button", "aria-label": words.dark, title: words.dark });
    button.addEventListener("click", () => this.choose({ auto: "dark", dark: "light", light: "auto" }[this.look]));
    this.replaceChildren(button);
    this.choose(localStorage.getItem("jigsat-look"));
  }

  choose(look) {
    this.look = look in Look.icons ? look : "auto";
    localStorage.setItem("jigsat-look", this.look);
    Quasar.Dark.set(this.look === "auto" ? "auto" : this.look === "dark");
    this.firstChild.replaceChildren(icon(Look.icons[this.look]));
  }
}
customElements.define("studio-look", Look);

// The foot of the page: what a click does as a command and as Python, to copy.
class ActShown extends Shown {
  show({ said, words }) {
    if (!this.firstChild) this.build(words);
    const { shell, python } = said;
    this.said = { shell, python };
    this.querySelector(".command").textContent = shell ?? words.same;
    this.querySelectorAll("button").forEach((button) => { button.disabled = !shell; });
    this.both.replaceChildren(...["shell", "python"].flatMap((key) => [made("span", { class: "soft" }, words[key]), made("pre", {}, said[key] ?? "")]),
      made("span", { class: "soft" }, words.where));
  }

  build(words) {
    const copies = ["shell", "python"].map((key) => {
      const button = made("button", { type: "button", "aria-label": filled(words, "copy", { what: words[key] }) }, icon("content_copy", "copy"), words[key]);
      button.addEventListener("click", () => copyText(this.said[key], button, words.copied));
      return button;
    });
    this.both = made("div", { class: "both", hidden: "" });
    const opener = made("button", { type: "button", "aria-label": words.same, "aria-expanded": false }, icon("expand_less"));
    opener.addEventListener("click", () => {
      this.both.hidden = !this.both.hidden;
      opener.setAttribute("aria-expanded", !this.both.hidden);
    });
    this.append(made("div", { class: "line" }, made("span", { class: "command" }), ...copies, opener), this.both);
  }
}
customElements.define("studio-act", ActShown);
