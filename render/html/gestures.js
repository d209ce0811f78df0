// Mouse, touch and pen: a press without movement turns a piece, a press with movement drags it.

// The largest movement in pixels that does not start a drag.
const STILL = { mouse: 4, pen: 8, touch: 10 };
// The distance from an edge in pixels within which a dragged piece scrolls, and the scroll of each move.
const EDGE = { near: 40, by: 12 };
// Milliseconds between two turns of the wheel.
const WHEEL_PAUSE = 120;

function connectPointer(table) {
  table.addEventListener("pointerdown", onPress);
  table.addEventListener("pointermove", onMove);
  table.addEventListener("pointerup", onRelease);
  for (const kind of ["pointercancel", "lostpointercapture"]) table.addEventListener(kind, () => drop(null));
  // A finger on a piece moves the piece and not the page; browsers ignore `touch-action` within an SVG.
  table.addEventListener("touchstart", (event) => event.target.closest(".piece") && event.preventDefault(), {
    passive: false,
  });
  table.addEventListener("wheel", onWheel, { passive: false });
  table.addEventListener("contextmenu", (event) => state.drag && event.preventDefault());
  table.addEventListener("focusin", (event) => {
    const group = event.target.closest(".piece");
    if (group) select(Number(group.dataset.piece));
  });
}

function tablePoint({ clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(byId("table").getScreenCTM().inverse());
}

function onPress(event) {
  const group = event.target.closest(".piece");
  if (!group || state.drag || event.button !== 0 || !event.isPrimary) return;
  const piece = Number(group.dataset.piece);
  if (!isDraggable(piece)) return;
  const [at, centre] = [tablePoint(event), pointOf(state.places[piece])];
  const off = { x: centre.x - at.x, y: centre.y - at.y };
  state.drag = { piece, pointer: event.pointerId, from: event, places: state.places, off, point: null, wheel: 0 };
  // The last element is on top.  The table captures the pointer, because a moved element loses it.
  group.parentNode.append(group);
  byId("table").setPointerCapture(event.pointerId);
  group.focus({ preventScroll: true });
}

function onMove(event) {
  const { drag } = state;
  if (drag?.pointer !== event.pointerId) return;
  const moved = Math.hypot(event.clientX - drag.from.clientX, event.clientY - drag.from.clientY);
  if (!drag.point && moved < STILL[event.pointerType]) return;
  const at = tablePoint(event);
  drag.point = keptOnTable({ x: at.x + drag.off.x, y: at.y + drag.off.y });
  elements[drag.piece].group.classList.add("lifted");
  movePiece(elements[drag.piece], drag.point);
  hint(drag.point);
  scrollAlong(event);
}

/** Scrolls the stage if it is larger than its visible part, and the page if the stage reaches out of the window. */
function scrollAlong({ clientX, clientY }) {
  const stage = byId("stage");
  const { left, top, right, bottom } = stage.getBoundingClientRect();
  const by = (at, low, high) => (at < low + EDGE.near ? -EDGE.by : at > high - EDGE.near ? EDGE.by : 0);
  stage.scrollBy(by(clientX, left, right), by(clientY, top, bottom));
  window.scrollBy(0, by(clientY, top < 0 ? 0 : -Infinity, bottom > window.innerHeight ? window.innerHeight : Infinity));
}

function onRelease(event) {
  const { drag } = state;
  if (drag?.pointer !== event.pointerId) return;
  if (drag.point) return drop(drag.point);
  state.drag = null;
  select(drag.piece);
  turn(1);
}

/** Ends a drag: the page puts the piece down at the point, or it goes back if there is no point. */
function drop(point) {
  const { drag } = state;
  if (!drag) return;
  state.drag = null;
  const { group } = elements[drag.piece];
  group.classList.remove("lifted");
  hint(null);
  if (point && layDown(drag.piece, point)) return;
  movePiece(elements[drag.piece], pointOf(state.places[drag.piece]));
  if (state.places !== drag.places) recognise();
}

function onWheel(event) {
  const { drag } = state;
  if (!drag?.point) return;
  event.preventDefault();
  if (event.timeStamp - drag.wheel < WHEEL_PAUSE || !event.deltaY) return;
  drag.wheel = event.timeStamp;
  turn(Math.sign(event.deltaY));
}
