"""Facts about a derivation that were proved: coinciding rows, exactly rational entries, orders.

Each fact is decided by `symattn.exact.decision`, or said to be undecided; none rests on a comparison
of floats. Weights have the order of their logits, so orders of attention are decided on the logits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cmp_to_key
from types import MappingProxyType
from typing import Literal

from flint import arb
from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.quantities import QUANTITIES
from symattn.checks.relative import depends_on_differences
from symattn.exact.conditions import conditions
from symattn.exact.decision import compare, equal, is_zero
from symattn.exact.enclosure import HasSymbols
from symattn.exact.functions import exp, log
from symattn.exact.matrix import Dense, Matrix, SurdMatrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.weighted import Weighted
from symattn.exact.whole import Whole
from symattn.exact.work import FACT, LARGEST_MEASURED, LARGEST_SEARCH, TooMuchWork, at_most
from symattn.plans.derive import Derivation
from symattn.plans.kinds import Denominators, Dividing
from symattn.plans.plan import base_name
from symattn.plans.transposed import on_columns, transposed_derivation
from symattn.plans.weights import Order, by_name, order_of

Kind = Literal[
    "equal-rows",
    "equal-columns",
    "constant",
    "sums-to-one",
    "row-sums",
    "relative-positions",
    "order",
    "masked-row",
    "masked-column",
    "log-sum-exp",
    "entropy",
    "nonzero",
    "positive",
]
BITS = 64


class Fact(Struct, frozen=True):
    """Something proved about the matrix `name`; rows and columns count from 0.

    equal-rows: `rows` coincide entry by entry. constant: entry (rows[0], col) is exactly the rational
    `value` although its row has exponentials. sums-to-one: every row of weights sums to 1. row-sums:
    every row sums to `value`: 0 for the gradient of the scores of a softmax, 1 - lambda for differential
    weights. relative-positions: scores that depend on the positions of query and key only by their
    difference. order: in row rows[0] the columns by weight, largest first, ties in one group. masked-row:
    in `rows` no key is visible, so that their weights are 0. log-sum-exp and entropy: of row rows[0], the
    logarithm of the denominator of its softmax and minus the sum of p log p, in nats, as `value`.
    `decided` is False where the procedure could not settle it; such a fact states nothing. nonzero and
    positive: never decided, what the matrix takes for granted of the number `value`, a denominator or the
    argument of a root or a logarithm.

    Where tokens are columns, so are what these facts are about: `columns` stands for `rows`, equal-columns
    for equal-rows, masked-column for masked-row.
    """

    kind: Kind
    name: str
    rows: tuple[int, ...] = ()
    col: int | None = None
    value: Exact | None = None
    order: tuple[tuple[int, ...], ...] = ()
    decided: bool = True
    columns: tuple[int, ...] = ()

    def transposed(self) -> Fact:
        """The same fact about the transpose."""
        if self.kind == "constant" and self.col is not None:
            return replace(self, rows=(self.col,), col=self.rows[0])
        kind: Kind = TURNED.get(self.kind, self.kind)
        return replace(self, kind=kind, rows=self.columns, columns=self.rows)


TURNED: Mapping[Kind, Kind] = MappingProxyType(
    {
        "equal-rows": "equal-columns",
        "equal-columns": "equal-rows",
        "masked-row": "masked-column",
        "masked-column": "masked-row",
    }
)


def facts(derivation: Derivation) -> tuple[Fact, ...]:
    """Every fact of the computation, in the order of its steps."""
    if on_columns(derivation.plan):
        return tuple(fact.transposed() for fact in facts(transposed_derivation(derivation)))
    found: list[Fact] = []
    lines = by_name(derivation)
    for line in derivation:
        matrix = derivation[line.name]
        if order_of(line, lines) is not None:
            found += _weights(line.name, matrix, derivation, order_of(line, lines) or "none")
            found += _measures(line.name, matrix)
        elif line.op.differentiates_weights or base_name(line.name) == "A":
            found += _row_sums(line.name, matrix)
        elif matrix.shape[0] * matrix.shape[1] <= LARGEST_MEASURED:
            relative = depends_on_differences(derivation, line)
            if relative is not False:
                found.append(Fact("relative-positions", line.name, decided=relative is not None))
        known = QUANTITIES.of(line.name)
        if known is not None and known.searched:
            found += [Fact("equal-rows", line.name, rows) for rows in equal_rows(matrix)]
            found += constants(line.name, matrix)
    return (*found, *_conditions(derivation))


def _conditions(derivation: Derivation) -> Iterator[Fact]:
    """What the entries take for granted, each at the first step that needs it."""
    known: set[Exact] = set()
    for line in derivation:
        matrix = derivation[line.name]
        if not isinstance(matrix, Dense):
            continue
        for row in matrix.rows():
            for x in row:
                for kind, number in conditions(x) if x.symbolic else ():
                    if number not in known:
                        known.add(number)
                        yield Fact(kind, line.name, value=number, decided=False)


def _weights(name: str, matrix: Matrix, derivation: Derivation, order: Order) -> list[Fact]:
    found = []
    rows = range(matrix.shape[0])
    if sums_to_one(derivation, name, rows):
        found.append(Fact("sums-to-one", name, tuple(rows)))
    logits = matrix.logits if isinstance(matrix, Weighted) else matrix
    n, m = matrix.shape  # a sink has a logit and no column
    if n * m <= LARGEST_SEARCH:
        blind = _masked_rows(matrix) if order != "none" else ()
        if blind:
            found.append(Fact("masked-row", name, blind))
        for i in range(n):
            if i in blind:
                continue
            ranked = ranking([logits[i, j] for j in range(m)])
            if ranked is not None:
                found.append(Fact("order", name, (i,), order=ranked))
            elif not _has_symbols(logits, i):
                found.append(Fact("order", name, (i,), decided=False))
    return found


def _row_sums(name: str, matrix: Matrix) -> Iterator[Fact]:
    """What every row sums to, where that is one number."""
    n, m = matrix.shape
    if m < 2 or n * m > LARGEST_MEASURED or not any(map(any, matrix.rows())):
        return
    try:
        with at_most(FACT):
            value = _one_sum(matrix)
    except TooMuchWork:
        yield Fact("row-sums", name, tuple(range(n)), decided=False)
        return
    if value is not None:
        yield Fact("row-sums", name, tuple(range(n)), value=value)


def _one_sum(matrix: Matrix) -> Exact | None:
    """What every row is proved to sum to; None where the sums differ or that is not decided."""
    n, m = matrix.shape
    sums = [sum((matrix[i, j] for j in range(m)), Exact.of(0)) for i in range(n)]
    value = min(sums, key=lambda x: len(x.over.by_exponent) + len(x.under.by_exponent))
    if not all(equal(x, value) is True for x in sums):
        return None
    return Exact.of(0) if is_zero(value) else value


def _measures(name: str, matrix: Matrix) -> list[Fact]:
    """Log-sum-exp and entropy of every row of a softmax to the base e, where it is small and has numbers.

    H = log sum_k e^l_k - sum_k p_k l_k. Shannon 1948, section 6.
    """
    if (
        not (isinstance(matrix, Weighted) and matrix.normalised and matrix.coefficients is None)
        or matrix.sunk
        or matrix.base is not None
    ):
        return []
    n, m = matrix.shape
    if n * m > LARGEST_MEASURED:
        return []
    found = []
    for i in range(n):
        if _has_symbols(matrix.logits, i):
            continue
        seen = [k for k in range(m) if not isinstance(matrix.logits[i, k], Infinite)]
        if len(seen) == 1:  # where the logarithm of the one exponential need not show that it is the logit
            found.append(Fact("log-sum-exp", name, (i,), value=matrix.logits[i, seen[0]]))
            found.append(Fact("entropy", name, (i,), value=Exact.of(0)))
            continue
        total, mean = Exact.of(0), Exact.of(0)
        for k in seen:
            total = total + exp(matrix.logits[i, k])
            mean = mean + matrix[i, k] * matrix.logits[i, k]
        whole = log(total)
        found.append(Fact("log-sum-exp", name, (i,), value=whole))
        found.append(Fact("entropy", name, (i,), value=whole - mean))
    return found


def _masked_rows(matrix: Matrix) -> tuple[int, ...]:
    """The rows without a visible key, all their weights exactly 0: no weighted rows, except with a sink."""
    if isinstance(matrix, Weighted) and not matrix.sunk:
        return ()
    return tuple(i for i, row in enumerate(matrix.rows()) if not any(row))


def _has_symbols(matrix: Matrix, i: int) -> bool:
    from symattn.exact.substitution import free_symbols

    return any(free_symbols(matrix[i, j]) for j in range(matrix.shape[1]))


def sums_to_one(derivation: Derivation, name: str, rows: Sequence[int]) -> bool | None:
    """Whether each of these rows sums to 1; a fully masked row of zeros does not. None where it is undecided.

    What is divided by the sums of its own rows does, whatever its entries are: with powers of another base
    than e these are numbers whose sum would take long to decide.
    """
    line = derivation.line(name)
    if line is not None and isinstance(line.op, Dividing):
        powers, sums = line.args
        made = derivation.line(sums)
        if (
            made is not None
            and isinstance(made.op, Denominators)
            and made.op.plain
            and made.args == (powers,)
        ):
            return all(derivation[sums][i, 0] for i in rows)
    matrix, one = derivation[name], Exact.of(1)
    verdicts = [equal(sum((matrix[i, j] for j in range(matrix.shape[1])), Exact.of(0)), one) for i in rows]
    return False if False in verdicts else None if None in verdicts else True


def ranking(values: Sequence[Exact]) -> tuple[tuple[int, ...], ...] | None:
    """The indices by value, largest first, ties grouped; None where a comparison is undecided."""

    class UndecidedOrder(Exception):
        pass

    def how(a: int, b: int) -> int:
        verdict = compare(values[b], values[a])
        if verdict is None:
            raise UndecidedOrder
        return verdict

    try:
        indices = sorted(range(len(values)), key=cmp_to_key(how))
        groups: list[list[int]] = []
        for index in indices:
            if groups and how(groups[-1][0], index) == 0:
                groups[-1].append(index)
            else:
                groups.append([index])
    except UndecidedOrder:
        return None
    return tuple(tuple(group) for group in groups)


def equal_rows(matrix: Matrix) -> list[tuple[int, ...]]:
    """The groups of two or more rows that are proved to coincide."""
    n, m = matrix.shape
    if n < 2 or m == 0:
        return []
    try:
        balls: list[list[arb]] | None = matrix.enclosures(BITS)
    except (HasSymbols, ValueError):
        balls = None
    groups: list[list[int]] = []
    for i in range(n):
        for group in groups:
            if _same_row(matrix, balls, group[0], i):
                group.append(i)
                break
        else:
            groups.append([i])
    return [tuple(group) for group in groups if len(group) > 1]


def _same_row(matrix: Matrix, balls: list[list[arb]] | None, a: int, b: int) -> bool:
    if balls is not None and any(not _overlap(x, y) for x, y in zip(balls[a], balls[b], strict=True)):
        return False
    if isinstance(matrix, Weighted) and matrix.normalised:
        logits = matrix.logits
        shifts = [logits[a, k] - logits[b, k] for k in range(logits.shape[1])] if _finite(logits) else []
        if shifts and all(shift == shifts[0] for shift in shifts[1:]):
            return True
    return all(equal(matrix[a, j], matrix[b, j]) is True for j in range(matrix.shape[1]))


def _finite(logits: Matrix) -> bool:
    return isinstance(logits, SurdMatrix)


def _overlap(x: arb, y: arb) -> bool:
    return bool(x.overlaps(y)) if x.is_finite() and y.is_finite() else bool(x.is_finite() == y.is_finite())


def constants(name: str, matrix: Matrix) -> list[Fact]:
    """The entries of a matrix of exponential quotients that are exactly rational all the same."""
    if isinstance(matrix, SurdMatrix | Whole):
        return []
    n, m = matrix.shape
    if isinstance(matrix, Weighted) and n * m * matrix.logits.shape[1] > 16 * LARGEST_SEARCH:
        return _constant_columns(name, matrix)
    entries = [(i, j, matrix[i, j]) for i in range(n) for j in range(m)]
    if not any(entry.algebraic is None for _, _, entry in entries):
        return []
    return [Fact("constant", name, (i,), j, entry) for i, j, entry in entries if entry.rational is not None]


def _constant_columns(name: str, matrix: Weighted) -> list[Fact]:
    """For a large matrix: a constant column of V makes its column of Z constant, whatever the weights."""
    if matrix.coefficients is None or not matrix.normalised:
        return []
    found = []
    for j in range(matrix.shape[1]):
        first = matrix.coefficients[0, j]
        if first.rational is not None and all(
            matrix.coefficients[k, j] == first for k in range(1, matrix.coefficients.shape[0])
        ):
            found += [Fact("constant", name, (i,), j, first) for i in range(matrix.shape[0])]
    return found
