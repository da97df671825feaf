// What the file stores of entries: [key of the table, row, column]. `view` has how numbers show.
const INDICES = "\ue002";
function entriesOf({forms, tables}, view) {
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
    return Math.min(view.count, table.longest);
  }
  const listed = (range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({length: last - first + 1}, (_, k) => first + k);
  };
  // [rows, columns] of the operands from one argument, parsed once; those of a row or a column are many entries' own
  const parsed = new Map();
  function runs(text) {
    if (!parsed.has(text)) parsed.set(text, text ? text.split(";").map((run) => run.split(",").map(listed)) : []);
    return parsed.get(text);
  }
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
      const from = table.workings ? table.args.flatMap((argument, k) => argument === key ? [k] : []) : [];
      if (!from.length) continue;
      table.parts ??= table.from.map((text) => text.split("|"));
      const known = new Map([[undefined, false]]);
      const has = (text) => {
        if (!known.has(text)) known.set(text, runs(text).some(([rows, cols]) => rows.includes(i) && cols.includes(j)));
        return known.get(text);
      };
      table.parts.forEach((parts, n) => {
        if (!from.some((k) => has(parts[k]))) return;
        const user = [other, Math.floor(n / table.cols), n % table.cols];
        for (const one of isDefinition(user) ? uses(user) : [user]) found.set(one.join("|"), one);
      });
    }
    return [...found.values()];
  }
  return {at, name, digits, form, longest, listed, operands, isDefinition, sources, uses};
}
