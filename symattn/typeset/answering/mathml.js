// MathML as text, and a formula on one line to be read aloud.
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
