"use strict";
(() => {
  // Tables sort by a click on a head, or Enter; the page is whole without this.
  for (const table of document.querySelectorAll("main .scroll > table")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const value = (row, k) => {
      const cell = row.cells[k];
      return cell.dataset.sort === undefined ? cell.textContent.trim() : Number(cell.dataset.sort);
    };
    const missing = (x) => x === "–" || x === "";
    heads.forEach((head, k) => {
      head.dataset.sorts = "";
      head.tabIndex = 0;
      const sort = () => {
        const numbers = [...body.rows].some((row) => row.cells[k].dataset.sort !== undefined);
        const first = numbers ? "descending" : "ascending";
        const now = head.getAttribute("aria-sort");
        const next = now === null ? first : now === "ascending" ? "descending" : "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", next);
        const sign = next === "ascending" ? 1 : -1;
        const rows = [...body.rows].map((row, n) => ({ row, n, x: value(row, k) }));
        rows.sort((a, b) => {
          if (missing(a.x) !== missing(b.x)) return missing(a.x) ? 1 : -1; // what isn't there comes last
          if (typeof a.x !== typeof b.x) return typeof a.x === "number" ? -1 : 1;
          const order = typeof a.x === "number" ? a.x - b.x : a.x.localeCompare(b.x, "en", { numeric: true });
          return sign * order || a.n - b.n;
        });
        body.append(...rows.map(({ row }) => row));
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          sort();
        }
      });
    });
  }

  // Values where the pointer rests, at once instead of after the browser's delay.
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  const told = (target) => {
    const cell = target.closest?.("[title], [data-tip]");
    if (cell) {
      if (cell.title) cell.dataset.tip = cell.title;
      cell.removeAttribute("title");
      return cell.dataset.tip;
    }
    const mark = target.closest?.("svg g[data-tip], svg g:has(> title)");
    if (!mark) return "";
    const title = mark.querySelector(":scope > title");
    if (title) {
      mark.dataset.tip = title.textContent;
      title.remove();
    }
    return mark.dataset.tip;
  };
  document.addEventListener("pointermove", (event) => {
    const text = event.target instanceof Element ? told(event.target) : "";
    tip.hidden = !text;
    if (!text) return;
    if (tip.textContent !== text) tip.textContent = text;
    const x = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 16;
    const y = below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below;
    tip.style.left = `${Math.max(4, x)}px`;
    tip.style.top = `${y}px`;
  });
})();
