"""Printouts of a program: the format of its floats is declared, or read off the numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from symattn.auditor.audit import audit
from symattn.auditor.report import Report
from symattn.case import Claim
from symattn.errors import SymattnError
from symattn.reading.case_file import parse_case
from tests.audit_cases import Rows, case, stated

Floats = Any
Store = Callable[[Floats], Floats]
X = [[0.9, -0.3, 1.7], [0.4, 1.1, -0.6], [1.3, 0.7, 0.1]]
W = {"Q": [[0.7, 1.1], [-0.9, 0.3], [0.6, 1.9]], "K": [[1.3, 0.1], [0.7, -0.4], [0.3, 1.2]]}
W_V = [[0.31, 0.77], [1.23, -0.57], [0.19, 2.1]]


def half(x: Floats) -> Floats:
    return np.asarray(x).astype(np.float16)


def brain(x: Floats) -> Floats:
    """What bfloat16 makes of floats: the first 16 bits of float32, rounded to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def printed(store: Store) -> dict[str, Rows]:
    """Attention in floats of a format, its matrices printed with the digits that tell the floats apart."""

    def product(a: Floats, b: Floats) -> Floats:
        return store(store(a).astype(np.float32) @ store(b).astype(np.float32))

    q, k, v = product(X, W["Q"]), product(X, W["K"]), product(X, W_V)
    scores = product(q, k.T)
    powers = np.exp(store(scores.astype(np.float32) / np.sqrt(2)).astype(np.float32))
    weights = store(powers / powers.sum(1, keepdims=True))
    found = {"Q": q, "K": k, "V": v, "scores": scores, "A": weights, "Z": product(weights, v)}
    return {name: [[str(x) for x in row] for row in matrix] for name, matrix in found.items()}


def report_on(prints: dict[str, Rows], precision: str | None = None) -> Report:
    givens: dict[str, Sequence[Sequence[float]]] = {"X": X, "W_Q": W["Q"], "W_K": W["K"], "W_V": W_V}
    rows = {name: [[repr(x) for x in row] for row in matrix] for name, matrix in givens.items()}
    claims: list[Claim] = [stated(name, matrix) for name, matrix in prints.items()]
    return audit(replace(case(rows, *claims, scale="1/sqrt(d_k)"), precision=precision))


def accused(report: Report) -> list[str]:
    return [j.printed.numeral.text for j in report.judgements if j.verdict in ("slip", "carried")]


@pytest.mark.parametrize(("store", "name"), [(half, "float16"), (brain, "bfloat16")])
def test_a_printout_of_coarse_floats_is_read_as_one_and_not_accused(store: Store, name: str) -> None:
    report = report_on(printed(store))
    assert accused(report) == []
    assert [remark.values for remark in report.remarks] == [{"conventions": f"precision = {name}"}]


@pytest.mark.parametrize(("store", "name"), [(half, "float16"), (brain, "bfloat16")])
def test_in_such_a_printout_a_number_that_the_format_does_not_explain_is_a_slip(
    store: Store, name: str
) -> None:
    prints = printed(store)
    wrong = str(store(float(prints["V"][1][0]) + 0.5))
    prints["V"] = [prints["V"][0], [wrong, prints["V"][1][1]], prints["V"][2]]
    assert [j.printed.numeral.text for j in report_on(prints).judgements if j.verdict == "slip"] == [wrong]


def test_a_declared_precision_holds_where_too_few_numbers_show_it() -> None:
    # 2/3 is 0.6665 in float16, which alone may as well be a slip
    source = '[given]\nX = [["2/3"]]\nW_Q = [[1]]\n[[stated]]\nname = "Q"\nvalues = [["0.6665"]]\n'
    plain, declared = audit(parse_case(source)), audit(parse_case(f'precision = "float16"\n{source}'))
    assert [report.judgements[0].verdict for report in (plain, declared)] == ["slip", "rounding"]


def test_sixteenths_by_hand_are_no_printout() -> None:
    # 1.28125 for 1.296875: that and what follows from it are floats of any format, and by hand as well
    rows: dict[str, Rows] = {"X": [["1.296875"]], "W_Q": [["1"]], "K": [["0.5"], ["0.25"], ["0.125"]]}
    scores = stated("scores", [["0.640625", "0.3203125", "0.16015625"]])
    assert len(accused(audit(case(rows, stated("Q", [["1.28125"]]), scores)))) == 4


def test_an_unknown_precision_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(SymattnError, match=r"precision.*float8(.|\n)*float16"):
        parse_case('precision = "float8"\n[given]\nX = [[1]]\n')
