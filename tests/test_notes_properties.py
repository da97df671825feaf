"""What holds for all documents of the notes benchmark: fixed they are clean, their cases say the same."""

from __future__ import annotations

import re
import sys
from functools import cache, partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.documents import Written, document, of_kind
from benchmarks.notes.forms import FORMS
from benchmarks.notes.kinds import KINDS
from symattn.auditor.audit import audit
from symattn.auditor.formats.items import Options
from symattn.auditor.report import Judgement, Report
from symattn.cli.fixing import Fixing, fixed
from symattn.reading.case_file import parse_case
from symattn.reading.documents import document_reports, read_document
from symattn.reading.notes.cases.extract import extract

SEED = 7
LARGEST = 6_000
NUMERAL = re.compile(r"[-−－]?[0-9０-９][0-9０-９.．]*")
CONVENTIONS = "SA6"
"""Findings about a convention as a whole, which no other number mends. (Nor is a digit exchanged within a run
of digits, so that flattened pages are left as they are.)"""


@cache
def small(name: str) -> Written:
    """The first document of a form or a kind that has slips, and is short where there is a short one."""
    forms = list(FORMS)
    tried = [
        of_kind(name, SEED, k) if name in KINDS else document(SEED, forms.index(name) + 9 * k)
        for k in range(6)
    ]
    wrong = [written for written in tried if not written.clean] or tried
    return min(wrong, key=lambda written: (len(written.text) > LARGEST, wrong.index(written)))


@pytest.mark.parametrize("name", [name for name in (*FORMS, *KINDS) if name != "flattened"])
def test_the_audit_of_a_fully_fixed_document_is_clean(name: str) -> None:
    written = small(name)
    judge = partial(document_reports, file=written.name, kind=written.kind)
    after = fixed(written.text, judge, Fixing(unsafe=True), Options())
    left = [found for report in after.reports for found in report.findings()]
    wrong = [found for found in left if found.verdict in ("slip", "carried", "claim", "shape")]
    assert [found for found in wrong if not (str(found.code).startswith(CONVENTIONS) or _closed(found))] == []
    assert NUMERAL.sub("#", after.text) == NUMERAL.sub("#", written.text)


@pytest.mark.parametrize("name", KINDS)
def test_an_extracted_case_audits_to_the_same_verdicts(name: str) -> None:
    written = small(name)
    reading = read_document(written.text, written.name, written.kind)
    assert reading.cases
    for walk, case in enumerate(reading.cases):
        assert _verdicts(audit(parse_case(extract(reading, walk)))) == _verdicts(audit(case))


def _closed(found: object) -> bool:
    """Whether a finding is about a closed form, which is left to its author."""
    return isinstance(found, Judgement) and found.printed.numeral.closed


def _verdicts(report: Report) -> list[tuple[object, ...]]:
    return [(*j.printed.at, j.printed.numeral.text, j.verdict, j.code) for j in report.judgements]
