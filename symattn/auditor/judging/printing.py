"""How a value should have been printed, in the notation of the number that stands there."""

from __future__ import annotations

import re

from flint import arb, ctx, fmpq
from msgspec.structs import replace

from symattn.auditor.numeral import PERCENT, Numeral, read_numeral
from symattn.auditor.report import Judgement
from symattn.exact.decimal import Undecided, nearest
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.literal import read
from symattn.exact.number import Exact
from symattn.exact.numeral import MOST_DIGITS
from symattn.exact.rounding import spell_scaled
from symattn.floats.interval import BITS

FRONT = re.compile(r"\(?([+-]?[0-9]+)\)?([/*].+)")
"""A fraction or a closed form: the whole number in front, `-3` of `(-3)/sqrt(2)`, and the rest."""
POWER = re.compile(r"[eE]([+\-−]?[0-9]+)$")
"""The power of ten of 3.07e23, which a number keeps."""


def spelled(x: Exact, like: Numeral) -> str | None:
    """The value rounded to the printed number's places; a percentage stays one, and so does a closed form.

    None where it cannot be decided, for a value that has not the same closed form with another whole number
    in front, and for more digits than anybody reads: e^440 has 192.
    """
    if like.exact or like.closed:
        form = _in_front(x, like.text.strip())
        if form is not None or like.closed or x.rational is None:
            return form
        return str(x.rational)
    power = POWER.search(like.text.strip())
    if power:
        return _with_power(
            x, read_numeral(like.text.strip()[: power.start()]), int(power[1].replace("−", "-"))
        )
    percent = like.text.strip().endswith(PERCENT)
    try:
        scaled, places = (x * Exact.of(100), like.places - 2) if percent else (x, like.places)
        digits = spell_scaled(nearest(scaled, max(places, 0)), max(places, 0))
    except (HasSymbols, Undecided, ValueError):
        return None
    return digits + "%" * percent if len(digits) <= MOST_DIGITS else None


def _with_power(x: Exact, mantissa: Numeral, exponent: int) -> str | None:
    """The value with a power of ten: a mantissa from 1 to 10 stays one, with as many decimals."""
    normal = 1 <= abs(mantissa.value) < 10
    if normal:
        exponent = exponent if (own := _size(x)) is None else own
    if abs(exponent) > MOST_DIGITS:
        return None
    said = spelled(x / Exact.of(fmpq(10) ** exponent), mantissa)
    if said is not None and normal and abs(read_numeral(said).value) >= 10:  # 9.996 rounds to 10.00
        exponent += 1
        said = spelled(x / Exact.of(fmpq(10) ** exponent), mantissa)
    return None if said is None else f"{said}e{exponent}"


def _size(x: Exact) -> int | None:
    """The power of ten just below a value, 0 for zero; None where it is not known."""
    q = x.rational
    if q is not None:
        size = len(str(abs(q.p))) - len(str(q.q)) if q else 0
        return size - 1 if abs(q) < fmpq(10) ** size and q else size
    try:
        with ctx.workprec(BITS):
            floor = (abs(enclose(x, BITS)).log() / arb(10).log()).floor().unique_fmpz()
    except (HasSymbols, ValueError):
        return None
    return None if floor is None else int(floor)


def _in_front(x: Exact, text: str) -> str | None:
    """The value as a closed form with another whole number in front: 5/sqrt(2) for 4/sqrt(2)."""
    form = FRONT.fullmatch(text)
    if form is None:
        return None
    front = (x / read(f"1{form[2]}", {})).rational
    return None if front is None or front.q != 1 else f"{front}{form[2]}"


def ulps(numeral: Numeral, expected: str | None) -> int | None:
    """The distance from what should have been printed, in units of the last place."""
    if numeral.exact or numeral.closed or expected is None:
        return None
    if expected == numeral.text:
        return 0
    return int(abs(read_numeral(expected).value - numeral.value) / numeral.unit)


def completed(judgement: Judgement, local: Exact | None) -> Judgement:
    """The judgement with the right prints put in: of the exact value, and of the step's value `local`."""
    numeral, exact = judgement.printed.numeral, judgement.exact
    expected = spelled(exact, numeral) if exact is not None else None
    beside = None
    if local is not None:
        beside = expected if local == exact else spelled(local, numeral)
    return replace(judgement, expected=expected, local=beside, ulps=ulps(numeral, expected))
