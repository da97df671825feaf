"""Attention weights behind printed scores: wrong where the softmax of the scores under no scale is them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from symattn.notes.grammar.syntax import Node
from symattn.notes.hypotheses.gate import SHARE
from symattn.notes.interpreter import values
from symattn.notes.interpreter.interpreter import Interpreter
from symattn.notes.interpreter.match import LIVE, ROUNDING, UNDECIDED, Match, Statuses, match
from symattn.notes.interpreter.prints import SOURCES, Printed
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.interpreter.usual import EXPONENTIALS, SUMS
from symattn.notes.interpreter.values import Value

WIDTHS: Final = (1, 2, 3, 4, 5, 6, 8, 9, 16, 32, 64, 96, 100, 128, 256, 512, 768)
UNROOTED: Final = (2, 3, 4, 8)
RECENT: Final = 12
NO_SCORES: Final = frozenset((*SOURCES, *EXPONENTIALS, *SUMS))
MOST_KEYS: Final = 16
SOFTMAX_WITHIN, SCORES_WITHIN = 60, 8
GRID = np.geomspace(0.02, 10, 500)
NEAREST: Final = 6

Spoken = Mapping[str, Collection[int]]
"""The lines that speak of a softmax, and of scores (`s`)."""


def weigh(interpreter: Interpreter, prints: Sequence[Printed], spoken: Spoken) -> None:
    """Judges weights by the nearest scores of their shape, where the text between them speaks of softmax."""
    for place, target in enumerate(prints):
        node = target.node
        sized = 1 <= len(node.shape) <= 2 and 2 <= node.shape[-1] <= MOST_KEYS and len(node.tokens) > 2
        if not sized or _explained(interpreter, node) or not _weights(target):
            continue
        recent = reversed(prints[max(0, place - RECENT) : place])
        scores = next((p for p in recent if _fits(p.node, node) and p.base not in NO_SCORES), None)
        if scores is None or _weights(scores) or not _spoken(spoken, scores, target):
            continue
        if len(set(scores.value.mid[np.isfinite(scores.value.mid)].ravel())) > 1:
            _judge(interpreter, scores, target)


def _explained(interpreter: Interpreter, node: Node) -> bool:
    """Whether a formula makes most of a literal right already."""
    claims = [interpreter.claims.get(t, ()) for t in node.tokens]
    right = sum(any(c.status >= ROUNDING and _explains(c.reading) for c in of_it) for of_it in claims)
    return 2 * right > len(claims) or any(c.reading.rank >= Rank.WORKING for of_it in claims for c in of_it)


def _explains(reading: Reading) -> bool:
    """A formula that stands there, or a step that makes all of a literal right."""
    return reading.rank >= Rank.DEFINED or (reading.rank > Rank.COPIED and not reading.found.wrong)


def _fits(scores: Node, weights: Node) -> bool:
    """Of one shape, or the weights are those of the first tokens, whose labels are the same."""
    if scores.shape == weights.shape:
        return True
    several = len(scores.shape) == len(weights.shape) == 2 and scores.shape[1] == weights.shape[1]
    first = bool(weights.labels) and scores.labels[: len(weights.labels)] == weights.labels
    return several and scores.shape[0] > weights.shape[0] and first


def _weights(printed: Printed) -> bool:
    """Numbers between 0 and 1, with decimals, every row of which sums to 1 as far as the last place goes."""
    mid, unit = printed.value.mid, max(t.unit for t in printed.node.tokens)
    if not 0 < unit < 0.1 or not np.all((mid >= 0) & (mid <= 1)):
        return False
    return bool(np.all(np.abs(mid.sum(axis=-1) - 1) <= unit * (mid.shape[-1] / 2 + 0.5) + 1e-9))


def _spoken(spoken: Spoken, scores: Printed, target: Printed) -> bool:
    """Whether the text calls scores by that word near them, and speaks of softmax before the weights."""
    first, last = scores.last_line, target.first_line
    softmax = last - first < SOFTMAX_WITHIN and any(first <= line <= last for line in spoken["softmax"])
    product = "q" in scores.name and "k" in scores.name
    return softmax and (
        product or any(scores.first_line - SCORES_WITHIN <= line <= last for line in spoken["s"])
    )


def _masked(scores: Printed, target: Printed) -> Value:
    """The scores, those right of the diagonal masked where all weights there are 0.

    Of more rows than the weights have, the first.
    """
    value, shape = scores.value, target.node.shape
    if value.shape != shape:
        value = values.rows(value, shape[0])
    if len(shape) < 2 or shape[0] != shape[1]:
        return value
    hidden = np.triu(np.ones(shape, bool), 1)
    return values.causal(value) if np.all(target.value.mid[hidden] == 0) else value


def _judge(interpreter: Interpreter, scores: Printed, target: Printed) -> None:
    """One temperature for the whole matrix: it makes most of it right, or none does.

    Then what no usual one makes right is wrong.
    """
    shown, name = _masked(scores, target), target.name or "weights"
    sizes = [*WIDTHS, *interpreter.env.sizes()]
    usual = sorted({1.0, *(1 / math.sqrt(n) for n in sizes), *(1 / n for n in UNROOTED)})
    tried = [
        (factor, found)
        for factor in [*usual, *_nearest(target, shown)]
        if (found := _at(target, shown, factor))
    ]
    _factor, found = max(tried, key=lambda t: (t[1].score, t[0] == 1.0))
    why = f"softmax of the scores on line {scores.first_line}"
    if found.informative and found.matched >= SHARE * found.informative:
        for other, live in tried:
            if live.score > found.score - LIVE:
                interpreter.claim(Reading(Rank.STEP, target.node, live, name, f"{why} times {other:.3g}"))
        return
    right = np.any([_rows_right(m.status, f == 1.0) for f, m in tried if f in usual], axis=0)
    plain = next(m for f, m in tried if f == 1.0)
    status = np.where(right, UNDECIDED, plain.status)
    judged = replace(plain, status=status)
    interpreter.claim(Reading(Rank.OUTRIGHT, target.node, judged, name, why, (), True))


def _at(target: Printed, scores: Value, factor: float) -> Match | None:
    """The weights against the softmax of the scores times a factor."""
    return match(target.node, values.softmax(scores if factor == 1.0 else _times(scores, factor)))


def _times(scores: Value, factor: float) -> Value:
    """Scores times one of the usual factors, as a division where it is one by a whole number or its root."""
    for rooted in (True, False):
        number = 1 / factor**2 if rooted else 1 / factor
        if abs(number - round(number)) < 1e-9:
            whole = values.constant(round(number))
            divided = values.over(scores, values.root(whole) or whole if rooted else whole)
            if divided is not None:
                return divided
    return values.times(scores, values.constant(factor))


def _rows_right(status: Statuses, plain: bool) -> NDArray[np.bool_]:
    """Where weights are right; under a scale that nothing says, in rows that are mostly right."""
    right = status >= ROUNDING
    return right if plain else right & (2 * right.sum(axis=-1, keepdims=True) > right.shape[-1])


def _nearest(target: Printed, shown: Value) -> list[float]:
    """The factors, of many, that come closest to all the weights at once."""
    scores = shown.mid[None] * GRID.reshape(-1, *([1] * shown.mid.ndim))
    raised = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    gap = np.abs(raised / raised.sum(axis=-1, keepdims=True) - target.value.mid)
    near = (gap <= np.maximum(target.node.units(), 1e-4)).reshape(len(GRID), -1).sum(axis=1)
    return [float(GRID[i]) for i in np.argsort(-near, kind="stable")[:NEAREST]]
