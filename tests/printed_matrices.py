"""A reader of the products and sums of matrices on a Markdown page, entry by entry, with that of chains."""

from __future__ import annotations

import re

from mpmath import matrix, mpf
from printed_chains import ALIKE, Reader, Unreadable

_BLOCK = re.compile(r"\$\$\n(.*?)\$\$", re.DOTALL)
_MATRIX = re.compile(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", re.DOTALL)
_FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")


def false_equations(page: str) -> tuple[int, list[str]]:
    """How many equal matrices were compared, and the members that differ from the one before them."""
    checked, wrong = 0, []
    for block in _BLOCK.findall(page):
        before: matrix | None = None
        for member in block.split(r"\approx")[0].split("="):
            try:
                value = _value(member)
            except (Unreadable, ValueError):
                before = None
                continue
            if before is not None:
                checked += 1
                apart = before - value if (before.rows, before.cols) == (value.rows, value.cols) else None
                if apart is None or any(abs(x) > ALIKE for x in apart):
                    wrong.append(member.strip())
            before = value
    return checked, wrong


def _value(member: str) -> matrix:
    """A matrix, a product of matrices, or a sum of two. Raises Unreadable for anything else."""
    found = [_read(inside) for inside in _MATRIX.findall(member)]
    between = "".join(_MATRIX.sub("", member).split())
    if not found or between not in ("", "+"):
        raise Unreadable(member)
    value = found[0]
    for other in found[1:]:
        value = value + other if between else value * other
    return value


def _read(inside: str) -> matrix:
    return matrix([[_entry(cell) for cell in line.split("&")] for line in inside.split(r"\\")])


def _entry(cell: str) -> mpf:
    plain = _FRACTION.sub(r"((\1)/(\2))", cell)
    plain = re.sub(r"\\sqrt\{([^{}]*)\}", r"√(\1)", plain).replace(r"\cdot", "·")
    return Reader(plain.strip(), {}).value()
