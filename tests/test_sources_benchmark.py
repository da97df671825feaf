"""The labels of the five sources, and how verdicts are counted against them."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.judging import judged
from benchmarks.sources import LABELS, TRUTHS, confusion, labels_of

WRONG = "X = [[1, 2]]\n\nSo:\nexp(1) + 1 = 6.2\n"


def test_every_numeral_of_the_five_sources_is_labelled_once() -> None:
    notes = tomllib.loads(LABELS.read_text(encoding="utf-8"))["note"]
    assert [len(labels_of(note["results"])) for note in notes] == [len(note["results"]) for note in notes]
    assert [len(note["results"]) for note in notes] == [101, 259, 77, 69, 58]


def test_every_wrong_number_of_the_sources_says_why() -> None:
    for note in tomllib.loads(LABELS.read_text(encoding="utf-8"))["note"]:
        for *_, truth in note["results"]:
            assert truth in TRUTHS or truth.startswith("computed anew it is ")


def test_a_slip_that_is_found_agrees_with_its_label() -> None:
    labels = labels_of([(4, 14, "6.2", "sum", "computed anew it is 3.7")])
    assert confusion(labels, judged(WRONG, "notes.md", "markdown")) == ({("slip", "slip"): 1}, [])


def test_an_accusation_against_the_label_is_told() -> None:
    counts, differing = confusion(
        labels_of([(4, 14, "6.2", "sum", "right"), (9, 9, "1", "Z[0,0]", "right")]),
        judged(WRONG, "notes.md", "markdown"),
    )
    assert counts == {("right", "slip"): 1, ("right", "no verdict"): 1}
    assert differing == ["  4:14 6.2 (sum) right -> slip", "  9:9 1 (Z[0,0]) right -> no verdict"]


def test_an_accusation_without_a_label_is_told() -> None:
    assert confusion({}, judged(WRONG, "notes.md", "markdown"))[1] == [
        "  4:14 6.2 accused, though it has no label"
    ]
