"""Formulas in typst's mathematics."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
from symattn.typeset.precedence import leads, needs_parentheses, split_scientific
from symattn.typeset.typst_grid import grid
from symattn.typeset.typst_text import string

RELATIONS: dict[Relation, str] = {
    "=": "=",
    "≈": "approx",
    "<": "<",
    ">": ">",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "→": "->",
    ":=": "colon.eq",
    "∈": "in",
}
SIGNS = {"": "", "dot": "dot", "times": "times", "circle": "⊙"}
MARKS: dict[Role, str] = {
    "slip": "slip(%s)",
    "carried": "carried(%s)",
    "rounding": "rounded(%s)",
    "undecided": "undecided(%s)",
    "used": "used(%s)",
}
"""Each role with the page's function that marks it; what is right, and tokens, stay quiet."""

_SERIES = {"sum": "sum", "max": "max", "prod": "product"}
_DOTS = {"across": "⋯", "down": "⋮", "diagonal": "⋱"}
_FUNCTIONS = frozenset(("exp", "log", "ln", "max", "min", "sin", "cos", "tan", "tanh", "det", "dim"))
_VARIANTS = {"epsilon": "epsilon.alt", "phi": "phi.alt"}  # the forms of Computer Modern
_LONE = re.compile(r"[A-Za-z]|[0-9]+|[a-z]+(\.alt)?|\"[^\"\\]*\"")


def typst_formula(formula: Formula) -> str:
    """The formula in typst's mathematics, without dollars; several lines of source if a grid is in it.

    Needs the small functions that every page of :func:`symattn.typeset.typst.typst` defines.
    """
    maths = typst_formula
    match formula:
        case Number():
            return _number(formula)
        case Symbol(name=name, sub=sub, sup=sup):
            subscript = f"_{script(maths(sub))}" if sub is not None else ""
            superscript = f"^{script(maths(sup))}" if sup is not None else ""
            scripts = subscript + superscript
            return (name_of(name) or '""' * bool(scripts)) + scripts
        case Text(words=words):
            return words if re.fullmatch(r"\(?[0-9]+\)?", words) else string(words)
        case Infinity():
            return "infinity"
        case Blank():
            box = f"box(width: {formula.em:.1f}em, height: 1.2em, stroke: (bottom: 0.5pt))"
            return f"#{box} "  # a semicolon at it would end the code, and not the row of a matrix
        case Sum(terms=terms):
            said = (
                part
                for position, (lead, term) in enumerate(leads(formula))
                for part in (lead, operand(term, formula, position))
            )
            return join(said) if terms else "0"
        case Negative(term=term):
            return "-" + operand(term, formula, 0)
        case Product(factors=factors):
            said = (
                part
                for position, factor in enumerate(factors)
                for part in (SIGNS[formula.sign] if position else "", operand(factor, formula, position))
            )
            return join(said) if factors else "1"
        case Quotient(over=over, under=under, flat=False):
            return f"frac({argument(over)}, {argument(under)})"
        case Quotient(over=over, under=under):
            return operand(over, formula, 0) + r"\/" + operand(under, formula, 1)
        case Power(base=base, exponent=exponent):
            return f"{base_of(base, formula)}^{script(maths(exponent))}"
        case Root(radicand=radicand, index=2):
            return f"sqrt({argument(radicand)})"
        case Root(radicand=radicand, index=index):
            return f"root({index}, {argument(radicand)})"
        case Call(function=function, arguments=arguments):
            return f"{function_name(function)} ({', '.join(map(maths, arguments))})"
        case Transpose(matrix=matrix):
            return base_of(matrix, formula) + "^top"
        case Inverse(matrix=matrix):
            return base_of(matrix, formula) + "^(-1)"
        case Entry(matrix=matrix, row=row, col=col):
            long = col is not None and max(row, col) > 9
            subscript = f"{row}" if col is None else f"({row},{col})" if long else f"{row}{col}"
            if isinstance(matrix, Symbol) and matrix.sub is None and matrix.sup is not None:
                return f"{maths(replace(matrix, sup=None))}_{subscript}^{script(maths(matrix.sup))}"
            return f"{base_of(matrix, formula)}_{subscript}"
        case Grid():
            return grid(formula, tuple(tuple(map(argument, row)) for row in formula.rows))
        case Dots(direction=direction):
            return _DOTS[direction]
        case Series(body=body):
            return f"{series_sign(formula)} {operand(body, formula, 0)}"
        case Absolute(body=body):
            return f"abs({argument(body)})"
        case Marked(body=body, role=role, instead=instead):
            return mark(argument(body), role) + beside(instead, role)
        case Chain(first=first, links=links):
            steps = (part for sign, value in links for part in (RELATIONS[sign], maths(value)))
            return join((maths(first), *steps))


def argument(formula: Formula) -> str:
    """The formula as an argument of a function, which may not be missing."""
    return typst_formula(formula) or '""'


def operand(child: Formula, parent: Formula, position: int) -> str:
    """The child as an operand, in parentheses where the shared rules ask for them."""
    said = typst_formula(child)
    return f"({said})" if needs_parentheses(child, parent, position) else said


def base_of(child: Formula, parent: Formula) -> str:
    """The operand that an index or exponent stands at."""
    return operand(child, parent, 0) or '""'


def join(parts: Iterable[str]) -> str:
    """Parts with a space between them; a part of several lines begins on a line that it has to itself."""
    out = ""
    for part in filter(None, parts):
        out += ("\n" if "\n" in part else " ") * bool(out) + part
    return out


def script(body: str) -> str:
    """The body as an index or exponent, in parentheses unless it is one token."""
    return body if _LONE.fullmatch(body) else f"({body})"


def function_name(name: str) -> str:
    """The upright name of a function."""
    if name in _FUNCTIONS:
        return name
    return name_of(name) if name in GREEK else f"op({string(name)})"


def series_sign(series: Series) -> str:
    """The big sign of a series with its bounds."""
    start = typst_formula(series.index) + (
        "" if series.lower is None else f" = {typst_formula(series.lower)}"
    )
    end = "" if series.upper is None else f"^{script(typst_formula(series.upper))}"
    return f"{_SERIES[series.sign]}_{script(start)}{end}"


def name_of(name: str) -> str:
    """A symbol's name: one letter italic, a Greek name its letter, a word and the d of dZ upright."""
    stem = name.rstrip("'′")
    primes = "'" * (len(name) - len(stem))
    if not stem or (stem.isascii() and len(stem) == 1 and stem.isalnum()):
        return stem + primes
    if stem in GREEK:
        return _VARIANTS.get(stem, stem) + primes
    if rest := varied(stem):
        return f"upright(d){name_of(rest)}{primes}"
    if "+" in stem.strip("+"):
        return " + ".join(map(name_of, stem.split("+"))) + primes
    return string(stem) + primes


def mark(body: str, role: Role) -> str:
    """The body with the sign of its verdict."""
    return MARKS[role] % body if role in MARKS else body


def beside(instead: Formula | None, role: Role) -> str:
    """The right value beside a marked one: full size beside a slip, small beside anything else."""
    if instead is None:
        return ""
    value = typst_formula(instead)
    return f" thick {value}" if role == "slip" else f" thick script({value})"


def _number(number: Number) -> str:
    mantissa, exponent = split_scientific(number)
    digits = mantissa.replace("−", "-")
    if not re.fullmatch(r"[-+]?[0-9.]+%?", digits):
        return string(number.digits)
    return digits if exponent is None else f"{digits} times 10^{script(exponent)}"
