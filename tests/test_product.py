"""Every combination of settings is evaluated as the papers define it, gradients included, or is refused.

There are 200 million combinations: all pairs of their values are held here, and with `-m slow` a large
sample. The plan is evaluated in NumPy by its operations, whose exact values are held against those by
`test_contract.py`; some combinations of the slow tests are evaluated exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from complex_steps import gradients, is_smooth, loss, steps
from msgspec.structs import replace
from product_cases import FACTORS, Case, Combination, by_pairs, case_of, drawn, refusal, toml

from symattn.attention.case import Case as ReadCase
from symattn.attention.recipes import core
from symattn.attention.recipes.attention import attention, forward, values
from symattn.casefile.case_file import parse_case
from symattn.casefile.idle import refuse_idle
from symattn.exact.number import Exact
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.plan import Plan
from symattn.result import work
from symattn.text.errors import SymattnError

FAR = 1e-9
Values = Mapping[str, Any]


def in_floats(case: ReadCase) -> Values:
    """Every step of the plan of a case in NumPy; refused as `work` refuses it."""
    plan: Plan = attention(case)
    refuse_idle(case)
    made = {name: matrix_to_floats(matrix) for name, matrix in values(case).items()}
    for line in plan:
        made[line.name] = line.op.floats(*(made[name] for name in line.args))
    return made


def exactly(case: ReadCase) -> Values:
    """Every step of the derivation, exact values as floats."""
    worked = work(case)
    return {line.name: matrix_to_floats(worked[line.name]) for line in worked.derivation.plan}


def differences(made: Values, given: Values, case: ReadCase) -> list[str]:
    """What of the last value, the loss and the gradients is not as by the textbook formulas."""
    last = forward(case)[-1].name
    wanted: dict[str, Any] = {last: steps(given, case)[last]}
    if case.settings.loss != "none":
        wanted["loss"] = np.array([[loss(given, case, last).real]])
    for name, matrix in gradients(given, case, last).items():
        tag, _, base = name.rpartition(".")
        wanted[f"{tag}.d{base}" if tag else f"d{base}"] = matrix
    return [name for name, matrix in wanted.items() if not near(made.get(name), matrix)]


def near(found: Any, wanted: Any) -> bool:
    """Whether a matrix is the wanted one; one that is not there is a gradient of 0."""
    if found is None:
        return not wanted.any()
    return bool(
        found.shape == wanted.shape and np.abs(found - wanted).max() < FAR * max(1, np.abs(wanted).max())
    )


def of(c: Combination, seed: int) -> Case:
    """A case of a combination in which nothing is divided by zero, and no ReLU is at its kink."""
    for number in range(seed, seed + 50):
        case = case_of(c, Random(number))
        if refusal(c) is not None or is_smooth(case[0], parse_case(toml(case))):
            return case
    raise AssertionError(f"no case of {c}")


def wrong(c: Combination, seed: int, evaluated: Any = in_floats) -> list[str]:
    """What is wrong with a combination: differences, or that it is not refused as it should be."""
    case, expected = of(c, seed), refusal(c)
    read = parse_case(toml(case))
    try:
        made = evaluated(read)
    except SymattnError as error:
        return [] if expected and expected in str(error) else [str(error)]
    return [f"not refused: {expected}"] if expected else differences(made, case[0], read)


@cache
def covering() -> tuple[Combination, ...]:
    return tuple(by_pairs(Random(0)))


@pytest.mark.parametrize("part", range(4))
def test_all_pairs_of_settings_agree_with_the_textbook_formulas_or_are_refused(part: int) -> None:
    found = {seed: wrong(c, seed) for seed, c in list(enumerate(covering()))[part::4]}
    assert {seed: (each, covering()[seed]) for seed, each in found.items() if each} == {}


def test_the_covering_has_every_value_of_every_setting_in_a_combination_that_is_evaluated() -> None:
    evaluated = [c for c in covering() if refusal(c) is None]
    assert all({c[name] for c in evaluated} == set(options) for name, options in FACTORS.items())


def test_a_wrong_combination_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a softcap the scores are divided by too much: one combination of two settings."""
    right = core.scale

    def scale(case: ReadCase, sizes: Any) -> Any:
        op: Any = right(case, sizes)
        return op if case.settings.softcap is None else replace(op, divisor=op.divisor + Exact.of(1))

    seed, c = next((i, c) for i, c in enumerate(covering()) if c["softcap"] and refusal(c) is None)
    assert wrong(c, seed) == []
    monkeypatch.setattr(core, "scale", scale)
    assert "dW_Q" in wrong(c, seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 2000, 100))
def test_random_combinations_agree_with_the_textbook_formulas_or_are_refused(start: int) -> None:
    found = {seed: wrong(drawn(Random(seed)), seed) for seed in range(start, start + 100)}
    assert {seed: each for seed, each in found.items() if each} == {}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_random_combinations_have_the_exact_values_of_the_textbook_formulas(seed: int) -> None:
    simple = {"layers": 1, "heads": (1, 1), "base": None, "qk_norm": "none"}
    simple |= {"layer": ("none", "residual")[seed % 2], "positions": ("none", "alibi", "relative")[seed % 3]}
    draw = Random(seed)
    c = next(c for c in (drawn(draw) | simple for _ in range(1000)) if refusal(c) is None)
    assert wrong(c, seed, exactly) == []
