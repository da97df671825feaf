"""What is called a quantity and is none of the walk: shapes, totals of other things, other matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.formula import Binary, Node, Num, Row, numerals
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.bounds import is_counted
from symattn.reading.notes.linking.closeness import is_decimal, near
from symattn.reading.notes.linking.denote import LOGITS
from symattn.reading.notes.linking.hear import Hearer
from symattn.reading.notes.linking.place import table_of
from symattn.reading.notes.linking.predict import MOST_ROWS

LARGE_SIDE = 16
"""A whole number of a list in round brackets that is rather a side of a matrix than an entry."""
FAR_BELOW = 30
"""How many lines below all exponentials a total is probably one of something else."""


class Elsewhere(Hearer):
    """Tells what only has the name of a quantity."""

    def is_shape(self, node: Node) -> bool:
        """Whether what an arrow leads to is the shape of a result: `Q = X W_Q → (4096, 320)`."""
        if not isinstance(node, Row) or not is_literal(node) or self.context.text[node.start] != "(":
            return False
        sides = [int(num.text) for num in numerals(node) if num.text.isdigit()]
        return len(sides) == len(node.items) > 1 and max(sides) >= LARGE_SIDE

    def adds_powers(self, members: Sequence[Node]) -> bool:
        """Whether a whole number is a sum of exponentials: of some just above it, or by a working.

        A list of sums has that of a row among them: `Sum: [1.9, 6.7]` may be one of weighted values.
        """
        num = members[-1]
        if isinstance(num, Row) and not self.ledger.first.get("exp"):
            rows = range(min(self.ledger.shape("Q")[0] or 1, MOST_ROWS))
            ways = [way for row in rows for way in self.predictor.ways("exp", row)]
            return not ways or any(near(each, sum(way)) for way in ways for each in numerals(num))
        if len(members) > 2 or not isinstance(num, Num) or is_decimal(num):
            return True
        last = self.ledger.last_before("exp", num.start)
        if last is None and not self.ledger.first.get("exp"):
            rows = range(min(self.ledger.shape("Q")[0] or 1, MOST_ROWS))
            return any(near(num, sum(way)) for row in rows for way in self.predictor.ways("exp", row))
        near_by = last is not None and self.context.line(num.start) - self.context.line(last[0]) <= FAR_BELOW
        return near_by or self.predictor.sum_of(num, None) is not None

    def are_values_again(self, target: Ref, table: Sequence[Sequence[Num]]) -> bool:
        """Whether what words call attention to values are rows of V again, and not what the weights make."""
        known = [[found for found, _ in self.ledger.rows_like(row)] for row in table]
        again = target.name == "Z" and all("V" in found and "Z" not in found for found in known)
        return again and not self.predictor.follow("Z", target.row or 0, table)

    def is_other_matrix(self, member: Node) -> bool:
        """Whether a matrix called A is none of weights: of whole numbers, which are no scores before it."""
        if not is_counted(member):
            return False
        rows = table_of(member) or ()
        return not any(name in LOGITS for row in rows for name, _ in self.ledger.rows_like(row))

    def divides_others(self, target: Ref, member: Node) -> bool:
        """Whether weights are quotients of a list that is known to hold no exponentials of their row."""
        match member:
            case Binary(op="/", left=Row() as powers, right=Num()) if is_literal(powers):
                row = self.row(replace(target, name="exp"), powers)
                return row is None or self.predictor.is_not("exp", row, tuple(numerals(powers)))
        return False
