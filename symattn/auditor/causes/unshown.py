"""Steps that are not shown: who rounds every step to two decimals rounded these as well."""

from __future__ import annotations

from dataclasses import replace

from symattn.auditor.judging.ground import Ground
from symattn.auditor.judging.judge import Judged, judge
from symattn.auditor.report import Judgement

TELLING = frozenset({"SA201", "SA202"})
"""The findings on numbers that nothing but the walk speaks against."""


def with_rounded_steps(judged: Judged) -> Judged:
    """The judgements by steps that were rounded and not shown, where that explains most slips behind them.

    They were rounded to as many decimals as the quantity that is printed with fewest.
    """
    ground = judged.walks.ground
    slips = [each for each in judged.judgements if each.verdict == "slip"]
    doubtful = [each for each in slips if each.code in TELLING and _follows(each, ground)]
    places: dict[str, int] = {}
    for number in ground.printed:
        if number.name in ground.lines and not number.numeral.closed:
            places[number.name] = max(places.get(number.name, 0), number.numeral.places)
    kept = min(filter(None, places.values()), default=0)
    if not doubtful or not kept:
        return judged
    again = judge(ground, replace(judged.walks.supposed, held=kept))
    explained = judged.slips - again.slips
    return again if 2 * explained >= len(doubtful) else judged


def _follows(slip: Judgement, ground: Ground) -> bool:
    """Whether a number is a step from something that is not shown."""
    _, row, col, _ = slip.printed.at
    used = (each for line in ground.routes(slip.printed.name) for each in ground.used(line, row, col))
    return any(name in ground.lines and (i, j) not in ground.cells.get(name, {}) for name, i, j in used)
