"""How many printed numbers a reading explains, by the walk of its case in floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from symattn.case import Case
from symattn.derive import shapes
from symattn.errors import SymattnError
from symattn.exact.enclosure import HasSymbols
from symattn.plan import Plan, downstream, leading_to
from symattn.reading.notes.linking.ledger import Print, value
from symattn.recipes.attention import attention
from symattn.recipes.attention import values as matrices

if TYPE_CHECKING:
    from symattn.operation import Floats

NEAR = 1.01
"""How many units of its last place a number that is explained may be off."""
ROUNDED = 0.51
"""How far off it is at most where nothing before it was rounded: this tells between readings that tie."""


def explained(
    case: Case,
    prints: Sequence[Print],
    scores: Sequence[Print] = (),
    given: Mapping[str, Floats] = MappingProxyType({}),
    units: float = NEAR,
) -> int:
    """How many of the printed numbers the walk of a case explains, from its inputs or from printed scores.

    `given` are its inputs in floats. What no number asks for is not walked.
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
    except (SymattnError, HasSymbols):
        return 0
    return sum(any(_close(made, walked.get(made.name), units) for walked in walks) for made in prints)


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


def _close(made: Print, matrix: Floats | None, units: float) -> bool:
    q = value(made.num)
    if matrix is None or q is None or made.row >= matrix.shape[0] or made.col >= matrix.shape[1]:
        return False
    percent = made.num.text.endswith("%")
    _, _, decimals = made.num.text.rstrip("%").partition(".")
    unit = 10.0 ** -(len(decimals) + 2 * percent)
    off = abs(float(matrix[made.row, made.col]) - float(q))
    return off <= units * unit if decimals or percent else off < 0.51
