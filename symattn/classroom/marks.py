"""The marks of a class as a page, as CSV, and as JSON (`symattn schema marks`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from symattn.classroom.feedback import on_one_line
from symattn.classroom.marking import Mark
from symattn.text.bilingual import Bilingual
from symattn.text.document import Block, Bullets, Document, Heading, Prose, Table

NAME = "symattn/marks/1"

_TITLE = Bilingual("Marks: {title}", "评分：{title}")
_STUDENT, _POINTS = Bilingual("Student", "学生"), Bilingual("Points", "得分")
_FEEDBACK, _MEAN = Bilingual("Feedback", "反馈"), Bilingual("mean", "平均")
_OF = Bilingual("of", "满分")
_PROBLEM = Bilingual("not marked: {why}", "未评分：{why}")
_ALL_RIGHT = Bilingual("All correct.", "全部正确。")
_MISSING = Bilingual("{count} left empty", "{count} 个空未填")


class Filled(Struct, frozen=True):
    """A blank of an answer; `outcomes` counts its numbers by what came of them."""

    name: str
    points: float
    of: int
    outcomes: dict[str, int]


class Marked(Struct, frozen=True):
    """The mark of a student; `problem` says why nothing was marked."""

    student: str
    points: float
    of: int
    blanks: list[Filled]
    feedback: list[str]
    problem: str | None


class Marks(Struct, frozen=True):
    """What `symattn mark KEY ANSWERS --json` prints."""

    schema: Annotated[str, Meta(pattern=f"^{NAME}$")]
    title: str
    marks: list[Marked]


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of marks."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Marks)}


def marks_data(title: str, marks: Sequence[Mark], lang: str) -> dict[str, Any]:
    """The marks as plain values."""
    found: dict[str, Any] = msgspec.to_builtins(Marks(NAME, title, [_marked(each, lang) for each in marks]))
    return found


def _marked(mark: Mark, lang: str) -> Marked:
    blanks = [
        Filled(
            each.asked.name,
            _number(each.points),
            each.asked.points,
            dict(each.outcomes.items()),
        )
        for each in mark.blanks
    ]
    problem = None if mark.problem is None else mark.problem[lang]
    said = [each[lang] for each in mark.feedback]
    return Marked(mark.student, _number(mark.points), mark.of, blanks, said, problem)


def marks_csv(marks: Sequence[Mark], lang: str) -> str:
    """A row for each student: the points, those of each blank, the feedback. Cells are no formulas."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    names = _labels(marks)
    lines.writerow([_STUDENT[lang], _POINTS[lang], _OF[lang], *names, _FEEDBACK[lang]])
    for mark in marks:
        points = {each.asked.label: _points(each.points) for each in mark.blanks}
        said = "; ".join(_said(mark, lang))
        cells = [points.get(name, "") for name in names]
        lines.writerow([_inert(mark.student), _points(mark.points), mark.of, *cells, _inert(said)])
    return out.getvalue()


def _inert(cell: str) -> str:
    """Words that a spreadsheet does not take for a formula."""
    return f"'{cell}" if cell[:1] in "=+-@\t" and cell else cell


def marks_document(title: str, marks: Sequence[Mark], lang: str) -> Document:
    """The table of the class, then the feedback for each student."""
    return Document(_TITLE[lang].format(title=title), tuple(_blocks(marks, lang)), lang)


def _blocks(marks: Sequence[Mark], lang: str) -> Iterator[Block]:
    names = _labels(marks)
    rows = [_row(mark, names) for mark in marks]
    counted = [mark for mark in marks if mark.problem is None]
    if len(counted) > 1:
        rows.append(_means(counted, names, lang))
    header = tuple((words,) for words in (_STUDENT[lang], _POINTS[lang], _OF[lang], *names))
    yield Table(header, tuple(rows), "l" + "r" * (len(names) + 2))
    for mark in marks:
        yield Heading((mark.student,), 2)
        yield Bullets(tuple((said,) for said in _said(mark, lang)))


def _labels(marks: Sequence[Mark]) -> list[str]:
    """What the blanks are called; those of different exercises may be different ones."""
    return [*dict.fromkeys(each.asked.label for mark in marks for each in mark.blanks)]


def _row(mark: Mark, names: Sequence[str]) -> tuple[Prose, ...]:
    points = {each.asked.label: _points(each.points) for each in mark.blanks}
    of = str(mark.of) if mark.problem is None else "–"
    cells = (mark.student, _points(mark.points), of, *(points.get(name, "–") for name in names))
    return tuple((cell,) for cell in cells)


def _means(marks: Sequence[Mark], names: Sequence[str], lang: str) -> tuple[Prose, ...]:
    each = {
        name: [b.points for mark in marks for b in mark.blanks if b.asked.label == name] for name in names
    }
    columns = [[mark.points for mark in marks], [Fraction(mark.of) for mark in marks], *each.values()]
    return ((_MEAN[lang],), *((_points(Fraction(sum(column), len(column))),) for column in columns))


def _said(mark: Mark, lang: str) -> list[str]:
    """The feedback in one language."""
    if mark.problem is not None:
        return [_PROBLEM.format(why=on_one_line(mark.problem))[lang]]
    missing = sum(each.outcomes.get("missing", 0) for each in mark.blanks)
    said = [each[lang] for each in mark.feedback]
    said += [_MISSING[lang].format(count=missing)] if missing else []
    return said or [_ALL_RIGHT[lang]]


def _number(points: Fraction) -> float:
    return round(float(points), 2)


def _points(points: Fraction) -> str:
    """At most two decimals."""
    return f"{_number(points):g}"
