"use strict";
(() => {
  // Puts the position after any choice into the scene; the page is whole without this.
  const id = (name) => document.getElementById(name);
  const timeline = JSON.parse(id("timeline").textContent);
  const slider = id("step");
  const last = Number(slider.max);
  const moments = [...id("moment").options].map((option) => Number(option.value));
  const width = Number(id("cursor").getAttribute("transform").match(/[\d.]+/)[0]);
  const parts = [...document.querySelectorAll("[data-part]")].map((element) => {
    const [steps, texts] = timeline[element.dataset.part];
    return { element, steps, texts, shown: -1 };
  });
  let now = -1;

  const at = (steps, step) => {
    let low = 0;
    let high = steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (steps[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  const go = (wanted, write = true) => {
    const step = Math.max(0, Math.min(last, wanted));
    if (step === now) return;
    now = step;
    for (const part of parts) {
      const k = at(part.steps, step);
      if (k === part.shown) continue;
      part.element.innerHTML = part.texts[k];
      part.shown = k;
    }
    document.querySelector("tr.now")?.classList.remove("now");
    const row = id(`s${step}`);
    row?.classList.add("now");
    id("told").innerHTML = row ? row.cells[1].innerHTML : "The position at the start.";
    slider.value = step;
    slider.setAttribute("aria-valuetext", `choice ${step} of ${last}`);
    id("count").textContent = `${step} of ${last}`;
    let moment = 0;
    moments.forEach((first, k) => { if (first <= step && (first < last || step === last)) moment = k; });
    id("moment").selectedIndex = moment;
    id("cursor").setAttribute("transform", `translate(${last ? (step * width) / last : 0} 0)`);
    if (write) history.replaceState(null, "", `#${step}`);
  };

  slider.addEventListener("input", () => go(Number(slider.value)));
  id("previous").addEventListener("click", () => go(now - 1));
  id("next").addEventListener("click", () => go(now + 1));
  id("moment").addEventListener("change", () => go(Number(id("moment").value)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, .scroll")) return;
    const keys = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last };
    if (!(event.key in keys)) return;
    event.preventDefault();
    go(keys[event.key]);
  });
  const hash = () => {
    if (/^#\d+$/.test(location.hash)) go(Number(location.hash.slice(1)), false);
  };
  addEventListener("hashchange", () => {
    hash();
    id("controls").scrollIntoView();
  });
  id("controls").hidden = false;
  hash();
  go(now < 0 ? 0 : now, false);
})();
