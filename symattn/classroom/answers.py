"""What a student answered: TOML, CSV or notes become numbers by the entries of the computation."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from symattn.attention.entry_names import place_of, quantity_named
from symattn.casefile.file_kinds import KINDS
from symattn.casefile.toml_file import content_of, text_of
from symattn.classroom.students import HEADINGS, student_of
from symattn.classroom.written_answers import Entry, numbers_in
from symattn.exact.literal import quote
from symattn.plans.derive import Derivation
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import ShapeMismatch, SymattnError, UnreadableFile, UnusableValue

Cells = Sequence[Sequence[str]]
ENTRY = frozenset(("entry", "元素"))
"""What the first of two columns is headed that hold entries and numbers."""
_NUMBERS = Bilingual(
    'numbers or rows of numbers: A = [["1/3", "2/3"]]', '应为数或由数组成的行：A = [["1/3", "2/3"]]'
)


class Answer(Struct, frozen=True):
    """The numbers of a student as they were written, by entry.

    `unread` says what was passed over, and `problem` why there are no numbers at all.
    """

    student: str
    numbers: Mapping[Entry, str]
    unread: tuple[Bilingual, ...] = ()
    problem: Bilingual | None = None


def read_answers(path: str, derivation: Derivation) -> tuple[Answer, ...]:
    """The answers in a file: those of a class in a CSV with a row for each, else those of one student.

    Raises SymattnError for a file that cannot be used.
    """
    kind = Path(path).suffix.lower()
    student = student_of(path)
    text = text_of(Path(path)).removeprefix("\ufeff")
    if kind == ".csv":
        return tuple(_in_table(text, derivation, student))
    if kind == ".toml":
        return (_in_toml(text, derivation, student),)
    if kind in KINDS:
        return (Answer(student, numbers_in(text, KINDS[kind], derivation)),)
    raise UnreadableFile(
        Bilingual("not a kind of file that can be marked", "不能给这种文件评分"),
        Bilingual(
            f"answers are files that end in .toml, .csv, {', '.join(KINDS)}",
            f"答案文件的后缀是 .toml、.csv、{'、'.join(KINDS)}",
        ),
    )


def _in_toml(text: str, derivation: Derivation, student: str) -> Answer:
    """`A = [["1/3", "2/3"]]`, `"head1.A" = ...`, or the `[[stated]]` tables of a case.

    A matrix that cannot be used is passed over. Raises UnreadableFile for what is no TOML.
    """
    found: dict[Entry, str] = {}
    unread = []
    for key, table in _tables(content_of(text)):
        try:
            _put(found, derivation, table)
        except SymattnError as error:
            unread.append(error.at(key=key).message)
    return Answer(student, found, tuple(unread))


def _tables(content: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """What is answered as tables with name and values, row and col, each with its place."""
    stated = content.get("stated")
    if isinstance(stated, list):
        yield from ((f"stated[{at}]", table) for at, table in enumerate(stated) if isinstance(table, dict))
    else:
        yield from ((name, {"name": name, "values": value}) for name, value in _flat(content))


def _flat(content: Mapping[str, object], head: str = "") -> Iterator[tuple[str, object]]:
    """`head1.A = ...` and `[head1]`, which TOML reads as tables, by their whole names."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{head}{name}.")
        else:
            yield head + name, value


def _put(found: dict[Entry, str], derivation: Derivation, table: Mapping[str, object]) -> None:
    """Notes the numbers of a matrix; what is empty is no answer."""
    value, name, row, col = (table.get(key, 0) for key in ("values", "name", "row", "col"))
    rows = value if isinstance(value, list) else [value]
    lines = rows if any(isinstance(each, list) for each in rows) else [rows]
    cells = [
        [str(cell) for cell in line if isinstance(cell, str | int) and not isinstance(cell, bool)]
        for line in lines
        if isinstance(line, list)
    ]
    numbers = [len(line) for line in cells] == [len(line) if isinstance(line, list) else -1 for line in lines]
    if not (numbers and isinstance(name, str) and isinstance(row, int) and isinstance(col, int)):
        raise UnusableValue(Bilingual("no numbers", "不是数"), _NUMBERS)
    place(found, derivation, name, cells, row, col)


def place(
    found: dict[Entry, str], derivation: Derivation, said: str, cells: Cells, row: int = 0, col: int = 0
) -> None:
    """Notes a block of numbers of the quantity that is meant, its upper left one at (row, col).

    Raises ShapeMismatch where it does not fit into the matrix, UnusableValue for an unknown name.
    """
    name = quantity_named(derivation, said)
    n, m = derivation[name].shape
    height, width = len(cells), max(map(len, cells), default=0)
    if not (0 <= row <= n - height and 0 <= col <= m - width):
        raise ShapeMismatch(
            Bilingual(f"{said} is {height}×{width} here", f"这里的 {said} 是 {height}×{width} 矩阵"),
            Bilingual(f"it is {n}×{m}", f"应为 {n}×{m} 矩阵"),
        )
    for i, line in enumerate(cells):
        for j, cell in enumerate(line):
            if cell.strip():
                found[name, row + i, col + j] = cell.strip()


def _in_table(text: str, derivation: Derivation, student: str) -> Iterator[Answer]:
    """A row for each student under `student, A[1,1], A[1,2], ...`, or rows `A[1,1], 1/3` of one."""
    try:
        lines = csv.reader(text.splitlines(), strict=True)
        rows = [(lines.line_num, [cell.strip() for cell in row]) for row in lines]
    except csv.Error:
        found = Bilingual("not a table of comma-separated values", "不是以逗号分隔的表格")
        raise UnreadableFile(found).at(line=lines.line_num) from None
    rows = [(line, row) for line, row in rows if any(row)]
    head = rows[0][1] if rows else [""]
    if head[0].lower() in ENTRY:
        numbers = {}
        for line, row in rows[1:]:
            if len(row) > 1 and row[1]:
                numbers[_entry(derivation, row[0], line)] = row[1]
        yield Answer(student, numbers)
        return
    if head[0].lower() not in HEADINGS:
        raise UnreadableFile(
            Bilingual(f"a table that begins with {quote(head[0])}", f"表格以 {quote(head[0])} 开头"),
            Bilingual(
                'head it student, "A[1,1]", "A[1,2]", ... or entry, value',
                '首行应为：student, "A[1,1]", "A[1,2]"…，或 entry, value',
            ),
        ).at(line=1)
    entries = [_entry(derivation, cell, rows[0][0]) for cell in head[1:]]
    for line, row in rows[1:]:
        if len(row) != len(head):
            problem = Bilingual(
                f"line {line} has {Count(len(row)):cell}, the first line {len(head)}",
                f"第 {line} 行有 {len(row)} 格，首行有 {len(head)} 格",
            )
            yield Answer(row[0], {}, problem=problem)
        else:
            yield Answer(row[0], {at: cell for at, cell in zip(entries, row[1:], strict=True) if cell})


def _entry(derivation: Derivation, cell: str, line: int) -> Entry:
    try:
        return place_of(derivation, cell)
    except SymattnError as error:
        raise error.at(line=line) from None
