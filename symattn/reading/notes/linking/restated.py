"""What a working says again of the numbers printed before: the 0.71 and 2.03 of `e^{0.71} / (2.03 + 1)`.

An operand is no claim of its own. It has the verdict of the entry that it repeats, where that was found to be
right, and only where it says what was printed of a step that the result of its working is computed from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Call, Chain, Node, Num, numerals
from symattn.reading.notes.formulas.works import entries, is_literal
from symattn.reading.notes.linking.closeness import agree, is_decimal
from symattn.reading.notes.linking.denote import LOGITS, ROOT
from symattn.reading.notes.linking.ledger import Ledger, Print, value
from symattn.reading.notes.linking.link import Linker
from symattn.reading.notes.linking.terms import flatten, summand

MOST_KEYS = 64
"""Entries of a row beyond which operands are not looked up one by one."""

Entry = tuple[str, int, int]
BEHIND: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(LOGITS[1:], ("scores",)),
        "exp": LOGITS,
        "sum": ("exp", *LOGITS),
        "A": ("exp", "sum", *LOGITS),
        "Z": ("A", "exp", "sum", *LOGITS),
        "Z.term": ("A",),
    }
)
"""The steps behind one, of which entries of the same row are said again."""


def restated(linker: Linker, found: Sequence[Item]) -> Iterator[tuple[Num, Num]]:
    """The numbers printed before, and the operands of workings of entries that say them again."""
    ledger, text = linker.ledger, linker.context.text
    made = {each.num.start: each for each in ledger.prints}
    for item in found:
        if not isinstance(item.node, Chain):
            continue
        results = [of for num in numerals(item.node) if (of := made.get(num.start)) is not None]
        if not results or len(results) > MOST_KEYS:
            continue
        told: dict[int, Num] = {}
        for said, num in _by_place(ledger, made, item.node):
            told.setdefault(num.start, said)  # the nearest step behind, not the scores that may be given
        rest = _by_value(ledger, {(of.name, of.row) for of in results})
        for num in numerals(item.node):
            if num.start in made or num.text.lstrip("-") not in text[num.start : num.end]:
                continue
            first = told.get(num.start) or (rest.get(value(num)) if is_decimal(num) else None)
            if first is not None and first.start < num.start:
                yield first, num


def _by_value(ledger: Ledger, rows: Iterable[tuple[str, int]]) -> dict[object, Num]:
    """The decimals printed of the steps behind some rows, by what they are."""
    found: dict[object, Num] = {}
    for name, row in rows:
        for step in BEHIND.get(name, ()):
            for col in range(min(ledger.shape(step)[1], MOST_KEYS)):
                first = _first(ledger, (step, row, col))
                if first is not None and is_decimal(first):
                    found.setdefault(value(first), first)
    return found


def _by_place(ledger: Ledger, made: Mapping[int, Print], chain: Chain) -> Iterator[tuple[Num, Num]]:
    """The operands that stand where those of a step stand, and say what was printed of these."""
    for worked, result in _cells(chain):
        of = made.get(result.start)
        if of is not None:
            for at, num in _operands(worked, (of.name, of.row, of.col)):
                first = _first(ledger, at)
                if first is not None and agree(first, num):
                    yield first, num


def _first(ledger: Ledger, at: Entry) -> Num | None:
    name, row, col = at
    made = ledger.first.get(name, {}).get((row, col))
    return made.num if made is not None else None


def _cells(chain: Chain) -> Iterator[tuple[Node, Num]]:
    """Every entry of a working beside the number that it comes to, the last member of its chain."""
    last = chain.members[-1]
    results = entries(last) if is_literal(last) else None
    if results is None:
        return
    for member in chain.members[:-1]:
        table = None if is_literal(member) else entries(member)
        if table is not None and [len(row) for row in table] == [len(row) for row in results]:
            for cells, nums in zip(table, results, strict=True):
                yield from (
                    (cell, num) for cell, num in zip(cells, nums, strict=True) if isinstance(num, Num)
                )


def _operands(node: Node, at: Entry) -> Iterator[tuple[Entry, Num]]:
    """The operands of a working of an entry, and the entries of the steps behind it that they should be."""
    name, row, col = at
    match node:
        case Num():
            yield at, node
        case Call(function="exp", argument=exponent) if name == "exp":
            for logits in reversed(LOGITS):
                yield from _operands(exponent, (logits, row, col))
        case Binary(op="/", left=over, right=under) if name == "A":
            yield from _operands(over, ("exp", row, col))
            yield from _operands(under, ("sum", row, 0))
        case Binary(op="/", left=over, right=under) if name in LOGITS[1:]:
            yield from _operands(over, ("scores", row, col))
            if isinstance(under, Num):
                yield (ROOT, 0, 0), under
        case Binary(op="+") if name == "sum":
            for k, term in enumerate(flatten(node)):
                yield from _operands(term, ("exp", row, k))
        case Binary(op="+" | "*") if name in ("scores", "Z"):
            pairs = (("Q", row), ("K", col)) if name == "scores" else (("A", row), ("V", col))
            for k, term in enumerate(flatten(node)):
                yield from _factors(term, [(step, at, k) for step, at in pairs])


def _factors(term: Node, meant: Sequence[Entry]) -> Iterator[tuple[Entry, Num]]:
    """The factors of one product of a sum, those of V by their rows."""
    pair = summand(term)
    for (name, row, k), factor in zip(meant, pair or (), strict=False):
        if isinstance(factor, Num):
            yield (name, k, row) if name == "V" else (name, row, k), factor
