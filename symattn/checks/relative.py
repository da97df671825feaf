"""Why the scores of rotated queries and keys depend on positions only by their difference.

R_m^T R_n = R_(n - m), so that (R_m q)(R_n k)^T = q (R_(n - m) k)^T. Su et al. 2021 (RoFormer), eq. (16).
"""

from __future__ import annotations

from symattn.exact.decision import equal
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.work import FACT, TooMuchWork, at_most
from symattn.plans.derive import Derivation
from symattn.plans.kinds import Rotation
from symattn.plans.plan import Line


def depends_on_differences(derivation: Derivation, line: Line) -> bool | None:
    """Whether `line` multiplies rotated rows, and each score is proved to be q_m R_(n - m) k_n; None where
    that takes too many steps.
    """
    makers = [derivation.line(name) for name in line.args]
    turned = [made for made in makers if made is not None and isinstance(made.op, Rotation)]
    if not line.op.is_product or len(turned) != 2:
        return False
    try:
        with at_most(FACT):
            return _proved(derivation, line, *turned)
    except TooMuchWork:
        return None


def _proved(derivation: Derivation, line: Line, queries: Line, keys: Line) -> bool:
    assert isinstance(queries.op, Rotation)
    assert isinstance(keys.op, Rotation)
    q, k = list(derivation[queries.args[0]].rows()), list(derivation[keys.args[0]].rows())
    scores = derivation[line.name]
    for i, query in enumerate(q):
        for j, unturned in enumerate(k):
            by = keys.op.turns(j) - queries.op.turns(i)
            (key,) = keys.op.by(by).exact(Matrix.of([unturned])).rows()
            product = sum((x * y for x, y in zip(query, key, strict=True)), Exact.of(0))
            if equal(scores[i, j], product) is not True:
                return False
    return True
