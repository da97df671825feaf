"""The example of every finding gives that finding when it is audited."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from catalogue_examples import EXAMPLES

from symattn.auditor.catalogue import CATALOGUE, Lang
from symattn.auditor.report import Report
from symattn.reports import judge_of


def found(code: str) -> Iterator[tuple[str | None, str | None]]:
    """Code and printed characters of all that the audit of an example reports; a remark has none."""
    example = EXAMPLES[code]
    file = f"example{example.suffix}"
    for report in judge_of(file, example.options)(example.text, file):
        yield from _found(report)


def _found(report: Report) -> Iterator[tuple[str | None, str | None]]:
    for judged in report.judgements:
        yield "SA105" if judged.note == "tie" else judged.code, judged.printed.numeral.text
    yield from ((remark.code, None) for remark in report.remarks)
    yield from ((unread.code, unread.text) for unread in report.unread)


def test_every_finding_has_an_example_that_can_be_audited() -> None:
    assert list(EXAMPLES) == list(CATALOGUE)


@pytest.mark.parametrize("code", CATALOGUE)
def test_the_example_of_a_finding_gives_its_code(code: str) -> None:
    assert code in [each for each, _ in found(code)]


PRINTED = ("SA101", "SA102", "SA103", "SA105", "SA107", "SA2", "SA901", "SA904")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("code", [code for code in CATALOGUE if code.startswith(PRINTED)])
def test_the_number_with_the_finding_is_the_one_that_the_catalogue_prints(code: str, lang: Lang) -> None:
    words = CATALOGUE[code].example[lang]
    assert all(text is not None and text in words for each, text in found(code) if each == code)
