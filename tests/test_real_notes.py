"""The data of the benchmark on public notes: addresses that can be followed, labels that can be counted."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.judging import judged
from benchmarks.real_notes import SETS, Tally, _table, notes_of, part_of

HALVES = ("closed", "open")
NOTES = [note for name in SETS for note in notes_of(name)]


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note["file"])
def test_every_note_says_where_it_is_and_labels_each_place_once(note: dict[str, Any]) -> None:
    address = {"repository", "path", "commit"} <= note.keys() or note.get("page", "").startswith("https://")
    assert address or note["id"].isdigit()
    places = [(line, column) for line, column, *_ in note["results"]]
    assert places
    assert len(set(places)) == len(places)


def test_more_than_twenty_notes_have_an_address() -> None:
    assert sum("commit" in note for note in NOTES) > 20


def test_no_two_notes_share_a_file_and_no_repository_is_in_both_new_halves() -> None:
    assert len({note["file"] for note in NOTES}) == len(NOTES)
    halves = [{note["repository"] for note in notes_of(name)} for name in ("development2", "held_out2")]
    assert not halves[0] & halves[1]


def test_a_repository_is_in_the_closed_or_the_open_half_by_its_hash_and_in_no_older_set() -> None:
    older = {
        note.get("repository") for name in SETS if not name.startswith(HALVES) for note in notes_of(name)
    }
    for name in SETS:
        if name.startswith(HALVES):
            for note in notes_of(name):
                number = int(hashlib.sha1(note["repository"].lower().encode()).hexdigest(), 16)
                assert name.startswith("closed" if number % 3 else "open"), note["file"]
                assert note["repository"] not in older


def test_of_a_closed_set_only_totals_are_printed(tmp_path: Path) -> None:
    (tmp_path / "n.md").write_text("$1 + 1 = 3$\n", encoding="utf-8")
    note = {"file": "n.md", "results": [[1, 10, "3", "sum", "computed anew it is 2"]]}
    printed = "\n".join(_table("closed_en", [note], [tmp_path], show=True))
    assert "(1 of 1)" in printed
    assert "| n |" not in printed
    assert "1:10" not in printed


def test_a_part_is_lines_of_a_text_or_cells_of_a_notebook() -> None:
    assert part_of("a\nb\nc\nd\n", {"lines": [2, 3]}) == "b\nc\n"
    assert part_of('{"cells": ["a", "b", "c"]}', {"cells": [1, 1]}) == '{\n "cells": [\n  "b"\n ]\n}\n'
    assert part_of("a\n", {}) == "a\n"


def test_copies_and_unclear_numbers_count_neither_way() -> None:
    audited = judged("$1 + 1 = 3$\n", "n.md", "markdown")
    counts = []
    for label in ("computed anew it is 2", "right", "copied", "unclear"):
        tally = Tally()
        tally.count({(1, 10): ("3", "sum", label)}, audited)
        counts.append((tally.of["slip precision"].k, tally.of["slip precision"].n))
    assert counts == [(1, 1), (0, 1), (0, 0), (0, 0)]


def test_closed_and_open_halves_share_no_repository_and_have_blobs() -> None:
    halves = {
        half: [n for s in SETS if s.startswith(half) for n in notes_of(s)] for half in ("closed", "open")
    }
    assert not {n["repository"] for n in halves["closed"]} & {n["repository"] for n in halves["open"]}
    assert all(len(n["blob"]) == 40 and n["commit"] for notes in halves.values() for n in notes)
