"""Givens from files, `X = "x.npz:X"`: which file is meant, whether a case may read it, and its cells."""

from __future__ import annotations

import math
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct, field

from symattn.casefile.locate import joined
from symattn.casefile.tables import Typed, misplaced, refuse
from symattn.text.bilingual import Bilingual, placed
from symattn.text.errors import SymattnError, UnreadableFile, UnusableValue
from symattn.text.file_names import shown
from symattn.text.system_errors import why

if TYPE_CHECKING:
    from symattn.golden.inputs import Array

Floats = Literal["printed", "exact"]
"""What a float means: the shortest decimal that prints it, or the binary number that it is."""
NAMED = Bilingual(
    'floats="printed" takes the shortest decimal of each (0.1 is 1/10), floats="exact" the binary number',
    'floats="printed" 取最短的小数（0.1 即 1/10），floats="exact" 取二进制数的准确值',
)
KINDS = ("csv", "npy", "npz", "safetensors")
_REFERENCE = re.compile(rf"(.+?\.({'|'.join(KINDS)}))(?::(.*))?", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"\[(\d+)\](?:\[(\d+)\])?")
_EXAMPLES = Bilingual(
    'a list of rows, [[1, 0], [0, 1]], or a file: "x.csv", "x.npy", "w.npz:W_Q", "model.safetensors:wq"',
    '由行组成的列表 [[1, 0], [0, 1]]，或文件："x.csv"、"x.npy"、"w.npz:W_Q"、"model.safetensors:wq"',
)


class Reference(NamedTuple):
    """A file, its kind, and the array in it that is meant; None for the only one."""

    path: str
    kind: str
    array: str | None


def reference(value: object) -> Reference | None:
    """What a string under [given] refers to; None for what is no name of such a file."""
    found = _REFERENCE.fullmatch(value) if type(value) is str else None
    return Reference(found[1], found[2].lower(), found[3]) if found else None


def references(given: object) -> Iterator[Reference]:
    """The files that [given] names, those of its heads and layers too."""
    for value in given.values() if isinstance(given, dict) else ():
        yield from references(value)
        found = reference(value)
        if found is not None:
            yield found


def names_arrays(content: Mapping[str, object]) -> bool:
    """Whether the tables of a case name a file that may hold floats."""
    return any(each.kind != "csv" for each in references(content.get("given")))


class Access(Struct, frozen=True):
    """Which files a case may read: those in its folder, or with `outside` all; without a folder none."""

    folder: Path | None = None
    outside: bool = False

    @classmethod
    def to(cls, folder: str | os.PathLike[str] | None, outside: bool = False) -> Access:
        """To the files of a folder."""
        return cls(None if folder is None else Path(folder), outside)

    def path(self, name: str) -> Path:
        """Where a file is. Raises UnusableValue for one that may not be read."""
        if self.folder is None:
            raise UnusableValue(
                Bilingual("a file, of a case that is in no folder", "文件：这个算例不在任何文件夹中"),
                Bilingual('say which one is meant, folder="."', '请指明文件夹，folder="."'),
            )
        try:
            folder = os.path.realpath(self.folder)
            real = os.path.realpath(self.folder / name)
        except ValueError:
            raise UnreadableFile(Bilingual("no name of a file", "不是文件名")) from None
        inside = not Path(name).is_absolute() and Path(real).is_relative_to(folder)
        if not inside and not self.outside:
            raise UnusableValue(
                Bilingual("a file outside the folder of the case", "文件在算例所在的文件夹之外"),
                Bilingual(
                    "put it there, or allow it: --allow-files, allow_files=True from Python",
                    "请把它放进去，或加上 --allow-files（Python 中为 allow_files=True）",
                ),
            )
        return Path(real)


NO_FILES = Access()


