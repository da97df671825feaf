"""Deciding: is it zero, are they equal, which is larger. True or False is a proof; None is undecided.

Sums of exponentials with canonical exponents (surds; polynomials in free symbols) and algebraic
coefficients vanish exactly when every grouped coefficient does: Lindemann-Weierstrass for algebraic
exponents, linear independence of exponentials of distinct polynomials for symbolic ones. Unequal real numbers
are told apart by refining enclosures, which ends; where equality itself is undecided, refinement
stops at `MOST_BITS` and the answer is None.
"""

from __future__ import annotations

from math import prod
from typing import Any

from flint import ctx, fmpq

from symattn.errors import OutOfBounds, UndefinedValue
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient, Symbolic

FIRST_BITS = 128
MOST_BITS = 8192
MOST_DEGREE = 32  # of an algebraic number whose minimal polynomial is computed
LONGEST_WRITTEN = 4000  # nodes of the definitions that are put in for names


def equal(a: Exact, b: Exact) -> bool | None:
    """Whether a = b, as numbers or (with free symbols) as functions of the symbols."""
    if isinstance(a, Infinite) or isinstance(b, Infinite):
        return isinstance(a, Infinite) and isinstance(b, Infinite)
    if a == b:
        return True
    p, q = a.rational, b.rational
    if p is not None and q is not None:
        return bool(p == q)
    if a.under != b.under and _order(a, b, 2 * FIRST_BITS):
        return False  # seen without multiplying the denominators out
    if a.symbolic and b.symbolic and _one_definition(a, b):
        return True
    return _difference_is_zero(a, b)


def _one_definition(a: Exact, b: Exact) -> bool:
    """Whether two walks gave one number different names."""
    from symattn.exact.named import nameless

    return nameless(a) == nameless(b)


def is_zero(x: Exact) -> bool | None:
    """Whether x = 0."""
    parts = list(x.over.by_exponent.items())
    if not parts:
        return True
    if all(isinstance(part, Surd) for pair in parts for part in pair):
        return False
    if all(_canonical(exponent) for exponent, _ in parts):
        verdicts = [_coefficient_is_zero(c) for _, c in parts]
        if all(verdict is True for verdict in verdicts):
            return True
        if any(verdict is False for verdict in verdicts) and all(_algebraic(c) for _, c in parts):
            return False
    return False if _shown_nonzero(x) else _written_out_is_zero(x)


def _written_out_is_zero(x: Exact) -> bool | None:
    """Whether x = 0, once what is named in it is put in, where that is not long."""
    from symattn.exact.named import names_in, size, written_out

    if not names_in(x) or size(x) > LONGEST_WRITTEN:
        return None
    try:
        whole = written_out(x)
    except (OutOfBounds, UndefinedValue):
        return None
    return None if whole == x else is_zero(whole)


def compare(a: Exact, b: Exact) -> int | None:
    """-1, 0 or 1 as a is less than, equal to or greater than b; None where it cannot be decided."""
    if isinstance(a, Infinite) or isinstance(b, Infinite):
        return int(isinstance(b, Infinite)) - int(isinstance(a, Infinite))
    if a == b:
        return 0
    p, q = a.rational, b.rational
    if p is not None and q is not None:
        return int(p > q) - int(p < q)
    if a.under == b.under:
        return sign(a - b)
    order = _order(a, b, 4 * FIRST_BITS)
    if order:
        return order
    if _difference_is_zero(a, b):
        return 0
    return _order(a, b, MOST_BITS)


def sign(x: Exact) -> int | None:
    """The sign of a real number; None with free symbols or where refinement does not settle it."""
    if isinstance(x, Infinite):
        return -1
    q = x.rational
    if q is not None:
        return int(q > 0) - int(q < 0)
    zero = Exact.of(0)
    order = _order(x, zero, 4 * FIRST_BITS)
    if order:
        return order
    return 0 if is_zero(x) else _order(x, zero, MOST_BITS)


