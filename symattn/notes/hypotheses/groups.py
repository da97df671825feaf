"""Numbers and rows that were printed one by one, put together to the vector or matrix that they make."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Final

from msgspec.structs import replace

from symattn.notes.grammar.syntax import matrix_of
from symattn.notes.interpreter import values
from symattn.notes.interpreter.prints import Printed
from symattn.notes.names.words import indices

MOST_ROWS: Final = 16
FAR, FAR_WITHOUT_NAME = 12, 3
"""How many lines may lie between two rows."""


def grouped(prints: Sequence[Printed]) -> list[Printed]:
    """The prints, and behind the last of several that belong together what they make."""
    return _with_rows(_with_entries(prints))


class _Runs:
    """Prints, with what runs of them make so far; what a run made when it was shorter is taken out."""

    def __init__(self) -> None:
        self._out: list[Printed | None] = []
        self._spots: dict[Hashable, int] = {}

    def add(self, printed: Printed) -> None:
        self._out.append(printed)

    def begin(self, run: Hashable) -> None:
        self._spots.pop(run, None)

    def put(self, run: Hashable, made: Printed | None) -> None:
        if made is None:
            return
        if run in self._spots:
            self._out[self._spots[run]] = None
        self._spots[run] = len(self._out)
        self._out.append(made)

    @property
    def prints(self) -> list[Printed]:
        return [p for p in self._out if p is not None]


def _with_entries(prints: Sequence[Printed]) -> list[Printed]:
    """Numbers that were printed one by one under one name with indices."""
    made, runs = _Runs(), dict[tuple[str, int], dict[tuple[str, ...], Printed]]()
    for printed in prints:
        made.add(printed)
        base, *index = printed.name.split("_")
        place = indices(index)
        if printed.node.shape or not place or len(place) > 2:
            continue
        key = base, len(place)
        run = runs.get(key, {})
        last = next(reversed(run.values()), None)
        far = last is not None and printed.first_line - last.first_line > FAR
        if last is None or place in run or far or len(run) >= MOST_ROWS**2:
            run = runs[key] = {}
            made.begin(key)
        run[place] = printed
        made.put(key, _entries(run, base) if len(run) > 1 else None)
    return made.prints


def _with_rows(prints: Sequence[Printed]) -> list[Printed]:
    """Rows that were printed one by one, on one line each or under one name."""
    made, runs = _Runs(), dict[tuple[Hashable, ...], list[Printed]]()
    for printed in prints:
        made.add(printed)
        shape = printed.node.shape
        if not shape or shape[:-1] not in ((), (1,)):
            continue
        for mark in dict.fromkeys((printed.base, "")):
            key = (printed.statement.section, shape[-1], mark)
            rows = runs.setdefault(key, [])
            if (rows and not _goes_on(rows[-1], printed, mark)) or len(rows) == MOST_ROWS:
                rows.clear()
                made.begin(key)
            rows.append(printed)
            made.put(key, _group(rows, printed.base) if len(rows) > 1 else None)
    return made.prints


def _goes_on(last: Printed, printed: Printed, mark: str) -> bool:
    """Whether a row follows the last one of its run; rows of one name have a run of that name."""
    gap = printed.first_line - last.first_line
    if not mark and printed.base and last.base == printed.base:
        return False
    return 0 < gap <= (FAR if mark else FAR_WITHOUT_NAME)


def exponentials(prints: Sequence[Printed], shape: tuple[int, ...]) -> Printed | None:
    """The last exponentials that were printed one by one, as many as a row of weights of this shape has."""
    width = shape[-1]
    found = [p for p in prints if not p.node.shape and any(m.name == "exp" for m in p.statement.chain.args)]
    if width < 2 or len(found) < width:
        return None
    several = matrix_of([p.node for p in found[-width:]])
    node = replace(several, shape=shape if math.prod(shape) == width else (width,))
    return replace(found[-1], node=node, value=values.printed(node), name="exp", mended=None)


def _entries(run: dict[tuple[str, ...], Printed], base: str) -> Printed | None:
    """Numbers by index as a literal: a vector, or a matrix of which every place is there."""
    firsts, lasts = {i[0]: 0 for i in run}, {i[-1]: 0 for i in run}
    shape: tuple[int, ...] = (len(run),)
    if len(next(iter(run))) == 2:
        shape = len(firsts), len(lasts)
        if list(run) != [(a, b) for a in firsts for b in lasts]:
            return None
    node = replace(matrix_of([p.node for p in run.values()]), shape=shape)
    last = next(reversed(run.values()))
    return replace(last, node=node, value=values.printed(node), name=base, mended=None)


def _group(rows: Sequence[Printed], base: str) -> Printed:
    node = replace(matrix_of([r.node for r in rows]), shape=(len(rows), rows[0].node.shape[-1]))
    several = any(r.mended is not None for r in rows)
    wholes = [r.mended or r.value for r in rows]
    flat = [values.row(whole, 0) if whole.shape[1:] else whole for whole in wholes]
    mended = values.together(flat) if several else None
    return replace(rows[-1], node=node, value=values.printed(node), name=base, mended=mended)
