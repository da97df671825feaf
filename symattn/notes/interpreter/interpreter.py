"""Runs the statements of a document: binds what is printed, and judges it by its working or its formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter import formulas, values
from symattn.notes.interpreter.environment import Environment
from symattn.notes.interpreter.evaluate import complete, evaluate, terms
from symattn.notes.interpreter.match import Match, best, exactly, match, meet
from symattn.notes.interpreter.prints import Printed, Prints
from symattn.notes.interpreter.reading import Claim, Rank, Reading
from symattn.notes.interpreter.titles import Titles
from symattn.notes.interpreter.usual import EXPONENTIALS, JOINED, SUMS, usual
from symattn.notes.interpreter.values import Value

if TYPE_CHECKING:
    from symattn.notes.grammar.chains import Statement
    from symattn.notes.grammar.tokens import Token

NEAR: Final = 4
"""How many statements a formula without a result may stand before its print."""
INPUTS: Final = ("x", "w", "e")
RESULTS: Final = ("s", "scaled", "masked", "a", "z")
"""What is worked out where sources of it are printed before."""
QUANTITIES: Final = (*"xwbqkv", *RESULTS, *EXPONENTIALS, *SUMS, *JOINED)


class Interpreter(Struct, eq=False):
    """What the statements read so far say.

    `wrong` is what an earlier run found wrong, with what was expected, and `made` what it took for a result.
    `claims` are what the readings say of each numeral; `pending` are names of formulas whose results are not
    printed yet; `worked` says that a formula with its result stands before.
    """

    wrong: Mapping[Token, float] = field(default_factory=dict)
    made: Set[Token] = frozenset()
    env: Environment = field(default_factory=Environment)
    prints: Prints = field(default_factory=Prints)
    readings: list[Reading] = field(default_factory=list)
    claims: dict[Token, list[Claim]] = field(default_factory=dict)
    numerals: dict[str, Token] = field(default_factory=dict)
    pending: list[tuple[Node, int]] = field(default_factory=list)
    titles: Titles = field(default_factory=Titles)
    worked: bool = False

    def run(self, order: int, statement: Statement) -> None:
        """One statement: its parts first, then its members from left to right."""
        chain, self.env.head = statement.chain, statement.head
        self.env.computed.clear()
        finest = min((t.unit for t in chain.args[-1].tokens if t.unit), default=0.0)
        for sign, member in zip(["", *chain.between], chain.args, strict=True):
            self._operands_given(member, sign, finest)
        for inner in formulas.chains(chain)[:-1]:
            self._judge(inner, order)
            if inner.args[0].kind == "name":
                self._bind(inner, order, statement)
        self._judge(chain, order)
        self._bind(chain, order, statement)
        self.worked = self.worked or (
            bool(chain.args[-1].shape) and any(m.kind not in ("lit", "name") for m in chain.args)
        )
        first = chain.args[0]
        if len(chain.args) == 1 and first.kind == "lit" and not first.shape:
            return  # a number in prose
        for leaf in formulas.leaves(chain):
            self.numerals.update((token.text, token) for token in leaf.tokens if not token.given)

    def claim(self, reading: Reading) -> None:
        """Notes what a reading says of its numerals."""
        self.readings.append(reading)
        for token, claim in reading.claims().items():
            self.claims.setdefault(token, []).append(claim)

    def explains(self, tokens: Iterable[Token]) -> bool:
        """Whether a reading says something of one of these numerals."""
        return any(token in self.claims for token in tokens)

    def _operands_given(self, member: Node, sign: str, finest: float) -> None:
        """Operands are exact unless they repeat a result, round a root, stand behind ≈, or have no fewer
        places than what is made of them."""
        if member.kind == "lit":
            return
        for token in (token for leaf in formulas.leaves(member) for token in leaf.tokens):
            first = self.numerals.get(token.text)
            square = token.value**2
            rooted = (
                token.value > 1.2
                and token.unit > 0
                and abs(square - round(square)) < 2 * token.value * token.unit
            )
            token.given = first is None and not rooted and sign != "≈" and token.unit >= 0.1
            token.given = token.given and not finest >= token.unit
            if first is not None and len(token.text) > 2:
                self.prints.copies.setdefault(token, first)

    def _judge(self, chain: Node, order: int) -> None:
        members, signs = chain.args, chain.between
        name = formulas.title(members)
        for k, member in enumerate(members):
            if k and signs[k - 1] not in (":", "→"):
                self._terms(members[k - 1], member, order, name)
                self._operands(members[k - 1], member, order, name)
            if member.kind != "lit" or (not k and signs[:1] == [":"] and not member.shape):
                continue
            before = formulas.sources(members, signs, k) or [
                m for m, sign in zip(members[k + 1 :], signs[k:], strict=True) if sign != "→" and complete(m)
            ]
            sign, known = signs[k - 1] if k else "", True
            listed = sign == ":" and len(member.shape) == 2 and "=" in signs[: k - 1]
            for source in reversed(before):
                known &= self._result(source, member, order, name, "=" if listed else sign, known)
            if k and members[k - 1].kind == "lit":
                self._repeat(members[k - 1], member, name)

    def _result(self, source: Node, member: Node, order: int, name: str, sign: str, near: bool) -> bool:
        """A literal against an expression before it; clear if all between is understood. Whether it is."""
        if source.kind == "name":
            return True
        candidates = evaluate(source, self.env, order)
        found = best(member, candidates)
        if found is None:
            return False
        whole = complete(source)
        if whole and sign == "=" and formulas.of_integers(source) and not any(t.unit for t in member.tokens):
            found = exactly(member, found)
        straight = source.kind != "T" and values.reshaped(candidates[0], member.shape) is not None
        straight = straight and near and not (not member.shape and formulas.far(member, found))
        clear = straight and sign not in (":", "→") and (whole or formulas.clear(source, self.env, order))
        rank = Rank.WORKING if whole else Rank.WRITTEN
        if source.kind == "T" or sign == "→":
            rank = Rank.PASSIVE
        why = "its working" if whole else f"its formula {source.key()}"
        beside = any(leaf.shape for leaf in formulas.leaves(source))
        relation = "≈" if sign == "≈" else "="
        form = formulas.form(name, source)
        self.claim(Reading(rank, member, found, name, why, form, clear, beside, relation))
        return True

    def _terms(self, before: Node, member: Node, order: int, name: str) -> None:
        """The terms of a sum that was worked out, one by one."""
        if member.kind not in ("add", "sub") or before.kind == "lit":
            return
        parts = formulas.summands(member)
        expected = terms(before, self.env, order) if parts else None
        if expected is None or len(expected) != len(parts):
            return
        pairs: list[tuple[Node, Match]] = []
        for (leaf, sign), value in zip(parts, expected, strict=True):
            found = match(formulas.signed(leaf, sign), value)
            if found is None:
                return
            pairs.append((leaf, found))
        good = sum(found.wrong == 0 for _, found in pairs)
        for leaf, found in pairs:
            if found.wrong == 0 or (complete(before) and good * 2 >= len(pairs)):
                why = "the term of the working before it"
                self.claim(Reading(Rank.WORKING, leaf, found, f"{name} term", why, (), True))

    def _operands(self, before: Node, member: Node, order: int, name: str, same: bool = False) -> None:
        """Printed operands under what they stand for.

        They are confirmed under a name where they agree, and judged where a working stands before them; of
        expressions that may have the same value, as 1/√2 and √2/2, nothing else has to agree.
        """
        if member.kind != "lit":
            if before.kind == member.kind and len(before.args) == len(member.args):
                same = same or meet(evaluate(before, self.env, order), evaluate(member, self.env, order))
                for a, b in zip(before.args, member.args, strict=True):
                    self._operands(a, b, order, name, same)
            return
        if complete(before):
            found = best(member, evaluate(before, self.env, order)) if same else None
            if not same or (found is not None and found.wrong == 0):
                self._result(before, member, order, name, "=", True)
        elif before.kind not in ("lit", "chain", "hole"):
            if before.kind == "name":
                known = self.env.lookup(before, order)
            else:
                known = [b.value for b in self.env.nearest(before.key(), order)]
            found = best(member, known)
            if found is not None and found.wrong == 0:
                why = f"printed again under {before.key()}"
                self.claim(Reading(Rank.COPIED, member, found, name, why))

    def _repeat(self, before: Node, member: Node, name: str) -> None:
        """A literal behind a literal: the same numbers with fewer places."""
        found = match(member, values.printed(before))
        if found is not None and found.wrong == 0:
            self.claim(Reading(Rank.PASSIVE, member, found, name, "the number before it, rounded"))

    def _bind(self, chain: Node, order: int, statement: Statement) -> None:
        members = chain.args
        literal = next((m for m in reversed(members) if m.kind == "lit"), None)
        named = [m for m in members if m.kind in ("name", "sqrt") or (m.kind != "lit" and m.names())]
        if literal is not None:
            self._print(literal, named, order, statement)
        elif len(members) == 2 and formulas.named(members[0]) and formulas.elsewhere(members[1]):
            self.env.forget(members[0].key(), order)
        elif len(named) > 1 and formulas.named(named[0]):
            for formula in members[1:]:
                self.env.define(named[0].key(), formula, order)
            self.pending = [p for p in self.pending if order - p[1] < NEAR] + [(named[0], order)]
        elif members[0].kind == "call" and members[0].name == "unknown":  # what it prints is not its argument
            used = {argument.key() for argument in members[0].args}
            self.pending = [p for p in self.pending if p[0].key() not in used]
        for inner in (inner for member in members for inner in formulas.literals(member)):
            if inner is not literal:
                self.prints.remember(inner, "")

    def _print(self, literal: Node, named: list[Node], order: int, statement: Statement) -> None:
        """Binds a printed result or given to the names of its chain.

        A matrix without a name is the result of the formula just before it.
        """
        key = next((m.key() for m in named if formulas.named(m)), "")
        sizes = len(literal.shape) == 1 and all(t.unit == 0 for t in literal.tokens)
        near = self.pending and order - self.pending[-1][1] < NEAR
        if not named and literal.shape and not sizes and near and self._leads_on():
            named, key = [self.pending[-1][0]], self.pending[-1][0].key()
        title = statement.title
        titled = not key and self.titles.names(title, literal, self.env, order)
        if titled and title is not None:
            named, key = [*named, Node("name", name=title.key)], title.key
        if literal.shape:
            self.pending = []
        self.prints.remember(literal, key)
        unexplained = not self.explains(literal.tokens)
        if unexplained and key:
            self._by_formula(literal, key, order, titled=titled)
        begins = not self.claims and not self.worked and all(t.unit in (0.0, 0.1) for t in literal.tokens)
        begins = begins and (titled or key.partition("_")[0] not in RESULTS or not self.prints.sources())
        base = key.partition("_")[0]
        made = any(f.kind == "add" for name in (key, base) for f in self.env.definitions(name, order))
        made = made or any(token in self.made for token in literal.tokens)
        if unexplained and (base in INPUTS or begins):
            for token in literal.tokens:
                token.given = token.unit >= 0.001 and not made
        mended = self._mended(literal)
        for member in named:
            self.env.bind(member.key(), literal, order, mended)
        for piece in formulas.slices(literal) + formulas.table_columns(literal):
            value, mended = values.printed(piece), self._mended(piece)
            self.prints.order.append(Printed(order, piece, value, key, statement, mended))

    def entitle(self, printed: Printed) -> Printed:
        """Rows printed one by one under a title that names no row of them: the matrix that they make."""
        literal, title, order = printed.node, printed.statement.title, printed.order
        if title is None or printed.base in QUANTITIES:
            return self._whole(printed)
        if self.explains(literal.tokens) or not self.titles.names(title, literal, self.env, order):
            return self._whole(printed)
        self._by_formula(literal, title.key, order, titled=True)
        self.env.bind(title.key, literal, order, self._mended(literal))
        return replace(printed, name=title.key)

    def _whole(self, printed: Printed) -> Printed:
        """Rows or entries printed one by one, by the formula of their matrix."""
        self.env.head = printed.statement.head
        if printed.name:
            self.env.bind(printed.name, printed.node, printed.order, printed.mended)
        if printed.name and not all(token in self.claims for token in printed.node.tokens):
            self._by_formula(printed.node, printed.name, printed.order, titled=False)
        return printed

    def _leads_on(self) -> bool:
        """Whether formulas without a result lead one to the next, so that a print is that of the last."""
        definitions = (f for name, _ in self.pending for f in self.env.definitions(name.key(), 1 << 30))
        used = {name.name for formula in definitions for name in formula.names()}
        return all(name.name in used or name.key() == self.pending[-1][0].key() for name, _ in self.pending)

    def _mended(self, literal: Node) -> Value | None:
        """A literal with what its formula expects where it is wrong, or None."""
        expected = [self.wrong.get(t) for t in literal.tokens]
        if all(e is None for e in expected):
            return None
        value = values.printed(literal)
        mid, low, high = value.mid.copy(), value.low.copy(), value.high.copy()
        for i, right in enumerate(expected):
            if right is not None:
                mid.flat[i] = low.flat[i] = high.flat[i] = right
        return Value(mid, low, high, value.made)

    def _by_formula(self, literal: Node, key: str, order: int, *, titled: bool) -> None:
        """A result by a formula given earlier, for itself or for the matrix that it is a part of.

        Where none explains all of it, by what such a name usually is, as far as the document bears it out.
        """
        formulas_of = [f for f in self.env.definitions(key, order) if f.kind != "name"]
        found = self._best_formula(literal, formulas_of, order)
        if found is not None:
            best_match, formula, tried = found
            clear = tried == 1 and formulas.clear(formula, self.env, order)
            rank, why = Rank.WRITTEN if clear else Rank.DEFINED, f"the formula given before: {formula.key()}"
            form = () if titled else formulas.form(key, formula)
            self.claim(Reading(rank, literal, best_match, key, why, form, clear))
        if all(token in self.claims for token in literal.tokens):
            return
        found = self._best_formula(literal, usual(key, self.env.heads), order)
        if found is not None:
            best_match, formula, _ = found
            why = f"what {key.partition('_')[0]} usually is"
            form = () if titled else formulas.form(key, formula)
            self.claim(Reading(Rank.USUAL, literal, best_match, key, why, form))

    def _best_formula(self, literal: Node, among: list[Node], order: int) -> tuple[Match, Node, int] | None:
        """The formula that explains most of a literal, its comparison, and how many could be tried."""
        tried = [(best(literal, evaluate(formula, self.env, order)), formula) for formula in among]
        fitting = [(found, formula) for found, formula in tried if found is not None]
        if not fitting:
            return None
        found, formula = max(fitting, key=lambda t: t[0].score)
        return found, formula, len(fitting)
