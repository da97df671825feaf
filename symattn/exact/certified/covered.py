"""Which matrices have their decimals in double-double arithmetic, and those decimals.

Covered are normalised rows over scores that are integers times one square root, masked or not, with
rational values. The factor f of the scores is then algebraic and e^f transcendental (Lindemann), on which
the flags of exact decimals rest. A sink is a key with the value 0, or one more power in each row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import prod
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpz_mat

from symattn.exact.certified.gaps import LONGEST_INNER, Gaps, GapsOfProduct, GapsOfScores
from symattn.exact.certified.heads import summed
from symattn.exact.certified.integers import bits_of, integers
from symattn.exact.certified.power_tables import Imprecise
from symattn.exact.certified.sinks import ApartSink
from symattn.exact.certified.softmax import LONGEST, Softmax, Values
from symattn.exact.certified.table import DecimalTable
from symattn.exact.masked import Masked
from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.number import Exact
from symattn.exact.radicand import product_of_roots
from symattn.exact.sunk import Sunk
from symattn.exact.surd import Surd
from symattn.exact.surds import Product, Surds

MOST_PLACES = 18


class NotCovered(Exception):
    """For these numbers the decimals come from balls. No error of a person."""


def certified(
    logits: Matrix, base: Exact | None, coefficients: Sequence[Matrix | None], places: int
) -> list[DecimalTable | None]:
    """The decimals of softmax(logits) @ c for each c, or of the weights for None; the base None is e.

    None for what is not covered.
    """
    found: list[DecimalTable | None] = [None] * len(coefficients)
    if not 0 <= places <= MOST_PLACES:
        return found
    keys = logits.shape[1] - isinstance(logits, Sunk)
    kept: dict[int, Values | None] = {}
    try:
        softmax = softmax_of(logits, base, places)
        for at, matrix in enumerate(coefficients):
            with suppress(NotCovered, Imprecise):
                kept[at] = None if matrix is None else values_of(matrix, softmax.gaps.shape[1], places)
        made = softmax.decimals(list(kept.values())) if kept else []
    except (NotCovered, Imprecise):
        return found
    for (at, values), one in zip(kept.items(), made, strict=True):
        width = keys if values is None else values.width
        left_open = [entry for entry in one.left_open if entry[1] < width]
        found[at] = DecimalTable(one.nearest[:, :width], one.exact[:, :width], places, left_open)
    return found


def certified_sum(
    heads: Sequence[tuple[Matrix, Exact | None, Matrix | None]], places: int
) -> DecimalTable | None:
    """The decimals of the sum of softmax(logits) @ c over all (logits, base, c); None where not covered."""
    if not 0 <= places <= MOST_PLACES:
        return None
    kept = []
    try:
        for logits, base, matrix in heads:
            if matrix is None:
                return None
            softmax = softmax_of(logits, base, places)
            kept.append((softmax, values_of(matrix, softmax.gaps.shape[1], places, len(heads))))
        made = summed(kept)
    except (NotCovered, Imprecise):
        return None
    return DecimalTable(made.nearest, made.exact, places, made.left_open)


def values_of(matrix: Matrix, keys: int, places: int, heads: int = 1) -> Values:
    """The values of so many keys, for results of so many places. Raises NotCovered."""
    if not isinstance(matrix, SurdMatrix) or not matrix.shape[1]:
        raise NotCovered
    root, part = single(matrix.surds)
    numbers, denominator = integers(part), int(matrix.surds.den)
    bits = max(bits_of(numbers), denominator.bit_length())
    if root != 1 or bits >= LONGEST:
        raise NotCovered
    if max((1 << bits_of(numbers)) / denominator, 1) * 10.0**places * heads >= 2.0**61:  # beyond int64
        raise NotCovered
    if numbers[keys:].any():  # a bias gives a value to a sink that is no key
        raise NotCovered
    return Values(numbers[:keys], denominator)


def softmax_of(logits: Matrix, base: Exact | None, places: int) -> Softmax:
    """softmax(logits) to a base; the base None is e. Raises NotCovered and Imprecise."""
    sink: Exact | None = None
    visible: Any = None
    if isinstance(logits, Sunk):
        sink, logits = logits.sink, logits.scores
    if isinstance(logits, Masked):
        visible, logits = np.frombuffer(logits.visible, np.bool_).reshape(logits.shape), logits.scores
    if not isinstance(logits, SurdMatrix):
        raise NotCovered
    held = logits.held
    in_factors = isinstance(held, Product) and held.left.shape[1] < LONGEST_INNER
    factors = (held.left, held.right) if in_factors and isinstance(held, Product) else (logits.surds,)
    roots, tables = zip(*map(single, factors), strict=True)
    denominator, extra = prod(table.den for table in factors), None
    if sink is not None:
        ratio = _multiple(sink, roots, denominator)
        if ratio is not None:  # the sink is a score as those of keys
            tables, denominator = (tables[0] * ratio.q, *tables[1:]), denominator * int(ratio.q)
            extra, sink = int(ratio.p), None
            if visible is not None:
                visible = np.hstack([visible, np.ones((len(visible), 1), np.bool_)])
    if visible is not None and not visible.any(axis=1).all():
        raise NotCovered
    numbers = [integers(table) for table in tables]
    b = None if base is None else base.rational
    factor = partial(_factor, roots, denominator, b)
    kind: Callable[..., Gaps] = GapsOfProduct if len(numbers) == 2 else GapsOfScores
    gaps = kind(*numbers, visible, extra)
    if gaps.bits >= LONGEST:
        raise NotCovered
    if sink is not None and base is not None:
        raise NotCovered  # whether 1, 2^(2^(1/2)) and 2^(3^(1/2)) are independent is not known
    apart = None if sink is None else ApartSink(partial(_root, *_single_root(sink)), factor)
    degree = None if b is None else _degree(b, roots, denominator)
    return Softmax(gaps, factor, places, visible, apart, degree)


def _degree(base: fmpq, roots: Sequence[int], denominator: int) -> fmpq | None:
    """The exponent of b^f as a power of c, where b = c^g for the largest g; None where f is irrational."""
    s, m = product_of_roots(*roots, *[1] * (2 - len(roots)))
    return None if m != 1 else s * _largest_exponent(base) / denominator


def _largest_exponent(base: fmpq) -> int:
    """The largest g for which a rational number above 1 is a g-th power of another."""
    most = int(base.height_bits())
    return next(g for g in range(most, 0, -1) if all(x.root(g) ** g == x for x in (base.p, base.q)))


def _multiple(sink: Exact, roots: Sequence[int], denominator: int) -> fmpq | None:
    """The sink over the factor of the scores where that is rational."""
    root, q = _single_root(sink)
    s, m = product_of_roots(*roots, *[1] * (2 - len(roots)))
    return q * denominator / s if root == m or not q else None


def _single_root(number: Exact) -> tuple[int, fmpq]:
    """m and q for the number q sqrt(m). Raises NotCovered for any other number."""
    surd = number.algebraic
    if not isinstance(surd, Surd) or len(surd.terms) > 1 or (surd and surd.terms[0][0] < 0):
        raise NotCovered
    return surd.terms[0] if surd else (1, fmpq(0))


def _root(root: int, q: fmpq) -> arb:
    return arb(q) * arb(root).sqrt()


def _factor(roots: Sequence[int], denominator: int, base: fmpq | None) -> arb:
    found = arb(1) / denominator if base is None else arb(base).log() / denominator
    for root in roots:
        found *= arb(root).sqrt()
    return found


def single(surds: Surds) -> tuple[int, fmpz_mat]:
    """m and Z where a table is sqrt(m) Z / den. Raises NotCovered where it is not, or m is negative."""
    parts = [(m, part) for m, part in surds.parts.items() if part] or [(1, fmpz_mat(*surds.shape))]
    if len(parts) > 1 or parts[0][0] < 0:
        raise NotCovered
    return parts[0]
