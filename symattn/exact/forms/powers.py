"""Powers of e, of which imaginary ones are turns: sines and cosines, and back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from flint import fmpq

from symattn.exact.forms.polynomial import ONE, Generator, Monomial, Poly, monomial, times
from symattn.exact.forms.value import IMAGINARY, NOTHING, PLAIN, Parts, Radical, Value, name_of, reduced

HALF = fmpq(1, 2)
Wave = tuple[str, Value]
"""sin or cos, and of what."""


class Unsupported(ValueError):
    """A number that the normal form has no room for, such as a huge power."""


def power_of_e(exponent: Value) -> Monomial:
    """e^exponent as a monomial: its generators are e to each rational-free part of the exponent."""
    powers: dict[Generator, Any] = {}
    if exponent.under == ONE:
        for turns, piece, q in _pieces(exponent):
            g = Generator("turn" if turns else "exp", piece.key, piece)
            powers[g] = powers.get(g, 0) + q
    elif exponent:
        r = min(exponent.parts, key=name_of)
        q = exponent.parts[r].content
        if any(-1 in r for r in exponent.parts) or any(g.kind == "turn" for g in exponent.generators):
            raise Unsupported
        piece = exponent.scaled(1 / q)
        powers[Generator("exp", piece.key, piece)] = q
    return monomial(powers)


def _pieces(exponent: Value) -> Iterator[tuple[bool, Value, Any]]:
    """Whether it is imaginary, what e is raised to, and how often, for each term of an exponent."""
    if any(g.kind == "turn" for p in exponent.parts.values() for g in p.generators):
        for r, m, wave, q in real_terms(exponent.parts):
            piece = Value({r - IMAGINARY: Poly({m: fmpq(1)})})
            yield -1 in r, piece if wave is None else piece * wave_value(*wave), q
        return
    for r, p in exponent.parts.items():
        for m, q in p.terms.items():
            if any(g.kind == "log" for g, _ in m) or (-1 in r and any(g.name == "pi" for g, _ in m)):
                raise Unsupported
            of_integers = not m and all(isinstance(g, int) for g in r)
            real = r - IMAGINARY
            yield -1 in r, _root(real) if of_integers else Value({real: Poly({m: fmpq(1)})}), q


@lru_cache(maxsize=1 << 8)
def _root(r: Radical) -> Value:
    """A root of an integer, or 1, which the exponents of a row share; atoms of one name may differ."""
    return Value({r: ONE})


def wave_value(name: str, angle: Value) -> Value:
    """The sine or cosine of an angle, in powers of e^(i angle)."""
    m = power_of_e(angle * Value({IMAGINARY: ONE}))
    back = times((), m, -1)
    if name == "cos":
        return reduced({PLAIN: Poly({m: HALF}) + Poly({back: HALF})})
    return reduced({IMAGINARY: Poly({m: -HALF}) + Poly({back: HALF})})


def real_terms(parts: Parts) -> Iterator[tuple[Radical, Monomial, Wave | None, Any]]:
    """The terms q sqrt(r) m cos(a) or sin(a) of a sum of roots and turns: c e^(ia) + d e^(-ia)."""
    found: dict[tuple[Radical, Monomial, Monomial, str], Any] = {}
    for r, p in parts.items():
        for m, q in p.terms.items():
            turn = tuple(pair for pair in m if pair[0].kind == "turn")
            rest = tuple(pair for pair in m if pair[0].kind != "turn")
            if not turn:
                found[r, rest, (), ""] = found.get((r, rest, (), ""), 0) + q
                continue
            s = 1 if turn[0][1] > 0 else -1
            turn = turn if s > 0 else times((), turn, -1)
            # i e^(ia) = i cos a - sin a, and e^(ia) = cos a + i sin a
            sine, sign = (r - IMAGINARY, -s) if -1 in r else (r | IMAGINARY, s)
            for key, c in (((r, rest, turn, "cos"), q), ((sine, rest, turn, "sin"), sign * q)):
                found[key] = found.get(key, 0) + c
    for (r, rest, turn, name), q in found.items():
        if q:
            yield r, rest, (name, angle_of(turn)) if turn else None, q


def angle_of(turn: Monomial) -> Value:
    """The angle of a product of turns, or the exponent of one of powers of e."""
    if len(turn) == 1:
        ((g, k),) = turn
        return g.thing.scaled(k)  # type: ignore[no-any-return]
    total = NOTHING
    for g, k in turn:
        total = total + g.thing.scaled(k)
    return total
