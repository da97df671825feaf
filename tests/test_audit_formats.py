"""The formats of an audit, over one report with every verdict in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from reports import report

from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.document import document, printed_grid
from symattn.auditor.formats.groups import Group, steps
from symattn.auditor.formats.items import Options, count_failing
from symattn.auditor.formats.stream import Outcome
from symattn.auditor.formats.table import NAMES, format_named
from symattn.auditor.messages import message
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import Judgement, Printed, Report
from symattn.document import Display, Document
from symattn.exact.number import Exact
from symattn.notation import Chain, Dots, Grid, Marked, Number
from symattn.typeset.html import html
from symattn.typeset.latex import latex

PATH = "notes/cat.toml"


def written(form: str, reports: Iterable[Report] | None = None, **options: Any) -> str:
    """One file in a format, whole."""
    chosen = Options(**options)
    found = tuple(reports or (report(),))
    chosen_format = format_named(form)
    outcome = Outcome(PATH, chosen_format.piece(PATH, found, chosen), found[0].counts, found[0].printed, 1)
    return "".join(chosen_format.joined([outcome], chosen))


# messages


def test_a_slip_is_told_with_the_right_value_its_size_and_its_cause() -> None:
    (slip, *_) = report().findings()
    assert message(report(), slip, "en") == (
        "scores, row 1, column 1: printed 19, the right value is 17, off by 2 units of the last place; "
        "you have multiplied Q by K instead of K^T"
    )
    assert message(report(), slip, "zh") == (
        "scores 第 1 行第 1 列：印作 19，正确值是 17，相差末位 2 个单位；这里用 K 代替了 K^T"
    )


def test_a_carried_number_names_the_slip_that_it_goes_back_to() -> None:
    carried = report().judgements[4]
    assert message(report(), carried, "en") == (
        "scaled, row 1, column 1: 13.44 follows from the numbers before it, but those go back to "
        "scores, row 1, column 1 (19, line 10); the right value is 12.02 (exactly 17*sqrt(2)/2), "
        "off by 142 units of the last place"
    )


def test_a_copy_says_where_it_was_printed_before() -> None:
    assert message(report(), report().judgements[8], "en").endswith("(printed before on line 10)")


def test_no_message_has_a_value_left_open() -> None:
    languages: tuple[Lang, ...] = ("en", "zh")
    for lang in languages:
        for finding in report(lang).findings():
            said = message(report(lang), finding, lang)
            assert "…" not in said
            assert not re.search(r"[{}]", said)


# text and Markdown


def test_the_text_groups_by_step_and_sets_the_printed_beside_the_right_value() -> None:
    lines = written("text", width=200).splitlines()
    assert lines[0] == "notes/cat.toml: 猫 & <cat>"
    slip = next(line for line in lines if "SA202" in line)
    assert slip.split()[:10] == ["10,", "16", "row", "1,", "column", "1", "19", "17", "2", "SA202"]
    assert (
        "  • ✗ Cause: you have multiplied Q by K instead of K^T (in the whole matrix; explains 4 numbers)."
        in lines
    )
    assert "± intermediate rounding `SA101`: 2.00 (row 1, column 1; exact 2.01)" in lines
    assert lines[-1] == (
        "10 printed numbers: 1 right, 1 off by rounding only, 5 slips, 1 carried forward, 1 undecided, "
        "1 false statement, 1 without a verdict."
    )


def test_the_chinese_text_aligns_its_columns_by_display_width() -> None:
    from symattn.typeset.cjk import display_width

    lines = written("text", [report("zh")]).splitlines()
    assert lines[-1].endswith("前错带来 1，未判定 1，陈述有误 1，无结论 1。")
    slips = [line for line in lines if "SA202" in line]
    assert len({display_width(line[: line.index("SA202")]) for line in slips}) == 1


def test_colour_only_when_asked() -> None:
    assert "\x1b" not in written("text")
    assert "\x1b[31m" in written("text", colour=True)


def test_an_exact_tie_is_noted_and_is_no_finding() -> None:
    tie = Judgement(
        Printed(0, "V", 1, 1, read_numeral("0.3")),
        "correct",
        None,
        Exact.of(Fraction(1, 4)),
        "0.3",
        note="tie",
    )
    tied = Report(report().case, report().derivation, (tie,))
    assert "✓ an exact tie `SA105`: 0.3 (row 2, column 2; exact 0.25)" in written("text", [tied])
    assert list(tied.findings()) == []


def test_a_number_printed_again_is_one_row_of_the_list() -> None:
    (scores,) = [step for step in steps(report()) if step.name == "scores"]
    assert [len(group.copies) for group in scores.groups] == [1, 0, 0, 0]
    assert scores.groups[0].lines(of_source=False) == (10, 16)
    assert Group(scores.groups[0].first, scores.groups[0].copies * 2).lines(of_source=False) == (10, 16)


def test_markdown_escapes_what_the_source_says() -> None:
    page = written("markdown")
    assert page.startswith("# notes/cat.toml: 猫 &amp; &lt;cat&gt;\n")
    assert "| SA301 | ↪ from scores, row 1, column 1 (19, line 10) |" in page


# JSON


def test_json_keeps_the_contract() -> None:
    data = json.loads(written("json"))
    assert data["schema"] == "symattn/audit/1"
    assert data["counts"] == (
        {"correct": 1, "rounding": 1, "carried": 1, "slip": 5, "undecided": 1, "shape": 0, "claim": 1}
    )
    (file,) = data["files"]
    assert (file["path"], file["printed"], file["judged"]) == (PATH, 10, 9)
    (unread,) = file["unread"]
    assert (unread["line"], unread["column"], unread["code"]) == (21, 3, "SA901")
    assert unread["why"] == "1.2.3 has no verdict: two points"
    slip, *_ = file["findings"]
    assert slip == {
        "code": "SA202",
        "rule": "slip-with-cause",
        "severity": "error",
        "verdict": "slip",
        "line": 10,
        "column": 5,
        "source_line": None,
        "name": "scores",
        "row": 0,
        "col": 0,
        "printed": "19",
        "expected": "17",
        "exact": "17",
        "local": "17",
        "ulps": 2,
        "root": None,
        "cause": {
            "slip": "key-not-transposed",
            "because": "multiplied Q by K instead of K^T",
            "zh": "用 K 代替了 K^T",
            "name": "scores",
            "scope": "matrix",
            "certain": True,
            "rivals": [],
        },
        "fix": None,
        "note": None,
        "work": None,
        "example": False,
        "message": slip["message"],
    }
    carried = next(finding for finding in file["findings"] if finding["verdict"] == "carried")
    assert (carried["root"]["name"], carried["root"]["line"], carried["exact"]) == (
        "scores",
        10,
        "17*sqrt(2)/2",
    )
    claim = file["findings"][-1]
    assert (claim["code"], claim["verdict"], claim["name"], claim["row"], claim["col"], claim["printed"]) == (
        ("SA502", "claim", "A", 0, None, None)
    )
    assert set(slip) >= CONTRACT
    assert set(claim) >= CONTRACT


CONTRACT = {
    *("code", "verdict", "line", "column", "name", "row", "col", "printed", "expected", "exact", "local"),
    *("ulps", "root", "cause", "fix", "message"),
}


def test_selected_findings_are_listed_and_all_numbers_counted() -> None:
    data = json.loads(written("json", select=("SA3",)))
    assert [finding["code"] for finding in data["files"][0]["findings"]] == ["SA301"]
    assert data["counts"]["slip"] == 5


def test_json_tells_of_unusable_files() -> None:
    data = json.loads("".join(format_named("json").joined([Outcome("a.toml", problem="gone")], Options())))
    assert data["files"] == []
    assert data["unusable"] == [{"path": "a.toml", "message": "gone"}]


# SARIF


def sarif(**options: Any) -> Any:
    return json.loads(written("sarif", **options))


def test_sarif_has_one_run_with_the_rules_of_the_catalogue() -> None:
    log = sarif()
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(CATALOGUE)
    for result in run["results"]:
        assert list(CATALOGUE)[result["ruleIndex"]] == result["ruleId"]


SARIF_OBJECTS: dict[str, tuple[set[str], set[str]]] = {
    # of the 2.1.0 schema (every object forbids other properties): required, and also used here
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"columnKind", "results", "invocations"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name"}, {"version", "rules"}),
    "rules": (
        {"id"},
        {"name", "shortDescription", "fullDescription", "help", "defaultConfiguration"},
    ),
    "results": (
        {"message"},
        {
            *("ruleId", "ruleIndex", "level", "locations", "partialFingerprints", "relatedLocations"),
            "properties",
        },
    ),
    "locations": (set(), {"physicalLocation"}),
    "relatedLocations": (set(), {"id", "physicalLocation", "message"}),
    "physicalLocation": (set(), {"artifactLocation", "region"}),
    "artifactLocation": (set(), {"uri"}),
    "region": (set(), {"startLine", "startColumn"}),
    "message": ({"text"}, set()),
    "shortDescription": ({"text"}, set()),
    "fullDescription": ({"text"}, set()),
    "help": ({"text"}, set()),
    "defaultConfiguration": (set(), {"level"}),
    "invocations": ({"executionSuccessful"}, {"toolExecutionNotifications"}),
    "toolExecutionNotifications": ({"message"}, {"level", "locations"}),
}
FREE_FORM = ("partialFingerprints", "properties")


def misfits(value: Any, kind: str) -> list[str]:
    """What an object of the log has and may not have, or lacks."""
    if isinstance(value, list):
        return [misfit for part in value for misfit in misfits(part, kind)]
    if not isinstance(value, dict) or kind in FREE_FORM:
        return []
    required, allowed = SARIF_OBJECTS[kind]
    wrong = sorted((set(value) - required - allowed) | (required - set(value)))
    inner = [
        misfit for key, part in value.items() for misfit in misfits(part, "run" if key == "runs" else key)
    ]
    return [f"{kind}: {key}" for key in wrong] + inner


def test_sarif_objects_have_the_properties_of_the_schema_and_no_others() -> None:
    log = sarif()
    assert misfits(log, "log") == []
    assert misfits({**log, "extra": 1}, "log") == ["log: extra"]
    for result in log["runs"][0]["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1


def test_the_root_slip_is_a_related_location() -> None:
    carried = next(result for result in sarif()["runs"][0]["results"] if result["ruleId"] == "SA301")
    (root,) = carried["relatedLocations"]
    assert root["physicalLocation"]["region"]["startLine"] == 10
    assert root["message"]["text"] == "scores, row 1, column 1 (19, line 10)"


def test_fingerprints_are_unique_and_survive_moved_lines() -> None:
    def prints(shift: int) -> list[str]:
        log = json.loads(written("sarif", [report(shift=shift)]))
        return [result["partialFingerprints"]["symattn/1"] for result in log["runs"][0]["results"]]

    assert prints(0) == prints(7)
    assert len(set(prints(0))) == len(prints(0))


def test_a_file_name_is_a_uri() -> None:
    from symattn.auditor.formats.sarif import _uri

    assert _uri("笔记/a b.toml") == "%E7%AC%94%E8%AE%B0/a%20b.toml"
    assert _uri("/tmp/a.toml") == "file:///tmp/a.toml"


def test_an_unusable_file_is_a_failed_execution() -> None:
    outcomes = [Outcome("a.toml", problem="a.toml: gone")]
    log = json.loads("".join(format_named("sarif").joined(outcomes, Options())))
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "a.toml: gone"
    assert misfits(log, "log") == []


# GitHub


def test_workflow_commands_escape_what_would_end_them() -> None:
    from symattn.auditor.formats.github import data_value, property_value

    assert data_value("50%\r\nnext: a, b") == "50%25%0D%0Anext: a, b"
    assert property_value("a:b,c%") == "a%3Ab%2Cc%25"
    first, *_ = written("github").splitlines()
    assert first == (
        "::error file=notes/cat.toml,line=10,col=5,title=SA202 slip-with-cause::scores, row 1, column 1: "
        "printed 19, the right value is 17, off by 2 units of the last place; "
        "you have multiplied Q by K instead of K^T"
    )
    levels = [line.split(" ")[0] for line in written("github").splitlines()]
    assert levels == ["::error"] * 4 + ["::warning", "::notice", "::notice", "::error", "::error"]


# the annotated derivation


def grids(page: Document) -> dict[str, Grid]:
    """The printed matrices of a page by the name before the equals sign."""
    found = {}
    for block in page.blocks:
        if isinstance(block, Display):
            (chain,) = block.lines
            assert isinstance(chain, Chain)
            _, value = chain.links[-1]
            assert isinstance(value, Grid)
            found[chain.first.name] = value  # type: ignore[union-attr]
    return found


def test_wrong_numbers_are_struck_out_with_the_right_ones_beside_them() -> None:
    drawn = grids(document(report()))
    assert drawn["scores"].rows == (
        (Marked(Number("19"), "slip", Number("17")), Marked(Number("22"), "slip", Number("23"))),
        (Marked(Number("43"), "slip", Number("39")), Marked(Number("50"), "slip", Number("53"))),
    )
    assert drawn["scores"].row_labels == ("猫", "<b>")


def test_a_carried_number_is_marked_and_a_right_one_is_quiet() -> None:
    drawn = grids(document(report()))
    assert drawn["scaled"].rows == ((Marked(Number("13.44"), "carried", Number("12.02")),),)
    assert drawn["V"].rows == ((Number("0.33"),),)
    assert drawn["V"].row_labels == ("<b>",)
    assert drawn["exp"].rows == ((Marked(Number("2.00"), "rounding", None),),)


def test_entries_that_were_not_printed_are_dots() -> None:
    (scores,) = [step for step in steps(report()) if step.name == "scores"]
    diagonal = {(0, 0): scores.groups[0], (1, 1): scores.groups[3]}
    assert printed_grid(report(), diagonal).rows[0][1] == Dots()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_typesets_in_latex_and_html(lang: str) -> None:
    page = document(report(lang))
    source, website = latex(page, standalone=True), html(page)
    assert r"\documentclass" in source
    assert "multiplied Q by K" in website or "用 K 代替了" in website
    assert "<cat>" not in website


def test_several_files_are_one_page_with_a_part_each() -> None:
    page = written("html", [report(), report("zh")])
    assert page.count("<h1>") == 1
    assert "<h2>Audit: 猫 &amp; &lt;cat&gt;</h2>" in page
    assert "<h2>审校：猫 &amp; &lt;cat&gt;</h2>" in page


# choosing


@pytest.mark.parametrize(
    ("options", "failing"),
    [
        (Options(), 7),
        (Options(strict=True), 8),
        (Options(select=("SA1",)), 0),
        (Options(select=("SA1",), strict=True), 1),
        (Options(ignore=("SA2",)), 2),
    ],
)
def test_slips_fail_always_and_rounding_only_when_strict(options: Options, failing: int) -> None:
    assert count_failing(report(), options) == failing


@pytest.mark.parametrize("form", NAMES)
def test_every_format_writes_a_report_without_findings(form: str) -> None:
    clean = Report(report().case, report().derivation, (report().judgements[5],))
    assert written(form, [clean]) or form == "github"


def test_a_report_shows_itself_in_a_notebook() -> None:
    assert "17" in report()._repr_html_()
