"""Formulas that speak of a quantity of the walk and are no step of it: asides, contrasts, other angles."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Call, Grid, Name, Node, Num, Row, numerals, walk
from symattn.reading.notes.formulas.names import INPUTS, Bases, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.altered import Altered
from symattn.reading.notes.linking.amounts import amount
from symattn.reading.notes.linking.closeness import is_decimal, near, unit
from symattn.reading.notes.linking.forms import under_root
from symattn.reading.notes.linking.ledger import size

UNITS = 3
"""How many units of its decimals an angle may differ by from another way of writing it."""
FAR = 0.05
"""How much of an angle two ways of writing it may differ by: more than rounding does."""
_WITHOUT = re.compile(
    r"\b(?:without|no|sem|sin|ohne|sans|senza|без)\b[^.:\n]{0,12}"
    r"\b(?:scal|escal|skalier|mise à l.échelle|масштаб)|(?:不|未)[^。：\n]{0,3}缩放",
    re.IGNORECASE,
)


def lengths(items: Sequence[Item]) -> frozenset[int]:
    """How many numbers stand in the lists of an example, and in the rows of its matrices."""
    made = (part for item in items for part in walk(item.node) if isinstance(part, Row | Grid))
    return frozenset(
        len(cells)
        for part in made
        for cells in (part.rows if isinstance(part, Grid) else (part.items,))
        if cells and all(isinstance(cell, Num) for cell in cells)
    )


def is_of_another_model(members: Sequence[Node], bases: Bases, widths: Collection[int]) -> bool:
    """Whether `d_k = 64` or `sqrt(64) = 8` speaks of keys that are as long as nothing in the example."""
    first, last = members[0], members[-1]
    under = under_root(first)
    if under is None and isinstance(first, Name) and isinstance(last, Num) and last.text.isdigit():
        ref = resolve(first, bases)
        under = int(last.text) if ref is not None and ref.name == "d_k" else None
    return under is not None and under not in widths


def is_input_of_a_step(target: Ref, members: Sequence[Node], predictor: Altered) -> bool:
    """Whether `Inputs: [2, 0]` are a printed row of scores or of Q again, where a step begins, and no X."""
    word, listed = members[0], members[-1]
    if target != Ref("X") or not isinstance(word, Name) or len(word.text) == 1 or not isinstance(listed, Row):
        return False
    return any(name not in INPUTS for name, _ in predictor.ledger.rows_like(list(numerals(listed))))


def other_angle(target: Ref, members: Sequence[Node]) -> float | None:
    """The angle that `PE_{1,2} = sin(1/10000^{2/4}) = sin(0.1)` goes on from, where it is not the first."""
    waves = (each.argument for each in members if isinstance(each, Call) and each.function in _WAVES)
    known = [(angle, _room(each)) for each in waves if (angle := amount(each)) is not None]
    if target.name != "PE" or all(math.isclose(a, b, rel_tol=room) for (a, _), (b, room) in pairwise(known)):
        return None
    return known[-1][0]


def _room(angle: Node) -> float:
    """By which part an angle may differ from the one before it: by the rounding of its decimals."""
    decimals = [num for num in numerals(angle) if is_decimal(num) and size(num)]
    return min(FAR, sum(UNITS * unit(num) / abs(size(num) or 1.0) for num in decimals) or FAR)


def is_wave(num: Num, angle: float) -> bool:
    """Whether a number is the sine or the cosine of an angle."""
    return near(num, math.sin(angle)) or near(num, math.cos(angle))


def is_contrast(
    members: Sequence[Node], context: Context, predictor: Altered, twins: Collection[int] = ()
) -> bool:
    """Whether a list tells what would be, or weights are made of other numbers than the last scores.

    `Without scaling: softmax([2, 1]) = [0.73, 0.27]` is no step of the walk that scales, by its words or as
    it had [0.67, 0.33].
    """
    weights = members[-1]
    if not isinstance(weights, Row) or not is_literal(weights):
        return False
    if context.supposes(weights.start) or (not predictor.bare and weights.start in twins):
        return True
    for member in members:
        match member:
            case Call(function="softmax", argument=Row() as logits) if is_literal(logits):
                said = context.before(logits.start)
                aside = not predictor.bare and _WITHOUT.search(said) is not None
                return aside or predictor.replaces(list(numerals(weights)), list(numerals(logits)))
    return False


_WAVES = ("sin", "cos")
