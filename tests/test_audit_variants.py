"""What variants bring along is judged with the digits that prints hide, and a slip in it is found."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.printed_by_hand import SETTINGS, drawn, entries, printed
from symattn.auditor.audit import audit

FORWARD = [name for name in SETTINGS if not name.startswith("backward") and "layer" not in SETTINGS[name]]
LONG = [name for name in SETTINGS if name not in FORWARD]


def accused(name: str, count: int) -> list[str]:
    """The entries called slips in honest prints of two and three decimals, from one to two more."""
    found = []
    for k in range(count):
        case = drawn(name, Random(f"{name}{k}"))
        for places in (2, 3):
            for kept in (0, 1, 2):
                report = audit(printed(case, places, kept))
                slips = [each.printed for each in report.judgements if each.verdict == "slip"]
                found += [f"{k}, {places}+{kept}: {x.name} {x.row} {x.col}" for x in slips]
    return found


def missed(name: str, count: int) -> list[tuple[str, int, int]]:
    """The planted slips that are not found, and what else is called one."""
    found = []
    for k in range(count):
        rng = Random(f"{name}{k}")
        case = drawn(name, rng)
        planted = rng.choice(entries(printed(case, 3)))
        for kept in (0, 1):
            report = audit(printed(case, 3, kept, slip=planted))
            slips = [each.printed for each in report.judgements if each.verdict == "slip"]
            found += list({planted} ^ {(x.name, x.row, x.col) for x in slips})
    return found


@pytest.mark.parametrize("name", FORWARD)
def test_honest_prints_of_every_step_have_no_slip(name: str) -> None:
    assert accused(name, 2) == []


@pytest.mark.parametrize("name", FORWARD)
def test_a_planted_slip_is_found_and_nothing_else(name: str) -> None:
    assert missed(name, 3) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_honest_prints_of_blocks_and_gradients_have_no_slip(name: str) -> None:
    assert accused(name, 2) == []
    assert missed(name, 3) == []
