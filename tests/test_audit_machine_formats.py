"""What an audit says to programs: JSON, SARIF, workflow commands."""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace
from reports import report

from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.formats.items import Options
from symattn.auditor.formats.stream import Outcome
from symattn.auditor.formats.table import format_named
from symattn.text.bilingual import both
from tests.audit_written import PATH, written

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
        "strength": None,
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
    data = json.loads(
        "".join(format_named("json").joined([Outcome("a.toml", problem=both("gone"))], Options()))
    )
    assert data["files"] == []
    assert data["unusable"] == [{"path": "a.toml", "message": "gone"}]


def test_groups_hold_each_finding_once_and_a_slip_with_what_follows_from_it() -> None:
    (file,) = json.loads(written("json"))["files"]
    first, *_ = file["groups"]
    lead, (again,), (follows,) = (
        *(file["findings"][first["lead"]],),
        *([file["findings"][at] for at in first[key]] for key in ("again", "follows")),
    )
    assert [each["name"] for each in (lead, again, follows)] == ["scores", "scores", "scaled"]
    held = [at for each in file["groups"] for at in (each["lead"], *each["again"], *each["follows"])]
    assert sorted(held) == list(range(len(file["findings"])))
    results = sarif()["runs"][0]["results"]
    of = [result["properties"]["groups"] for result in results]
    assert of[0] == of[4] == [results[0]["partialFingerprints"]["symattn/1"]]


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
    "region": (set(), {"startLine", "startColumn", "endColumn"}),
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
    from symattn.auditor.formats.sarif import file_uri

    assert file_uri("笔记/a b.toml") == "%E7%AC%94%E8%AE%B0/a%20b.toml"
    assert file_uri("/tmp/a.toml") == "file:///tmp/a.toml"


def test_an_unusable_file_is_a_failed_execution() -> None:
    outcomes = [Outcome("a.toml", problem=both("a.toml: gone"))]
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
        "::error file=notes/cat.toml,line=10,col=5,endColumn=7,title=SA202 slip-with-cause::scores, "
        "row 1, column 1: printed 19, the right value is 17, off by 2; "
        "you have multiplied Q by K instead of K^T; 3 more: 22 (right: 23), 43 (right: 39), 50 (right: 53); "
        "1 number follows from this: scaled 1"
    )


def test_a_matrix_is_one_annotation_and_the_summary_follows() -> None:
    lines = written("github").splitlines()
    assert [line.split(" ")[0] for line in lines if line.startswith("::")] == [
        *("::error", "::error", "::notice", "::notice")
    ]
    assert "notes/cat.toml: scores: 4 of 4 wrong" in lines
    assert lines[-1].startswith("10 printed numbers: 1 right")


def test_of_many_annotations_ten_are_written_and_those_that_more_follows_from_come_first() -> None:
    form, options = format_named("github"), Options()
    piece = form.piece(PATH, [report()], options)
    few = replace(piece, annotations=piece.annotations[1:2])
    found = "".join(form.joined([*(Outcome(PATH, few) for _ in range(12)), Outcome(PATH, piece)], options))
    lines = [line for line in found.splitlines() if line.startswith("::")]
    assert len(lines) == 10
    assert "1 number follows from this: scaled 1" in lines[0]
    assert "10 of 52 annotations are shown" in found
