"""Numbers whose digits touch, `4.0003.536` of a flattened matrix: written anew as one, or not at all.

A number of a run has no place of its own: where one changes, the whole run must still read as the same
numbers one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.auditor.report import Judgement
from symattn.case import Place
from symattn.exact.runs import split


def runs(judgements: Sequence[Judgement]) -> Iterator[tuple[Judgement, ...]]:
    """The judged numbers that have a place, in the order of the text; those whose digits touch together."""
    run: list[Judgement] = []
    for judgement in sorted((each for each in judgements if each.printed.place), key=_start):
        if run and not _touches(run[-1], judgement):
            yield tuple(run)
            run = []
        run.append(judgement)
    if run:
        yield tuple(run)


def reads_back(run: Sequence[Judgement], texts: Sequence[str]) -> bool:
    """Whether a run with these numbers reads as just these numbers.

    Integers beside their workings are told apart by what these give.
    """
    worked = all(judgement.printed.work for judgement in run) and not any("." in text for text in texts)
    return split("".join(texts), texts if worked else ()) == list(texts)


def _touches(before: Judgement, after: Judgement) -> bool:
    line, column = _start(before)
    text = before.printed.numeral.text
    digits = text[-1:].isdigit() and after.printed.numeral.text[:1].isdigit()
    return digits and (line, column + len(text)) == _start(after)


def _start(judgement: Judgement) -> tuple[int, int]:
    place: Place | None = judgement.printed.place
    assert place is not None
    return place.line, place.column
