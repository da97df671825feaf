"""What holds for all documents of the notes benchmark: fixed they are clean, their cases say the same."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import pytest
from once import but_slow

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.documents import Written, document, of_kind
from benchmarks.notes.forms import FORMS
from benchmarks.notes.kinds import KINDS
from symattn.auditor.audit import audit
from symattn.auditor.fixing.edits import applied
from symattn.auditor.fixing.rewriting import edits
from symattn.auditor.formats.items import Options, failing
from symattn.auditor.report import OPERAND, Report
from symattn.cli.fixing import Fixing, fixed
from symattn.reading.case_file import parse_case
from symattn.reading.documents import document_reports, read_document, settled
from symattn.reading.kinds import Kind, kind_of
from symattn.reading.notes.cases.extract import extract

FOLDER = Path(__file__).parent / "documents"
SAMPLES = sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".toml")
SEED = 7
LARGEST = 6_000
NUMERAL = re.compile(r"[-−－]?[0-9０-９][0-9０-９.．]*")
WORDS = ("claim", "shape")
"""Verdicts on sentences and on products that are not defined, which no other number mends."""


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


@cache
def reports(text: str, file: str, kind: Kind) -> Sequence[Report]:
    """The audit of a document, for all tests of it."""
    return document_reports(text, file, kind)


@pytest.mark.parametrize("name", but_slow([*FORMS, *KINDS], "feed-forward"))
def test_the_audit_of_a_fully_fixed_document_is_clean(name: str) -> None:
    written = small(name)
    holds_after_fixes(written.text, written.name, written.kind)


@pytest.mark.parametrize("name", but_slow(SAMPLES, *(name for k, name in enumerate(SAMPLES) if k % 4)))
def test_the_audit_of_a_whole_document_in_another_hand_is_clean_once_it_is_fixed(name: str) -> None:
    text = (FOLDER / name).read_bytes().decode("utf-8")
    holds_after_fixes(text, name, kind_of(name))


def holds_after_fixes(text: str, name: str, kind: Kind) -> None:
    """Fixing leaves no wrong number, changes nothing but numerals, and has nothing to do a second time."""
    judge = partial(reports, file=name, kind=kind)
    after = fixed(text, judge, Fixing(unsafe=True), Options())
    left = [found for report in after.reports for found in failing(report, Options())]
    assert [found for found in left if found.verdict not in WORDS or found.code == "SA601"] == []
    assert NUMERAL.sub("#", after.text) == NUMERAL.sub("#", text)
    assert applied(after.text, edits(after.reports, unsafe=True))[0] == after.text


@pytest.mark.parametrize("name", but_slow(KINDS, "feed-forward"))
def test_an_extracted_case_audits_to_the_same_findings(name: str) -> None:
    written = small(name)
    holds_extracted(written.text, written.name, written.kind)


@pytest.mark.parametrize("name", SAMPLES[::4])
def test_the_case_of_a_whole_document_in_another_hand_audits_to_the_same_findings(name: str) -> None:
    holds_extracted((FOLDER / name).read_text("utf-8"), name, kind_of(name))


def holds_extracted(text: str, name: str, kind: Kind) -> None:
    """Every walk of a document becomes a case that is judged as the walk in its document is."""
    reading = settled(read_document(text, name, kind), text)
    assert reading.cases or reading.equations
    for walk, report in zip(range(len(reading.cases)), reports(text, name, kind), strict=False):
        assert _verdicts(audit(parse_case(extract(reading, walk)))) == _verdicts(report)


def _verdicts(report: Report) -> list[tuple[object, ...]]:
    said = [(remark.code, remark.name, remark.row) for remark in report.remarks if remark.code != "SA603"]
    claims = (judged for judged in report.judgements if judged.note != OPERAND)
    return [*((*j.printed.at, j.printed.numeral.text, j.verdict, j.code) for j in claims), *said]
