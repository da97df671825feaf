"""A list of students: a CSV with their names, each with a file name that every system can hold."""

from __future__ import annotations

import csv
import re
import unicodedata
from pathlib import Path

from msgspec import Struct

from symattn.casefile.toml_file import text_of
from symattn.exact.literal import quote
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, UnreadableFile, UnusableValue

MOST = 10_000
LONGEST = 60
"""So many characters of a name are in the name of a file: at most 240 bytes of UTF-8."""
HEADINGS = frozenset(("name", "student", "姓名", "学生", "名字"))
"""What the column of names may be headed, in lower case."""
_UNSAFE = re.compile(r"[^\w-]+")
_RESERVED = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)")
"""Names that Windows keeps for devices."""


class Student(Struct, frozen=True):
    """A student, and what the files of theirs are called, without an ending."""

    name: str
    stem: str


def read_students(path: str) -> tuple[Student, ...]:
    """The students of a CSV: its column headed name, student or 姓名, else its first column.

    Raises SymattnError, with the line, for an empty list and for two names that lead to one file.
    """
    try:
        lines = csv.reader(text_of(Path(path)).removeprefix("\ufeff").splitlines(), strict=True)
        rows = [(lines.line_num, [_clean(cell) for cell in row]) for row in lines]
    except csv.Error:
        found = Bilingual("not a table of comma-separated values", "不是以逗号分隔的表格")
        raise UnreadableFile(found).at(file=path, line=lines.line_num) from None
    rows = [(line, row) for line, row in rows if any(row)]
    head = [cell.lower() for cell in rows[0][1]] if rows else []
    column = next((at for at, cell in enumerate(head) if cell in HEADINGS), None)
    named = rows if column is None else rows[1:]
    found_names = [(line, row[column or 0] if len(row) > (column or 0) else "") for line, row in named]
    if not found_names:
        raise UnreadableFile(
            Bilingual("no student is listed", "没有列出任何学生"),
            Bilingual(
                "one name per line, or a column with the heading name", "每行一个姓名，或有一列以“姓名”为标题"
            ),
        ).at(file=path)
    if len(found_names) > MOST:
        raise OutOfBounds(
            Bilingual(f"{len(found_names)} students", f"有 {len(found_names)} 个学生"),
            Bilingual(f"at most {MOST} are listed", f"最多 {MOST} 个"),
        ).at(file=path)
    return _distinct(path, found_names)


def _distinct(path: str, names: list[tuple[int, str]]) -> tuple[Student, ...]:
    seen: dict[str, tuple[int, str]] = {}
    students = []
    for line, name in names:
        stem = file_stem(name)
        if not stem:
            raise UnusableValue(
                Bilingual(f"{quote(name)} as a name", f"{quote(name)} 不能作姓名"),
                Bilingual("a name has a letter or a digit", "姓名至少有一个字母、汉字或数字"),
            ).at(file=path, line=line)
        first, other = seen.setdefault(stem.casefold(), (line, name))
        if first != line:
            raise UnusableValue(
                Bilingual(
                    f"{quote(name)} would have the file of {quote(other)} on line {first}",
                    f"{quote(name)} 的文件与第 {first} 行 {quote(other)} 的文件同名",
                ),
                Bilingual(
                    "make the names distinct, for example by a number", "请使姓名互不相同，例如加上学号"
                ),
            ).at(file=path, line=line)
        students.append(Student(name, stem))
    return tuple(students)


def file_stem(name: str) -> str:
    """The letters, digits and hyphens of a name in any script, joined by underscores."""
    stem = _UNSAFE.sub("_", unicodedata.normalize("NFC", name)).strip("_-")[:LONGEST].strip("_-")
    return f"{stem}_" if _RESERVED.fullmatch(stem) else stem


def student_of(file: str) -> str:
    """Whose answers a file holds, by its name: `Ada_L` of `Ada_L.answers.toml`."""
    return Path(file).name.partition(".")[0]


def _clean(cell: str) -> str:
    return " ".join(unicodedata.normalize("NFC", cell).split())
