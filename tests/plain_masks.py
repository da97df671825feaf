"""The masks of the plain walk: causal, windowed, padded and given ones, as one matrix to be added.

Vaswani et al. 2017, section 3.2.3; Beltagy et al. 2020 (Longformer) for windows.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Matrix

Walk = dict[str, Matrix]


def offset(m: Walk, tag: str, settings: dict[str, Any]) -> int:
    """How many keys stand before the first query."""
    n_q, n_k = sizes(m, tag)
    return n_k - n_q if settings.get("align") == "bottom-right" else 0


def sizes(m: Walk, tag: str) -> tuple[int, int]:
    square = next((m[tag + name] for name in ("scores", "scaled", "masked") if tag + name in m), None)
    return (m[tag + "Q"].rows, m[tag + "K"].rows) if square is None else square.shape


def mask(m: Walk, tag: str, settings: dict[str, Any], read: Any) -> Matrix | None:
    """What is added to the score of query i and key j: 0, a bias, or minus infinity; None without a mask."""
    given = settings.get("mask", "none")
    left, right = settings.get("window_left"), settings.get("window_right")
    padding = settings.get("padding")
    if given == "none" and left is None and right is None and padding is None:
        return None
    here = offset(m, tag, settings)

    def entry(i: int, j: int) -> Any:
        ahead = j - (i + here)
        hidden = (
            (given == "causal" and ahead > 0)
            or (left is not None and -ahead > left)
            or (right is not None and ahead > right)
            or (padding is not None and not int(padding[j]))
        )
        if hidden:
            return -sympy.oo
        return bias(given, i, j, read) if isinstance(given, list) else 0

    return Matrix(*sizes(m, tag), entry)


def bias(given: list[list[Any]], i: int, j: int, read: Any) -> Any:
    """Entry (i, j) of a given mask: of zeros and ones (or false and true) the zeros hide."""
    entries = {str(cell) for row in given for cell in row}
    if entries <= {"0", "1", "True", "False"}:
        return 0 if str(given[i][j]) in ("1", "True") else -sympy.oo
    return read(given[i][j])
