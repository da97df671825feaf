"""Correctly rounded decimals with a certificate.

A decimal is printed only when an enclosure rounds unambiguously; otherwise the precision is doubled.
The loop ends for every number of the computation: an exact tie is found by deciding `x = tie`, and everything
else is away from a tie by some distance. A tie rounds away from zero, as taught at school.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from flint import arb, ctx, fmpq, fmpz

from symattn.exact.balls import refined_sign
from symattn.exact.decision import FIRST_BITS, MOST_BITS, compare, equal, is_zero
from symattn.exact.enclosure import enclose
from symattn.exact.functions import power
from symattn.exact.joined import Joined
from symattn.exact.masked import Masked
from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import Exact
from symattn.exact.rounding import (
    Decimal,
    DecimalRows,
    Undecided,
    nearest_integer,
    power_of_ten,
    round_ball,
    scaled_rational,
    spell_rational,
    spell_scaled,
)
from symattn.exact.summed import Summed
from symattn.exact.sunk import Sunk
from symattn.exact.transposed import Transposed
from symattn.exact.weighted import Weighted
from symattn.exact.whole import Seen, Whole

if TYPE_CHECKING:
    from symattn.exact.certified.table import DecimalTable

    Decimals: TypeAlias = DecimalRows | DecimalTable

__all__ = [
    "Decimal",
    "Undecided",
    "printed",
    "round_ball",
    "rounded",
    "rounded_matrices",
    "rounded_matrix",
    "significant",
    "spell_rational",
]

MOST_DIGITS = 200
"""Digits before the point up to which a number is printed in full."""
LONGEST_INTEGER_PART = 1 << 15
LARGEST_POWER = 2_000
SMALL = 360
"""Softmax weights up to which balls are faster than double-double arithmetic."""
BELOW = arb(-0.5, 0.5)
"""The interval from -1 to 0."""
CLOSE = 2**-20
"""How well the logarithm of a number is known before its magnitude is read off it."""


def printed(x: Exact, places: int, significant_digits: int | None = None) -> Decimal:
    """x to `places` decimals, or to so many significant digits.

    A number of more than `MOST_DIGITS` digits before the point is printed as 1.2345e20000, with `places`
    decimals; one so close to zero that its magnitude is not found, with decimals. Raises as `rounded` does.
    """
    if significant_digits is None:
        return significant(x, places + 1) if _is_long(x) else rounded(x, places)
    try:
        return significant(x, significant_digits)
    except Undecided:
        return rounded(x, significant_digits)


def rounded(x: Exact, places: int) -> Decimal:
    """x to `places` decimals, correctly rounded, ties away from zero.

    Raises HasSymbols for a number with free symbols and Undecided where refinement does not end.
    """
    scaled = nearest(x, places)
    return Decimal(spell_scaled(scaled, places), _is(x, fmpq(scaled), places))


def nearest(x: Exact, places: int) -> int:
    """The integer nearest to 10^places x, ties away from zero. Raises as `rounded` does."""
    q = x.rational
    return scaled_rational(q, places) if q is not None else _refined(x, places)


def significant(x: Exact, digits: int) -> Decimal:
    """x to `digits` significant digits, in the form 2.61e-17 where that is shorter. Ties as `rounded`."""
    if is_zero(x):
        return Decimal("0", True)
    places = digits - 1 - _magnitude(x)
    scaled = nearest(x, places)
    if len(str(abs(scaled))) != digits:
        # 9.996 -> 10.0: the carry added a digit; right below a power of ten one is wanting
        places += digits - len(str(abs(scaled)))
        scaled = nearest(x, places)
    exact = _is(x, fmpq(scaled), places)
    exponent = digits - 1 - places
    if -5 < exponent < digits + 3:
        return Decimal(spell_scaled(scaled, places) if places >= 0 else str(scaled * 10**-places), exact)
    sign, text = ("-" if scaled < 0 else ""), str(abs(scaled))
    mantissa = f"{text[0]}.{text[1:]}" if len(text) > 1 else text
    return Decimal(f"{sign}{mantissa}e{exponent}", exact)


def rounded_matrices(matrices: Sequence[Matrix], places: int) -> list[Decimals]:
    """The decimals of several matrices; softmax weights and outputs over the same logits share their work.

    Every entry is as `printed` gives it. Raises HasSymbols and Undecided as `rounded` does.
    """
    groups: dict[object, dict[int, Matrix]] = {}
    for matrix in matrices:
        upright = matrix.matrix if isinstance(matrix, Transposed | Seen) else matrix
        for part in upright.parts if isinstance(upright, Joined) else (upright,):
            key: object = id(part)
            if isinstance(part, Weighted) and part.normalised:
                key = id(part.logits), part.base
            groups.setdefault(key, {})[id(part)] = part
    made: dict[int, Decimals] = {}
    for group in groups.values():
        made |= zip(group, _group(list(group.values()), places), strict=True)
    return [_put_together(matrix, made) for matrix in matrices]


def _put_together(matrix: Matrix, made: dict[int, Decimals]) -> Decimals:
    """The decimals of a matrix from those of its parts, by their identities."""
    if isinstance(matrix, Seen):
        return _put_together(matrix.matrix, made)
    if isinstance(matrix, Transposed):
        return _put_together(matrix.matrix, made).T
    if not isinstance(matrix, Joined):
        return made[id(matrix)]
    parts = [made[id(part)] for part in matrix.parts]
    rows = [[entry for part in row for entry in part] for row in zip(*parts, strict=True)]
    return DecimalRows(rows, parts[0].places)


def rounded_matrix(matrix: Matrix, places: int) -> Decimals:
    """Every entry of a matrix as `printed` gives it. Raises HasSymbols and Undecided as `rounded` does."""
    return rounded_matrices((matrix,), places)[0]


def _group(matrices: Sequence[Matrix], places: int) -> list[Decimals]:
    """The decimals of one matrix, or of normalised ones over the same logits, to one base."""
    first = matrices[0]
    if not (isinstance(first, Weighted) and first.normalised):
        summed = _sum(first, places) if isinstance(first, Summed) else None
        made = _whole(first, places) if isinstance(first, Whole) else summed
        return [_by_enclosures(first, places) if made is None else made]
    rows = [matrix for matrix in matrices if isinstance(matrix, Weighted)]
    found: list[DecimalTable | None] = [None] * len(rows)
    n, m = first.logits.shape
    if n * m > SMALL and isinstance(first.logits, SurdMatrix | Masked | Sunk):
        from symattn.exact.certified.covered import certified

        found = certified(first.logits, first.base, [matrix.coefficients for matrix in rows], places)
    with ctx.workprec(_bits(places)):
        balls = first.row_balls(_halves(places)) if None in found else []
        return [
            _by_balls(matrix, matrix.mixed(balls), places)
            if table is None
            else table.settled(partial(_entry, matrix, places))
            for matrix, table in zip(rows, found, strict=True)
        ]


def _sum(matrix: Summed, places: int) -> DecimalTable | None:
    """The decimals of a sum of outputs in double-double arithmetic, where they are covered and many."""
    heads = [part for part in matrix.parts if isinstance(part, Weighted) and part.normalised]
    if (
        len(heads) < len(matrix.parts)
        or sum(head.logits.shape[0] * head.logits.shape[1] for head in heads) <= SMALL
    ):
        return None
    from symattn.exact.certified.covered import certified_sum

    made = certified_sum([(head.logits, head.base, head.coefficients) for head in heads], places)
    return None if made is None else made.settled(partial(_entry, matrix, places))


def _whole(matrix: Whole, places: int) -> DecimalTable | None:
    """The decimals of what is carried whole in double-double arithmetic, where its entries are many."""
    made = None
    if matrix.entries > SMALL:
        from symattn.exact.certified.power_tables import Imprecise

        with suppress(Imprecise):
            made = matrix.pairs().decimals(places)
    return None if made is None else made.settled(partial(_entry, matrix, places))


def _by_enclosures(matrix: Matrix, places: int) -> DecimalRows:
    with ctx.workprec(max(FIRST_BITS, _bits(places))):  # at which others enclose the entries, too
        halves = _halves(places)
        balls = [[ball * halves for ball in row] for row in matrix.balls()]
        return _by_balls(matrix, balls, places)


def _by_balls(matrix: Matrix, halves: list[list[arb]], places: int) -> DecimalRows:
    """The decimals by enclosures of the entries in halves of the last place.

    A ball without an integer lies between two neighbours, and rounds as one of them. An integer in it is a
    tie, or a printable number that the entry may be exactly; such an entry is refined.
    """
    return DecimalRows(
        [
            [
                _close(matrix, places, i, j, ball) if below is None else below
                for j, ball in enumerate(row)
                # [x - 1, x] holds one integer where x is none, and two where it is one
                for below in ((ball + BELOW).unique_fmpz(),)
            ]
            for i, row in enumerate(halves)
        ],
        places,
    )


def _close(matrix: Matrix, places: int, i: int, j: int, ball: arb) -> fmpz | Decimal:
    """One entry close to an integer: 10^-60 is seen not to be 0, but less 1 it is rounded."""
    below = None if ball.contains_integer() else ball.floor().unique_fmpz()
    return _entry(matrix, places, i, j) if below is None else below


def _halves(places: int) -> arb:
    """How many halves of the last place one is."""
    return arb(2 * 10**places)


def _bits(places: int) -> int:
    """The working precision at which most entries round unambiguously."""
    return max(64, 36 + 4 * places)


def _entry(matrix: Matrix, places: int, i: int, j: int) -> Decimal:
    """One entry by itself. Where it would be long, balls are asked first: one quotient of a sum is over the
    product of all row sums, and what is carried whole has balls for all that are left open.
    """
    bits = 2 * FIRST_BITS + 4 * places
    while isinstance(matrix, Summed | Whole) and bits <= matrix.most_bits:
        with ctx.workprec(bits):
            y = matrix.ball_at(i, j) * fmpz(10) ** places
            closest = round_ball(y)
        if closest is not None and not y.contains_integer():
            return Decimal(spell_scaled(closest, places), False)
        bits *= 2
    return printed(matrix[i, j], places)


def _shifted(value: fmpq, places: int) -> Exact:
    """value / 10^places; far from the point the power of ten stays one."""
    if abs(places) <= LARGEST_POWER:
        return Exact.of(value / power_of_ten(places))
    return Exact.of(value) * power(Exact.of(10), Exact.of(-places))


def _is(x: Exact, scaled: fmpq, places: int) -> bool:
    """Whether x is scaled / 10^places; only opaque numbers can be one without showing it."""
    q = x.rational
    if q is not None or not x.symbolic:
        return q is not None and abs(places) <= LARGEST_POWER and bool(q == scaled / power_of_ten(places))
    value = _shifted(scaled, places)
    # what an enclosure tells apart need not be decided by algebra
    return bool((enclose(x, FIRST_BITS) - enclose(value, FIRST_BITS)).contains(0)) and equal(x, value) is True


def _refined(x: Exact, places: int) -> int:
    """The integer nearest to 10^places * x, by refinement."""
    bits = FIRST_BITS
    most = MOST_BITS + _bits_before_the_point(enclose(x, FIRST_BITS) * _ten_to(places))
    while bits <= most:
        with ctx.workprec(bits):
            y = enclose(x, bits) * _ten_to(places)
            closest = round_ball(y)
        if closest is not None:
            return closest
        if bits >= 4 * FIRST_BITS and y.rad() < arb(0.25):
            candidate = _beside_tie(x, y, places)
            if candidate is not None:
                return candidate
        bits *= 2
    raise Undecided(f"the rounding of a number to {places} places")


def _is_long(x: Exact) -> bool:
    """Whether x has more than `MOST_DIGITS` digits before the point."""
    q = x.rational
    if q is not None:
        return bool(abs(q) >= fmpz(10) ** MOST_DIGITS)
    return refined_sign(lambda bits: abs(enclose(x, bits)) - _ten_to(MOST_DIGITS), MOST_BITS) == 1


def _bits_before_the_point(ball: arb) -> int:
    """The bits of the integer part: e^7000 has ten thousand of them before any decimal."""
    if not ball.is_finite():
        return 0
    mantissa, exponent = ball.mid().man_exp()
    bits = max(0, int(mantissa.bit_length()) + int(exponent))
    if bits > LONGEST_INTEGER_PART:
        raise Undecided("a number of more than ten thousand digits")
    return bits


def _beside_tie(x: Exact, scaled: arb, places: int) -> int | None:
    """The rounding of x where the ball of 10^places * x holds one half integer, by its order beside that tie.

    An order may be decided where no precision tells the two apart: 1/2 - e^(-10^60) lies below its tie.
    """
    below = (scaled.mid()).floor().unique_fmpz()
    if below is None:
        return None
    tie = fmpq(2 * below + 1, 2)
    order = compare(x, _shifted(tie, places))
    if order == 0:
        return nearest_integer(tie)
    return None if order is None else int(below) + (order + 1) // 2


def _magnitude(x: Exact) -> int:
    """floor(log10 |x|), or one more right below a power of ten; x is not zero."""
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            ball = abs(enclose(x, bits))
            if ball > 0:
                digits = ball.log() / arb(10).log()
                low, high = digits.lower().floor().unique_fmpz(), digits.upper().floor().unique_fmpz()
                if low is not None and high is not None and digits.rad() < CLOSE:
                    # two candidates next to a power of ten: rounding tells which is right
                    return int(high) if bool(ball.overlaps(_ten_to(int(high)))) else int(low)
        bits *= 2
    raise Undecided("the magnitude of a number")


def _ten_to(exponent: int) -> arb:
    return arb(10) ** exponent
