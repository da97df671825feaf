"""The digits of a number cut off and not rounded, so that they can be rounded once more, and right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from symattn.exact.decimal import Decimal, Undecided, printed, rounded_matrix, significant
from symattn.exact.enclosure import HasSymbols
from symattn.exact.joined import Joined
from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.summed import Summed
from symattn.exact.transposed import Transposed
from symattn.exact.weighted import Weighted

SPARE = 12
"""Digits that are asked for beyond those that are kept; where they are zeros, more are."""
MOST_SPARE = 1000


def cut_off(x: Exact, places: int) -> str:
    """x with its decimals after `places` cut off and `…` in their stead; "" for a number without a decimal.

    Zeros after the point are not counted, so that there are as many significant digits.
    A number of which zeros alone would be left has a power of ten, `9.3576…e-14`, and a long one too.
    Digits that were rounded could not be rounded a second time: 0.12344999… to 0.1235 by way of 0.12345.
    """
    if isinstance(x, Infinite):
        return ""
    spare = SPARE
    while spare <= MOST_SPARE:
        try:
            found = printed(x, places + spare)
            whole = found.digits.lstrip("-").partition(".")[0]
            if (
                "e" in found.digits
                or (not found.exact and len(whole) > places)
                or _is_small(_cut(found.digits, places, found.exact), places)
            ):
                found = significant(x, places + 1 + spare)
        except (HasSymbols, Undecided, ValueError):
            return ""
        mantissa, e, exponent = found.digits.partition("e")
        if cut := _cut(mantissa, places, found.exact):
            return cut + e + exponent
        spare *= 2
    return ""


def _is_small(cut: str, places: int) -> bool:
    """Whether fewer significant digits are left than `places`."""
    return cut.endswith("…") and len(cut.rstrip("…").lstrip("-0.")) < places


def _cut(digits: str, places: int, exact: bool) -> str:
    """The digits up to `places`; "" where these may not be rounded: the number may lie below a tie.

    Digits behind that were rounded to zeros say nothing of the side on which the number lies.
    """
    whole, _, decimals = digits.partition(".")
    if not whole.strip("-0"):
        places += len(decimals) - len(decimals.lstrip("0"))
    rest = decimals[places:].strip("0")
    kept = f"{whole}.{decimals[:places]}"
    if not rest and not exact and kept.rstrip("0").endswith("5"):
        return ""
    return f"{kept}…" if rest or not exact else kept.rstrip("0").rstrip(".")


def cut_off_matrix(matrix: Matrix, places: int) -> Iterator[list[str]]:
    """`cut_off` of every entry, row by row; most of a large matrix come from one computation."""
    n, m = matrix.shape
    decimals: Iterable[Iterable[Decimal | None]] = [[None] * m] * n
    if _is_finite(matrix):
        with suppress(HasSymbols, Undecided, ValueError):
            decimals = rounded_matrix(matrix, places + SPARE)
    for i, row in enumerate(decimals):
        line = []
        for j, decimal in enumerate(row):
            digits = ""
            if decimal is not None and "e" not in decimal.digits:
                digits = _cut(decimal.digits, places, decimal.exact)
            line.append(cut_off(matrix[i, j], places) if not digits or _is_small(digits, places) else digits)
        yield line


def _is_finite(matrix: Matrix) -> bool:
    """Whether no entry is infinite, without making the exact entries of weights and outputs."""
    match matrix:
        case SurdMatrix() | Weighted() | Summed():
            return True
        case Joined():
            return all(map(_is_finite, matrix.parts))
        case Transposed():
            return _is_finite(matrix.matrix)
    return not any(isinstance(x, Infinite) for row in matrix.rows() for x in row)
