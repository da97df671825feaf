"""Which matrices have their decimals in double-double arithmetic, and those decimals.

Covered are normalised rows over scores that are integers times one square root, masked or not, with
rational values. The factor f of the scores is then algebraic and e^f transcendental (Lindemann), on which
the flags of exact decimals rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from flint import arb, fmpz_mat

from symattn.exact.certified.gaps import LONGEST_INNER, Gaps, GapsOfProduct, GapsOfScores
from symattn.exact.certified.integers import bits_of, integers
from symattn.exact.certified.power_tables import Imprecise
from symattn.exact.certified.softmax import LONGEST, Softmax, Values
from symattn.exact.certified.table import DecimalTable
from symattn.exact.masked import Masked
from symattn.exact.matrix import Matrix, SurdMatrix
from symattn.exact.surds import Product, Surds

MOST_PLACES = 18


class NotCovered(Exception):
    """For these numbers the decimals come from balls. No error of a person."""


def certified(
    logits: Matrix, coefficients: Sequence[Matrix | None], places: int
) -> list[DecimalTable | None]:
    """The decimals of softmax(logits) @ c for each c, or of the weights for None.

    None for what is not covered.
    """
    found: list[DecimalTable | None] = [None] * len(coefficients)
    kept: dict[int, Values | None] = {}
    for at, matrix in enumerate(coefficients):
        try:
            kept[at] = None if matrix is None else _values(matrix, places)
        except (NotCovered, Imprecise):
            continue
    if not kept or not 0 <= places <= MOST_PLACES:
        return found
    try:
        made = _softmax(logits, places).decimals(list(kept.values()))
    except (NotCovered, Imprecise):
        return found
    for at, one in zip(kept, made, strict=True):
        found[at] = DecimalTable(one.nearest, one.exact, places)
    return found


def _values(matrix: Matrix, places: int) -> Values:
    if not isinstance(matrix, SurdMatrix) or not matrix.shape[1]:
        raise NotCovered
    root, part = _single(matrix.surds)
    numbers, denominator = integers(part), int(matrix.surds.den)
    bits = max(bits_of(numbers), denominator.bit_length())
    if root != 1 or bits >= LONGEST:
        raise NotCovered
    if max((1 << bits_of(numbers)) / denominator, 1) * 10.0**places >= 2.0**61:  # beyond int64
        raise NotCovered
    return Values(numbers, denominator)


def _softmax(logits: Matrix, places: int) -> Softmax:
    visible = None
    if isinstance(logits, Masked):
        visible, logits = np.frombuffer(logits.visible, np.bool_).reshape(logits.shape), logits.scores
        if not visible.any(axis=1).all():
            raise NotCovered
    if not isinstance(logits, SurdMatrix):
        raise NotCovered
    gaps, factor = _gaps(logits.surds, visible)
    if gaps.bits >= LONGEST:
        raise NotCovered
    return Softmax(gaps, factor, places, visible)


def _gaps(surds: Surds, visible: Any) -> tuple[Gaps, Callable[[], arb]]:
    """The gaps as integers, and what they are multiplied by."""
    if isinstance(surds, Product) and surds.left.shape[1] < LONGEST_INNER:
        (a, q), (b, k) = _single(surds.left), _single(surds.right)
        den = surds.left.den * surds.right.den
        return GapsOfProduct(integers(q), integers(k), visible), partial(_factor, (a, b), den)
    root, scores = _single(surds)
    return GapsOfScores(integers(scores), visible), partial(_factor, (root,), surds.den)


def _factor(roots: Sequence[int], denominator: int) -> arb:
    found = arb(1) / denominator
    for root in roots:
        found *= arb(root).sqrt()
    return found


def _single(surds: Surds) -> tuple[int, fmpz_mat]:
    """m and Z where a table is sqrt(m) Z / den. Raises NotCovered where it is not, or m is negative."""
    parts = [(m, part) for m, part in surds.parts.items() if part] or [(1, fmpz_mat(*surds.shape))]
    if len(parts) > 1 or parts[0][0] < 0:
        raise NotCovered
    return parts[0]
