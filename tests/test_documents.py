"""Whole documents: what is wrong in them is accused and nothing else, and they are read.

The documents of `documents/` were written by hand, or by generators that share nothing with package or
benchmarks; its `truth.toml` says which of their numbers are slips, and how many get a verdict.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from symattn.auditor.report import Report
from symattn.casefile.file_kinds import kind_of
from symattn.notes.documents import document_reports

FOLDER = Path(__file__).parent / "documents"
TRUTH = tomllib.loads((FOLDER / "truth.toml").read_text(encoding="utf-8"))["document"]


def audited(name: str) -> tuple[Report, ...]:
    return tuple(document_reports((FOLDER / name).read_text(encoding="utf-8"), name, kind_of(name)))


@pytest.mark.parametrize("truth", TRUTH, ids=lambda truth: truth["file"])
def test_what_is_wrong_is_accused_as_far_as_it_is_not_given_up_and_nothing_else(
    truth: dict[str, Any],
) -> None:
    judged = [number for report in audited(truth["file"]) for number in report.judgements]
    accused = {
        (number.printed.place.line, number.printed.place.column)
        for number in judged
        if number.verdict == "slip" and number.printed.place is not None
    }
    places = [(line, column) for line, column, _ in truth["slips"]]
    given_up = {(line, column) for line, column in truth.get("given_up", ())}
    found = {spot for spot in places if spot in accused or (spot[0], spot[1] + 1) in accused}
    signs = {(line, column + 1) for line, column in places}  # where a numeral is behind its sign
    assert accused <= {*places, *signs}
    assert found == {*places} - given_up
    assert sum(number.verdict != "undecided" for number in judged) >= truth["judged"]


def test_every_document_is_labelled() -> None:
    files = {path.name for path in FOLDER.iterdir()} - {"truth.toml"}
    assert {truth["file"] for truth in TRUTH} == files
    assert len(files) >= 120
