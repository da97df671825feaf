"""Convention inference: the one number of a matrix that keeps another convention than all the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flint import fmpq
from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.rules import contains, shortened_by
from symattn.auditor.judging.settled import Evaluated
from symattn.auditor.report import Judgement, Printed
from symattn.exact.decision import compare
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact

FEWEST = 6
FEWEST_TELLING = 2
FEWEST_DIFFERENT = 3


def odd_one(exact: Matrix, computed: Evaluated, firsts: Collection[Judgement]) -> Judgement | None:
    """The only number that neither g nor l explains, now a slip, where all others follow g (or all l).

    It must lie a unit off and further than an author with one spare digit could come, and not between the
    two, where an author is who keeps the digits of some numbers.
    """
    odd = [judged for judged in firsts if judged.code == Finding.HIDDEN_DIGITS]
    if len(firsts) < FEWEST or len(odd) != 1:
        return None
    if any(judged.root is not None or judged.verdict == "slip" for judged in firsts):
        return None
    (one,) = odd
    others = [judged for judged in firsts if judged is not one]
    local = computed.seen
    if (
        sum(shortened_by(j.printed.numeral, _values(j, exact, local)) == "nearest" for j in others)
        < FEWEST_TELLING
    ):
        return None  # an author who truncates would print the same
    kept = any(_all_keep(others, one_way, other) for one_way, other in ((exact, local), (local, exact)))
    return (
        replace(one, verdict="slip", code=Finding.ODD_ONE_OUT, note="")
        if kept and _far(one, exact, computed)
        else None
    )


def one_convention(judgements: Sequence[Judgement], evaluations: Evaluations) -> bool:
    """Whether all that is right in a document follows g, or all of it follows l.

    Who keeps the digits here and rounds there may print any number of the range, and none is odd.
    """
    shown = [
        j.printed for j in judgements if j.verdict in ("correct", "rounding") and j.printed.first is None
    ]
    exactly = all(_holds(number, evaluations.baseline.exact[number.name]) for number in shown)
    return exactly or all(_holds(number, evaluations.settled[number.name].local.seen) for number in shown)


def _values(judged: Judgement, exact: Matrix, local: Matrix) -> tuple[Exact, Exact]:
    at = judged.printed.row, judged.printed.col
    return exact[at], local[at]


def _all_keep(numbers: Sequence[Judgement], values: Matrix, other: Matrix) -> bool:
    """Whether all numbers follow `values`, and enough of them where `other` would print differently."""
    shown = [number.printed for number in numbers]
    if not all(_holds(number, values) for number in shown):
        return False
    return sum(not _holds(number, other) for number in shown) >= FEWEST_DIFFERENT


def _holds(number: Printed, values: Matrix) -> bool:
    return contains(*number.numeral.nearest(), values[number.row, number.col])


def _far(judged: Judgement, exact: Matrix, computed: Evaluated) -> bool:
    """Whether the number is a unit off g and l, and further than an author with one spare digit could be."""
    number = judged.printed
    if computed.seen_range is None:
        return False
    low, high = number.numeral.nearest()
    bounds = computed.seen_range[number.row][number.col]
    spare = fmpq(int((bounds.width() * 2**40).upper().ceil().unique_fmpz() or 0), 2**40) / 10
    spare = max(spare, number.numeral.unit / 2)
    values = _values(judged, exact, computed.seen)
    if any(contains(low - spare, high + spare, value) for value in values):
        return False
    below = [compare(value, Exact.of(number.numeral.value)) == -1 for value in values]
    return below[0] == below[1]
