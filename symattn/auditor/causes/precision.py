"""Numbers that a program with 32 bits printed with more digits than it has."""

from __future__ import annotations

from dataclasses import replace

from symattn.auditor.causes.votes import tell
from symattn.auditor.judging.judge import GivenUp, Judged, MoreSlips, judge
from symattn.auditor.judging.rules import FEWEST_STEPS


def with_single_precision(judged: Judged) -> Judged:
    """The judgements by steps in single precision, where numbers are printed so finely that it shows.

    It has to leave fewer slips.
    """
    fine = any(
        not numeral.exact and not numeral.closed and abs(numeral.value) >= numeral.unit * FEWEST_STEPS
        for numeral in (number.numeral for number in judged.walks.ground.printed)
    )
    slips = [each for each in judged.judgements if each.verdict == "slip" and each.printed.first is None]
    if not fine or not tell(slips, judged):
        return judged
    supposed = replace(judged.walks.supposed, single=True)
    try:
        return judge(judged.walks.ground, supposed, MoreSlips(judged.slips - 1))
    except GivenUp:
        return judged
