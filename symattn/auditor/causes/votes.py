"""What the numbers of a document say about how its author calculates."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.auditor.judging.judge import Judged
from symattn.auditor.judging.rules import contains, holds_truncated
from symattn.auditor.numeral import Numeral
from symattn.auditor.report import Judgement
from symattn.exact.number import Exact

FEWEST = 6
"""Among how many numbers a single one tells anything."""


def worked(judged: Judged) -> Sequence[Judgement]:
    """The numbers that were worked out, each by its first print."""
    lines = judged.evaluations.baseline.lines
    return [each for each in judged.judgements if each.printed.first is None and each.printed.name in lines]


def tell(slips: Sequence[Judgement], judged: Judged) -> bool:
    """Whether slips may tell how an author calculates: a single one among few numbers does not."""
    return len(slips) > 1 or (len(slips) == 1 and len(worked(judged)) >= FEWEST)


def votes(before: Judged, after: Judged) -> int:
    """How many more numbers print only what the steps `after` a supposition give than only what others do."""
    found = 0
    for each in worked(before):
        number = each.printed
        exactly = before.evaluations.settled[number.name].local.seen[number.row, number.col]
        supposed = after.evaluations.settled[number.name].local.seen[number.row, number.col]
        if each.exact is not None and supposed != exactly:
            right = any(_prints(number.numeral, value) for value in (each.exact, exactly))
            found += _prints(number.numeral, supposed) - right
    return found


def _prints(numeral: Numeral, value: Exact) -> bool:
    """Whether a value rounds to the printed number, or is cut off to it."""
    return contains(*numeral.nearest(), value) or holds_truncated(numeral, value)
