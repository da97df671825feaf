"""What looks wrong under one reading, and follows from what is printed nearer under another."""

from __future__ import annotations

import numpy as np

from symattn.notes.documents import document_reports
from symattn.notes.grammar.syntax import literal
from symattn.notes.grammar.tokens import Token, number
from symattn.notes.hypotheses.gate import Gate
from symattn.notes.interpreter.match import match
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.interpreter.values import Made, Value


def accused(text: str) -> list[str]:
    """The numerals that are called slips, in order."""
    return [
        one.printed.numeral.text
        for report in document_reports(text, "notes.md", "markdown")
        for one in report.judgements
        if one.verdict == "slip"
    ]


def test_operands_with_the_places_of_the_result_may_be_rounded() -> None:
    assert accused("e^(1.6) = 4.7\n\ne^(1.2) = 3.5\n") == []
    assert accused("e^(1.6) = 4.700\n") == ["4.700"]


def test_weights_follow_from_a_wrong_sum_that_is_printed_before_them() -> None:
    text = """
scaled_1 = [3.6315, 1.6339, 2.9849]

exp = [37.7707, 5.1238, 19.7845]

sum = 24.9084

A_1 = softmax(scaled_1) = [1.5164, 0.2057, 0.7943]
"""
    assert not {"1.5164", "0.2057", "0.7943"} & set(accused(text))
    without = text.replace("exp = [37.7707, 5.1238, 19.7845]\n\nsum = 24.9084\n\n", "")
    assert "1.5164" in accused(without)


def test_a_quotient_by_a_root_that_was_printed_wrong_follows_from_it() -> None:
    text = "√d_k = √4 = 20.0\n\ns_1 = [3.24, 6.51] / √4 = [0.16, 0.33]\n"
    assert not {"0.16", "0.33"} & set(accused(text))
    assert accused(text.replace("√d_k = √4 = 20.0", "")) == ["0.16", "0.33"]


def test_a_head_has_queries_and_keys_of_its_own() -> None:
    text = """
## Head 1

Q = [[1.25, 0.51], [0.32, 2.17]]

K = [[0.71, 1.92], [1.13, 0.44]]

Q K^T = [[1.87, 1.64], [4.39, 1.32]]

## Head 2

Q K^T = [[5.57, 1.64], [6.42, 5.83]]
"""
    assert accused(text) == []
    assert accused(text.replace("## Head 2\n", "")) != []


def test_weights_follow_from_a_wrong_exponential_that_is_printed_by_itself() -> None:
    scores = "scaled_1 = [1.5000, 0.7000, 0.2000]\n\n"
    exponentials = "e^{1.5000} = 4.4817\n\ne^{0.7000} = 2.5138\n\ne^{0.2000} = 1.2214\n\n"
    weights = "softmax([1.5000, 0.7000, 0.2000]) = [0.5454, 0.3059, 0.1486]\n"
    assert accused(scores + exponentials + weights) == ["2.5138"]
    assert accused(scores + weights) == ["0.5454", "0.3059", "0.1486"]


def test_a_result_may_have_the_name_of_a_step_that_is_not_printed() -> None:
    text = """
Q = [[1.25, 0.51], [0.32, 2.17]]

K = [[0.71, 1.92], [1.13, 0.44]]

sum = softmax(Q K^T) = [[0.5555, 0.4445], [0.9560, 0.0440]]
"""
    assert accused(text) == []


def test_steps_that_expect_different_numbers_accuse_none() -> None:
    texts = ("1.234", "2.345", "3.456", "4.567", "9.999")
    tokens = [Token("NUM", text, 1, 1, 0, *number(text)) for text in texts]
    printed = literal(tokens, [1.0] * 5, (5,))

    def reading(expected: float) -> Reading:
        row = np.array([1.234, 2.345, 3.456, 4.567, expected])
        found = match(printed, Value(row, row, row, Made("step")))
        assert found is not None
        return Reading(Rank.STEP, printed, found, "a", "a step")

    def verdict(*expected: float) -> str:
        readings = [reading(each) for each in expected]
        return Gate(readings, {}).verdict([each.claims()[tokens[4]] for each in readings])[0]

    assert verdict(5.678, 5.678) == "slip"
    assert verdict(5.678, 6.789) == "undecided"
