"""Scores that are printed divided: by the root of d_k beside them, or already under the name of a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.formula import Binary, Grid, Node, Num, Row, grid_of, names, numerals
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.forms import under_root
from symattn.reading.notes.linking.place import table_of
from symattn.reading.notes.linking.quotients import Quotients


class Rooted(Quotients):
    """Tells scores from scaled scores by what they are divided by and by their numbers."""

    def scaled_already(self, target: Ref, members: Sequence[Node]) -> Ref:
        """What a score without a working is: `score_10 = q_1 · k_0 = 1.26` may be divided already."""
        num, row, col = members[-1], target.row, target.col
        if target.name != "scores" or not isinstance(num, Num) or row is None or col is None:
            return target
        plain = len(members) < 2 or next(numerals(members[-2]), None) is None
        telling = plain and len(num.text.partition(".")[2]) > 1
        divided = telling and self.predictor.is_divided((row, col), num)
        made = divided and self.predictor.is_entry("scores", (row, col), num)
        return replace(target, name="scaled") if divided and not made else target

    def as_quotient(self, target: Ref, members: Sequence[Node]) -> Ref:
        """What is called a score and worked out as a quotient by the root of d_k, is scaled."""
        divided = target.name == "scores" and any(self._divided_by_root(member) for member in members)
        return replace(target, name="scaled") if divided else target

    def is_root(self, divisor: Node) -> bool:
        """Whether scores are divided by this: a root of d_k, or the number that was printed for it."""
        if isinstance(divisor, Num):
            return self.predictor.is_root(divisor)
        return under_root(divisor) is not None and under_root(divisor) == self.predictor.d_k

    def quotient_of_scores(self, node: Node) -> Ref | None:
        """`1/√2 [[2, 1], [4, 1]]`: scaled scores, where at least half of the matrix are the scores."""
        match node:
            case (
                Binary(op="*", left=Binary(op="/", left=Num(text="1"), right=root), right=inner)
                | Binary(op="/", left=inner, right=root)
            ) if grid_of(inner) is not None and under_root(root) == self.predictor.d_k:
                table = list(table_of(inner) or ())
                seen = sum(self.predictor.foreseen("scores", i, row) for i, row in enumerate(table))
                return Ref("scaled") if 2 * seen >= sum(map(len, table)) > 0 else None
        return None

    def numerators(self, node: Node) -> Grid | None:
        """The scores of a matrix of `4/√2`, each over a root of d_k; a 0 needs none."""
        grid = grid_of(node)
        cells = [cell for row in grid.rows for cell in row] if grid is not None else []
        if grid is None or is_literal(grid) or not all(map(self._is_numerator, cells)):
            return None
        rows = (tuple(cell.left if isinstance(cell, Binary) else cell for cell in row) for row in grid.rows)
        return replace(grid, rows=tuple(rows))

    def _is_numerator(self, cell: Node) -> bool:
        match cell:
            case Num(text="0"):
                return True
            case Binary(op="/", left=Num()):
                return self._divided_by_root(cell)
        return False

    def _divided_by_root(self, node: Node) -> bool:
        """Whether numbers are divided by the root of d_k: `27/sqrt(2)`, `[3/1.41, 2/1.41]`."""
        match node:
            case Row(items=items) if items and not is_literal(node):
                return all(isinstance(item, Binary) and self._divided_by_root(item) for item in items)
            case Binary(op="/", left=left, right=right) if next(names(left), None) is None:
                if isinstance(right, Num):
                    return self.predictor.is_root(right)
                under = under_root(right)
                return under is not None and self.predictor.d_k in (0, under)
        return False
