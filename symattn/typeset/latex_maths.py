"""Formulas in TeX's mathematics, in two dialects: LaTeX on paper, and what KaTeX and MathJax both know.

A dialect is a table of frozen values; the rules for every notation node are shared. A grid prints one
row a line, so that the source reads as a lecturer would write it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

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
from symattn.typeset.greek import GREEK, varied
from symattn.typeset.latex_grid import GridStyle, grid, stacked_lines
from symattn.typeset.latex_text import escape, shortened
from symattn.typeset.precedence import needs_parentheses, split_scientific, split_sign

RELATIONS: dict[Relation, str] = {
    "=": "=",
    "≈": r"\approx",
    "<": "<",
    ">": ">",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "→": r"\to",
    ":=": ":=",
    "∈": r"\in",
}
SIGNS = {"": "", "dot": r"\cdot", "times": r"\times", "circle": r"\odot"}
SERIES = {"sum": r"\sum", "max": r"\max", "prod": r"\prod"}
DOTS = {"across": r"\cdots", "down": r"\vdots", "diagonal": r"\ddots"}

_FUNCTIONS = frozenset(("exp", "log", "ln", "max", "min", "sin", "cos", "tan", "tanh", "det", "dim"))
MOST_SHARED = 1 << 12
_TALL = re.compile(r"\\(?:frac|tfrac|begin|sum|prod|left)\b")
_shared_texts: dict[tuple[int, int], tuple[str, Formula, Dialect]] = {}
_LONE = re.compile(rf"[A-Za-z0-9]|\\(?:{'|'.join(GREEK)}|infty)")


class Dialect(Struct, frozen=True, eq=False):
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
        return function_name(name, self)

    def enclosed(self, text: str) -> str:
        return enclosed(text)

    def mark(self, text: str, role: Role) -> str:
        return mark(text, role, self)

    def captioned(self, grid: str, words: str) -> str:
        return f"\\underset{{{self.label(words)}}}{{\n{indented(grid)}\n}}"

    def stack(self, lines: Sequence[str]) -> str:
        return stacked_lines([lines[0], *(rf"\quad {{}} {line}" for line in lines[1:])])

    def fraction(self, over: str, under: str) -> str:
        return rf"\frac{{{over}}}{{{under}}}"

    def grid(self, formula: Grid, cells: tuple[tuple[str, ...], ...]) -> str:
        return set_grid(formula, cells, self)


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
    match formula:
        case Number():
            return _number(formula, dialect)
        case Power(base=base, exponent=exponent):
            return f"{operand(base, formula, 0, dialect)}^{script(maths(exponent, dialect))}"
        case Quotient(over=over, under=under, flat=False):
            return rf"\frac{{{maths(over, dialect)}}}{{{_shared(under, dialect)}}}"
        case Quotient(over=over, under=under):
            return operand(over, formula, 0, dialect) + "/" + operand(under, formula, 1, dialect)
        case Product(factors=factors):
            sign = SIGNS[formula.sign]
            texts: list[str] = []
            for position, factor in enumerate(factors):
                texts += (sign if position else "", operand(factor, formula, position, dialect))
            return join(texts) if factors else "1"
        case Negative():
            return "-" + operand(formula.term, formula, 0, dialect)
        case Sum(terms=terms):
            texts = []
            for position, (lead, term) in enumerate(leads(formula)):
                texts += (lead, operand(term, formula, position, dialect))
            return join(texts) if terms else "0"
        case Symbol(name=name, sub=sub, sup=sup):
            subscript = f"_{script(maths(sub, dialect))}" if sub is not None else ""
            superscript = f"^{script(maths(sup, dialect))}" if sup is not None else ""
            return under_scripts(name_of(name, dialect), sup) + subscript + superscript
        case Text(words=words):
            return words if re.fullmatch(r"\(?[0-9]+\)?", words) else dialect.text(words)
        case Infinity():
            return r"\infty"
        case Blank():
            return rf"\rule[-0.5em]{{0pt}}{{2em}}\underline{{\hspace{{{formula.em:.1f}em}}}}"
        case Root(radicand=radicand, index=index):
            return (rf"\sqrt[{index}]" if index != 2 else r"\sqrt") + f"{{{maths(radicand, dialect)}}}"
        case Call(function=function, arguments=arguments):
            inside = ", ".join(maths(argument, dialect) for argument in arguments)
            return function_name(function, dialect) + enclosed(inside)
        case Transpose(matrix=matrix):
            return operand(matrix, formula, 0, dialect) + r"^\top"
        case Inverse(matrix=matrix):
            return operand(matrix, formula, 0, dialect) + "^{-1}"
        case Entry(matrix=matrix, row=row, col=col):
            long = col is not None and max(row, col) > 9
            subscript = str(row) if col is None else f"{row},{col}" if long else f"{row}{col}"
            return _indexed(matrix, subscript, formula, dialect)
        case Grid():
            cells = tuple(tuple(maths(cell, dialect) for cell in row) for row in formula.rows)
            return set_grid(formula, cells, dialect)
        case Dots(direction=direction):
            return DOTS[direction]
        case Series(sign=sign, index=index_of, lower=lower, upper=upper, body=body):
            start = maths(index_of, dialect) + (f" = {maths(lower, dialect)}" if lower is not None else "")
            end = f"^{script(maths(upper, dialect))}" if upper is not None else ""
            return f"{SERIES[sign]}_{script(start)}{end} {operand(body, formula, 0, dialect)}"
        case Absolute(body=body):
            return enclosed(maths(body, dialect), r"\lvert ", r" \rvert")
        case Marked(body=body, role=role, instead=instead):
            return mark(maths(body, dialect), role, dialect) + beside(instead, role, dialect)
        case Chain(first=first, links=links):
            steps = (part for sign, value in links for part in (RELATIONS[sign], maths(value, dialect)))
            return join((maths(first, dialect), *steps))


def _shared(part: Formula, dialect: Dialect) -> str:
    """The text of a part that many formulas have in common, by its identity: a power, a denominator."""
    if isinstance(part, Number):
        return _number(part, dialect)
    at = id(part), id(dialect)
    known = _shared_texts.get(at)
    if known is None:  # both are kept, so that no other object gets their identity
        if len(_shared_texts) >= MOST_SHARED:
            _shared_texts.clear()
        known = _shared_texts[at] = maths(part, dialect), part, dialect
    return known[0]


def operand(child: Formula, parent: Formula, position: int, dialect: Dialect) -> str:
    """The child as an operand, in parentheses where the shared rules ask for them."""
    text = _shared(child, dialect) if type(child) is Power else maths(child, dialect)
    return enclosed(text) if needs_parentheses(child, parent, position) else text


def leads(formula: Sum) -> list[tuple[str, Formula]]:
    """(lead, magnitude) of every term; the lead is "" for the first, `+` or `-` for the others."""
    if formula.spelled:
        return [("+" if position else "", term) for position, term in enumerate(formula.terms)]
    signed = map(split_sign, formula.terms[1:])
    later = [("-" if negative else "+", magnitude) for negative, magnitude in signed]
    return [("", formula.terms[0]), *later] if formula.terms else later


def join(parts: Iterable[str]) -> str:
    """Parts with a space between them; a part of several lines begins on a line of its own."""
    kept = list(filter(None, parts))
    line = " ".join(kept)
    if "\n" not in line:
        return line
    return kept[0] + "".join(("\n" if "\n" in part else " ") + part for part in kept[1:])


def enclosed(body: str, left: str = "(", right: str = ")") -> str:
    """The body between delimiters that grow with it where it is tall."""
    if not _TALL.search(body):
        return left + body + right
    gap = "\n" if "\n" in body else " "
    inside = indented(body) if "\n" in body else body
    return rf"\left{left.strip()}{gap}{inside}{gap}\right{right.strip()}"


def indented(body: str, by: str = "  ") -> str:
    """Every line of the body, indented."""
    return "\n".join(by + line for line in body.splitlines())


def script(body: str) -> str:
    """The body as an index or exponent: braces only where TeX needs them (W_Q, e^{-1}, x^\\theta)."""
    return body if _LONE.fullmatch(body) else f"{{{body}}}"


def under_scripts(letter: str, sup: Formula | None) -> str:
    """The letter, in braces where a prime and a superscript would meet: {S'}^{(1)}."""
    return f"{{{letter}}}" if sup is not None and letter.endswith("'") else letter


def function_name(name: str, dialect: Dialect) -> str:
    if name in _FUNCTIONS:
        return f"\\{name}"
    if name in GREEK:
        return name_of(name, dialect)
    return dialect.operator % name if name.isascii() and name.isalnum() else dialect.text(name)


def name_of(name: str, dialect: Dialect) -> str:
    """A symbol's name: one letter italic, a Greek name its letter, a word and the d of dZ upright."""
    stem = name.rstrip("'′")
    primes = "'" * (len(name) - len(stem))
    if not stem or (stem.isascii() and len(stem) == 1 and stem.isalnum()):
        return stem + primes
    if stem in GREEK and stem != "omicron":
        return f"\\{stem}{primes}"
    if rest := varied(stem):
        return rf"\mathrm{{d}}{name_of(rest, dialect)}{primes}"
    if "+" in stem.strip("+"):
        return " + ".join(name_of(part, dialect) for part in stem.split("+")) + primes
    if stem.isascii() and stem.isalnum():
        return rf"\mathrm{{{stem}}}{primes}"
    return dialect.text(stem) + primes


def mark(body: str, role: Role, dialect: Dialect) -> str:
    """The body with the sign of its verdict; what is right, and tokens, stay quiet."""
    template = dialect.marks.get(role)
    return body if template is None else template % body


def beside(instead: Formula | None, role: Role, dialect: Dialect) -> str:
    """The right value beside a marked one: full size beside a slip, small beside anything else."""
    if instead is None:
        return ""
    value = maths(instead, dialect)
    size = "" if role == "slip" else r"\scriptstyle "
    return f"{dialect.gap}{{{size}{value}}}"


def _number(number: Number, dialect: Dialect) -> str:
    if number.digits.isascii() and number.digits.isdigit():
        return number.digits
    mantissa, exponent = split_scientific(number)
    digits = mantissa.replace("−", "-")
    if not re.fullmatch(r"[-+]?[0-9.,]+%?", digits):
        return dialect.text(number.digits)
    plain = digits.replace(",", "{,}").replace("%", r"\%")
    return plain if exponent is None else rf"{plain} \times 10^{script(exponent)}"


def _indexed(matrix: Formula, index: str, entry: Entry, dialect: Dialect) -> str:
    if isinstance(matrix, Symbol) and matrix.sub is None and matrix.sup is not None:
        bare = under_scripts(maths(replace(matrix, sup=None), dialect), matrix.sup)
        return f"{bare}_{script(index)}^{script(maths(matrix.sup, dialect))}"
    return f"{operand(matrix, entry, 0, dialect)}_{script(index)}"


def set_grid(formula: Grid, cells: tuple[tuple[str, ...], ...], dialect: Dialect) -> str:
    """The grid with its cells already typeset (a cell may be a stack of lines)."""
    labels = tuple(map(dialect.label, formula.row_labels))
    heads = tuple(map(dialect.head, formula.col_labels))
    return grid(formula.rows, cells, labels, heads, dialect.grids)
