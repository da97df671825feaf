"""Fixing the workings of a case: their operands become what the step uses, and they give the right number."""

from __future__ import annotations

from symattn.auditor.fixing.chains import gives
from symattn.auditor.judging.rules import rule
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.working import operands, read_working
from tests.test_fixes import repaired

UNDIVIDED = """\
[given]
Q = [[1, 1, 1, 1], [2, 2, 2, 1]]
K = [[1, 1, 1, 1], [3, 3, 3, 3]]
V = [[1], [2]]

[[stated]]
name = "scores"
values = [[4, 12], [7, 21]]

[[stated]]
name = "exp"
values = [[2.718]]
work = "exp(4)"

[[stated]]
name = "exp"
col = 1
values = [[20.086]]
work = "exp(12)"

[[stated]]
name = "sum"
values = [[22.804]]
work = "2.718 + 20.086"

[[stated]]
name = "A"
values = [[0.119, 0.881]]

[[stated]]
name = "exp"
row = 1
values = [[5.755]]
work = "exp(7)"

[[stated]]
name = "Z"
values = [[1.881]]
"""
CHANGES = {
    "2.718]]": "7.389]]",
    "exp(4)": "exp(2)",
    "20.086]]": "403.429]]",
    "exp(12)": "exp(6)",
    "22.804": "410.818",
    "2.718 + 20.086": "7.389 + 403.429",
    "0.119, 0.881": "0.018, 0.982",
    "5.755": "33.115",
    "exp(7)": "exp(3.5)",
    "1.881": "1.982",
}


def test_exponents_before_a_step_that_was_left_out_become_those_behind_it() -> None:
    text = UNDIVIDED
    for old, new in CHANGES.items():
        text = text.replace(old, new)
    assert repaired(UNDIVIDED, unsafe=True).text == text


def test_the_1_of_an_exponential_of_0_becomes_the_new_exponential() -> None:
    text = """\
[given]
Q = [[0, 1]]
K = [[3, -1], [1, 3]]

[[stated]]
name = "scores"
values = [[0, 3]]

[[stated]]
name = "A"
values = [[0.1070]]
work = "1/(1 + exp(3/sqrt(2)))"
"""
    found = repaired(text, unsafe=True).text
    assert 'values = [[0.0558]]\nwork = "0.4931/(0.4931 + exp(3/sqrt(2)))"' in found


def test_operands_that_are_printed_nowhere_else_follow_their_chain() -> None:
    text = """\
[given]
Q = [[1, 0], [0, 1]]
K = [[1, 1], [2, 0]]

[[stated]]
name = "scores"
values = [[1, 3], [1, 0]]

[[stated]]
name = "A"
values = [[0.20]]
work = "2.03/10.37"

[[stated]]
name = "A"
col = 1
values = [[0.80]]
work = "8.34/10.37"
"""
    found = repaired(text, unsafe=True).text
    assert 'values = [[0.33]]\nwork = "2.03/6.14"' in found
    assert 'values = [[0.67]]\nwork = "4.11/6.14"' in found


def test_an_operand_in_per_cent_stays_one_although_the_weight_is_printed_as_a_decimal() -> None:
    text = """\
[given]
Q = [[0]]
K = [[1], [2]]
V = [[3], [5]]

[[stated]]
name = "A"
values = [[0.40, 0.60]]

[[stated]]
name = "Z"
values = [[4.20]]
work = "40%*3 + 60%*5"
"""
    found = repaired(text, unsafe=True).text
    assert "values = [[0.50, 0.50]]" in found
    assert 'values = [[4.00]]\nwork = "50%*3 + 50%*5"' in found


def test_who_cuts_decimals_off_may_round_a_working_once() -> None:
    numeral, working = read_numeral("-0.86"), read_working("0.98*1.34 - 2.13*1.02", lambda _: False)
    assert working is not None
    assert rule(numeral, working.value, (), working, truncates=True).verdict == "correct"


def test_operands_that_may_have_been_cut_off_give_the_number_as_they_are() -> None:
    # 0.058 to 0.059 times 1.61 and so on is 1.0765 to 1.0850; rounded operands would give 1.0811 at most
    work = "0.058*1.610 + 0.203*2.666 + 0.639*0.440 + 0.004*2.220 + 0.093*1.634"
    assert gives(work, {operand: operand.text for operand in operands(work)}, "1.0820")
    assert not gives(work, {operand: operand.text for operand in operands(work)}, "1.0920")
