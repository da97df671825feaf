"""Exact numbers written in neutral notation: closed forms as a person would write them.

Terms keep the order in which the computation met them (the order of the keys); sines and cosines come back
from their exponential form; a rational prints as a decimal where the inputs were decimals and its
expansion ends, as a fraction otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from flint import fmpq, fmpz

from symattn.exact.number import Exact, Infinite, Terms
from symattn.exact.surd import ONE, ZERO, I, Surd
from symattn.exact.symbolic import Coefficient, Symbolic, coefficient
from symattn.text.notation import (
    Absolute,
    Call,
    Entry,
    Formula,
    Infinity,
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


def spell(x: Exact, style: Style = "fraction") -> Formula:
    """The closed form of x."""
    if isinstance(x, Infinite):
        return Negative(Infinity())
    if x.algebraic is not None:
        return spell_coefficient(x.algebraic, style)
    over = _sum(x.over, style)
    return over if x.under.constant == ONE else _over(over, _sum(x.under, style))


def spell_coefficient(c: Coefficient, style: Style = "fraction", *, flat: bool = False) -> Formula:
    """A surd or a symbolic coefficient; `flat` writes quotients with a slash, for exponents."""
    if isinstance(c, Symbolic):
        return _expression(c.expression, style, flat)
    return _add([_surd_term(m, q, style, flat) for m, q in c.terms])


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


def _over(over: Formula, under: Formula) -> Formula:
    if isinstance(over, Negative):
        return Negative(Quotient(over.term, under))
    return Quotient(over, under)


def _sum(terms: Terms, style: Style) -> Formula:
    """An exponential sum; conjugate pairs of imaginary exponents become cosines and sines."""
    spelled: list[Formula] = []
    done: set[Coefficient] = set()
    for exponent, c in terms.by_exponent.items():
        if exponent in done:
            continue
        angle = _angle(exponent)
        if angle is None:
            spelled += _scaled(c, _power(exponent, style), style)
            continue
        conjugate = _real_part(exponent) - angle * I
        done |= {exponent, conjugate}
        d = terms.by_exponent.get(conjugate, ZERO)
        growth = _power(_real_part(exponent), style)
        spelled += _wave(c, d, angle, growth, style)
    return _add(spelled)


def _wave(
    c: Coefficient, d: Coefficient, angle: Coefficient, growth: Formula | None, style: Style
) -> list[Formula]:
    """c e^(i a) + d e^(-i a) = (c + d) cos a + i (c - d) sin a."""
    parts: list[Formula] = []
    if _leading_minus(angle):
        angle, c, d = -angle, d, c
    inside = spell_coefficient(angle, style, flat=True)
    for factor, name in ((c + d, "cos"), ((c - d) * I, "sin")):
        if factor:
            wave: Formula = Call(name, (inside,))
            parts += _scaled(factor, wave if growth is None else Product((growth, wave)), style)
    return parts


def _scaled(c: Coefficient, term: Formula | None, style: Style) -> list[Formula]:
    """The term times its coefficient, as one or several summands."""
    if term is None:
        return (
            [spell_coefficient(c, style)]
            if isinstance(c, Symbolic) or len(c.terms) == 1
            else [_surd_term(m, q, style, False) for m, q in c.terms]
        )
    if c == ONE:
        return [term]
    if c == -ONE:
        return [Negative(term)]
    factor = spell_coefficient(c, style)
    if isinstance(factor, Negative):
        return [Negative(Product((factor.term, term)))]
    if isinstance(factor, Number) and factor.digits.startswith("-"):
        return [Negative(Product((Number(factor.digits[1:]), term)))]
    return [Product((factor, term))]


def _power(exponent: Coefficient, style: Style) -> Formula | None:
    """e to the exponent; None for e^0."""
    if not exponent:
        return None
    if exponent == ONE:
        return Symbol("e")
    if isinstance(exponent, Symbolic):
        q, inside = exponent.expression.as_coeff_Mul(rational=True)
        if type(inside).__name__ == "log" and not inside.free_symbols:  # a huge power of a number
            rational = spell_rational(fmpq(int(q.p), int(q.q)), style, flat=True)
            return Power(_expression(inside.args[0], style, False), rational)
    return Power(Symbol("e"), spell_coefficient(exponent, style, flat=True))


def _angle(exponent: Coefficient) -> Coefficient | None:
    """The imaginary part of an exponent, or None where it has none."""
    if isinstance(exponent, Surd):
        return exponent.imaginary or None
    import sympy

    if not exponent.expression.has(sympy.I):
        return None
    return coefficient(exponent.expression.coeff(sympy.I, 1))


def _real_part(exponent: Coefficient) -> Coefficient:
    if isinstance(exponent, Surd):
        return exponent.real
    import sympy

    return coefficient(exponent.expression.coeff(sympy.I, 0))


def _leading_minus(c: Coefficient) -> bool:
    if isinstance(c, Surd):
        return bool(c.terms[0][1] < 0)
    return bool(c.expression.could_extract_minus_sign())


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


def _expression(expression: Any, style: Style, flat: bool) -> Formula:
    """A SymPy tree in neutral notation."""
    if expression.is_Rational:
        return spell_rational(fmpq(int(expression.p), int(expression.q)), style, flat=flat)
    if expression.is_Symbol:
        return spell_name(expression.name)
    if type(expression).__name__ == "Named":
        return Entry(Symbol(expression.name), expression.row + 1, expression.col + 1)
    if expression.is_Add:
        return Sum(tuple(_expression(term, style, flat) for term in _ordered(expression)))
    if expression.is_Mul or (expression.is_Pow and _divides(expression)):
        return _product(expression, style, flat)
    if expression.is_Pow and expression.exp.is_Rational and expression.exp.p == 1:
        return Root(_expression(expression.base, style, flat), int(expression.exp.q))
    name = type(expression).__name__
    if expression.is_Pow:
        return Power(_expression(expression.base, style, flat), _expression(expression.exp, style, True))
    if name == "exp":
        return Power(Symbol("e"), _expression(expression.args[0], style, True))
    if name in ("Pi", "Exp1", "ImaginaryUnit"):
        return Symbol({"Pi": "pi", "Exp1": "e", "ImaginaryUnit": "i"}[name])
    if name == "HugePower":
        base, exponent = expression.args
        return Power(_expression(base, style, flat), _expression(exponent, style, True))
    if name == "Abs":
        return Absolute(_expression(expression.args[0], style, flat))
    return Call(
        _FUNCTIONS.get(name, name), tuple(_expression(argument, style, flat) for argument in expression.args)
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
        factors += [_expression(f, style, flat) for f in parts]
    lower: list[Formula] = [Number(str(d))] if d != 1 else []
    if under != 1:
        parts = under.as_ordered_factors() if under.is_Mul else [under]
        lower += [_expression(f, style, flat) for f in parts]
    top = factors[0] if len(factors) == 1 else Product(tuple(factors))
    if lower:
        top = Quotient(top, lower[0] if len(lower) == 1 else Product(tuple(lower)), flat)
    return Negative(top) if p < 0 else top
