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
from symattn.golden.inputs import Head, Inputs, Scale
from symattn.text.bilingual import Bilingual

BLOCK = 64
"""Keys of a block."""


class Mistake(Struct, frozen=True):
    """What is done in place of the right thing; `possible` where the options of the inputs have it."""

    name: Bilingual
    possible: Callable[[Inputs], bool]
    output: Callable[[Inputs, int, int], Floats]


def weights(s: Floats, axis: int = 1) -> Floats:
    """softmax(s), 0 where all scores are -inf."""
    top = s.max(axis=axis, keepdims=True)
    found = np.exp(s - np.where(np.isneginf(top), 0.0, top))
    total = found.sum(axis=axis, keepdims=True)
    return found / np.where(total > 0, total, 1.0)


def mean_of_values(p: Floats, v: Floats) -> Floats:
    """P V."""
    return p @ v


def output(head: Head) -> Floats:
    """o in float64."""
    return weights(_all(head)) @ head.v


def _all(head: Head) -> Floats:
    return scores(head, slice(0, len(head.q)))


def _changed(change: Callable[[Inputs, Head], Head]) -> Callable[[Inputs, int, int], Floats]:
    """The output of a head of which something is changed."""
    return lambda inputs, batch, head: output(change(inputs, inputs.head(batch, head)))


def _after_softmax(inputs: Inputs, batch: int, at: int) -> Floats:
    head = inputs.head(batch, at)
    right, added = replace(head, mask=head.visible(slice(0, len(head.q)))), head.bias(slice(0, len(head.q)))
    return (weights(_all(right)) + (0.0 if added is None else added)) @ head.v


def _softcap_after_mask(inputs: Inputs, batch: int, at: int) -> Floats:
    head = inputs.head(batch, at)
    assert head.softcap is not None
    return weights(np.maximum(_all(head), -head.softcap)) @ head.v


def _of_other_keys(inputs: Inputs, batch: int, at: int) -> Floats:
    own, groups = inputs.head(batch, at), inputs.k.shape[1]
    return output(replace(own, k=inputs.k[batch, at % groups], v=inputs.v[batch, at % groups]))


def _of_other_values(inputs: Inputs, batch: int, at: int) -> Floats:
    own, groups = inputs.head(batch, at), inputs.k.shape[1]
    group = at // (inputs.q.shape[1] // groups)
    return output(replace(own, v=inputs.v[batch, (group + 1) % groups]))


def _without_last_block(inputs: Inputs, head: Head) -> Head:
    kept = np.arange(len(head.k)) < len(head.k) // BLOCK * BLOCK
    bias = head.bias(slice(0, len(head.q)))
    seen = head.visible(slice(0, len(head.q))) & kept
    return replace(head, causal=False, mask=np.where(seen, 0.0 if bias is None else bias, -np.inf))


def _adds(inputs: Inputs) -> bool:
    """Whether the mask adds numbers."""
    mask = inputs.mask
    return mask is not None and mask.dtype != np.bool_ and bool(np.where(mask > -np.inf, mask, 0.0).any())


def _always(inputs: Inputs) -> bool:
    return True


def _scaled(scale: Callable[[Inputs], Scale]) -> Callable[[Inputs, int, int], Floats]:
    return _changed(lambda inputs, head: replace(head, scale=scale(inputs)))


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
        _changed(lambda inputs, head: replace(head, k=head.k.reshape(head.k.shape[::-1]).T)),
    ),
    Mistake(
        Bilingual("softmax over queries", "softmax 沿查询方向"),
        _always,
        lambda x, batch, at: weights(_all(x.head(batch, at)), axis=0) @ x.head(batch, at).v,
    ),
    Mistake(
        Bilingual("base 2 without log2 e", "以 2 为底而没有乘 log2 e"),
        _always,
        lambda x, batch, at: weights(_all(x.head(batch, at)) * math.log(2)) @ x.head(batch, at).v,
    ),
    Mistake(
        Bilingual("causal mask left out", "没有因果掩码"),
        lambda x: x.options.causal,
        _changed(lambda inputs, head: replace(head, causal=False)),
    ),
    Mistake(
        Bilingual("causal mask: one key too many", "因果掩码多看一个键"),
        lambda x: x.options.causal,
        _changed(lambda inputs, head: replace(head, past=head.past + 1)),
    ),
    Mistake(
        Bilingual("causal mask: one key too few", "因果掩码少看一个键"),
        lambda x: x.options.causal,
        _changed(lambda inputs, head: replace(head, past=head.past - 1)),
    ),
    Mistake(
        Bilingual("causal mask aligned at the bottom right", "因果掩码按右下角对齐"),
        lambda x: x.options.causal and x.shape[3] - x.shape[2] != x.past,
        _changed(lambda inputs, head: replace(head, past=len(head.k) - len(head.q))),
    ),
    Mistake(
        Bilingual("mask left out", "没有掩码"),
        lambda x: x.mask is not None,
        _changed(lambda inputs, head: replace(head, mask=None)),
    ),
    Mistake(Bilingual("mask added after the softmax", "在 softmax 之后才加掩码"), _adds, _after_softmax),
    Mistake(
        Bilingual("softcap left out", "没有 softcap"),
        lambda x: x.options.softcap is not None,
        _changed(lambda inputs, head: replace(head, softcap=None)),
    ),
    Mistake(
        Bilingual("softcap after the mask", "先加掩码再做 softcap"),
        lambda x: x.options.softcap is not None and (x.options.causal or x.mask is not None),
        _softcap_after_mask,
    ),
    Mistake(
        Bilingual("query heads mapped to keys in turn", "查询头依次轮流对应键的头"),
        lambda x: 1 < x.k.shape[1] < x.q.shape[1],
        _of_other_keys,
    ),
    Mistake(
        Bilingual("values of the next head", "用了下一个头的值"), lambda x: x.k.shape[1] > 1, _of_other_values
    ),
    Mistake(
        Bilingual("last block of 64 keys dropped", "丢掉最后一块（每块 64 个键）"),
        lambda x: x.shape[3] > BLOCK and x.shape[3] % BLOCK > 0,
        _changed(_without_last_block),
    ),
)
"""The catalogue, each with what options it needs."""
