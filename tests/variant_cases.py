"""The cases of `cases/variants`, and whether a walk has the values that were worked by hand."""

from __future__ import annotations

from pathlib import Path

from once import work

from symattn.exact.decision import equal
from symattn.exact.functions import symbol
from symattn.exact.literal import read
from symattn.exact.number import MINUS_INFINITY
from symattn.result import Worked

FOLDER = Path(__file__).parent.parent / "cases" / "variants"


VARIANTS = sorted(FOLDER.glob("*.toml"))


Row = list[int | str]


def variant(name: str) -> Worked:
    return work(FOLDER / f"{name}.toml")


def holds(worked: Worked, name: str, expected: list[Row], symbols: tuple[str, ...] = ()) -> bool:
    """Whether a matrix is the expected one, entry for entry, decided and not compared as floats."""
    names = {name: symbol(name) for name in symbols}
    matrix = worked[name]
    wanted = [[MINUS_INFINITY if x == "-inf" else read(str(x), names) for x in row] for row in expected]
    return matrix.shape == (len(wanted), len(wanted[0])) and all(
        equal(matrix[i, j], x) is True for i, row in enumerate(wanted) for j, x in enumerate(row)
    )


QKV = "[given]\nQ = [[1], [1]]\nK = [[1], [1]]\nV = [[2], [4]]\n"
