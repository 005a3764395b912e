"use strict";
/* What the page can do beyond being read: it is whole without it. */
(function () {
  const all = (query, from) => Array.from((from || document).querySelectorAll(query));
  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const said = document.getElementById("said");
  const say = (text) => { if (said) said.textContent = text; };

  function copyByHand(text) {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (ignored) {
      return copyByHand(text);
    }
  }

  function addCopyButton(box) {
    const button = make("button", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", "Copy the command: " + box.querySelector("pre").textContent);
    button.addEventListener("click", async () => {
      const done = await copy(box.querySelector("pre").textContent);
      button.textContent = done ? "Copied" : "Select it";
      say(done ? "Command copied" : "The browser does not allow copying");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    box.append(button);
  }

  /* Numbers by size; "inf" is the largest, and what has none the smallest. */
  function keyOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.key || cell.textContent.trim();
    const number = text === "inf" ? Infinity : parseFloat(text);
    return isNaN(number) ? text : number;
  }

  function compare(a, b) {
    if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1;
    return a > b ? 1 : a < b ? -1 : 0;
  }

  function sortBy(table, th) {
    const up = th.getAttribute("aria-sort") === "descending" || !th.classList.contains("n") && !th.hasAttribute("aria-sort");
    const sign = up ? 1 : -1, body = table.tBodies[0], column = th.cellIndex;
    const rows = Array.from(body.rows).map((row) => [keyOf(row, column), row]);
    rows.sort((a, b) => sign * compare(a[0], b[0]));
    all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
    th.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows.map((pair) => pair[1]));
    say("Sorted by " + th.textContent + (up ? ", ascending" : ", descending"));
  }

  function makeSortable(table) {
    all("thead th", table).forEach((th) => {
      const button = make("button", th.textContent);
      button.type = "button";
      th.textContent = "";
      th.append(button);
      button.addEventListener("click", () => sortBy(table, th));
    });
  }

  function setUpFilters(tools) {
    const items = all("[data-op]"), fields = tools.elements, count = tools.querySelector("output");
    const isShown = (item) =>
      (!fields.op.value || item.dataset.op === fields.op.value) &&
      (!fields.backend.value || item.dataset.backend === fields.backend.value) &&
      (!fields.verdict.value || item.dataset.verdict === fields.verdict.value) &&
      !(fields.inherited.checked && "inherited" in item.dataset && item.dataset.verdict === "passed") &&
      item.textContent.toLowerCase().includes(fields.text.value.trim().toLowerCase());
    const apply = () => {
      items.forEach((item) => { item.hidden = !isShown(item); });
      all("[data-empty]").forEach((note) => {
        note.hidden = all("[data-op]", note.parentElement).some((item) => !item.hidden);
      });
      count.textContent = items.filter((item) => !item.hidden).length + " of " + items.length + " entries shown";
    };
    tools.hidden = false;
    tools.addEventListener("input", apply);
    tools.addEventListener("submit", (event) => event.preventDefault());
    tools.addEventListener("reset", () => setTimeout(apply));
    apply();
    return (item) => {
      if (!item.hidden) return;
      tools.reset();
      fields.inherited.checked = false;
      apply();
    };
  }

  function setUpFolding(bar) {
    const set = (open) => all("details.fail").forEach((one) => { one.open = open; });
    [["Unfold all", true], ["Fold all", false]].forEach(([text, open]) => {
      const button = make("button", text);
      button.type = "button";
      button.addEventListener("click", () => set(open));
      bar.append(button, " ");
    });
  }

  all(".cmd").forEach(addCopyButton);
  all("table.sortable").forEach(makeSortable);
  all(".folding").forEach(setUpFolding);
  const tools = document.querySelector("form.tools");
  const reveal = tools ? setUpFilters(tools) : () => {};

  /* Whatever a link points to is to be seen. */
  function goToAnchor() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const item = target.closest("[data-op]");
    if (item) reveal(item);
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", goToAnchor);
  addEventListener("beforeprint", () => all("details").forEach((one) => { one.open = true; }));
  goToAnchor();
})();
