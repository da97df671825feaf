"""What a source says in words, decided exactly: true is silent, false is a finding, open is neither."""

from __future__ import annotations

import pytest

from symattn.attention.case import Statement
from symattn.auditor.audit import audit
from symattn.text.errors import UnusableValue
from tests.audit_cases import Rows, case

# the weights of row 0 grow with the scores 1, 2, 3; rows 0 and 1 differ by a constant, so they are equal
SCORES: dict[str, Rows] = {
    "scores": [["1", "2", "3"], ["5", "6", "7"], ["0", "0", "1"]],
    "V": [["1"], ["2"], ["3"]],
}


def codes(statement: Statement, matrices: dict[str, Rows] = SCORES) -> list[str]:
    return [remark.code for remark in audit(case(matrices, statements=(statement,), tokens=TOKENS)).remarks]


TOKENS = ("a", "b", "c")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (Statement("order", "A", ("c", "b", "a"), row=0), []),
        (Statement("order", "A", ("c", "b"), row=0), []),  # the two largest
        (Statement("order", "A", ("b", "c", "a"), row=0), ["SA501"]),
        (Statement("order", "A", ("2", "1"), row=0), []),  # columns by number, from 0
        (Statement("order", "A", ("c", "a"), row=2), ["SA501"]),  # a and b are equal there
        (Statement("argmax", "A", ("c",), row=0), []),
        (Statement("argmax", "A", ("a",), row=0), ["SA502"]),
        (Statement("argmax", "A", ("a",), row=2), ["SA502"]),
        (Statement("equal-rows", "A", ("0", "1")), []),
        (Statement("equal-rows", "A", ("0", "2")), ["SA503"]),
        (Statement("equal-rows", "scores", ("0", "1")), ["SA503"]),
        (Statement("sums-to-one", "A"), []),
        (Statement("sums-to-one", "A", row=2), []),
        (Statement("sums-to-one", "scores"), ["SA504"]),
        (Statement("shape", "A", ("3", "3")), []),
        (Statement("shape", "Z", ("3", "1")), []),
        (Statement("shape", "A V", ("3", "1")), []),
        (Statement("shape", "A", ("3", "2")), ["SA505"]),
        (Statement("shape", "V A", ("3", "3")), ["SA401"]),  # (3, 1) times (3, 3) is undefined
        (Statement("equal", "scores", ("7",), row=1, col=2), []),
        (Statement("equal", "A", ("1/(2 + exp(1))",), row=2, col=0), []),
        (Statement("equal", "A", ("0.2119",), row=2, col=0), ["SA506"]),  # 0.2119 rounded, not equal
    ],
)
def test_a_true_statement_is_silent_and_a_false_one_is_a_finding(
    statement: Statement, expected: list[str]
) -> None:
    assert codes(statement) == expected


def test_weights_sum_to_one_whatever_their_base() -> None:
    # to base 2 they are quotients of roots of 2, whose sum takes minutes to decide entry by entry
    scores: dict[str, Rows] = {"scores": [["1.5514", "0.1913", "0.9813"]], "V": [["1"], ["2"], ["3"]]}
    said = (
        Statement("sums-to-one", "A"),
        Statement("sums-to-one", "A", row=0),
        Statement("sums-to-one", "exp"),
    )
    found = audit(case(scores, statements=said, base="2", tokens=TOKENS)).remarks
    assert [(remark.code, remark.name) for remark in found] == [("SA504", "exp")]


def test_a_sum_that_is_not_decided_is_not_called_false() -> None:
    undecided = "1/2 + log(3 + 2*sqrt(2))*log(5) - 2*log(1 + sqrt(2))*log(5)"
    statement = Statement("sums-to-one", "A")
    assert codes(statement, {"A": [[undecided, "1/2"]], "V": [["1"], ["2"]]}) == ["SA507"]


def test_a_sum_of_roots_of_high_degree_is_decided() -> None:
    total = "(2^(1/10) + 2^(3/10) + 2^(7/10))"
    weights = [[f"2^({k}/10)/{total}" for k in (1, 3, 7)]]
    assert codes(Statement("sums-to-one", "A"), {"A": weights, "V": [["1"], ["2"], ["3"]]}) == []


def test_a_false_order_says_the_order_that_holds() -> None:
    about = case(SCORES, statements=(Statement("order", "A", ("a", "c"), row=0),), tokens=TOKENS)
    (remark,) = audit(about).remarks
    assert (remark.values["stated"], remark.values["actual"]) == ("a > c", "c > b > a")


def test_the_first_row_that_does_not_sum_to_one_is_named() -> None:
    matrices: dict[str, Rows] = {"scores": [["0", "1", "0"], ["5", "6", "7"]], "V": [["1"], ["2"], ["3"]]}
    about = case(matrices, statements=(Statement("sums-to-one", "scores"),))
    (remark,) = audit(about).remarks
    assert (remark.code, remark.values["row"]) == ("SA504", "2")


def test_ties_are_part_of_the_order_that_holds() -> None:
    about = case(SCORES, statements=(Statement("argmax", "A", ("a",), row=2),), tokens=TOKENS)
    (remark,) = audit(about).remarks
    assert remark.values["actual"] == "c > a = b"


def test_an_undefined_product_says_which_reading_has_a_value() -> None:
    matrices: dict[str, Rows] = {"X": [["1", "2"]], "W_Q": [["1", "2"], ["3", "4"], ["5", "6"]]}
    statements = (Statement("shape", "X W_Q", ("1", "3")),)
    found = audit(case(matrices, statements=statements, weights="transposed")).remarks
    assert [(remark.code, remark.values["fits"]) for remark in found] == [("SA401", "X W_Q^T")]


def test_weights_that_print_alike_are_still_told_apart() -> None:
    # 0.3333 twice, and yet the second is larger
    near: dict[str, Rows] = {"scores": [["1", "1.000001", "1"]], "V": [["1"], ["1"], ["1"]]}
    assert codes(Statement("argmax", "A", ("b",), row=0), near) == []
    assert codes(Statement("argmax", "A", ("a",), row=0), near) == ["SA502"]


@pytest.mark.parametrize(
    "statement",
    [Statement("argmax", "A", ("nobody",), row=0), Statement("sums-to-one", "B")],
)
def test_a_statement_about_nothing_is_a_mistake_of_the_input(statement: Statement) -> None:
    with pytest.raises(UnusableValue):
        codes(statement)
