"""The inputs of attention on floats: the ONNX operator `Attention` with its options, and what is refused.

An array of floats is the dyadic rationals that it holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from symattn.golden.formats import FORMATS, Floats, Format
from symattn.golden.options import Options, Scale, check, scale_of
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import OutOfBounds, ShapeMismatch, UnusableValue

MOST_WEIGHTS = 2**28
"""Attention weights of all heads and batches together."""
NAMES = ("q", "k", "v", "mask", "past_k", "past_v", "nonpad_kv_seqlen", "sinks", "dO")


class Array(Struct, frozen=True, eq=False):
    """The values of an array and the format that it has; a mask of truth values has none."""

    values: NDArray[Any]
    format: Format | None


class Head(Struct, frozen=True, eq=False):
    """One head of one batch: q (n, d), k (m, d), v (m, e), the mask (n, m) if any, dO (n, e) as `grad`.

    A sink is the last key, which every query sees: k and v are 0 there, and the mask adds the sink.
    """

    q: Floats
    k: Floats
    v: Floats
    mask: NDArray[Any] | None
    grad: Floats | None
    causal: bool
    past: int
    scale: Scale
    softcap: float | None
    window: int | None = None
    sink: bool = False

    @property
    def keys(self) -> int:
        """How many keys there are without the sink."""
        return len(self.k) - self.sink

    def visible(self, rows: slice) -> NDArray[np.bool_]:
        """Which keys the queries of some rows see."""
        at = np.arange(len(self.q))[rows, None]
        seen = np.ones((len(at), len(self.k)), np.bool_)
        if self.causal:
            seen &= np.arange(len(self.k)) <= at + self.past
        if self.window is not None:
            seen &= np.arange(len(self.k)) > at + self.past - self.window
        seen[:, self.keys :] = True
        if self.mask is not None:
            part = self.mask[rows]
            seen &= part if part.dtype == np.bool_ else part > -np.inf
        return seen

    def bias(self, rows: slice) -> Floats | None:
        """What the mask adds to the scores of visible keys; 0 for the others."""
        if self.mask is None or self.mask.dtype == np.bool_:
            return None
        part = self.mask[rows]
        return np.where(part > -np.inf, part, 0.0)


class Inputs(Struct, frozen=True, eq=False):
    """q (batches, heads, n, d), k and v (batches, groups, m, ...), mask and dO (`grad`) in that layout.

    `sinks` (heads) are scores without keys, one a head.
    """

    q: Floats
    k: Floats
    v: Floats
    mask: NDArray[Any] | None
    grad: Floats | None
    sinks: Floats | None
    past: int
    scale: Scale
    options: Options
    format: Format
    axes: int = field(default=4)
    """The axes of the arrays as they were given."""

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Batches, heads, queries and keys."""
        return (*self.q.shape[:3], self.k.shape[2])

    def head(self, batch: int, head: int) -> Head:
        """One head; query heads that follow each other share the keys of a group."""
        group = head // (self.q.shape[1] // self.k.shape[1])
        found = Head(
            self.q[batch, head],
            self.k[batch, group],
            self.v[batch, group],
            None if self.mask is None else self.mask[batch, head],
            None if self.grad is None else self.grad[batch, head],
            self.options.causal,
            self.past,
            self.scale,
            self.options.softcap,
            self.options.window,
        )
        return found if self.sinks is None else _with_sink(found, self.sinks[head])

    def __iter__(self) -> Iterator[tuple[tuple[int, int], Head]]:
        for batch in range(self.q.shape[0]):
            for head in range(self.q.shape[1]):
                yield (batch, head), self.head(batch, head)

    def laid_out(self, x: NDArray[Any]) -> NDArray[Any]:
        """A result (batches, heads, tokens, width) in the layout of the arrays that were given."""
        if self.axes == 4:
            return x
        if self.axes == 3 and self.options.heads is not None:
            return np.swapaxes(x, 1, 2).reshape(x.shape[0], x.shape[2], -1)
        return x.reshape(x.shape[4 - self.axes :])

    def by_rows(self, x: NDArray[Any]) -> NDArray[Any]:
        """One number a row, (batches, heads, n, 1), without the axes that the inputs do not have."""
        first = 4 - self.axes if self.options.heads is None else 0
        return x.reshape(x.shape[first:3])


