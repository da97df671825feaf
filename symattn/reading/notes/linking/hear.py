"""What words and letters of a document mean in its formulas: Z or the output, weights or scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import permutations

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Name,
    Node,
    Num,
    Row,
    binaries,
    names,
    numerals,
)
from symattn.reading.notes.formulas.names import PROJECTIONS, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.amounts import amount
from symattn.reading.notes.linking.apart import lengths
from symattn.reading.notes.linking.asking import asking
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import ambiguous, denote, own_key, written
from symattn.reading.notes.linking.encoded import TOLD
from symattn.reading.notes.linking.explain import Explainer
from symattn.reading.notes.linking.forms import before_w_o, word_of
from symattn.reading.notes.linking.learned import learned
from symattn.reading.notes.linking.place import RESIDUALS, table_of
from symattn.reading.notes.linking.terms import flatten, summand
from symattn.reading.notes.linking.twins import unscaled_twins

_LISTED = frozenset("αso")


def _agree(row: Sequence[Num], again: Sequence[Num]) -> bool:
    """Whether two lists may be one, each number to the fewer of its digits."""
    return len(row) == len(again) and all(map(agree, row, again))


def _is_power(node: Node) -> bool:
    """Whether an exponential is worked out of numbers alone."""
    return isinstance(node, Call) and node.function == "exp" and next(names(node), None) is None


class Hearer(Explainer):
    """Finds out what the words and letters of one example mean. `widths` are how long its lists are.

    `twins` is where weights begin that are told without the scale, beside those that have it.
    """

    widths: frozenset[int] = frozenset()
    twins: frozenset[int] = frozenset()

    def hear(self, items: Sequence[Item]) -> None:
        """Which letters are the document's own, and which words and letters mean Z or scores."""
        self.renamed |= dict(asking(items, self.bases)) | learned(items, self.bases, self.context)
        self.widths = lengths(items)
        self.twins = unscaled_twins(items, self.widths)
        self.projects = self._speaks_of(items, PROJECTIONS)
        if self.context.unprojected and not self.projects:
            self.equal |= dict.fromkeys(permutations(("X", "Q", "K", "V"), 2))
        plain = not self.projects and not self._speaks_of(items, frozenset("QKV"))
        for item in items:
            match item.node:
                case Chain(members=(*worked, Num() as power)) if any(map(_is_power, worked)):
                    self.predictor.powers.append(power)
                    worth = [x for x in map(amount, worked) if x is not None]
                    self.predictor.worth |= dict.fromkeys((power.start,), worth[0]) if worth else {}
                case Chain(members=(*worked, Row() as powers)) if is_literal(powers) and any(
                    isinstance(member, Row) and all(map(_is_power, member.items)) for member in worked
                ):
                    self.predictor.powers += numerals(powers)
            if isinstance(item.node, Chain) and not item.broken and item.node.relations[0] != ":":
                self._scores_by(item.node.members)
            if plain:
                for product in binaries(item.node):
                    self._of_inputs(product)
            for member in item.node.members if isinstance(item.node, Chain) else (item.node,):
                word = before_w_o(member)
                if word is not None:
                    self.renamed[written(word)] = "Z"
                made = denote(member, self.bases, self.renamed)
                if made is not None and made.name in RESIDUALS:  # `X + Z`, whose numbers are not printed
                    self.renamed.setdefault("norm", RESIDUALS[made.name])

    def _speaks_of(self, items: Sequence[Item], meant: Collection[str]) -> bool:
        """Whether one of some quantities is named, in a formula or by words."""
        if any(item.target is not None and item.target.name in meant for item in items):
            return True
        refs = (resolve(name, self.bases) for item in items for name in names(item.node))
        return any(ref is not None and ref.name in meant for ref in refs)

    def _scores_by(self, members: Sequence[Node]) -> None:
        """`α_ij = q_i · k_j`, `Z = Q K^T`: a letter that usually is a weight or an output is a score here."""
        letter = members[0]
        ref = denote(letter, self.bases, self.renamed)
        if not isinstance(letter, Name) or ref is None:
            return
        if self.bases.single and ref.row == 0:
            ref = replace(ref, row=None)
        if ref.name != "A" and ref != Ref("Z"):
            return
        key = written(letter) if ref.name == "A" else own_key(letter)
        for member in members[1:]:
            made = denote(member, self.bases, self.renamed)
            if (
                made is not None
                and made.name in ("scores", "scaled")
                and (ref.name == "A" or ref == Ref("Z"))
            ):
                self.renamed[key] = made.name

    def _of_inputs(self, product: Binary) -> None:
        """`x_i^T x_j` and `0.6 x_1`, where nobody speaks of Q, K and V: these are the inputs."""
        if product.op != "*":
            return
        a, b = (denote(factor, self.bases, self.renamed) for factor in (product.left, product.right))
        if b is None or b.name != "X":
            return
        if a is not None and a.name == "X" and a.running and b.running:
            self.equal |= {("X", "Q"): None, ("X", "K"): None}
        elif isinstance(product.left, Num) and b.row is not None:
            self.equal["X", "V"] = None

    def unprojected(self, target: Ref, members: Sequence[Node]) -> Ref:
        """Z or Z W_O, by whatever word they go: by a formula, by the weights in a sum, or by the numbers.

        What is found out about a word holds wherever the document uses it.
        """
        word = word_of(members[0])
        if word is None or not ambiguous(word, self.bases, self.renamed):
            return target
        name = self._formula(members[1:]) or ("Z" if self._weighed_by_a(members[1:]) else None)
        name = name or self._by_width(members) or self._by_numbers(target, members)
        if name is None:
            return target
        self.renamed[written(word)] = name
        return replace(target, name=name)

    def told(self, target: Ref, node: Node) -> Ref:
        """What a table, a printed variable or a letter alone is: it may mean Z or Z W_O, X or X + PE."""
        target = replace(target, name=self.renamed.get(TOLD + target.name, target.name))
        if target.name.startswith("norm.") and "norm" in self.renamed:
            return replace(target, name=self.renamed["norm"] + target.name.removeprefix("norm"))
        if target.name != "Z" or "projected" not in self.renamed:
            return target
        return replace(target, name=self._by_width((node,)) or self._by_numbers(target, (node,)) or "Z")

    def _by_width(self, members: Sequence[Node]) -> str | None:
        """Z or output, where a row has as many numbers as only one of them."""
        sides = set(self.ledger.shape("W_O"))
        of_z = {self.size_of("V")[1]} & sides
        widths = {len(row) for member in members for row in table_of(member) or ()}
        if len(sides) != 2 or len(of_z) != 1 or len(widths) != 1 or not widths <= sides:
            return None
        return "Z" if widths == of_z else "output"

    def _formula(self, members: Sequence[Node]) -> str | None:
        """Z or output, where a product of names says so."""
        made = [denote(member, self.bases, self.renamed) for member in members if isinstance(member, Binary)]
        return next((ref.name for ref in made if ref is not None and ref.name in ("Z", "output")), None)

    def _weighed_by_a(self, members: Sequence[Node]) -> bool:
        """Whether a printed row of A weighs the summands of a member."""
        for member in members:
            weights = [pair[0] for term in flatten(member) if (pair := summand(term)) is not None]
            if weights and any(_agree(row, weights) for row in self.ledger.rows_of("A")):
                return True
        return False

    def _by_numbers(self, target: Ref, members: Sequence[Node]) -> str | None:
        """Z or output, whichever explains more of the numbers, or comes nearer to them."""
        lines = [line for member in members if (table := table_of(member)) is not None for line in table]
        rows = [(i if target.row is None else target.row, nums) for i, nums in enumerate(lines)]
        fits = {
            name: (
                sum(self.predictor.explained(name, *row) for row in rows),
                -sum(self.predictor.distance(name, *row) for row in rows),
            )
            for name in ("Z", "output")
        }
        return max(fits, key=lambda name: fits[name]) if len(set(fits.values())) > 1 else None

    def lettered(self, members: Sequence[Node]) -> Ref | None:
        """A letter that needs an index for a number and none for a list: `α = [0.2, 0.8]`."""
        letter = members[0]
        listed = is_literal(members[-1]) and not isinstance(members[-1], Num)
        if isinstance(letter, Name) and letter.text in _LISTED and not letter.subs and listed:
            return resolve(letter, self.bases, indexed=True)
        return None
