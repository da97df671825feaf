"""The weight that an author writes down last: what the others of its row leave of 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from flint import fmpq

from symattn.auditor.judging.walks import Walked
from symattn.auditor.ranges.moving import Cell
from symattn.auditor.report import WRONG, Judgement
from symattn.plan import base_name


def rest_to_one(name: str, walked: Walked, firsts: Mapping[Cell, Judgement]) -> Mapping[Cell, Judgement]:
    """Judgements on slips of A, put right: 0.504 beside 0.248 and 0.248 is 1 less the others.

    The others must be right, as far as their digits go, so that the rest is no further off than they are.
    """
    if base_name(name) != "A":
        return {}
    rows: dict[int, list[tuple[Cell, Judgement]]] = defaultdict(list)
    for cell, judged in firsts.items():
        rows[cell[0]].append((cell, judged))
    put_right: dict[Cell, Judgement] = {}
    for row in rows.values():
        wrong = [(cell, judged) for cell, judged in row if judged.verdict in WRONG]
        whole = sum((judged.printed.numeral.value for _, judged in row), fmpq(0))
        if len(row) == walked.seen.shape[1] and whole == 1 and len(wrong) == 1:
            ((cell, judged),) = wrong
            if judged.code in ("SA201", "SA205"):  # its working may stand beside it
                put_right[cell] = replace(judged, verdict="rounding", code="SA101", note="")
    return put_right
