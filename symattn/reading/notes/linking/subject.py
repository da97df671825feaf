"""What a chain is about: the quantity that its members name, made more precise by one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Grid,
    Name,
    Node,
    Num,
    Row,
    grid_of,
    numerals,
    walk,
)
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.denote import ROOT, denote, own_key
from symattn.reading.notes.linking.elsewhere import Elsewhere
from symattn.reading.notes.linking.forms import squared, under_root
from symattn.reading.notes.linking.place import RESIDUALS

_TIMES = re.compile(r"(?:^[ >$]*[*@]|\btimes[ $}]*) *$")
_LEADS = re.compile(r"[ $}]*(?:\\[;,] *)*(?:→|->|\\(?:long|Long)?[rR]ightarrow\b|\\to\b)")


class Subject(Elsewhere):
    """Tells the quantity of a chain."""

    def target(self, members: Sequence[Node]) -> Ref | None:
        """The quantity that a chain is about: the first that is named, made more precise by the others."""
        refs = [denote(member, self.bases, self.renamed) for member in members]
        if any(ref is not None and ref.name == ROOT for ref in refs):
            self._root(members)
        known = [ref for ref in refs if ref is not None and not ref.running]
        if not known:
            lettered = self.lettered(members)
            told = self.as_quotient(self.told(lettered, members[-1]), members) if lettered else None
            return told or self._squared(members)
        target = self._by_its_result(self._joined(known, members), members)
        if target.name == "scores" and target.row is None:
            found = (self.dot_product(member) for member in members if isinstance(members[-1], Num))
            row, col = next((at for at in found if at is not None), (None, target.col))
            target = replace(
                target, row=self.query_of(members) if row is None and col is not None else row, col=col
            )
        target = self.as_quotient(target, members)
        if target.name == "sum" and any(isinstance(each, Binary) and each.op == "/" for each in members):
            return None  # `Divide by the sum: 3/4 = 0.75`
        if target.name in RESIDUALS:
            self.renamed["norm"] = RESIDUALS[target.name]
        return self.unprojected(target, members)

    def _joined(self, known: Sequence[Ref], members: Sequence[Node]) -> Ref:
        """What several names of one quantity say together; scores that go on scaled are so from there on."""
        target = known[0]
        if target.name == ROOT and is_literal(members[-1]) and not isinstance(members[-1], Num):
            target = Ref("scaled")  # `scaled by sqrt(d_k): [0.5, 1.2]`
        for ref in known[1:]:
            if ref.name == "scaled" and target.name == "scores" and isinstance(members[0], Name):
                self.renamed["scores"] = "scaled"
                target = replace(target, name="scaled")
            if ref.name == target.name == "scores" and (ref.col, target.col) == (target.row, None):
                target = ref  # `score_2 = q · k_2` counts keys, of the first query as `q_1 · k_2`
            elif ref.name == target.name:
                target = replace(
                    target,
                    row=target.row if target.row is not None else ref.row,
                    col=target.col if target.col is not None else ref.col,
                )
        return target

    def _by_its_result(self, target: Ref, members: Sequence[Node]) -> Ref:
        """What a name stands for where the numbers behind it can be only that."""
        infinite = is_literal(members[-1]) and any(num.text == "-inf" for num in numerals(members[-1]))
        if target.name == "A" and infinite:
            return replace(target, name="masked")  # no weight is infinite
        if target == Ref("X") and self._is_one_vector(members):
            return Ref("X", 0)
        return Ref("Z") if target == Ref("V") and self._multiplies(members) else target

    def _multiplies(self, members: Sequence[Node]) -> bool:
        """Whether a line goes on from the weights above it: `· V → [1.2, 0.4]`, `times V → [[1.2, 0.4]]`."""
        match members:
            case (Name() as name, Row() | Grid()) if self.ledger.shape("V")[0]:
                before, after = self.context.around(name.start, name.end)
                return _TIMES.search(before) is not None and _LEADS.match(after) is not None
        return False

    def _is_one_vector(self, members: Sequence[Node]) -> bool:
        """Whether a letter of the document's own is a single vector, `y = [1, 2]`, and not one of several."""
        own = isinstance(members[0], Name) and own_key(members[0]) in self.renamed
        return own and isinstance(members[-1], Row) and grid_of(members[-1]) is None

    def _has_all_rows(self, node: Node) -> bool:
        """Whether a matrix of numbers, perhaps divided, has a row for each query."""
        rows = [grid for part in walk(node) if isinstance(part, Row | Grid) and (grid := grid_of(part))]
        return bool(rows) and len(rows[0].rows) == self.ledger.shape("Q")[0] > 1

    def says_itself(self, members: Sequence[Node]) -> bool:
        """Whether what stands behind a label and a colon says what it is: `w_1: q_1 · k_1 = 5`."""
        made = denote(members[1], self.bases, self.renamed) if isinstance(members[1], Binary) else None
        return made is not None or under_root(members[0]) is not None

    def _root(self, members: Sequence[Node]) -> None:
        """`sqrt(d_k) = sqrt(2) = 1.414` says how large d_k is, and so does `sqrt(d_k) = 8`."""
        under = next(filter(None, map(under_root, members)), None)
        if under is None and not (self.ledger.shape("Q")[1] or self.ledger.shape("K")[1]):
            under = squared(members[-1])
        if under is not None:
            self.sizes.setdefault("d_k", under)

    def _squared(self, members: Sequence[Node]) -> Ref | None:
        """sqrt(2) = 1.414 where d_k is 2, and the softmax of a matrix with a row for each query."""
        match members[0]:
            case Call(function="softmax", argument=argument) if self._has_all_rows(argument):
                return Ref("A")
        under = under_root(members[0])
        widths = self.ledger.shape("W_Q")[1], self.ledger.widths.get("Q"), self.ledger.widths.get("K")
        told = self.sizes.get("d_k") if len(self.context.roots) < 2 else None  # of several it may be any
        return Ref(ROOT, 0, 0) if under and under in (told, *widths) else None
