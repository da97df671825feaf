"""Why it went wrong: a cause is named where it explains all, and chance and rivals are ruled out."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.recipes.attention import attention, values
from symattn.auditor.audit import audit
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import Cause, Report
from symattn.exact.decimal import rounded
from symattn.exact.matrix import Matrix
from symattn.plans.derive import derive
from symattn.plans.operation import Slip
from symattn.plans.plan import Line
from symattn.text.errors import ShapeMismatch
from tests.audit_cases import Rows, case, judged, stated

# Q K = [[19, 22], [43, 50]], Q K^T = [[17, 23], [39, 53]]
QK: dict[str, Rows] = {"Q": [["1", "2"], ["3", "4"]], "K": [["5", "6"], ["7", "8"]]}
WIDE: dict[str, Rows] = {"Q": [["1.07", "2.31"], ["3.19", "4.43"]], "K": [["5.03", "6.29"], ["7.41", "8.77"]]}


def causes(report: Report) -> list[tuple[str, str, bool]]:
    return [(cause.slip, cause.scope, cause.certain) for cause in report.causes]


def test_a_slip_that_reproduces_the_whole_matrix_is_its_cause() -> None:
    # Q K = [[22.4992, 26.9890], [48.8720, 58.9162]]
    report = judged(WIDE, stated("scores", [["22.4992", "26.9890"], ["48.8720", "58.9162"]]))
    assert causes(report) == [("key-not-transposed", "matrix", True)]
    assert {judgement.code for judgement in report.judgements} == {"SA202"}


def test_no_cause_where_it_leaves_one_slip_of_the_matrix_unexplained() -> None:
    report = judged(WIDE, stated("scores", [["22.4992", "26.9890"], ["48.8720", "11.1111"]]))
    assert ("key-not-transposed", "matrix", True) not in causes(report)
    # its first row is explained all the same
    assert ("key-not-transposed", "row", True) in causes(report)


def test_in_a_large_matrix_too_no_slip_is_left_unexplained() -> None:
    # K moves columns, Q K to the right and Q K^T to the left; the last number is neither
    matrices: dict[str, Rows] = {
        "Q": [["11", "12", "13", "14"], ["21", "22", "23", "24"], ["31", "32", "33", "34"]],
        "K": [["0", "1", "0", "0"], ["0", "0", "1", "0"], ["0", "0", "0", "1"], ["1", "0", "0", "0"]],
    }
    printed = [["14", "11", "12", "13"], ["24", "21", "22", "23"], ["34", "31", "32", "33"]]
    assert ("key-not-transposed", "matrix", True) in causes(judged(matrices, stated("scores", printed)))
    spoilt = [*printed[:2], ["34", "31", "32", "99"]]
    assert ("key-not-transposed", "matrix", True) not in causes(judged(matrices, stated("scores", spoilt)))


def test_no_cause_where_a_right_number_speaks_against_it() -> None:
    # Q K would have spoilt the last entry as well, but 62.4890 is right
    report = judged(WIDE, stated("scores", [["22.4992", "26.9890"], ["48.8720", "62.4890"]]))
    assert "matrix" not in {scope for _, scope, _ in causes(report)}


def test_one_number_is_seldom_evidence_for_more_than_possibly() -> None:
    # 2*3 + 1*4 printed 6: the second term dropped, or chance
    report = judged({"Q": [["2", "1"]], "K": [["3", "4"]]}, stated("scores", [["6"]]))
    assert causes(report) == [("term-dropped", "cell", False)]


def test_one_number_with_many_digits_is_evidence_enough() -> None:
    # 1.0713 * 5.0311 + 2.3147 * 6.2993, its second term dropped
    matrices: dict[str, Rows] = {"Q": [["1.0713", "2.3147"]], "K": [["5.0311", "6.2993"]]}
    assert causes(judged(matrices, stated("scores", [["5.38981743"]]))) == [("term-dropped", "cell", True)]


def test_two_causes_that_explain_the_same_numbers_are_both_named() -> None:
    # K is not printed: K computed with W_Q and Q taken for K give the same scores
    matrices: dict[str, Rows] = {
        "X": [["1.3", "0.7"], ["0.9", "2.1"]],
        "W_Q": [["1.1", "0.4"], ["0.3", "1.7"]],
        "W_K": [["0.6", "1.9"], ["1.2", "0.8"]],
    }
    report = judged(
        matrices,
        stated("Q", [["1.64", "1.71"], ["1.62", "3.93"]]),
        stated("scores", [["5.6137", "9.3771"], ["9.3771", "18.0693"]]),
    )
    (cause,) = report.causes
    assert {cause.slip, *(rival[0] for rival in cause.rivals)} == {"weights-q-for-k", "query-for-key"}


def test_a_right_matrix_has_no_cause() -> None:
    right = [["19.9120", "28.1874"], ["38.3304", "62.4890"]]
    assert judged(WIDE, stated("scores", right)).causes == ()


# every slip of the library, planted in a small walk


X: Rows = [["1.31", "0.47"], ["0.58", "1.93"], ["1.12", "0.85"]]
GIVENS: dict[str, Rows] = {
    "X": X,
    "W_Q": [["0.71", "0.29"], ["0.38", "1.17"]],
    "W_K": [["0.44", "0.93"], ["1.07", "0.21"]],
    "W_V": [["0.86", "0.15"], ["0.33", "0.97"]],
    "b_Q": [["0.11", "0.24"]],
    "b_K": [["0.35", "0.13"]],
    "b_V": [["0.19", "0.42"]],
}
TOKENS = ("a", "b", "c")
WALKS: dict[str, Case] = {
    "three tokens": case(GIVENS, scale="1/sqrt(d_k)"),
    "two tokens": case({**GIVENS, "X": X[:2]}, scale="1/sqrt(3)"),
    "masked, unscaled": case({"X": X, **{k: v for k, v in GIVENS.items() if k[0] == "W"}}, mask="causal"),
    "two heads": case(GIVENS, heads=2, scale="1/sqrt(3)"),
    "positions": case({}, tokens=TOKENS, positions="sinusoidal", d_model=4, start=1),
}


def document(about: Case, line: Line, slip: Slip) -> Case | None:
    """A document with four decimals whose author made one slip and went on from it; None without a shape."""
    known, plan = values(about), attention(about)
    right, seen, claims = derive(plan, known).values, dict(known), []
    for one in plan:
        op = slip.instead if one.name == line.name else one.op
        try:
            matrix = op.exact(*(seen[argument] for argument in one.args))
        except ShapeMismatch:
            return None
        if one.name.endswith(("exp", "sum", "masked")):
            seen[one.name] = matrix  # not printed, and all digits kept
            continue
        if matrix.shape != right[one.name].shape:
            return None
        printed = [[rounded(entry, 4).digits for entry in row] for row in matrix.rows()]
        seen[one.name] = Matrix.rational([[read_numeral(text).value for text in row] for row in printed])
        claims.append(stated(one.name, printed))
    return replace(about, stated=tuple(claims))


@cache
def planted(walk: str) -> dict[tuple[str, str], tuple[Cause, ...]]:
    """The causes that are found of each slip that leads to matrices of the right shapes, by step and code."""
    about = WALKS[walk]
    documents = {
        (line.name, slip.code): document(about, line, slip)
        for line in attention(about)
        for slip in line.op.slips()
    }
    return {at: audit(printed).causes for at, printed in documents.items() if printed is not None}


@pytest.mark.parametrize("walk", WALKS)
def test_a_planted_slip_is_named_or_left_unnamed_but_never_misnamed(walk: str) -> None:
    assert len(planted(walk)) >= 3
    for (name, code), found in planted(walk).items():
        for cause in found:
            if cause.certain:
                assert code in {cause.slip, *(rival[0] for rival in cause.rivals)}, name


def test_most_planted_slips_are_named() -> None:
    named = {
        (walk, *at): any(cause.certain for cause in found)
        for walk in WALKS
        for at, found in planted(walk).items()
    }
    assert len(named) > 100
    assert sum(named.values()) / len(named) > 0.8, [at for at, seen in named.items() if not seen]


# A = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]; without the second row of V, A V = [[6.2, 6.9], [3.2, 3.9]]
WEIGHED: dict[str, Rows] = {
    "A": [["0.2", "0.3", "0.5"], ["0.6", "0.3", "0.1"]],
    "V": [["3.5", "4.5"], ["7.3", "2.9"], ["11", "12"]],
}


@pytest.mark.parametrize("columns", [False, True])
def test_a_row_of_v_left_out_is_a_cause(columns: bool) -> None:
    matrices, printed = WEIGHED, [["6.20", "6.90"], ["3.20", "3.90"]]
    settings = {"tokens_as": "columns", "weights": "left"} if columns else {}
    if columns:
        matrices = {name: list(zip(*rows, strict=True)) for name, rows in WEIGHED.items()}
        printed = [list(column) for column in zip(*printed, strict=True)]
    report = judged(matrices, stated("Z", printed), **settings)
    assert causes(report) == [("value-left-out-2", "matrix", True)]
    assert report.causes[0].because.en == f"left {'column' if columns else 'row'} 2 of V out"


def test_what_a_cause_explains_is_no_rounding_among_the_numbers_that_it_explains() -> None:
    # X W_Q = [[0.348, 5.2, 7.7], [0.696, 10.4, 15.4]], of which 0.34 might be cut off; here it is W_K
    given: dict[str, Rows] = {
        "X": [["1"], ["2"]],
        "W_Q": [["0.348", "5.2", "7.7"]],
        "W_K": [["0.341", "1.3", "2.2"]],
    }
    report = judged(given, stated("Q", [["0.34", "1.30", "2.20"], ["0.68", "2.60", "4.40"]]))
    assert causes(report) == [("weights-k-for-q", "matrix", True)]
    assert [judgement.verdict for judgement in report.judgements] == ["slip"] * 6
    alone = judged(given, stated("Q", [["0.34", "5.20", "7.70"], ["0.70", "10.40", "15.40"]]))
    assert [judgement.code for judgement in alone.judgements] == ["SA103"] + [None] * 5


def test_what_explains_all_but_a_slip_of_its_own_is_a_possible_cause() -> None:
    # Q = X W_K but for the last number
    matrices: dict[str, Rows] = {"X": [["1.1"], ["2.3"], ["3.7"], ["4.9"]], "W_Q": [["1.713"]]}
    matrices["W_K"] = [["0.457"]]
    printed = stated("Q", [["0.50"], ["1.05"], ["1.69"], ["7.77"]])
    report = judged(matrices, printed)
    assert ("weights-k-for-q", "matrix", False) in causes(report)
    assert [judgement.code for judgement in report.judgements] == ["SA202"] * 3 + ["SA201"]