def _with_sink(head: Head, sink: float) -> Head:
    mask = np.full((len(head.q), len(head.k) + 1), sink)
    old = 0.0 if head.mask is None else head.mask
    mask[:, :-1] = (
        np.where(old, 0.0, -np.inf) if isinstance(old, np.ndarray) and old.dtype == np.bool_ else old
    )
    k, v = (np.pad(x, ((0, 1), (0, 0))) for x in (head.k, head.v))
    return replace(head, k=k, v=v, mask=mask, sink=True)


def inputs(arrays: Mapping[str, Array], options: Options) -> Inputs:
    """The inputs from arrays with the names q, k, v and perhaps others of NAMES.

    Raises SymattnError with the name of the array.
    """
    for name in ("q", "k", "v"):
        if name not in arrays:
            found = Bilingual(f"there is no array `{name}`", f"没有数组 `{name}`")
            raise UnusableValue(
                found, Bilingual("--names q=Q,k=K,v=V names them", "用 --names q=Q,k=K,v=V 指定名称")
            )
        _check(arrays[name], name)
    check(options)
    given = {name: each for name, each in arrays.items() if name in NAMES}
    q, k, v = (given[name].values for name in ("q", "k", "v"))
    if not q.ndim == k.ndim == v.ndim:
        raise ShapeMismatch(
            Bilingual(
                f"q, k and v have {q.ndim}, {k.ndim} and {v.ndim} axes",
                f"q、k、v 的轴数为 {q.ndim}、{k.ndim}、{v.ndim}",
            ),
            _LAYOUTS,
        )
    kv_heads = options.kv_heads or options.heads
    if options.heads is not None and q.ndim != 3:
        raise UnusableValue(
            Bilingual(
                f"heads are given for arrays of {Count(q.ndim):axis/axes}", f"为 {q.ndim} 轴的数组指定了头数"
            ),
            _LAYOUTS,
        )
    four = {"q": _split(q, options.heads, "q"), "k": _split(k, kv_heads, "k"), "v": _split(v, kv_heads, "v")}
    past = 0
    for name, old in (("k", "past_k"), ("v", "past_v")):
        if old in given:
            _check(given[old], old)
            before = _split(given[old].values, None, old)
            if before.shape[:2] + before.shape[3:] != four[name].shape[:2] + four[name].shape[3:]:
                raise _mismatch(old, before.shape, name, four[name].shape)
            past, four[name] = before.shape[2], np.concatenate([before, four[name]], axis=2)
    q, k, v = four["q"], four["k"], four["v"]
    if q.shape[0] != k.shape[0] or q.shape[3] != k.shape[3] or q.shape[1] % k.shape[1]:
        raise _mismatch("q", q.shape, "k", k.shape)
    if k.shape[:3] != v.shape[:3]:
        raise _mismatch("k", k.shape, "v", v.shape)
    shape = (*q.shape[:3], k.shape[2])
    if math.prod(shape) > MOST_WEIGHTS:
        raise OutOfBounds(
            Bilingual(f"{math.prod(shape)} attention weights", f"共有 {math.prod(shape)} 个注意力权重"),
            Bilingual(f"at most {MOST_WEIGHTS} are computed", f"最多计算 {MOST_WEIGHTS} 个"),
        )
    dO = None
    if "dO" in given:
        _check(given["dO"], "dO")
        dO = _split(given["dO"].values, options.heads, "dO")
        if dO.shape != (*q.shape[:3], v.shape[3]):
            raise _mismatch("dO", dO.shape, "o", (*q.shape[:3], v.shape[3]))
    mask = _mask(given["mask"], shape) if "mask" in given else None
    if "nonpad_kv_seqlen" in given:
        mask = _padded(mask, given["nonpad_kv_seqlen"].values, shape)
    sinks = given["sinks"].values if "sinks" in given else None
    if sinks is not None:
        _check(given["sinks"], "sinks")
        if sinks.shape != shape[1:2]:
            raise _mismatch("sinks", sinks.shape, "heads", shape[1:2])
    one = given["q"].format
    assert one is not None
    axes = given["q"].values.ndim
    return Inputs(q, k, v, mask, dO, sinks, past, scale_of(options.scale, q.shape[3]), options, one, axes)


_LAYOUTS = Bilingual(
    "(n, d), (heads, n, d), (batches, heads, n, d), or with --heads (batches, n, heads d)",
    "可用 (n, d)、(头, n, d)、(批, 头, n, d)，或配合 --heads 用 (批, n, 头·d)",
)


