"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const escape = (text) =>
    String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const slug = (text) => text.replace(/ /g, "-");
  const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  // ---- theme: the system's, until the reader has chosen
  const stored = () => { try { return localStorage.getItem("steward-theme"); } catch { return null; } };
  const wish = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => stored() || (wish.matches ? "dark" : "light");
  const paint = () => { document.documentElement.dataset.theme = theme(); };
  const flip = () => {
    const next = theme() === "dark" ? "light" : "dark";
    try { localStorage.setItem("steward-theme", next); } catch { /* a file: page may have none */ }
    document.documentElement.dataset.theme = next;
  };
  wish.addEventListener("change", paint);
  paint();

  // ---- source lines
  const WORDS = new Set(("alignas alignof asm auto break case catch class const constexpr const_cast continue co_await " +
    "co_return co_yield decltype default delete do dynamic_cast else enum explicit export extern for friend goto if inline " +
    "mutable namespace new noexcept operator private protected public register reinterpret_cast requires return sizeof static " +
    "static_assert static_cast struct switch template this thread_local throw try typedef typeid typename union using " +
    "virtual volatile while concept nullptr true false").split(" "));
  const TYPES = new Set("bool char double float int long short signed unsigned void size_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t".split(" "));
  const TOKEN = /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#\s*\w+)|(\b\d[\w.']*)|([A-Za-z_]\w*)/g;
  const highlight = (line) => {
    let out = "";
    let at = 0;
    for (const m of line.matchAll(TOKEN)) {
      out += escape(line.slice(at, m.index));
      const kind = m[1] ? "c" : m[2] ? "s" : m[3] ? "k" : m[4] ? "d" : WORDS.has(m[5]) ? "k" : TYPES.has(m[5]) ? "t" : "";
      out += kind ? `<span class="${kind}">${escape(m[0])}</span>` : escape(m[0]);
      at = m.index + m[0].length;
    }
    return out + escape(line.slice(at));
  };
  const source = (frame) => {
    const lines = data.sources[frame.file];
    if (!frame.line || !lines || lines[frame.line] === undefined) return "";
    const near = [];
    for (let n = frame.line - 3; n <= frame.line + 3; ++n) if (lines[n] !== undefined) near.push(n);
    const indents = near.filter((n) => lines[n].trim()).map((n) => lines[n].match(/^ */)[0].length);
    const cut = Math.min(...indents, 80);
    return `<pre class="src">${near.map((n) => {
      const row = `<div${n === frame.line ? ' class="hit"' : ""}><span class="n">${n}</span><span>${highlight(lines[n].slice(cut)) || " "}</span></div>`;
      const caret = n === frame.line && frame.column > cut
        ? `<div class="caret"><span class="n"></span><span>${" ".repeat(frame.column - 1 - cut)}^</span></div>` : "";
      return row + caret;
    }).join("")}</pre>`;
  };

  // ---- frames: [function, file, line, column, library's own, inlined]
  const frameOf = (index) => {
    const [fn, file, line, column, library, inlined] = data.frames[index];
    return { fn, file: data.files[file] || "", line, column, library, inlined };
  };
  const short = (path) => path.slice(path.lastIndexOf("/") + 1);
  // The folder that all of the program's own files are in goes without saying.
  const own = [...new Set(data.frames.filter((f) => !f[4] && f[1] >= 0).map((f) => data.files[f[1]]))];
  const common = own.reduce((prefix, path) => {
    while (!path.startsWith(prefix)) prefix = prefix.slice(0, prefix.lastIndexOf("/", prefix.length - 2) + 1);
    return prefix;
  }, own.length ? own[0].slice(0, own[0].lastIndexOf("/") + 1) : "");
  const shown = (path) => common && path.startsWith(common) ? path.slice(common.length) : path;
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const place = (f, path = shown(f.file)) => path + (f.line ? `:${f.line}` : "");
  const frameRow = (f, open) => {
    const text = source(f);
    return `<li${f.library ? ' class="lib"' : ""}><button type="button" class="frame" ${text ? `aria-expanded="${open && text ? "true" : "false"}"` : "disabled"}>` +
      `<span class="fn">${escape(f.fn)}</span>${f.inlined ? ' <span class="tag">inlined</span>' : ""}` +
      `${f.file ? `<span class="at">${escape(place(f))}${f.column && f.line ? ":" + f.column : ""}</span>` : ""}</button>` +
      `${text ? `<div class="srcbox"${open ? "" : " hidden"}>${text}</div>` : ""}</li>`;
  };
  const FEW = 8;
  const frames = (stack) => {
    const all = stack.map(frameOf);
    const first = Math.max(0, all.findIndex((f) => !f.library));
    const own = all.some((f) => !f.library);
    // What the standard library does in between is folded, and so is the depth of a deep stack.
    const groups = [];
    all.forEach((f, i) => {
      const hide = i >= FEW ? "deep" : own && f.library ? "library" : "";
      const last = groups[groups.length - 1];
      if (last && last.hide === hide) last.rows.push(frameRow(f, i === first));
      else groups.push({ hide, rows: [frameRow(f, i === first)] });
    });
    return groups.map(({ hide, rows }) => {
      const list = `<ol class="frames">${rows.join("")}</ol>`;
      if (!hide) return list;
      return `<div hidden>${list}</div><button type="button" class="fold">${plural(rows.length, hide === "deep" ? "more frame" : "frame")}${hide === "deep" ? "" : " of the standard library"}</button>`;
    }).join("");
  };
  const brief = (stack) => {
    const all = stack.map(frameOf).filter((f, i, list) => !f.library || list.every((o) => o.library));
    return `<ol>${all.slice(0, 4).map((f) => `<li>${escape(f.fn)} <span>${escape(f.file ? place(f) : "")}</span></li>`).join("")}</ol>`;
  };

  // ---- the two threads in time, and the edge that is not there
  const timeline = (race, width) => {
    const W = Math.max(300, Math.min(760, width));
    const narrow = W < 520;
    const [later, earlier] = race.accesses;
    const parentOf = (label) => (race.threads.find((t) => t.label === label) || {}).parent;
    const names = [earlier.thread, later.thread];
    const parents = names.map(parentOf);
    const lanes = [...new Set([...parents.filter((p) => p && p === parents[0] && p === parents[1]), ...names])];
    const margin = narrow ? 64 : 120;
    const x = (label) => lanes.length === 1 ? W / 2
      : margin + (lanes.indexOf(label) * (W - 2 * margin)) / (lanes.length - 1);
    const most = narrow ? 15 : 34;
    const fit = (text, n = most) => text.length > n ? text.slice(0, n - 1) + "…" : text;
    const begin = {};
    let y = 18;
    const parts = [];
    for (const name of lanes) if (!lanes.includes(parentOf(name)) || parentOf(name) === name) begin[name] = y;
    // Ids are given in the order of creation.
    const number = (label) => Number(/^T(\d+)/.exec(label)?.[1] || 0);
    for (const name of [...names].sort((a, b) => number(a) - number(b))) {
      const parent = parentOf(name);
      if (begin[name] !== undefined || !lanes.includes(parent)) continue;
      y += 40;
      begin[name] = y;
      const from = x(parent), to = x(name);
      const half = to > from ? -46 : 46;
      parts.push(`<path class="edge" d="M${from} ${y}H${to + half}"/><path class="tip" d="M${to + half} ${y}l${half > 0 ? 8 : -8} -4v8z"/>`,
        `<text class="small" x="${from + (to > from ? 8 : -8)}" y="${y - 6}" text-anchor="${to > from ? "start" : "end"}">creates</text>`);
    }
    const y1 = y + (narrow ? 96 : 66), y2 = y1 + 84, end = y2 + (narrow ? 84 : 58);
    const lines = lanes.map((name) =>
      `<path class="lane" d="M${x(name)} ${begin[name]}V${end}"/>`);
    const boxes = lanes.map((name) =>
      `<rect class="box" x="${x(name) - 46}" y="${begin[name] - 14}" width="92" height="28" rx="6"/>` +
      `<text x="${x(name)}" y="${begin[name] + 4}" text-anchor="middle">${escape(fit(name, 13))}</text>`);
    const access = (a, at) => {
      const right = x(a.thread) > W / 2;
      const top = a.stack.map(frameOf).find((f) => !f.library) || (a.stack.length ? frameOf(a.stack[0]) : null);
      const out = [];
      if (a.locks.length) {
        out.push(`<rect class="held" x="${x(a.thread) - 11}" y="${at - 24}" width="22" height="48" rx="8"/>`,
          `<text class="small" x="${x(a.thread) + (right ? 16 : -16)}" y="${at - 13}" text-anchor="${right ? "start" : "end"}">${escape(fit(a.locks.join(" "), 10))}</text>`);
      }
      out.push(`<circle class="dot" cx="${x(a.thread)}" cy="${at}" r="6"/>`);
      const lx = narrow ? x(a.thread) : x(a.thread) + (right ? 16 : -16);
      const anchor = narrow ? "middle" : right ? "start" : "end";
      const gap = a.locks.length ? 44 : 24;
      const ly = !narrow ? at + 4 : at === y1 ? at - gap - 10 : at + gap;
      // what lies below the words would cross them out
      if (narrow) out.push(`<rect class="back" x="${lx - 58}" y="${ly - 12}" width="116" height="33"/>`);
      out.push(`<text x="${lx}" y="${ly}" text-anchor="${anchor}">${escape(a.kind)}</text>`);
      if (top) out.push(`<text class="small" x="${lx}" y="${ly + 16}" text-anchor="${anchor}">${escape(fit(top.file ? place(top, short(top.file)) : top.fn, narrow ? 18 : 17))}</text>`);
      return out.join("");
    };
    const xa = x(earlier.thread), xb = x(later.thread);
    const same = xa === xb;
    const side = xb > xa ? 1 : -1;
    const path = same ? `M${xa + 9} ${y1}C${xa + 90} ${y1} ${xa + 90} ${y2} ${xa + 12} ${y2}` : `M${xa + 9 * side} ${y1 + 3}L${xb - 14 * side} ${y2 - 6}`;
    const mx = same ? xa + 68 : (xa + xb) / 2, my = (y1 + y2) / 2;
    parts.push(`<path class="missing" d="${path}"/>`,
      same ? "" : `<path class="missing-tip" transform="translate(${xb - 9 * side} ${y2 - 4}) rotate(${(Math.atan2(y2 - y1 - 9, xb - xa - 23 * side) * 180) / Math.PI})" d="M0 0l-10 -5v10z"/>`,
      access(earlier, y1), access(later, y2),
      `<circle class="back" cx="${mx}" cy="${my}" r="11"/><path class="cross" d="M${mx - 6} ${my - 6}l12 12m0 -12l-12 12"/>`,
      `<text class="no" x="${W / 2}" y="${end + 22}" text-anchor="middle">nothing orders the two</text>`);
    return `<svg class="line" viewBox="0 0 ${W} ${end + 32}" role="img" aria-label="${escape(`${earlier.thread}: ${earlier.kind}; then ${later.thread}: ${later.kind}; no edge between them: ${race.cause}`)}">${lines.join("")}${boxes.join("")}${parts.join("")}</svg>`;
  };

  // ---- one race, opened
  const side = (a, when) =>
    `<div class="side"><header><b>${when}: ${escape(a.kind)}</b> of ${plural(a.size, "byte")} by <b>${escape(a.thread)}</b><br>` +
    `<span>at <code>${escape(a.address)}</code>, ${a.locks.length ? "holding " + escape(a.locks.join(", ")) : a.lost ? "locks not known" : "holding no lock"}</span></header>` +
    `${a.stack.length ? frames(a.stack) : ""}` +
    `${a.lost ? `<p class="fold">${a.stack.length ? "The rest of the stack" : "The stack"} is no longer known (a larger history_size keeps more).</p>` : ""}</div>`;
  const command = (text) =>
    `<div class="command"><pre>${escape(text)}</pre><button type="button" class="copy">Copy</button></div>`;
  const evidence = (v) => {
    if (!v) return "";
    const facts = [["Variable", v.variable], ["Model", v.model], ["Heuristic", v.heuristic], ["Seed", v.seed],
      ["Runs", v.runs], ["Went wrong", v.failures], ["Reads with a choice", v.choices], ["Stale values", v.stale]].filter((f) => f[1]);
    return `<section class="panel ${slug(v.kind)}"><h3>Does it do harm?</h3><p><span class="badge ${slug(v.kind)}">${escape(v.kind)}</span> ${escape(v.summary || "")}</p>` +
      `${v.evidence.length ? `<ul>${v.evidence.map((e) => `<li>${escape(e)}</li>`).join("")}</ul>` : ""}` +
      `${facts.length ? `<dl>${facts.map(([k, t]) => `<div><dt>${k}</dt><dd>${escape(t)}</dd></div>`).join("")}</dl>` : ""}` +
      `${v.read.length || v.write.length ? `<div class="sides">${v.read.length ? `<div class="side"><header><b>The stale value is read</b></header>${frames(v.read)}</div>` : ""}${v.write.length ? `<div class="side"><header><b>It was written</b></header>${frames(v.write)}</div>` : ""}</div>` : ""}</section>`;
  };
  const body = (race, width) => {
    const [later, earlier] = race.accesses;
    const where = `<section><h3>Memory</h3><p>${escape(capital(race.where))}</p>${race.memory.length ? brief(race.memory) : ""}</section>`;
    const locks = race.locks.length
      ? `<section><h3>Locks</h3>${race.locks.map((l) => `<p>${escape(l.text)}</p>${l.stack.length ? brief(l.stack) : ""}`).join("")}</section>` : "";
    const threads = race.threads.filter((t) => t.stack.length);
    const made = threads.length
      ? `<section><h3>Threads</h3>${threads.map((t) => `<p>${escape(t.label)}${t.parent ? `, created by ${escape(t.parent)}` : ""}</p>${brief(t.stack)}`).join("")}</section>` : "";
    return `<div><p class="cause"><strong>${escape(capital(race.cause))}.</strong> ${escape(capital(race.what))}.</p>` +
      `${race.seen ? `<p class="seen">${escape(race.seen)}</p>` : ""}</div>` +
      `<div class="sides">${side(earlier, "Earlier")}${side(later, "Later")}</div>` +
      `<div class="mid"><section><h3>In time</h3>${timeline(race, width > 720 ? width * 0.58 : width)}</section>` +
      `<div class="more">${where}${locks}${made}</div></div>` +
      evidence(race.verdict) +
      `<section><h3>Again, or never again</h3>${race.reproduce ? command(race.reproduce) : ""}` +
      `${race.suppress ? command(`echo ${quoted(race.suppress)} >> steward.supp   # then: --suppressions steward.supp`) : ""}` +
      `<p class="seen">Fingerprint <code>${escape(race.id)}</code> · <a href="#${escape(race.id)}">link to this race</a></p></section>`;
  };
  const quoted = (text) => `'${text.replace(/'/g, "'\\''")}'`;

  // ---- the list
  const topOf = (a) => {
    const all = a.stack.map(frameOf);
    return all.find((f) => !f.library) || all[0] || { fn: "?", file: "", line: 0 };
  };
  const percent = (share) => `${(share * 100).toFixed(2)}%`;
  const card = (race, index) => {
    const [later, earlier] = race.accesses;
    const end = (a) => { const f = topOf(a); return `<span>${escape(f.file ? place(f) : "")} <b>${escape(f.fn)}</b></span>`; };
    const kind = race.verdict ? race.verdict.kind : "";
    const f = race.frequency;
    const top = topOf(later);
    const code = ((data.sources[top.file] || {})[top.line] || "").trim();
    return `<article class="race ${slug(kind)}" id="${escape(race.id)}" data-index="${index}">` +
      `<button type="button" class="head" aria-expanded="false"><span class="title">${escape(capital(race.on))}: ${escape(earlier.kind)} and ${escape(later.kind)}${code ? ` <code>${highlight(code.slice(0, 70))}</code>` : ""}</span>` +
      `<span class="places">${end(earlier)}<i>↮</i>${end(later)}</span>` +
      `<span class="badges"><span class="pills">${race.novelty === "new" ? '<span class="badge new">new</span>' : ""}${kind ? `<span class="badge ${slug(kind)}">${escape(kind)}</span>` : ""}</span>` +
      `${data.runs > 1 ? `<span>${race.runs} of ${data.runs} runs</span>` : race.count > 1 ? `<span>${race.count} times</span>` : ""}` +
      `${f && data.runs > 1 ? `<span class="meter" title="happens in ${percent(f.low)} to ${percent(f.high)} of runs"><span style="left:${percent(f.low)};width:${percent(f.high - f.low)}"></span><b style="left:${percent(f.estimate)}"></b></span>` : ""}</span></button>` +
      `<div class="body" hidden></div></article>`;
  };
  const list = $("list");
  list.innerHTML = data.races.map(card).join("");
  const cards = [...list.children];
  const hay = data.races.map((race) => [race.id, race.on, race.what,
    ...race.accesses.flatMap((a) => a.stack.map(frameOf)).map((f) => `${f.fn} ${f.file}`)].join("\n").toLowerCase());
  const filesOf = data.races.map((race) => new Set(race.accesses.flatMap((a) => a.stack.map(frameOf)).filter((f) => !f.library && f.file).map((f) => f.file)));

  const toggle = (article, open = !article.classList.contains("open")) => {
    const inside = article.querySelector(".body");
    // built when first looked at: a thousand races open as fast as one
    if (open && !inside.firstChild) inside.innerHTML = body(data.races[article.dataset.index], article.clientWidth - 40);
    article.classList.toggle("open", open);
    inside.hidden = !open;
    article.querySelector(".head").setAttribute("aria-expanded", open);
  };

  // ---- filters
  const option = (value, text) => `<option value="${escape(value)}">${escape(text)}</option>`;
  const fill = (id, all, values) => {
    $(id).innerHTML = option("", all) + values.map(([value, text]) => option(value, text)).join("");
    $(id).hidden = values.length < 2;
  };
  const tally = (values) => {
    const counts = new Map();
    for (const v of values) counts.set(v, (counts.get(v) || 0) + 1);
    return [...counts];
  };
  const kindOf = (race) => race.verdict ? race.verdict.kind : "not classified";
  const order = ["destructive", "no harm seen", "not exercised", "not classified"];
  fill("verdict", "Any verdict", tally(data.races.map(kindOf)).sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0])).map(([k, n]) => [k, `${k} (${n})`]));
  fill("tool", "Any tool", tally(data.races.flatMap((r) => r.tools)).map(([k, n]) => [k, `${k} (${n})`]));
  fill("file", "Any file", tally(filesOf.flatMap((s) => [...s])).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([k, n]) => [k, `${shown(k)} (${n})`]));
  fill("novelty", "New and known", tally(data.races.map((r) => r.novelty).filter(Boolean)).map(([k, n]) => [k, `${k} (${n})`]));

  const apply = () => {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const want = { verdict: $("verdict").value, tool: $("tool").value, file: $("file").value, novelty: $("novelty").value };
    for (const id of Object.keys(want)) $(id).classList.toggle("on", want[id] !== "");
    let n = 0;
    data.races.forEach((race, i) => {
      const ok = (!want.verdict || kindOf(race) === want.verdict) && (!want.tool || race.tools.includes(want.tool)) &&
        (!want.file || filesOf[i].has(want.file)) && (!want.novelty || race.novelty === want.novelty) &&
        words.every((w) => hay[i].includes(w));
      if (cards[i].hidden === ok) cards[i].hidden = !ok;
      n += ok;
    });
    $("count").textContent = n === cards.length ? plural(n, "race") : `${n} of ${cards.length}`;
    $("empty").hidden = n !== 0 || cards.length === 0;
  };
  const sort = () => {
    const by = $("order").value;
    const key = { runs: (i) => -data.races[i].runs, file: (i) => place(topOf(data.races[i].accesses[0])) }[by];
    const indexes = cards.map((_, i) => i);
    if (key) indexes.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b));
    list.append(...indexes.map((i) => cards[i]));
  };
  const clear = () => {
    for (const id of ["search", "verdict", "tool", "file", "novelty"]) $(id).value = "";
    apply();
  };

  // ---- what is said once
  $("overview").textContent = data.overview;
  const facts = data.batches.slice(0, 4).map((b) =>
    `<li><code>${escape(b.command || "?")}</code> · ${escape(b.tool)}${b.rate < 1 ? ` at ${percent(b.rate)}` : ""} · ${plural(b.runs, "run")}</li>`);
  if (data.batches.length > 4) facts.push(`<li>and ${data.batches.length - 4} more commands</li>`);
  for (const fact of data.facts) facts.push(`<li>${escape(fact)}</li>`);
  $("facts").innerHTML = facts.join("");
  $("notes").innerHTML = data.notes.map((n) => `<p>${escape(n)}</p>`).join("");
  if (cards.length === 0) { $("empty").firstChild.textContent = "No data race was seen."; $("clear").hidden = true; $("empty").hidden = false; }

  // ---- hands
  const copied = (button) => { button.textContent = "Copied"; setTimeout(() => { button.textContent = "Copy"; }, 1500); };
  const copy = (button) => {
    const text = button.previousElementSibling.textContent;
    const byHand = () => {  // clipboard access is not given to every file: page
      const range = document.createRange();
      range.selectNodeContents(button.previousElementSibling);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      if (document.execCommand("copy")) copied(button);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => copied(button), byHand);
    else byHand();
  };
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.classList.contains("head")) toggle(button.parentElement);
    else if (button.classList.contains("copy")) copy(button);
    else if (button.classList.contains("fold")) { button.previousElementSibling.hidden = false; button.remove(); }
    else if (button.classList.contains("frame")) {
      const box = button.nextElementSibling;
      box.hidden = !box.hidden;
      button.setAttribute("aria-expanded", !box.hidden);
    }
  });
  $("filters").addEventListener("input", (event) => (event.target.id === "order" ? sort() : apply()));
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("clear").addEventListener("click", clear);
  $("theme").addEventListener("click", flip);
  const step = (by) => {
    const visible = [...list.children].filter((c) => !c.hidden);
    if (!visible.length) return;
    const at = visible.indexOf(document.activeElement && document.activeElement.closest(".race"));
    const next = visible[Math.max(0, Math.min(visible.length - 1, at < 0 ? 0 : at + by))];
    next.querySelector(".head").focus();
    next.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /INPUT|SELECT|TEXTAREA/.test(event.target.tagName);
    if (event.key === "Escape") { clear(); document.activeElement.blur(); return; }
    if (typing) return;
    const keys = {
      "/": () => $("search").focus(), j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
      t: flip, x: () => cards.forEach((c) => { if (c.classList.contains("open")) toggle(c, false); }),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  const fromHash = () => {
    const article = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!article || !article.classList.contains("race")) return;
    toggle(article, true);
    article.scrollIntoView();
  };
  addEventListener("hashchange", fromHash);
  apply();
  fromHash();
  // one race needs no click
  if (cards.length === 1 && !location.hash) toggle(cards[0], true);
})();
