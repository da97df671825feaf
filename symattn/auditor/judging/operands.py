"""Whether a numeral in a printed working stands for more digits than it shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from symattn.auditor.claims import ROOT, Ways
from symattn.auditor.judging.walks import Walks
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.roots import may_hide_roots, stands_for_root
from symattn.auditor.ranges.working import Working, read_working
from symattn.auditor.report import Printed
from symattn.derive import Values


def working_of(number: Printed, walks: Walks, ways: Ways, given: Values) -> Working | None:
    """The working printed beside a number, its operands looked up among what the step uses."""
    if number.work is None:
        return None
    line = walks.lines.get(number.name)
    names = [*(line.args if line else ()), *(ways[number.name].args if number.name in ways else ())]
    return read_working(
        number.work,
        lambda text: _moves(text, names, walks, given),
        truncates=walks.supposed.truncates,
        roots=[root.numeral for roots in walks.cells.get(ROOT, {}).values() for root in roots],
    )


def _moves(text: str, names: Sequence[str], walks: Walks, given: Values) -> bool:
    """An operand that was printed for one of these quantities moves as the quantity does; a given one stays.

    One that stands for a root moves even where the source begins with it. A decimal found nowhere may stand
    for anything that rounds to it.
    """
    if any(may_hide_roots(name) for name in names) and _root(text):
        return True
    for name in names:
        shown = walks.printed_as(name, text)
        if shown:
            return any((name, *cell) not in walks.still for cell in shown)
    return "." in text and not any(_is_given(text, name, walks, given) for name in names)


@lru_cache(maxsize=1 << 12)
def _root(text: str) -> bool:
    numeral = read_numeral(text)
    return not numeral.exact and stands_for_root(numeral.value, numeral.places)


def _is_given(text: str, name: str, walks: Walks, given: Values) -> bool:
    return name in given and read_numeral(text).value in walks.given_rationals(name)
