"""What stands outside every walk of an example, and is checked on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Name, Node, Num, Row, exchanged, numerals
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.arithmetic import equations
from symattn.reading.notes.linking.denote import LOGITS, denote
from symattn.reading.notes.linking.link import Linker
from symattn.reading.notes.result import Equation

Lists = dict[Name, Node]
"""Lists by the letters that they were given, wherever these stand."""


def strays(
    linker: Linker, found: Sequence[Item], claimed: frozenset[tuple[int, int]]
) -> list[tuple[Num, Equation]]:
    """The equations of numbers that claim nothing in a walk, those that a walk starts from among them."""
    seen: set[int] = set()
    rounded = frozenset(
        made.num.text
        for made in linker.ledger.prints
        if "." in made.num.text and linker.context.place(made.num.start) in claimed
    )
    made: list[tuple[Num, Equation]] = []
    lists: Lists = {}
    for item in found:
        node = _with_lists(item.node, lists)
        for num, equation in equations(node, item.broken, linker.context, rounded):
            if num.start not in seen and linker.context.place(num.start) not in claimed:
                seen.add(num.start)
                made.append((num, equation))
                for other in numerals(node):
                    linker.roles.setdefault(other.start, "working")
        lists |= _listed(item, linker, claimed)
    return made


def _with_lists(node: Node, lists: Lists) -> Node:
    """A formula with the lists that its letters stand for: `softmax(z)` behind `z = (2, 1)`."""
    if not lists:
        return node
    return exchanged(node, lambda part: lists.get(_bare(part)) if isinstance(part, Name) else None)


def _listed(item: Item, linker: Linker, claimed: frozenset[tuple[int, int]]) -> Lists:
    """The letter of a list that no walk claims, and the list; scores may have been scaled since."""
    match item.node:
        case Chain(members=(Name() as name, *_, Row() as row)) if is_literal(row):
            ref = denote(name, linker.bases, linker.renamed)
            walked = any(linker.context.place(num.start) in claimed for num in numerals(row))
            if not walked and (ref is None or ref.name not in LOGITS):
                return {_bare(name): row}
    return {}


def _bare(name: Name) -> Name:
    return replace(name, start=0, end=0)
