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
