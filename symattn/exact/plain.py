"""Exact numbers as strings that SymPy reads back: `109/100`, `27*sqrt(2)/2`, `1/(1 + exp(27*sqrt(2)))`.

Plain numbers are written without importing SymPy.
"""

from __future__ import annotations

from typing import Any

from symattn.exact.number import Exact, Infinite, Terms, _oscillates
from symattn.exact.surd import ONE, Surd
from symattn.exact.symbolic import Coefficient


def plain(x: Exact) -> str:
    """The closed form of x on one line."""
    if isinstance(x, Infinite):
        return "-oo"
    if x.symbolic or _oscillates(x.over) or _oscillates(x.under):
        return str(x.to_sympy())
    over, under = _sum(x.over), _sum(x.under)
    if x.under.constant == ONE:
        return over
    several = over.startswith("-") or " + " in over or " - " in over
    return f"({over})/({under})" if several else f"{over}/({under})"


def _sum(terms: Terms) -> str:
    return _joined([_term(exponent, c) for exponent, c in terms.by_exponent.items()])


def _joined(parts: list[str]) -> str:
    text = parts[0] if parts else "0"
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def _term(exponent: Coefficient, c: Coefficient) -> str:
    assert isinstance(exponent, Surd)
    assert isinstance(c, Surd)
    if not exponent:
        return _surd(c)
    power = f"exp({_surd(exponent)})"
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
        return str(q)
    p, d = int(q.p), int(q.q)
    front = "" if p == 1 else "-" if p == -1 else f"{p}*"
    return f"{front}sqrt({m})" + (f"/{d}" if d != 1 else "")
