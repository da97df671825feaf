"""Random cases over the product of the settings: right floats agree, and a float that was moved is reported.

`benchmarks/crosscheck.py` does the same with as many as one has time for.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.crosscheck import outcome
from benchmarks.random_cases import random_case


@pytest.mark.parametrize("start", range(480, 550, 10))
def test_right_floats_agree_and_moved_ones_are_reported(start: int) -> None:
    for seed in range(start, start + 10):
        found = outcome(seed)
        if found is not None:
            assert found.check.agrees, random_case(seed)
            assert not found.missed, random_case(seed)


def test_a_seed_is_a_case_and_most_are_derived() -> None:
    assert random_case(3) == random_case(3)
    assert sum(outcome(seed) is not None for seed in range(480, 490)) > 5
