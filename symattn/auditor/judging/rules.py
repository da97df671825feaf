"""The verdict on one printed number: the rules, in their order.

Four references: g, exact from the givens; l, the step applied to the printed numbers before it; w, the
working printed on the line; and the ranges I and I_w when each printed decimal moves through its own
preimage R. T says that some number before it was itself a slip or carried, or is undecided behind one.
Every comparison is of exact values with rational bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from flint import arb, ctx, fmpq
from msgspec import Struct

from symattn.auditor.findings.codes import Finding
from symattn.auditor.numeral import Numeral
from symattn.auditor.ranges.working import Working
from symattn.auditor.report import Verdict
from symattn.exact.decimal import Undecided
from symattn.exact.decision import compare
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.number import Exact, Infinite
from symattn.floats.interval import BITS, Interval

WIDEST = 20
SINGLE = 2**21
"""The steps that a number of 32 bits tells apart, less what a few operations cost."""
FEWEST_STEPS = 2**18
"""From so many units of the last place on these steps show in print."""


class Reference(Struct, frozen=True, gc=False):
    """One way to come by the number: from what was printed (`seen`), and with slips put right (`honest`).

    `root` is the index of the printed slip that the way passes through, None where it passes none (T).
    """

    seen: Exact | None
    seen_range: Interval | None
    honest: Exact | None
    honest_range: Interval | None
    root: int | None


class Ruling(Struct, frozen=True, gc=False):
    """A verdict with its finding code, its reason and the slip it goes back to."""

    verdict: Verdict
    code: Finding | None = None
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
    """The verdict of AUDIT on a first print. `truncates` reads the numeral as truncated."""
    question = _Question(numeral, exact, references, working, truncates)
    if working is not None and not question.works(working):
        if question.right:
            return Ruling("slip", Finding.WRONG_WORKING, "right value, wrong working")
        return Ruling("slip", Finding.NOT_ITS_WORKING)
    clean = [reference for reference in references if reference.root is None]
    if references and not clean:
        return question.tainted()
    ruling = question.untainted(clean)
    # on another way, through a wrong number, it may be carried
    return question.tainted() if ruling.verdict == "slip" and len(clean) < len(references) else ruling


def plainly_right(numeral: Numeral, exact: Exact, *, truncates: bool) -> Ruling | None:
    """What `rule` says of a right number without a working, where nothing before it is wrong; else None."""
    try:
        question = _Question(numeral, exact, (), None, truncates)
    except (HasSymbols, Undecided):
        return None
    return question.untainted(()) if question.right else None


class _Question:
    """One printed number and everything that it is compared with."""

    def __init__(
        self,
        numeral: Numeral,
        exact: Exact,
        references: Sequence[Reference],
        working: Working | None,
        truncates: bool,
    ) -> None:
        self.numeral, self.exact, self.references, self.working = numeral, exact, references, working
        self.truncates = truncates
        self.preimage = numeral.preimage(truncates)
        self.right = self.holds(exact)

    def holds(self, x: Exact | None) -> bool:
        """Whether x lies in the preimage, R∋x; where a document truncates, nearest is right as well."""
        if x is None:
            return False
        return contains(*self.numeral.nearest(), x) or (self.truncates and holds_truncated(self.numeral, x))

    def _is_cut(self, x: Exact | None) -> bool:
        """Whether x is cut off in print as an honest author may do it."""
        return may_be_cut(self.numeral, x, truncates=self.truncates)

    def _nearly_holds(self, x: Exact | None) -> bool:
        """Whether x prints so where it is rounded twice, or by a program with 32 bits."""
        return rounds_twice(self.numeral, x) or in_single_precision(self.numeral, x)

    def works(self, working: Working) -> bool:
        """Whether the number may come from the working printed beside it, rounded or cut off."""
        if working.range.meets(*self.preimage) or contains(*self.numeral.nearest(), working.value):
            return True
        return self._is_cut(working.value)

    def untainted(self, clean: Sequence[Reference]) -> Ruling:
        """Rules 2 to 4: nothing before the number was wrong, on the ways in `clean`."""
        if self.right:
            return Ruling("correct", None, "tie" if _tie(self.numeral, self.exact) else "")
        if any(self.holds(reference.seen) for reference in clean) or self._follows_working(clean):
            return Ruling("rounding", Finding.INTERMEDIATE_ROUNDING)
        within = self._within(reference.seen_range for reference in clean)
        if within is not None:
            return (
                Ruling("undecided", Finding.TOO_WIDE_TO_DECIDE)
                if within == "wide"
                else Ruling("rounding", Finding.HIDDEN_DIGITS)
            )
        references = (self.exact, *(reference.seen for reference in clean))
        if self.working is not None and any(_is_in(self.working.range, x) for x in references):
            wide = self._within([self.working.range]) == "wide"
            return (
                Ruling("undecided", Finding.TOO_WIDE_TO_DECIDE)
                if wide
                else Ruling("rounding", Finding.HIDDEN_DIGITS)
            )
        if any(map(self._nearly_holds, references)):
            return Ruling("rounding", Finding.INTERMEDIATE_ROUNDING)
        if any(map(self._is_cut, references)):
            return Ruling("rounding", Finding.TRUNCATED)
        return Ruling("slip", Finding.SLIP)

    def tainted(self) -> Ruling:
        """Rules 5 to 7: every way to the number passes through a slip."""
        root = next(reference.root for reference in self.references if reference.root is not None)
        seen = [reference.seen for reference in self.references]
        within = None
        follows = any(self.holds(x) for x in seen) or self._follows_working(self.references)
        if not follows:
            within = self._within(reference.seen_range for reference in self.references)
            follows = within == "narrow" or any(self._is_cut(x) or self._nearly_holds(x) for x in seen)
        honest_ones = [reference.honest for reference in self.references]
        unhurt = any(self.holds(x) for x in honest_ones)
        if not follows:
            unhurt = unhurt or any(in_single_precision(self.numeral, x) for x in honest_ones)
        if not (follows or self.right or unhurt or self.numeral.whole):
            cut = self.numeral.preimage(truncates=True)
            ranges = (reference.seen_range for reference in self.references)
            follows = self._within(ranges, cut) == "narrow"  # hidden digits, cut off
        if follows and not self.right and not unhurt:
            return Ruling("carried", Finding.CARRIED_FORWARD, root=root)
        if self.right:
            return Ruling("correct") if follows else Ruling("correct", None, "resumed", root)
        if unhurt:
            return Ruling("rounding", Finding.INTERMEDIATE_ROUNDING, "" if follows else "resumed", root)
        honest = self._within(reference.honest_range for reference in self.references)
        if honest == "narrow":
            return Ruling("rounding", Finding.HIDDEN_DIGITS, "resumed", root)
        if "wide" in (within, honest):
            return Ruling("undecided", Finding.TOO_WIDE_TO_DECIDE, "" if within else "resumed", root)
        if any(map(self._is_cut, (self.exact, *honest_ones))):
            return Ruling("rounding", Finding.TRUNCATED, "resumed", root)
        return Ruling("slip", Finding.SLIP, "second", root)

    def _within(
        self, ranges: Iterable[Interval | None], preimage: tuple[fmpq, fmpq] | None = None
    ) -> Literal["narrow", "wide"] | None:
        """Whether the preimage meets one of the ranges, and whether all that it meets are too wide."""
        preimage = preimage or self.preimage
        met = [bounds for bounds in ranges if bounds is not None and bounds.meets(*preimage)]
        if not met:
            return None
        unit = max(self.numeral.unit, abs(self.numeral.value) / SINGLE)  # finer than this is no digit
        return "wide" if all(bounds.exceeds(unit * WIDEST) for bounds in met) else "narrow"

    def _follows_working(self, references: Sequence[Reference]) -> bool:
        """Whether the number follows its working, and the working is one of this step on printed digits."""
        working = self.working
        if working is None or not self.holds(working.value):
            return False
        for reference in references:
            for bounds in (reference.seen_range, reference.honest_range):
                if bounds is not None and not (
                    bounds.high < working.range.low or working.range.high < bounds.low
                ):
                    return True
        return False


def _is_in(bounds: Interval, x: Exact | None) -> bool:
    """Whether a range holds a value, as far as that is known."""
    if x is None or isinstance(x, Infinite):
        return False
    try:
        ball = enclose(x, BITS)
    except (HasSymbols, ValueError):
        return False
    return bool(ball >= bounds.low and ball <= bounds.high)


def _tie(numeral: Numeral, exact: Exact) -> bool:
    q = exact.rational
    return not numeral.exact and q is not None and abs(q - numeral.value) * 2 == numeral.unit


def holds_truncated(numeral: Numeral, x: Exact | None) -> bool:
    """Whether x truncates to the printed number."""
    if x is None or numeral.exact:
        return False
    low, high = numeral.truncated()
    return contains(low, high, x, open_end=True, value=numeral.value)


def may_be_cut(numeral: Numeral, x: Exact | None, *, truncates: bool) -> bool:
    """Whether x was cut off to the printed number: to an integer only where the document `truncates`."""
    return (truncates or not numeral.whole) and holds_truncated(numeral, x)


def rounds_twice(numeral: Numeral, x: Exact | None) -> bool:
    """Whether x, rounded to a digit more and then again, is the printed number: 6.30349, 6.3035, 6.304."""
    if x is None or numeral.exact:
        return False
    low, high = numeral.nearest()
    spare = numeral.unit / 20
    return contains(low - spare, high + spare, x)


def in_single_precision(numeral: Numeral, x: Exact | None) -> bool:
    """Whether x is the printed number but for digits that a program with 32 bits does not have."""
    if x is None or numeral.exact or abs(numeral.value) < numeral.unit * FEWEST_STEPS:
        return False
    low, high = numeral.nearest()
    spare = abs(numeral.value) / SINGLE
    return contains(low - spare, high + spare, x)


def shortened_by(numeral: Numeral, values: Iterable[Exact | None]) -> Literal["nearest", "truncated"] | None:
    """The only convention under which the number prints one of the values; None if it does not tell."""
    nearest = truncated = False
    for x in values:
        nearest = nearest or (x is not None and contains(*numeral.nearest(), x))
        truncated = truncated or holds_truncated(numeral, x)
        if nearest and truncated:
            return None  # whatever the other values are
    if nearest == truncated:
        return None
    return "nearest" if nearest else "truncated"


def contains(low: fmpq, high: fmpq, x: Exact, *, open_end: bool = False, value: fmpq | None = None) -> bool:
    """Whether low <= x <= high, decided; the end away from `value` is left out with `open_end`."""
    q = x.rational
    if q is None:
        return _encloses(low, high, x)
    if open_end and ((q == high and value != high) or (q == low and value != low)):
        return False
    return bool(low <= q <= high)


def _encloses(low: fmpq, high: fmpq, x: Exact) -> bool:
    """The same for a number that is not rational; ends at the usual precision decide nearly always."""
    if isinstance(x, Infinite):
        return False
    try:
        ball = enclose(x, BITS)
    except (HasSymbols, ValueError):
        return False
    inside = _is_between(ball, low, high)
    if inside is None:
        with ctx.workprec(BITS):
            inside = _is_between(ball, low, high)
    if inside is not None:
        return inside
    return compare(x, Exact.of(low)) in (0, 1) and compare(x, Exact.of(high)) in (-1, 0)


def _is_between(ball: arb, low: fmpq, high: fmpq) -> bool | None:
    """Whether a ball lies between two rationals, None where the precision at hand does not tell."""
    top, bottom = arb(high), arb(low)
    if ball > top or ball < bottom:
        return False
    return True if ball < top and ball > bottom else None
