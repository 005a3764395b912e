/* What a reader does with a report's page, done by page_test.sh in a browser: appended to the page.
 * The outcome is the title of the document. */
(function () {
  const wrong = [];
  const all = (query) => Array.from(document.querySelectorAll(query));
  const expect = (is, what) => { if (!is) wrong.push(what); };
  const shown = (query) => all(query).filter((one) => !one.hidden).length;
  const form = document.querySelector("form.tools");
  const rows = "#ops tbody tr", failures = "details.fail";

  function choose(name, value) {
    const field = form.elements[name];
    if (field.type === "checkbox") field.checked = value;
    else field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function tryLinks() {
    for (const link of all("a[href^='#']"))
      expect(document.getElementById(link.getAttribute("href").slice(1)), "link to " + link.getAttribute("href"));
    for (const one of all("[id]"))
      expect(document.querySelectorAll("[id='" + one.id + "']").length === 1, "id " + one.id + " once");
  }

  function tryFilters() {
    const before = shown(rows);
    expect(!form.hidden, "the filters are shown");
    choose("op", "matmul");
    expect(shown(rows) === 2, "the rows of one op");
    expect(shown(failures) > 0, "its failures");
    choose("verdict", "failed");
    expect(shown(rows) === 1, "the row that failed");
    choose("text", "no such text");
    expect(shown(rows) === 0 && shown(failures) === 0, "nothing of another text");
    expect(shown("[data-empty]") === 2, "it is said that there is nothing");
    choose("text", "");
    choose("op", "");
    choose("verdict", "");
    choose("backend", "scalar");
    expect(shown(rows) === before / 2 && shown(failures) === 0, "one backend");
    choose("backend", "");
    choose("inherited", true);
    expect(shown(rows) === before / 2 + 1, "inherited ops folded");
    choose("inherited", false);
    expect(shown(rows) === before, "all of it again");
  }

  function tryFolding() {
    const [unfold, fold] = all(".folding button");
    unfold.click();
    expect(all(failures).every((one) => one.open), "all unfolded");
    fold.click();
    expect(!all(failures).some((one) => one.open), "all folded");
  }

  function trySorting() {
    const head = all("#ops thead th").find((th) => th.textContent === "worst");
    const column = head.cellIndex;
    head.querySelector("button").click();
    expect(head.getAttribute("aria-sort") === "descending", "numbers fall first");
    expect(document.querySelector(rows).dataset.verdict === "failed", "the worst is on top");
    head.querySelector("button").click();
    const values = all(rows).map((row) => parseFloat(row.cells[column].dataset.key.replace("inf", "Infinity")));
    expect(values.every((value, i) => i === 0 || values[i - 1] <= value), "ascending");
  }

  function tryCopying() {
    const boxes = all(".cmd");
    expect(boxes.length > 1 && boxes.every((box) => box.querySelector("button")), "every command can be copied");
    let copied = "";
    document.execCommand = () => { copied = document.activeElement.value; return true; };
    Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => { copied = text; } } });
    boxes[0].querySelector("button").click();
    expect(copied === boxes[0].querySelector("pre").textContent, "the command is what is copied");
  }

  /* A link to what a filter hides shows it. */
  function tryAnchor(then) {
    const target = document.querySelector(failures);
    choose("op", "add");
    expect(target.hidden, "hidden at first");
    addEventListener("hashchange", () => {
      expect(!target.hidden && target.open, "a link shows its failure");
      then();
    }, { once: true });
    location.hash = target.id;
  }

  function tryNames() {
    for (const one of all("input, select, button, svg:not([aria-hidden]), table, [role=region]"))
      expect(one.textContent.trim() || one.getAttribute("aria-label") || one.labels && one.labels.length,
        one.tagName + " without a name");
    expect(document.documentElement.scrollWidth <= innerWidth, "the page is no wider than the window");
    for (const one of all("main > section"))
      expect(one.querySelector("h2"), "section " + one.id + " without a heading");
  }

  addEventListener("load", () => {
    tryLinks();
    tryNames();
    tryFilters();
    tryFolding();
    trySorting();
    tryCopying();
    tryAnchor(() => { document.title = wrong.length ? "wrong: " + wrong.join("; ") : "all is well"; });
  });
})();
