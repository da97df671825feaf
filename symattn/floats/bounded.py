"""Running error analysis: float arrays whose entries carry bounds on their distance from the exact values.

Code that computes with NumPy computes on a `Bounded` as well: the values are those that plain floats give,
and each addition, product or function adds the rounding of its result to what its arguments bring along.
Overflow makes a bound infinite, underflow adds the smallest float, and a comparison that the bounds do not
settle is in doubt. Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import erf as erf_of_one
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNIT = 2.0**-53
"""The rounding of one operation, relative to its result."""
LIBRARY = 8 * UNIT
"""The same for exp, log, power, sine, cosine, tanh and erf: NumPy promises 4 units of the last place."""
CONSTANT = 4 * UNIT
"""The rounding of a constant that is no short binary fraction: 0.1, or the root of 2."""
TINY = 5e-324
"""The smallest float, which bounds an underflow."""


class Bounded(NDArrayOperatorsMixin):
    """Values and bounds of one shape; of a comparison, booleans and where they are in doubt (1).

    A value of minus infinity with the bound 0 is one that is meant, as in a mask.
    """

    __slots__ = ("error", "value")

    def __init__(self, value: Any, error: Any) -> None:
        self.value = np.asarray(value)
        self.error: Floats = np.broadcast_to(np.asarray(error, dtype=np.float64), self.value.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def size(self) -> int:
        return self.value.size

    @property
    def T(self) -> Bounded:
        return Bounded(self.value.T, self.error.T)

    def __getitem__(self, at: Any) -> Bounded:
        return Bounded(self.value[at], self.error[at])

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        rule = UFUNCS.get(ufunc)
        if rule is None or method != "__call__" or options:
            return NotImplemented
        with np.errstate(all="ignore"):
            return rule(*map(bounded, inputs))

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        rule = FUNCTIONS.get(function)
        if rule is None:
            return NotImplemented
        with np.errstate(all="ignore"):
            return rule(*inputs, **options)


def bounded(x: Any) -> Bounded:
    """An array or number with its bound; a constant is exact where it has few binary digits."""
    if isinstance(x, Bounded):
        return x
    value = np.asarray(x)
    if value.dtype.kind in "biu":
        return Bounded(value, 0.0)
    mantissa = np.frexp(np.where(np.isfinite(value), value, 0.0))[0] * 2.0**26
    return Bounded(value, np.where(mantissa == np.rint(mantissa), 0.0, _size(value) * CONSTANT))


def erf(x: Any) -> Any:
    """The error function of every entry, which NumPy has not; to first order in an imaginary part."""
    parts = np.real(_value(x))
    values: Floats = np.array([erf_of_one(float(entry)) for entry in parts.flat]).reshape(x.shape)
    if np.iscomplexobj(_value(x)):
        return values + 1j * np.imag(x) * 2 / np.sqrt(np.pi) * np.exp(-(parts**2))
    if not isinstance(x, Bounded):
        return values
    nearest = np.maximum(_size(x.value) - x.error, 0.0)
    return _made(values, _times(1.13 * np.exp(-(nearest**2)), x.error), x, rounding=LIBRARY)


def _value(x: Any) -> Any:
    return x.value if isinstance(x, Bounded) else np.asarray(x)


def _size(x: Any) -> Floats:
    """|x|, and 0 for what is not finite: minus infinity has no rounding."""
    return np.where(np.isfinite(x), np.abs(x), 0.0)


def _times(a: Any, b: Any) -> Floats:
    """The product of bounds, in which nothing times anything is nothing."""
    return np.where((a == 0) | (b == 0), 0.0, np.asarray(a) * b)


def _made(value: Any, carried: Any, *sources: Bounded, rounding: float = UNIT, tiny: float = TINY) -> Bounded:
    """A result with what its sources bring along and its own rounding.

    An infinity that no source meant is an overflow: nothing is known of it.
    """
    meant = np.zeros(np.shape(value), dtype=bool)
    for source in sources:
        meant = meant | (np.isinf(source.value) & (source.error == 0))
    finite = np.isfinite(value)
    error = carried + rounding * _size(value) + np.where(_size(value) < 2.0**-1000, tiny, 0.0)
    error = np.where(np.isinf(value) & meant, 0.0, np.where(finite & ~np.isnan(error), error, np.inf))
    return Bounded(value, error)


def _add(a: Bounded, b: Bounded) -> Bounded:
    return _made(a.value + b.value, a.error + b.error, a, b, tiny=0.0)


def _subtract(a: Bounded, b: Bounded) -> Bounded:
    return _made(a.value - b.value, a.error + b.error, a, b, tiny=0.0)


def _multiply(a: Bounded, b: Bounded) -> Bounded:
    carried = _times(_size(a.value), b.error) + _times(_size(b.value), a.error) + _times(a.error, b.error)
    made = _made(a.value * b.value, carried, a, b)
    nothing = _is_zero(a) & np.isfinite(b.value) | _is_zero(b) & np.isfinite(a.value)
    return Bounded(made.value, np.where(nothing, 0.0, made.error))


def _divide(a: Bounded, b: Bounded) -> Bounded:
    value, least = a.value / b.value, _size(b.value) - b.error
    carried = np.where(least > 0, (a.error + _times(_size(value), b.error)) / least, np.inf)
    made = _made(value, carried, a, b)
    return Bounded(made.value, np.where(_is_zero(a) & (least > 0), 0.0, made.error))


def _is_zero(a: Bounded) -> NDArray[np.bool_]:
    """Where a value is exactly 0."""
    zero: NDArray[np.bool_] = (a.value == 0) & (a.error == 0)
    return zero


def _exp(x: Bounded) -> Bounded:
    value = np.exp(x.value)
    carried = _times(np.maximum(value, TINY), np.expm1(x.error))
    made = _made(value, carried, x, rounding=LIBRARY)
    return Bounded(value, np.where(np.isneginf(x.value) & (x.error == 0), 0.0, made.error))


def _log(x: Bounded) -> Bounded:
    least = x.value - x.error
    carried = np.where(least > 0, x.error / least, np.inf)
    return _made(np.log(x.value), carried, x, rounding=LIBRARY)


def _power(a: Bounded, b: Bounded) -> Bounded:
    """a^b for a positive a; a square is a product."""
    if b.shape == () and b.value == 2 and b.error == 0:
        return _multiply(a, a)
    value, least = np.power(a.value, b.value), a.value - a.error
    rate = np.where(least > 0, a.error / least, np.inf)
    moved = _times(_size(b.value) + b.error, rate) + _times(np.abs(np.log(_size(a.value))) + rate, b.error)
    made = _made(value, _times(np.maximum(value, TINY), np.expm1(moved)), a, b, rounding=LIBRARY)
    return Bounded(value, np.where(np.isinf(b.value) & (b.error == 0) & (value == 0), 0.0, made.error))


def _sqrt(x: Bounded) -> Bounded:
    value = np.sqrt(x.value)
    carried = np.where(value > 0, np.minimum(x.error / value, np.sqrt(x.error)), np.sqrt(x.error))
    return _made(value, carried, x, tiny=0.0)


def _sin(x: Bounded) -> Bounded:
    return _made(np.sin(x.value), np.minimum(x.error, 2.0), rounding=LIBRARY)


def _cos(x: Bounded) -> Bounded:
    return _made(np.cos(x.value), np.minimum(x.error, 2.0), rounding=LIBRARY)


def _tanh(x: Bounded) -> Bounded:
    nearest = np.maximum(_size(x.value) - x.error, 0.0)
    flat = np.where(np.isinf(x.value), 0.0, np.minimum(1.0, 4 * np.exp(-2 * nearest)))
    return _made(np.tanh(x.value), _times(flat, np.minimum(x.error, 2.0)), x, rounding=LIBRARY)


def _matmul(a: Bounded, b: Bounded) -> Bounded:
    sizes, inner = (_size(a.value), _size(b.value)), a.shape[-1]
    carried = sizes[0] @ b.error + a.error @ sizes[1] + a.error @ b.error
    underflows = TINY * ((sizes[0] > 0).astype(float) @ (sizes[1] > 0).astype(float))
    rounded = (inner + 1) * UNIT * (sizes[0] @ sizes[1])
    return _made(a.value @ b.value, carried + rounded + underflows, rounding=0.0, tiny=0.0)


def _kept(function: Any) -> Callable[[Bounded], Bounded]:
    """A function that rounds nothing and moves no further than its argument."""
    return lambda x: Bounded(function(x.value), x.error)


def _larger(function: Any) -> Callable[[Bounded, Bounded], Bounded]:
    return lambda a, b: Bounded(function(a.value, b.value), np.maximum(a.error, b.error))


def _compared(function: Any) -> Callable[[Bounded, Bounded], Bounded]:
    def compare(a: Bounded, b: Bounded) -> Bounded:
        reach = a.error + b.error
        apart = np.where(np.isinf(a.value) | np.isinf(b.value), np.inf, np.abs(a.value - b.value))
        return Bounded(function(a.value, b.value), (reach > 0) & ~(apart > reach))

    return compare


def _joined(function: Any) -> Callable[[Bounded, Bounded], Bounded]:
    return lambda a, b: Bounded(function(a.value, b.value), np.maximum(a.error, b.error))


UFUNCS: Mapping[Any, Callable[..., Any]] = {
    np.add: _add,
    np.subtract: _subtract,
    np.multiply: _multiply,
    np.true_divide: _divide,
    np.matmul: _matmul,
    np.exp: _exp,
    np.log: _log,
    np.power: _power,
    np.sqrt: _sqrt,
    np.sin: _sin,
    np.cos: _cos,
    np.tanh: _tanh,
    np.negative: _kept(np.negative),
    np.absolute: _kept(np.absolute),
    np.maximum: _larger(np.maximum),
    np.minimum: _larger(np.minimum),
    **{f: _compared(f) for f in (np.equal, np.not_equal, np.less, np.greater)},
    **{f: _joined(f) for f in (np.bitwise_or, np.bitwise_and)},
    np.isfinite: lambda x: Bounded(np.isfinite(x.value), np.isinf(x.error)),
}
"""What each ufunc of NumPy makes of bounded arguments."""


def _where(condition: Any, a: Any, b: Any) -> Bounded:
    """Entries of a or b; where the condition is in doubt, the bound reaches to the other one."""
    a, b, chosen = bounded(a), bounded(b), bounded(condition)
    value = np.where(chosen.value, a.value, b.value)
    error = np.where(chosen.value, a.error, b.error)
    apart = np.where(a.value == b.value, 0.0, np.abs(a.value - b.value)) + np.maximum(a.error, b.error)
    return Bounded(value, np.where(chosen.error > 0, apart, error))


def _sum(x: Any, axis: Any = None, keepdims: bool = False) -> Bounded:
    value = np.sum(x.value, axis=axis, keepdims=keepdims)
    terms = max(x.size // max(value.size, 1), 1)
    carried = np.sum(x.error + (terms - 1) * UNIT * _size(x.value), axis=axis, keepdims=keepdims)
    return _made(value, carried, rounding=0.0, tiny=0.0)


def _mean(x: Any, axis: Any = None, keepdims: bool = False) -> Bounded:
    total = _sum(x, axis, keepdims)
    return _divide(total, bounded(x.size // total.size))


def _max(x: Any, axis: Any = None, keepdims: bool = False) -> Bounded:
    error = np.max(x.error, axis=axis, keepdims=keepdims)
    return Bounded(np.max(x.value, axis=axis, keepdims=keepdims), error)


def _concatenate(parts: Any, axis: int = 0) -> Bounded:
    lifted = [bounded(part) for part in parts]
    values = np.concatenate([part.value for part in lifted], axis=axis)
    return Bounded(values, np.concatenate([part.error for part in lifted], axis=axis))


FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.where: _where,
    np.sum: _sum,
    np.mean: _mean,
    np.max: _max,
    np.concatenate: _concatenate,
    np.outer: lambda a, b: _multiply(bounded(a)[:, None], bounded(b)[None, :]),
    np.diag: lambda x: Bounded(np.diag(x.value), np.diag(x.error)),
    np.real: lambda x: x,
    np.ones_like: lambda x: Bounded(np.ones_like(x.value), 0.0),
    np.isneginf: lambda x: Bounded(np.isneginf(x.value), np.isinf(x.error)),
}
"""What each function of NumPy that is no ufunc makes of them."""
