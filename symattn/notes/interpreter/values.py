"""Values in floats, with the range that the printed numbers before them leave open, and how each was made.

A value knows what it was made of down to the literals on the page: `Made` holds the step and the values that
went in. What is accepted as the explanation of a print becomes lines of a plan from that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from symattn.notes.grammar.syntax import Node
    from symattn.notes.grammar.tokens import Token
    from symattn.plans.operation import Operation

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

LARGEST: Final = 4096 * 8
"""The most products of a matrix product that is tried."""


class Made(Struct, frozen=True, eq=False, gc=False):
    """How a value was made: the step, and what it was made of.

    `step` is `print` for a literal on the page (`literal`), `constant` for an exact number (`option`), else
    the name of a function of this module, or `operation` for an operation of the package (`option`).
    """

    step: str
    args: tuple[Value, ...] = ()
    option: Any = None
    literal: Node | None = None


class Value(Struct, frozen=True, eq=False, gc=False):
    """Numbers (any shape of at most two axes) between `low` and `high`, most likely `mid`.

    `tokens` are the printed operands that the value rests on.
    """

    mid: Array
    low: Array
    high: Array
    made: Made
    tokens: frozenset[Token] = frozenset()

    @property
    def shape(self) -> tuple[int, ...]:
        return self.mid.shape


def printed(literal: Node) -> Value:
    """What a literal prints, each number between the least and the largest that it may stand for."""
    ranges = literal.ranges()
    mid, low, high = (
        np.array([each[at] for each in ranges], float).reshape(literal.shape) for at in (0, 2, 3)
    )
    return Value(mid, low, high, Made("print", literal=literal), frozenset(literal.tokens))


def constant(number: float) -> Value:
    """An exact number."""
    array = np.asarray(number, dtype=float)
    return Value(array, array, array, Made("constant", option=number))


def _tokens(operands: Sequence[Value]) -> frozenset[Token]:
    return frozenset().union(*(o.tokens for o in operands))


def _within(mid: Array, corners: Sequence[Array], made: Made) -> Value:
    low, high = reduce(np.minimum, corners, mid), reduce(np.maximum, corners, mid)
    return Value(mid, low, high, made, _tokens(made.args))


def _each(step: str, function: Callable[[Array], Array], a: Value, option: Any = None) -> Value:
    """A function that never falls, or that only takes entries to other places."""
    mid = function(a.mid)
    low, high = (mid if x is a.mid else function(x) for x in (a.low, a.high))
    return Value(mid, low, high, Made(step, (a,), option), a.tokens)


def _merged(step: str, function: Callable[[list[Array]], Array], parts: Sequence[Value]) -> Value:
    mid, low, high = (function([getattr(p, x) for p in parts]) for x in ("mid", "low", "high"))
    return Value(mid, low, high, Made(step, tuple(parts)), _tokens(parts))


def digits(a: Value) -> tuple[object, ...]:
    """Shape and most likely numbers, by which values are the same."""
    return a.shape, *a.mid.ravel().tolist()


def same(a: Value, b: Value) -> bool:
    return a.shape == b.shape and digits(a) == digits(b)


def fits(a: Value, b: Value) -> bool:
    """Whether entries of the two meet."""
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return False
    return True


# entry by entry


def add(a: Value, b: Value) -> Value:
    return Value(a.mid + b.mid, a.low + b.low, a.high + b.high, Made("add", (a, b)), a.tokens | b.tokens)


def subtract(a: Value, b: Value) -> Value:
    return Value(a.mid - b.mid, a.low - b.high, a.high - b.low, Made("subtract", (a, b)), a.tokens | b.tokens)


def negative(a: Value) -> Value:
    return Value(-a.mid, -a.high, -a.low, Made("negative", (a,)), a.tokens)


def times(a: Value, b: Value) -> Value:
    """The product of numbers, entry by entry."""
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _within(a.mid * b.mid, corners, Made("times", (a, b)))


def over(a: Value, b: Value) -> Value | None:
    """The quotient; nothing where the divisor may be 0."""
    if ((b.low <= 0) & (b.high >= 0)).any():
        return None
    divisors = (b.mid,) if b.low is b.high else (b.low, b.high)
    corners = [x / y for x in (a.low, a.high) for y in divisors]
    return _within(a.mid / b.mid, corners, Made("over", (a, b)))


def power(a: Value, b: Value) -> Value | None:
    if (np.any(a.low <= 0) and not np.all(b.mid == np.round(b.mid))) or np.any(np.abs(b.mid) > 64):
        return None
    if np.all(a.low > 0):
        corners = [x**y for x in (a.low, a.high) for y in (b.low, b.high)]
    else:
        corners = [a.low**b.mid, a.high**b.mid]
    return _within(a.mid**b.mid, corners, Made("power", (a, b)))


def root(a: Value) -> Value | None:
    return None if (a.low < 0).any() else _each("root", np.sqrt, a)


def exponential(a: Value) -> Value:
    return _each("exponential", np.exp, a)


def logarithm(a: Value, base: float) -> Value | None:
    """The logarithm to a base, 0 for the natural one."""
    if not np.all(a.low > 0):
        return None
    by = np.log(base) if base else 1.0
    return _each("logarithm", lambda x: np.log(x) / by, a, base)


RISING: Final[dict[str, Callable[[Array], Array]]] = {
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


def rising(name: str, a: Value) -> Value:
    """tanh, relu or sigmoid."""
    return _each(name, RISING[name], a)


WAVES: Final[dict[str, Callable[[Array], Array]]] = {"sin": np.sin, "cos": np.cos}


def wave(name: str, a: Value) -> Value:
    """Sine or cosine: within the change that the range allows."""
    mid = WAVES[name](a.mid)
    width = np.maximum(a.high - a.mid, a.mid - a.low)
    return Value(mid, mid - width, mid + width, Made(name, (a,)), a.tokens)


def larger(a: Value, b: Value) -> Value:
    mid, low, high = (np.maximum(x, y) for x, y in ((a.mid, b.mid), (a.low, b.low), (a.high, b.high)))
    return Value(mid, low, high, Made("larger", (a, b)), a.tokens | b.tokens)


def causal(a: Value) -> Value:
    """Scores (n, n) with what lies right of the diagonal masked."""
    hidden = np.triu(np.ones(a.shape, bool), 1)
    return _each("causal", lambda x: np.where(hidden, -np.inf, x), a)


def lower(a: Value) -> Value:
    """A matrix (n, n) with 0 right of the diagonal."""
    return _each("lower", np.tril, a)


# rows


def softmax(a: Value) -> Value:
    """Row by row; an entry is largest with its own score high and the others low."""
    top = np.max(np.where(np.isfinite(a.high), a.high, -np.inf), axis=-1, keepdims=True)
    mid, low, high = (np.exp(x - top) for x in (a.mid, a.low, a.high))

    def rest(own: Array, every: Array) -> Array:
        found: Array = every.sum(axis=-1, keepdims=True) - own
        return found

    return Value(
        mid / mid.sum(axis=-1, keepdims=True),
        low / (low + rest(high, high)),
        high / (high + np.maximum(rest(low, low), 0)),
        Made("softmax", (a,)),
        a.tokens,
    )


def summed(a: Value) -> Value:
    """The sum of each row, or of a vector."""
    return _each("summed", lambda x: x.sum(axis=-1), a)


def upright(a: Value) -> Value:
    """A vector as a column."""
    return _each("upright", lambda x: x[..., None], a)


def mean(a: Value) -> Value:
    """The mean of each row, or of a vector."""
    width = a.shape[-1]
    return _each("mean", lambda x: x.sum(axis=-1) / width, a)


NORMS: Final[dict[str, Callable[[Array], Array]]] = {
    "layernorm": lambda x: np.sqrt((x**2).mean(axis=-1, keepdims=True)),
    "layernorm1": lambda x: np.sqrt((x**2).sum(axis=-1, keepdims=True) / max(1, x.shape[-1] - 1)),
    "length": lambda x: np.sqrt((x**2).sum(axis=-1, keepdims=True)),
    "rms": lambda x: np.sqrt((x**2).mean(axis=-1, keepdims=True)),
    "share": lambda x: x.sum(axis=-1, keepdims=True),
}
"""What each row is divided by, of mean 0 for a LayerNorm (of the population, of a sample)."""


def normalised(a: Value, kind: str) -> Value | None:
    """Rows divided as in `NORMS`; the ranges by a first-order bound."""
    half = np.max(np.maximum(a.high - a.mid, a.mid - a.low), axis=-1, keepdims=True)
    centred = kind.startswith("layernorm")
    centre = a.mid - a.mid.mean(axis=-1, keepdims=True) if centred else a.mid
    size = NORMS[kind](centre)
    if np.any(np.abs(size) < 1e-9):
        return None
    mid = centre / size
    width = half / np.abs(size) * (2 + np.abs(mid))
    return Value(mid, mid - width, mid + width, Made("normalised", (a,), kind), a.tokens)


# matrices


def matmul(a: Value, b: Value) -> Value | None:
    """The matrix product of vectors and matrices; nothing where the shapes do not fit or the work is much."""
    if not a.shape or not b.shape or len(a.shape) > 2 or len(b.shape) > 2:
        return None
    if a.shape[-1] != b.shape[-2 if len(b.shape) > 1 else 0]:
        return None
    left = [np.atleast_2d(x) for x in (a.mid, a.low, a.high)]
    right = [x if x.ndim > 1 else x[:, None] for x in (b.mid, b.low, b.high)]
    if left[0].size * right[0].shape[1] > LARGEST:
        return None
    products = [x[:, :, None] * y[None] for x in left[1:] for y in right[1:]]
    middle = left[0][:, :, None] * right[0][None]
    shape = (a.shape[:-1] if len(a.shape) > 1 else ()) + (b.shape[1:] if len(b.shape) > 1 else ())
    mid, low, high = (
        x.sum(axis=1).reshape(shape)
        for x in (middle, reduce(np.minimum, products, middle), reduce(np.maximum, products, middle))
    )
    return Value(mid, low, high, Made("matmul", (a, b)), a.tokens | b.tokens)


def transposed(a: Value) -> Value:
    return _each("transposed", lambda x: x.T, a)


def row(a: Value, number: int) -> Value:
    """One row of a matrix, or one number of a vector."""
    return _each("row", lambda x: x[number], a, number)


def rows(a: Value, count: int) -> Value:
    """The first rows of a matrix."""
    return _each("rows", lambda x: x[:count], a, count)


def columns(a: Value, start: int, stop: int) -> Value:
    return _each("columns", lambda x: x[..., start:stop], a, (start, stop))


def together(parts: Sequence[Value]) -> Value | None:
    """Values of one shape as the rows of a larger one."""
    if len({p.shape for p in parts}) != 1:
        return None
    return _merged("together", lambda arrays: np.stack(arrays), parts)


def beside(parts: Sequence[Value]) -> Value | None:
    """Values of as many rows side by side."""
    if len({p.shape[:-1] for p in parts}) != 1 or not all(p.shape for p in parts):
        return None
    return _merged("beside", lambda arrays: np.concatenate(arrays, axis=-1), parts)


def reshaped(a: Value, shape: tuple[int, ...]) -> Value | None:
    """A vector for a matrix of one row or one column and the reverse; None where the shapes do not fit."""
    if a.shape == shape:
        return a
    long = [n for n in shape if n != 1]
    if long != [n for n in a.shape if n != 1] or len(long) > 1:
        return None
    upright_now, upright_then = a.shape[1:] == (1,), shape[1:] == (1,)
    made = Made("reshaped", (a,), upright_now != upright_then)
    return replace(_each("reshaped", lambda x: x.reshape(shape), a), made=made)


def operated(operation: Operation, *args: Value) -> Value:
    """The result of an operation of the package on matrices, by its own floats and bound."""
    mids = tuple(np.atleast_2d(a.mid) for a in args)
    errors = tuple(np.atleast_2d(np.maximum(a.high - a.mid, a.mid - a.low)) for a in args)
    mid = np.asarray(operation.floats(*mids), dtype=float)
    bound = np.broadcast_to(operation.error(mids, errors, mid), mid.shape)
    return Value(mid, mid - bound, mid + bound, Made("operation", args, operation), _tokens(args))


def positions(shape: tuple[int, ...], first: int, base: float) -> Value:
    """The sinusoidal encoding of the positions from `first` on, one a row; of one position for a vector."""
    width, count = shape[-1], shape[0] if len(shape) == 2 else 1
    column = np.arange(width)
    angles = np.arange(first, first + count)[:, None] * base ** (-2 * (column // 2) / width)
    mid: Array = np.where(column % 2 == 0, np.sin(angles), np.cos(angles)).reshape(shape)
    return Value(mid, mid, mid, Made("positions", option=(count, width, first, base)))
