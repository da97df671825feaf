"""Whether a numeral in a printed working stands for more digits than it shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from symattn.auditor.claims import ROOT, Ways
from symattn.auditor.dependencies import Entry
from symattn.auditor.judging.rules import contains
from symattn.auditor.judging.walks import Walks
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.roots import may_hide_digits
from symattn.auditor.ranges.working import Working, read_working
from symattn.auditor.report import Printed
from symattn.derive import Values
from symattn.plan import Line


def working_of(
    number: Printed, walks: Walks, ways: Ways, given: Values, *, truncates: bool
) -> Working | None:
    """The working printed beside a number, its operands looked up among what the step uses.

    With `truncates` they may have been cut off.
    """
    if number.work is None:
        return None
    found = (lines.get(number.name) for lines in (walks.lines, ways))
    lines = [line for line in found if line is not None]
    names = [name for line in lines for name in line.args]
    used = frozenset(entry for line in lines for entry in walks.used(line, number.row, number.col))
    return read_working(
        number.work,
        lambda text: _moves(text, names, used, walks, given),
        truncates=truncates,
        roots=[root.numeral for roots in walks.cells.get(ROOT, {}).values() for root in roots],
    )


def spells_out(number: Printed, walks: Walks, ways: Ways, given: Values) -> bool:
    """Whether a number follows a working all of whose operands are entries that its step uses.

    Each is one that was printed so, or that should be, or may be one that was not printed.
    """
    working = working_of(number, walks, ways, given, truncates=False)
    if working is None or not contains(*number.numeral.nearest(), working.value):
        return False
    found = (lines.get(number.name) for lines in (walks.lines, ways))
    return any(_all_used(working.numerals, line, number, walks) for line in found if line is not None)


def _all_used(numerals: Sequence[str], line: Line, number: Printed, walks: Walks) -> bool:
    used = walks.used(line, number.row, number.col)
    hidden = sum((i, j) not in walks.cells.get(name, {}) for name, i, j in used if name in walks.lines)
    return sum(not _is_one_of(text, used, walks) for text in numerals) <= hidden


def _is_one_of(text: str, entries: Collection[Entry], walks: Walks) -> bool:
    """Whether a numeral was printed for one of the entries, or is what one of them should be."""
    if any((i, j) in walks.printed_as(name, text) for name, i, j in entries):
        return True
    low, high = read_numeral(text).nearest()
    values = [walks.exact[name][i, j] for name, i, j in entries]
    return any(contains(low, high, x) or contains(-high, -low, x) for x in values)


def _moves(text: str, names: Sequence[str], used: Collection[Entry], walks: Walks, given: Values) -> bool:
    """An operand that was printed for one of these quantities moves as the quantity does; a given one stays.

    It is one of the entries that are used for the number where one of these was printed so. One that hides
    digits moves even where the source begins with it. A decimal found nowhere may stand for anything
    that rounds to it.
    """
    if any(_hides_digits(text, name) for name in names if name in given):
        return True
    shown = [(name, *cell) for name in names for cell in walks.printed_as(name, text)]
    meant = [entry for entry in shown if entry in used] or shown
    if meant:
        return any(entry not in walks.still for entry in meant)
    return "." in text and not any(_is_given(text, name, walks, given) for name in names)


@lru_cache(maxsize=1 << 12)
def _hides_digits(text: str, name: str) -> bool:
    numeral = read_numeral(text)
    return not numeral.exact and may_hide_digits(name, numeral.value, numeral.places)


def _is_given(text: str, name: str, walks: Walks, given: Values) -> bool:
    return name in given and read_numeral(text).value in walks.given_rationals(name)
