"""The floats of a program as its printout shows them: their format is a convention like others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from flint import fmpq

from symattn.auditor.causes.votes import tell
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.judge import GivenUp, Judged, MoreSlips, judge
from symattn.auditor.judging.rules import FEWEST_STEPS, SINGLE
from symattn.auditor.judging.supposed import Supposed
from symattn.auditor.numeral import Numeral
from symattn.auditor.report import Judgement, Remark
from symattn.case import PRECISIONS
from symattn.exact.number import Exact

COARSE: Mapping[str, int] = MappingProxyType({name: PRECISIONS[name] for name in ("bfloat16", "float16")})
"""The formats that are read off the numbers, the one with the fewest bits first."""
LEFT = 9
"""How many numbers have to be floats of the format for each that is none."""
CHANCE = 1e-5
"""How likely it may be at most that decimals are floats of the format by chance."""


def with_coarse_floats(judged: Judged) -> tuple[Judged, int | None, tuple[Remark, ...]]:
    """The judgements by steps in 16 bits, and these bits, where nearly all prints are such floats.

    They have to explain slips.
    """
    slips = [each for each in judged.judgements if each.verdict == "slip" and each.printed.first is None]
    for name, bits in COARSE.items() if slips else ():
        if not _are_floats(judged, bits):
            continue
        again = judge(judged.evaluations.ground, Supposed(bits=bits, odd=False))
        if again.slips < judged.slips:
            first = slips[0].printed
            said = {"conventions": f"precision = {name}"}
            told = tuple(
                was.printed.index
                for was, now in zip(judged.judgements, again.judgements, strict=True)
                if was.verdict == "slip" != now.verdict
            )
            at = (first.name, None, told, first.source_line, first.place)
            return again, bits, (Remark(Finding.CONVENTION_INFERRED, "correct", said, *at),)
    return judged, None, ()


def _are_floats(judged: Judged, bits: int) -> bool:
    """Whether nearly all prints that tell are floats of a format, and chance cannot be it."""
    fits = misses = 0
    chance = 0.0
    for each in judged.judgements:
        numeral = each.printed.numeral
        if numeral.exact or numeral.closed or not numeral.value or _is_binary(each.exact):
            continue
        share = min(1.0, float(_shortest_unit(numeral) / _step(numeral.value, bits)))
        if share < 1:
            fit = _is_float(numeral, bits)
            fits, misses = fits + fit, misses + (not fit)
            chance += math.log(share) if fit else 0
    return fits >= LEFT * misses and chance < math.log(CHANCE)


def _is_binary(exact: Exact | None) -> bool:
    """Whether a value has a power of two below, as floats have: by hand too it is printed as such."""
    q = exact.rational if exact is not None else None
    return q is not None and int(q.q).bit_count() == 1


def _shortest_unit(numeral: Numeral) -> fmpq:
    """The unit of the last digit that is no zero: of 0.5000 that of 0.5."""
    unit = numeral.unit
    while (numeral.value / (unit * 10)).q == 1:
        unit *= 10
    return unit


def _step(value: fmpq, bits: int) -> fmpq:
    """The distance between floats of so many bits at a number that is not 0."""
    top, bottom = int(abs(value.p)), int(value.q)
    power = top.bit_length() - bottom.bit_length()
    if abs(value) < fmpq(2) ** power:
        power -= 1
    return fmpq(2) ** (power + 1 - bits)


def _is_float(numeral: Numeral, bits: int) -> bool:
    """Whether a float of so many bits is printed so."""
    step = _step(numeral.value, bits)
    nearest = (numeral.value / step + fmpq(1, 2)).floor() * step
    return bool(abs(nearest - numeral.value) * 2 <= numeral.unit)


def with_single_precision(judged: Judged) -> Judged:
    """The judgements by steps in single precision, where slips are printed so finely that it shows.

    It has to explain some of these.
    """
    slips = [each for each in judged.judgements if each.verdict == "slip" and each.printed.first is None]
    fine = [each.printed.index for each in slips if _is_fine(each)]
    if not fine or judged.evaluations.supposed.bits is not None or not tell(slips, judged):
        return judged
    supposed = replace(judged.evaluations.supposed, bits=SINGLE)
    try:
        again = judge(judged.evaluations.ground, supposed, MoreSlips(judged.slips - 1))
    except GivenUp:
        return judged
    return again if any(again.judgements[index].verdict != "slip" for index in fine) else judged


def _is_fine(judged: Judgement) -> bool:
    """Whether a number has more digits than 32 bits hold for sure, or what it was made of has."""
    numeral = judged.printed.numeral
    size = max(abs(numeral.value), fmpq(1, 4))
    return not (numeral.exact or numeral.closed) and size >= numeral.unit * FEWEST_STEPS
