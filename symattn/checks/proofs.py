"""Two ways, one result: proved, refuted with a witness, or undecided.

Two plans are computed over the same givens and a value that both make is compared entry by entry by
`symattn.exact.decision.equal`. With free symbols equality means equality as functions of them. A gradient
is compared with the definition: the forward computation with t added to one entry, differentiated by t at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.recipes.gradients import differentiated, past_givens
from symattn.exact.decision import equal
from symattn.exact.derivative import derivative
from symattn.exact.functions import symbol
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import spelled
from symattn.exact.substitution import STEP, at_rest
from symattn.exact.work import GRADIENTS, PROOF, TooMuchWork, at_most, spend
from symattn.plans.derive import Derivation, Values, derive
from symattn.plans.gradient import Jacobian, RowOf, gradient_of
from symattn.plans.kinds import Powers
from symattn.plans.plan import Plan, head_of
from symattn.plans.transposed import on_rows
from symattn.plans.weights import by_name, order_of
from symattn.text.bilingual import Bilingual
from symattn.text.errors import ShapeMismatch, SymattnError, UndefinedValue

JUMP = Bilingual(
    "the value with t added does not approach the value without it as t goes to 0: there is no derivative",
    "加上的 t 趋于 0 时得不到不加 t 时的值：此处不可导",
)
TOO_LONG = Bilingual("the proof takes too many steps", "证明所需步骤过多")
ESTIMATED = Bilingual("the proof is estimated to take too many steps", "估计证明所需步骤过多")
UNSETTLED = Bilingual(
    "whether two closed forms are equal could not be decided", "未能判定两个封闭形式是否相等"
)


class Witness(Struct, frozen=True):
    """An entry (row, col), from 0, in which the two results differ, with both its values."""

    row: int
    col: int
    left: Exact
    right: Exact


class Proof(Struct, frozen=True):
    """Whether two plans make the same `name`.

    `decided` and `equal`: proved entry by entry. `decided` and not `equal`: refuted, `witness` is an
    entry that differs. Not `decided`: no entry was seen to differ, and some entry could not be settled.
    `evaluation` says how the one is evaluated that is compared with the direct one on rows: cached, online,
    linear or columns; derivative for a gradient that is held against its definition.
    """

    name: str
    decided: bool
    equal: bool
    witness: Witness | None = None
    evaluation: str = ""
    reason: Bilingual | None = None
    """Why the proof could not be made, where something ended it."""

    @property
    def refuted(self) -> bool:
        """Whether some entry is proved to differ."""
        return self.decided and not self.equal


def attempt(name: str, evaluation: str, prove: Callable[[], Proof]) -> Proof:
    """The proof about `name`, or an undecided one where it cannot be made within its budget, with the reason.

    For pages: what a proof needs beyond the results, such as long products, is not what they need.
    """
    try:
        with at_most(PROOF):
            spend(1)
            proof = prove()
        return replace(proof, evaluation=evaluation, reason=None if proof.decided else UNSETTLED)
    except SymattnError as error:
        reason = error.reason
        if error.step:
            reason = Bilingual("step {step}: {reason}", "步骤 {step}：{reason}").format(
                step=error.step, reason=reason
            )
    except TooMuchWork:
        reason = TOO_LONG
    except RecursionError:
        reason = Bilingual("its expressions nest too deeply", "表达式嵌套过深")
    return Proof(name, False, False, evaluation=evaluation, reason=reason)


def prove_equal(plan_a: Plan, plan_b: Plan, given: Values, name: str) -> Proof:
    """Evaluate both plans over the givens and compare `name`.

    Raises what an evaluation raises, KeyError where a plan does not make `name`, and ShapeMismatch for
    results of different shapes.
    """
    return compare_values(name, derive(plan_a, given)[name], derive(plan_b, given)[name])


def prove_transposed(columns: Plan, rows: Plan, given: Values, name: str) -> Proof:
    """Evaluate `columns` over the givens and `rows` over their transposes, where `name` is transposed.

    Raises what `prove_equal` raises.
    """
    turned = {given_name: matrix.T for given_name, matrix in given.items()}
    return compare_values(name, derive(columns, given)[name], derive(rows, turned)[name].T)


def compare_values(name: str, a: Matrix, b: Matrix) -> Proof:
    """The proof for two matrices that are there already. Raises ShapeMismatch."""
    if a.shape != b.shape:
        raise ShapeMismatch(
            Bilingual(
                f"{name} is {spelled(a.shape)} in one evaluation and {spelled(b.shape)} in the other",
                f"{name} 在一个推导中是 {spelled(a.shape)}，在另一个中是 {spelled(b.shape)}",
            ),
            Bilingual("only results of the same shape are compared", "只能比较形状相同的结果"),
        )
    decided = True
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            verdict = equal(a[i, j], b[i, j])
            if verdict is False:
                return Proof(name, True, False, Witness(i, j, a[i, j], b[i, j]))
            decided = decided and verdict is True
    return Proof(name, decided, decided)


def gradient_proofs(derivation: Derivation, most: int | None = None) -> tuple[Proof, ...]:
    """For a backward computation: that the gradient of each given is the derivative, entry by entry.

    Undecided where that would take more than about `most` products of exponential sums (by default as many
    as fit in a second, and none through entries that go on by name or bases other than e).
    """
    start = differentiated(derivation.plan, derivation.given)
    if start is None:
        return ()
    if _work(derivation) > (most or _usual(derivation)):
        return tuple(_left_out(gradient_of(name)) for name in _differentiated(derivation))
    return tuple(
        attempt(gradient_of(name), "derivative", partial(_gradient_proof, derivation, start, name))
        for name in _differentiated(derivation)
    )


def _left_out(name: str) -> Proof:
    return Proof(name, False, False, evaluation="derivative", reason=ESTIMATED)


def _differentiated(derivation: Derivation) -> list[str]:
    """The givens that have a gradient."""
    behind = past_givens(derivation.plan, derivation.given)
    return [name for name in derivation.given if gradient_of(name) in derivation.values.keys() - behind]


def _work(derivation: Derivation) -> int:
    """The derivatives that are taken, times the terms of the common denominator of all weights."""
    lines = by_name(replace(line, op=on_rows(line.op)) for line in derivation)
    weights = [derivation[name] for name, line in lines.items() if order_of(line, lines) is not None]
    entries = [derivation[name].shape for name in _differentiated(derivation)]
    terms: int = sum(max(A.shape) ** min(A.shape) for A in weights)
    return sum(n * m for n, m in entries) * terms


def _usual(derivation: Derivation) -> int:
    ops = [on_rows(line.op) for line in derivation]
    if any(head_of(line.name).startswith("layer") for line in derivation):
        return 0
    if any(op.most_in_sums < 1 or (isinstance(op, Powers) and not op.base.is_e) for op in ops):
        return 0
    return GRADIENTS


def jacobian_proofs(derivation: Derivation) -> tuple[Proof, ...]:
    """That the Jacobians of a row are derivatives: of its weights by its logits, of its output by query, keys
    and values; undecided for more than `GRADIENTS` entries.
    """
    return tuple(
        attempt(name, "derivative", partial(_jacobian_proof, derivation, name, of, by))
        if prod(derivation[name].shape) <= GRADIENTS
        else _left_out(name)
        for name, of, by in _jacobians(derivation)
    )


def _jacobians(derivation: Derivation) -> Iterator[tuple[str, RowOf, RowOf]]:
    """The Jacobians of a computation: each with the row that is differentiated, and by which row."""
    lines = by_name(derivation)
    for line in derivation:
        if isinstance(line.op, Jacobian):
            for name, of, by in line.op.differentiates(line, lines):
                if of[0] in derivation and by[0] in derivation:
                    yield name, of, by


def _jacobian_proof(derivation: Derivation, name: str, of: RowOf, by: RowOf) -> Proof:
    n, m = derivation[name].shape
    columns = [differential(derivation, of[0], by[0], (by[1], k)) for k in range(m)]
    defined = Matrix.of([[column[of[1], j] for column in columns] for j in range(n)])
    return compare_values(name, derivation[name], defined)


def _gradient_proof(derivation: Derivation, start: str, name: str) -> Proof:
    n, m = derivation[name].shape
    rates = [[differential(derivation, start, name, (i, j)) for j in range(m)] for i in range(n)]
    weights = derivation[gradient_of(start)] if gradient_of(start) in derivation else Matrix.rational([[1]])
    defined = Matrix.of([[_total(rate.hadamard(weights)) for rate in row] for row in rates])
    return compare_values(gradient_of(name), derivation[gradient_of(name)], defined)


def differential(derivation: Derivation, of: str, by: str, at: tuple[int, int]) -> Matrix:
    """The derivative of the value `of` by entry `at` of the value `by`, by going on with a step there.

    Raises UndefinedValue where there is none, at a kink or a jump, or where that is not decided, and what the
    computation raises.
    """
    moved, lines = {by}, []
    for line in derivation:
        op = line.op.for_derivative()
        if moved.intersection(line.args) and line.name != by and op is not None:
            moved.add(line.name)
            lines.append(replace(line, op=op, carries=False, most_nodes=None))
        if line.name == of:
            break
    rows = [list(row) for row in derivation[by].rows()]
    rows[at[0]][at[1]] = rows[at[0]][at[1]] + symbol(STEP)
    still = {name: matrix for name, matrix in derivation.items() if name not in moved}
    stepped = derive(tuple(lines), {**still, by: Matrix.of(rows)})[of]
    back = compare_values(of, stepped.map(at_rest), derivation[of])
    if not back.equal:
        raise UndefinedValue(JUMP if back.decided else UNSETTLED)
    return stepped.map(lambda x: at_rest(derivative(x, STEP)))


def _total(matrix: Matrix) -> Exact:
    return sum((x for row in matrix.rows() for x in row), Exact.of(0))
