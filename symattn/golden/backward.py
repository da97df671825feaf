"""How far sound gradients may be off, and which mistakes that tells apart.

The standard model as in `tolerance.py`, for a backward pass that computes P again from the log-sum-exps,
takes D from the stored output or from dP, and rounds P and dS to the format (Dao et al. 2022, appendix B).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct

from symattn.golden.attention import Rounded
from symattn.golden.enclosures import scores
from symattn.golden.formats import Floats, Format
from symattn.golden.inputs import Head, Inputs
from symattn.golden.mistakes import MISTAKES, weights
from symattn.golden.tolerance import (
    SLACK,
    Model,
    Tolerance,
    allowed_output,
    log_tolerance,
    shown,
    tolerance,
    way,
)
from symattn.text.bilingual import Bilingual

NAMES = ("dq", "dk", "dv", "dsinks")
BY_D = ("dq", "dk", "dsinks")
Parts = tuple[Floats, Floats, Floats, Any]
"""dq (n, d), dk (m, d), dv (m, e) and of the sink, a number."""


class Pass(Struct, frozen=True):
    """A backward pass in floats, sound or with a mistake."""

    name: Bilingual
    from_output: bool = False
    """Whether D is dO . o, and not P . dP."""
    stored: bool = False
    """Whether o, P and dS are rounded to the format."""
    subtracts: bool = True
    scales: bool = True
    slopes: bool = True
    sums: bool = True
    """Whether dk and dv are sums over the heads of a group, and not of its last head."""
    negates: bool = True
    """Whether dsinks is -P D, and not P D."""
    moves: Sequence[str] = NAMES
    """Which gradients that is about."""

    def compute(self, head: Head, form: Format, kind: Any) -> Parts:
        """The gradients of one head."""
        assert head.grad is not None
        q, k, v, dO = (np.asarray(x, kind) for x in (head.q, head.k, head.v, head.grad))
        scale = kind(float(head.scale.ball()))
        x = q @ k.T * scale
        slope = kind(1)
        if head.softcap is not None:
            tangent = np.tanh(x / kind(head.softcap))
            x, slope = kind(head.softcap) * tangent, 1 - tangent * tangent
        rows = slice(0, len(q))
        bias = head.bias(rows)
        x = x if bias is None else x + bias.astype(kind)
        p = weights(np.where(head.visible(rows), x, kind(-np.inf)))
        dP = dO @ v.T

        def kept(y: Any) -> Any:
            return form.rounded(y.astype(np.float64)).astype(kind) if self.stored else y

        inner = dO * kept(p @ v) if self.from_output else p * dP
        D = inner.sum(axis=1, keepdims=True) if self.subtracts else kind(0)
        dX = kept(p * (dP - D) * (slope if self.slopes else kind(1)))
        factor = scale if self.scales else kind(1)
        of_sink = dX[:, -1].sum() * (1 if self.negates else -1) if head.sink else kind(0)
        return dX @ k * factor, dX.T @ q * factor, kept(p).T @ dO, of_sink


WAYS = (
    Pass(Bilingual("D from dP", "由 dP 求 D")),
    Pass(Bilingual("D from the output", "由输出求 D"), from_output=True),
    Pass(
        Bilingual("D from the output; o, P and dS rounded", "由输出求 D，o、P、dS 先舍入"),
        from_output=True,
        stored=True,
    ),
)
RIGHT = WAYS[0]
OWN: Sequence[tuple[Pass, Callable[[Inputs], bool]]] = (
    (Pass(Bilingual("D left out", "没有减 D"), subtracts=False, moves=NAMES[:2]), lambda x: True),
    (
        Pass(Bilingual("gradients without the scale", "梯度没有乘缩放因子"), scales=False, moves=NAMES[:2]),
        lambda x: x.scale.factor != 1 or x.scale.root != 1,
    ),
    (
        Pass(
            Bilingual("derivative of the softcap left out", "没有乘 softcap 的导数"),
            slopes=False,
            moves=NAMES[:2],
        ),
        lambda x: x.options.softcap is not None,
    ),
    (
        Pass(Bilingual("heads of a group not summed", "没有对一组的头求和"), sums=False, moves=NAMES[1:3]),
        lambda x: x.q.shape[1] > x.k.shape[1],
    ),
    (
        Pass(Bilingual("dsinks with the other sign", "dsinks 的符号相反"), negates=False, moves=NAMES[3:]),
        lambda x: x.sinks is not None,
    ),
)


def tolerances(inputs: Inputs, golden: Mapping[str, Rounded]) -> dict[str, Tolerance]:
    """The tolerances of all results, given correctly rounded. Raises OutOfBounds."""
    o = golden["o"]
    found = {"o": tolerance(inputs, o), "lse": log_tolerance(inputs, golden["lse"], o.format)}
    return found | gradient_tolerances(inputs, golden) if "dq" in golden else found


def gradient_errors(inputs: Inputs, form: Format) -> dict[str, Floats]:
    """How far each entry of the gradients may be off before it is rounded to a format."""
    with np.errstate(all="ignore"):
        return _gathered(inputs, inputs, lambda head: _errors(head, form, inputs))


def gradient_tolerances(inputs: Inputs, golden: Mapping[str, Rounded]) -> dict[str, Tolerance]:
    """The tolerances of the gradients, given correctly rounded."""
    form = golden["dq"].format
    kind: Any = np.float64 if form.precision == 53 else np.float32
    with np.errstate(all="ignore"):
        allowed = {
            name: x + form.ulp(np.abs(golden[name].values) + x) / 2
            for name, x in gradient_errors(inputs, form).items()
        }
        allowed = {name: np.where(np.isnan(x), np.inf, x) for name, x in allowed.items()}
        ways = [
            (each.name, _gathered(inputs, inputs, partial(each.compute, form=form, kind=kind)))
            for each in WAYS
        ]
        mistakes = _mistaken(inputs, form)
        return {
            name: Tolerance(
                allowed[name],
                [way(title, form.rounded(found[name]), golden[name], allowed[name]) for title, found in ways],
                [
                    shown(each.name, found[name], golden[name], allowed[name])
                    for each, found in mistakes
                    if name in found
                ],
            )
            for name in allowed
        }


def _mistaken(inputs: Inputs, form: Format) -> list[tuple[Any, dict[str, Floats]]]:
    """The mistakes that are other inputs of the same shapes, and those of the backward pass."""
    found: list[tuple[Any, dict[str, Floats]]] = []
    for each in MISTAKES:
        if each.change and each.possible(inputs):
            changed = each.change(inputs)
            if changed.k.shape == inputs.k.shape:
                table = _gathered(changed, inputs, partial(RIGHT.compute, form=form, kind=np.float64))
                moves = NAMES if each.of_logs else BY_D
                found.append((each, {name: table[name] for name in moves if name in table}))
    for one, possible in OWN:
        if possible(inputs):
            table = tables(inputs, one, form)
            found.append((one, {name: table[name] for name in one.moves}))
    return found


def tables(inputs: Inputs, by: Pass, form: Format) -> dict[str, Floats]:
    """The gradients by a backward pass in float64."""
    return _gathered(inputs, inputs, partial(by.compute, form=form, kind=np.float64), by.sums)


def _gathered(
    inputs: Inputs, given: Inputs, compute: Callable[[Head], Parts], sums: bool = True
) -> dict[str, Floats]:
    """The gradients of all heads in the layout that was given; groups are summed."""
    dq, dk, dv = (np.zeros(x.shape) for x in (given.q, given.k, given.v))
    of_sinks = np.zeros(given.q.shape[1])
    share, keys = given.q.shape[1] // given.k.shape[1], given.k.shape[2]
    for (batch, at), head in inputs:
        of_q, of_k, of_v, of_sink = compute(head)
        of_sinks[at] += of_sink
        dq[batch, at] = of_q
        for to, part in ((dk, of_k), (dv, of_v)):
            to[batch, at // share] = part[:keys] + (to[batch, at // share] if sums else 0.0)
    found = {"dq": dq, "dk": dk[:, :, given.past :], "dv": dv[:, :, given.past :]}
    found = {name: given.laid_out(x) for name, x in found.items()}
    return found if given.sinks is None else found | {"dsinks": of_sinks}


def _errors(head: Head, form: Format, inputs: Inputs) -> Parts:
    """How far the gradients of one head may be off before they are rounded."""
    assert head.grad is not None
    model = Model.of(form, inputs.format)
    u, half, tiny, least = model.u, model.half, model.tiny, model.least
    (n, _), (m, e) = head.q.shape, head.v.shape
    p, eta, stored_scale = model.weights(head)
    s = scores(head, slice(0, n))
    s, seen = np.where(np.isneginf(s), 0.0, s), ~np.isneginf(s)
    top = np.max(s, axis=1, keepdims=True, where=seen, initial=0.0)
    log = np.abs(top) + np.log(m)
    eta = eta + (p * eta).sum(axis=1, keepdims=True) + np.where(seen, 2 * u * (np.abs(s) + log) + 4 * u, 0.0)
    of_p = p * (np.expm1(eta) + half) + tiny * seen
    dO, q, k, v = (np.abs(x) for x in (head.grad, head.q, head.k, head.v))
    dP, of_dP = head.grad @ head.v.T, model.gamma(e + 8) * (dO @ v.T) + least * e
    D = (p * dP).sum(axis=1, keepdims=True)
    from_output = (
        dO * (allowed_output(head, form, inputs.format) + model.gamma(e + 8) * np.abs(p @ head.v))
    ).sum(axis=1, keepdims=True)
    from_dP = (of_p * np.abs(dP) + p * (of_dP + model.gamma(m + 8) * np.abs(dP))).sum(axis=1, keepdims=True)
    of_D = np.maximum(from_output + least * e, from_dP + least * m)
    scale = abs(float(head.scale.ball()))
    apart = np.abs(dP - D)
    error = of_p * apart + (p + of_p) * (of_dP + of_D)
    dX = p * apart
    if head.softcap is not None:
        x = head.q @ head.k.T * scale / head.softcap
        tangent = np.abs(np.tanh(x))
        off = (model.gamma(q.shape[1] + 16) + stored_scale) * scale * (q @ k.T) / head.softcap + 4 * u
        error = error * (1 - tangent**2 + 2 * off) + dX * (2 * tangent * off + off**2 + 2 * u)
        dX = dX * (1 - tangent**2)
    error = SLACK * error + (half + 4 * u) * dX + tiny * seen
    factor = scale * (1 + stored_scale)
    dq = factor * (error @ k + (model.gamma(m + 8) + stored_scale) * (dX @ k) + least * m) + 2 * least
    dk = factor * (error.T @ q + (model.gamma(n + 8) + stored_scale) * (dX.T @ q) + least * n) + 2 * least
    dv = of_p.T @ dO + model.gamma(n + 8) * (p.T @ dO) + least * (n + 1)
    if inputs.q.shape[1] > inputs.k.shape[1]:  # each head may be rounded before they are added
        group = inputs.q.shape[1] // inputs.k.shape[1]
        stored = half + model.gamma(group)
        dk, dv = dk + stored * factor * (dX.T @ q), dv + stored * (p.T @ dO)
    of_sink = (error + model.gamma(inputs.q.shape[0] * n + 8) * dX)[:, -1].sum() if head.sink else 0.0
    return SLACK * dq, SLACK * dk, SLACK * dv, SLACK * of_sink
