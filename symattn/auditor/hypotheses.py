"""What could have gone wrong on the way to one printed quantity: every slip, walked out.

A hypothesis exchanges one operation (or one argument) of the lines between what was printed before and
the quantity itself, and walks on from the printed numbers. Cell hypotheses distort the working of a
single entry: a term dropped, doubled or negated, added for multiplied, a neighbour's row or column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from flint import ctx, fmpq

from symattn.errors import SymattnError
from symattn.exact.enclosure import enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.notation import Grid, Product, Quotient, Sum, Symbol
from symattn.ops.exponential import Exponential
from symattn.ops.project import Project
from symattn.ops.weigh import Weigh
from symattn.plan import Line, Plan, base_name


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A slip made in the step `name`, and the matrix that it leads to in the quantity examined."""

    slip: str
    because: str
    zh: str
    name: str
    leads_to: Matrix


@dataclass(frozen=True, slots=True)
class Distortion:
    """A slip in a single entry, and the value that it leads to."""

    slip: str
    because: str
    zh: str
    leads_to: Exact


def hypotheses(
    name: str, plan: Plan, seen: Mapping[str, Matrix], printed: Collection[str], given: Mapping[str, Matrix]
) -> Iterator[Hypothesis]:
    """Every slip between the numbers printed before `name` and `name` itself, walked out."""
    segment = _segment(name, plan, printed)
    for line in segment:
        for slip in line.op.slips():
            told = replace(line, op=slip.instead)
            yield from _walked(name, segment, told, seen, slip.code, slip.because, slip.zh)
        for code, because, zh, told in _exchanged(line, seen, given):
            yield from _walked(name, segment, told, seen, code, because, zh)


def _segment(name: str, plan: Plan, printed: Collection[str]) -> Plan:
    """The lines that lead to `name` from numbers that were printed (or given), in order."""
    lines = {line.name: line for line in plan}
    wanted: set[str] = set()

    def visit(here: str) -> None:
        if here in wanted or here not in lines:
            return
        wanted.add(here)
        for argument in lines[here].args:
            if argument not in printed:
                visit(argument)

    visit(name)
    return tuple(line for line in plan if line.name in wanted)


def _walked(
    name: str, segment: Plan, told: Line, seen: Mapping[str, Matrix], code: str, because: str, zh: str
) -> Iterator[Hypothesis]:
    values = dict(seen)
    try:
        for line in segment:
            chosen = told if line.name == told.name else line
            if chosen is told or any(argument in _changed(segment, told.name) for argument in line.args):
                values[line.name] = _carried_out(chosen, [values[argument] for argument in chosen.args])
        result = values[name]
    except (SymattnError, ArithmeticError):
        return
    if result.shape == segment[-1].op.shape(*(seen[argument].shape for argument in segment[-1].args)):
        yield Hypothesis(code, because, zh, told.name, result)


def _carried_out(line: Line, arguments: list[Matrix]) -> Matrix:
    """The step's result; a power of another base through a 40-digit logarithm, which prints the same."""
    op = line.op
    if isinstance(op, Exponential) and op.base is not None and op.kind == "power":
        with ctx.workprec(160):
            mantissa, exponent = enclose(op.base, 160).log().mid().man_exp()
        rate = fmpq(mantissa) * fmpq(2) ** int(exponent)
        return Exponential().exact(arguments[0].scaled(Exact.of(rate)))
    return op.exact(*arguments)


def _changed(segment: Plan, start: str) -> set[str]:
    changed = {start}
    for line in segment:
        if any(argument in changed for argument in line.args):
            changed.add(line.name)
    return changed


