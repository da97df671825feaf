"""Random documents: places, truth, and that what is right in them is left alone."""

from __future__ import annotations

import pytest

from benchmarks.documents.writer import Document, document
from benchmarks.random_documents import Count, count


def of_seed(seed: int, documents: int, *, clean: bool = False) -> list[Document]:
    return [document(seed, number, clean=clean) for number in range(documents)]


def test_a_place_points_at_the_characters_of_its_number() -> None:
    for written in of_seed(3, 12):
        lines = written.text.split("\n")
        for numeral in written.numerals:
            assert lines[numeral.line - 1].startswith(numeral.text, numeral.column - 1)


def test_every_printed_result_of_an_example_is_in_its_document_once_as_a_result() -> None:
    for written in of_seed(3, 12):
        results = [numeral.entry for numeral in written.numerals if numeral.role == "result"]
        assert sorted(results) == sorted(written.example.run.texts)


def test_clean_documents_have_no_slip_and_others_have() -> None:
    assert all(written.clean for written in of_seed(3, 12, clean=True))
    assert not all(written.clean for written in of_seed(3, 12))


def test_every_kind_of_file_is_written() -> None:
    assert {written.frame for written in of_seed(3, 24)} == {"markdown", "latex", "text", "notebook"}


def test_an_accusation_of_a_right_number_and_an_unfound_slip_count_against_a_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = next(each for each in of_seed(3, 12) if not each.clean)
    places = [(each.line, each.column, each.label) for each in written.numerals if each.role == "result"]
    reader = {"slip": "correct", "correct": "slip"}
    wrong = {(line, column): (reader.get(label, label), False) for line, column, label in places}
    monkeypatch.setattr("benchmarks.random_documents.verdicts", lambda written: wrong)
    count(run := Count(), written, show=False)
    whole = run.tallies["all"]
    assert (whole.right.k, whole.found.k, run.noticed.k) == (0, 0, 0)
    assert whole.right.n == sum(label == "correct" for _, _, label in places) > 0
    assert whole.found.n == sum(label == "slip" for _, _, label in places) > 0


def test_a_few_documents_are_read_without_a_false_accusation() -> None:
    run = Count()
    for written in [*of_seed(4, 4), *of_seed(8, 4, clean=True)]:
        count(run, written, show=False)
    assert not run.crashes
    assert run.confusion["correct", "slip"] == run.confusion["rounding", "slip"] == 0
    assert run.tallies["all"].judged.k > 200
