"""Equations between matrices that are written out, compared entry by entry.

A matrix in a chain is one more name in it: `ξ₁ ξ₂ = ξ₃`, with the cells of each as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mpmath import matrix, mpf
from printed_chains import ALIKE, Reader, Unreadable, half_unit

Cells = list[list[str]]
Equation = tuple[Mapping[str, Cells], str]
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def named(matrices: dict[str, Cells], rows: Cells) -> str:
    """The name under which a matrix of these cells goes on, which is entered."""
    matrices[name := "ξ" + str(len(matrices) + 1).translate(_SUBSCRIPTS)] = rows
    return name


def chains_of(equations: Iterable[Equation]) -> str:
    """The chains that have no matrix in them, a line each."""
    return "\n".join(line for matrices, line in equations if not any(name in line for name in matrices))


def false_equations(equations: Iterable[Equation]) -> tuple[int, list[str]]:
    """How many equal or nearly equal matrices were compared, and the members that are not as they say."""
    checked, wrong = 0, []
    for matrices, line in equations:
        exact: matrix | None = None
        about: tuple[matrix, matrix] | None = None  # a product of rounded factors, and what it may be off
        pieces = re.split(r"(?=[=≈])", line)
        approximate = False
        for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
            approximate = approximate or piece.startswith("≈")
            member = piece.strip("=≈ ")
            room = _room(member, matrices)
            try:
                value = Reader(member, {name: _read(cells) for name, cells in matrices.items()}).value()
            except (
                Unreadable,
                ValueError,
                TypeError,
                AssertionError,
            ):  # mpmath asserts that no matrix divides
                exact, about = exact if approximate else None, None
                continue
            if not isinstance(value, matrix):
                continue
            half = _half_units(matrices[member]) if member in matrices else None
            right = True
            if after.startswith("≈") and member not in matrices and _has_decimals(member, matrices):
                about = None if room is None else (value, room)
            elif not approximate:
                if exact is not None:
                    checked += 1
                    right = _within(value, exact, ALIKE)
                exact = value
            elif half is not None:
                if exact is not None:
                    checked += 1
                    right = _within(value, exact, half)
                if about is not None:
                    checked += 1
                    right = right and _within(value, about[0], half, about[1])
            if not right:
                wrong.append(f"{line}: {member} = {matrices.get(member, '')}")
    return checked, wrong


def _read(rows: Cells) -> matrix:
    return matrix([[Reader(cell, {}).value() for cell in row] for row in rows])


def _half_units(rows: Cells) -> matrix | None:
    """Half a unit of the last place of each decimal, 0 of an integer; None where not all are numerals."""
    halves = [[_half_unit(cell) for cell in row] for row in rows]
    return None if any(half is None for row in halves for half in row) else matrix(halves)


def _half_unit(cell: str) -> mpf | None:
    return (
        half_unit(cell)
        if "." in cell or "e" in cell
        else mpf(0)
        if re.fullmatch(r"-?(\d+|∞)", cell)
        else None
    )


def _has_decimals(member: str, matrices: Mapping[str, Cells]) -> bool:
    return "." in member or any(
        "." in cell for name, rows in matrices.items() if name in member for row in rows for cell in row
    )


def _room(member: str, matrices: Mapping[str, Cells]) -> matrix | None:
    """What a product or a sum of two matrices of rounded numerals may be off; None of anything else."""
    found = re.fullmatch(r"(ξ\S+) ([-+]? ?)(ξ\S+)", member)
    if found is None:
        return None
    da, db = (_half_units(matrices[factor]) for factor in found.group(1, 3))
    if da is None or db is None:
        return None
    if found[2]:
        return da + db if (da.rows, da.cols) == (db.rows, db.cols) else None
    a, b = (_read(matrices[factor]).apply(abs) for factor in found.group(1, 3))
    return da * b + a * db + da * db if a.cols == b.rows else None


def _within(value: matrix, other: matrix, *rooms: matrix | mpf) -> bool:
    if (value.rows, value.cols) != (other.rows, other.cols):
        return False
    return all(
        abs(value[i, j] - other[i, j])
        <= sum(room[i, j] if isinstance(room, matrix) else room for room in rooms) + ALIKE
        for i in range(value.rows)
        for j in range(value.cols)
    )