class Files(Struct, frozen=True):
    """The files of one case: which may be read, what their floats mean, and what was read."""

    access: Access = NO_FILES
    floats: str | None = None
    read: dict[str, str] = field(default_factory=dict)
    """The reference of each given that came from a file, by its name."""

    @contextmanager
    def rows(self, name: str, value: object) -> Iterator[object]:
        """What is given as rows of cells, read from its file if it names one.

        A problem with what is in the file is raised with the key of the given.
        """
        if type(value) is not str:
            yield value
            return
        path = joined("given", name)
        asked = reference(value)
        if asked is None:
            refuse(path, misplaced(value, Bilingual("a matrix", "矩阵")), _EXAMPLES)
        self.read[name] = shown(value)
        try:
            yield self._rows(asked, path)
        except SymattnError as problem:
            cell = _CELL.fullmatch((problem.key or "").removeprefix(path))
            where = shown(value)
            problem.reason = placed(where, placed_in(cell, problem.reason) if cell else problem.reason)
            problem.key = path
            raise

    def _rows(self, asked: Reference, key: str) -> object:
        path = self.access.path(asked.path)
        if asked.array is not None and asked.kind in ("csv", "npy"):
            raise UnusableValue(
                Bilingual(f"the array {asked.array[:40]}", f"数组 {asked.array[:40]}"),
                Bilingual(
                    f"a file .{asked.kind} holds one, without a name", f".{asked.kind} 文件只有一个无名的数组"
                ),
            )
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise UnreadableFile(Bilingual("no regular file", "不是普通文件"))
            if asked.kind == "csv":
                return _table(path)
            from symattn.casefile.array_files import read_array

            return self._cells(read_array(path, asked.kind, asked.array), key)
        except OSError as error:
            raise UnreadableFile(why(error)) from None

    def _cells(self, array: Array, key: str) -> object:
        """The entries as a case would hold them: integers as they are, floats as `floats` has them."""
        from symattn.casefile.array_files import beyond, shortest

        if array.values.dtype.kind in "iu":
            return array.values.tolist()
        if self.floats is None:
            kind = array.values.dtype.name if array.format is None else array.format.name
            raise UnusableValue(Bilingual(f"floats ({kind})", f"浮点数（{kind}）"), NAMED)
        found = beyond(array)
        if found is not None:
            word, at = found
            raise UnusableValue(
                Bilingual(f"{word} where a number belongs", f"此处应为数，却是 {word}"),
                Bilingual("a given is finite; -inf hides a key", "给定的数是有限的；-inf 表示遮住一个键"),
            ).at(key=key + "".join(f"[{i}]" for i in at))
        if self.floats == "printed":
            return _written(shortest(array), decimal_cell)
        return _written(array.values.tolist(), fraction_cell)


def _written(value: object, write: Callable[[Any], str]) -> object:
    return [_written(each, write) for each in value] if isinstance(value, list) else write(value)


def decimal_cell(printed: str) -> str:
    """The cell of a float that is printed so: the same decimal without an exponent."""
    return "-inf" if printed == "-inf" else Typed(f"{Decimal(printed):f}")


def fraction_cell(value: float) -> str:
    """The cell of the dyadic rational that a float is."""
    return "-inf" if value == -math.inf else str(Fraction(value))


def placed_in(cell: re.Match[str], reason: Bilingual) -> Bilingual:
    """What is wrong, with the row and the column, from 1."""
    row, column = int(cell[1]) + 1, int(cell[2] or -1) + 1
    at = Bilingual(f"row {row}", f"第 {row} 行")
    if cell[2]:
        at = Bilingual(f"row {row}, column {column}", f"第 {row} 行第 {column} 列")
    return Bilingual(f"{at.en}: {reason.en}", f"{at.zh}：{reason.zh}")


def _table(path: Path) -> list[list[str]]:
    """The cells of a .csv as they are typed, without blank lines."""
    import csv
    import io

    from symattn.casefile.toml_file import text_of

    text = text_of(path).removeprefix("\ufeff")
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text, newline=""))]
    except csv.Error as error:
        raise UnreadableFile(Bilingual(f"no table: {error}", f"不是表格：{error}")) from None
    return [row for row in rows if any(row)]
