"""Cells of a case become exact numbers: matrices, masks, single expressions, printed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symattn.attention.case import Given
from symattn.casefile.tables import Typed, described, listed, misplaced, refuse
from symattn.exact.literal import numeral_or_none, quote, read
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact, Infinite
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import RaggedRows, SymattnError, UndefinedValue

Names = Mapping[str, Exact]
Value = Fraction | Exact


def matrix(rows: object, path: str, names: Names, *, infinite: bool = False, flat: bool = False) -> Given:
    """A given matrix: typed characters and exact values. `flat` allows one row without its brackets.

    Raises UnusableValue, RaggedRows and what `symattn.exact.literal.read` raises, at the cell.
    """
    table = _rows(rows, path, flat)
    typed: list[tuple[str, ...]] = []
    values: list[list[Value]] = []
    seen: dict[str, Value] = {}
    rational = True
    for at, row in table:
        texts = tuple([_characters(cell, at, j) for j, cell in enumerate(row)])
        typed.append(texts)
        line = [
            seen[text] if text in seen else _valued(text, f"{at}[{j}]", names, seen)
            for j, text in enumerate(texts)
        ]
        rational = rational and all(type(value) is Fraction for value in line)
        values.append(line)
    if not infinite:
        _finite(values, table)
    if rational:
        return Given(tuple(typed), Matrix.rational(values))  # type: ignore[arg-type]
    exact = [[Exact.of(value) if isinstance(value, Fraction) else value for value in line] for line in values]
    return Given(tuple(typed), Matrix.of(exact))


def number(value: object, path: str, names: Names) -> Given:
    """A given single number, as a matrix of one entry. Raises as `matrix` does."""
    text = characters(value, path)
    found = _valued(text, path, names, {})
    if isinstance(found, Infinite):
        refuse(
            path,
            Bilingual(f"{quote(text)} where a number belongs", f"{quote(text)} 出现在应为数的位置"),
            Bilingual("a finite number", "应为有限的数"),
        )
    return Given(((text,),), Matrix.of([[found if isinstance(found, Exact) else Exact.of(found)]]))


def mask(rows: object, path: str, names: Names, *, declared: bool = False) -> Given:
    """A mask: entries 0 and 1 (with a 1 in it: zeros alone add nothing), true and false, or additive ones.

    A mask of true and false is boolean whatever it holds, so that one without true hides every key; where the
    meaning of its ones is `declared`, true stands for 1.
    """
    if not isinstance(rows, list):
        return matrix(rows, path, names, infinite=True)
    boolean = all(isinstance(row, list) and all(isinstance(c, bool) for c in row) for row in rows)
    rows = [
        [int(c) if isinstance(c, bool) else c for c in row] if isinstance(row, list) else row for row in rows
    ]
    given = matrix(rows, path, names, infinite=True)
    if declared or not boolean:
        return given
    return Given(given.typed, given.values.map(lambda c: MINUS_INFINITY if not c else Exact.of(0)))


def printed(
    value: object, path: str, names: Names
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """Printed numbers as typed, always rows of them, and the path of each. Every one is readable."""
    if not isinstance(value, list):
        return ((_readable(value, path, names),),), ((path,),)
    table = _rows(value, path, flat=True)
    texts = tuple(tuple(_readable(c, f"{at}[{j}]", names) for j, c in enumerate(row)) for at, row in table)
    return texts, tuple(tuple(f"{at}[{j}]" for j in range(len(row))) for at, row in table)


def characters(value: object, path: str) -> str:
    """The characters of one entry as they were typed."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, int):
        refuse(
            path,
            misplaced(value, Bilingual("a number", "数")),
            Bilingual(
                'write a number, or an expression such as "1/sqrt(2)"',
                '请写一个数，或 "1/sqrt(2)" 这样的式子',
            ),
        )
    return str(value)


def _characters(cell: object, at: str, column: int) -> str:
    return str(cell) if type(cell) in (Typed, int, str) else characters(cell, f"{at}[{column}]")


def _readable(value: object, path: str, names: Names) -> str:
    text = characters(value, path)
    _valued(text, path, names, {})
    return text


def _valued(text: str, path: str, names: Names, seen: dict[str, Value]) -> Value:
    try:
        value: Value | None = numeral_or_none(text)
        if value is None:
            exact = read(text, names)
            q = exact.rational
            value = exact if q is None else Fraction(int(q.p), int(q.q))
    except SymattnError as problem:
        raise problem.at(key=path) from None
    seen[text] = value
    return value


def _rows(value: object, path: str, flat: bool) -> list[tuple[str, list[object]]]:
    """The rows of a matrix beside their paths: at least one, equally long, not empty."""
    rows = listed(
        value,
        path,
        Bilingual("a row is a list: [1, 0]", "一行是列表：[1, 0]")
        if flat
        else Bilingual(
            "a matrix is a list of rows: [[1, 0], [0, 1]]", "矩阵是由行组成的列表：[[1, 0], [0, 1]]"
        ),
    )
    if not rows:
        refuse(
            path,
            described(rows),
            Bilingual("a matrix has at least one row: [[1, 0]]", "矩阵至少有一行：[[1, 0]]"),
        )
    if not any(isinstance(row, list) for row in rows):
        if flat:
            return [(path, rows)]
        refuse(
            path,
            Bilingual(
                f"a flat list of {Count(len(rows)):entry/entries}",
                f"有 {len(rows)} 个元素的单层列表",
            ),
            Bilingual(
                "a matrix is a list of rows: double the brackets, [[1, 0]]",
                "矩阵是由行组成的列表，请用双层方括号：[[1, 0]]",
            ),
        )
    table: list[tuple[str, list[object]]] = []
    for i, row in enumerate(rows):
        at = f"{path}[{i}]"
        entries = listed(
            row,
            at,
            Bilingual(
                "every row of a matrix is a list: [[1, 0], [0, 1]]", "矩阵的每一行都是列表：[[1, 0], [0, 1]]"
            ),
        )
        if not entries:
            refuse(
                at,
                Bilingual("a row without entries", "有一行没有元素"),
                Bilingual(
                    "every row has at least one: [[1, 0], [0, 1]]", "每行至少有一个元素：[[1, 0], [0, 1]]"
                ),
            )
        table.append((at, entries))
        if len(entries) != len(table[0][1]):
            raise RaggedRows(
                Bilingual(
                    f"a row of length {len(entries)}, while {path}[0] has length {len(table[0][1])}",
                    f"这一行有 {len(entries)} 个元素，而 {path}[0] 有 {len(table[0][1])} 个",
                ),
                Bilingual("the rows of a matrix are equally long", "矩阵各行的元素个数相同"),
            ).at(key=at)
    return table


def _finite(values: list[list[Value]], table: list[tuple[str, list[object]]]) -> None:
    for (at, _), line in zip(table, values, strict=True):
        for j, value in enumerate(line):
            if isinstance(value, Infinite):
                raise UndefinedValue(
                    Bilingual("minus infinity as an entry", "元素是负无穷"),
                    Bilingual(
                        "-inf hides a key: in a mask, scores, scaled or masked",
                        "-inf 表示遮住一个键，只用在掩码、scores、scaled 或 masked 中",
                    ),
                ).at(key=f"{at}[{j}]")
