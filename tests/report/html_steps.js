// What a reader does, and what must then be on the page. html_test.sh puts it behind the page's script.
(() => {
  const out = [];
  const step = (name, ok) => out.push(`STEP ${name}: ${ok ? "ok" : "FAILED"}`);
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const cards = () => [...document.querySelectorAll(".race")];
  const visible = () => cards().filter((c) => !c.hidden);
  const type = (text) => { $("search").value = text; $("search").dispatchEvent(new Event("input", { bubbles: true })); };
  const choose = (id, value) => { $(id).value = value; $(id).dispatchEvent(new Event("input", { bubbles: true })); };
  const key = (name) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  try {
    step("every race is listed", cards().length === data.races.length);
    step("the overview is shown", $("overview").textContent === data.overview);
    step("nothing is wider than the window", document.documentElement.scrollWidth <= innerWidth);
    if (data.races.length === 0) step("an empty report says so", $("empty").textContent.includes("No data race"));
    if (data.races.length === 1) step("a single race is open", !document.querySelector(".body").hidden);
    if (data.races.length > 1) {
      const target = data.races[data.races.length - 1];
      type(target.id);
      step("a search finds one", visible().length === 1 && visible()[0].id === target.id);
      type("no such name anywhere");
      step("a search finds none and says so", visible().length === 0 && !$("empty").hidden);
      $("clear").click();
      step("all again", visible().length === data.races.length && $("empty").hidden);
      choose("verdict", "destructive");
      step("a verdict", visible().length === data.races.filter((r) => r.verdict.kind === "destructive").length && visible().length > 0);
      choose("verdict", "");
      const file = $("file").options[1].value;
      choose("file", file);
      step("a file", visible().length > 0 && visible().length < data.races.length);
      key("Escape");
      step("Escape clears", visible().length === data.races.length);
      if (data.races[0].novelty) {
        choose("novelty", "new");
        step("new ones", visible().length === data.races.filter((r) => r.novelty === "new").length && visible().length === 3);
        choose("novelty", "");
      }
      choose("order", "file");
      step("ordered by file", cards().length === data.races.length && cards()[0].textContent.includes("module_0.cpp"));
      choose("order", "");
      document.body.focus();
      key("j");
      key("j");
      step("j goes to the second", document.activeElement.closest(".race") === cards()[1]);
      key("k");
      step("k goes back", document.activeElement.closest(".race") === cards()[0]);
      key("/");
      step("/ searches", document.activeElement === $("search"));
      $("search").blur();
      const begin = performance.now();
      for (const text of ["m", "mo", "mod", "modu", "module_1", ""]) type(text);
      document.body.offsetHeight;
      out.push(`TIME six searches of ${data.races.length} races: ${(performance.now() - begin).toFixed(1)} ms`);
    }
    const first = cards()[0];
    if (first) {
      if (!first.classList.contains("open")) first.querySelector(".head").click();
      const inside = first.querySelector(".body");
      step("a click opens", !inside.hidden && first.querySelector(".head").getAttribute("aria-expanded") === "true");
      step("both stacks are shown", inside.querySelectorAll(".side .frames").length >= 2);
      step("the missing edge is drawn", inside.querySelector("svg .missing") && inside.querySelector("svg .cross"));
      step("the commands are there", inside.querySelectorAll(".command").length === 2);
      if (Object.keys(data.sources).length) {
        step("source lines are there, the racing one marked", inside.querySelector(".src .hit .n").textContent !== "");
        step("and highlighted", inside.querySelector(".src .k, .src .t") !== null);
        const folded = inside.querySelector('.frame[aria-expanded="false"]');
        folded.click();
        step("a frame opens", !folded.nextElementSibling.hidden);
      }
      if (data.races[0].verdict) step("the evidence is shown", inside.querySelector(".panel .badge").textContent === data.races[0].verdict.kind);
      step("still nothing is wider than the window", document.documentElement.scrollWidth <= innerWidth);
      document.body.focus();
      key("x");
      step("x closes", inside.hidden);
    }
    const before = document.documentElement.dataset.theme;
    $("theme").click();
    step("light or dark", document.documentElement.dataset.theme !== before);
    step("no markup from names", document.querySelector("#list img, #list b b") === null);
  } catch (e) {
    step(`exception ${e.stack}`, false);
  }
  step(`the console is silent ${faults.join("; ")}`, faults.length === 0);
  const pre = document.createElement("pre");
  pre.id = "steps";
  pre.textContent = "\n" + out.join("\n") + "\nEND\n";
  document.body.append(pre);
})();
