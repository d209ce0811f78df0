// The page to play in the tab Board: what is moved there goes to the server, and what the server lays goes to the page.

// The most buttons for pieces that fit.
const MOST_FITS = 60;
const boardTab = { holder: null, frame: null, isLoaded: false, waiting: [], number: 0 };

/** Shows the page to play at an address in an element, till then a note; what is told before it is loaded waits. */
function openBoard(id, address, title, loading) {
  const [frame, note] = [document.createElement("iframe"), document.createElement("p")];
  Object.assign(note, { textContent: loading, className: "board-loading", role: "status" });
  frame.setAttribute("sandbox", "allow-scripts");
  Object.assign(frame, { title, src: address });
  Object.assign(boardTab, { holder: getHtmlElement(id), frame, isLoaded: false, waiting: [], number: 0 });
  frame.addEventListener("load", () => {
    if (boardTab.frame !== frame) return;
    boardTab.isLoaded = true;
    note.remove();
    boardTab.waiting.forEach(tellBoard);
    boardTab.holder.dispatchEvent(new CustomEvent("ready"));
  });
  boardTab.holder.replaceChildren(note, frame);
}

/** Sends the page a message, such as `{ lay: [...], number }` or `{ fits: [...], square }`. */
function tellBoard(message) {
  if (boardTab.isLoaded) boardTab.frame.contentWindow?.postMessage(message, "*");
  else boardTab.waiting.push(message);
}

function hearBoard({ source, data }) {
  if (!boardTab.frame || source !== boardTab.frame.contentWindow || typeof data !== "object" || data === null) return;
  const emit = (kind, detail) => boardTab.holder.dispatchEvent(new CustomEvent(kind, { detail }));
  if (Array.isArray(data.laid)) {
    // The page has laid what it was told: the server knows.
    if (Number.isInteger(data.answer)) boardTab.number = data.answer;
    else if (data.laid.length <= 2000) emit("laid", { laid: data.laid, number: boardTab.number });
  } else if (Number.isInteger(data.square)) {
    emit("square", data.square);
  } else if (data.hint === true) {
    emit("hint", null);
  }
}

window.addEventListener("message", hearBoard);

/** Buttons for pieces that fit on the chosen square, each with its number, its piece and its rotation. */
function listFits(id, found) {
  getHtmlElement(id)?.replaceChildren(...found.slice(0, MOST_FITS).map(([code, piece, rotation]) => {
    const button = document.createElement("button");
    const over = rotation >= 4 ? ", turned over" : "";
    const words = `Lay piece ${piece + 1}, turned ${90 * (rotation & 3)} degrees${over}`;
    Object.assign(button, { type: "button", textContent: `${piece + 1} ${"↑→↓←"[rotation & 3]}`, title: words });
    button.setAttribute("aria-label", words);
    button.addEventListener("click", () => boardTab.holder.dispatchEvent(new CustomEvent("put", { detail: code })));
    return button;
  }));
}

/** Shows a link, and copies it, as far as the browser allows; then a note, and a file to download with its words. */
function showLink(id, link, note, file, label, copy, copied) {
  const holder = getHtmlElement(id);
  holder.replaceChildren();
  if (note) holder.append(made("p", {}, note));
  if (file) holder.append(made("a", { href: fileAddress(file[0]), download: "" }, file[1]));
  if (!link) return;
  const [field, button] = [document.createElement("input"), document.createElement("button")];
  Object.assign(field, { value: link, readOnly: true });
  field.setAttribute("aria-label", label);
  Object.assign(button, { type: "button", textContent: copy });
  const copyIt = () => {
    field.select();
    copyText(link, button, copied);
  };
  button.addEventListener("click", copyIt);
  holder.prepend(field, button);
  copyIt();
}
