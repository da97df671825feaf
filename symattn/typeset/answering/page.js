// A page on which every entry answers. What is shown is in the JSON of the page: digits that were cut off, with "…"
// where they go on, closed forms, and workings with slots for the entries that they are made of.
const MOST_USES = 12, MOST_WORKED = 300, MOST_ON_PAPER = 4;
function start(page) {
  const $ = (what, where = page) => where.querySelector(what);
  const $$ = (what, where = page) => [...where.querySelectorAll(what)];
  const data = JSON.parse($('script[type="application/json"]').textContent), {tables, words} = data;
  const panel = $(".panel"), answer = $(".answer"), controls = $(".controls"), zh = () => page.lang.startsWith("zh");
  const say = (key) => escaped(words[key][zh() ? 1 : 0]);
  const view = {mode: "both", count: 0, significant: false};
  const entries = entriesOf(data, view), {name, digits, form, longest, listed, sources, uses} = entries;
  const working = workingsOf(data, view, entries, say);
  let current = null, pinned = false, printing = false;

  // an entry in a table, as the page without a script has it
  function cell(entry) {
    const shape = form(entry), stored = digits(entry), [key] = entry;
    const x = shape ? `<span class="x">${math(shape[0])}</span>` : "";
    if (!stored) return x || math(name(entry));
    if (view.mode === "closed" ? x : view.mode === "both" && shape?.[3]) return x;
    const [text, exact] = shown(stored, view, x && view.mode === "both" ? 0 : longest(tables[key]));
    const both = view.mode === "both" ? x : "", [mantissa, power] = text.replaceAll("-", "−").split("e");
    const sign = exact && !both ? "" : `<span class="rel">${exact ? "=" : "≈"}</span>`;
    return `${both}<span class="d">${sign}${mantissa}${power ? ` × 10<sup>${power}</sup>` : ""}</span>`;
  }
  const entryOf = (td) => [td.closest("table").dataset.m, ...td.dataset.c.split(",").map(Number)];
  const place = ([key, i, j]) => say("place").replace("{name}", math(tables[key].symbol)).replace("{i}", i + 1).replace("{j}", j + 1);
  const spoken = ([key, i, j]) => `${tables[key].plain} ${i + 1},${j + 1}`;
  const misprint = ([key, i, j]) => {
    const printed = tables[key].misprints?.[`${i},${j}`];
    return printed ? `<del>${escaped(printed)}</del>` : "";
  };
  function render(where = page) {
    for (const table of $$("table.brackets", where)) {
      for (const td of $$("td[data-c]", table)) {
        const entry = entryOf(td);
        td.innerHTML = cell(entry) + misprint(entry);
        td.setAttribute("aria-label", `${spoken(entry)}: ${aloud(td)}`);
      }
      table.classList.toggle("both", $(".x + .d", table) !== null);
    }
  }

  // what an entry was made of, and what it is used for
  const cellsIn = new Map(), lit = [];
  const drawn = Object.groupBy($$("table.brackets"), (table) => table.dataset.m);
  const cells = ([key, i, j]) => (drawn[key] ?? []).flatMap((table) => cellsIn.get(table).get(`${i},${j}`) ?? []);
  function show(entry, {pin = false, speak = false} = {}) {
    const same = String(entry) === String(current);
    if (same && pin === pinned && !speak) return;
    [current, pinned] = [entry, pin];
    if (!same) {
      lit.splice(0).forEach((td) => td.classList.remove("on", "lit0", "lit1", "use"));
      const mark = (one, how) => cells(one).forEach((td) => lit.push(td) && td.classList.add(how));
      for (const one of uses(entry)) mark(one, "use");
      for (const [one, role] of sources(entry)) mark(one, `lit${role}`);
      mark(entry, "on");
      fill();
    }
    panel.classList.toggle("pinned", pin);
    panel.classList.add("open");
    page.classList.add("asking");
    if (speak) $(".aloud").textContent = $$("li", answer).map((li) => aloud($(".rhs", li))).join(" ");
  }
  function fill() {
    const table = tables[current[0]], labels = table.labels, tokens = labels ? [labels[0][current[1]], labels[1][current[2]]].filter(Boolean) : [];
    answer.innerHTML = `<p class="where">${place(current)}${tokens.length ? ` <span class="quiet">(${tokens.map(escaped).join(" → ")})</span>` : ""}</p>` +
      (table.workings ? working(current) : `<p><span class="quiet">${say("given")}</span> ${math(name(current))} = ${cell(current)}</p>`);
    const printed = misprint(current);
    if (printed) answer.insertAdjacentHTML("beforeend", `<p>${say("misprint")} ${printed}</p>`);
    const list = document.createElement("div");
    list.className = "uses";
    if (target(current)) list.append(jump(say("goto"), current));
    const used = uses(current);
    if (used.length) list.append(Object.assign(document.createElement("span"), {textContent: words.uses[zh() ? 1 : 0]}));
    for (const one of used.slice(0, MOST_USES)) list.append(jump(math(name(one)), one));
    if (used.length > MOST_USES) list.append("…");
    answer.append(list);
    scrollers(answer);
  }
  const home = (key) => $(`.made table[data-m="${CSS.escape(key)}"], .givens table[data-m="${CSS.escape(key)}"]`) ??
    $(`table[data-m="${CSS.escape(key)}"]`);
  const target = ([key, i, j]) => home(key) && ($(`td[data-c="${i},${j}"]`, home(key)) ?? home(key));
  function jump(label, entry) {
    const button = document.createElement("button");
    button.type = "button";
    button.innerHTML = label;
    if (label.startsWith("<math")) button.setAttribute("aria-label", spoken(entry));
    button.addEventListener("click", () => {
      if (target(entry)?.matches("table")) whole(target(entry));
      const td = target(entry);
      if (!td) return;
      for (let up = td.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
      select(td);
      show(entry, {pin: true, speak: true});
    });
    return button;
  }

  // a large matrix without its dots
  function whole(drawn) {
    const key = drawn.dataset.m, table = tables[key], turned = "turned" in drawn.dataset;
    const [rows, cols] = turned ? [table.cols, table.rows] : [table.rows, table.cols];
    const [beside = [], above = []] = turned ? [...(table.labels ?? [])].reverse() : table.labels ?? [];
    const label = (scope, text) => `<th scope="${scope}"><bdi>${escaped(text)}</bdi></th>`;
    const head = above.length ? `<tr class="head">${beside.length ? '<td class="corner"></td>' : ""}${above.map((text) => label("col", text)).join("")}</tr>` : "";
    drawn.innerHTML = head + listed(`0-${rows - 1}`).map((r) => `<tr>${beside.length ? label("row", beside[r]) : ""}${
      listed(`0-${cols - 1}`).map((c) => `<td data-c="${turned ? `${c},${r}` : `${r},${c}`}"></td>`).join("")}</tr>`).join("");
    drawn.classList.add("whole");
    $("button[name=whole]", drawn.closest(".body"))?.remove();
    prepare(drawn);
    render(drawn.parentElement);
  }

  // one Tab stop a matrix, arrow keys inside it
  function prepare(table) {
    table.setAttribute("role", "grid");
    table.closest(".scroll").removeAttribute("tabindex");
    const found = $$("td[data-c]", table);
    found.forEach((td, n) => { td.tabIndex = n ? -1 : 0; });
    cellsIn.set(table, new Map(found.map((td) => [td.dataset.c, td])));
  }
  function select(td) {
    $$('td[tabindex="0"]', td.closest("table")).forEach((other) => { other.tabIndex = -1; });
    td.tabIndex = 0;
    td.focus({preventScroll: true});
    td.scrollIntoView({block: "nearest", inline: "nearest"});
  }
  function close() {
    pinned = false;
    panel.classList.remove("open", "pinned");
    page.classList.remove("asking");
  }
  page.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (panel.contains(event.target) && current && target(current)?.matches("td")) select(target(current));
      return close();
    }
    const td = event.target.closest?.("td[data-c]");
    if (!td) return;
    const row = $$("td", td.parentElement).filter((each) => each.dataset.c), n = row.indexOf(td);
    const rows = $$("tr", td.closest("table")).map((tr) => $$("td[data-c]", tr)).filter((each) => each.length);
    const line = rows.findIndex((each) => each.includes(td));
    const next = {
      ArrowLeft: row[n - 1], ArrowRight: row[n + 1], ArrowUp: rows[line - 1]?.[n], ArrowDown: rows[line + 1]?.[n],
      Home: event.ctrlKey ? rows[0][0] : row[0], End: event.ctrlKey ? rows.at(-1).at(-1) : row.at(-1),
    };
    if (event.key in next) {
      event.preventDefault();
      if (next[event.key]) select(next[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      show(entryOf(td), {pin: true});
      panel.focus();
    }
  });
  page.addEventListener("focusin", (event) => {
    const td = event.target.closest?.("td[data-c]");
    if (td && String(entryOf(td)) !== String(current)) show(entryOf(td), {speak: true});
  });
  page.addEventListener("pointerover", (event) => {
    const td = event.target.closest?.("td[data-c]");
    if (td && !pinned && event.pointerType !== "touch") show(entryOf(td));
  });
  page.addEventListener("click", (event) => {
    if (event.target.closest?.("button[name=whole]")) return whole($("table", event.target.closest(".body")));
    const td = event.target.closest?.("td[data-c]");
    if (!td) return;
    select(td);
    show(entryOf(td), {pin: true});
  });
  $("button[name=close]").addEventListener("click", close);

  // the worked entries of a step, at the digits and in the language of the page
  function unfolded(details) {
    if (!details.open) return;
    const most = printing ? MOST_ON_PAPER : MOST_WORKED;
    const key = details.closest(".step").dataset.step, table = tables[key], count = Math.min(table.digits.length, most);
    const known = new Set();
    $(".workings", details).innerHTML = listed(`0-${count - 1}`).map((n) =>
      `<div>${working([key, Math.floor(n / table.cols), n % table.cols], known)}</div>`).join("") + (count < table.digits.length ? "<p>⋯</p>" : "");
    $("summary", details).textContent = `${words.entries[zh() ? 1 : 0]} (${table.digits.length})`;
    scrollers(details);
  }
  function scrollers(where) {
    for (const line of $$(".working", where)) line.scrollWidth > line.clientWidth ? line.tabIndex = 0 : line.removeAttribute("tabindex");
  }
  page.addEventListener("toggle", (event) => { if (event.target.matches(".entries")) unfolded(event.target); }, true);

  // switches
  function refresh() {
    const {show: kind, count: slider, rounding, lang, theme} = controls.elements;
    slider.min = rounding.value === "significant" ? 1 : 0;
    page.lang = lang.value;
    Object.assign(view, {mode: kind.value, count: +slider.value, significant: rounding.value === "significant"});
    if (page.matches("main")) document.documentElement.lang = lang.value;
    theme.value === "auto" ? delete page.dataset.theme : page.dataset.theme = theme.value;
    if (page.matches("main")) theme.value === "auto" ? delete document.documentElement.dataset.theme : document.documentElement.dataset.theme = theme.value;
    $("output").value = view.count;
    for (const heard of $$("[data-en]")) heard.setAttribute("aria-label", heard.dataset[zh() ? "zh" : "en"]);
    render();
    $$(".entries").forEach(unfolded);
    if (current) fill();
  }
  controls.addEventListener("input", refresh);
  controls.addEventListener("submit", (event) => event.preventDefault());
  for (const open of [false, true]) {
    controls.elements[open ? "unfold" : "fold"].addEventListener("click", () => $$("details.step").forEach((step) => { step.open = open; }));
  }
  let folded = [];
  function print(begins) {
    printing = begins;
    if (begins) folded = $$("details:not([open])");
    folded.forEach((part) => { part.open = begins; });
    $$(".entries").forEach(unfolded);
  }
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  $$(".js").forEach((part) => { part.hidden = false; });
  page.classList.add("live");
  $$("table.brackets").forEach(prepare);
  refresh();
}
for (const page of document.querySelectorAll(".symattn.answers:not([data-ready])")) {
  page.dataset.ready = "";
  start(page);
}
