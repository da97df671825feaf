"""What formulas of names come to with the numbers printed for these names: `φ(K)^T V = [[...]]`.

No walk has to know what is computed: every name, and every formula that stands left of a list or a matrix,
has the value that was printed for it last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Index,
    Name,
    Negate,
    Node,
    Num,
    Row,
    Transpose,
    exchanged,
    grid_of,
    names,
    numerals,
)
from symattn.reading.notes.formulas.names import INPUTS, PROJECTIONS, Bases, Ref, resolve
from symattn.reading.notes.formulas.works import WRITTEN, by_entries, entries, is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.arithmetic import worked_out
from symattn.reading.notes.linking.denote import LOGITS
from symattn.reading.notes.linking.ledger import value, values
from symattn.reading.notes.linking.lettered import lettered
from symattn.reading.notes.linking.moments import averaged, comes_to, is_mean, is_nearer, normed, unbiased

LINES_BACK = 8
"""How many lines above a variance the mean may stand that says of which list it is."""
_NORM = "norm."
MOST_LISTED = 16  # of one length that a mean may still be of
_FACTOR = re.compile(r"(?<![\w\\.])[B-HJ-Z](?:_\w{1,3})? *$")
"""A letter directly before a formula, and a factor of it."""
_RESULT = frozenset({"结果", "得到", "得", "输出"})
_STEP = re.compile(r"_[tijkn]$")


def substituted(found: Sequence[Item], bases: Bases, context: Context) -> Iterator[tuple[Item, Chain, bool]]:
    """The chains that work out a formula of names, with the printed numbers in the place of the names.

    The last says whether these names can mean nothing else than the lists that were given these very names.
    """
    known = _Printed(bases)
    results: dict[str, Sequence[Fraction | None]] = {}
    once = {(item.start, item.end, item.target is None): item for item in found}
    for item in sorted(once.values(), key=lambda item: item.start):
        if item.target is not None:
            known.tell(item.target, item.node)
        item = known.labelled(item)
        if isinstance(item.node, Row) and item.target is None:
            known.see(item.node)
        if not isinstance(item.node, Chain) or item.broken:
            continue
        members = item.node.members
        if _FACTOR.search(context.text, max(item.start - 8, 0), item.start):
            continue  # `Y M + c`, of which `M + c` was read
        if context.in_call(item.start):
            continue  # `normal_(mean=0, std=0.02)`
        normed = known.normed(members, context.own_row(item.start))
        if normed is not None:
            yield item, Chain((normed, members[-1]), ("=",)), known.is_of_the_row(context, item.start)
        at = next((i for i, member in enumerate(members) if i and next(names(member), None) is None), None)
        if at is None:
            continue
        work, result = known.as_product(members[at - 1]), members[at]
        printed = values(numerals(result))
        if _is_worked(work) and results.setdefault(lettered(work), printed) == printed:  # else of other names
            put_in = known.within(work)
            if next(names(put_in), None) is None:
                of_entries = isinstance(result, Row) and grid_of(result) is None and _is_number(put_in)
                made = by_entries(put_in) if of_entries else put_in
                worked = Chain((made, result), (item.node.relations[at - 1],))
                yield item, worked, worked.relations != ("→",) and known.is_sure(work, worked)
        literal = next(filter(is_literal, (members[-1], *members[at:])), None)
        if literal is None:
            continue
        if normed is None and not known.is_input(members[0]):
            known.see(literal)
        for member in members[:at]:
            if not (isinstance(literal, Row) and known.is_matrix(member) and grid_of(literal) is None):
                known.define(member, literal)


class _Printed:
    """The lists and matrices that were printed so far, by what stands before them."""

    def __init__(self, bases: Bases) -> None:
        self.bases = bases
        self.written: dict[str, Node] = {}
        self.meant: dict[tuple[str, int | None], Node] = {}
        self.row: Row | None = None
        self.rows: tuple[Row, ...] = ()
        self.listed: list[Row] = []
        self.at = -1
        self.statistics: dict[str, Num] = {}
        self.seen: set[Sequence[Fraction | None]] = set()

    def see(self, literal: Node) -> None:
        """A printed list is the one that mean and variance below it are of, unless it is less its mean."""
        grid = grid_of(literal) if is_literal(literal) else None
        if grid is not None and len(grid.rows) > 1:
            self.rows = tuple(Row(cells, grid.start, grid.end) for cells in grid.rows)
            self.row, self.at, self.statistics = None, -1, {}
        if not isinstance(literal, Row) or grid is not None or not is_literal(literal):
            return
        if len(literal.items) > 1 and not self._is_shifted(literal):
            self.row, self.statistics = literal, {}
            alike = bool(self.listed) and len(self.listed[-1].items) == len(literal.items)
            self.listed = [*(self.listed if alike else ()), literal][-MOST_LISTED:]
            self.seen.add(values(numerals(literal)))

    def _next_row(self, told: int | None) -> None:
        """A mean begins with the next row of the matrix above it, or with the one that words tell."""
        self.at = told if told is not None else self.at + 1
        self.row, self.statistics = self.rows[self.at] if self.at < len(self.rows) else None, {}

    def _begin(self, told: int | None, mean: Node) -> None:
        """A mean is of the list right above it, unless a row of the matrix above has it, or its index.

        Where neither has it, it is of the one of the lists above that does.
        """
        at = told if told is not None else self.at + 1
        of_matrix = 0 <= at < len(self.rows) and is_mean(mean, self.rows[at])
        of_list = self.row is not None and is_mean(mean, self.row)
        others = {values(numerals(row)): row for row in self.listed if is_mean(mean, row)}
        if not of_list and not of_matrix and len(others) == 1:
            self.row, self.statistics = others.popitem()[1], {}
        elif not self.rows:
            return
        elif (
            self.row is None or "mean" in self.statistics or (not of_list and (of_matrix or told is not None))
        ):
            self._next_row(told)

    def _index(self, name: Name) -> int | None:
        """The row that the index of a statistic says, `μ_2`, where there are as many."""
        at = (
            int(name.subs[0]) - self.bases.subscript
            if len(name.subs) == 1 and name.subs[0].isdecimal()
            else -1
        )
        return at if 0 <= at < len(self.rows) else None

    def is_input(self, node: Node) -> bool:
        """Whether a name is an input and not X: gain, shift or weights, which nobody normalises."""
        ref = resolve(node, self.bases) if isinstance(node, Name) else None
        return ref is not None and ref.name in INPUTS - {"X"}

    def is_matrix(self, node: Node) -> bool:
        """Whether a name is that of the weights of a projection: a list behind it is a row of them."""
        ref = resolve(node, self.bases) if isinstance(node, Name) else None
        return ref is not None and ref.name in PROJECTIONS

    def _is_shifted(self, row: Row) -> bool:
        if self.row is None or len(row.items) != len(self.row.items) or "mean" not in self.statistics:
            return False
        pairs = zip(values(numerals(self.row)), values(numerals(row)), strict=True)
        return len({a - b for a, b in pairs if a is not None and b is not None}) == 1

    def normed(self, members: Sequence[Node], told: int | None) -> Node | None:
        """What `mean = 2`, `σ² = 2.67`, `σ = 1.63` or `x̂ = [...]` come to for the list above them.

        Where that is a matrix, `told` is the row of it that words name.
        """
        name, result = members[0], members[-1]
        squared = isinstance(name, Binary) and name.op == "^"
        name = name.left if isinstance(name, Binary) else name
        ref = resolve(name, self.bases) if isinstance(name, Name) else None
        if (
            not isinstance(name, Name)
            or ref is None
            or not ref.name.startswith(_NORM)
            or not is_literal(result)
        ):
            return None
        what = "variance" if squared else ref.name.removeprefix(_NORM)
        added = next(filter(None, map(averaged, members[1:-1])), None) if what == "mean" else None
        if added is not None and (self.row is None or values(numerals(added)) in self.seen):
            self.row, self.statistics = added, {}
        elif what == "mean" and (self.rows or len(self.listed) > 1):
            self._begin(told if told is not None else self._index(name), result)
        if self.row is None:
            return None
        known = dict(self.statistics)
        if isinstance(result, Num):
            self.statistics[what] = result
            if what in ("deviation", "variance") and value(result) == 1 and _is_zero(known.get("mean")):
                return None  # what a normalisation makes of any list
        if what == "normalised" and not self._is_measured():
            return None
        written_out = what == "variance" and all(any(names(member)) for member in members[1:-1])
        if len(members) > 2 and not written_out:
            return None
        sample, followed = unbiased(what, self.row.items, known), self._followed(what, result, known)
        if sample is None or not isinstance(result, Num) or not comes_to(result, sample):
            return followed
        return followed if followed is not None and is_nearer(result, followed, sample) else sample

    def _followed(self, what: str, result: Node, known: Mapping[str, Num]) -> Node | None:
        """The statistic by those that were printed, or by the list alone where that is what was printed."""
        assert self.row is not None
        by_printed, by_list = (normed(what, self.row.items, each) for each in (known, {}))
        if not isinstance(result, Num) or by_list is None or by_printed is None:
            return by_printed
        return by_list if comes_to(result, by_list) and not comes_to(result, by_printed) else by_printed

    def is_of_the_row(self, context: Context, here: int) -> bool:
        """Whether the mean that is printed little above is that of the list: what follows is of it too."""
        mean = self.statistics.get("mean")
        if mean is None or self.row is None:
            return False
        if context.line(here) - context.line(mean.start) > LINES_BACK:
            return False
        return comes_to(mean, WRITTEN.mean(self.row.items))

    def _is_measured(self) -> bool:
        """Whether a statistic that is printed for the list above is one of it."""
        cells = self.row.items if self.row is not None else ()
        ways = {what: normed(what, cells, self.statistics) for what in ("mean", "variance")}
        told = [(num, ways[what]) for what, num in self.statistics.items() if what in ways]
        return any(comes_to(num, way) for num, way in told if way is not None) or not told

    def labelled(self, item: Item) -> Item:
        """A number or a list behind the word for a statistic, `均值 2.07`, or the result of several."""
        if item.target is None and not item.broken and isinstance(item.node, Num | Row):
            *_, word = "", *(item.label or "").split()
            ref = resolve(Name(word), self.bases)
            name = ref.name if ref is not None else ""
            if isinstance(item.node, Row) and word in _RESULT and len(self.statistics) > 1:
                word, name = "归一化后", _NORM + "normalised"
            if name.startswith(_NORM) and isinstance(item.node, Row) == name.endswith("normalised"):
                return replace(item, node=Chain((Name(word), item.node), (":",)))
        return item

    def define(self, node: Node, literal: Node) -> None:
        """A formula of names, or a letter behind a word for it, has this value from here on."""
        if isinstance(node, Binary) and isinstance(node.left, Name) and node.left.text >= "\u4e00":
            node = node.right  # `输出矩阵 W`
        if next(names(node), None) is None:
            return
        self.written[lettered(node)] = literal
        ref = resolve(node, self.bases) if isinstance(node, Name) else None
        if ref is not None:
            self.tell(ref, literal)

    def tell(self, ref: Ref, literal: Node) -> None:
        """A quantity, or a row of one, has this value from here on."""
        if ref.col is None and is_literal(literal) and not isinstance(literal, Num):
            self.meant[ref.name, ref.row] = literal

    def within(self, node: Node) -> Node:
        """A formula with values for all of its parts that have one."""
        return exchanged(node, lambda part: self._value(part) if part is not node else None)

    def as_product(self, node: Node) -> Node:
        """`hW` as the product of the two letters that were given values, if it has none itself."""
        if not isinstance(node, Name) or node.subs or len(node.text) != 2 or resolve(node, self.bases):
            return node
        left, right = (Name(letter, (), node.start, node.end) for letter in node.text)
        return Binary("*", left, right) if {*node.text} <= self.written.keys() - {node.text} else node

    def is_sure(self, work: Node, worked: Chain) -> bool:
        """Whether every name of a formula was given to a list, and to none of scores, which may be scaled.

        Where some were given to matrices, half of what the formula comes to is what is printed.
        """
        meant = [self.written.get(lettered(name)) for name in names(work)]
        refs = (resolve(name, self.bases) for name in names(work))
        if any(ref is not None and ref.name in LOGITS for ref in refs) or None in meant:
            return False
        lists = all(isinstance(each, Row) and isinstance(each.items[0], Num) for each in meant)
        return lists or 2 * worked_out(worked) >= sum(1 for _ in numerals(worked.members[-1])) > 1

    def _value(self, node: Node) -> Node | None:
        known = self.written.get(lettered(node)) if isinstance(node, Name | Binary | Call | Index) else None
        if known is not None or not isinstance(node, Name):
            return known
        ref = resolve(node, self.bases)
        if ref is None:
            return self._row_of_capital(node)
        if ref.col is not None or ref.running:
            return None
        if ref.row is None:
            return self.meant.get((ref.name, None)) or self._stacked(ref.name)
        return self.meant.get((ref.name, ref.row)) or _row(self.meant.get((ref.name, None)), ref.row)

    def _row_of_capital(self, name: Name) -> Node | None:
        """`h_1` is the first row of `H`."""
        letter, _, tail = "_".join((name.text, *name.subs)).rpartition("_")
        if len(letter) != 1 or not tail.isdecimal():
            return None
        return _row(self.written.get(letter.upper()), int(tail) - self.bases.subscript)

    def _stacked(self, name: str) -> Node | None:
        """The matrix whose rows were printed one by one."""
        rows: list[Row] = []
        while isinstance(row := self.meant.get((name, len(rows))), Row):
            rows.append(row)
        stacked = Row(tuple(rows), rows[0].start, rows[-1].end) if rows else None
        return stacked if stacked is not None and grid_of(stacked) is not None else None


def _is_zero(mean: Num | None) -> bool:
    return mean is not None and not value(mean)


def _row(matrix: Node | None, at: int) -> Node | None:
    grid = grid_of(matrix) if matrix is not None else None
    if grid is None or not 0 <= at < len(grid.rows):
        return None
    return Row(grid.rows[at], grid.start, grid.end)


def _is_number(node: Node) -> bool:
    """Whether a formula comes to nothing or to one number, the scalar product of two lists."""
    table = entries(node)
    return table is None or len(table) == len(table[0]) == 1


def _is_worked(node: Node) -> bool:
    """Whether a formula of names works something out, and is not a name with its marks."""
    match node:
        case Binary(op="^", right=Num()):
            return False
        case Binary(op="+" | "-", left=Name() as name, right=Num(text="1")) if _STEP.search(lettered(name)):
            return False  # `x_t-1`, the vector of the step before
        case Binary() | Call() | Negate() | Transpose():
            return next(names(node), None) is not None
    return False
