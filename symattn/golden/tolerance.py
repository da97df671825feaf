"""How far a sound implementation may be off, for each entry, and which mistakes that tells apart.

The bound is the standard model of rounding errors (Higham 2002, chapter 3) for kernels that add in float32
in any order, with an online softmax or none, and round P and the scale to the format (docs/golden.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from symattn.golden.attention import Rounded
from symattn.golden.compare import ulp_errors
from symattn.golden.enclosures import scores
from symattn.golden.formats import Floats, Format
from symattn.golden.inputs import Head, Inputs
from symattn.golden.mistakes import MISTAKES, all_scores, log_sum_exp, mean_of_values, weights
from symattn.golden.sound import WAYS, Sound
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds

MOST_SCORES = 1 << 24
"""Scores of one head."""
SLACK = 1.02
BLOCK = 16
"""The smallest block of an online softmax that the bound covers."""
NEARER = 0.5


class Way(Struct, frozen=True, eq=False):
    """A sound way of computing: its largest error in ulps, and as a part of what is allowed."""

    name: Bilingual
    ulps: float
    share: float


class Shown(Struct, frozen=True, eq=False):
    """A mistake: what it gives, how many entries it moves beyond what is allowed, and by how much at most."""

    name: Bilingual
    output: Floats
    beyond: int
    ulps: float


class Tolerance(Struct, frozen=True, eq=False):
    """The allowed error of each entry of o; what sound ways and mistakes are off on these inputs."""

    allowed: Floats
    ways: Sequence[Way]
    mistakes: Sequence[Shown]

    @property
    def hidden(self) -> list[Shown]:
        """The mistakes that these inputs do not show."""
        return [each for each in self.mistakes if not each.beyond]


def tolerance(inputs: Inputs, golden: Rounded) -> Tolerance:
    """The tolerance for o, given correctly rounded. Raises OutOfBounds."""
    _check_size(inputs)
    form = golden.format
    with np.errstate(all="ignore"):
        allowed = _outputs(inputs, inputs, lambda head: allowed_output(head, form, inputs.format))
        return Tolerance(
            allowed,
            [
                way(
                    each.name,
                    _outputs(inputs, inputs, _of_way(each, form, 0)),
                    golden,
                    allowed,
                )
                for each in WAYS
            ],
            [
                shown(each.name, _outputs(each.changed(inputs), inputs, each.compute), golden, allowed)
                for each in MISTAKES
                if each.possible(inputs)
            ],
        )


def log_tolerance(inputs: Inputs, golden: Rounded, form: Format) -> Tolerance:
    """The tolerance for the log-sum-exps, given correctly rounded, beside an output of a format."""
    _check_size(inputs)
    with np.errstate(all="ignore"):
        inner = _logs(inputs, inputs, lambda head: _allowed_log(head, form, inputs.format))
        size = np.where(np.isneginf(golden.values), 0.0, np.abs(golden.values))
        allowed = inner + golden.format.ulp(size + inner) / 2
        allowed = np.where(np.isnan(allowed), np.inf, allowed)
        wrong = [
            (each.name, _logs(each.changed(inputs), inputs, each.logs))
            for each in MISTAKES
            if each.of_logs and each.possible(inputs)
        ]
        wrong += [(name, _logs(inputs, inputs, compute)) for name, compute in OF_LOGS]
        return Tolerance(
            allowed,
            [
                way(
                    each.name,
                    _logs(inputs, inputs, _of_way(each, form, 1)),
                    golden,
                    allowed,
                )
                for each in WAYS
            ],
            [shown(name, x, golden, allowed) for name, x in wrong],
        )


def _check_size(inputs: Inputs) -> None:
    n, m = inputs.shape[2:]
    if n * m > MOST_SCORES:
        raise OutOfBounds(
            Bilingual(f"{n * m} scores in each head", f"每个头有 {n * m} 个得分"),
            Bilingual(f"a tolerance takes at most {MOST_SCORES}", f"计算容差时最多 {MOST_SCORES} 个"),
        )


def way(name: Bilingual, found: Floats, golden: Rounded, allowed: Floats) -> Way:
    """A sound way that gives these results."""
    share = np.abs(found - golden.values - golden.rest) / allowed
    return Way(name, float(ulp_errors(found, golden).max()), float(np.nan_to_num(share).max()))


def shown(name: Bilingual, found: Floats, golden: Rounded, allowed: Floats) -> Shown:
    """A mistake that gives these results; a kernel that has it may be off as much again: twice is beyond."""
    beyond = int(np.count_nonzero(np.abs(found - golden.values - golden.rest) > 2 * allowed))
    return Shown(name, found, beyond, float(ulp_errors(found, golden).max()))


def beyond(actual: Floats, golden: Rounded, found: Tolerance) -> int:
    """How many entries are further off than is allowed, or only in one of both finite."""
    with np.errstate(all="ignore"):
        within = np.abs(actual - golden.values - golden.rest) <= found.allowed
        same = (actual == golden.values) | (np.isnan(actual) & np.isnan(golden.values))
    return int(np.count_nonzero(~(within | same)))


def nearest_mistake(actual: Floats, golden: Rounded, found: Tolerance) -> Shown | None:
    """The mistake that reproduces an output best, if one leaves less than half of its error."""
    exact = golden.values + golden.rest
    with np.errstate(all="ignore"):
        error = float(np.linalg.norm(np.nan_to_num((actual - exact) / found.allowed)))
        left = [
            (float(np.linalg.norm(np.nan_to_num((actual - each.output) / found.allowed))), at)
            for at, each in enumerate(found.mistakes)
        ]
    best = min(left, default=(np.inf, 0))
    return found.mistakes[best[1]] if best[0] < NEARER * error else None


def _of_way(by: Sound, form: Format, part: int) -> Callable[[Head], Floats]:
    return lambda head: by.compute(head, form)[part]


def _outputs(inputs: Inputs, given: Inputs, compute: Callable[[Head], Floats]) -> Floats:
    """What is computed of each head, in the layout of the inputs that were given."""
    return given.laid_out(_of_heads(inputs, compute, given.v.shape[3]))


def _logs(inputs: Inputs, given: Inputs, compute: Callable[[Head], Floats]) -> Floats:
    return given.by_rows(_of_heads(inputs, compute, 1))


def _of_heads(inputs: Inputs, compute: Callable[[Head], Floats], width: int) -> Floats:
    found = np.zeros((*inputs.shape[:3], width))
    for (batch, at), head in inputs:
        found[batch, at] = compute(head)
    return found


class Model(Struct, frozen=True):
    """Rounding errors: u of one operation, half an ulp and the underflow of what is stored.

    `least` is the smallest normal number of sums: GPUs take smaller ones for 0.
    """

    u: float
    half: float
    tiny: float
    least: float

    @staticmethod
    def of(form: Format, of_inputs: Format) -> Model:
        """That of the narrower format."""
        narrow = min(form, of_inputs, key=lambda each: each.precision)
        if narrow.precision >= 24:
            least = 2.0**narrow.least
            return Model(2.0**-narrow.precision, 0.0, least, least)
        # tensor cores do not round to nearest
        least = 2.0**-126
        return Model(2.0**-23, 2.0**-narrow.precision, max(2.0 ** (narrow.step - 1), least), least)

    def gamma(self, count: int) -> float:
        """The relative error of so many operations."""
        return count * self.u / (1 - count * self.u)

    def weights(self, head: Head) -> tuple[Floats, Floats, float]:
        """P (n, m), the relative errors of e^s (n, m), and that of a scale that is stored."""
        rows = slice(0, len(head.q))
        p = weights(scores(head, rows))
        scale = float(head.scale.ball())
        products = abs(scale) * np.abs(head.q) @ np.abs(head.k).T
        bias = head.bias(rows)
        size = products if bias is None else products + np.abs(bias)
        gap = np.where(p > 0, np.log(p.max(axis=1, keepdims=True) / p), 0.0)
        stored_scale = 0.0 if abs(np.frexp(scale)[0]) == 0.5 else self.half
        eta = self.gamma(head.k.shape[1] + 16) * size + stored_scale * products
        eta += 3 * self.u * gap + 6 * self.u * (_blocks(head) + 2)
        return p, np.where(head.visible(rows), eta, 0.0), stored_scale


def _blocks(head: Head) -> int:
    return len(head.k) // BLOCK + 1


def allowed_output(head: Head, form: Format, of_inputs: Format) -> Floats:
    """How far o (n, e) of one head may be off."""
    model = Model.of(form, of_inputs)
    p, eta, _ = model.weights(head)
    v, o = np.abs(head.v), mean_of_values(p, head.v)
    condition = p @ v
    spread = np.maximum(p @ head.v**2 - o**2, 0) + 1e-14 * (p @ head.v**2)
    grown = p * np.expm1(eta)
    plain = grown @ v + np.abs(o) * grown.sum(axis=1, keepdims=True)
    both = (p * np.expm1(eta) ** 2).sum(axis=1, keepdims=True)
    left = 1 - (p * eta).sum(axis=1, keepdims=True)
    of_scores = np.where(left > 0, np.minimum(plain, np.sqrt(both * spread)) / left, np.inf)
    swell = SLACK * np.exp(2 * eta.max(axis=1, keepdims=True))
    of_sums = swell * (2 * model.gamma(len(v) + _blocks(head) + 8) * condition)
    of_sums += swell * (model.tiny * (head.visible(slice(0, len(head.q))) @ v) + model.least * (len(v) + 1))
    around = np.maximum(condition, np.minimum(condition + np.abs(o), np.sqrt(spread)))
    inner = SLACK * of_scores + swell * model.half * around + of_sums
    found = inner + form.ulp(np.abs(o) + inner) / 2
    return np.where(np.isnan(found), np.inf, found)


def _allowed_log(head: Head, form: Format, of_inputs: Format) -> Floats:
    """How far the log-sum-exps (n, 1) of one head may be off before they are rounded."""
    model = Model.of(form, of_inputs)
    p, eta, _ = model.weights(head)
    s = all_scores(head)
    top = np.abs(np.where(np.isneginf(s.max(axis=1)), 0.0, s.max(axis=1)))[:, None]
    of_sum = SLACK * (
        (p * np.expm1(eta)).sum(axis=1, keepdims=True) + model.gamma(len(head.v) + _blocks(head) + 8)
    )
    found: Floats = of_sum + 4 * model.u * (top + np.log(len(head.k)))
    return found


OF_LOGS: Sequence[tuple[Bilingual, Callable[[Head], Floats]]] = (
    (
        Bilingual("log-sum-exp in base 2", "log-sum-exp 以 2 为底"),
        lambda head: log_sum_exp(all_scores(head)) / np.log(2),
    ),
    (
        Bilingual("largest score not added again", "没有加回最大的得分"),
        lambda head: log_sum_exp(all_scores(head)) - all_scores(head).max(axis=1, keepdims=True),
    ),
)
"""Mistakes of log-sum-exps alone."""
