"use strict";

// The table of all runs: sorted by any column, and filtered by words.
(() => {
  const table = document.getElementById("runs");
  if (!table) return;
  const words = document.getElementById("words");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  // Numbers are looked for without the narrow spaces between their digits.
  const plain = (string) => string.replaceAll("\u202f", "").replace(/\s+/g, " ").toLowerCase();
  const searched = new Map(rows.map((row) => [row, plain([...row.cells].map((cell) => cell.textContent).join(" "))]));
  const collator = new Intl.Collator("en", { numeric: true });

  function compared(first, second, numeric) {
    const [a, b] = [first, second].map((cell) => cell.dataset.key ?? cell.textContent);
    if (a === "" || b === "") return (a === "") - (b === "");
    return numeric ? a - b : collator.compare(a, b);
  }

  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      const numeric = head.classList.contains("number");
      heads.forEach((each) => each.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const way = (a, b) => compared(a.cells[column], b.cells[column], numeric);
      body.append(...rows.sort((a, b) => (falling ? way(b, a) : way(a, b))));
    });
  });
  words.addEventListener("input", () => {
    const wanted = plain(words.value).split(" ").filter(Boolean);
    rows.forEach((row) => { row.hidden = !wanted.every((word) => searched.get(row).includes(word)); });
    const left = rows.filter((row) => !row.hidden).length;
    document.getElementById("number").textContent = `${left} of ${rows.length} runs`;
  });
})();
