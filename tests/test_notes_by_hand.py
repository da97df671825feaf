"""Slips as people make them by hand: the benchmark makes each kind, and its truth says what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.human import HUMAN
from benchmarks.notes.documents import by_hand
from benchmarks.notes.draft import Draft, random_draft

every_kind = pytest.mark.parametrize("kind", HUMAN)


def draft_of(kind: str) -> Draft:
    """An example with a slip of a kind that shows."""
    rng = Random(f"by hand:{kind}")
    while True:
        draft = random_draft(rng, "en", kind=kind)
        if draft.slipped:
            return draft


@every_kind
def test_a_slip_of_a_kind_is_the_only_mistake_and_all_that_is_wrong_goes_back_to_it(kind: str) -> None:
    draft = draft_of(kind)
    (mistake,) = draft.mistakes
    assert (mistake.code, mistake.family) == (kind, "human")
    steps = [step.name for step in draft.world.steps]
    wrong = {name for (name, _, _), truth in draft.truths.items() if truth.label in ("slip", "carried")}
    assert wrong
    assert all(steps.index(name) >= steps.index(mistake.step) for name in wrong)


def test_a_row_copied_from_above_is_wrong_where_it_differs_from_the_right_row() -> None:
    draft = draft_of("row-copied")
    name = draft.mistakes[0].step
    grid = [[num.text for num in row] for row in draft.grid(name)]
    labels = [[num.truth.label if num.truth else "" for num in row] for row in draft.grid(name)]
    (i,) = [i for i, row in enumerate(labels) if "slip" in row]
    assert grid[i] == grid[i - 1]
    assert all("slip" not in row for k, row in enumerate(labels) if k != i)


def test_documents_by_hand_hold_one_slip_of_the_kind_that_they_are_given_under() -> None:
    for kind, document in by_hand(1, 5, ("rows-exchanged", "row-unscaled", "positions-shifted")):
        assert [mistake.code for draft in document.drafts for mistake in draft.mistakes] == [kind]
        labels = {mark.num.truth.label for mark in document.marks if mark.num.truth is not None}
        assert "slip" in labels