def _order(a: Exact, b: Exact, most_bits: int) -> int | None:
    """1 or -1 where an enclosure with at most that many bits shows a > b or a < b, else None."""
    bits = FIRST_BITS
    try:
        while bits <= most_bits:
            with ctx.workprec(bits):
                ball = enclose(a, bits) - enclose(b, bits) if b else enclose(a, bits)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            bits *= 2
    except (HasSymbols, ValueError):
        pass
    return None


def _difference_is_zero(a: Exact, b: Exact) -> bool | None:
    try:
        return is_zero(a - b)
    except OutOfBounds:  # two long rows: their product is not multiplied out
        return None


def _canonical(c: Coefficient) -> bool:
    """Whether equal numbers of this kind always have equal representations."""
    if isinstance(c, Surd):
        return True
    return _is_polynomial(c.expression)


def _is_polynomial(expression: Any) -> bool:
    """A Laurent polynomial in (roots of) free symbols whose numerical coefficients are surds."""
    from symattn.exact.symbolic import as_surd

    for term in expression.args if expression.is_Add else [expression]:
        numeric = []
        for factor in term.args if term.is_Mul else [term]:
            base, exponent = factor.as_base_exp()
            if base.is_Symbol and exponent.is_Rational:
                continue
            numeric.append(factor)
        product = 1
        for factor in numeric:
            product = product * factor
        if numeric and as_surd(product) is None:
            return False
    return True


def _algebraic(c: Coefficient) -> bool:
    """Whether no transcendental number such as pi is in it: only then does the theorem apply."""
    import sympy

    from symattn.exact.named import Named

    if isinstance(c, Surd) or c.expression.is_algebraic:
        return True
    return not c.expression.has(sympy.pi, sympy.E, sympy.Function, Named)


def _coefficient_is_zero(c: Coefficient) -> bool | None:
    """Whether a stored (hence not literally zero) coefficient vanishes all the same."""
    if isinstance(c, Surd):
        return not c
    if _is_polynomial(c.expression):
        return False
    return _expression_is_zero(c)


def _expression_is_zero(c: Symbolic) -> bool | None:
    import sympy

    from symattn.exact.named import Named

    expression = c.expression
    if expression.free_symbols and not expression.has(Named):
        if expression.is_rational_function(*expression.free_symbols):
            return bool(sympy.cancel(expression) == 0)
        return False if _shown_nonzero(Exact.of(c)) else None
    if _shown_nonzero(Exact.of(c)):
        return False
    if expression.is_algebraic and _degree(expression) <= MOST_DEGREE:
        x = sympy.Dummy("x")
        return bool(sympy.minimal_polynomial(expression, x) == x)
    return None


def _degree(expression: Any) -> int:
    """The degree that a minimal polynomial is searched at: the product of those of the distinct powers.

    The number itself may have a smaller one, as where all are powers of one root; the search takes them one
    by one all the same.
    """
    import sympy

    return prod(int(power.exp.q) for power in expression.atoms(sympy.Pow) if power.exp.is_Rational)


WITNESSES = (fmpq(3, 7), fmpq(5, 11), fmpq(2, 3), fmpq(7, 5), fmpq(11, 13), fmpq(1, 9), fmpq(13, 8))


def _shown_nonzero(x: Exact) -> bool:
    """Whether an enclosure excludes zero: at a witness point, if there are free symbols."""
    from symattn.exact.substitution import free_symbols, substitute

    for turn in range(3 if free_symbols(x) else 1):
        try:
            for bits in (FIRST_BITS, 8 * FIRST_BITS):
                here = substitute(x, WITNESSES[turn:] + WITNESSES[:turn])
                if not enclose(here, bits).contains(0):
                    return True
        except (HasSymbols, ValueError, UndefinedValue):
            continue  # a pole: another witness may see more
    return False
