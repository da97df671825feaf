"""The renderer of the notes benchmark knows where it put every numeral."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.documents import Written, document, of_kind
from benchmarks.notes.forms import FORMS
from benchmarks.notes.kinds import KINDS


@pytest.mark.parametrize("number", range(len(FORMS) + 1))
def test_every_numeral_of_a_form_stands_at_the_place_that_the_renderer_names(number: int) -> None:
    holds_its_marks(document(seed=7, k=number))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("k", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 6))])
def test_every_numeral_of_a_kind_stands_at_the_place_that_the_renderer_names(name: str, k: int) -> None:
    holds_its_marks(of_kind(name, seed=7, k=k))


def holds_its_marks(written: Written) -> None:
    lines = written.text.split("\n")
    assert written.marks
    for mark in written.marks:
        there = lines[mark.line - 1][mark.column - 1 :]
        assert there.replace("−", "-").startswith(mark.num.text.replace("−", "-"))


def test_a_document_depends_on_its_seed_and_number_alone() -> None:
    assert document(3, 5).text == document(3, 5).text
    assert document(3, 5).text != document(4, 5).text


def test_notebooks_are_valid_json_with_outputs_below_their_code() -> None:
    number = list(FORMS).index("notebook")
    cells = json.loads(document(1, number).text)["cells"]
    assert {cell["cell_type"] for cell in cells} == {"markdown", "code"}
    assert all(isinstance(cell["source"], list) for cell in cells)


def test_what_is_carried_goes_back_to_a_number_that_is_printed() -> None:
    """Dots leave entries out; what follows from a wrong one of these is the first slip that can be seen."""
    for k in range(20):
        written = of_kind("captions and dots", 205, k)
        shown = {mark.num.entry for mark in written.marks}
        truths = [mark.num.truth for mark in written.marks if mark.num.truth is not None]
        assert all(truth.roots <= shown for truth in truths if truth.label == "carried")


def test_a_wrong_number_that_joins_a_cache_is_the_slip_put_down_again() -> None:
    """The value of the new token lacks its bias; the matrix of all values repeats it."""
    marks = of_kind("one query", 303, 8).marks
    truths = {mark.num.truth for mark in marks if mark.num.entry in (("new_V", 0, 0), ("V", 4, 0))}
    assert [truth.label for truth in truths if truth is not None] == ["slip"]
