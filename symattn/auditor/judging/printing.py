"""How a value should have been printed, in the notation of the number that stands there."""

from __future__ import annotations

from dataclasses import replace

from symattn.auditor.numeral import PERCENT, Numeral, read_numeral
from symattn.auditor.report import Judgement
from symattn.exact.decimal import Undecided, rounded
from symattn.exact.enclosure import HasSymbols
from symattn.exact.number import Exact
from symattn.exact.numeral import MOST_DIGITS


def spelled(x: Exact, like: Numeral) -> str | None:
    """The value rounded to the printed number's places (a percentage stays one).

    None where it cannot be decided, for a closed form, and for more digits than anybody reads: e^440 has 192.
    """
    if like.exact and x.rational is not None:
        return str(x.rational)
    if like.closed:
        return None
    percent = like.text.strip().endswith(PERCENT)
    try:
        scaled, places = (x * Exact.of(100), like.places - 2) if percent else (x, like.places)
        digits = rounded(scaled, max(places, 0)).digits
    except (HasSymbols, Undecided, ValueError):
        return None
    return digits + "%" * percent if len(digits) <= MOST_DIGITS else None


def ulps(numeral: Numeral, expected: str | None) -> int | None:
    """The distance from what should have been printed, in units of the last place."""
    if numeral.exact or expected is None:
        return None
    return int(abs(read_numeral(expected).value - numeral.value) / numeral.unit)


def completed(judgement: Judgement, local: Exact | None) -> Judgement:
    """The judgement with the right prints put in: of the exact value, and of the step's value `local`."""
    numeral, exact = judgement.printed.numeral, judgement.exact
    expected = spelled(exact, numeral) if exact is not None else None
    beside = None
    if local is not None:
        beside = expected if local == exact else spelled(local, numeral)
    return replace(judgement, expected=expected, local=beside, ulps=ulps(numeral, expected))
