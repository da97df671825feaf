"""The weight that an author moved, or wrote down last, so that its printed row adds up to 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from flint import fmpq
from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.rules import contains
from symattn.auditor.judging.settled import Evaluated
from symattn.auditor.ranges.moving import Cell
from symattn.auditor.report import ADJUSTED, WRONG, Judgement
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols
from symattn.plans.plan import Line, base_name
from symattn.plans.transposed import TransposedOperation


def rest_to_one(
    name: str, line: Line | None, computed: Evaluated, firsts: Mapping[Cell, Judgement]
) -> Mapping[Cell, Judgement]:
    """Judgements on weights of A, put right: 0.504 beside 0.248 and 0.248 is 1 less the others.

    The others follow from what is before them, as far as their digits go, so that the rest is no further off
    than they are. Behind a slip it is carried as they are.
    """
    if base_name(name) != "A":
        return {}
    columns = line is not None and isinstance(line.op, TransposedOperation)
    rows: dict[int, list[Judgement]] = defaultdict(list)
    for cell, judged in firsts.items():
        rows[cell[int(columns)]].append(judged)
    keys = computed.seen.shape[int(not columns)]
    return {
        (judged.printed.row, judged.printed.col): judged
        for row in rows.values()
        if len(row) == keys and sum((each.printed.numeral.value for each in row), fmpq(0)) == 1
        for judged in _put_right(row, computed)
    }


def _put_right(row: list[Judgement], computed: Evaluated) -> Iterator[Judgement]:
    """The one weight of a row that adds up to 1 which is not what it should be."""
    slips = [judged for judged in row if judged.verdict == "slip"]
    odd = slips or [judged for judged in row if judged.code == Finding.HIDDEN_DIGITS]
    if len(odd) != 1 or odd[0].code not in (
        Finding.SLIP,
        Finding.NOT_ITS_WORKING,
        Finding.HIDDEN_DIGITS,
    ):  # a working may stand beside it
        return
    (one,) = odd
    carried = any(judged.verdict in WRONG for judged in row if judged is not one)
    if (carried and one.note != "second") or not _near(one, computed, len(row)):
        return
    if carried or one.note == "second":
        yield replace(one, verdict="carried", code=Finding.CARRIED_FORWARD, note=ADJUSTED)
    else:
        yield replace(one, verdict="rounding", code=Finding.INTERMEDIATE_ROUNDING, note=ADJUSTED, root=None)


def _near(judged: Judgement, computed: Evaluated, keys: int) -> bool:
    """Whether a weight is no further off than the others of its row can be together, a unit each."""
    numeral, at = judged.printed.numeral, (judged.printed.row, judged.printed.col)
    room = numeral.unit * max(keys - 1, 1)
    low, high = numeral.value - room, numeral.value + room
    table = computed.seen_range
    if table is not None and table[at[0]][at[1]].meets(low, high):
        return True
    try:
        return contains(low, high, computed.seen[at])
    except (HasSymbols, Undecided):
        return False
