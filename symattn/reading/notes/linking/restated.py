"""What a working says again of the numbers printed before: the 0.71 and 2.03 of `e^{0.71} / (2.03 + 1)`.

An operand is no claim of its own. It has the verdict of the entry that it repeats, where that was found to be
right, and only where it says what was printed of a step that the result of its working is computed from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Num, numerals
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import LOGITS, ROOT
from symattn.reading.notes.linking.ledger import Ledger, Print
from symattn.reading.notes.linking.link import Linker

MOST_KEYS = 64
"""Entries of a row beyond which operands are not looked up one by one."""

_VECTORS = (("Q", "row"), ("K", "column"))
_SCORED = tuple((name, "entry") for name in LOGITS)
_BEHIND = tuple((name, "row") for name in LOGITS)
STEPS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "scores": _VECTORS,
        **dict.fromkeys(LOGITS[1:], (*_SCORED, (ROOT, "first"), *_VECTORS)),
        "exp": (*_SCORED, ("max", "only")),
        "sum": (("exp", "row"), *_BEHIND),
        "A": (("exp", "row"), ("sum", "only"), *_BEHIND, (ROOT, "first")),
        "Z": (("A", "row"), ("V", "of column"), ("exp", "row"), ("sum", "only"), *_BEHIND),
        "Z.term": (("A", "row"), ("V", "of column")),
    }
)
"""The steps behind an entry, and which of their entries those are."""


def restated(linker: Linker, found: Sequence[Item]) -> Iterator[tuple[Num, Num]]:
    """The operands of the workings of entries, and the numbers printed before that they say again."""
    ledger, text = linker.ledger, linker.context.text
    made = {each.num.start: each for each in ledger.prints}
    for item in found:
        if not isinstance(item.node, Chain):
            continue
        nums = list(numerals(item.node))
        results = {(of.name, of.row, of.col): of for num in nums if (of := made.get(num.start)) is not None}
        if not results or len(nums) > MOST_KEYS * MOST_KEYS:
            continue
        behind = _behind(ledger, results.values())
        for num in nums:
            if num.start in made or linker.roles.get(num.start) == "input" or not _stands(text, num):
                continue
            first = next((each for each in behind if each.start < num.start and agree(each, num)), None)
            if first is not None:
                yield first, num


def _behind(ledger: Ledger, results: Iterable[Print]) -> list[Num]:
    """The numbers printed of the steps that some entries are computed from."""
    found: dict[int, Num] = {}
    for of in results:
        for name, which in STEPS.get(of.name, ()):
            cells = ledger.first.get(name)
            for at in _cells(ledger, name, which, of) if cells else ():
                if cells is not None and (first := cells.get(at)) is not None:
                    found[first.num.start] = first.num
    return list(found.values())


def _cells(ledger: Ledger, name: str, which: str, of: Print) -> Iterator[tuple[int, int]]:
    """The entries of a step that an entry is computed from."""
    rows, columns = (min(side, MOST_KEYS) for side in ledger.shape(name))
    match which:
        case "entry":
            yield of.row, of.col
        case "row":
            yield from ((of.row, k) for k in range(columns))
        case "column":
            yield from ((of.col, k) for k in range(columns))
        case "of column":
            yield from ((k, of.col) for k in range(rows))
        case "only":
            yield of.row, 0
        case _:
            yield 0, 0


def _stands(text: str, num: Num) -> bool:
    """Whether a number is printed where it says, and not made of what is."""
    return num.text.lstrip("-") in text[num.start : num.end]
