"""From formulas to claims: every numeral of a chain that has a name is tied to an entry of the walk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, zip_longest

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Chain,
    Name,
    Node,
    Num,
    Row,
    grid_of,
    numerals,
)
from symattn.reading.notes.formulas.names import INPUTS, PROJECTIONS, ROWS, WEIGHTS, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal, is_worked
from symattn.reading.notes.layout.captions import AGAINST
from symattn.reading.notes.layout.rows import masked
from symattn.reading.notes.linking.apart import (
    is_contrast,
    is_input_of_a_step,
    is_of_another_model,
    other_angle,
)
from symattn.reading.notes.linking.attending import Share
from symattn.reading.notes.linking.bounds import can_be, can_measure
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import LOGITS, OWN, denote
from symattn.reading.notes.linking.forms import is_exponential, is_identity
from symattn.reading.notes.linking.ledger import value
from symattn.reading.notes.linking.place import table_of
from symattn.reading.notes.linking.predict import SHARE, TABLES
from symattn.reading.notes.linking.start import NOWHERE
from symattn.reading.notes.linking.statements import Weights, shares
from symattn.reading.notes.linking.subject import Subject

_OF_SIZE = re.compile(r"\b(?:shape|size|dimensions?) of$|(?:形状|维度|大小)$", re.IGNORECASE)
_SHAPED = re.compile(
    r"\b(?:shapes?|sizes?|dimensions?)\b[^.,;:=\d\[(]{0,20}$|(?:形状|维度|大小)[^。，；：=\d\[(]{0,8}$",
    re.IGNORECASE,
)
"""What stands before the numbers of a shape in a sentence: `the shape is still (2, 2)`."""
RESULTS = frozenset({"scores", "scaled", "exp", "A", "Z", "output"})
SIMILAR = frozenset({"sim", "similarity", "align", "alignment", "compatibility"})
"""Functions of a query and a key that give their score."""
EQUALS = frozenset({"X", "Q", "K", "V", *WEIGHTS})


class Linker(Subject):
    """Ties the formulas of one example to the walk."""

    def for_head(self) -> Linker:
        """A linker for one head: of what this one knows it takes X, sizes, and the keys and values of all."""
        linker = Linker(self.context, self.bases, self.turned)
        for row in range(self.ledger.shape("X")[0] if "X" in self.ledger.given else 0):
            cells = self.ledger.given["X"]
            linker.ledger.give("X", row, [cells[at] for at in sorted(cells) if at[0] == row])
        linker.ledger.whole |= self.ledger.whole & {"X"}
        for name in ("K", "V"):
            for row, nums in enumerate(self.ledger.rows_of(name)):
                linker.ledger.give(name, row, nums)
                linker.ledger.index_row(name, row, nums)
        linker.sizes |= self.sizes
        linker.renamed |= {key: name for key, name in self.renamed.items() if key.startswith(OWN)}
        return linker

    def share(self, offset: int) -> Share | None:
        """The entry of A that a numeral in a sentence is, where the sentence leaves no doubt."""
        line = self.context.line(offset)
        if line not in self.shares:
            ranked = ">" in self.context.said(line)
            weights = self._weights() if ranked else {}
            self.shares[line] = shares(self.context, line, self.bases.tokens, weights)
        share = self.shares[line].get(offset)
        rows, columns = self.size_of("A")
        inside = share is not None and share.row < (rows or 1) and share.col < (columns or 1)
        return share if inside else None

    def _weights(self) -> Weights:
        found: dict[int, dict[Fraction, list[int]]] = {}
        for (row, col), made in self.ledger.first.get("A", {}).items():
            q = value(made.num)
            if q is not None:
                found.setdefault(row, {}).setdefault(q, []).append(col)
        return found

    def chain(self, item: Item) -> bool:
        """Link a chain whose members name a quantity; False where none does."""
        if self.bases.single and self.ledger.shape("Q")[0] > 1:  # of several, `q` is the one spoken of
            self.bases = replace(self.bases, single=False)
        if item.shown:
            return self._shown(item)
        if item.target is not None:
            return self._told(item, item.target)
        assert isinstance(item.node, Chain)
        members = self._scored(item.node.members[1:] if item.broken else item.node.members)
        if item.node.relations[0] == ":" and is_exponential(members[-2 if len(members) > 1 else 0]):
            return False
        if isinstance(members[0], Name) and AGAINST.search(self.context.before(members[0].end)[-60:]):
            return False
        if item.node.relations[0] == ":" and len(members) > 2 and self.says_itself(members):
            members = members[1:]  # `Divide by sqrt(2): 5/sqrt(2) = 3.54` tells nothing of the root
        idle = self._idle(item, item.node, members)
        if idle is not None:
            self.role(*idle)
            return True
        target = self.target(members)
        if target is None:
            return False
        angle = other_angle(target, members)
        if angle is not None and target.row is not None and target.col is not None:
            self.frequencies[target.col] = angle / max(target.row + (self.bases.position or 0), 1)
        if angle is not None or self._is_of_another(target, members):
            return False
        if is_literal(members[0]):
            members = tuple(member for member in members if can_be(target.name, member))
        linked = self.members(self.scaled_already(target, members), members)
        self._same(members)
        return linked

    def _scored(self, members: Sequence[Node]) -> Sequence[Node]:
        """A chain with `q_1 · k_2` for `score(q_1, k_2)`; a quotient behind it says itself what it is."""
        match members:
            case [Binary(op="*", left=Name() as function, right=Binary(op="*") as product), *others]:
                called = denote(function, self.bases, self.renamed)
                if function.text.lower() not in SIMILAR and (called is None or called.name not in LOGITS):
                    return members
                refs = [denote(member, self.bases, self.renamed) for member in others]
                divided = any(ref is not None and ref.name == "scaled" for ref in refs)
                return others if divided else (product, *others)
        return members

    def _told(self, item: Item, target: Ref) -> bool:
        """Link what words say that a literal is, as far as it can be that."""
        told = self.told(target, item.node)
        lettered = self._below_its_letter(item, told)
        told = told if lettered else self._as_its_numbers(told, item.node)
        if lettered:  # what `S = Q K^T / sqrt(d_k)` said of the letter holds for the table below it
            told = replace(told, name=self.renamed.get(told.name, told.name))
        if told.name.startswith("norm.") or (not lettered and self._is_before_all(told)):
            return False  # of nothing that is printed
        width = self.size_of(told.name)[1]
        possible = lettered or (can_be(told.name, item.node) and can_measure(told.name, item.node, width))
        return possible and self.members(told, (item.node,))

    def _idle(self, item: Item, chain: Chain, members: Sequence[Node]) -> tuple[Node, str] | None:
        """What of a chain claims nothing, and its role: shapes, and what would be or is of other models."""
        last = members[-1]
        sized = _OF_SIZE.search(item.label) and all(num.text.isdigit() for num in numerals(last))
        if sized or (chain.relations[-1] == "→" and self.is_shape(last)):
            return last, "size"
        if is_contrast(members, self.context, self.predictor, self.twins):
            return chain, "working"
        if is_of_another_model(members, self.bases, self.widths) and self.context.is_elsewhere(item.start):
            return chain, "size"
        return None

    def _is_of_another(self, target: Ref, members: Sequence[Node]) -> bool:
        """Whether a chain names a quantity and its numbers are of something else."""
        if is_input_of_a_step(target, members, self.predictor):
            return True
        if target.name in ROWS and any(map(is_worked, members)):
            return True  # `b_1 = 0.6 (1, 0) + 0.4 (0, 1)` is no bias
        if target.name == "sum" and is_literal(members[-1]) and not self.adds_powers(members):
            return True
        if target.name == "A" and any(self.divides_others(target, member) for member in members):
            return True
        return target == Ref("A") and any(map(self.is_other_matrix, members))

    def _is_before_all(self, told: Ref) -> bool:
        """Whether words call a result what stands before all inputs of a document that has some."""
        begun = self.ledger.given or self.ledger.first
        return told.name in RESULTS and self.projects and not begun

    def _below_its_letter(self, item: Item, target: Ref) -> bool:
        """Whether nothing but its letter stands above a table, as sure a name as the one of `A = [...]`."""
        letter = self.context.above_tables[self.context.line(item.start)].strip("*_`$:：= ")
        return len(letter) == 1 and resolve(Name(letter), self.bases) == Ref(target.name)

    def _as_its_numbers(self, told: Ref, node: Node) -> Ref:
        """What a matrix below words is: `Blend the values.` may stand above what the weights make of them.

        It is what its numbers follow, where a matrix with other numbers was printed by that name before.
        """
        table = table_of(node) if grid_of(node) is not None else None
        if table is None or told != Ref(told.name) or len(table) < 2:
            return told
        before = self.ledger.rows_of(told.name)
        if len(table) != len(before):
            return told
        pairs = [
            pair for mine, first in zip(table, before, strict=True) for pair in zip(mine, first, strict=False)
        ]
        same = sum(agree(first, num) for num, first in pairs)
        fits = {
            name: sum(self.predictor.foreseen(name, i, row) for i, row in enumerate(table))
            for name in TABLES
            if same < len(pairs) and name != told.name and not self.predictor.printed(name, 0)
        }
        best = max(fits, key=lambda name: fits[name], default=told.name)
        return Ref(best) if fits.get(best, 0) > max(same, SHARE * len(pairs)) else told

    def _shown(self, item: Item) -> bool:
        """Link what a program printed: by its words, as far as its numbers agree, or by its numbers."""
        said = item.target and self.told(item.target, item.node)
        table = table_of(item.node)
        if table and said and self.are_values_again(said, table):
            return False
        if table is None or (said is not None and (said.name in INPUTS or said.row is not None)):
            return said is not None and self.members(said, (item.node,))
        if said is not None and not can_be(said.name, item.node):
            said = None
        grid = grid_of(item.node)
        if said is not None and grid is not None:
            said = replace(said, name=masked(said.name, grid) or said.name)
        if grid is None or (len(table) == 1 < self.ledger.shape("Q")[0]):
            return self._list(table[0], said, item)
        name = self.predictor.matrix_of(table, said.name if said else None)
        if name == "exp" and item.target == Ref("A"):
            return False  # until what they weigh is known
        if name is None and said == Ref("masked"):
            self.ledger.hide(table)
        if name is None:
            return False
        return self.members(Ref(name), (item.node,))

    def _list(self, nums: Sequence[Num], said: Ref | None, item: Item) -> bool:
        """Link one printed list: a row of what is said, or of what its numbers follow."""
        here = self.context.row(item.start)
        at = self.predictor.step_of(nums, here, (said.name,)) if said is not None else None
        at = at or self.predictor.step_of(nums, here)
        return at is not None and self.members(Ref(*at), (item.node,))

    def is_told_shape(self, node: Node) -> bool:
        """Whether a sentence says of a list of whole numbers that it is a shape."""
        match node:
            case Row(items=cells) if all(isinstance(cell, Num) and cell.text.isdigit() for cell in cells):
                return _SHAPED.search(self.context.before(node.start)) is not None
        return False

    def members(self, target: Ref, members: Sequence[Node]) -> bool:
        """Tie every member of a chain to what it says about the target."""
        linked, self.chains = False, self.chains + 1
        for member, after in zip_longest(members, members[1:]):
            if isinstance(member, Num) and isinstance(after, Num) and self._only_term(target, member):
                self.role(member, "working")
            elif target.name == "scaled" and _is_dividend(member, after):
                linked = self.explain(replace(target, name="scores"), member) or linked
            elif next(numerals(member), None) is not None:
                linked = self.explain(target, member) or linked
        self.ended |= {self.chains} if is_literal(members[-1]) else set()
        return linked

    def _only_term(self, target: Ref, num: Num) -> bool:
        """Whether a number before the result of a sum is all that is added up: the one key that is seen."""
        row = self.row(target, num) if target.name == "sum" else None
        cells = self.ledger.first.get("exp", {})
        return any(at[0] == row and value(made.num) == value(num) for at, made in cells.items())

    def _same(self, members: Sequence[Node]) -> None:
        """`Q = K = V = X` gives each of these the numbers of the one that has some, and so does X X^T.

        X with positions added is a step of the walk: what is equal to it is that times an identity.
        """
        inputs = self._attended()
        for member in members:
            match member:
                case Binary(op="*", left=left, right=right):
                    made = denote(left, self.bases, self.renamed), denote(right, self.bases, self.renamed)
                    if made == (Ref(inputs), Ref(inputs, transposed=True)):
                        self._equals(inputs, ("Q", "K"))
                    elif made == (Ref("A"), Ref(inputs)):
                        self._equals(inputs, ("V",))
        refs = [denote(member, self.bases, self.renamed) for member in members if isinstance(member, Name)]
        whole = [ref.name for ref in refs if ref is not None and ref == Ref(ref.name)]
        if any(map(is_identity, members)):  # `W_K = I`: what it makes of X is X
            whole = [inputs, *(name[2:] for name in whole if name in PROJECTIONS)]
        if inputs in whole and inputs != "X":
            self._equals(inputs, [name for name in whole if f"W_{name}" in PROJECTIONS])
            return
        self.equal |= dict.fromkeys(permutations(dict.fromkeys(name for name in whole if name in EQUALS), 2))
        self.equate()

    def _equals(self, inputs: str, names: Sequence[str]) -> None:
        """Let quantities be the inputs: X as it is given, or what positions make of it, times an identity."""
        width = self.ledger.shape("X")[1]
        for name in names:
            if inputs == "X":
                self.ledger.same(name, inputs)
            elif name not in self.ledger.given and f"W_{name}" not in self.ledger.given:
                for i in range(width):
                    row = [Num("1" if i == j else "0", NOWHERE, NOWHERE) for j in range(width)]
                    self.ledger.give(f"W_{name}", i, row)

    def _attended(self) -> str:
        """What is attended to: X, or what positions make of it."""
        return "X+PE" if "X+PE" in self.renamed.values() else "X"

    def equate(self) -> None:
        """Give every quantity that is said to be another one the numbers of that."""
        inputs = self._attended()
        for source, name in self.equal:
            if inputs == "X":
                self.ledger.same(name, source)
            elif source == "X":
                self._equals(inputs, (name,))


def _is_dividend(node: Node, after: Node | None) -> bool:
    """Whether a number is what is divided next: the 6 before the arrow of `6 → 6/√2 = 4.24`."""
    match node, after:
        case Num(), Binary(op="/", left=Num() as left):
            return value(node) == value(left)
    return False
