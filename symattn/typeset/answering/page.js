"use strict";
// A page on which every entry answers. What is shown stands in the JSON of the page: digits that were cut off, with
// "…" where they go on, closed forms, and workings with slots for the entries that they are made of. Digits are
// rounded and multiplied as whole numbers, never as floats.
(() => {
const OPEN = "\ue000", CLOSE = "\ue001", INDICES = "\ue002";
const MOST_USES = 12, MOST_WORKED = 300;
const STORED = /^(-?)(\d+)(?:\.(\d*))?(…?)(?:e(-?\d+))?$/;

function halfUp(whole, decimals, places) {
  const up = (decimals[places] ?? "0") >= "5" ? 1n : 0n;
  const text = String(BigInt(whole + decimals.slice(0, places).padEnd(places, "0")) + up).padStart(places + 1, "0");
  return places ? `${text.slice(0, -places)}.${text.slice(-places)}` : text;
}

// [digits to so many places, whether they are the number itself]; zeros alone give way to a power of ten
function rounded(stored, places, pad = 0) {
  let [, sign, whole, decimals = "", cut, power] = STORED.exec(stored), exponent = +(power ?? 0);
  if (power === undefined) {
    if (!cut && decimals.length <= places) {
      decimals = decimals.padEnd(pad, "0");
      return [sign + (decimals ? `${whole}.${decimals}` : whole), true];
    }
    const text = halfUp(whole, decimals, places);
    if (/[1-9]/.test(text) || !/[1-9]/.test(whole + decimals)) return [sign + text, false];
    const rest = decimals.replace(/^0+/, "");
    exponent = rest.length - decimals.length - 1;
    [whole, decimals] = [rest[0], rest.slice(1)];
  }
  const taken = cut ? 1 : 0;
  const kept = decimals.length > taken ? Math.min(Math.max(places - 2, 0), decimals.length - taken) : 0;
  const exact = !cut && decimals.length <= kept;
  let text = exact ? (decimals ? `${whole}.${decimals}` : whole) : halfUp(whole, decimals, kept);
  if (text.startsWith("10")) {
    text = kept ? `1.${"0".repeat(kept)}` : "1";
    exponent += 1;
  }
  return [`${sign}${text}e${exponent}`, exact];
}

// the magnitude of stored digits as an interval of whole numbers over 10^scale
function interval(stored) {
  const [, sign, whole, decimals = "", cut, power = "0"] = STORED.exec(stored);
  const digits = BigInt(whole + decimals);
  let low = cut ? digits - 1n : digits, high = cut ? digits + 1n : digits, scale = decimals.length - power;
  if (scale < 0) [low, high, scale] = [low * 10n ** BigInt(-scale), high * 10n ** BigInt(-scale), 0];
  return {negative: sign === "-", low, high, scale};
}

// a product of stored digits to so many places, or to fewer where these are not certain
function product(factors, places) {
  const each = factors.map(interval), of = (pick) => each.reduce((made, one) => made * one[pick], 1n);
  const low = of("low"), high = of("high"), scale = each.reduce((sum, one) => sum + one.scale, 0);
  const sign = low && each.filter((one) => one.negative).length % 2 ? "-" : "";
  const text = (n, kept) => {
    const digits = String(n).padStart(scale + 1, "0"), at = digits.length - scale;
    return halfUp(digits.slice(0, at), digits.slice(at), kept);
  };
  if (low === high) {
    const digits = String(low).padStart(scale + 1, "0"), at = digits.length - scale;
    const decimals = digits.slice(at).replace(/0+$/, "");
    if (decimals.length <= places) return [sign + digits.slice(0, at) + (decimals && `.${decimals}`), true];
  }
  for (let kept = places; kept >= 0; kept--) if (text(low, kept) === text(high, kept)) return [sign + text(low, kept), false];
  return null;
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[sign]);
const math = (inside) => `<math>${inside}</math>`;
const signed = (digits) => digits.startsWith("-") ? `<mrow><mo form="prefix">−</mo><mn>${digits.slice(1)}</mn></mrow>` : `<mn>${digits}</mn>`;
const inParentheses = (inside) => {
  const still = /<mfrac|<mtable|<munder/.test(inside) ? "" : ' stretchy="false"';
  return `<mrow><mo form="prefix" fence="true"${still}>(</mo>${inside}<mo form="postfix" fence="true"${still}>)</mo></mrow>`;
};
function numeral(digits) {
  const [mantissa, exponent] = digits.split("e");
  return exponent ? `<mrow>${signed(mantissa)}<mo>×</mo><msup><mn>10</mn>${signed(exponent)}</msup></mrow>` : signed(digits);
}

// a formula on one line, to be read aloud
function read(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  const parts = [...node.childNodes].map(read), wrap = (text) => /^[\p{L}\p{N}.^√ ]*$/u.test(text) ? text : `(${text})`;
  switch (node.localName) {
    case "mfrac": return `${wrap(parts[0])} / ${wrap(parts[1])}`;
    case "msup": return parts[1] === "⊤" ? `${parts[0]}ᵀ` : `${parts[0]}^${wrap(parts[1])}`;
    case "msub": case "msubsup": return parts.join(" ");
    case "msqrt": return `√${wrap(parts.join(""))}`;
    case "mo": return `${parts.join("")}`.replace(/^[=≈+−⋅×,]$/, " $& ");
    default: return parts.join("");
  }
}
const aloud = (node) => read(node).replace(/[\u2061\u2062]/g, "").replace(/\s+/g, " ").trim();

function start(page) {
  const $ = (what, where = page) => where.querySelector(what);
  const $$ = (what, where = page) => [...where.querySelectorAll(what)];
  const {forms, workings, tables, words} = JSON.parse($('script[type="application/json"]').textContent);
  const panel = $(".panel"), answer = $(".answer"), controls = $(".controls"), zh = () => page.lang.startsWith("zh");
  const say = (key) => escaped(words[key][zh() ? 1 : 0]);
  let places = +controls.elements.places.value, mode = "both", current = null, pinned = false;

  // entries: [key of the table, row, column]
  const at = (table, i, j) => i * table.cols + j;
  function name([key, i, j]) {
    const table = tables[key];
    if (table.names) return table.names[j];
    const row = table.indices === "j" ? j + 1 : i + 1, col = table.indices === "ij" ? j + 1 : null;
    const comma = row > 9 || col > 9 ? "<mo>,</mo>" : "";
    return table.name.replace(INDICES, `<mrow><mn>${row}</mn>${col === null ? "" : `${comma}<mn>${col}</mn>`}</mrow>`);
  }
  const digits = ([key, i, j]) => tables[key].digits[at(tables[key], i, j)];
  // the closed form: [MathML, its kind, whether it is short, whether it is a numeral], or null
  function form(entry) {
    const [key, i, j] = entry, found = tables[key].forms[at(tables[key], i, j)];
    if (found === null) return null;
    return found < 0 ? [signed(digits(entry)), digits(entry).startsWith("-") ? "-" : "", true, true] : forms[found];
  }
  function longest(table) {
    table.longest ??= Math.max(0, ...table.digits.map((each) => (STORED.exec(each)?.[3] ?? "").length));
    return Math.min(places, table.longest);
  }
  const listed = (range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({length: last - first + 1}, (_, k) => first + k);
  };
  const runs = (text) => text ? text.split(";").map((run) => run.split(",").map(listed)) : [];
  function operands([key, i, j]) {
    const table = tables[key];
    if (!table.workings) return [];
    return table.from[at(table, i, j)].split("|").map((text, k) =>
      runs(text).flatMap(([rows, cols]) => rows.flatMap((r) => cols.map((c) => [table.args[k], r, c]))));
  }
  const isDefinition = ([key]) => Boolean(tables[key].names);
  function sources(entry) {
    return operands(entry).flatMap((each, k) => each.flatMap((one) =>
      isDefinition(one) ? sources(one) : [[one, Math.min(k, 1)]]));
  }
  function uses(entry) {
    const found = new Map(), [key, i, j] = entry;
    for (const [other, table] of Object.entries(tables)) {
      if (!table.workings || !table.args.includes(key)) continue;
      table.from.forEach((text, n) => {
        const used = text.split("|").some((part, k) => table.args[k] === key &&
          runs(part).some(([rows, cols]) => rows.includes(i) && cols.includes(j)));
        const user = [other, Math.floor(n / table.cols), n % table.cols];
        if (used) for (const one of isDefinition(user) ? uses(user) : [user]) found.set(one.join("|"), one);
      });
    }
    return [...found.values()];
  }

  // an entry in a table, as the page without a script has it
  function cell(entry) {
    const shape = form(entry), stored = digits(entry), [key] = entry;
    const x = shape ? `<span class="x">${math(shape[0])}</span>` : "";
    if (!stored) return x || math(name(entry));
    if (mode === "closed" ? x : mode === "both" && shape?.[3]) return x;
    const [text, exact] = rounded(stored, places, x && mode === "both" ? 0 : longest(tables[key]));
    const both = mode === "both" ? x : "", [mantissa, power] = text.replaceAll("-", "−").split("e");
    const sign = exact && !both ? "" : `<span class="rel">${exact ? "=" : "≈"}</span>`;
    return `${both}<span class="d">${sign}${mantissa}${power ? ` × 10<sup>${power}</sup>` : ""}</span>`;
  }
  const entryOf = (td) => [td.closest("table").dataset.m, ...td.dataset.c.split(",").map(Number)];
  const place = ([key, i, j]) => say("place").replace("{name}", math(tables[key].symbol)).replace("{i}", i + 1).replace("{j}", j + 1);
  const spoken = ([key, i, j]) => `${tables[key].plain} ${i + 1},${j + 1}`;
  function render(where = page) {
    for (const table of $$("table.brackets", where)) {
      for (const td of $$("td[data-c]", table)) {
        const entry = entryOf(td);
        td.innerHTML = cell(entry);
        td.setAttribute("aria-label", `${spoken(entry)}: ${aloud(td)}`);
      }
    }
  }

  // workings
  function filled(entry, put) {
    const [key, i, j] = entry, table = tables[key], [pieces] = workings[table.workings[at(table, i, j)]];
    const each = operands(entry), next = each.map(() => 0);
    let cut = false, numerals = true;
    const made = pieces.map((piece) => piece.replace(new RegExp(`${OPEN}(\\d+)([^${CLOSE}]*)${CLOSE}`, "g"), (_, k, kinds) => {
      const [inside, kind, whole = true, plain = true] = put(each[k][next[k]++]);
      cut ||= !whole;
      numerals &&= plain;
      return `<mrow class="from a${Math.min(k, 1)}">${kind && kinds.includes(kind) ? inParentheses(inside) : inside}</mrow>`;
    }));
    return {text: made.map(math).join(""), cut, numerals};
  }
  const closed = (entry) => {
    const found = form(entry);
    return found && found[2] ? [found[0], found[1], true, found[3]] : [name(entry), "", true, false];
  };
  const decimal = (entry) => {
    if (!digits(entry)) return closed(entry);
    const [text, exact] = rounded(digits(entry), places);
    return [numeral(text), text.startsWith("-") ? "-" : text.includes("e") ? "*" : "", exact, true];
  };
  function products(entry) {
    const [key, i, j] = entry, table = tables[key], [pieces, sum] = workings[table.workings[at(table, i, j)]];
    if (!sum || pieces.length < 2) return null;
    const each = operands(entry), next = each.map(() => 0);
    let cut = false;
    const terms = [];
    for (const piece of pieces) {
      const stored = [...piece.matchAll(new RegExp(`${OPEN}(\\d+)`, "g"))].map(([, k]) => digits(each[k][next[k]++]));
      const made = stored.every(Boolean) ? product(stored, places) : null;
      if (!made) return null;
      const [text, exact] = made;
      cut ||= !exact;
      terms.push(math((terms.length ? '<mo form="infix">+</mo>' : "") + (terms.length && text.startsWith("-") ? inParentheses(signed(text)) : signed(text))));
    }
    return {text: terms.join(""), cut};
  }
  function lines(entry) {
    const named = filled(entry, (one) => [name(one), ""]), found = [["formula", named]];
    const x = filled(entry, closed), d = filled(entry, decimal), shape = form(entry), stored = digits(entry);
    if (mode !== "decimal" && x.text !== named.text) found.push(["put-in", x]);
    if (mode !== "closed" || x.text === named.text) if (d.text !== x.text || mode === "decimal") found.push(["put-in", d]);
    const made = mode === "closed" && !d.numerals ? null : products(entry);
    if (made) found.push(["products", made]);
    if (shape && (mode !== "decimal" || !stored) && math(shape[0]) !== x.text) found.push(["result", {text: math(shape[0]), cut: false}]);
    if (stored && (mode !== "closed" || !shape)) {
      const [text, exact] = rounded(stored, places), line = {text: math(numeral(text)), cut: !exact};
      if (!found.some(([, each]) => each.text === line.text) && !(shape?.[3] && exact && mode !== "decimal")) found.push(["result", line]);
    }
    return found.filter(([, line], k) => !k || line.text !== found[k - 1][1].text);
  }
  function working(entry, known = new Set()) {
    let text = "";
    for (const one of operands(entry).flat().filter(isDefinition)) {
      if (known.has(one.join("|"))) continue;
      known.add(one.join("|"));
      text += working(one, known);
    }
    let before = "";
    const items = lines(entry).map(([kind, {text: rhs, cut}]) => {
      const what = kind === before || kind === "formula" ? "" : `<span class="what">${say(kind)}</span>`;
      before = kind;
      const lhs = kind === "formula" ? `<span class="lhs">${math(name(entry))}</span>` : "";
      return `<li>${what}${lhs}<span class="rhs">${math(`<mo form="infix">${cut ? "≈" : "="}</mo>`)}${rhs}</span></li>`;
    });
    return `${text}<ol class="working">${items.join("")}</ol>`;
  }

  // what an entry was made of, and what it is used for
  const cells = ([key, i, j]) => $$(`table[data-m="${CSS.escape(key)}"] td[data-c="${i},${j}"]`);
  function show(entry, {pin = false, speak = false} = {}) {
    const same = String(entry) === String(current);
    if (same && pin === pinned && !speak) return;
    [current, pinned] = [entry, pin];
    if (!same) {
      for (const mark of ["on", "lit0", "lit1", "use"]) $$(`.${mark}`).forEach((lit) => lit.classList.remove(mark));
      for (const one of uses(entry)) cells(one).forEach((td) => td.classList.add("use"));
      for (const [one, role] of sources(entry)) cells(one).forEach((td) => td.classList.add(`lit${role}`));
      cells(entry).forEach((td) => td.classList.add("on"));
    }
    fill();
    panel.classList.toggle("pinned", pin);
    panel.classList.add("open");
    page.classList.add("asking");
    if (speak) $(".aloud").textContent = $$("li", answer).map((li) => aloud($(".rhs", li))).join(" ");
  }
  function fill() {
    const table = tables[current[0]], labels = table.labels, tokens = labels ? [labels[0][current[1]], labels[1][current[2]]].filter(Boolean) : [];
    answer.innerHTML = `<p class="where">${place(current)}${tokens.length ? ` <span class="quiet">(${tokens.map(escaped).join(" → ")})</span>` : ""}</p>` +
      (table.workings ? working(current) : `<p><span class="quiet">${say("given")}</span> ${math(name(current))} = ${cell(current)}</p>`);
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
    const head = above.length ? `<tr>${beside.length ? '<td class="corner"></td>' : ""}${above.map((text) => label("col", text)).join("")}</tr>` : "";
    drawn.innerHTML = head + listed(`0-${rows - 1}`).map((r) => `<tr>${beside.length ? label("row", beside[r]) : ""}${
      listed(`0-${cols - 1}`).map((c) => `<td data-c="${turned ? `${c},${r}` : `${r},${c}`}"></td>`).join("")}</tr>`).join("");
    $("button[name=whole]", drawn.closest(".body"))?.remove();
    prepare(drawn);
    render(drawn.parentElement);
  }

  // one Tab stop a matrix, arrow keys inside it
  function prepare(table) {
    table.setAttribute("role", "grid");
    table.closest(".scroll").removeAttribute("tabindex");
    $$("td[data-c]", table).forEach((td, n) => { td.tabIndex = n ? -1 : 0; });
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
    const key = details.closest(".step").dataset.step, table = tables[key], count = Math.min(table.digits.length, MOST_WORKED);
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
    const {show: shown, places: slider, lang, theme} = controls.elements;
    [mode, places, page.lang] = [shown.value, +slider.value, lang.value];
    if (page.matches("main")) document.documentElement.lang = lang.value;
    theme.value === "auto" ? delete page.dataset.theme : page.dataset.theme = theme.value;
    if (page.matches("main")) theme.value === "auto" ? delete document.documentElement.dataset.theme : document.documentElement.dataset.theme = theme.value;
    $("output").value = places;
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
  addEventListener("beforeprint", () => {
    folded = $$("details:not([open])");
    folded.forEach((part) => { part.open = true; });
    folded.filter((part) => part.matches(".entries")).forEach(unfolded);
  });
  addEventListener("afterprint", () => folded.forEach((part) => { part.open = false; }));
  $$(".js").forEach((part) => { part.hidden = false; });
  $$("table.brackets").forEach(prepare);
  refresh();
}
for (const page of document.querySelectorAll(".symattn.answers:not([data-ready])")) {
  page.dataset.ready = "";
  start(page);
}
})();
