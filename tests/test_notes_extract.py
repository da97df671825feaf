"""`symattn extract`: what was understood, as a case that reads back to the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.auditor.audit import audit
from symattn.case import Claim
from symattn.cli import cli
from symattn.errors import MissingGiven
from symattn.reading.case_file import parse_case
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from symattn.reading.notes.cases.extract import extract

NOTES = """\
# Two words

```
Q = [[1, 0], [0, 2]]
K = [[1, 1], [0, 1]]
V = [[4, 0], [0, 8]]
QK^T[0,1] = 1×0 + 0×1 = 0
A = [[0.67, .33], [50%, 0.50]]
z_1 = 0.67·[4, 0] + 0.33·[0, 8] = [2.68, 0] + [0, 2.64] = [2.68, 2.64]
```
"""

TOML = """\
# Read from notes.md: 17 printed numbers.
# Of what is stated, row and col count from 0; line is that of the document.
title = "Two words"
source = "notes.md"

[given]
Q = [
  [1, 0],
  [0, 2],
]
K = [
  [1, 1],
  [0, 1],
]
V = [
  [4, 0],
  [0, 8],
]

[attention]
weights = "right"
scale = "1/sqrt(d_k)"  # inferred: it explains 8 of 8 printed numbers
undeclared = "both"  # no printed number overrules what the text leaves open

[[stated]]
name = "scores"
col = 1
values = [[0]]
work = "1*0 + 0*1"
line = 7
"""


def bare(claims: tuple[Claim, ...]) -> list[Claim]:
    """The claims without their columns, each with the line that it says or stands on."""
    lines = [claim.line or (claim.place.line if claim.place else None) for claim in claims]
    return [
        replace(claim, line=line, place=None, places=(), work_places=())
        for claim, line in zip(claims, lines, strict=True)
    ]


def test_a_document_becomes_an_editable_case() -> None:
    assert extract(read_notes(NOTES, "notes.md")).startswith(TOML)


def test_the_case_reads_back_to_the_same_givens_conventions_and_claims() -> None:
    reading = read_notes(NOTES, "notes.md")
    case = parse_case(extract(reading))
    assert bare(case.stated) == bare(reading.cases[0].stated)
    assert case.settings == reading.cases[0].settings
    assert {name: given.typed for name, given in case.given.items()} == {
        name: given.typed for name, given in reading.cases[0].given.items()
    }


def test_a_scale_that_the_text_leaves_open_is_overruled_by_no_number_of_the_case_either() -> None:
    text = "Q = [[1, 1], [2, 2]]\nK = [[1, 0], [0, 2]]\nscaled = [[1.00, 2.00], [2.00, 4.00]]\n"
    (report,) = document_reports(text, "notes.md", "markdown")
    again = audit(parse_case(extract(read_notes(text, "notes.md"))))
    assert [judged.verdict for judged in report.judgements] == ["slip"] * 4
    assert [judged.verdict for judged in again.judgements] == ["slip"] * 4


def test_a_document_without_an_example_says_what_is_missing() -> None:
    with pytest.raises(MissingGiven, match="no worked examples were found"):
        extract(read_notes("Nothing but words.", "notes.md"))


def test_the_verb_writes_the_case_and_says_how_much_was_read(tmp_path: Path) -> None:
    notes, case = tmp_path / "notes.md", tmp_path / "case.toml"
    notes.write_text(NOTES, encoding="utf-8")
    result = CliRunner().invoke(cli, ["extract", str(notes), "-o", str(case)])
    assert result.exit_code == 0
    assert "17 of 17 printed numbers read" in result.output
    assert parse_case(case.read_text(encoding="utf-8")).title == "Two words"


def test_numbers_that_nobody_could_read_are_those_of_the_extracted_case_too() -> None:
    text = "Q = [[1, 0]]\nK = [[1, 0], [0, 1]]\nV = [[1], [2]]\nscores = [[1, 0]]\n\nBlend: 0.73 ~ 0.27.\n"
    (case,) = read_notes(text).cases
    assert case.settings.unread is not None
    assert case.settings.unread.typed == (("0.73", "0.27"),)
    assert parse_case(extract(read_notes(text))).settings.unread == case.settings.unread


def test_claims_that_the_audit_withholds_are_not_in_the_case(tmp_path: Path) -> None:
    """No number of `exp` is right, and nothing says how it was made: it may be something else."""
    notes = tmp_path / "notes.md"
    text = "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1, 2], [3, 4]]\n\n"
    notes.write_text(f"{text}scores = [[1, 0], [0, 2]]\n\nexp = [[5.1, 6.2], [7.3, 8.4]]\n", "utf-8")
    stated = parse_case(CliRunner().invoke(cli, ["extract", str(notes)]).stdout).stated
    assert [claim.name for claim in stated] == ["scores"]
