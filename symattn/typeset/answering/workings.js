// How an entry is made: its formula, the numbers put in, the products, the result, as the page shows numbers.
const OPEN = "\ue000", CLOSE = "\ue001";
function workingsOf({workings, tables}, view, {at, name, digits, form, operands, isDefinition}, say) {
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
    const [text, exact] = shown(digits(entry), view);
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
      const made = stored.every(Boolean) ? product(stored, view) : null;
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
    if (view.mode !== "decimal" && x.text !== named.text) found.push(["put-in", x]);
    const same = d.text === x.text || (x.numerals && !d.cut); // 1.0 is 1
    if (view.mode === "decimal" || (!same && (view.mode === "both" || x.text === named.text))) found.push(["put-in", d]);
    const made = view.mode === "closed" && !d.numerals ? null : products(entry);
    if (made) found.push(["products", made]);
    if (shape && (view.mode !== "decimal" || !stored) && math(shape[0]) !== x.text) found.push(["result", {text: math(shape[0]), cut: false}]);
    if (stored && (view.mode !== "closed" || !shape)) {
      const [text, exact] = shown(stored, view), line = {text: math(numeral(text)), cut: !exact};
      if (!found.some(([, each]) => each.text === line.text) && !(shape?.[3] && exact && view.mode !== "decimal")) found.push(["result", line]);
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
  return working;
}
