"""What goes by the name of a quantity: whether it is that, another step of the walk, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.formulas.names import Bases, Ref
from symattn.reading.notes.layout.captions import caption, named
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import ROOT
from symattn.reading.notes.linking.ledger import value, values
from symattn.reading.notes.linking.locate import Locator
from symattn.reading.notes.linking.made import PROJECTED

BIASED = frozenset({"masked", "exp", "sum", "A", "Z", "concat", "output"})
"""What a bias of positions changes."""
_WEIGHING = re.compile(
    r"\bsoftmax\b|\bweights?\b|\b(?:each|every) row|\b(?:check|verif)\w*|权重|每一?行|验证|检[查验]|核对",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"=|\$\$|\\begin|\\\[|\d")
NEAR_ONE = Fraction(1, 50)
Cells: TypeAlias = Sequence[Sequence[Num]]
"""Rows of numbers."""


class Called(Locator):
    """Tells what numbers are that are called by a name, from what was printed before."""

    def __init__(self, context: Context, bases: Bases, turned: frozenset[str] = frozenset()) -> None:
        super().__init__(context, bases, turned)
        self.shifted: set[int] = set()
        """The rows of exponentials from whose scores the greatest was taken off."""
        self.divides = False
        """Whether what is read is what a root divides: the scores, whatever stands around them."""

    def is_refused(self, name: str, row0: int, cells: Cells) -> bool:
        """Whether numbers are of no step of the walk: with a bias, or scores less their greatest."""
        start = cells[0][0].start
        if name in BIASED and self.context.is_biased(start):
            return True
        if len(cells[0]) > 1 and self.predictor.is_less_greatest(name, row0, cells[0]):
            return True
        if name == "exp" and self.predictor.is_shifted(row0, cells[0]):
            self.shifted.add(row0)
        if name == "sum" and row0 in self.shifted:
            return False
        begin = self.context.span(self.context.line(start))[0]
        return name == "sum" and _is_one(cells) and self.predictor.adds_others(row0, cells[0][0], begin)

    def role_of(self, name: str, row0: int, cells: Cells) -> str | None:
        """What a number is that claims nothing by its name: a sum of weights, a chosen divisor."""
        one = value(cells[0][0]) == 1
        if name == "sum" and _is_one(cells) and one and self._of_weights(cells[0][0], row0):
            return "words"
        return "size" if name == ROOT and one and self.predictor.bare else None

    def other_name(self, name: str, row0: int, col0: int, cells: Cells) -> str | None:
        """What numbers are that go by the name of another step: weights called Z, scores that are scaled."""
        if name == "Z" and self._are_weights(cells) and not self._differs("A", row0, col0, cells):
            return "A"
        if name != "scores" or self.divides:
            return None
        if self._are_shares(name, row0, col0, cells):
            return "A"
        if self._are_scaled_again(row0, col0, cells):
            return "scaled"
        smaller = self.disagrees(name, row0, col0, cells) and _in_proportion(
            self._pairs(name, row0, col0, cells)
        )
        return "scaled" if smaller or self._rescaled(row0, col0, cells) else None

    def _are_weights(self, cells: Cells) -> bool:
        """Whether what is called the attention are its weights: shares of a whole, and no rows like V has.

        Where values are as wide as there are keys, weights must still be to come, and be nearer than the
        outputs; most of them may then tell by themselves, beside one that is wrong.
        """
        width = self.ledger.shape("V")[1]
        if len(cells) < 2 or not width:
            return False
        square = width == len(cells[0])
        known = bool(self.ledger.first.get("A"))
        if square and (known or not self._distance("A", cells) < self._distance("Z", cells)):
            return False
        return _sum_to_one(cells) or (square and self.predictor.follow("A", 0, cells))

    def _are_shares(self, name: str, row0: int, col0: int, cells: Cells) -> bool:
        """Whether a table called attention scores is the weights: steps behind the scores stand before it."""
        behind = any(self.ledger.first.get(step) for step in ("exp", "sum"))
        whole = all(num.text.isdecimal() for row in cells for num in row)
        known = self._pairs(name, row0, col0, cells)
        if len(cells) < 2 or whole or not behind or any(agree(a, b) for a, b in known):
            return False
        return _sum_to_one(cells)

    def _are_scaled_again(self, row0: int, col0: int, cells: Cells) -> bool:
        """Whether a table called by the letter of the scores is what was printed as scaled, and no scores."""
        again, first = (self._pairs(name, row0, col0, cells) for name in ("scaled", "scores"))
        telling = (
            len(cells) > 1 and len(again) == sum(map(len, cells)) and any(value(num) for _, num in again)
        )
        same = telling and all(value(a) == value(b) for a, b in again)
        return same and not (first and all(value(a) == value(b) for a, b in first))

    def _distance(self, name: str, cells: Cells) -> float:
        return sum(self.predictor.distance(name, row, nums) for row, nums in enumerate(cells))

    def is_wider(self, target: Ref, cells: Cells) -> bool:
        """Whether rows have more numbers than those that were printed: `k3: [1, 1, 2]` are scores of it.

        A row by its name is no longer than its projection: `q_1 = [1, 0, 0]` beside 3x2 W_Q is the row of X.
        """
        known = self.ledger.widths.get(target.name, 0) if target.name in ("Q", "K") else 0
        if target.name in PROJECTED and target.row is not None:
            known = known or self.size_of(target.name)[1] or 0
        return bool(known) and any(len(row) > known for row in cells)

    def _rescaled(self, row0: int, col0: int, cells: Cells) -> bool:
        """Whether what is called scores is scaled: by its numbers, or anew below words that say so."""
        line = self.context.line(cells[0][0].start)
        before = [self.ledger.first.get(name, {}).get((row0, col0 - 1)) for name in ("scores", "scaled")]
        beside = [made is not None and self.context.line(made.num.start) == line for made in before]
        rows, kinds = tuple(enumerate(cells, row0)), ("scaled", "scores")
        known = [sum(self.predictor.explained(name, *row) for row in rows) for name in kinds]
        if not col0 and self.predictor.follow("scaled", row0, cells):
            far = [sum(self.predictor.distance(name, *row) for row in rows) for name in kinds]
            return far[0] < far[1] and known[0] > known[1]
        if known[0] > 1 and not known[1] and 3 * known[0] >= sum(map(len, cells)):
            return True  # a wrong query and a wrong key spoil a row and a column
        pairs = self._pairs("scores", row0, col0, cells)
        if all(agree(a, b) for a, b in pairs):
            return False
        if beside == [False, True]:  # `s1' = 0.7, s2' = 1.4` below `s1 = 1, s2 = 4`
            return True
        while line > 0 and _FORMULA.search(self.context.said(line)):
            line -= 1
            if named(self.context.said(line), self.bases) == "scaled":
                break
        return caption(self.context, self.bases, line + 1) == "scaled"

    def _of_weights(self, num: Num, row: int) -> bool:
        """Whether a sum of 1 is that of weights: words on its line, they or another sum stand before."""
        said = self.context.before(num.start)
        before = any(self.predictor.printed(name, row) for name in ("A", "sum")) or _WEIGHING.search(said)
        return bool(before) and self.predictor.sum_of(num, row) != row

    def disagrees(self, name: str, row0: int, col0: int, cells: Cells) -> bool:
        """Whether a table differs from an earlier one of its name in most entries: another example.

        It is the same example where it has all the rows, and one of them was only put into another place.
        """
        whole = len(cells) == self.ledger.shape(name)[0]
        if whole and any(
            other == name and row != at
            for at, line in enumerate(cells)
            for other, row in self.ledger.rows_like(line)
        ):
            return False
        return self._differs(name, row0, col0, cells)

    def _differs(self, name: str, row0: int, col0: int, cells: Cells) -> bool:
        """Whether other numbers than those of a table were printed in most of its places."""
        known = [(a, b) for a, b in self._pairs(name, row0, col0, cells) if value(a) or value(b)]
        return len(known) > 1 and 2 * sum(not agree(a, b) for a, b in known) > len(known)

    def _pairs(self, name: str, row0: int, col0: int, cells: Cells) -> list[tuple[Num, Num]]:
        """What was printed first for the entries of a table, beside what the table has there."""
        first = self.ledger.first.get(name, {})
        return [
            (made.num, num)
            for i, line in enumerate(cells)
            for j, num in enumerate(line)
            if (made := first.get((row0 + i, col0 + j))) is not None and value(num) is not None
        ]


def _is_one(cells: Cells) -> bool:
    return len(cells) == len(cells[0]) == 1


def _sum_to_one(cells: Cells) -> bool:
    rows = [[value(num) or Fraction(0) for num in row] for row in cells]
    return all(min(row) >= 0 and abs(sum(row, Fraction(0)) - 1) < NEAR_ONE for row in rows)


def _in_proportion(nums: Sequence[tuple[Num, Num]]) -> bool:
    """Whether numbers are others divided by one divisor above 1, as far as their digits tell."""
    pairs = [values(pair) for pair in nums]
    ratios = sorted(a / b for a, b in pairs if a and b)
    return (
        len(ratios) > 1
        and ratios[0] > 1
        and ratios[-1] < ratios[0] * Fraction(21, 20)
        and all(bool(a) == bool(b) for a, b in pairs)
    )
