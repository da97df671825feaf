"""Fixing the workings of a walk: their operands become what the step uses, and they give the right number."""

from __future__ import annotations

from symattn.auditor.fixing.chains import gives
from symattn.auditor.judging.rules import rule
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.working import operands, read_working
from tests.test_fixes_notes import repaired

UNDIVIDED = """\
Q = [[1, 1, 1, 1], [2, 2, 2, 1]]
K = [[1, 1, 1, 1], [3, 3, 3, 3]]
V = [[1], [2]]

Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V

Q K^T = [[4, 12], [7, 21]]

Row 1: $e^{4} = 2.718$, $e^{12} = 20.086$, sum: $2.718 + 20.086 = 22.804$, weights [0.119, 0.881]

Row 2: $e^{7} = 5.755$, $e^{21} = 190.566$, sum: $5.755 + 190.566 = 196.321$,
weights [0.029, 0.971]

Z = [[1.881], [1.971]]
"""
REPAIRED = """\
Q = [[1, 1, 1, 1], [2, 2, 2, 1]]
K = [[1, 1, 1, 1], [3, 3, 3, 3]]
V = [[1], [2]]

Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V

Q K^T = [[4, 12], [7, 21]]

Row 1: $e^{2} = 7.389$, $e^{6} = 403.429$, sum: $7.389 + 403.429 = 410.818$, weights [0.018, 0.982]

Row 2: $e^{3.5} = 33.115$, $e^{10.5} = 36315.503$, sum: $33.115 + 36315.503 = 36348.618$,
weights [0.001, 0.999]

Z = [[1.982], [1.999]]
"""


def test_exponents_before_a_step_that_was_left_out_become_those_behind_it() -> None:
    assert repaired(UNDIVIDED).text == REPAIRED


def test_who_cuts_decimals_off_may_round_a_working_once() -> None:
    numeral, working = read_numeral("-0.86"), read_working("0.98*1.34 - 2.13*1.02", lambda _: False)
    assert working is not None
    assert rule(numeral, working.value, (), working, truncates=True).verdict == "correct"


def test_operands_that_may_have_been_cut_off_give_the_number_as_they_are() -> None:
    # 0.058 to 0.059 times 1.61 and so on is 1.0765 to 1.0850; rounded operands would give 1.0811 at most
    work = "0.058*1.610 + 0.203*2.666 + 0.639*0.440 + 0.004*2.220 + 0.093*1.634"
    assert gives(work, {operand: operand.text for operand in operands(work)}, "1.0820")
    assert not gives(work, {operand: operand.text for operand in operands(work)}, "1.0920")
