"""The verdict on one printed number: the rules, in their order.

Four references: g, exact from the givens; l, the step applied to the printed numbers before it; w, the
working printed on the line; and the ranges I and I_w when each printed decimal moves through its own
preimage R. T says that some number before it was itself a slip or carried. Every comparison is of exact
values with rational bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from symattn.auditor.numeral import Numeral
from symattn.auditor.ranges import BITS, Interval
from symattn.auditor.report import Verdict
from symattn.auditor.working import Working
from symattn.exact.decision import compare
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.number import Exact, Infinite

WIDEST = 20


@dataclass(frozen=True, slots=True)
class Reference:
    """One way to come by the number: from what was printed (`seen`), and with slips put right (`honest`).

    `root` is the index of the printed slip that the way passes through, None where it passes none (T).
    """

    seen: Exact | None
    seen_range: Interval | None
    honest: Exact | None
    honest_range: Interval | None
    root: int | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict with its finding code, its reason and the slip it goes back to."""

    verdict: Verdict
    code: str | None = None
    note: str = ""
    root: int | None = None


def rule(
    numeral: Numeral,
    exact: Exact,
    references: Sequence[Reference],
    working: Working | None,
    *,
    truncates: bool = False,
) -> Ruling:
    """The verdict of AUDIT on a first print. `truncates` reads every numeral as truncated."""
    low, high = numeral.truncated() if truncates else numeral.nearest()

    def holds(x: Exact | None) -> bool:
        return x is not None and contains(low, high, x, open_end=truncates, value=numeral.value)

    right = holds(exact)
    if working is not None and not working.range.meets(low, high):
        if not (numeral.exact is False and holds_truncated(numeral, working.value)):
            return Ruling("slip", "SA203" if right else "SA205", "right value, wrong working" if right else "")
    clean = [reference for reference in references if reference.root is None]
    if clean or not references:
        return _untainted(numeral, exact, clean, working, right, holds, low, high)
    return _tainted(numeral, references, working, right, holds, low, high)


def _untainted(numeral, exact, clean, working, right, holds, low, high):  # type: ignore[no-untyped-def]
    if right:
        return Ruling("correct", None, "tie" if _tie(numeral, exact) else "")
    if any(holds(reference.seen) for reference in clean):
        return Ruling("rounding", "SA101")
    if _follows_working(working, clean, holds):
        return Ruling("rounding", "SA101")
    wide = False
    for reference in clean:
        if reference.seen_range is not None and reference.seen_range.meets(low, high):
            if not _wide(reference.seen_range, numeral):
                return Ruling("rounding", "SA102")
            wide = True
    if wide:
        return Ruling("undecided", "SA107")
    if any(holds_truncated(numeral, x) for x in (exact, *(reference.seen for reference in clean))):
        return Ruling("rounding", "SA103")
    return Ruling("slip", "SA201")


def _tainted(numeral, references, working, right, holds, low, high):  # type: ignore[no-untyped-def]
    root = next(reference.root for reference in references if reference.root is not None)
    follows = any(holds(reference.seen) for reference in references) or _follows_working(
        working, references, holds
    )
    wide = False
    if not follows:
        for reference in references:
            if reference.seen_range is not None and reference.seen_range.meets(low, high):
                follows = not _wide(reference.seen_range, numeral)
                wide = wide or not follows
    if not follows:
        follows = any(
            reference.seen is not None and holds_truncated(numeral, reference.seen) for reference in references
        )
    if follows:
        return Ruling("correct") if right else Ruling("carried", "SA301", root=root)
    if right:
        return Ruling("correct", None, "resumed", root)
    if any(holds(reference.honest) for reference in references):
        return Ruling("rounding", "SA101", "resumed", root)
    for reference in references:
        if reference.honest_range is not None and reference.honest_range.meets(low, high):
            if not _wide(reference.honest_range, numeral):
                return Ruling("rounding", "SA102", "resumed", root)
            wide = True
    return Ruling("undecided", "SA107", root=root) if wide else Ruling("slip", "SA201", "second", root)


def _follows_working(working: Working | None, references: Sequence[Reference], holds) -> bool:  # type: ignore[no-untyped-def]
    """Whether the number follows its working, and the working is one of this step on printed digits."""
    if working is None or not holds(working.value):
        return False
    for reference in references:
        for bounds in (reference.seen_range, reference.honest_range):
            if bounds is not None and not (bounds.high < working.range.low or working.range.high < bounds.low):
                return True
    return False


def _wide(bounds: Interval, numeral: Numeral) -> bool:
    return bool(bounds.width() > arb(numeral.unit * WIDEST))


def _tie(numeral: Numeral, exact: Exact) -> bool:
    q = exact.rational
    return not numeral.exact and q is not None and abs(q - numeral.value) * 2 == numeral.unit


def holds_truncated(numeral: Numeral, x: Exact | None) -> bool:
    """Whether x truncates to the printed number."""
    if x is None or numeral.exact:
        return False
    low, high = numeral.truncated()
    return contains(low, high, x, open_end=True, value=numeral.value)


def contains(low: fmpq, high: fmpq, x: Exact, *, open_end: bool = False, value: fmpq | None = None) -> bool:
    """Whether low <= x <= high, decided; the end away from `value` is left out with `open_end`."""
    if isinstance(x, Infinite):
        return False
    q = x.rational
    if q is not None:
        inside = low <= q <= high
    else:
        try:
            ball = enclose(x, BITS)
        except (HasSymbols, ValueError):
            return False
        with ctx.workprec(BITS):
            if ball > arb(high) or ball < arb(low):
                return False
            inside = bool(ball < arb(high) and ball > arb(low)) or (
                compare(x, Exact.of(low)) in (0, 1) and compare(x, Exact.of(high)) in (-1, 0)
            )
    if inside and open_end and q is not None:
        return not (q == high and value != high) and not (q == low and value != low)
    return bool(inside)
