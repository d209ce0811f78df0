"use strict";

// All tables are sorted by any column, and that of all runs is filtered by words.
(() => {
  // Numbers are read and looked for without the narrow spaces between their digits.
  const plain = (string) => string.replaceAll("\u202f", "").replace(/\s+/g, " ").toLowerCase();
  const collator = new Intl.Collator("en", { numeric: true });

  // The title of a cell is its exact value; what is no number comes last.
  function compared(first, second, numeric, falling) {
    const [a, b] = [first, second].map((cell) => plain(cell.title || cell.textContent));
    if (!numeric) return falling ? collator.compare(b, a) : collator.compare(a, b);
    const [x, y] = [a, b].map((key) => (key === "" ? NaN : Number(key)));
    if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
    return falling ? y - x : x - y;
  }

  for (const table of document.querySelectorAll("table")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const falling = head.getAttribute("aria-sort") === "ascending";
        const numeric = head.classList.contains("number");
        heads.forEach((each) => each.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        const way = (a, b) => compared(a.cells[column], b.cells[column], numeric, falling);
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort(way));
      });
    });
  }

  const words = document.getElementById("words");
  const rows = [...document.querySelectorAll("#all-runs tbody tr")];
  const searched = new Map(rows.map((row) => [row, plain([...row.cells].map((cell) => cell.textContent).join(" "))]));
  words?.addEventListener("input", () => {
    const wanted = plain(words.value).split(" ").filter(Boolean);
    rows.forEach((row) => { row.hidden = !wanted.every((word) => searched.get(row).includes(word)); });
    const left = rows.filter((row) => !row.hidden).length;
    document.getElementById("number").textContent = `${left} of ${rows.length} runs`;
  });
})();
