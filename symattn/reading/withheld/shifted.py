"""Projections that are off by the same numbers in every row: by a bias that was not read."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.auditor.report import WRONG, Judgement, Report
from symattn.exact.enclosure import HasSymbols
from symattn.floats import to_float
from symattn.plan import base_name

BIASES = {"Q": "b_Q", "K": "b_K", "V": "b_V"}
FEWEST = 2
"""How many numbers beyond one for each feature it takes: one may be as far off as another by chance."""


def shifted(report: Report) -> frozenset[str]:
    """The projections without a bias, most of whose numbers are wrong, with one distance for each feature.

    Who slips does not slip by the same in every row. A bias that is given and was forgotten is a slip.
    """
    features: dict[str, dict[int, list[Judgement]]] = {}
    across = report.case.settings.tokens_as == "columns"
    for judged in report.judgements:
        printed = judged.printed
        if judged.cause is not None and judged.cause.certain:
            continue
        bias = BIASES.get(base_name(printed.name))
        if printed.first is None and bias is not None and bias not in report.case.given:
            feature = printed.row if across else printed.col
            features.setdefault(printed.name, {}).setdefault(feature, []).append(judged)
    return frozenset(name for name, each in features.items() if _is_off(list(each.values())))


def _is_off(features: Sequence[Sequence[Judgement]]) -> bool:
    numbers = [judged for feature in features for judged in feature]
    wrong = sum(judged.verdict in WRONG for judged in numbers)
    told = len(numbers) - len(features) >= FEWEST
    return told and 2 * wrong > len(numbers) and all(map(_is_shifted, features))


def _is_shifted(feature: Sequence[Judgement]) -> bool:
    """Whether all numbers of a feature are as far from what they should be, as far as their digits tell."""
    distances = [distance for judged in feature if (distance := _distance(judged)) is not None]
    unit = 10.0 ** -max(judged.printed.numeral.places for judged in feature)
    return len(distances) == len(feature) > 1 and max(distances) - min(distances) <= 1.01 * unit


def _distance(judged: Judgement) -> float | None:
    """How far a printed number is above the exact one; None where that is not known."""
    if judged.exact is None:
        return None
    try:
        return float(judged.printed.numeral.value) - to_float(judged.exact)
    except HasSymbols:
        return None
