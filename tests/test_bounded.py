"""Bounded floats: whatever the true arguments within their bounds are, the true result is within its own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from symattn.floats.bounded import Bounded, bounded, erf

QUICK = settings(derandomize=True, max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

sizes = st.sampled_from([0.0, 1e-300, 1e-60, 1e-9, 0.3, 0.7, 1.0, 2.5, 40.0, 800.0, 1e60, 1e200])
values = st.builds(lambda size, sign: sign * size, sizes, st.sampled_from([1.0, -1.0]))
errors = st.sampled_from([0.0, 5e-324, 1e-60, 1e-16, 1e-9, 0.25])
shares = st.sampled_from([-1.0, -0.3, 0.0, 0.9, 1.0])
entries = st.tuples(values, errors, shares)
"""A float, its bound, and where in it the true value is."""

Entry = tuple[float, float, float]


def truth(entry: Entry) -> Any:
    value, error, share = entry
    return mpmath.mpf(value) + mpmath.mpf(error) * mpmath.mpf(share)


def of(*some: Entry) -> Bounded:
    return Bounded([[x[0] for x in some]], [[x[1] for x in some]])


def holds(found: Bounded, true: Any) -> bool:
    """Whether the one entry of a result is within its bound of the true one."""
    value, error = float(found.value.flat[0]), float(found.error.flat[0])
    if not np.isfinite(error):
        return True
    return abs(mpmath.mpf(value) - true) <= mpmath.mpf(error) * (1 + mpmath.mpf(2) ** -20)


def _row(*some: Any) -> Any:
    return np.concatenate(some, axis=1)


ONE: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], Callable[[Any], bool]]] = {
    "exp": (np.exp, mpmath.exp, lambda x: abs(x) < 10_000),
    "log": (np.log, mpmath.log, lambda x: x > 0),
    "sqrt": (np.sqrt, mpmath.sqrt, lambda x: x >= 0),
    "sin": (np.sin, mpmath.sin, lambda x: abs(x) < 1e6),
    "cos": (np.cos, mpmath.cos, lambda x: abs(x) < 1e6),
    "tanh": (np.tanh, mpmath.tanh, lambda x: abs(x) < 10_000),
    "erf": (erf, mpmath.erf, lambda x: abs(x) < 30),
    "negative": (np.negative, lambda x: -x, lambda x: True),
    "absolute": (np.abs, abs, lambda x: True),
    "square": (lambda x: x**2, lambda x: x * x, lambda x: True),
    "constant": (lambda x: x / 0.7, lambda x: x / (mpmath.mpf(7) / 10), lambda x: True),
    "base": (lambda x: np.power(0.3, x), lambda x: (mpmath.mpf(3) / 10) ** x, lambda x: abs(x) < 10_000),
}
TWO: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "add": (np.add, lambda a, b: a + b),
    "subtract": (np.subtract, lambda a, b: a - b),
    "multiply": (np.multiply, lambda a, b: a * b),
    "divide": (np.divide, lambda a, b: a / b if b else mpmath.nan),
    "maximum": (np.maximum, max),
    "minimum": (np.minimum, min),
    "where": (lambda a, b: np.where(a > b, a, 2 * b), lambda a, b: a if a > b else 2 * b),
    "matmul": (lambda a, b: _row(a, b) @ _row(b, a).T, lambda a, b: 2 * a * b),
    "sum": (lambda a, b: np.sum(_row(a, b, a)), lambda a, b: 2 * a + b),
    "mean": (lambda a, b: np.mean(_row(a, b)), lambda a, b: (a + b) / 2),
    "max": (lambda a, b: np.max(_row(a, b)), max),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE)
@given(entries)
@example((0.7, 0.25, 1.0))
@example((0.3, 0.25, -1.0))
@QUICK
def test_a_function_of_one_array_is_within_its_bound(name: str, x: Entry) -> None:
    function, true_function, defined = ONE[name]
    with mpmath.workdps(700):
        if defined(truth(x)):
            assert holds(function(of(x)), true_function(truth(x)))


@pytest.mark.parametrize("name", TWO)
@given(entries, entries)
@QUICK
def test_a_function_of_two_arrays_is_within_its_bound(name: str, x: Entry, y: Entry) -> None:
    function, true_function = TWO[name]
    with mpmath.workdps(700):
        true = true_function(truth(x), truth(y))
        if not mpmath.isnan(true):
            assert holds(function(of(x), of(y)), true)


def test_values_are_those_of_plain_floats() -> None:
    a, b = np.array([[0.1, 2.0]]), np.array([[3.0], [0.7]])
    tracked = np.exp(bounded(a) @ bounded(b)) / 3
    assert tracked.value == np.exp(a @ b) / 3
    assert 0 < tracked.error < 1e-13


def test_a_short_binary_fraction_is_exact_as_a_constant_and_a_tenth_is_not() -> None:
    assert list(bounded(np.array([0.5, -3.0, 1024.0, 0.1])).error > 0) == [False, False, False, True]
    assert Fraction(0.1) != Fraction(1, 10)


def test_an_overflow_has_no_bound_and_a_meant_minus_infinity_is_exact() -> None:
    hidden = Bounded([[-np.inf, 1.0]], 0.0)
    assert (hidden + 1.0).error[0, 0] == 0
    assert list(np.exp(hidden).error[0] == 0) == [True, False]
    assert np.isinf(np.exp(Bounded([[1000.0]], 0.0)).error)
    assert np.isinf((hidden - hidden).error[0, 0])


def test_a_quotient_by_what_may_be_zero_has_no_bound() -> None:
    small = Bounded([[1e-20]], 1e-20)
    assert np.isinf((1.0 / small).error)
    guarded = np.where(small == 0, 0.0, 1.0 / np.where(small == 0, 1.0, small))
    assert np.isinf(guarded.error)


def test_what_numpy_does_and_no_rule_bounds_is_refused() -> None:
    with pytest.raises(TypeError):
        np.cumsum(Bounded([[1.0]], 0.0))
    with pytest.raises(TypeError):
        np.arctan(Bounded([[1.0]], 0.0))
