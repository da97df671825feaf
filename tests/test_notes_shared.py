"""The examples of one document on several processes: the same reports in the same order."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from symattn.auditor.formats.items import Options
from symattn.auditor.formats.table import format_named
from symattn.bilingual import both
from symattn.errors import UnusableValue
from symattn.exact.literal import read
from symattn.exact.named import Named
from symattn.reading.documents import document_reports
from symattn.reading.workers import FEWEST, in_turn, packed, shared

DOCUMENTS = Path(__file__).parent / "documents"
EXAMPLE = """# Example {k}

X = [[1, {k}], [0, 1]]

W_Q = [[1, 0], [2, 1]], W_K = [[0, 1], [1, {k}]]

Q = X W_Q = [[{first}, {k}], [2, 1]]

K = X W_K = [[{k}, {wrong}], [1, {k}]]
"""


def _piece(text: str, jobs: int) -> object:
    reports = document_reports(text, "notes.md", "markdown", each=shared(jobs))
    return format_named("json").piece("notes.md", reports, Options())


def test_several_processes_find_what_one_finds_in_the_same_order() -> None:
    examples = [EXAMPLE.format(k=k, first=2 * k + 1, wrong=k * k + 2 + k % 2) for k in range(1, FEWEST + 3)]
    documents = [(DOCUMENTS / f"{name}.md").read_text("utf-8") for name in ("en_two_heads", "en_cosine")]
    text = "\n\n".join([*examples, *documents])
    assert len(document_reports(text, "notes.md", "markdown")) > FEWEST
    assert _piece(text, 2) == _piece(text, 1)


def test_the_found_comes_in_order_and_a_problem_is_raised() -> None:
    things = range(3 * FEWEST)
    assert list(shared(3)(lambda k: k * k, things)) == [k * k for k in things]

    def work(k: int) -> int:
        if k == 5:
            raise UnusableValue(both("no five"), both("take another number"))
        return k

    with pytest.raises(UnusableValue, match="no five"):
        list(shared(2)(work, things))


@pytest.mark.parametrize("said", ["1/3", "sqrt(2)/5", "exp(1/2)/(1 + exp(sqrt(3)))", "cos(1)", "pi", "-inf"])
def test_exact_numbers_are_handed_back_as_they_were(said: str) -> None:
    number = read(said, {})
    again = pickle.loads(packed(number))
    assert (again, hash(again)) == (number, hash(number))
    assert again.to_sympy() == number.to_sympy()


def test_a_named_entry_is_handed_back_as_the_same_object() -> None:
    name = Named("A", 0, 1, read("exp(sqrt(2))", {}))
    assert pickle.loads(packed(name)) is name


def test_where_no_process_can_begin_it_is_done_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError("no locks here")

    monkeypatch.setattr("symattn.reading.processes.ProcessPoolExecutor", refused)
    assert list(shared(2)(str, range(FEWEST))) == [str(k) for k in range(FEWEST)]


def test_what_is_not_worth_it_is_done_in_turn() -> None:
    assert shared(1) is in_turn
    assert isinstance(shared(2)(str, range(2)), map) or sys.platform != "linux"
