"""Weights worked out as quotients of exponentials that were not printed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.formula import Binary, Node, Num
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.linking.place import Placer
from symattn.reading.notes.linking.terms import flatten


class Quotients(Placer):
    """Ties the exponentials and the sum of a quotient to the row of the weight that it is."""

    def quotient(self, target: Ref, over: Num, under: Node) -> bool:
        """`7.39 / (7.39 + 2.72)`, `7.39 / 10.11`: exponentials, where most are those of their row."""
        terms = flatten(under)
        powers = [term for term in terms if isinstance(term, Num)]
        row, col = target.row, target.col
        if row is None or col is None or len(powers) not in (1, self.ledger.shape("K")[0]):
            return False
        mine = dict(enumerate(powers)) if len(powers) > 1 else {col: over}
        told = len(powers) == len(terms) and self.are_powers(row, mine)
        return told and self._of_power(target, over, under)

    def quotients(self, row: int, cells: Sequence[Node]) -> bool:
        """`[2.72/3.72, 1/3.72]` of a row of weights."""
        pairs = [(cell.left, cell.right) for cell in cells if isinstance(cell, Binary) and cell.op == "/"]
        overs = {k: over for k, (over, _) in enumerate(pairs) if isinstance(over, Num)}
        if len(overs) < len(cells) or not self.are_powers(row, overs):
            return False
        placed = [self._of_power(Ref("A", row, k), over, pairs[k][1]) for k, over in overs.items()]
        return all(placed)

    def are_powers(self, row: int, powers: Mapping[int, Num]) -> bool:
        """Whether at least half of some numbers, by their columns, are the exponentials of a row."""
        close = [self.predictor.is_entry("exp", (row, col), num) for col, num in powers.items()]
        return 2 * sum(close) >= len(close)

    def _of_power(self, target: Ref, over: Num, under: Node) -> bool:
        """Enter the exponentials of a quotient, and the one number that they are divided by as their sum."""
        self.place(replace(target, name="exp"), over)
        powers = [term for term in flatten(under) if isinstance(term, Num)]
        if len(powers) == 1:
            return self.place(Ref("sum", target.row, 0), powers[0])
        placed = [self.place(Ref("exp", target.row, k), num) for k, num in enumerate(powers)]
        return all(placed)
