"""From the `[[stated]]` tables of a case to printed numbers, each tied to one entry of the evaluation.

The plan is extended by what sources print between its lines: the root `sqrt(d_k)`, by which the scores are
then divided as it was printed (or as it is, a second way), and the summands `Z.term` of a weighted sum,
A[i][k] V[k], with the sum over them as a second way to Z. A norm of which the mean, the variance or the
deviation is printed goes on from these, and at once from its row a second way.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from msgspec.structs import replace

from symattn.attention.case import Case, Claim
from symattn.attention.recipes.layernorm_parts import in_parts
from symattn.auditor.findings.codes import Finding
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import Printed, Unread
from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats, np
from symattn.floats.tables import Table, product, total
from symattn.plans.kinds import Scaling
from symattn.plans.operation import Operation
from symattn.plans.plan import Line, Plan, base_name
from symattn.plans.transposed import on_columns, transposed_operation
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError
from symattn.text.notation import Formula, Grid, Product, Root, Sum, Symbol
from symattn.text.suggest import MOST, near

ROOT = "sqrt(d_k)"
TERM = ".term"
INFINITE = Bilingual("minus infinity cannot be compared with a number", "负无穷不是可比较的数")

NOT_AMONG = Bilingual(
    "the computation has no quantity {name}; it has {names}", "推导中没有 {name} 这个量，只有 {names}"
)
NOT_AMONG_MANY = Bilingual(
    "the computation has no quantity {name}; it has {names} and others, which `symattn check` lists",
    "推导中没有 {name} 这个量，有 {names} 等，check 命令列出全部",
)


class RootOf(Operation, frozen=True):
    """sqrt(d_k), (1, 1), as sources print it beside the scaling."""

    d_k: int

    def shape(self, *shapes: Shape) -> Shape:
        return 1, 1

    def exact(self, *arguments: Matrix) -> Matrix:
        return Matrix.of([[sqrt(Exact.of(self.d_k))]])

    def floats(self, *arguments: Floats) -> Floats:
        return np.array([[np.sqrt(self.d_k)]])

    def formula(self, *arguments: Formula) -> Formula:
        return Root(Symbol("d", sub=Symbol("k")))

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(2), ()


class Term(Operation, frozen=True):
    """One summand of A V for every query: A[i][key] V[key], (n_q, d_v), of weights and values."""

    finite_decimals: ClassVar[bool] = True
    is_product: ClassVar[bool] = True
    key: int

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0][0], shapes[1][1]

    def exact(self, *arguments: Matrix) -> Matrix:
        a, v = arguments
        rows, columns = range(a.shape[0]), range(v.shape[1])
        return a.taken(rows, [self.key]) @ v.taken([self.key], columns)

    def floats(self, *arguments: Floats) -> Floats:
        a, v = arguments
        found: Floats = a[:, [self.key]] @ v[[self.key], :]
        return found

    def moves(self, *tables: Table) -> Table | None:
        a, v = tables
        return product([[row[self.key]] for row in a], [v[self.key]])

    def formula(self, *arguments: Formula) -> Formula:
        return Product(arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Product((arguments[0].rows[i][self.key], arguments[1].rows[self.key][j]), "dot")

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(1), (Matrix.rational([[1, 2], [3, 5]]), Matrix.rational([[2, -1], [1, 4]]))


class SumOf(Operation, frozen=True):
    """The sum of matrices of one shape."""

    finite_decimals: ClassVar[bool] = True
    count: int

    def exact(self, *arguments: Matrix) -> Matrix:
        whole = arguments[0]
        for argument in arguments[1:]:
            whole = whole + argument
        return whole

    def floats(self, *arguments: Floats) -> Floats:
        sums: Floats = np.sum(np.stack(arguments), axis=0)
        return sums

    def moves(self, *tables: Table) -> Table | None:
        return [[total(cells) for cells in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]

    def formula(self, *arguments: Formula) -> Formula:
        return Sum(arguments)

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Sum(tuple(grid.rows[i][j] for grid in arguments), spelled=True)

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(2), (Matrix.rational([[1, 2]]), Matrix.rational([[3, 5]]))


Ways = Mapping[str, Line]


def extended(case: Case, plan: Plan) -> tuple[Plan, Ways]:
    """The plan with the auxiliary lines that the case's claims need, and the second ways to a quantity."""
    wanted = {claim.name for claim in case.stated}
    lines: list[Line] = []
    ways: dict[str, Line] = {}
    for line in plan:
        if isinstance(line.op, Scaling) and line.op.sizes and ROOT in wanted:
            d_k = _d_k(line.op)
            if d_k and not any(before.name == ROOT for before in lines):
                lines.append(Line(ROOT, RootOf(d_k), ()))
            if d_k and line.op.divisor == sqrt(Exact.of(d_k)):
                ways[line.name] = line
                line = replace(line, op=line.op.by_printed(), args=(*line.args, ROOT))
        term = line.name + TERM
        if term in wanted and base_name(line.name) == "Z":
            count = _keys(case, plan, line)
            one = transposed_operation if on_columns(plan) else (lambda op: op)
            parts = [Line(f"{term}[{k}]", one(Term(k)), line.args) for k in range(count)]
            lines += parts
            ways[line.name] = Line(line.name, SumOf(count), tuple(part.name for part in parts))
        moments = in_parts(line, wanted)
        if moments:
            ways[line.name] = line
        lines += moments or (line,)
    return tuple(lines), ways


