"""Findings that a baseline knows: they are kept quiet, so that an audit shows only what is new.

A finding is known by its content, never by a line: its code, its entry, and what is printed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.report import EQUATION, Judgement, Remark, Report

_NUMBERED = re.compile(r" \((?:line )?\d+\)$")
"""What tells quantities of one name apart in a document, and moves with its lines."""


class Known(Struct, frozen=True, order=True):
    """The content of one finding; rows and columns count from 0, -1 where there is none."""

    code: str
    name: str
    row: int
    col: int
    key: int
    printed: str


def known(finding: Judgement | Remark) -> Known:
    """The content of a finding; of a number beside its own working that working is the entry."""
    assert finding.code is not None
    if isinstance(finding, Remark):
        said = "; ".join(value for key, value in sorted(finding.values.items()) if not key.endswith("_zh"))
        row = -1 if finding.row is None else finding.row
        return Known(finding.code, _name(finding.name or ""), row, -1, -1, said)
    number = finding.printed
    text = number.numeral.text.strip()
    if number.name == EQUATION:
        return Known(finding.code, number.work or "", -1, -1, -1, text)
    key = -1 if number.key is None else number.key
    return Known(finding.code, _name(number.name), number.row, number.col, key, text)


def _name(name: str) -> str:
    return _NUMBERED.sub("", name)


def failing_content(reports: Sequence[Report], chosen: Callable[[str], bool]) -> Iterator[Known]:
    """The content of all chosen findings that can make an audit fail."""
    for finding in (one for report in reports for one in report.findings()):
        if _counts(finding) and finding.code is not None and chosen(finding.code):
            yield known(finding)


def without_known(
    reports: Sequence[Report], baseline: Mapping[Known, int]
) -> tuple[tuple[Report, ...], Counter[Known]]:
    """The reports with the findings of a baseline kept quiet, and what the baseline has that is gone.

    Of findings with one content as many are kept quiet as the baseline holds.
    """
    left = Counter(baseline)
    return tuple(_quiet(report, left) for report in reports), +left


def _quiet(report: Report, left: Counter[Known]) -> Report:
    judgements = tuple(
        replace(one, code=None, fix=None, suppressed="baseline") if _taken(one, left) else one
        for one in report.judgements
    )
    remarks = tuple(one for one in report.remarks if not _taken(one, left))
    count = sum(a is not b for a, b in zip(judgements, report.judgements, strict=True))
    count += len(report.remarks) - len(remarks)
    return replace(report, judgements=judgements, remarks=remarks, suppressed=report.suppressed + count)


def _taken(finding: Judgement | Remark, left: Counter[Known]) -> bool:
    if not _counts(finding) or not left[known(finding)]:
        return False
    left[known(finding)] -= 1
    return True


def _counts(finding: Judgement | Remark) -> bool:
    return finding.code is not None and CATALOGUE[finding.code].fails != "never"
