"""Mistakes of implementations of attention, and the outputs that they give (in float64)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from symattn.golden.enclosures import scores
from symattn.golden.formats import Floats
from symattn.golden.inputs import Head, Inputs
from symattn.golden.options import Scale
from symattn.text.bilingual import Bilingual

BLOCK = 64
"""Keys of a block."""


class Mistake(Struct, frozen=True):
    """What is done in place of the right thing; `possible` where the options of the inputs have it.

    Either the inputs are taken for others, or the scores (n, m) or the output of a head are.
    """

    name: Bilingual
    possible: Callable[[Inputs], bool]
    change: Callable[[Inputs], Inputs] | None = None
    scores: Callable[[Head], Floats] | None = None
    output: Callable[[Head], Floats] | None = None
    of_logs: bool = True
    """Whether the log-sum-exps are wrong too, and dv."""

    def changed(self, inputs: Inputs) -> Inputs:
        """What the inputs are taken for."""
        return self.change(inputs) if self.change else inputs

    def compute(self, head: Head) -> Floats:
        """o (n, e) in float64."""
        return self.output(head) if self.output else weights(self._scores(head)) @ head.v

    def logs(self, head: Head) -> Floats:
        """The log-sum-exps (n, 1) in float64."""
        return log_sum_exp(self._scores(head))

    def _scores(self, head: Head) -> Floats:
        return self.scores(head) if self.scores else all_scores(head)


def weights(s: Floats, axis: int = 1) -> Floats:
    """softmax(s), 0 where all scores are -inf."""
    top = s.max(axis=axis, keepdims=True)
    found = np.exp(s - np.where(np.isneginf(top), 0.0, top))
    total = found.sum(axis=axis, keepdims=True)
    return found / np.where(total > 0, total, 1.0)


def mean_of_values(p: Floats, v: Floats) -> Floats:
    """P V."""
    return p @ v


def log_sum_exp(s: Floats) -> Floats:
    """log of the sum of e^s along rows, -inf where all scores are."""
    top = s.max(axis=1, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    found: Floats = top + np.log(np.exp(s - top).sum(axis=1, keepdims=True))
    return found


def all_scores(head: Head) -> Floats:
    """The scores (n, m) in float64, -inf for hidden keys."""
    return scores(head, slice(0, len(head.q)))


def _after_softmax(head: Head) -> Floats:
    s, added = all_scores(head), _added(head)
    return (weights(np.where(np.isneginf(s), s, s - added)) + added) @ head.v


def _added(head: Head) -> Floats:
    """What the mask adds, without the sink."""
    bias = head.bias(slice(0, len(head.q)))
    added = np.zeros((len(head.q), len(head.k))) if bias is None else np.array(bias)
    added[:, head.keys :] = 0.0
    return added


def _softcap_after_mask(head: Head) -> Floats:
    assert head.softcap is not None
    s = all_scores(head)
    s[:, : head.keys] = np.maximum(s[:, : head.keys], -head.softcap)
    return s


def _without_last_block(head: Head) -> Floats:
    s = all_scores(head)
    s[:, head.keys // BLOCK * BLOCK : head.keys] = -np.inf
    return s


def _reshaped(inputs: Inputs) -> Inputs:
    return replace(
        inputs, k=np.swapaxes(inputs.k.reshape((*inputs.k.shape[:2], *inputs.k.shape[:1:-1])), 2, 3)
    )


def _in_turn(inputs: Inputs) -> Inputs:
    """Query head h has the keys h mod g of g; repeated, so that each has keys of its own."""
    order = np.arange(inputs.q.shape[1]) % inputs.k.shape[1]
    return replace(inputs, k=inputs.k[:, order], v=inputs.v[:, order])


def _option(**changed: object) -> Callable[[Inputs], Inputs]:
    return lambda inputs: replace(inputs, options=replace(inputs.options, **changed))


def _moved(keys: int) -> Callable[[Inputs], Inputs]:
    """A causal mask that ends so many keys later, and a window that begins where it should."""

    def change(inputs: Inputs) -> Inputs:
        moved = replace(inputs, past=inputs.past + keys)
        return moved if inputs.options.window is None else _wider(keys)(moved)

    return change


def _wider(keys: int) -> Callable[[Inputs], Inputs]:
    return lambda inputs: _option(window=(inputs.options.window or 0) + keys)(inputs)


def _windowed(inputs: Inputs) -> bool:
    return inputs.options.window is not None


def _adds(inputs: Inputs) -> bool:
    """Whether the mask adds numbers."""
    mask = inputs.mask
    return mask is not None and mask.dtype != np.bool_ and bool(np.where(mask > -np.inf, mask, 0.0).any())


def _always(inputs: Inputs) -> bool:
    return True


def _scaled(scale: Callable[[Inputs], Scale]) -> Callable[[Inputs], Inputs]:
    return lambda inputs: replace(inputs, scale=scale(inputs))


MISTAKES = (
    Mistake(
        Bilingual("no scale", "没有缩放"),
        lambda x: x.scale != Scale(Fraction(1)),
        _scaled(lambda x: Scale(Fraction(1))),
    ),
    Mistake(
        Bilingual("1/d for 1/√d", "把 1/√d 写成 1/d"),
        lambda x: x.scale == Scale.usual(x.q.shape[3]),
        _scaled(lambda x: Scale(Fraction(1, x.q.shape[3]))),
    ),
    Mistake(
        Bilingual("d_model for d", "把 d 写成 d_model"),
        lambda x: x.q.shape[1] > 1 and x.scale == Scale.usual(x.q.shape[3]),
        _scaled(lambda x: Scale.usual(x.q.shape[1] * x.q.shape[3])),
    ),
    Mistake(
        Bilingual("K reshaped, not transposed", "K 只是改变形状，没有转置"),
        lambda x: min(x.k.shape[2:]) > 1,
        _reshaped,
    ),
    Mistake(
        Bilingual("softmax over queries", "softmax 沿查询方向"),
        _always,
        output=lambda head: weights(all_scores(head), axis=0) @ head.v,
        of_logs=False,
    ),
    Mistake(
        Bilingual("base 2 without log2 e", "以 2 为底而没有乘 log2 e"),
        _always,
        scores=lambda head: all_scores(head) * math.log(2),
    ),
    Mistake(
        Bilingual("causal mask left out", "没有因果掩码"),
        lambda x: x.options.causal,
        _option(causal=False),
    ),
    Mistake(
        Bilingual("causal mask: one key too many", "因果掩码多看一个键"),
        lambda x: x.options.causal,
        _moved(1),
    ),
    Mistake(
        Bilingual("causal mask: one key too few", "因果掩码少看一个键"),
        lambda x: x.options.causal,
        _moved(-1),
    ),
    Mistake(
        Bilingual("causal mask aligned at the bottom right", "因果掩码按右下角对齐"),
        lambda x: x.options.causal and x.shape[3] - x.shape[2] != x.past,
        lambda x: replace(x, past=x.shape[3] - x.shape[2]),
    ),
    Mistake(Bilingual("window left out", "没有窗口"), _windowed, _option(window=None)),
    Mistake(Bilingual("window: one key too many", "窗口多看一个键"), _windowed, _wider(1)),
    Mistake(Bilingual("window: one key too few", "窗口少看一个键"), _windowed, _wider(-1)),
    Mistake(
        Bilingual("mask left out", "没有掩码"),
        lambda x: x.mask is not None,
        lambda x: replace(x, mask=None),
    ),
    Mistake(
        Bilingual("mask added after the softmax", "在 softmax 之后才加掩码"),
        _adds,
        output=_after_softmax,
        of_logs=False,
    ),
    Mistake(
        Bilingual("softcap left out", "没有 softcap"),
        lambda x: x.options.softcap is not None,
        _option(softcap=None),
    ),
    Mistake(
        Bilingual("softcap after the mask", "先加掩码再做 softcap"),
        lambda x: x.options.softcap is not None and (x.options.causal or x.mask is not None),
        scores=_softcap_after_mask,
    ),
    Mistake(
        Bilingual("sink left out", "没有 sink"),
        lambda x: x.sinks is not None,
        lambda x: replace(x, sinks=None),
    ),
    Mistake(
        Bilingual("sink multiplied by the scale", "sink 也乘了缩放因子"),
        lambda x: x.sinks is not None and x.scale != Scale(Fraction(1)),
        lambda x: replace(x, sinks=None if x.sinks is None else x.sinks * float(x.scale.ball())),
    ),
    Mistake(
        Bilingual("query heads mapped to keys in turn", "查询头依次轮流对应键的头"),
        lambda x: 1 < x.k.shape[1] < x.q.shape[1],
        _in_turn,
    ),
    Mistake(
        Bilingual("values of the next head", "用了下一个头的值"),
        lambda x: x.k.shape[1] > 1,
        lambda x: replace(x, v=np.roll(x.v, -1, axis=1)),
        of_logs=False,
    ),
    Mistake(
        Bilingual("last block of 64 keys dropped", "丢掉最后一块（每块 64 个键）"),
        lambda x: x.shape[3] > BLOCK and x.shape[3] % BLOCK > 0,
        scores=_without_last_block,
    ),
)
"""The catalogue, each with what options it needs."""
