"""The independent walk in floats: it agrees where all is right, and catches an operation that lies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import symattn
from symattn.crosscheck import crosscheck
from symattn.derive import Derivation, derive
from symattn.ops.scale import Scale
from symattn.ops.weigh import Weigh
from symattn.reading.case_file import parse_case, read_case
from symattn.recipes.attention import attention, values

if TYPE_CHECKING:
    from symattn.operation import Floats

CASES = sorted((Path(__file__).parent.parent / "cases").rglob("*.toml"))

TWO = """
title = "two tokens"
[given]
X = [[1, 1, 0], [1, 0, 1]]
W_Q = [[1, 0], [0, 1], [1, 1]]
W_K = [[0, 1], [1, 0], [1, 1]]
W_V = [[1, 0, 1], [0, 1, 1], [1, 1, 0]]
"""


def walked(text: str) -> Derivation:
    case = parse_case(text, None)
    return derive(attention(case), values(case))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_agrees_with_numpy_in_every_step(path: Path) -> None:
    worked = symattn.work(read_case(path))
    assert worked.check.agrees
    assert [step.name for step in worked.check.steps] == [line.name for line in worked.derivation]


def test_whole_numbers_are_held_exactly_and_the_softmax_is_off_by_few_ulps() -> None:
    steps = {step.name: step.max_ulp for step in crosscheck(walked(TWO)).steps}
    assert steps["Q"] == steps["scores"] == 0.0
    assert steps["A"] is not None
    assert 0 < steps["A"] < 4


@dataclass(frozen=True, slots=True)
class LyingWeigh(Weigh):
    """Its floats lose a part in a million of every output."""

    def floats(self, *arguments: Floats) -> Floats:
        return Weigh.floats(self, *arguments) * (1 - 1e-6)


@dataclass(frozen=True, slots=True)
class BarelyLyingScale(Scale):
    """Its floats are wrong by a hundred units of the last place."""

    def floats(self, *arguments: Floats) -> Floats:
        return Scale.floats(self, *arguments) * (1 + 100 * 2.0**-52)


def test_an_operation_whose_floats_lie_is_caught_in_its_own_step() -> None:
    right = walked(TWO)
    lying = tuple(replace(line, op=LyingWeigh()) if line.name == "Z" else line for line in right.plan)
    check = crosscheck(Derivation(right.given, lying, right.values))
    assert not check.agrees
    assert [step.name for step in check.steps if not step.agrees] == ["Z"]


def test_a_lie_of_a_hundred_ulps_is_a_disagreement_too() -> None:
    right = walked(TWO)

    def lie(op: Scale) -> BarelyLyingScale:
        return BarelyLyingScale(op.divisor, op.spelled, op.value, op.sizes)

    lying = tuple(
        replace(line, op=lie(line.op)) if isinstance(line.op, Scale) else line for line in right.plan
    )
    wrong = [
        step.name
        for step in crosscheck(Derivation(right.given, lying, right.values)).steps
        if not step.agrees
    ]
    assert wrong[0] == "scaled"


def test_exponentials_beyond_float64_are_compared_relative_to_the_largest() -> None:
    text = 'title = "deep"\n[given]\nscores = [[2000, 1990]]\nV = [[1], [3]]\n[attention]\nscale = "1"\n'
    check = crosscheck(walked(text))
    assert check.agrees
    found = {step.name: step.max_ulp for step in check.steps}
    assert found["exp"] is None
    assert found["A"] is not None


def test_free_symbols_are_checked_at_a_witness_point() -> None:
    text = 'title = "s"\nsymbols = ["a", "b"]\n[given]\nscores = [["a", "b"], ["a*b", 1]]\nV = [["a"], [2]]\n'
    check = crosscheck(walked(text + '[attention]\nscale = "1"\n'))
    assert check.agrees
    assert dict(check.symbols) == {"a": "3/7", "b": "5/11"}


def test_a_float_beside_an_exact_zero_is_no_number_of_ulps() -> None:
    text = 'title = "z"\n[given]\nX = [[0.1, 0.2, -0.3]]\nW_Q = [[1], [1], [1]]\n'
    (step,) = crosscheck(walked(text)).steps
    assert step.agrees
    assert step.max_ulp == 0.0


def test_a_step_whose_bound_is_beyond_float64_is_said_not_to_be_compared() -> None:
    text = (
        'title = "vast"\n[given]\nscores = [["1e40", "3e40/7"]]\nV = [[1], [3]]\n[attention]\nscale = "1/7"\n'
    )
    found = {step.name: step.max_ulp for step in crosscheck(walked(text)).steps}
    assert found["scaled"] is not None
    assert found["A"] is None
