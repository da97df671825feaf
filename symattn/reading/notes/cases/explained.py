"""How well a reading explains the printed numbers, by the walk of its case in floats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from symattn.case import Case
from symattn.derive import shapes
from symattn.errors import SymattnError
from symattn.exact.enclosure import HasSymbols
from symattn.plan import Plan, base_name, downstream, leading_to
from symattn.reading.notes.linking.ledger import Print, value
from symattn.recipes.attention import attention
from symattn.recipes.attention import values as matrices

if TYPE_CHECKING:
    from symattn.operation import Floats

NEAR = 1.01
"""How many units of its last place a number that is explained may be off."""
FURTHEST = 1e6
"""How many units off a number is at most, however far."""

LITTLE = 0.2
"""A part of an exponent that no other scale differs by."""

Fit = tuple[int, float]
"""How many numbers are explained; between readings that tie, how near they come to all of them."""
NO_FIT: Fit = 0, -math.inf


def explained(
    case: Case,
    prints: Sequence[Print],
    scores: Sequence[Print] = (),
    given: Mapping[str, Floats] = MappingProxyType({}),
) -> Fit:
    """How well the walk of a case explains the printed numbers, from its inputs or from printed scores.

    `given` are its inputs in floats. What no number asks for is not walked. A number that is twice as far
    off speaks one bit more against the reading, so that a gross miss counts more than a rounded number.
    """
    try:
        plan = leading_to(attention(case), {made.name for made in prints})
        shapes(plan, matrices(case))  # what does not fit together is no reading
        walks = [_walked(plan, given)]
        if scores:
            printed = {made.name for made in scores} & {line.name for line in plan}
            known = walks[0].keys() - downstream(plan, printed)
            seen = {name: _as_printed(walks[0][name], scores, name) for name in printed}
            walks.append(_walked(plan, {name: walks[0][name] for name in known} | seen))
        walks += _behind_weights(plan, walks[0], prints)
    except (SymattnError, HasSymbols):
        return NO_FIT
    places = min(map(_decimals, scores), default=0)
    known_to = 10.0**places if places else math.inf  # whole scores are exact
    nearest = [min(_off(made, walked.get(made.name), known_to) for walked in walks) for made in prints]
    return sum(off <= NEAR for off in nearest), -sum(math.log2(1 + off) for off in nearest)


def _behind_weights(
    plan: Plan, walked: Mapping[str, Floats], prints: Sequence[Print]
) -> list[dict[str, Floats]]:
    """What follows from weights that were all printed: it says nothing of how these were made."""
    weights = [made for made in prints if base_name(made.name) == "A"]
    places = {name: {(made.row, made.col) for made in weights if made.name == name} for name in walked}
    whole = {name for name, at in places.items() if at and len(at) == walked[name].size}
    if not whole:
        return []
    after = downstream(plan, whole)
    known = {name: matrix for name, matrix in walked.items() if name not in after}
    seen = {name: _as_printed(walked[name], weights, name) for name in whole}
    made = _walked(plan, known | seen)
    return [{name: made[name] for name in after - whole}]


def _walked(plan: Plan, known: Mapping[str, Floats]) -> Mapping[str, Floats]:
    """Every quantity of a plan in floats: they choose a reading, and decide about no number."""
    import numpy as np

    seen = dict(known)
    with np.errstate(all="ignore"):
        for line in plan:
            if line.name not in seen:
                seen[line.name] = line.op.floats(*(seen[name] for name in line.args))
    return seen


def _as_printed(made: Floats, printed: Sequence[Print], name: str) -> Floats:
    """A matrix with the numbers that were printed under its name, the first of each entry, for its own."""
    matrix = made.copy()
    for each in reversed(printed):
        q = value(each.num)
        if q is not None and each.name == name and each.row < matrix.shape[0] and each.col < matrix.shape[1]:
            matrix[each.row, each.col] = float(q)
    return matrix


def _decimals(made: Print) -> int:
    """How many decimals a number was printed with."""
    return len(made.num.text.rstrip("%").partition(".")[2])


def _off(made: Print, matrix: Floats | None, known_to: float) -> float:
    """How many units of its last place a number is off; a whole number is rounded to nearest.

    An exponential is no nearer than its exponent was printed: a unit is 1 / `known_to` of that, as long as
    this is little beside the exponent, which another scale would change by a third or so.
    """
    q = value(made.num)
    if matrix is None or q is None or made.row >= matrix.shape[0] or made.col >= matrix.shape[1]:
        return FURTHEST
    there, percent = float(matrix[made.row, made.col]), made.num.text.endswith("%")
    decimals = _decimals(made)
    off = abs(there - float(q)) * 10.0 ** (decimals + 2 * percent)
    if not (decimals or percent):
        off *= 2
    if base_name(made.name) == "exp" and q > 0 and 0 < there < math.inf:
        exponent, apart = abs(math.log(q)), abs(math.log(there / float(q)))
        off = min(off, apart * known_to) if apart < LITTLE * exponent else off
    return min(off, FURTHEST) if math.isfinite(off) else FURTHEST
