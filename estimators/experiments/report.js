"use strict";

// The table of all runs: sorted by any column, filtered by words and by choices, kept in the address of the page.
(() => {
  const table = document.getElementById("runs");
  if (!table) return;
  const { columns, rows } = JSON.parse(document.getElementById("data").textContent);
  const STEP = 500;
  const words = document.getElementById("words");
  const choices = [...document.querySelectorAll("#filters select")];
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const state = { sort: null, descending: false, most: STEP };

  // A cell is a text, [key, text, exact text], or null.
  const text = (cell) => (cell === null ? "" : Array.isArray(cell) ? cell[1] : cell);
  const key = (cell) => (Array.isArray(cell) ? cell[0] : cell);
  // Numbers are looked for without the narrow spaces between their digits.
  const plain = (string) => string.replaceAll("\u202f", "").replace(/\s+/g, " ").toLowerCase();
  const collator = new Intl.Collator("en", { numeric: true });
  const searched = rows.map((row) => plain(row.map(text).join(" ")));
  const timeColumn = columns.findIndex((column) => column.name === "time");

  function compared(first, second) {
    const [a, b] = [key(rows[first][state.sort]), key(rows[second][state.sort])];
    if (a === null || b === null) return a === b ? first - second : a === null ? 1 : -1;
    const way = columns[state.sort].numeric ? a - b : collator.compare(a, b);
    return (state.descending ? -way : way) || first - second;
  }

  function chosen() {
    const wanted = plain(words.value).split(" ").filter(Boolean);
    const picked = choices.filter((each) => each.value).map((each) => [Number(each.dataset.column), each.value]);
    const found = [];
    rows.forEach((row, index) => {
      const all = wanted.every((word) => searched[index].includes(word));
      if (all && picked.every(([column, value]) => key(row[column]) === value)) found.push(index);
    });
    return state.sort === null ? found : found.sort(compared);
  }

  function line(index) {
    const row = document.createElement("tr");
    const time = timeColumn < 0 ? null : rows[index][timeColumn];
    if (time && time[0] >= 1e12) row.className = "unsolved";
    rows[index].forEach((cell, column) => {
      const element = row.insertCell();
      element.textContent = text(cell);
      element.className = columns[column].numeric ? "number" : columns[column].wraps ? "wraps" : "";
      if (Array.isArray(cell) && cell[2]) element.title = cell[2];
    });
    return row;
  }

  function show() {
    const found = chosen();
    body.replaceChildren(...found.slice(0, state.most).map(line));
    const some = found.length > state.most ? `, the first ${state.most} shown` : "";
    document.getElementById("number").textContent = `${found.length} of ${rows.length} runs${some}`;
    const more = document.getElementById("more");
    more.hidden = found.length <= state.most;
    more.textContent = `Show ${Math.min(STEP, found.length - state.most)} more`;
    heads.forEach((head, column) => {
      const way = state.descending ? "descending" : "ascending";
      head.setAttribute("aria-sort", column === state.sort ? way : "none");
    });
  }

  function remember() {
    const kept = new URLSearchParams();
    if (words.value) kept.set("words", words.value);
    choices.filter((each) => each.value).forEach((each) => kept.set(each.name, each.value));
    if (state.sort !== null) kept.set("sort", (state.descending ? "-" : "") + columns[state.sort].name);
    const hash = kept.toString() ? `#runs&${kept}` : location.pathname + location.search;
    history.replaceState(null, "", hash);
  }

  function recall() {
    const kept = new URLSearchParams(location.hash.replace(/^#runs&?/, ""));
    if (!location.hash.startsWith("#runs&")) return;
    words.value = kept.get("words") ?? "";
    choices.forEach((each) => {
      each.value = kept.get(each.name) ?? "";
      if (each.selectedIndex < 0) each.value = "";
    });
    const sort = kept.get("sort") ?? "";
    const column = columns.findIndex((each) => each.name === sort.replace(/^-/, ""));
    state.sort = column < 0 ? null : column;
    state.descending = sort.startsWith("-");
    document.getElementById("all-runs").scrollIntoView();
  }

  function changed() {
    state.most = STEP;
    remember();
    show();
  }

  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      state.descending = state.sort === column && !state.descending;
      state.sort = column;
      changed();
    });
  });
  words.addEventListener("input", changed);
  choices.forEach((each) => each.addEventListener("change", changed));
  document.getElementById("reset").addEventListener("click", () => {
    words.value = "";
    choices.forEach((each) => { each.value = ""; });
    state.sort = null;
    changed();
  });
  document.getElementById("more").addEventListener("click", () => {
    state.most += STEP;
    show();
  });
  window.addEventListener("hashchange", () => { recall(); show(); });
  recall();
  show();
})();
