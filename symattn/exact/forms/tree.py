"""Coefficients in neutral notation: rationals, sums of square roots, and SymPy trees as they are.

A rational prints as a decimal where the inputs were decimals and its expansion ends, as a fraction otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from flint import fmpq, fmpz

from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient
from symattn.text.notation import (
    Absolute,
    Call,
    Entry,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)

Style = Literal["fraction", "decimal"]
LONGEST_DECIMAL = 12


def spell_coefficient(c: Coefficient, style: Style = "fraction", *, flat: bool = False) -> Formula:
    """A surd or a symbolic coefficient; `flat` writes quotients with a slash, for exponents."""
    if isinstance(c, Surd):
        return _add([_surd_term(m, q, style, flat) for m, q in c.terms])
    return spell_tree(c.to_sympy(), style, flat)


def spell_rational(q: Any, style: Style = "fraction", *, flat: bool = False) -> Formula:
    """A rational as an integer, a decimal that ends, or a fraction."""
    p, d = q.p, q.q
    if d == 1:
        return Number(str(p))
    if style == "decimal":
        digits = terminating(q)
        if digits is not None and len(digits) <= LONGEST_DECIMAL:
            return Number(digits)
    fraction = Quotient(Number(str(abs(p))), Number(str(d)), flat)
    return Negative(fraction) if p < 0 else fraction


def terminating(q: Any) -> str | None:
    """The decimal expansion of a rational where it ends, else None."""
    rest, twos, fives = int(q.q), 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return None
    places = max(twos, fives)
    scaled = int(q * 10**places)
    text = str(fmpz(abs(scaled))).rjust(places + 1, "0")
    return ("-" if scaled < 0 else "") + (f"{text[:-places]}.{text[-places:]}" if places else text)


def _surd_term(m: int, q: Any, style: Style, flat: bool) -> Formula:
    if m == 1:
        return spell_rational(q, style, flat=flat)
    root: Formula = Symbol("i") if m == -1 else Root(Number(str(abs(m))))
    if m < -1:
        root = Product((Symbol("i"), root))
    if style == "decimal" and q.q != 1 and terminating(q) is not None:
        return _times(Number(str(terminating(abs(q)))), root, q < 0)
    p, d = abs(q.p), q.q
    over = root if p == 1 else Product((Number(str(p)), root))
    term = Quotient(over, Number(str(d)), flat) if d != 1 else over
    return Negative(term) if q < 0 else term


def _times(factor: Formula, term: Formula, negative: bool) -> Formula:
    product = Product((factor, term))
    return Negative(product) if negative else product


def _add(terms: list[Formula]) -> Formula:
    if not terms:
        return Number("0")
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


_NAMED = re.compile(r"([A-Za-z]+)_?(\d+)$")
_FUNCTIONS: Mapping[str, str] = {
    "log": "ln",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "tanh": "tanh",
    "erf": "erf",
    "Max": "max",
}


def spell_name(name: str) -> Symbol:
    """A free symbol: `x11` and `x_11` as x with index 11, `theta_k` as theta with index k."""
    match = _NAMED.match(name)
    if match:
        return Symbol(match[1], sub=Number(match[2]))
    head, _, sub = name.partition("_")
    return Symbol(head, sub=Symbol(sub)) if head and sub else Symbol(name)


def spell_tree(expression: Any, style: Style, flat: bool) -> Formula:
    """A SymPy tree in neutral notation."""
    if expression.is_Rational:
        return spell_rational(fmpq(int(expression.p), int(expression.q)), style, flat=flat)
    if expression.is_Symbol:
        return spell_name(expression.name)
    if type(expression).__name__ == "Named":
        return Entry(Symbol(expression.name), expression.row + 1, expression.col + 1)
    if expression.is_Add:
        return Sum(tuple(spell_tree(term, style, flat) for term in _ordered(expression)))
    if expression.is_Mul or (expression.is_Pow and _divides(expression)):
        return _product(expression, style, flat)
    if expression.is_Pow and expression.exp.is_Rational and expression.exp.p == 1:
        return Root(spell_tree(expression.base, style, flat), int(expression.exp.q))
    name = type(expression).__name__
    if expression.is_Pow:
        return Power(spell_tree(expression.base, style, flat), spell_tree(expression.exp, style, True))
    if name == "exp":
        return Power(Symbol("e"), spell_tree(expression.args[0], style, True))
    if name in ("Pi", "Exp1", "ImaginaryUnit"):
        return Symbol({"Pi": "pi", "Exp1": "e", "ImaginaryUnit": "i"}[name])
    if name == "HugePower":
        base, exponent = expression.args
        return Power(spell_tree(base, style, flat), spell_tree(exponent, style, True))
    if name == "Abs":
        return Absolute(spell_tree(expression.args[0], style, flat))
    return Call(
        _FUNCTIONS.get(name, name), tuple(spell_tree(argument, style, flat) for argument in expression.args)
    )


def _divides(power: Any) -> bool:
    """Whether a power is a quotient in SymPy: 2^(-a-b), and 6^-cos(2), stay powers there."""
    import sympy

    return bool(power.exp.could_extract_minus_sign() and sympy.fraction(power)[1] != 1)


def _ordered(expression: Any) -> list[Any]:
    """The terms of a sum, a difference with what is subtracted last."""
    terms: list[Any] = expression.as_ordered_terms()
    if len(terms) == 2 and terms[0].could_extract_minus_sign() and not terms[1].could_extract_minus_sign():
        terms.reverse()
    return terms


def _product(expression: Any, style: Style, flat: bool) -> Formula:
    import sympy

    number, rest = expression.as_coeff_Mul()
    over, under = sympy.fraction(rest)
    p, d = int(number.p) if number.is_Rational else 1, int(number.q) if number.is_Rational else 1
    factors: list[Formula] = []
    decimal = terminating(fmpq(abs(p), d)) if style == "decimal" and d != 1 else None
    if decimal is not None:
        factors.append(Number(decimal))
        d = 1
    elif abs(p) != 1 or over == 1:
        factors.append(Number(str(abs(p))))
    if over != 1:
        parts = over.as_ordered_factors() if over.is_Mul else [over]
        factors += [spell_tree(f, style, flat) for f in parts]
    lower: list[Formula] = [Number(str(d))] if d != 1 else []
    if under != 1:
        parts = under.as_ordered_factors() if under.is_Mul else [under]
        lower += [spell_tree(f, style, flat) for f in parts]
    top = factors[0] if len(factors) == 1 else Product(tuple(factors))
    if lower:
        top = Quotient(top, lower[0] if len(lower) == 1 else Product(tuple(lower)), flat)
    return Negative(top) if p < 0 else top
