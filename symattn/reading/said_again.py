"""Numbers that say again what was found to be right, as it was printed: `(0.384 each)`, the 2.03 of a sum.

No name ties them to an entry. They have the verdict of the number that they repeat, and are never accused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.following import is_right
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import OPERAND, Judgement, Printed, Report, Unread
from symattn.bilingual import Bilingual
from symattn.case import Place
from symattn.plan import base_name
from symattn.reading.notes.result import Equation, NotComputed

_TELLING = re.compile(r"[-−]?\d*\.(?=\d*[1-9])(?:\d{3,}|\d[1-46-9]|[1-9]\d)")
"""A decimal that hardly stands for something else by chance: 0.384 and 0.67, and neither 0.5 nor 0.50."""
_LONG = re.compile(r"[-−]?\d*\.\d{3,}")
"""A decimal that may be known again in a list too, where others stand beside it."""
_LISTED = re.compile(r"(?:[\[,;&|][\s$*`~]*|\d\s+)$"), re.compile(r"[\s$*`%\\]*[\],;&|]|\s+[-−]?\d*\.\d")
"""What stands before and behind a number of a list."""
BESIDE = 40
"""How many characters before a number are looked at."""
AGAIN = Bilingual("the same numbers are right as a row of the walk", "同样的数作为推导中的一行是正确的")
_SHARE = re.compile(r"(\d{1,2}(?:\.\d{1,2})?)%")


def said_again(
    reports: Sequence[Report], unread: Sequence[Unread], operands: Iterable[NotComputed], lines: Sequence[str]
) -> tuple[tuple[Report, ...], tuple[Unread, ...]]:
    """The reports with the numbers that repeat right ones, and what of the unread ones is left.

    `lines` are those of the document.
    """
    known = _Known(reports)
    added: dict[int, list[tuple[str, Place, Judgement]]] = {}
    left: list[Unread] = []
    taken = {judged.printed.place for report in reports for judged in report.judgements}
    for each in unread:
        alone = each.code in (Finding.NO_SUCH_QUANTITY, Finding.CANNOT_BE_RECOMPUTED) and not _is_listed(
            each, lines
        )
        found = known.before(each.text, each.place) if alone else None
        if found is None or each.place is None or each.place in taken:
            left.append(each)
        else:
            added.setdefault(found[0], []).append((each.text, each.place, found[1]))
    for operand in operands:
        found = known.of(operand) if operand.place not in taken else None
        if found is not None:
            added.setdefault(found[0], []).append((operand.text, operand.place, found[1]))
    told = (
        replace(report, judgements=(*report.judgements, *_copies(len(report.judgements), added[k])))
        if k in added
        else report
        for k, report in enumerate(reports)
    )
    return tuple(told), tuple(left)


def rows_again(equations: Iterable[Equation], reports: Sequence[Report]) -> frozenset[Place]:
    """Where lists of results stand beside workings of their own that are right rows of weights of a walk.

    `softmax([8.4, 9.4]) = [0.29, 0.71]` may show the scores rounded otherwise than they were held.
    """
    rows: dict[tuple[int, str, int], list[Judgement]] = {}
    for k, report in enumerate(reports):
        for judged in report.judgements:
            if base_name(judged.printed.name) == "A" and judged.printed.first is None:
                rows.setdefault((k, judged.printed.name, judged.printed.row), []).append(judged)
    right = {
        tuple(judged.printed.numeral.text for judged in sorted(row, key=lambda judged: judged.printed.col))
        for row in rows.values()
        if len(row) > 1 and all(map(is_right, row))
    }
    lists: dict[int, list[Equation]] = {}
    for equation in equations:
        lists.setdefault(equation.place.line, []).append(equation)
    return frozenset(
        equation.place
        for beside in lists.values()
        if tuple(equation.printed for equation in beside) in right
        for equation in beside
    )


def _is_listed(number: Unread, lines: Sequence[str]) -> bool:
    """Whether a short number stands among others, which its list would be known again by."""
    if number.place is None or _LONG.fullmatch(number.text) or number.place.line > len(lines):
        return False
    line, at = lines[number.place.line - 1], number.place.column - 1
    before, behind = _LISTED
    return bool(
        before.search(line[max(at - BESIDE, 0) : at]) or behind.match(line, at + len(number.text.rstrip("%")))
    )


class _Known:
    """The right numbers of a document by where they stand and by what they say."""

    def __init__(self, reports: Sequence[Report]) -> None:
        self.by_place: dict[Place, tuple[int, Judgement]] = {}
        self.by_text: dict[str, list[tuple[int, Judgement]]] = {}
        for k, report in enumerate(reports):
            for judged in report.judgements:
                if is_right(judged) and judged.printed.place is not None:
                    self.by_place[judged.printed.place] = k, judged
                    for said in _ways(judged.printed):
                        self.by_text.setdefault(said, []).append((k, judged))

    def of(self, operand: NotComputed) -> tuple[int, Judgement] | None:
        """What an operand says again: the entry that it stands for, or else a decimal by what it says."""
        if operand.again is not None:
            return self.by_place.get(operand.again)
        return self.before(operand.text, operand.place) if operand.why == "working" else None

    def before(self, text: str, place: Place | None) -> tuple[int, Judgement] | None:
        """The last right number before a place that says the same, where it says enough to be known again."""
        if place is None or not (_TELLING.fullmatch(text) or _SHARE.fullmatch(text)):
            return None
        found: tuple[int, Judgement] | None = None
        for k, judged in self.by_text.get(text, ()):
            at = judged.printed.place
            if at is not None and (at.line, at.column) < (place.line, place.column):
                found = k, judged
        return found


def _ways(number: Printed) -> Iterator[str]:
    """How a number may be said again: as it was printed, and a weight as a percentage."""
    text = number.numeral.text
    if _TELLING.fullmatch(text):
        yield text
        if number.name.rpartition(".")[2] == "A":
            share = Decimal(text.replace("−", "-")) * 100
            yield f"{share.quantize(Decimal(1), ROUND_HALF_UP)}%"
            yield f"{share.quantize(Decimal('0.1'), ROUND_HALF_UP)}%"


def _copies(count: int, again: Sequence[tuple[str, Place, Judgement]]) -> Iterator[Judgement]:
    """The judgements of numbers that repeat others, behind as many as there are."""
    for k, (text, place, of) in enumerate(again):
        first = of.printed
        printed = Printed(
            count + k,
            first.name,
            first.row,
            first.col,
            read_numeral(text),
            first.key,
            place=place,
            first=first.index if first.first is None else first.first,
        )
        yield Judgement(printed, of.verdict, exact=of.exact, note=OPERAND)
