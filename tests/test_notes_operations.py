"""A registered operation is found in notes, without a line of reader."""

from __future__ import annotations

import pytest

from symattn.auditor.report import Judgement
from symattn.exact.matrix import Matrix
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats
from symattn.notes.documents import document_reports, read_notes
from symattn.notes.hypotheses import operations
from symattn.plans.operation import Operation
from symattn.text.notation import Formula, Grid, Product

NOTE = """\
H = [[1.2, -0.7, 1.3], [0.4, 2.1, -1.1]]

after the new activation:

[[1.728, -0.343, 2.197], [0.064, 9.621, -1.331]]
"""


class Cube(Operation, frozen=True):
    """x^3 entry by entry."""

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0].map(lambda x: x * x * x)

    def floats(self, *arguments: Floats) -> Floats:
        return arguments[0] * arguments[0] * arguments[0]

    def formula(self, *arguments: Formula) -> Formula:
        return Product(arguments * 3)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Product((arguments[0].rows[i][j],) * 3)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(), (Matrix.rational([[1, -2], [0, 5]]),)


def judged() -> list[Judgement]:
    return [one for report in document_reports(NOTE, "a.md", "markdown") for one in report.judgements]


def test_a_registered_operation_is_found_and_accuses(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged() == []
    monkeypatch.setattr(operations, "_OPERATIONS", list(operations._OPERATIONS))
    operations.register(Cube())
    (case,) = read_notes(NOTE, "a.md", "markdown").cases
    assert [type(line.op) for line in case.program or ()] == [Cube]
    found = {one.printed.numeral.text: (one.verdict, one.expected) for one in judged()}
    assert found.pop("9.621") == ("slip", "9.261")
    assert [verdict for verdict, _ in found.values()] == ["correct"] * 5
