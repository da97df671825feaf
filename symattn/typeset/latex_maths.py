"""Formulas in TeX's mathematics, in two dialects: LaTeX on paper, and what KaTeX and MathJax both know.

A dialect is a table of frozen values; the rules for every notation node are shared. A grid prints one
row a line, so that the source reads as a lecturer would write it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from symattn.text.notation import (
    Absolute,
    Blank,
    Call,
    Chain,
    Dots,
    Entry,
    Formula,
    Grid,
    Infinity,
    Inverse,
    Marked,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Relation,
    Role,
    Root,
    Series,
    Sum,
    Symbol,
    Text,
    Transpose,
)
from symattn.typeset.greek import GREEK
from symattn.typeset.latex_grid import GridStyle, grid, stacked_lines
from symattn.typeset.latex_parts import (
    DOTS,
    RELATIONS,
    SERIES,
    SIGNS,
    enclosed,
    indented,
    join,
    name_of,
    number_of,
    script,
    under_scripts,
)
from symattn.typeset.latex_plain import Shared, slash_of_numerals, sum_of_fractions
from symattn.typeset.latex_text import escape, shortened
from symattn.typeset.precedence import (
    FIRST_FACTOR,
    LATER_FACTOR,
    TERM,
    UNSIGNED,
    needs_parentheses,
    split_sign,
)

_FUNCTIONS = frozenset(("exp", "log", "ln", "max", "min", "sin", "cos", "tan", "tanh", "det", "dim"))
MOST_SHARED = 1 << 12


class Dialect(Struct, frozen=True, eq=False, dict=True):
    """What differs between LaTeX on paper and TeX in a browser.

    `text` sets any words upright inside mathematics, `label` a row label, `head` a column label, `shrink`
    (body, room in em) what cannot be broken; `marks` has one template a role; `gap` is the space before
    the right value beside a marked one.
    """

    name: str
    operator: str
    text: Callable[[str], str]
    label: Callable[[str], str]
    head: Callable[[str], str]
    marks: dict[Role, str]
    gap: str
    grids: GridStyle
    shrink: Callable[[str, float], str]

    @cached_property
    def shared(self) -> Shared:
        """Parts that many formulas have in common."""
        return Shared()

    quad: ClassVar[str] = r"\quad"
    parentheses: ClassVar[tuple[str, str]] = (r"\bigl(", r"\bigr)")
    bars: ClassVar[tuple[str, str]] = (r"\bigl\lvert ", r"\bigr\rvert")

    @property
    def stacks(self) -> Dialect:
        return self

    def maths(self, formula: Formula) -> str:
        return maths(formula, self)

    def relation(self, sign: Relation) -> str:
        return RELATIONS[sign]

    def times(self, sign: str) -> str:
        return SIGNS[sign]

    def function(self, name: str) -> str:
        if name in _FUNCTIONS:
            return f"\\{name}"
        if name in GREEK:
            return name_of(name, self.text)
        return self.operator % name if name.isascii() and name.isalnum() else self.text(name)

    def enclosed(self, text: str) -> str:
        return enclosed(text)

    def mark(self, text: str, role: Role) -> str:
        """The text with the sign of its verdict; what is right, and tokens, stay quiet."""
        return self.marks.get(role, "%s") % text

    def captioned(self, grid: str, words: str) -> str:
        return f"\\underset{{{self.label(words)}}}{{\n{indented(grid)}\n}}"

    def stack(self, lines: Sequence[str]) -> str:
        return stacked_lines([lines[0], *(rf"\quad {{}} {line}" for line in lines[1:])])

    def fraction(self, over: str, under: str) -> str:
        return rf"\frac{{{over}}}{{{under}}}"

    def grid(self, formula: Grid, cells: tuple[tuple[str, ...], ...]) -> str:
        """The grid with its cells already typeset (a cell may be a stack of lines)."""
        labels = tuple(map(self.label, formula.row_labels))
        heads = tuple(map(self.head, formula.col_labels))
        return grid(formula.rows, cells, labels, heads, self.grids)


LATEX = Dialect(
    name="latex",
    operator=r"\operatorname{%s}",
    text=lambda words: rf"\text{{{escape(words)}}}",
    label=lambda words: rf"\rowlabel{{{escape(shortened(words))}}}",
    head=lambda words: escape(shortened(words)),
    marks={
        "slip": r"\slip{%s}",
        "carried": r"\carried{%s}",
        "rounding": r"\rounded{%s}",
        "undecided": r"\undecided{%s}",
        "used": r"\saused{%s}",
    },
    gap=r"\;",
    grids=GridStyle(
        tall=re.compile(r"\\begin|\\frac|\\sum|\\prod|\\left"),
        tall_end="[6pt]",
        column_label=r"\columnlabel{%s}{%s}",
        tight=True,
    ),
    shrink=lambda body, room: rf"\resizebox{{{room:.1f}em}}{{!}}{{$\displaystyle {body}$}}",
)

PAGE = replace(LATEX, grids=replace(LATEX.grids, boxed=r"\satall{%s}", tall_end=""))
"""On a page, which defines `\\satall`."""


def latex_formula(formula: Formula) -> str:
    r"""One formula for LaTeX's mathematics, unbroken, without dollars.

    Needs amsmath, and for labels and verdicts the small macros `\rowlabel`, `\columnlabel`, `\slip`,
    `\carried`, `\rounded`, `\undecided` that every page of :func:`symattn.typeset.latex.latex` defines.
    """
    return maths(formula, LATEX)


def maths(formula: Formula, dialect: Dialect) -> str:
    """The formula in the dialect; several lines of source if a grid is in it."""
    return _RULES[type(formula)](formula, dialect)


def _power(power: Power, dialect: Dialect) -> str:
    exponent = slash_of_numerals(power.exponent) or maths(power.exponent, dialect)
    letter = type(power.base) is Symbol
    base = _shared(power.base, dialect) if letter else operand(power.base, power, 0, dialect)
    return f"{base}^{script(exponent)}"


def _quotient(quotient: Quotient, dialect: Dialect) -> str:
    over, under = quotient.over, quotient.under
    if quotient.flat:
        return operand(over, quotient, 0, dialect) + "/" + operand(under, quotient, 1, dialect)
    below = number_of(under, dialect.text) if type(under) is Number else _shared(under, dialect)
    return f"\\frac{{{_RULES[type(over)](over, dialect)}}}{{{below}}}"


def _product(product: Product, dialect: Dialect) -> str:
    texts: list[str] = []
    sign = product.sign
    bare = LATER_FACTOR if sign else FIRST_FACTOR
    factor: Any
    for factor in product.factors:
        kind = type(factor)
        text = _RULES[kind](factor, dialect)
        alone = type(factor.base) is Symbol if kind is Power else kind in bare
        if not alone and needs_parentheses(factor, product, len(texts)):
            text = enclosed(text)
        texts.append(text)
        bare = LATER_FACTOR
    if sign:
        texts = [part for text in texts for part in (SIGNS[sign], text)][1:]
    return join(texts) if texts else "1"


def _sum(formula: Sum, dialect: Dialect) -> str:
    if plain := sum_of_fractions(formula, dialect.shared.letters):
        return plain
    texts: list[str] = []
    signed = not formula.spelled
    term: Any
    for term in formula.terms:
        kind, lead = type(term), "+"
        if signed and texts:
            if kind is Negative:
                term, lead = term.term, "-"
                kind = type(term)
            elif kind not in UNSIGNED:
                negative, term = split_sign(term)
                kind, lead = type(term), "-" if negative else "+"
        text = _RULES[kind](term, dialect)
        alone = not term.flat if kind is Quotient else kind in TERM
        if not alone and needs_parentheses(term, formula, len(texts) // 2):
            text = enclosed(text)
        texts += (lead, text)
    return join(texts[1:]) if texts else "0"


def _symbol(symbol: Symbol, dialect: Dialect) -> str:
    sub, sup = symbol.sub, symbol.sup
    subscript = f"_{script(maths(sub, dialect))}" if sub is not None else ""
    superscript = f"^{script(maths(sup, dialect))}" if sup is not None else ""
    return under_scripts(name_of(symbol.name, dialect.text), sup) + subscript + superscript


def _text(text: Text, dialect: Dialect) -> str:
    words = text.words
    return words if re.fullmatch(r"\(?[0-9]+\)?", words) else dialect.text(words)


def _root(root: Root, dialect: Dialect) -> str:
    sign = rf"\sqrt[{root.index}]" if root.index != 2 else r"\sqrt"
    return f"{sign}{{{maths(root.radicand, dialect)}}}"


def _call(call: Call, dialect: Dialect) -> str:
    inside = ", ".join(maths(argument, dialect) for argument in call.arguments)
    return dialect.function(call.function) + enclosed(inside)


def _entry(entry: Entry, dialect: Dialect) -> str:
    matrix, row, col = entry.matrix, entry.row, entry.col
    long = col is not None and max(row, col) > 9
    index = script(str(row) if col is None else f"{row},{col}" if long else f"{row}{col}")
    if isinstance(matrix, Symbol) and matrix.sub is None and matrix.sup is not None:
        bare = under_scripts(maths(replace(matrix, sup=None), dialect), matrix.sup)
        return f"{bare}_{index}^{script(maths(matrix.sup, dialect))}"
    return f"{operand(matrix, entry, 0, dialect)}_{index}"


def _grid(formula: Grid, dialect: Dialect) -> str:
    cells = tuple(tuple(maths(cell, dialect) for cell in row) for row in formula.rows)
    return dialect.grid(formula, cells)


def _series(series: Series, dialect: Dialect) -> str:
    lower, upper = series.lower, series.upper
    start = maths(series.index, dialect) + (f" = {maths(lower, dialect)}" if lower is not None else "")
    end = f"^{script(maths(upper, dialect))}" if upper is not None else ""
    return f"{SERIES[series.sign]}_{script(start)}{end} {operand(series.body, series, 0, dialect)}"


def _marked(marked: Marked, dialect: Dialect) -> str:
    body = dialect.mark(maths(marked.body, dialect), marked.role)
    return body + beside(marked.instead, marked.role, dialect)


def _chain(chain: Chain, dialect: Dialect) -> str:
    steps = (part for sign, value in chain.links for part in (RELATIONS[sign], maths(value, dialect)))
    return join((maths(chain.first, dialect), *steps))


def _shared(part: Formula, dialect: Dialect) -> str:
    """The text of a part that many formulas have in common, by its identity: a power, a denominator."""
    shared = dialect.shared
    known = shared.texts.get(id(part))
    if known is None:  # the part is kept, so that no other object gets its identity
        if len(shared.texts) >= MOST_SHARED:
            shared.clear()
        text = _power(part, dialect) if type(part) is Power else maths(part, dialect)
        known = shared.texts[id(part)] = text, part
        if type(part) is Power and type(part.base) is Symbol:
            shared.letters[id(part)] = text
    return known[0]


def operand(child: Formula, parent: Formula, position: int, dialect: Dialect) -> str:
    """The child as an operand, in parentheses where the shared rules ask for them."""
    text = maths(child, dialect)
    return enclosed(text) if needs_parentheses(child, parent, position) else text


def beside(instead: Formula | None, role: Role, dialect: Dialect) -> str:
    """The right value beside a marked one: full size beside a slip, small beside anything else."""
    if instead is None:
        return ""
    value = maths(instead, dialect)
    size = "" if role == "slip" else r"\scriptstyle "
    return f"{dialect.gap}{{{size}{value}}}"


_RULES: dict[type, Callable[[Any, Dialect], str]] = {
    Absolute: lambda absolute, dialect: enclosed(maths(absolute.body, dialect), r"\lvert ", r" \rvert"),
    Blank: lambda blank, _: rf"\rule[-0.5em]{{0pt}}{{2em}}\underline{{\hspace{{{blank.em:.1f}em}}}}",
    Call: _call,
    Chain: _chain,
    Dots: lambda dots, _: DOTS[dots.direction],
    Entry: _entry,
    Grid: _grid,
    Infinity: lambda *_: r"\infty",
    Inverse: lambda inverse, dialect: operand(inverse.matrix, inverse, 0, dialect) + "^{-1}",
    Marked: _marked,
    Negative: lambda negative, dialect: "-" + operand(negative.term, negative, 0, dialect),
    Number: lambda number, dialect: number_of(number, dialect.text),
    Power: _shared,
    Product: _product,
    Quotient: _quotient,
    Root: _root,
    Series: _series,
    Sum: _sum,
    Symbol: _symbol,
    Text: _text,
    Transpose: lambda transpose, dialect: operand(transpose.matrix, transpose, 0, dialect) + r"^\top",
}
