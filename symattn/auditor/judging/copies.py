"""A number printed again is judged as a copy of the first; what comes after may follow from either."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import Numeral
from symattn.auditor.report import Judgement, Printed
from symattn.exact.number import Exact


def judge_copy(
    copy: Printed, first: Judgement, local: Exact, truncates: bool, alone: Callable[[Printed], Judgement]
) -> Judgement:
    """The first one's verdict where the copy says the same; else right or wrong by itself.

    Another number than the first may still be an honest author's, who rounds here and keeps the digits
    there: it is a slip only where it would be one if it stood `alone`. Rounded to fewer digits, what was
    wrong in its last place may be right.
    """
    assert first.exact is not None
    if copy.numeral.places < first.printed.numeral.places and contains(*copy.numeral.nearest(), first.exact):
        return Judgement(copy, "correct", exact=first.exact)
    if _same(copy.numeral, first.printed.numeral):
        if first.code == Finding.WRONG_WORKING:
            return Judgement(copy, "correct", exact=first.exact)
        root = first.printed.index if first.verdict == "slip" else first.root
        return replace(first, printed=copy, root=root, note="copy")
    low, high = copy.numeral.preimage(truncates)
    if contains(low, high, first.exact) or contains(low, high, local):
        return Judgement(copy, "correct", exact=first.exact)
    ruling = alone(copy)
    if ruling.verdict == "correct":
        return Judgement(copy, "correct", exact=first.exact)
    if ruling.verdict != "slip":
        return replace(ruling, note="copy")
    return Judgement(copy, "slip", Finding.DIFFERING_COPY, first.exact, root=first.printed.index, note="copy")


def either(firsts: Sequence[Judgement], agains: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """The judgements by the first prints, or for a slip by the ones printed again, where it follows these.

    What was itself printed in two ways is judged by its first print.
    """
    values: dict[tuple[object, ...], object] = {}
    for judged in firsts:
        values.setdefault(judged.printed.at, judged.printed.numeral.value)
    twice = {
        judged.printed.at for judged in firsts if judged.printed.numeral.value != values[judged.printed.at]
    }
    return tuple(
        again
        if first.verdict == "slip"
        and again.verdict not in ("slip", "undecided")
        and first.printed.at not in twice
        else first
        for first, again in zip(firsts, agains, strict=True)
    )


def _same(copy: Numeral, first: Numeral) -> bool:
    """Whether a number printed again says the same: equal, or the same to fewer digits."""
    if copy.value == first.value:
        return True
    return copy.places < first.places and contains(*copy.nearest(), Exact.of(first.value))
