"""Exact numbers as strings that SymPy reads back: `109/100`, `27*sqrt(2)/2`, `1/(1 + exp(27*sqrt(2)))`.

Plain numbers are written without importing SymPy.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import Any

from flint import fmpz

from symattn.exact.carried_forms import text
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite, Terms, oscillates
from symattn.exact.surd import ONE, Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.transposed import Transposed
from symattn.exact.trees import of_exact
from symattn.exact.weighted import Weighted


def plain(x: Exact) -> str:
    """The closed form of x on one line."""
    if isinstance(x, Infinite):
        return "-oo"
    if x.carried:
        return text(of_exact(x))
    if x.symbolic or oscillates(x.over) or oscillates(x.under):
        return _source(x.to_sympy())
    return _over(_sum(x.over), "" if x.under.constant == ONE else _sum(x.under))


def _source(expression: Any) -> str:
    from symattn.exact.huge import source

    return source(expression)


def brief(x: Exact, longest: int) -> str | None:
    """The closed form of x where it has at most `longest` characters: a long one is not even written.

    Every term, and every leaf of an expression, takes a character at least.
    """
    if not isinstance(x, Infinite):
        pairs = [pair for terms in (x.over, x.under) for pair in terms.by_exponent.items()]
        parts = (part for pair in pairs for part in pair if not isinstance(part, Surd))
        leaves = chain.from_iterable(part.leaves for part in parts)
        if len(pairs) > longest or next(islice(leaves, longest, None), None) is not None:
            return None
    form = plain(x)
    return form if len(form) <= longest else None


def plain_table(matrix: Matrix) -> list[list[str]]:
    """Every entry of a matrix as `plain` writes it; what a row's entries share is written once."""
    sums: dict[int, tuple[Terms, str]] = {}
    powers: dict[Surd, str] = {}

    def total(terms: Terms) -> str:
        known = sums.get(id(terms))
        if known is None:
            known = sums[id(terms)] = terms, _sum(terms, powers)  # kept alive: its id stays its own
        return known[1]

    def entry(x: Exact) -> str:
        if isinstance(x, Infinite) or x.symbolic or oscillates(x.over) or oscillates(x.under):
            return plain(x)
        return _over(_sum(x.over, powers), "" if x.under.constant == ONE else total(x.under))

    table = []
    for row in matrix.rows():
        table.append([entry(x) for x in row])
        sums.clear()
    return table


def terms_in(matrix: Matrix) -> int:
    """About how many exponentials `plain_table` writes out, without making them."""
    n, m = matrix.shape
    matrix = matrix.matrix if isinstance(matrix, Transposed) else matrix
    if not isinstance(matrix, Weighted):
        return n * m
    keys = matrix.logits.shape[1]
    return n * m * keys * (2 if matrix.normalised and matrix.coefficients is not None else 1)


def _over(over: str, under: str) -> str:
    if not under:
        return over
    several = over.startswith("-") or " + " in over or " - " in over
    return f"({over})/({under})" if several else f"{over}/({under})"


def _sum(terms: Terms, powers: dict[Surd, str] | None = None) -> str:
    known = {} if powers is None else powers
    return _joined([_term(exponent, c, known) for exponent, c in terms.by_exponent.items()])


def _joined(parts: list[str]) -> str:
    rest = (f" - {part[1:]}" if part.startswith("-") else f" + {part}" for part in parts[1:])
    return "".join((parts[0] if parts else "0", *rest))


def _term(exponent: Coefficient, c: Coefficient, powers: dict[Surd, str]) -> str:
    assert isinstance(exponent, Surd)
    assert isinstance(c, Surd)
    if not exponent:
        return _surd(c)
    power = powers.get(exponent) or powers.setdefault(exponent, f"exp({_surd(exponent)})")
    if c == ONE:
        return power
    if c == -ONE:
        return f"-{power}"
    factor = _surd(c)
    return f"({factor})*{power}" if len(c.terms) > 1 else f"{factor}*{power}"


def _surd(c: Surd) -> str:
    return _joined([_root(m, q) for m, q in c.terms])


def _root(m: int, q: Any) -> str:
    if m == 1:
        return _whole(q.p) + (f"/{_whole(q.q)}" if q.q != 1 else "")
    front = "" if q.p == 1 else "-" if q.p == -1 else f"{_whole(q.p)}*"
    return f"{front}sqrt({m})" + (f"/{_whole(q.q)}" if q.q != 1 else "")


LONGEST_INTEGER = 4000
"""Digits of an integer that Python reads at once (its own limit is 4300)."""


def _whole(n: fmpz) -> str:
    """An integer; a long one as a sum of blocks, which Python and SymPy read back."""
    text = str(n)
    if len(text) <= LONGEST_INTEGER:
        return text
    sign, text = ("-", text[1:]) if n < 0 else ("", text)
    blocks = []
    for end in range(len(text), 0, -LONGEST_INTEGER):
        block, shift = text[max(0, end - LONGEST_INTEGER) : end].lstrip("0"), len(text) - end
        if block:
            blocks.append(f"{block}*10**{shift}" if shift else block)
    return f"{sign}({' + '.join(reversed(blocks))})"
