"""`derive -` and `audit -` read standard input; shells complete verbs and options."""

from __future__ import annotations

import io

import pytest
from command import symattn

CASE = b'[given]\nQ = [[1]]\nK = [[2]]\n[attention]\nscale = 1\n[[stated]]\nname = "scores"\nvalues = [[2]]\n'
NOTES = b"# Notes\n\nQ = [[1, 2]], K = [[3, 4]]\n\nQ K^T = [[11]]\n\n```toml\n[given]\nX = [[1]]\n```\n"


def piped(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))


def test_a_case_from_standard_input_is_derived_and_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong in it has its line."""
    piped(CASE, monkeypatch)
    assert "S₁₁ = 1·2 = 2" in symattn("derive", "-").stdout
    piped(CASE, monkeypatch)
    assert "1 printed number: 1 right" in symattn("audit", "-").stdout
    piped(CASE.replace(b"Q =", b"Qq ="), monkeypatch)
    done = symattn("derive", "-")
    assert (done.returncode, done.stderr.split(" given")[0]) == (2, "symattn: -:2:1:")


def test_notes_from_standard_input_are_audited_and_not_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though they show a case."""
    piped(NOTES, monkeypatch)
    assert "right" in symattn("audit", "-").stdout
    piped(NOTES, monkeypatch)
    done = symattn("audit", "-", "--fix")
    assert (done.returncode, "cannot be fixed in place" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "completed"), [("symattn der", "derive"), ("symattn derive --la", "--latex")]
)
def test_shells_complete_verbs_and_options(
    words: str, completed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As click asks for it, through the environment."""
    for name, value in {
        "_SYMATTN_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }.items():
        monkeypatch.setenv(name, value)
    assert f"plain,{completed}" in symattn().stdout.split("\n")
