"""What `--set` says of the conventions of a document, and messages for what cannot be used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.cli import cli
from symattn.errors import SymattnError
from symattn.reading.documents import reading_of
from symattn.reading.notes import read_notes
from symattn.reading.notes.cases.extract import extract
from symattn.reading.notes.result import Convention
from symattn.reading.overrides import overrides
from tests.linked import SQUARE, UNSCALED, conventions, remarks, verdicts


def test_an_option_wins_over_numbers_and_text_and_is_reported_as_given() -> None:
    given = overrides(["weights=right", "base=e"])
    assert remarks(SQUARE, given) == [("SA604", "weights = right; base = e; ; ")]
    assert "slip" in verdicts(SQUARE, given)
    assert conventions(SQUARE, given)["weights"] == Convention("weights", "right", given=True)


def test_the_first_index_may_be_given() -> None:
    text = "q_1 = [1, 2]\nk_1 = [3, 4]\nq_1 · k_1 = 11\n"
    assert [row for row, _ in _rows(text, "1")] == [0]
    assert [row for row, _ in _rows(text.replace("q_1", "q_0").replace("k_1", "k_0"), "0")] == [0]


def _rows(text: str, first: str) -> list[tuple[int, int]]:
    reading = read_notes(text, given=overrides([f"first_index={first}"]))
    return [(claim.row, claim.col) for case in reading.cases for claim in case.stated]


def test_an_extracted_case_says_why_it_keeps_each_convention() -> None:
    said = extract(read_notes(SQUARE, given=overrides(["scale=1"])))
    assert 'weights = "transposed"  # the text says right; this explains 8 of 8 printed numbers' in said
    assert 'scale = "1"  # given by --set' in said


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["scal=1"], '--set: scal: the unknown key "scal"\n  did you mean scale?'),
        (["scale"], '--set: "scale" where a key and a value belong\n  write KEY=VALUE'),
        (["weights=up"], '--set: weights: the value "up" is unknown\n  one of: right, transposed'),
        (["scale=0"], '--set: scale: "0" as the scale'),
        (["heads=two"], '--set: heads: the words "two" where a whole number belongs'),
        (["first_index=2"], '--set: first_index: the value "2" is unknown\n  one of: 0, 1'),
        (["base=e", "base=2"], "--set: base for the second time"),
        (["mask=[[1, 0"], "--set: not TOML"),
    ],
)
def test_an_option_that_cannot_be_used_is_one_message(options: list[str], told: str) -> None:
    with pytest.raises(SymattnError) as caught:
        overrides(options)
    assert str(caught.value).startswith(told)


def test_audit_and_extract_take_the_options(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(SQUARE, "utf-8")
    audited = CliRunner().invoke(cli, ["audit", str(notes), "--lang", "zh", "--set", "weights=transposed"])
    assert audited.exit_code == 0
    assert "SA604 由选项给定：weights = transposed" in audited.output
    extracted = CliRunner().invoke(cli, ["extract", str(notes), "--set", "weights=right"])
    assert 'weights = "right"  # given by --set' in extracted.output


def test_a_mistake_in_an_option_is_told_once_with_status_2(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(SQUARE, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "symattn", "audit", str(tmp_path), "--set", "scale=none"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("--set: scale")) == (2, "", 1)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.md", None, "there is no such file\n  check the name and the folder"),
        ("a.docx", b"3 + 4 = 8", "not of a kind that is read\n  notes are files that end in .md, "),
        ("a.md", b"\x89PNG", "a.md:1:1: the byte 0x89, which is not UTF-8\n  save the file as UTF-8 text"),
        ("a.md", b"x" * 2_000_001, "the file has 2,000,001 bytes\n  at most 2,000,000 bytes are read"),
        (
            "a.ipynb",
            b'{"cells": [',
            "not a notebook: expecting value\n  an .ipynb of format 4 is a JSON file with a list of cells",
        ),
        ("a.ipynb", b"[" * 100_000, "not a notebook: nested too deep"),
        ("a.md", b"Words.", "no worked examples were found in the document\n  a computation starts from X"),
    ],
)
def test_notes_that_cannot_be_used_are_one_message(
    name: str, content: bytes | None, told: str, tmp_path: Path
) -> None:
    notes = tmp_path / name
    if content is not None:
        notes.write_bytes(content)
    with pytest.raises(SymattnError) as caught:
        extract(reading_of(str(notes)))
    assert told in str(caught.value)
    assert str(notes) in str(caught.value)


def test_a_case_takes_them_too(tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    case.write_text(extract(read_notes(SQUARE)), "utf-8")
    assert CliRunner().invoke(cli, ["audit", str(case)]).exit_code == 0
    assert CliRunner().invoke(cli, ["audit", str(case), "--set", "weights=right"]).exit_code == 1


def test_a_case_keeps_to_the_scale_that_an_option_gives(tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    case.write_text(extract(read_notes(UNSCALED)), "utf-8")
    assert "SA601" in CliRunner().invoke(cli, ["audit", str(case)]).output
    given = CliRunner().invoke(cli, ["audit", str(case), "--set", "scale=1/sqrt(d_k)"]).output
    assert "SA601" not in given
    assert "SA202" in given
