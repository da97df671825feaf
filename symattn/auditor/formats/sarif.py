"""SARIF 2.1.0, for code scanning: rules from the catalogue, fingerprints that survive moved lines.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from symattn.attention.case import Place
from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang, Rule
from symattn.auditor.formats.folded import folded
from symattn.auditor.formats.items import Item, Options, listed
from symattn.auditor.formats.stream import Outcome
from symattn.auditor.messages import root_words
from symattn.auditor.report import Judgement, Report
from symattn.text.file_names import in_bytes, shown
from symattn.text.version import version

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "symattn/1"
RULES = tuple(CATALOGUE)

_dump = partial(json.dumps, ensure_ascii=False)


def piece(path: str, reports: Sequence[Report], options: Options) -> list[str]:
    """The results of one file, each as JSON text."""
    return [_dump(found) for report in reports for found in _results(path, report, options)]


def _results(path: str, report: Report, options: Options) -> Iterator[dict[str, Any]]:
    """The findings; `groups` of each names the finding that it is folded into, by its fingerprint."""
    found = list(listed(report, options))
    lead = {
        id(item): one.lead
        for one in folded(report, (item for item in found if item.rule.code != Finding.DOUBT))
        for item in (one.lead, *one.again, *one.follows)
    }
    for item in found:
        one = result(path, report, item, options)
        one["properties"]["groups"] = [fingerprint(path, report, lead.get(id(item), item))]
        yield one


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """The log with its one run, result by result."""
    driver = {
        "name": "symattn",
        "version": version(),
        "rules": [_rule(rule, options.lang or "en") for rule in CATALOGUE.values()],
    }
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{"tool": {_dump({"driver": driver})},\n'
    yield '"columnKind": "unicodeCodePoints", "results": ['
    unusable: list[dict[str, Any]] = []
    first = True
    for outcome in outcomes:
        if outcome.problem is not None:
            unusable.append(_notification(outcome.path, outcome.problem[options.lang or "en"]))
        for one in outcome.piece or ():
            yield f"{'' if first else ','}\n{one}"
            first = False
    invocation = {"executionSuccessful": not unusable, "toolExecutionNotifications": unusable}
    yield f'\n],\n"invocations": [{_dump(invocation)}]}}]}}\n'


def result(path: str, report: Report, item: Item, options: Options) -> dict[str, Any]:
    """One finding as a SARIF result; a root slip is a related location."""
    lang = options.language(report)
    found: dict[str, Any] = {
        "ruleId": item.rule.code,
        "ruleIndex": RULES.index(item.rule.code),
        "level": item.rule.severity,
        "message": {"text": _sentence(item.message, lang)},
        "locations": [_location(path, item.place, item.length)],
        "partialFingerprints": {FINGERPRINT: fingerprint(path, report, item)},
        "properties": {"verdict": item.finding.verdict},
    }
    if item.rule.code == Finding.DOUBT:
        found |= {"kind": "review", "level": "none"}
    if isinstance(item.finding, Judgement) and item.finding.strength is not None:
        found["rank"] = rank(item.finding.strength)
    related = _related(path, report, item, lang)
    if related:
        found["relatedLocations"] = related
    return found


def rank(strength: float) -> float:
    """Bits as a rank from 0 to 100: half of what is left to 100 for every 20 of them."""
    return round(100 - 100 * float(0.5 ** (strength / 20)), 1)


def fingerprint(path: str, report: Report, item: Item) -> str:
    """A hash of the file's name, the case's title, the step, the entry and the code; never of a line."""
    identity = f"{shown(PurePath(path).name)}|{report.case.title}|{item.identity}"
    return hashlib.sha256(identity.encode()).hexdigest()[:32]


def _related(path: str, report: Report, item: Item, lang: Lang) -> list[dict[str, Any]]:
    if isinstance(item.finding, Judgement):
        indices: tuple[int, ...] = () if item.finding.root is None else (item.finding.root,)
    else:
        indices = item.finding.numbers
    return [
        {
            "id": k,
            **_location(path, report.judgements[index].printed.place, 0),
            "message": {"text": root_words(report, index, lang)},
        }
        for k, index in enumerate(indices)
    ]


def _location(path: str, place: Place | None, length: int) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": file_uri(path)}}
    if place is not None:
        physical["region"] = {"startLine": place.line, "startColumn": place.column}
        if length:
            physical["region"]["endColumn"] = place.column + length
    return {"physicalLocation": physical}


def file_uri(path: str) -> str:
    """The name of a file as a URI: each byte that is not ASCII by its number, whether it is UTF-8 or not."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(in_bytes(PurePath(path).as_posix()))


def _rule(rule: Rule, lang: Lang) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": _sentence(rule.title[lang], lang)},
        "fullDescription": {"text": rule.what[lang]},
        "help": {"text": f"{rule.why[lang]}\n{rule.example[lang]}\n{rule.fix[lang]}"},
        "defaultConfiguration": {"level": rule.severity},
    }


def _notification(path: str, problem: str) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": problem},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": file_uri(path)}}}],
    }


def _sentence(words: str, lang: Lang) -> str:
    return f"{words}{'。' if lang == 'zh' else '.'}"