def _exchanged(
    line: Line, seen: Mapping[str, Matrix], given: Mapping[str, Matrix]
) -> Iterator[tuple[str, str, str, Line]]:
    """The line with one argument taken for another: the wrong W, K or Q for V, unscaled scores."""

    def swapped(at: int, other: str) -> Line:
        args = (*line.args[:at], other, *line.args[at + 1 :])
        return replace(line, args=args)

    if isinstance(line.op, Project) and line.args[1].startswith("W_"):
        for other in ("W_Q", "W_K", "W_V"):
            if other != line.args[1] and other in given and given[other].shape == given[line.args[1]].shape:
                yield (
                    f"weights-{other[2:].lower()}-for-{line.args[1][2:].lower()}",
                    f"multiplied by {other} instead of {line.args[1]}",
                    f"乘的是 {other}，而不是 {line.args[1]}",
                    swapped(1, other),
                )
    if isinstance(line.op, Weigh):
        tag = line.name[: -len(base_name(line.name))]
        for other in ("K", "Q"):
            if tag + other in seen and seen[tag + other].shape == seen[line.args[1]].shape:
                yield (
                    f"{'keys' if other == 'K' else 'queries'}-for-values",
                    f"weighted the rows of {other} instead of V",
                    f"加权的是 {other} 的行，而不是 V 的行",
                    swapped(1, tag + other),
                )
    if isinstance(line.op, Exponential) and base_name(line.args[0]) == "scaled":
        scores = line.args[0].replace("scaled", "scores")
        if scores in seen:
            yield (
                "scores-for-scaled",
                "taken the exponentials of the unscaled scores",
                "对未缩放的分数取了指数",
                swapped(0, scores),
            )


def distortions(line: Line, i: int, j: int, seen: Mapping[str, Matrix]) -> Iterator[Distortion]:
    """How entry (i, j) of a line goes wrong by itself, from the printed numbers before it."""
    grids = [_names(k, seen[name].shape) for k, name in enumerate(line.args)]

    def value(symbol: object) -> Exact | None:
        if not isinstance(symbol, Symbol) or not symbol.name.startswith("@"):
            return None
        argument, row, col = symbol.name[1:].split(":")
        return seen[line.args[int(argument)]][int(row), int(col)]

    working = line.op.entry(i, j, *grids)
    terms = working.terms if isinstance(working, Sum) else (working,)
    factors: list[tuple[Exact, ...]] = []
    for term in terms:
        parts = term.factors if isinstance(term, Product) else (term,)
        values = [value(part) for part in parts]
        if any(part is None for part in values):
            if isinstance(term, Quotient):
                over, under = value(term.over), value(term.under)
                if over is not None and under is not None:
                    yield Distortion(
                        "quotient-inverted", "divided the wrong way round", "除法颠倒了", under / over
                    )
            return
        factors.append(tuple(part for part in values if part is not None))
    products = [_product(parts) for parts in factors]
    total = _total(products)
    yield from _terms(products, total)
    for k, parts in enumerate(factors):
        if len(parts) == 2:
            yield Distortion(
                "added-for-multiplied",
                f"added where term {k + 1} multiplies",
                f"第 {k + 1} 项该乘却加了",
                total - products[k] + parts[0] + parts[1],
            )


def _terms(products: list[Exact], total: Exact) -> Iterator[Distortion]:
    if len(products) < 2:
        return
    # the commonest mistake first: where two explain the number, the first is named first
    for code, because, zh, change in _TERM_SLIPS:
        for k, product in enumerate(products):
            if product:
                nth = str(k + 1)
                yield Distortion(
                    code, because.format(nth), zh.format(nth), total + product * Exact.of(change)
                )


_TERM_SLIPS = (
    ("term-dropped", "dropped term {}", "漏掉了第 {} 项", -1),
    ("term-doubled", "counted term {} twice", "第 {} 项算了两次", 1),
    ("term-sign", "taken term {} with the wrong sign", "第 {} 项的符号错了", -2),
)


def neighbours(local: Matrix, i: int, j: int) -> Iterator[Distortion]:
    """The right value of a neighbouring entry, printed here."""
    n, m = local.shape
    for row in range(n):
        if row != i:
            yield Distortion(
                "neighbour-row",
                f"written the entry of row {row + 1}",
                f"写成了第 {row + 1} 行的数",
                local[row, j],
            )
    for col in range(m):
        if col != j:
            yield Distortion(
                "neighbour-column",
                f"written the entry of column {col + 1}",
                f"写成了第 {col + 1} 列的数",
                local[i, col],
            )


def _names(argument: int, shape: tuple[int, int]) -> Grid:
    return Grid(
        tuple(tuple(Symbol(f"@{argument}:{i}:{j}") for j in range(shape[1])) for i in range(shape[0]))
    )


def _product(parts: tuple[Exact, ...]) -> Exact:
    result = parts[0]
    for part in parts[1:]:
        result = result * part
    return result


def _total(parts: list[Exact]) -> Exact:
    result = Exact.of(0)
    for part in parts:
        result = result + part
    return result
