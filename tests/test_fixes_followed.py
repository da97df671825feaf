"""Fixes of chains that go through workings nobody judges, and what is taken back."""

from __future__ import annotations

from functools import partial

import pytest

from symattn.attention.case import Place
from symattn.auditor.fixing.takeback import Audited, without_new
from symattn.auditor.formats.items import Options, failing
from symattn.auditor.report import Remark
from symattn.cli.fixing import Fixed, Fixing, fixed
from symattn.notes.documents import document_reports

STABLE = """\
Q = [[2, 0]], K = [[1, 0], [2, 1]], V = [[1, 2], [0, 1]]

scores = Q K^T = [[2, 4]]

scaled = scores / sqrt(2) = [[1.414, SCALED]]

Less the greatest: 1.414 - SCALED = LESS, SCALED - SCALED = 0.000

exp(LESS) = POWER, exp(0.000) = 1.000, and their sum is POWER + 1.000 = SUM

A = [POWER/SUM, 1.000/SUM] = [WEIGHTS]
"""
STEPS = ("SCALED", "LESS", "POWER", "SUM", "WEIGHTS")


def repaired(text: str) -> Fixed:
    """A document after all of its fixes."""
    judge = partial(document_reports, file="notes.md", kind="markdown")
    return fixed(text, judge, Fixing(unsafe=True), Options())


def left(after: Fixed) -> list[str]:
    """The codes of what is found in a fixed document."""
    return [one.code or "" for report in after.reports for one in failing(report, Options())]


def test_a_softmax_without_the_greatest_follows_the_scores_that_are_put_right() -> None:
    wrong, right = STABLE, STABLE
    for step, was, then in zip(
        STEPS,
        ("3.828", "-2.414", "0.089", "1.089", "0.082, 0.918"),
        ("2.828", "-1.414", "0.243", "1.243", "0.195, 0.805"),
        strict=True,
    ):
        wrong, right = wrong.replace(step, was), right.replace(step, then)
    after = repaired(wrong)
    assert (after.text, left(after)) == (right, [])


def test_a_wrong_sum_of_a_wrong_exponential_is_that_of_the_right_one() -> None:
    text = """\
Query q = [1, 0, 1], keys [1, 1, 0] and [1, 1, 1], values [1, 1] and [1, 3].

Scores: s1 = 1, s2 = 2

Divided by √3 ≈ 1.732: s1' = 0.577, s2' = 1.155

Subtract the maximum 1.155: 0.577 - 1.155 = -0.577, 1.155 - 1.155 = 0.000

Exponentials: exp(-0.577) = 0.861, exp(0.000) = 1.000

Sum: 0.861 + 1.000 = 1.561
"""
    after = repaired(text)
    assert (after.text, left(after)) == (text.replace("0.861", "0.562").replace("1.561", "1.562"), [])


def test_a_number_in_prose_is_put_right_with_the_one_that_it_repeats() -> None:
    text = "1/3 = 0.36. The share of 0.36 is small.\n"
    assert repaired(text).text == text.replace("0.36", "0.33")


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("Also ist 1/3 = 0,36 und 0,36*4 = 1,44.\n", "Also ist 1/3 = 0,33 und 0,33*4 = 1,32.\n"),
        (
            "$-\\frac{1}{3} = -0{,}36$ und $2 - 0{,}36 = 1{,}64$\n",
            "$-\\frac{1}{3} = -0{,}33$ und $2 - 0{,}33 = 1{,}67$\n",
        ),
        ("1/2 = 40% and 40% * 3 = 1.20\n", "1/2 = 50% and 50% * 3 = 1.50\n"),
        ("1 200,5 + 34,25 = 1 236,75\n", "1 200,5 + 34,25 = 1 234,75\n"),
    ],
)
def test_chains_are_put_right_in_the_notation_of_their_document(text: str, then: str) -> None:
    assert repaired(text).text == then


def test_a_digit_alone_ties_no_operand_to_a_result() -> None:
    text = "a = [2·1 + 0·1, 2·1 + 0·2] = [4, 0]\n\nb = [2·1 + 0·1, 2·1 + 0·2] = [4, 0]\n"
    assert repaired(text).text == text.replace("[4, 0]", "[2, 2]")


def audited(text: str) -> Audited:
    """A text of which every 7 is wrong."""
    wrong = [
        Remark("SA201", "slip", {}, place=Place(line, column))
        for line, said in enumerate(text.split("\n"), 1)
        for column, digit in enumerate(said, 1)
        if digit == "7"
    ]
    return Audited(text, (), wrong)


@pytest.mark.parametrize(
    ("before", "then", "kept"),
    [
        ("7\n1\n7", "2\n1\n2", "2\n1\n2"),
        ("7\n1\n7", "2\n7\n2", "2\n1\n2"),  # a line that was right is wrong now
        ("7\n1\n2", "2\n7\n2", "2\n1\n2"),
        ("7\n1\n2", "7\n7\n3", "7\n1\n2"),  # nothing is left of such fixes
    ],
)
def test_fixes_that_bring_a_finding_are_taken_back(before: str, then: str, kept: str) -> None:
    assert without_new(audited(before), audited(then), audited).text == kept


WEIGHED = """\
Query q = [1, 0], keys [0, 1] and [1, 1], values [2, 1] and [0, 3].

Weights: [0.330, 0.670]

Output: {first}×2 + 0.670×0 = 0.660
"""


def test_the_operand_is_put_right_that_misprints_a_number_told_before() -> None:
    after = repaired(WEIGHED.format(first="0.830"))
    assert (after.text, left(after)) == (WEIGHED.format(first="0.330"), [])


def test_no_safe_fix_changes_the_result_of_a_misprinted_operand() -> None:
    text = WEIGHED.format(first="0.830")
    judge = partial(document_reports, file="notes.md", kind="markdown")
    assert fixed(text, judge, Fixing(), Options()).text == text


def test_no_safe_fix_goes_on_from_a_wrong_number() -> None:
    text = """\
Q = [[1, 0]], K = [[0.5, 1], [1.5, 1]], V = [[2, 1], [0, 3]], no scaling.

Scores: Q K^T = [[0.5, 7.5]]

exp(0.5) = 1.65, exp(7.5) = 4.48
"""
    judge = partial(document_reports, file="notes.md", kind="markdown")
    assert "exp(7.5) = 4.48" in fixed(text, judge, Fixing(), Options()).text
    assert "exp(1.5) = 4.48" in repaired(text).text


def test_what_a_root_divides_are_the_scores_also_where_these_were_misprinted() -> None:
    text = """\
Q = [[0.9, 0.8]], K = [[0.5, 0.5], [0.9, 0.5]], V = [[2, 1], [0, 3]]

Scores: q1·k1 = 0.9*0.5 + 0.8*0.5 = 0.85 and q1·k2 = 0.9*0.9 + 0.8*0.5 = {score}

Scaled scores:

- 0.85 / √2 = 0.601
- 1.21 / √2 = 0.856
"""
    assert repaired(text.format(score="8.21")).text == text.format(score="1.21")
