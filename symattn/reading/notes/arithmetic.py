"""Equations that stand outside every pipeline; `symattn.auditor.equations` judges them."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.case import Place
from symattn.reading.notes.context import Context
from symattn.reading.notes.formula import Chain, Node, Num
from symattn.reading.notes.result import Equation
from symattn.reading.notes.works import entries, is_literal, spell

LONGEST_WORK = 400


def equations(
    node: Node, broken: bool, context: Context, rounded: frozenset[str]
) -> Iterator[tuple[Num, Equation]]:
    """Every printed number of a chain beside the working before it, entry by entry."""
    if not isinstance(node, Chain):
        return
    members = node.members[1:] if broken else node.members
    relations = node.relations[1:] if broken else node.relations
    for before, relation, after in zip(members, relations, members[1:], strict=False):
        if not is_literal(after) or relation == ":" or (is_literal(before) and relation != "→"):
            continue
        work, printed = entries(before), entries(after)
        if work is None or printed is None or (len(work), len(work[0])) != (len(printed), len(printed[0])):
            continue
        for works, nums in zip(work, printed, strict=True):
            for cell, num in zip(works, nums, strict=True):
                said = spell(cell)
                if isinstance(num, Num) and len(said) <= LONGEST_WORK and "?" not in said:
                    yield num, Equation(said, num.text, relation, Place(*context.place(num.start)), rounded)
