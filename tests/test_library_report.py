"""Audits and facts in Python programs."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from command import symattn as run

import symattn

ROOT = Path(__file__).parent.parent
NOTES = ROOT / "examples" / "attention.md"


@pytest.fixture(scope="module")
def notes() -> symattn.Report:
    return symattn.audit_file(NOTES)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "latex", "json", "sarif", "github"])
@pytest.mark.parametrize("file", ["examples/attention.md", "cases/softmax_saturation.toml"])
def test_a_report_writes_what_the_command_writes(
    form: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    report = symattn.audit_file(file)
    assert getattr(report, form)(lang="en") == run("audit", file, "--format", form, "--lang", "en").stdout


def test_the_text_of_a_file_is_audited_as_the_file_is(notes: symattn.Report) -> None:
    assert symattn.audit_text(NOTES.read_text(encoding="utf-8"), str(NOTES)) == notes
    assert notes.failing() < notes.failing(strict=True)
    assert sum(notes.counts.values()) == len(notes.judgements) == 53


def test_findings_are_chosen_by_code(notes: symattn.Report) -> None:
    assert "SA103" in notes.text()
    assert "SA103" not in notes.text(select=["SA2"])
    assert "SA103" in notes.json()
    assert not [code for code in ("SA103", "SA205") if code in notes.json(ignore=["SA1", "SA2"])]


def test_settings_hold_for_a_case_as_the_option_says() -> None:
    case = (
        'given = {scores = [[0, 2]], V = [[1], [2]]}\nstated = [{name = "scaled", values = [["0", "4"]]}]\n'
    )
    assert symattn.audit_text(case, "a.toml", settings={"scale": 1}).counts["slip"] == 1
    assert symattn.audit_text(case, "a.toml", settings={"scale": 2}).counts["slip"] == 0


def test_a_report_is_immutable_pickles_and_shows_itself(notes: symattn.Report) -> None:
    assert pickle.loads(pickle.dumps(notes)) == notes
    assert repr(notes).endswith(
        "attention.md: 53 printed numbers: 41 right, 8 off by rounding only, 2 slips, 2 carried forward.)"
    )
    assert "<table" in notes._repr_html_()
    assert r"\documentclass" in notes.latex()
    assert r"\section" in notes._repr_latex_()
    assert r"\documentclass" not in notes._repr_latex_()
    with pytest.raises(AttributeError, match="immutable"):
        notes.path = "other.md"


def test_what_audits_refuse_says_what_would_do(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"symattn\.audit_file\(path\)"):
        symattn.audit("notes.md")  # type: ignore[arg-type]
    with pytest.raises(symattn.SymattnError, match=r"a\.doc, of no kind .*\n.*\.md"):
        symattn.audit_text("", "a.doc")
    with pytest.raises(symattn.SymattnError, match="no such file"):
        symattn.audit_file(tmp_path / "nothing.md")


def test_facts_are_sentences_when_printed() -> None:
    facts = symattn.attention(Q=[[1], [1]], K=[[1], [2], [0]], V=[[1, 1], [1, 2], [1, 3]], scale=1).facts
    said = list(map(str, facts))
    assert "Every row of A sums to exactly 1." in said
    assert "In row 1 of A, from the largest: column 2 > column 1 > column 3." in said
    assert "Rows 1 and 2 of A are equal." in said
    assert "Row 1, column 1 of Z is exactly 1." in said
    assert facts[0].sentence("zh") == "A 的每一行之和恰为 1。"
    assert next(fact.value for fact in facts if fact.kind == "constant") == 1
