"""Enclosures of polynomials and values, for signs and for the order of terms."""

from __future__ import annotations

from flint import arb, ctx, fmpq

from symattn.exact.evaluation import HasSymbols, ball
from symattn.exact.forms.polynomial import ONE, Generator, Poly
from symattn.exact.forms.powers import Unsupported, real_terms
from symattn.exact.forms.value import PLAIN, Value, under_root
from symattn.exact.trees import of_sympy as node_of

BITS = 256


def known_sign(f: Poly | Value) -> int:
    """1 or -1 where coefficients of one sign or an enclosure show it. Raises Unsupported."""
    if isinstance(f, Poly) and all(g.kind == "exp" for g in f.generators):
        signs = {q > 0 for q in f.terms.values()}
        if len(signs) == 1:
            return 1 if signs.pop() else -1
    with ctx.workprec(BITS):
        value = ball_of(f)
    if value is None or not (value > 0 or value < 0):
        raise Unsupported
    return 1 if value > 0 else -1


def ball_of(x: Poly | Value) -> arb | None:
    """A ball around a real number at the working precision; None with symbols, and with turns."""
    try:
        return _ball(x)
    except (HasSymbols, ValueError, AttributeError):
        return None


def _ball(x: Poly | Value) -> arb:
    total = arb(0)
    if isinstance(x, Value):
        for r, m, wave, q in real_terms(x.parts):
            part = arb(q) * _ball(Poly({m: fmpq(1)})) * _ball(under_root(r)).sqrt()
            total += part if wave is None else part * getattr(_ball(wave[1]), wave[0])()
        return total if x.under == ONE else total / _ball(Value({PLAIN: x.under}))
    for m, q in x.terms.items():
        part = arb(q)
        for g, k in m:
            if g.kind == "turn":
                raise ValueError(g.name)
            part *= (_ball(g.thing) * arb(k)).exp() if g.kind == "exp" else _leaf(g) ** int(k.p)
        total += part
    return total


def _leaf(g: Generator) -> arb:
    if g.kind == "log":
        return arb(g.thing).log() if isinstance(g.thing, int) else _ball(g.thing).log()
    if isinstance(g.thing, tuple):
        inside = _ball(g.thing[1])
        return inside.sqrt() if g.thing[0] == "root" else inside.log()
    found = ball(node_of(g.thing))
    return found if isinstance(found, arb) else found.real
