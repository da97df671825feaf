"""Zero in names: their definitions put in, one row of a quantity after the other.

The row sums of a softmax's gradient, of a normalised row or of what a rotation gives back vanish as
expressions in what they were made of, whatever that is. So a sum is split where an enclosure does not tell
the terms with the names of one row from zero, and else a row goes first that leaves fewer terms, or the one
that was made last: what cancels goes before anything is multiplied by its denominators.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from symattn.exact.algebraic import effort
from symattn.exact.expression import Node, total
from symattn.exact.monomials import (
    Powers,
    Quotient,
    Sum,
    Term,
    TooLong,
    added,
    multiplied_out,
    raised,
    times,
)
from symattn.exact.trees import of_exact
from symattn.exact.work import MOST_MONOMIALS
from symattn.exact.zero import collected, differs_from_zero

BITS_FOR_A_TERM = 5
"""The terms that are made before the number counts as undecided are the bits of the effort over this."""


def vanishes(node: Node) -> bool:
    """Whether the expression is proved to be zero by the definitions of the names in it."""
    return _vanishes(node, effort() // BITS_FOR_A_TERM)


@lru_cache(maxsize=1 << 12)
def _vanishes(node: Node, most: int) -> bool:
    try:
        return _Search(most).vanish(collected(multiplied_out(node).over))
    except (TooLong, ValueError, OverflowError):
        return False


class _Search:
    """The search for one proof, and how many terms it may still make."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.definitions: dict[Node, Quotient] = {}

    def vanish(self, terms: Sum) -> bool:
        """Whether a sum of terms is proved to be zero."""
        while terms:
            terms = _without_common_factors(terms)
            rows = _rows(terms)
            for row in rows:
                part = tuple(term for term in terms if _factors(term, row))
                if len(part) < len(terms) and not differs_from_zero(total(*(term.node for term in part))):
                    rest = tuple(term for term in terms if not _factors(term, row))
                    return self.vanish(part) and self.vanish(rest)
            found = self.with_one_row(terms, rows)
            if found is None:
                return False
            terms = found
        return True

    def with_one_row(self, terms: Sum, rows: Sequence[set[Node]]) -> Sum | None:
        """The terms with the first row put in that leaves fewer, else with the first that can be."""
        first = None
        for row in rows:
            found = self.put_in(terms, row)
            if found is not None and len(found) < len(terms):
                return found
            first = found if first is None else first
        return first

    def put_in(self, terms: Sum, row: set[Node]) -> Sum | None:
        """The terms, up to a common factor, with the definitions of a row's names; None for long ones."""
        if self.left <= 0:
            return None
        try:
            found = collected(added(self.defined(term, row) for term in terms).over)
        except (TooLong, ValueError, OverflowError):
            self.left -= MOST_MONOMIALS
            return None
        self.left -= len(terms) + len(found)
        return found

    def defined(self, term: Term, row: set[Node]) -> Quotient:
        """The term with the definitions of a row's names."""
        factors = _factors(term, row)
        powers = tuple(pair for pair in term.powers if pair not in factors)
        result = Quotient((replace(term, powers=powers),))
        for name, q in factors:
            if name not in self.definitions:
                self.definitions[name] = multiplied_out(of_exact(name.value.definition))
            result = times(result, raised(self.definitions[name], int(q)))
        return result


def _without_common_factors(terms: Sum) -> Sum:
    """The terms without the powers of atoms that are in all of them and not zero."""
    shared = set.intersection(*(set(term.powers) for term in terms))
    common = {pair for pair in shared if differs_from_zero(pair[0])}
    return tuple(replace(t, powers=tuple(pair for pair in t.powers if pair not in common)) for t in terms)


def _rows(terms: Sum) -> list[set[Node]]:
    """The names that are factors of a term, row by row, the last made first."""
    rows = defaultdict[tuple[str, int], set[Node]](set)
    for term in terms:
        for atom, q in term.powers:
            if atom.operation == "named" and q.denominator == 1:
                rows[atom.value.name, atom.value.row].add(atom)
    return [rows[key] for key in sorted(rows, key=lambda key: (-max(n.value.depth for n in rows[key]), key))]


def _factors(term: Term, row: set[Node]) -> Powers:
    """The whole powers of the names of a row."""
    return tuple((atom, q) for atom, q in term.powers if atom in row and q.denominator == 1)
