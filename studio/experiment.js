// The tab experiment: the tables, figures and files of an experiment, and its report.

class Results extends Shown {
  show({ name, files, tables, words }) {
    const ending = (...all) => files.filter((file) => all.some((one) => file.endsWith(one)));
    const table = ([key, [head, ...rows]]) => made("div", { class: "scrolled", tabindex: 0, role: "group", "aria-label": words[`by_${key}`] },
      made("table", {}, made("caption", {}, words[`by_${key}`]),
        made("thead", {}, made("tr", {}, ...head.map((cell) => made("th", { scope: "col" }, cell)))),
        made("tbody", {}, ...rows.map((row) => made("tr", {}, ...row.map((cell) => made("td", {}, rounded(cell))))))));
    const figure = (file) => made("img", { src: `${fileAddress(file)}?shown=true`, alt: file.split("/").at(-1) });
    const link = (file) => made("a", { href: fileAddress(file), download: "" }, file.slice(name.length + 1));
    const report = files.filter((file) => file === `${name}/report.html`).flatMap((file) => {
      const address = `${fileAddress(file)}?shown=true`;
      return [made("a", { href: address, target: "_blank", rel: "noopener" }, words.report),
        made("iframe", { sandbox: "allow-scripts", title: words.report, src: address, class: "report" })];
    });
    this.replaceChildren(made("h3", { class: "heading" }, name), ...Object.entries(tables).map(table),
      made("div", { class: "figures" }, ...ending(".svg").map(figure)),
      made("div", { class: "asked" }, ...ending(".html", ".csv", ".tex", ".svg", ".pdf").map(link)), ...report);
  }
}

// Long fractions as three digits.
const rounded = (cell) => (/^\d+\.\d+(e-?\d+)?$/.test(cell) ? String(Number(Number(cell).toPrecision(3))) : cell);

customElements.define("studio-results", Results);
