"""The random cases that are held against PyTorch, as far as that goes without PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parent.parent / "tools"))

import random_torch

from symattn.attention.recipes.attention import attention
from symattn.attention.recipes.leftover import Leftover, leftover
from symattn.casefile.case_file import parse_case


@pytest.mark.parametrize("seed", range(12))
def test_a_random_case_can_be_derived_and_has_the_gradient_of_every_given(seed: int) -> None:
    case = parse_case(random_torch.toml(random_torch.random_case(Random(seed))))
    plan = attention(case)
    made = {line.name for line in plan}
    assert "loss" in made
    assert {"dX", "dW_Q", "dW_K", "dW_V"} <= made
    assert leftover(case, plan) in (Leftover(), Leftover(unused=("W_V",)))
