"""Two walks, one result: proved, refuted with a witness, or undecided.

Two plans are walked over the same givens and a value that both make is compared entry by entry by
`symattn.exact.decision.equal`. With free symbols equality means equality as functions of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from symattn.derive import Values, derive
from symattn.errors import ShapeMismatch
from symattn.exact.decision import equal
from symattn.exact.matrix import Matrix, spelled
from symattn.exact.number import Exact
from symattn.plan import Plan


@dataclass(frozen=True, slots=True)
class Witness:
    """An entry (row, col), from 0, in which the two results differ, with both its values."""

    row: int
    col: int
    left: Exact
    right: Exact


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether two plans make the same `name`.

    `decided` and `equal`: proved entry by entry. `decided` and not `equal`: refuted, `witness` is an
    entry that differs. Not `decided`: no entry was seen to differ, and some entry could not be settled.
    `walk` says how the one is walked that is held against the direct walk on rows: cached, online, linear,
    or columns.
    """

    name: str
    decided: bool
    equal: bool
    witness: Witness | None = None
    walk: str = ""


def prove_equal(plan_a: Plan, plan_b: Plan, given: Values, name: str) -> Proof:
    """Walk both plans over the givens and compare `name`.

    Raises what a walk raises, KeyError where a plan does not make `name`, and ShapeMismatch for results
    of different shapes.
    """
    return compare_values(name, derive(plan_a, given)[name], derive(plan_b, given)[name])


def prove_transposed(columns: Plan, rows: Plan, given: Values, name: str) -> Proof:
    """Walk `columns` over the givens and `rows` over their transposes; `name` is the transpose of `name`.

    Raises what `prove_equal` raises.
    """
    turned = {given_name: matrix.T for given_name, matrix in given.items()}
    return compare_values(name, derive(columns, given)[name], derive(rows, turned)[name].T)


def compare_values(name: str, a: Matrix, b: Matrix) -> Proof:
    """The proof for two matrices that are there already. Raises ShapeMismatch."""
    if a.shape != b.shape:
        raise ShapeMismatch(
            f"{name} is {spelled(a.shape)} in one walk and {spelled(b.shape)} in the other",
            "only results of one shape are compared",
        )
    decided = True
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            verdict = equal(a[i, j], b[i, j])
            if verdict is False:
                return Proof(name, True, False, Witness(i, j, a[i, j], b[i, j]))
            decided = decided and verdict is True
    return Proof(name, decided, decided)