def _d_k(scale: Scaling) -> int:
    """d_k as the divisor tells it, a root, or else the givens (as for 1/d_k); 0 where neither tells it."""
    given = scale.sizes[0] if scale.sizes else 0
    q = (scale.divisor * scale.divisor).rational
    rooted = q is not None and q.q == 1 and q > 1 and q != given**2
    return int(q.p) if q is not None and rooted else given


def _keys(case: Case, plan: Plan, line: Line) -> int:
    from symattn.attention.recipes.attention import values
    from symattn.plans.derive import shapes

    return shapes(plan, values(case))[line.args[1]][int(on_columns(plan))]


def entry_name(claim: Claim) -> str:
    """The name under which the extended plan computes what a claim is about."""
    if claim.name.endswith(TERM) and claim.key is not None:
        return f"{claim.name}[{claim.key}]"
    return claim.name


def printed_numbers(
    case: Case, known: Mapping[str, Shape], undefined: Mapping[str, Bilingual] = MappingProxyType({})
) -> tuple[list[Printed], list[Unread]]:
    """Every number of the stated tables, in order, and those that fit nowhere.

    `undefined` says of quantities why mathematics has no value for them.
    """
    printed: list[Printed] = []
    unread: list[Unread] = []
    first: dict[tuple[str, int, int], int] = {}
    for claim in case.stated:
        name = entry_name(claim)
        for i, row in enumerate(claim.values):
            for j, text in enumerate(row):
                place = claim.places[i][j] if claim.places else claim.place
                at = (name, claim.row + i, claim.col + j)
                problem = _problem(at, known, undefined, claim.values)
                if problem is None:
                    try:
                        numeral = read_numeral(text)
                    except SymattnError as error:
                        infinite = text.strip().lstrip("+-−") in ("inf", "oo", "∞")
                        problem = (Finding.UNREADABLE_NUMERAL, INFINITE if infinite else error.reason)
                if problem is not None:
                    unread.append(Unread(text, *problem, claim.line, place))
                    continue
                index = len(printed)
                printed.append(
                    Printed(
                        index,
                        *at,
                        numeral,
                        claim.key,
                        claim.work,
                        claim.example,
                        claim.line,
                        place,
                        first.get(at),
                        claim.work_places,
                    )
                )
                first.setdefault(at, index)
    return printed, unread


def _problem(
    at: tuple[str, int, int],
    known: Mapping[str, Shape],
    undefined: Mapping[str, Bilingual],
    values: tuple[tuple[str, ...], ...],
) -> tuple[Finding, Bilingual] | None:
    """Why a number at this place, one of the stated `values`, has no verdict; None where it may have one."""
    name, row, col = at
    if name in undefined:
        return Finding.CANNOT_BE_RECOMPUTED, undefined[name]
    if name not in known:
        some = ", ".join(near(name, known) or tuple(known)[:MOST])
        return Finding.NO_SUCH_QUANTITY, (NOT_AMONG_MANY if len(known) > MOST else NOT_AMONG).format(
            name=name, names=some
        )
    n, m = known[name]
    if not (0 <= row < n and 0 <= col < m):
        found = Bilingual(
            f"{name} is {n}×{m}, so it has no entry in row {row + 1}, column {col + 1}",
            f"{name} 是 {n}×{m} 矩阵，没有第 {row + 1} 行第 {col + 1} 列",
        )
        r, c = len(values), len(values[0])
        if c > n or r > m:
            return Finding.OUT_OF_RANGE, found
        example = "[" + ", ".join(f"[{', '.join(column)}]" for column in zip(*values, strict=True)) + "]"
        return Finding.OUT_OF_RANGE, Bilingual(
            f"{found.en}; {c}×{r} numbers are expected, not {r}×{c}: values = {example}",
            f"{found.zh}；应为 {c}×{r} 个数，而不是 {r}×{c}：values = {example}",
        )
    return None


__all__ = ["ROOT", "SumOf", "Term", "Ways", "entry_name", "extended", "printed_numbers"]
