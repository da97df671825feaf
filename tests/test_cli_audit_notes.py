"""`symattn audit notes.md`: documents, with excerpts, stray equations, suppressions and fixes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import symattn

from symattn.attention.case import Place
from symattn.auditor.messages import source_line
from symattn.auditor.report import Judgement, Report
from symattn.casefile.file_kinds import Kind
from symattn.notes.documents import document_reports

NOTES = """\
# 猫

X = [[1, 2], [3, 4]]
W_K = [[1, 1], [0, 1]]

键 K = X W_K = [[1, 3], [3, 8]]

exp(1) = 2.82
"""
NOTEBOOK = r"""{
 "cells": [
  {"cell_type": "markdown", "metadata": {}, "source": ["X = [[1, 2], [3, 4]]\n", "W_K = [[1, 1], [0, 1]]\n"]},
  {"cell_type": "code", "metadata": {}, "execution_count": 1,
   "outputs": [{"output_type": "stream", "name": "stdout", "text": "\u732b K = X W_K = [[1, 3], [3, 8]]"}],
   "source": ["# 3 + 4 = 7"]}
 ],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5
}
"""


def judged(text: str, kind: Kind = "markdown") -> list[Judgement]:
    """All judgements on a document, walk by walk."""
    return [judgement for report in reports(text, kind) for judgement in report.judgements]


def reports(text: str, kind: Kind = "markdown") -> tuple[Report, ...]:
    return document_reports(text, "notes", kind)


def codes(text: str, kind: Kind = "markdown") -> list[str | None]:
    """The codes of all findings but for the inferred conventions."""
    found = [finding.code for report in reports(text, kind) for finding in report.findings()]
    return [code for code in found if code != "SA603"]


@pytest.mark.parametrize("end", [".Rmd", ".qmd", ".rst", ".org", ".adoc", ".typ"])
def test_text_of_other_markups_is_audited_by_the_end_of_its_name(end: str, tmp_path: Path) -> None:
    (tmp_path / f"notes{end}").write_text(NOTES, "utf-8")
    found = symattn("audit", f"notes{end}", folder=tmp_path)
    assert (found.returncode, f"notes{end}:8:10: SA205" in found.stdout) == (1, True)


def test_a_document_is_reported_line_by_line_with_carets_under_its_numbers(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(NOTES, "utf-8")
    found = symattn("audit", "notes.md", "--lang", "en", folder=tmp_path)
    assert (found.returncode, found.stderr) == (1, "")
    assert "notes.md:6:28: SA202 K, row 2, column 2: printed 8, the right value is 7" in found.stdout
    assert (
        "    6 | 键 K = X W_K = [[1, 3], [3, 8]]\n"
        "      |                             ^\n"
        "notes.md:8:10: SA205 printed 2.82 for exp(1); the right value is 2.72, off by 0.10\n"
        "    8 | exp(1) = 2.82\n"
        "      |          ^^^^\n"
    ) in found.stdout
    assert found.stdout.endswith("notes.md: 5 printed numbers: 3 right, 2 slips.\n")


DOUBTED = "S = [[2, 1], [0, 3]]\n\nA = [[0.73, 0.27], [0.05, 0.99]]\n"


def test_what_only_some_readings_accuse_is_a_doubt_and_no_finding(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(DOUBTED, "utf-8")
    quiet = symattn("audit", "a.md", "--lang", "en", folder=tmp_path)
    assert quiet.returncode == 0
    assert "a.md: not listed: in doubt SA906 × 1 (--doubts lists what is in doubt)" in quiet.stdout
    listed = symattn("audit", "a.md", "--lang", "zh", "--doubts", "--strict", folder=tmp_path)
    assert listed.returncode == 0
    assert "a.md:3:27: SA906 0.99 存疑：只有部分读法认为应为 0.95\n    3 | A =" in listed.stdout


def test_doubts_stand_in_json_beside_the_findings_and_count_as_unread(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(DOUBTED, "utf-8")
    (file,) = json.loads(symattn("audit", "a.md", "--format", "json", folder=tmp_path).stdout)["files"]
    assert (file["printed"], file["judged"], file["findings"]) == (4, 3, [])
    assert [(each["text"], each["why"]) for each in file["unread"]] == [("0.99", "doubt")]
    (doubt,) = file["doubts"]
    assert (doubt["code"], doubt["line"], doubt["printed"], doubt["expected"]) == ("SA906", 3, "0.99", "0.95")
    assert doubt["strength"] > 0


def test_findings_on_notes_have_their_strength_and_sarif_its_rank(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(NOTES + DOUBTED, "utf-8")
    (file,) = json.loads(symattn("audit", "a.md", "--format", "json", folder=tmp_path).stdout)["files"]
    assert [each["strength"] for each in file["findings"]] == [pytest.approx(24, abs=8), 20]
    log = json.loads(symattn("audit", "a.md", "--format", "sarif", "--doubts", folder=tmp_path).stdout)
    slip, equation, doubt = sorted(log["runs"][0]["results"], key=lambda each: each["ruleId"])
    assert (equation["rank"], equation["level"], "kind" in equation) == (50, "error", False)
    assert equation["rank"] <= slip["rank"] < 100
    assert (doubt["kind"], doubt["level"], doubt["rank"] < 100) == ("review", "none", True)


def test_a_long_line_is_cut_around_the_number(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("猫 " * 200 + "exp(1) = 2.82" + " 猫" * 200, "utf-8")
    shown = symattn("audit", "a.txt", "--lang", "en", folder=tmp_path).stdout.split("\n")[1:3]
    assert shown[0].startswith("    1 | …")
    assert shown[0].endswith("…")
    columns = [sum(2 if c == "猫" else 1 for c in shown[0][: shown[0].index("2.82")]), shown[1].index("^^^^")]
    assert columns[0] == columns[1]


def test_places_are_those_of_the_document_behind_a_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(("\ufeff" + NOTES.replace("\n", "\r\n")).encode())
    found = symattn("audit", "a.md", "--format", "json", folder=tmp_path)
    (file,) = json.loads(found.stdout)["files"]
    assert [
        (f["line"], f["column"], f["printed"], f["expected"], f["fix"])
        for f in file["findings"]
        if f["printed"]
    ] == [
        (6, 28, "8", "7", "safe"),
        (8, 10, "2.82", "2.72", "safe"),
    ]
    assert (file["printed"], file["judged"], file["unread"]) == (5, 5, [])


def test_a_byte_order_mark_takes_no_column() -> None:
    assert [each.printed.place for each in judged("\ufeff3 + 4 = 8\n")] == [Place(1, 9)]


def test_a_numeral_without_a_verdict_is_listed_and_counted() -> None:
    (report,) = reports("The weight is 0.37.\n")
    assert [(each.text, each.code) for each in report.unread] == [("0.37", "SA902")]
    assert (report.printed, len(report.judgements)) == (1, 0)


@pytest.mark.parametrize(
    ("equation", "verdict", "code"),
    [
        ("exp(1) = 2.72", "correct", None),
        ("exp(1) ≈ 2.71", "rounding", "SA103"),
        ("exp(1) = 2.73", "slip", "SA205"),
        ("3 + 4 = 7", "correct", None),
        ("3 + 4 = 8", "slip", "SA205"),
        ("7/2 = 4", "slip", "SA205"),
        ("7/2 ≈ 4", "correct", None),
        ("0.1 + 0.2 = 0.3", "correct", None),
        ("1/3 = 0.34", "slip", "SA205"),
    ],
)
def test_an_equation_outside_every_walk_is_judged_by_itself(
    equation: str, verdict: str, code: str | None
) -> None:
    assert [(each.verdict, each.code) for each in judged(equation + "\n")] == [(verdict, code)]


def test_a_directory_stands_for_the_notes_in_it_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(NOTES, "utf-8")
    (tmp_path / "b.tex").write_text("$3 + 4 = 8$\n", "utf-8")
    (tmp_path / "c.py").write_text("3 + 4 == 8\n", "utf-8")
    found = symattn("audit", ".", "--format", "github", folder=tmp_path)
    assert [line.partition(",title")[0] for line in found.stdout.splitlines() if line[:7] == "::error"] == [
        "::error file=a.md,line=6,col=28,endColumn=29",
        "::error file=a.md,line=8,col=10,endColumn=14",
        "::error file=b.tex,line=1,col=10,endColumn=11",
    ]


def test_a_notebook_is_read_in_its_markdown_and_outputs_and_fixed_in_place(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(NOTEBOOK, "utf-8")
    found = symattn("audit", "a.ipynb", "--unsafe-fixes", folder=tmp_path)
    assert (found.returncode, found.stderr) == (0, "fixed 1 place in a.ipynb\n")
    assert path.read_text("utf-8") == NOTEBOOK.replace("[3, 8]", "[3, 7]")


@pytest.mark.parametrize(("text", "found"), [("{", "not a notebook: "), ("[]", "a notebook without cells")])
def test_what_is_no_notebook_is_refused(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "a.ipynb").write_text(text, "utf-8")
    done = symattn("audit", "a.ipynb", folder=tmp_path)
    assert done.returncode == 2
    assert found in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!-- symattn: ignore[SA205] quoted -->\n3 + 4 = 8\n", "markdown"),
        ("3 + 4 = 8 <!-- symattn: ignore[SA2] quoted -->\n", "markdown"),
        ("$3 + 4 = 8$ % symattn: ignore[SA205] quoted\n", "latex"),
        ("# symattn: ignore[SA301, SA205] quoted\n3 + 4 = 8\n", "text"),
        ("<!-- symattn: off 引自初版 -->\n3 + 4 = 8\n\n1 + 1 = 3\n<!-- symattn: on -->\n", "markdown"),
    ],
)
def test_a_comment_with_a_reason_keeps_findings_quiet_and_they_are_counted(text: str, kind: Kind) -> None:
    assert codes(text, kind) == []
    assert sum(report.suppressed for report in reports(text, kind)) == text.count("= 8") + text.count("= 3")


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("<!-- symattn: ignore[SA205] -->\n3 + 4 = 8\n", "markdown", ["SA205", "SA801"]),
        ("<!-- symattn: ignore quoted -->\n3 + 4 = 8\n", "markdown", ["SA205", "SA801"]),
        ("<!-- symattn: ignore[SA299] quoted -->\n3 + 4 = 8\n", "markdown", ["SA205", "SA801"]),
        ("<!-- symattn: off -->\n3 + 4 = 8\n", "markdown", ["SA205", "SA801"]),
        ("<!-- symattn: ignore[SA301] quoted -->\n3 + 4 = 8\n", "markdown", ["SA205", "SA802"]),
        ("<!-- symattn: ignore[SA205] quoted -->\n\n3 + 4 = 8\n", "markdown", ["SA205", "SA802"]),
        ("# symattn: off by one\n\n3 + 4 = 8\n", "markdown", ["SA205"]),
        ("1 + 1 = 2.5 <!-- symattn: ignore[SA205] quoted -->\n3 + 4 = 8\n", "markdown", ["SA205"]),
    ],
    ids=[
        "no reason",
        "no code",
        "unknown code",
        "off without reason",
        "other code",
        "other line",
        "heading",
        "line before",
    ],
)
def test_a_comment_that_says_too_little_keeps_nothing_quiet(text: str, kind: Kind, found: list[str]) -> None:
    assert codes(text, kind) == found


def test_a_region_that_is_off_is_not_read_at_all() -> None:
    """Its numbers belong to no walk, so that nothing goes on from them."""
    text = NOTES.replace("[3, 8]", "[3, 7]").replace("2.82", "2.72")
    wrong = "K = X W_K = [[1, 9], [3, 9]]"
    region = f"<!-- symattn: off quoted in order to correct it -->\n{wrong}\n<!-- symattn: on -->\n\n"
    assert [each.printed.numeral.text for each in judged(text.replace("键", region + "键"))] == [
        *("1", "3", "3", "7"),
        "2.72",
    ]
    assert "9" in [each.printed.numeral.text for each in judged(text.replace("键", wrong + "\n\n键"))]


def test_a_comment_in_a_case_works_too(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        '[given]\nX = [[1]]\nW_K = [[1]]\n[[stated]]\nname = "K"\n'
        "values = [[2]] # symattn: ignore[SA2] quoted\n",
        "utf-8",
    )
    found = symattn("audit", "a.toml", folder=tmp_path)
    assert found.returncode == 0
    assert "1 printed number; 1 suppressed." in found.stdout


def test_operands_in_a_document_are_recomputed_with_their_chain(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    given = "X = [[1.5, 2.5], [3.5, 4.5]]\n\nW_K = [[1, 1], [0, 1]]\n\n"
    text = given + "K = X W_K = [[1.5, 4.0], [3.5, 8.5]]\n\nscores[2, 2] = 0.2 × 3.5 + 1.1 × 8.5 = 10.05\n"
    path.write_text(text, "utf-8")
    found = symattn("audit", "a.md", "--unsafe-fixes", folder=tmp_path)
    assert (found.returncode, found.stderr) == (0, "fixed 3 places in a.md\n")
    assert path.read_text("utf-8") == text.replace("8.5", "8.0").replace("10.05", "9.50")


def test_what_is_fixed_and_extracted_is_told_in_the_language_of_the_document(tmp_path: Path) -> None:
    words = "这是一个用来说明注意力机制怎样计算的很小的例子，数都是整数。"
    (tmp_path / "a.md").write_text(f"{words}\n\n{NOTES}", "utf-8")
    assert symattn("extract", "a.md", folder=tmp_path).stderr == "symattn: 印出的 5 个数读出 4 个\n"
    assert symattn("audit", "a.md", "--unsafe-fixes", folder=tmp_path).stderr == "a.md：已改正 2 处\n"


def test_a_number_that_goes_back_to_a_second_row_names_its_line() -> None:
    text = "Q = [[7, 5], [4, 9]]\n\nK = [[6, 3], [2, 8]]\n\nS = Q K^T = [[57, 54],\n             [51, 81]]\n"
    found = [judgement.printed for judgement in judged(text) if judgement.verdict == "slip"]
    assert [(each.numeral.text, source_line(each)) for each in found] == [("81", 6)]


def test_a_convention_by_option_is_refused_for_notes_and_holds_for_cases(tmp_path: Path) -> None:
    notes, case, steps = tmp_path / "notes.md", tmp_path / "case.toml", tmp_path / "steps.toml"
    notes.write_text("Q = [[1, 2]], K = [[3, 1]]\n\nS = Q K^T = [[5]]\n", encoding="utf-8")
    case.write_text(
        '[given]\nQ = [[1, 1]]\nK = [[1, 1]]\n[[stated]]\nname = "scaled"\nvalues = [[2]]\n', encoding="utf-8"
    )
    assert symattn("extract", notes, "-o", steps).returncode == 0
    for file in (notes, steps):
        refused = symattn("audit", file, "--set", "scale=1")
        assert refused.returncode == 2
        assert "symattn extract" in refused.stderr
    assert symattn("audit", case, "--set", "scale=1").returncode == 0
    assert symattn("audit", case).returncode == 1


def test_a_right_value_is_said_and_fixed_with_the_decimal_comma_of_the_document(tmp_path: Path) -> None:
    file = tmp_path / "notiz.md"
    file.write_text("1,14·0,93 + 0,57·0,58 = 1,49 und 3,16/12,55 = 0,252.\n", encoding="utf-8")
    assert "the right value is 1,39 (exactly 1.3908)" in symattn("audit", file).stdout
    assert symattn("audit", file, "--fix").returncode == 0
    assert file.read_text(encoding="utf-8").startswith("1,14·0,93 + 0,57·0,58 = 1,39 und")
