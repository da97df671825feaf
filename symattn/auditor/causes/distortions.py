"""How a single entry goes wrong by itself.

Its working is distorted (a term dropped, doubled or negated, added for multiplied), a neighbour's entry
is written in its place, or the right print is spoilt on the way to the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flint import fmpq
from msgspec import Struct

from symattn.auditor.dependencies import marked, place_of
from symattn.auditor.numeral import read_numeral
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.plans.kinds import Powers
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Product, Quotient, Sum, Symbol


class Distortion(Struct, frozen=True):
    """A slip in a single entry, and the value that it leads to."""

    slip: str
    because: Bilingual
    leads_to: Exact


def distortions(line: Line, i: int, j: int, seen: Mapping[str, Matrix]) -> Iterator[Distortion]:
    """How entry (i, j) of a line goes wrong by itself, from the printed numbers before it."""
    grids = [marked(k, seen[name].shape) for k, name in enumerate(line.args)]

    def value(symbol: object) -> Exact | None:
        if not isinstance(symbol, Symbol) or not symbol.name.startswith("@"):
            return None
        argument, row, col = place_of(symbol.name)
        return seen[line.args[argument]][row, col]

    op = on_rows(line.op)
    if isinstance(op, Powers):
        power = seen[line.args[0]][i, j]
        if not isinstance(power, Infinite):
            right = op.exact(Matrix.of([[-power]]))[0, 0]
            yield Distortion(
                "exponent-sign",
                Bilingual("taken the exponent with the wrong sign", "指数的符号弄反了"),
                right,
            )
    working = line.op.entry(i, j, *grids)
    terms = working.terms if isinstance(working, Sum) else (working,)
    parts: list[tuple[Exact, ...]] = []
    for term in terms:
        factors = term.factors if isinstance(term, Product) else (term,)
        values = [value(factor) for factor in factors]
        if any(known is None for known in values):
            if isinstance(term, Quotient):
                over, under = value(term.over), value(term.under)
                if over is not None and under is not None and over:
                    yield Distortion(
                        "quotient-inverted",
                        Bilingual("divided the wrong way round", "除法颠倒了"),
                        under / over,
                    )
            return
        parts.append(tuple(known for known in values if known is not None))
    products = [_product(factors) for factors in parts]
    total = _total(products)
    yield from _terms(products, total)
    for k, pair in enumerate(parts):
        if len(pair) == 2:
            yield Distortion(
                "added-for-multiplied",
                Bilingual(f"added where term {k + 1} multiplies", f"第 {k + 1} 项该乘却加了"),
                total - products[k] + pair[0] + pair[1],
            )


def _terms(products: list[Exact], total: Exact) -> Iterator[Distortion]:
    if len(products) < 2:
        return
    # the commonest mistake first: where two explain the number, the first is named first
    for code, because, change in _TERM_SLIPS:
        for k, product in enumerate(products):
            if product:
                yield Distortion(code, because.format(nth=k + 1), total + product * Exact.of(change))

    for k, product in enumerate(products):
        if product:
            for factor in (Exact.of(9), Exact.of(fmpq(-9, 10))):
                yield Distortion(
                    "product-point",
                    Bilingual(f"moved the decimal point of term {k + 1}", f"第 {k + 1} 项的小数点移位了"),
                    total + product * factor,
                )


_TERM_SLIPS = (
    ("term-dropped", Bilingual("dropped term {nth}", "漏掉了第 {nth} 项"), -1),
    ("term-doubled", Bilingual("counted term {nth} twice", "第 {nth} 项算了两次"), 1),
    ("term-sign", Bilingual("taken term {nth} with the wrong sign", "第 {nth} 项的符号错了"), -2),
)


def neighbours(local: Matrix, i: int, j: int) -> Iterator[Distortion]:
    """The right value of a neighbouring entry, printed here."""
    n, m = local.shape
    for row in range(n):
        if row != i:
            yield Distortion(
                "neighbour-row",
                Bilingual(f"written the entry of row {row + 1}", f"写成了第 {row + 1} 行的数"),
                local[row, j],
            )
    for col in range(m):
        if col != j:
            yield Distortion(
                "neighbour-column",
                Bilingual(f"written the entry of column {col + 1}", f"写成了第 {col + 1} 列的数"),
                local[i, col],
            )


def misprints(right: str | None) -> Iterator[Distortion]:
    """The right print with two neighbouring digits exchanged, its decimal point moved, its sign lost."""
    if right is None or right.endswith(("%", "％")):
        return
    value = read_numeral(right).value
    if value:
        yield Distortion(
            "decimal-shifted", Bilingual("moved the decimal point", "小数点移位了"), Exact.of(value * 10)
        )
        yield Distortion(
            "decimal-shifted", Bilingual("moved the decimal point", "小数点移位了"), Exact.of(value / 10)
        )
        yield Distortion("sign-lost", Bilingual("written the wrong sign", "符号写错了"), Exact.of(-value))
    for at in range(len(right) - 1):
        a, b = right[at], right[at + 1]
        if a.isdigit() and b.isdigit() and a != b:
            moved = right[:at] + b + a + right[at + 2 :]
            yield Distortion(
                "digits-exchanged",
                Bilingual("swapped two digits", "两个数字写颠倒了"),
                Exact.of(read_numeral(moved).value),
            )


def carries(right: str | None) -> Iterator[Distortion]:
    """The right print of a sum with one more or less in a place before the last one."""
    if right is None or right.endswith(("%", "％")):
        return
    numeral = read_numeral(right)
    for step in (10, -10, 100, -100):
        if abs(numeral.value) >= abs(step) * numeral.unit:
            carried = Exact.of(numeral.value + step * numeral.unit)
            yield Distortion("carry-lost", Bilingual("got a carry wrong", "进位弄错了"), carried)


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
