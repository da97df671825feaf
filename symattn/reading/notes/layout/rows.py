"""What matrices told in lines of text have in common: their numerals, and their place among the items."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from symattn.reading.notes.formulas.chains import Item, unshown
from symattn.reading.notes.formulas.formula import Grid, Num

NUMBER = r"-?(?:(?:\d+(?:\.\d+)?|(?<![\d.\w])\.\d+)(?:[eE][+-]?\d+)?%?|∞|inf\b)"
"""A numeral of normalised text; infinity where a mask hides a key."""
NUMERAL = re.compile(NUMBER)
_HUGE = re.compile(r"-(?:1(?:\.0*)?[eE]\+?(?:0?[4-9]|\d{2})|10{4,}(?:\.0*)?|9{4,}(?:\.0*)?)")


def hides(num: Num) -> bool:
    """Whether a score stands for minus infinity: -inf, -1e9, -10000, -9999, or the sign of an empty cell."""
    return num.text in ("-inf", "inf") or _HUGE.fullmatch(num.text) is not None


def numbers(row: re.Match[str], start: int) -> tuple[Num, ...]:
    """The numerals in the group `cells` of a line that begins at offset `start`."""
    offset = start + row.start("cells")
    return tuple(
        Num(n[0].replace("∞", "inf"), offset + n.start(), offset + n.end())
        for n in NUMERAL.finditer(row["cells"])
    )


def masked(name: str | None, grid: Grid) -> str | None:
    """The name of a matrix whose caption gives `name`: scores with -inf among them are masked ones.

    So is what has no name, where more than zeros stands beside the infinities.
    """
    nums = [cell for row in grid.rows for cell in row if isinstance(cell, Num)]
    if name not in (None, "scores", "scaled") or not any(num.text == "-inf" or _is_huge(num) for num in nums):
        return name
    return name if name is None and all(hides(num) or num.text == "0" for num in nums) else "masked"


def _is_huge(num: Num) -> bool:
    return _HUGE.fullmatch(num.text) is not None


def in_place(found: list[Item], made: Iterable[Item]) -> list[Item]:
    """The items, with those that overlap a matrix exchanged for it; `made` is in order."""
    made = unshown(made, found)
    if not made:
        return found
    starts = [item.start for item in made]

    def outside(item: Item) -> bool:
        at = bisect_left(starts, item.end) - 1
        return at < 0 or made[at].end <= item.start

    return sorted([*filter(outside, found), *made], key=lambda item: item.start)
