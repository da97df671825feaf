"""Fixing stray equations: a corrected result goes on into the workings that use it."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.auditor.fixing.edits import applied
from symattn.auditor.fixing.rewriting import edits
from symattn.auditor.formats.items import Options
from symattn.cli.fixing import Fixing
from symattn.cli.fixing import fixed as repaired
from symattn.notes.documents import document_reports


def fixed(text: str, *, unsafe: bool = True) -> str:
    """The document with its fixes made."""
    reports = document_reports(text, "notes.md", "markdown")
    return applied(text, edits(reports, unsafe=unsafe))[0]


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("1/3 = 0.36, then 0.36*4 = 1.44.", "1/3 = 0.33, then 0.33*4 = 1.32."),
        ("exp(2) = 7.93 and 7.93/4 = 1.98.", "exp(2) = 7.39 and 7.39/4 = 1.85."),
        ("-1/3 = -0.36, then 2 - 0.36 = 1.64.", "-1/3 = -0.33, then 2 - 0.33 = 1.67."),
        # the second 0.36 is right, and what follows goes on from it
        ("1/3 = 0.36, 0.6*0.6 = 0.36, 0.36*4 = 1.44.", "1/3 = 0.33, 0.6*0.6 = 0.36, 0.36*4 = 1.44."),
        # alone in its brackets a number takes its own sign with it
        ("-1/3 = 0.36, then exp(0.36) = 1.43.", "-1/3 = -0.33, then exp(-0.33) = 0.72."),
        ("1/3 = -0.36, then exp(-0.36) = 0.70.", "1/3 = 0.33, then exp(0.33) = 1.39."),
        # the number of another sign is left to the author
        ("1/3 = -0.33, then 2 - 0.33 = 1.67.", "1/3 = 0.33, then 2 - 0.33 = 1.67."),
    ],
)
def test_a_corrected_result_goes_on_into_the_workings_that_use_it(text: str, then: str) -> None:
    assert fixed(text) == then


def test_a_result_that_others_use_is_no_safe_fix() -> None:
    text = "1/3 = 0.36, then 0.36*4 = 1.44, and 1/7 = 0.41."
    assert fixed(text, unsafe=False) == "1/3 = 0.36, then 0.36*4 = 1.44, and 1/7 = 0.14."


@st.composite
def notes(draw: st.DrawFn) -> str:
    """Equations with right and wrong results, each of which may use the results before it."""
    results = ["2", "1.5"]
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        a, b = (draw(st.sampled_from([*results, "3", "0.7"])) for _ in range(2))
        sign = draw(st.sampled_from("+*/"))
        result = draw(st.decimals("0.01", "9.99", places=draw(st.integers(1, 3))))
        lines.append(f"So {a} {sign} {b} = {result}.")
        results.append(str(result))
    return "\n\n".join(lines) + "\n"


@settings(max_examples=60, deadline=None)
@given(notes())
def test_the_audit_of_fully_fixed_equations_finds_no_slip(text: str) -> None:
    judge = partial(document_reports, file="notes.md", kind="markdown")
    for report in repaired(text, judge, Fixing(unsafe=True), Options()).reports:
        assert [j.printed.numeral.text for j in report.judgements if j.verdict == "slip"] == []
