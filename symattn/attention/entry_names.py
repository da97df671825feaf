"""Which entry of a computation `Z[1,2]` means; rows and columns count from 1."""

from __future__ import annotations

import re

from symattn.attention.symbols import meant
from symattn.plans.derive import Derivation
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import UnusableValue
from symattn.text.suggest import instead

_ENTRY = re.compile(r"\s*([^\[\]]*[^\[\]\s])\s*(?:\[\s*(-?\d+)\s*(?:,\s*(-?\d+)\s*)?\]\s*)?")
_STEPS = Bilingual("`symattn check CASE` lists all steps", "`symattn check CASE` 列出全部步骤")


def place_of(derivation: Derivation, entry: str) -> tuple[str, int, int]:
    """The matrix, row and column, from 0, that `Z[1,2]` means, which counts from 1.

    One index is enough for one row or one column, none for a single number. Raises UnusableValue.
    """
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise UnusableValue(
            Bilingual(f'"{entry}" is not an entry of a matrix', f"“{entry}”不是矩阵的元素"),
            Bilingual(
                'write a name, a row and a column, such as "Z[1,2]"', '请写出名称、行和列，例如 "Z[1,2]"'
            ),
        )
    name = quantity_named(derivation, match[1])
    rows, cols = derivation[name].shape
    at = [int(index) for index in match.groups()[1:] if index is not None]
    if len(at) == 1 and 1 in (rows, cols):
        at = [1, *at] if rows == 1 else [*at, 1]
    if not at and (rows, cols) == (1, 1):
        at = [1, 1]
    if len(at) == 2 and 1 <= at[0] <= rows and 1 <= at[1] <= cols:
        return name, at[0] - 1, at[1] - 1
    raise UnusableValue(
        Bilingual(f"{entry} is not an entry of {name}", f"{entry} 不是 {name} 的元素"),
        Bilingual(
            f'{name} has {Count(rows):row} and {Count(cols):column}, counted from 1: "{match[1]}[1,1]" to '
            f'"{match[1]}[{rows},{cols}]"',
            f'{name} 有 {rows} 行 {cols} 列，从 1 数起：从 "{match[1]}[1,1]" 到 "{match[1]}[{rows},{cols}]"',
        ),
    )


def quantity_named(derivation: Derivation, said: str) -> str:
    """The one matrix that a name or a symbol means. Raises UnusableValue."""
    names = [name for name, _ in derivation.items()]
    found = meant(said, names)
    if len(found) == 1:
        return found[0]
    several = found or tuple(name for name in names if base_name(name) == said)
    many = Bilingual(f'several matrices have the name "{said}"', f"有多个矩阵名为“{said}”")
    none = Bilingual(f'the computation has no matrix "{said}"', f"推导中没有矩阵“{said}”")
    raise UnusableValue(many if several else none, instead(said, names, _STEPS, several))
