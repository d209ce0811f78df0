// A photograph with a frame of the board's shape, which is dragged, or moved by the arrow keys, over the part to keep;
// without a photograph, a place to drop one.  Attributes: src, ratio (width : height of the board), at ("50%,30%": the
// part of the free way to the right and down), name (of the frame), hint (shown without a photograph).
// Sends the events `photo` with a file that was chosen or dropped, and `crop` with the new place.
customElements.define("photo-crop", class extends HTMLElement {
  static observedAttributes = ["src", "ratio", "at", "hint", "name"];
  across = 0.5;
  down = 0.5;

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
    this.draw();
  }

  attributeChangedCallback(name, before, now) {
    const place = name === "at" && /^([\d.]+)%,([\d.]+)%$/.exec(now);
    if (place) [this.across, this.down] = [place[1] / 100, place[2] / 100];
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

  // Width and height of the frame, as parts of the photograph's.
  get shape() {
    const own = this.image.naturalWidth / this.image.naturalHeight || 1;
    const wanted = Number(this.getAttribute("ratio")) || 1;
    return own > wanted ? [wanted / own, 1] : [1, own / wanted];
  }

  draw() {
    const source = this.getAttribute("src") || "";
    this.stage.hidden = !source;
    this.empty.hidden = Boolean(source);
    this.empty.textContent = this.getAttribute("hint") || "";
    if (source && this.image.getAttribute("src") !== source) this.image.src = source;
    const [width, height] = this.shape;
    Object.assign(this.frame.style, {
      width: `${100 * width}%`,
      height: `${100 * height}%`,
      left: `${100 * (1 - width) * this.across}%`,
      top: `${100 * (1 - height) * this.down}%`,
      cursor: width < 1 ? "ew-resize" : height < 1 ? "ns-resize" : "default",
    });
    const free = width < 1 ? this.across : this.down;
    this.frame.setAttribute("aria-label", this.getAttribute("name") || "");
    this.frame.setAttribute("aria-valuenow", Math.round(100 * free));
    this.frame.setAttribute("aria-orientation", width < 1 ? "horizontal" : "vertical");
  }

  move(across, down) {
    [this.across, this.down] = [across, down].map((part) => Math.min(Math.max(part, 0), 1));
    this.draw();
    const [x, y] = [this.across, this.down].map((part) => `${Number((100 * part).toFixed(1))}%`);
    this.dispatchEvent(new CustomEvent("crop", { detail: `${x},${y}` }));
  }

  grab(event) {
    event.preventDefault();
    this.frame.focus();
    this.frame.setPointerCapture(event.pointerId);
    const [width, height] = this.shape;
    const { width: wide, height: high } = this.stage.getBoundingClientRect();
    const [x, y, across, down] = [event.clientX, event.clientY, this.across, this.down];
    const moved = (now) =>
      this.move(
        width < 1 ? across + (now.clientX - x) / (wide * (1 - width)) : across,
        height < 1 ? down + (now.clientY - y) / (high * (1 - height)) : down,
      );
    const end = () => {
      this.frame.removeEventListener("pointermove", moved);
      this.frame.removeEventListener("pointerup", end);
      this.frame.removeEventListener("pointercancel", end);
    };
    this.frame.addEventListener("pointermove", moved);
    this.frame.addEventListener("pointerup", end);
    this.frame.addEventListener("pointercancel", end);
  }

  press(event) {
    const step = event.shiftKey ? 0.1 : 0.02;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const [width, height] = this.shape;
    this.move(this.across + (width < 1) * way[0] * step, this.down + (height < 1) * way[1] * step);
  }
});
