"""The benchmark of whole derivations: decimals are compared with an independent program in mpmath."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import mpmath
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.derivations.cases import cases
from benchmarks.derivations.comparison import Printed, Tally, compared, derived
from benchmarks.derivations.layers import LOSS, program
from benchmarks.derivations.numbers import fixed, significant
from benchmarks.derivations.program import Entry

ONE_HEAD = """
[given]
Q = [[1]]
K = [["log(2)"], [0]]
V = [[3], [0]]
dZ = [[1]]
[attention]
scale = 1
"""


def tally(text: str) -> Tally:
    return compared(text, list(derived(text)))


@pytest.mark.parametrize("k", [2, 8, 10, 24])
def test_every_decimal_of_small_random_cases_is_correctly_rounded(k: int) -> None:
    """Two layers of grouped queries; grouped queries; relative biases; a window over a cache."""
    found = tally(next(islice(cases(7), k, None)))
    assert found.messages == []
    assert sum(found.digits.values()) > 2000
    assert not any(found.wrong.values())


def test_a_wrong_digit_is_counted() -> None:
    (first, *others) = derived(ONE_HEAD)
    steps = {step["name"]: step for step in first.data["steps"]}
    assert steps["Z"]["decimal"] == [["2.0000"]]
    steps["Z"]["decimal"] = [["2.0010"]]
    found = compared(ONE_HEAD, [first, *others])
    assert dict(+found.wrong) == {"forward steps": 1}
    assert found.messages == ["Z[0][0] is 2.0010, and 2.0000 is right"]


def test_the_program_differentiates_by_given_and_computed_values() -> None:
    """Z = 3 a with a = 2/3: dV_1 = a, dA_1 = 3, dscores_1 = 3 a (1 - a), and dQ = dscores . K."""
    with mpmath.workdps(400):
        p = program(ONE_HEAD)
        found = [p.slopes([LOSS], Entry(name, 0, 0))[LOSS][0][0] for name in ("V", "A", "scores", "Q")]
        said = [fixed(x, 4) for x in found]
        assert said == ["0.6667", "3.0000", "0.6667", fixed(2 * mpmath.log(2) / 3, 4)]


@pytest.mark.parametrize(
    ("typed", "places", "said"),
    [
        ("0.125", 2, "0.13"),
        ("-0.125", 2, "-0.13"),
        ("-0.004", 2, "0.00"),
        ("2.5", 0, "3"),
        ("0.99996", 4, "1.0000"),
        ("9.9996e199", 0, "99996" + 195 * "0"),
        ("-2.49217e686", 4, "-2.4922e686"),
        ("9.99996e200", 4, "1.0000e201"),
    ],
)
def test_ties_round_away_from_zero_and_minus_zero_is_zero(typed: str, places: int, said: str) -> None:
    with mpmath.workdps(400):
        assert fixed(mpmath.mpf(typed), places) == said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0.000012345", "1.23e-5"),
        ("0.0012345", "0.00123"),
        ("99950", "100000"),
        ("999500", "1.00e6"),
        ("0", "0"),
        ("-1", "-1.00"),
    ],
)
def test_significant_digits(typed: str, said: str) -> None:
    with mpmath.workdps(400):
        assert significant(mpmath.mpf(typed), 3) == said


def test_what_is_not_printed_is_counted_apart() -> None:
    printed = [Printed(each.places, each.data) for each in derived(ONE_HEAD)]
    for step in printed[0].data["steps"]:
        step["decimal"] = [[None] * len(row) for row in step["decimal"]]
    found = compared(ONE_HEAD, printed)
    assert found.withheld["forward steps"] == found.decimals["forward steps"] / 4
    assert not any(found.wrong.values())


def test_a_tie_of_a_derivation_is_compared_as_a_tie() -> None:
    """-0.12345 with four decimals."""
    text = '[given]\nQ = [["-0.12345"]]\nK = [[1]]\nV = [[1]]\n[attention]\nscale = 1\n'
    (first, *others) = derived(text)
    assert first.data["steps"][0]["decimal"] == [["-0.1235"]]
    assert compared(text, [first, *others]).messages == []


def test_what_counts_as_zero_at_400_digits_is_evaluated_with_more() -> None:
    """e^-1000 in a sum with 1, and its own decimal with 6 significant digits."""
    found = tally(ONE_HEAD.replace('"log(2)"', "-1000"))
    assert found.messages == []


def test_a_mask_of_zeros_alone_hides_nothing_in_the_program_too() -> None:
    found = tally(ONE_HEAD + "mask = [[0, 0]]\n")
    assert found.messages == []
