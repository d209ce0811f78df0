// A photograph with a frame of the board's shape, which is dragged over the part to keep and made smaller or larger: at
// its corners, with the wheel, or by the keys + and -; arrow keys move it, too.  Without a photograph, a place to drop
// one.  Attributes: src, ratio (width : height of the board), at ("50%,30%,80%": the part of the free way to the right
// and down, and the size as a part of the largest one), name (of the frame), hint (shown without a photograph).
// Sends the events `photo` with a file that was chosen or dropped, and `crop` with the new place.
customElements.define("photo-crop", class extends HTMLElement {
  static observedAttributes = ["src", "ratio", "at", "hint", "name"];
  // The least size, and by how much a key or a notch of the wheel changes it.
  static least = 0.15;
  static step = 1.06;
  across = 0.5;
  down = 0.5;
  part = 1;

  connectedCallback() {
    if (this.stage) return;
    this.stage = this.appendChild(document.createElement("div"));
    this.stage.className = "crop-stage";
    this.image = this.stage.appendChild(document.createElement("img"));
    this.image.alt = "";
    this.image.draggable = false;
    this.image.addEventListener("load", () => this.draw());
    this.frame = this.stage.appendChild(document.createElement("div"));
    this.frame.className = "crop-frame";
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "slider");
    for (const [right, bottom] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
      const corner = this.frame.appendChild(document.createElement("i"));
      corner.className = `crop-corner ${right ? "right" : "left"} ${bottom ? "bottom" : "top"}`;
      corner.addEventListener("pointerdown", (event) => this.pull(event, right, bottom));
    }
    this.empty = this.appendChild(document.createElement("button"));
    this.empty.type = "button";
    this.empty.className = "crop-empty";
    this.empty.addEventListener("click", () => this.choose());
    this.input = this.appendChild(document.createElement("input"));
    Object.assign(this.input, { type: "file", accept: "image/*", hidden: true });
    this.input.addEventListener("change", () => this.take([...this.input.files]));
    this.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.classList.add("over");
    });
    this.addEventListener("dragleave", () => this.classList.remove("over"));
    this.addEventListener("drop", (event) => this.drop(event));
    this.frame.addEventListener("pointerdown", (event) => this.grab(event));
    this.frame.addEventListener("keydown", (event) => this.press(event));
    this.frame.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scale(event.deltaY < 0 ? 1 / this.constructor.step : this.constructor.step);
    }, { passive: false });
    this.draw();
  }

  attributeChangedCallback(name, before, now) {
    const place = name === "at" && /^([\d.]+)%,([\d.]+)%(?:,([\d.]+)%)?$/.exec(now);
    if (place) [this.across, this.down, this.part] = [place[1], place[2], place[3] ?? 100].map((one) => one / 100);
    if (this.stage) this.draw();
  }

  choose() {
    this.input.click();
  }

  // Tells of a file that was chosen or dropped.
  take(files) {
    if (files.length) this.dispatchEvent(new CustomEvent("photo", { detail: files[0] }));
    this.input.value = "";
  }

  drop(event) {
    event.preventDefault();
    this.classList.remove("over");
    this.take(event.dataTransfer.files);
  }

  // Width and height of the largest frame, as parts of the photograph's.
  get largest() {
    const own = this.image.naturalWidth / this.image.naturalHeight || 1;
    const wanted = Number(this.getAttribute("ratio")) || 1;
    return own > wanted ? [wanted / own, 1] : [1, own / wanted];
  }

  get shape() {
    return this.largest.map((length) => length * this.part);
  }

  // The left and the upper end of the frame.
  get start() {
    const [width, height] = this.shape;
    return [(1 - width) * this.across, (1 - height) * this.down];
  }

  draw() {
    const source = this.getAttribute("src") || "";
    this.stage.hidden = !source;
    this.empty.hidden = Boolean(source);
    this.empty.textContent = this.getAttribute("hint") || "";
    if (source && this.image.getAttribute("src") !== source) this.image.src = source;
    const [[width, height], [left, top]] = [this.shape, this.start];
    const lengths = { width, height, left, top };
    for (const [name, length] of Object.entries(lengths)) this.frame.style[name] = `${100 * length}%`;
    this.frame.style.cursor = width < 1 && height < 1 ? "move" : width < 1 ? "ew-resize" : height < 1 ? "ns-resize" : "default";
    const free = width < 1 ? this.across : this.down;
    this.frame.setAttribute("aria-label", this.getAttribute("name") || "");
    this.frame.setAttribute("aria-valuenow", Math.round(100 * free));
    this.frame.setAttribute("aria-valuetext", this.place);
    this.frame.setAttribute("aria-orientation", width < 1 ? "horizontal" : "vertical");
  }

  get place() {
    const parts = this.part < 1 ? [this.across, this.down, this.part] : [this.across, this.down];
    return parts.map((part) => `${Number((100 * part).toFixed(1))}%`).join(",");
  }

  move(across, down) {
    [this.across, this.down] = [across, down].map((part) => Math.min(Math.max(part, 0), 1));
    this.draw();
    this.dispatchEvent(new CustomEvent("crop", { detail: this.place }));
  }

  // Changes the size; the frame begins at these parts of the photograph, as far as it stays within.
  size(part, begin) {
    this.part = Math.min(Math.max(part, this.constructor.least), 1);
    const ways = this.shape.map((length, axis) => (length < 1 ? begin(length, axis) / (1 - length) : 0.5));
    this.move(...ways);
  }

  // Changes the size about the middle of the frame.
  scale(factor) {
    const [shape, start] = [this.shape, this.start];
    const middle = start.map((begin, axis) => begin + shape[axis] / 2);
    this.size(this.part * factor, (length, axis) => middle[axis] - length / 2);
  }

  // Follows the pointer until it is up: `moved` gets its way, as parts of the photograph's width and height.
  follow(event, moved) {
    event.preventDefault();
    event.stopPropagation();
    this.frame.focus();
    this.frame.setPointerCapture(event.pointerId);
    const { width, height } = this.stage.getBoundingClientRect();
    const [x, y] = [event.clientX, event.clientY];
    const follows = (now) => moved((now.clientX - x) / width, (now.clientY - y) / height);
    const end = () => {
      this.frame.removeEventListener("pointermove", follows);
      this.frame.removeEventListener("pointerup", end);
      this.frame.removeEventListener("pointercancel", end);
    };
    this.frame.addEventListener("pointermove", follows);
    this.frame.addEventListener("pointerup", end);
    this.frame.addEventListener("pointercancel", end);
  }

  grab(event) {
    const [[width, height], across, down] = [this.shape, this.across, this.down];
    this.follow(event, (right, below) =>
      this.move(
        width < 1 ? across + right / (1 - width) : across,
        height < 1 ? down + below / (1 - height) : down,
      ));
  }

  // Pulls a corner; the opposite one stays.
  pull(event, right, bottom) {
    const [start, shape, largest] = [this.start, this.shape, this.largest];
    const [outer, before] = [[right, bottom], this.part];
    const room = outer.map((isEnd, axis) => (isEnd ? 1 - start[axis] : start[axis] + shape[axis]));
    const most = Math.min(...room.map((length, axis) => length / largest[axis]));
    this.follow(event, (...way) => {
      const wanted = way.map((length, axis) => (shape[axis] + (outer[axis] ? length : -length)) / largest[axis]);
      const begin = (length, axis) => (outer[axis] ? start[axis] : start[axis] + shape[axis] - length);
      // The longer way decides.
      const [one, other] = wanted.map((part) => Math.abs(part - before));
      this.size(Math.min(wanted[one > other ? 0 : 1], most), begin);
    });
  }

  press(event) {
    const { step } = this.constructor;
    const factor = { "+": step, "=": step, "-": 1 / step }[event.key];
    const by = event.shiftKey ? 0.1 : 0.02;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (!way && !factor) return;
    event.preventDefault();
    if (factor) {
      this.scale(factor);
      return;
    }
    const [width, height] = this.shape;
    this.move(this.across + (width < 1) * way[0] * by, this.down + (height < 1) * way[1] * by);
  }
});
