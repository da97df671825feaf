"""Random exact numbers for the property tests, and the same numbers in mpmath and SymPy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import sympy
from flint import arb, ctx, fmpq
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from symattn.exact.functions import exp
from symattn.exact.number import NOTHING, Exact, Terms
from symattn.exact.surd import Surd

SMALL = settings(
    derandomize=True,
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

rationals = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 6))
"""Small rationals, with ties and zeros among them."""

surds = st.lists(st.tuples(st.sampled_from([1, 2, 3, 6, 10]), rationals), max_size=3).map(
    lambda terms: sum((Surd.root(m) * Surd.of(q) for m, q in terms), Surd.of(0))
)
"""Sums of up to three rational multiples of roots."""

exponents = st.lists(st.tuples(st.sampled_from([1, 2, 3]), st.sampled_from([-2, -1, 1, 2])), max_size=2).map(
    lambda terms: sum((Surd.root(m) * Surd.of(Fraction(q, 2)) for m, q in terms), Surd.of(0))
)

sums = st.lists(st.tuples(exponents, rationals), max_size=3).map(
    lambda terms: sum((exp(Exact.of(e)) * Exact.of(q) for e, q in terms), Exact(NOTHING))
)
"""Exponential sums of up to three terms."""

exacts = st.builds(lambda a, b: a / b if b else a, sums, sums)
"""Quotients of exponential sums."""


def surd_mp(x: Surd) -> Any:
    """A real surd in mpmath, at the precision in force."""
    return mpmath.fsum(mpmath.mpf(int(q.p)) / int(q.q) * mpmath.sqrt(m) for m, q in x.terms)


def terms_mp(terms: Terms) -> Any:
    """An exponential sum with surds for coefficients, in mpmath."""
    return mpmath.fsum(surd_mp(c) * mpmath.exp(surd_mp(e)) for e, c in terms.by_exponent.items())  # type: ignore[arg-type]


def mp(x: Exact) -> Any:
    """A quotient of exponential sums in mpmath, without symattn's enclosures."""
    return terms_mp(x.over) / terms_mp(x.under)


def fraction(x: Any) -> Fraction:
    """An mpmath number as the rational that it is."""
    sign, mantissa, exponent, _ = x._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** exponent
    return -value if sign else value


def ball_holds(ball: arb, x: Any) -> bool:
    """Whether a ball meets the value of mpmath, given to far more digits than the ball has."""
    with ctx.workprec(4000):
        q = fraction(x)
        return bool(ball.overlaps(arb(fmpq(q.numerator, q.denominator))))


def sympy_of(x: Surd) -> sympy.Expr:
    """The surd from SymPy's own square roots."""
    return sympy.Add(*(sympy.Rational(int(q.p), int(q.q)) * sympy.sqrt(m) for m, q in x.terms))
