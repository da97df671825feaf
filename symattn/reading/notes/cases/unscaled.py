"""Rows that a document works out from the scores as they are, before it scales the same scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from symattn.bilingual import Bilingual
from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.linking.closeness import near
from symattn.reading.notes.linking.ledger import Print, value

OTHERWISE = Bilingual(
    "it follows without the scale, which stands only further on", "它不经缩放得出，而缩放在后文才出现"
)
_BEHIND_SCORES = ("exp", "sum", "A", "Z")


def unscaled(prints: Sequence[Print], scale: str) -> list[Print]:
    """The prints of such rows, in a walk whose scale is another one: an author who forgot it prints no more.

    Their weights are the softmax of the printed scores, and not of the scaled ones, which come after them.
    """
    if scale == "1":
        return []
    rows = sorted({made.row for made in prints if made.name == "A"})
    return [made for row in rows for made in _early([each for each in prints if each.row == row])]


def _early(prints: Sequence[Print]) -> list[Print]:
    """What the prints of a row go on with before its scaled scores, again wherever it is printed again."""
    first = min((made.num.start for made in prints if made.name == "scaled"), default=-1)
    early = [made for made in prints if made.name in _BEHIND_SCORES and made.num.start < first]
    weights = _by_column(early, "A")
    if len(weights) < 2 or not _follow(weights, _by_column(prints, "scores")):
        return []
    if _follow(weights, _by_column(prints, "scaled")):
        return []
    told = {(made.name, made.col, value(made.num)) for made in early}
    return [made for made in prints if (made.name, made.col, value(made.num)) in told]


def _by_column(prints: Sequence[Print], name: str) -> dict[int, Num]:
    """The first print of each entry of a row."""
    return {made.col: made.num for made in reversed(prints) if made.name == name}


def _follow(weights: Mapping[int, Num], scores: Mapping[int, Num]) -> bool:
    """Whether the weights are the softmax of these scores."""
    known = {col: value(num) for col, num in scores.items()}
    if known.keys() != weights.keys() or None in known.values():
        return False
    numbers = {col: float(q) for col, q in known.items() if q is not None}
    top = max(numbers.values())
    powers = {col: math.exp(x - top) for col, x in numbers.items()}
    return all(near(num, powers[col] / sum(powers.values())) for col, num in weights.items())
