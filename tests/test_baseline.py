"""Baselines: what an audit knows already it keeps quiet, leaves alone, and misses when it is gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import Done, symattn

GIVEN = "X = [[1, 2], [3, 4]], W_K = [[1, 1], [0, 1]]"
TEXT = f"3 + 4 = 8\n\n5 + 5 = 11\n\n{GIVEN}\n\nK = X W_K = [[1, 3], [3, 8]]\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A note with three wrong numbers and a baseline of it."""
    path = tmp_path / "a.md"
    path.write_text(TEXT, "utf-8")
    written = symattn("audit", "a.md", "--write-baseline", "known.json", folder=tmp_path)
    assert (written.returncode, written.stderr) == (0, "symattn: 3 findings written to known.json\n")
    return path


def audit(notes: Path, *arguments: str) -> Done:
    return symattn("audit", notes.name, "--baseline", "known.json", *arguments, folder=notes.parent)


def test_what_a_baseline_knows_is_quiet_wherever_it_stands_and_what_is_new_is_not(notes: Path) -> None:
    notes.write_text(f"# A title\n\nSome words.\n\n{TEXT}", "utf-8")
    found = audit(notes)
    assert (found.returncode, found.stderr) == (0, "")
    assert "3 suppressed" in found.stdout
    notes.write_text(f"2 + 2 = 5\n\n3 + 4 = 8\n\n{TEXT}", "utf-8")
    found = audit(notes)
    assert found.returncode == 1
    assert [line.split()[0] for line in found.stdout.splitlines() if "SA205" in line] == [
        "a.md:1:9:",
        "a.md:5:9:",
    ]


def test_a_finding_that_is_gone_is_reported(notes: Path) -> None:
    notes.write_text(TEXT.replace("= 8", "= 7"), "utf-8")
    found = audit(notes)
    assert (found.returncode, found.stderr) == (
        0,
        "symattn: a.md: 1 finding of the baseline is gone: SA205 3 + 4 8\n",
    )


def test_fixes_leave_alone_what_a_baseline_knows(notes: Path) -> None:
    notes.write_text(f"2 + 2 = 5\n\n{TEXT}", "utf-8")
    found = audit(notes, "--unsafe-fixes")
    assert (found.returncode, found.stderr) == (0, "fixed 1 place in a.md\n")
    assert notes.read_text("utf-8") == f"2 + 2 = 4\n\n{TEXT}"


def test_paths_are_those_from_the_folder_of_the_baseline(notes: Path) -> None:
    inside = notes.parent / "inside"
    inside.mkdir()
    assert symattn("audit", "../a.md", "--baseline", "../known.json", folder=inside).returncode == 0
    assert list(json.loads((notes.parent / "known.json").read_text("utf-8"))["files"]) == ["a.md"]


def test_habits_may_name_the_baseline(notes: Path) -> None:
    assert symattn("audit", "a.md", folder=notes.parent).returncode == 1
    (notes.parent / "symattn.toml").write_text('baseline = "known.json"\n', "utf-8")
    assert symattn("audit", "a.md", folder=notes.parent).returncode == 0
    again = symattn("audit", "a.md", "--write-baseline", "known.json", folder=notes.parent)
    assert again.stderr == "symattn: 3 findings written to known.json\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "known.json: there is no such file"),
        ("{", "known.json:1: not JSON"),
        ('{"schema": "symattn/audit/1"}', "known.json: this is not a baseline"),
        ('{"schema": "symattn/baseline/1", "files": {"a.md": [{}]}}', "known.json: this is not a baseline"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(notes: Path, text: str | None, said: str) -> None:
    if text is None:
        (notes.parent / "known.json").unlink()
    else:
        (notes.parent / "known.json").write_text(text, "utf-8")
    found = audit(notes)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(f"symattn: {said}")


def test_a_baseline_is_read_or_written_and_not_both(notes: Path) -> None:
    found = audit(notes, "--write-baseline", "other.json")
    assert found.returncode == 2
    assert "exclude each other" in found.stderr
