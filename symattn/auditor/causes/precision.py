"""Numbers that a program with 32 bits printed with more digits than it has."""

from __future__ import annotations

from flint import fmpq
from msgspec.structs import replace

from symattn.auditor.causes.votes import tell
from symattn.auditor.judging.judge import GivenUp, Judged, MoreSlips, judge
from symattn.auditor.judging.rules import FEWEST_STEPS
from symattn.auditor.report import Judgement


def with_single_precision(judged: Judged) -> Judged:
    """The judgements by steps in single precision, where slips are printed so finely that it shows.

    It has to explain some of these.
    """
    slips = [each for each in judged.judgements if each.verdict == "slip" and each.printed.first is None]
    fine = [each.printed.index for each in slips if _is_fine(each)]
    if not fine or not tell(slips, judged):
        return judged
    supposed = replace(judged.evaluations.supposed, single=True)
    try:
        again = judge(judged.evaluations.baseline, supposed, MoreSlips(judged.slips - 1))
    except GivenUp:
        return judged
    return again if any(again.judgements[index].verdict != "slip" for index in fine) else judged


def _is_fine(judged: Judgement) -> bool:
    """Whether a number has more digits than 32 bits hold for sure, or what it was made of has."""
    numeral = judged.printed.numeral
    size = max(abs(numeral.value), fmpq(1, 4))
    return not (numeral.exact or numeral.closed) and size >= numeral.unit * FEWEST_STEPS