def need_floats(array: Array, name: str) -> None:
    """Refuses what is not an array of floats. Raises UnusableValue."""
    if array.format is None:
        raise UnusableValue(
            Bilingual(f"the array is of {array.values.dtype}", f"数组的类型为 {array.values.dtype}"),
            Bilingual(f"floats are read: {', '.join(FORMATS)}", f"可读的浮点格式：{'、'.join(FORMATS)}"),
        ).at(key=name)


def _check(array: Array, name: str) -> None:
    """Refuses what is not an array of finite floats."""
    need_floats(array, name)
    _refuse(np.isnan(array.values), name, "NaN", array.values)
    _refuse(np.isinf(array.values), name, "inf", array.values)


def _refuse(wrong: NDArray[np.bool_], name: str, what: str, values: NDArray[Any]) -> None:
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        what = "-inf" if values[at] == -np.inf else what
        where = f"[{', '.join(map(str, at))}]"
        only = Bilingual("only a mask may have -inf", "只有掩码可以含 -inf")
        raise UnusableValue(Bilingual(f"{what} at {where}", f"{where} 处为 {what}"), only).at(key=name)


def _split(x: NDArray[Any], heads: int | None, name: str = "q") -> NDArray[Any]:
    """(batches, heads, tokens, width) from two, three or four axes."""
    if not 2 <= x.ndim <= 4 or not x.size:
        raise ShapeMismatch(Bilingual(f"the shape {x.shape}", f"形状为 {x.shape}"), _LAYOUTS).at(key=name)
    if x.ndim == 3 and heads is not None:
        if heads < 1 or x.shape[2] % heads:
            found = Bilingual(
                f"{Count(x.shape[2]):column} for {Count(heads):head}", f"{x.shape[2]} 列无法分给 {heads} 个头"
            )
            raise ShapeMismatch(found).at(key=name)
        return np.swapaxes(x.reshape(*x.shape[:2], heads, -1), 1, 2)
    return x.reshape((1,) * (4 - x.ndim) + x.shape)


def _mask(mask: Array, shape: tuple[int, int, int, int]) -> NDArray[Any]:
    """The mask for all batches and heads; hidden keys are added where it has too few (ONNX)."""
    values = mask.values
    if values.dtype != np.bool_:
        if mask.format is None:
            raise UnusableValue(
                Bilingual(f"the array is of {values.dtype}", f"数组的类型为 {values.dtype}"),
                Bilingual("a mask is of truth values or floats", "掩码应为布尔值或浮点数"),
            ).at(key="mask")
        _refuse(np.isnan(values), "mask", "NaN", values)
        _refuse(values == np.inf, "mask", "inf", values)
    if values.ndim and 1 < values.shape[-1] < shape[3]:
        hidden = False if values.dtype == np.bool_ else -np.inf
        wide = [(0, 0)] * (values.ndim - 1) + [(0, shape[3] - values.shape[-1])]
        values = np.pad(values, wide, constant_values=hidden)
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise _mismatch("mask", values.shape, "scores", shape) from None


def _padded(
    mask: NDArray[Any] | None, lengths: NDArray[Any], shape: tuple[int, int, int, int]
) -> NDArray[Any]:
    """The mask, and behind the keys that each batch has all hidden."""
    if lengths.shape != shape[:1]:
        raise _mismatch("nonpad_kv_seqlen", lengths.shape, "batches", shape[:1])
    if lengths.dtype.kind not in "iu" or not ((lengths >= 0) & (lengths <= shape[3])).all():
        raise UnusableValue(
            Bilingual(f"lengths {lengths.tolist()}", f"长度 {lengths.tolist()}"),
            Bilingual(f"they are integers from 0 to {shape[3]}", f"应为 0 到 {shape[3]} 的整数"),
        ).at(key="nonpad_kv_seqlen")
    there = np.arange(shape[3]) < lengths[:, None, None, None]
    if mask is None:
        return np.broadcast_to(there, shape)
    return mask & there if mask.dtype == np.bool_ else np.where(there, mask, -np.inf)


def _mismatch(one: str, first: tuple[int, ...], other: str, second: tuple[int, ...]) -> ShapeMismatch:
    return ShapeMismatch(
        Bilingual(f"{one} {first} does not fit {other} {second}", f"{one} {first} 与 {other} {second} 不匹配")
    )
