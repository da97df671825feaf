"""The JSON contract `symattn/audit/1`, which only grows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from symattn.attention.case import Place
from symattn.auditor.findings.codes import Finding
from symattn.auditor.formats.folded import folded
from symattn.auditor.formats.items import Item, Options, doubts, items
from symattn.auditor.formats.stream import Outcome, total
from symattn.auditor.messages import TERM, unread_message
from symattn.auditor.objects import Explanation, PrintedObject
from symattn.auditor.report import Judgement, Printed, Report
from symattn.text.file_names import shown

SCHEMA = "symattn/audit/1"


def piece(path: str, reports: Sequence[Report], options: Options) -> str:
    """One audited file as the JSON text of its entry in `files`."""
    return json.dumps(file_data(path, reports, options), ensure_ascii=False, indent=1)


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """The whole document, file by file; the counts stand at its end."""
    yield f'{{"schema": "{SCHEMA}", "files": ['
    counts: dict[str, int] = {}
    unusable: list[dict[str, str]] = []
    first = True
    for outcome in outcomes:
        if outcome.problem is not None:
            unusable.append({"path": shown(outcome.path), "message": outcome.problem[options.lang or "en"]})
            continue
        yield f"{'' if first else ','}\n{outcome.piece}"
        first = False
        counts = total(counts, outcome.counts)
    yield f'\n],\n"counts": {json.dumps(total({}, counts))},\n'
    yield f'"unusable": {json.dumps(unusable, ensure_ascii=False)}}}\n'


def file_data(path: str, reports: Sequence[Report], options: Options) -> dict[str, Any]:
    """One audited file as plain values; several examples in one file are one entry."""
    counts: dict[str, int] = {}
    findings: list[dict[str, Any]] = []
    groups: list[dict[str, Any]] = []
    for report in reports:
        counts = total(counts, report.counts)
        found = list(items(report, options))
        groups += _groups(report, found, len(findings))
        findings += [finding_data(report, item) for item in found]
    return {
        "path": shown(path),
        "given_files": {name: said for report in reports for name, said in report.case.files.items()},
        "printed": sum(report.printed for report in reports),
        "judged": sum(len(report.judgements) for report in reports),
        "unread": [
            {
                **_line_and_column(unread.place),
                "source_line": unread.source_line,
                "text": unread.text,
                "code": unread.code,
                "why": "doubt"
                if unread.code == Finding.DOUBT
                else unread_message(unread, options.language(report)),
            }
            for report in reports
            for unread in report.unread
        ],
        "counts": total({}, counts),
        "findings": findings,
        "groups": groups,
        "doubts": [finding_data(report, item) for report in reports for item in doubts(report, options)],
    } | (
        {"reading": [_object(each) for report in reports for each in report.objects]}
        if options.explain
        else {}
    )


def _object(each: PrintedObject) -> dict[str, Any]:
    """A printed object and what it was taken for; what does not apply to it is null."""
    return {
        "name": each.name or None,
        "shape": list(each.shape),
        **_line_and_column(each.first),
        "last_line": each.last.line,
        "last_column": each.last.column,
        "given": each.given,
        "sure": each.sure,
        "reading": _explanation(each.reading),
        "runner_up": _explanation(each.runner_up),
        "lost": each.lost,
    }


def _explanation(one: Explanation | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "source": one.source,
        "formula": one.formula,
        "operands": [{"name": of.name or None, **_line_and_column(of.place)} for of in one.operands],
        "hints": dict(one.hints),
        "numbers": one.numbers,
        "right": one.right,
        "wrong": one.wrong,
    }


def _groups(report: Report, found: Sequence[Item], before: int) -> list[dict[str, Any]]:
    """Which findings belong together, by their indices in `findings`: a lead, its copies, what follows."""
    index = {id(item): before + at for at, item in enumerate(found)}
    return [
        {
            "lead": index[id(one.lead)],
            "again": [index[id(item)] for item in one.again],
            "follows": [index[id(item)] for item in one.follows],
        }
        for one in folded(report, found)
    ]


def finding_data(report: Report, item: Item) -> dict[str, Any]:
    """One finding; what does not apply to it is null."""
    finding = item.finding
    data: dict[str, Any] = {
        "code": item.rule.code,
        "rule": item.rule.name,
        "severity": item.rule.severity,
        "verdict": finding.verdict,
        **_line_and_column(item.place),
        "source_line": item.source_line,
    }
    if isinstance(finding, Judgement):
        data |= _number(report, finding)
    else:
        data |= {
            "name": finding.name,
            "row": None if finding.columns else finding.row,
            "col": finding.row if finding.columns else None,
            **dict.fromkeys(("printed", "expected", "exact", "local", "ulps", "root", "cause", "strength")),
            "fix": finding.fix,
            "values": dict(finding.values),
            "numbers": [_where(report.judgements[index].printed) for index in finding.numbers],
        }
    return {**data, "message": item.message}


def _number(report: Report, judged: Judgement) -> dict[str, Any]:
    from symattn.exact.plain import plain

    cause = judged.cause
    return {
        **_entry(judged.printed),
        "printed": judged.printed.numeral.text,
        "expected": judged.expected,
        "exact": plain(judged.exact) if judged.exact is not None else None,
        "local": judged.local,
        "ulps": judged.ulps,
        "root": _where(report.judgements[judged.root].printed) if judged.root is not None else None,
        "cause": None
        if cause is None
        else {
            "slip": cause.slip,
            "because": cause.because.en,
            "zh": cause.because.zh,
            "name": cause.name,
            "scope": cause.scope,
            "certain": cause.certain,
            "rivals": [slip for slip, _ in cause.rivals],
        },
        "strength": judged.strength,
        "fix": judged.fix,
        "note": judged.note or None,
        "work": judged.printed.work,
        "example": judged.printed.example,
    }


def _entry(number: Printed) -> dict[str, Any]:
    term = TERM.fullmatch(number.name)
    name = number.name if term is None else f"{term[1]}.term"
    return {"name": name, "row": number.row, "col": number.col} | (
        {} if number.key is None else {"key": number.key}
    )


def _where(number: Printed) -> dict[str, Any]:
    return {
        **_entry(number),
        "printed": number.numeral.text,
        **_line_and_column(number.place),
        "source_line": number.source_line,
    }


def _line_and_column(place: Place | None) -> dict[str, int | None]:
    return {"line": place.line if place else None, "column": place.column if place else None}
