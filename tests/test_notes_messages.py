"""What the findings in a document say: short, in words, and in the notation that stands there."""

from __future__ import annotations

import pytest

from symattn.auditor.audit import audit
from symattn.auditor.findings.rule import Lang
from symattn.auditor.messages import message, unread_message
from symattn.reading.case_file import parse_case
from symattn.reading.documents import document_reports


def said(text: str, lang: Lang = "en") -> list[str]:
    """The messages of all findings that a document fails for."""
    reports = document_reports(text, "notes.md", "markdown")
    return [message(report, each, lang) for report in reports for each in report.judgements if each.code]


@pytest.mark.parametrize(
    ("text", "lang", "told"),
    [
        (
            "sqrt(((0.5 - 0.25)^2 + (-0.3 - 0.25)^2 + (0.2 - 0.25)^2 + (0.6 - 0.25)^2)/4) = 0.374",
            "en",
            "printed 0.374 for sqrt(((0.5 - 0.25)^2 + ... + (0.6 - 0.25)^2)/4); the right value is 0.350, "
            "off by 24 units of the last place",
        ),
        ("exp(0.63) = 9.548", "en", "printed 9.548 for exp(0.63); the right value is 1.878, off by 7.670"),
        ("exp(0.63) = 9.548", "zh", "exp(0.63) 印作 9.548；正确值是 1.878，相差 7.670"),
    ],
)
def test_an_equation_is_said_once_and_its_distance_as_a_number(text: str, lang: Lang, told: str) -> None:
    assert said(text, lang) == [told]


def test_what_a_working_gives_is_said() -> None:
    (found,) = said("Q = [[1, 2]]\nK = [[3, 4]]\nscores = QK^T = 1*3 + 2*4 = 17\n")
    assert "printed 17, but its own working 1×3 + 2×4 gives 11; the right value is 11, off by 6" in found


def test_a_large_number_keeps_its_power_of_ten() -> None:
    (found,) = said("exp(53.74) = 3.07e23")
    assert (
        found
        == "printed 3.07e23 for exp(53.74); the right value is 2.18e23, off by 89 units of the last place"
    )


def test_minus_infinity_is_called_by_its_name() -> None:
    text = (
        '[given]\nQ = [[1], [2]]\nK = [[1], [2]]\n[attention]\nmask = "causal"\n'
        '[[stated]]\nname = "masked"\nvalues = [["-inf"]]\n'
    )
    assert [unread_message(unread, "en") for unread in audit(parse_case(text)).unread] == [
        "-inf has no verdict: minus infinity is no number to compare with"
    ]


def test_a_numeral_that_nobody_reads_is_told_by_its_beginning() -> None:
    text = f"Q = [[1]]\nK = [[2]]\nscores = [[{'9' * 5000}]]\n"
    reports = document_reports(text, "notes.md", "markdown")
    told = [unread_message(unread, "en") for report in reports for unread in report.unread]
    assert told
    assert max(map(len, told)) < 200
