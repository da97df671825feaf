"""The writings of a normal form, of which the shortest is printed.

The measure is the number of characters on one line, spaces left out; of equally short ones the first in the
fixed order below is taken. All are made from the normal form alone, so that equal values are written alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from flint import fmpq

from symattn.exact.forms.assemble import added, factor, flattened, multiple, product
from symattn.exact.forms.logarithms import by_logarithm, joined, whole_logarithm
from symattn.exact.forms.nested import common_root
from symattn.exact.forms.polynomial import (
    ONE,
    Generator,
    Monomial,
    Poly,
    TooLong,
    factors,
    times,
)
from symattn.exact.forms.powers import angle_of
from symattn.exact.forms.root_factors import content_and_rest, without_root_factors
from symattn.exact.forms.terms import by_radical, growth, in_waves, leads_with_minus, ordered, signed_factors
from symattn.exact.forms.tree import Style, spell_coefficient, spell_rational, spell_tree
from symattn.exact.forms.value import (
    PLAIN,
    WHOLE,
    Radical,
    Value,
    product_of,
    rational,
    reduced,
    under_root,
)
from symattn.exact.forms.width import width
from symattn.text.notation import (
    Call,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Symbol,
)

E = Symbol("e")
TWO = Number("2")


@lru_cache(maxsize=1 << 12)
def written(v: Value, style: Style = "fraction") -> Formula:
    """The closed form of a value."""
    surd = v.surd
    if surd is not None:
        return spell_coefficient(surd, style)
    return _shortest(_writings(in_waves(v), style))


def _shortest(forms: Iterable[Formula]) -> Formula:
    first, *others = forms
    return min((first, *others), key=width) if others else first  # the first of equals


def _writings(v: Value, style: Style) -> Iterator[Formula]:
    if any(g.kind == "log" for p in v.parts.values() for g in p.generators):
        groups = by_logarithm(v)
        yield _logarithms(groups, style)
        if all(c.surd is not None for _, c in groups):
            return
    yield from _quotients(v, style)
    if len(v.parts) > 1 and v.under != ONE:
        parts = sorted(v.parts.items(), key=by_radical)
        yield added([term for r, p in parts for term in _pieces(reduced({r: p}, v.under), style)])


# ---- quotients


def _quotients(v: Value, style: Style) -> Iterator[Formula]:
    """A quotient: over its denominator, roots above or below, multiplied out or not."""
    if v.under == ONE:
        yield distributed(v, style)
        if v.plain is not None and (v.plain[0].units or style == "decimal"):
            return  # a plain sum of exponentials stays one, and 0.7 a + 0.1 b
    if len(v.parts) > 1:
        root = common_root(v)
        if root:
            rest = Value({r: p.scaled(1, root, -1) for r, p in v.parts.items()}, v.under)
            for pair in without_root_factors(rest) or [(Value(rest.parts), Value({PLAIN: v.under}))]:
                yield _over(*pair, style, root)
        cancelled = without_root_factors(v)
        yield from (_over(*pair, style) for pair in cancelled or [(Value(v.parts), Value({PLAIN: v.under}))])
        if v.under != ONE and len({g for r in v.parts for g in r}) == 1 and not cancelled:
            other = v.inverse()
            if len(other.under.terms) < len(v.under.terms):
                yield _over(Value({PLAIN: other.under}), Value(other.parts), style)
        return
    ((r, p),) = v.parts.items()
    two = not r and p.lone and p.unit and len(v.under.terms) == 2
    if two and all(abs(q) == 1 for f in (p, v.under) for q in f.terms.values()):
        # the logistic form, as a softmax over two keys prints
        yield _quotient(p.scaled(1, p.unit, -1), PLAIN, v.under.scaled(1, p.unit, -1), PLAIN, style)
        return
    shift = tuple(pair for pair in p.unit if pair[1] < 0) if v.under != ONE else ()
    for over, under in _roots_up_and_down(r, p, v.under):
        top, bottom = (part[1].scaled(1, shift, -1) for part in (over, under))
        yield _quotient(top, over[0], bottom, under[0], style)


def _roots_up_and_down(r: Radical, p: Poly, under: Poly) -> Iterator[Any]:
    """sqrt(r) p / under, and the same with some or all of the roots below."""
    yield (r, p), (PLAIN, under)
    if not r:
        return
    whole = {g for g in r if isinstance(g, Poly)}
    for down in dict.fromkeys((r, frozenset(whole), r - whole)):
        if not down or -1 in down:
            continue
        ratio = reduced({PLAIN: p * under_root(down)}, under)
        if len(ratio.under.terms) < len(under.terms) or ratio.under == under:
            yield (r - down, ratio.parts[PLAIN]), (down, ratio.under)


def _quotient(p: Poly, r: Radical, d: Poly, s: Radical, style: Style) -> Formula:
    """p sqrt(r) / (d sqrt(s)), the rational content in front."""
    content = p.content / d.content
    p, d = p.scaled(1 / p.content), d.scaled(1 / d.content)
    negative = leads_with_minus(p) != leads_with_minus(d)
    p, d = (f.scaled(-1) if leads_with_minus(f) else f for f in (p, d))
    top = [*factor(content.p), *_root_factors(r, style), *_factors(p, style)]
    bottom = [*factor(content.q), *_root_factors(s, style), *_factors(d, style)]
    form = Quotient(product(top), product(bottom)) if bottom else product(top)
    return Negative(form) if negative else form


@lru_cache(maxsize=1 << 12)
def _factors(p: Poly, style: Style) -> tuple[Formula, ...]:
    """The primitive sum multiplied out, with its power of e in front, or in irreducible factors."""
    if p == ONE:
        return ()
    if p.lone:
        return _monomial(p.lone[0], style)
    choices: list[tuple[Formula, ...]] = [(_sum(p, style),)]
    if not p.units:
        choices.append((_collected(p, style),))
    if p.unit:
        choices.append((*_monomial(p.unit, style), _sum(p.scaled(1, p.unit, -1), style)))
    try:
        _, by, parts = factors(p)
        signed = signed_factors(p, by, parts)
        if signed and sum(k for _, k in signed) > 1:
            ordered_parts = sorted(signed, key=lambda pair: (len(pair[0].terms), pair[0].key))
            found = tuple(_power(f, k, style) for f, k in ordered_parts)
            power = _monomial(by, style)
            choices.append((*power, *found) if p.units else (*found, *power))
    except TooLong:
        pass
    return min(choices, key=lambda parts: width(product([TWO, *parts])))


def _power(f: Poly, k: int, style: Style) -> Formula:
    base = _sum(f, style) if not f.lone else product(list(_monomial(f.lone[0], style)))
    return base if k == 1 else Power(base, Number(str(k)))


@lru_cache(maxsize=1 << 12)
def _root_factors(r: Radical, style: Style) -> tuple[Formula, ...]:
    """The roots of a term: one sign over all, or the integer's apart."""
    if not r:
        return ()
    m, rest = product_of(r), frozenset(g for g in r if isinstance(g, Poly))
    whole: list[Formula] = [Symbol("i")] if m < 0 else []
    whole += [Root(Number(str(abs(m))))] if abs(m) != 1 else []
    if not rest:
        return tuple(whole)
    inside = under_root(rest)
    apart = (*whole, Root(product(list(_factors(inside, style)))))
    if m < 0:
        return apart
    together = (Root(_sum(inside.scaled(m), style)),)
    return min((together, apart), key=lambda parts: width(product(list(parts))))


# ---- sums


def _sum(p: Poly, style: Style) -> Formula:
    return added([_term(q, PLAIN, m, style) for m, q in ordered(p)])


def _collected(p: Poly, style: Style) -> Formula:
    """The sum ordered by its powers of e, each with a sum of atoms before it."""
    groups: dict[Monomial, dict[Monomial, Any]] = {}
    for m, q in p.terms.items():
        power = tuple(pair for pair in m if pair[0].kind == "exp")
        groups.setdefault(power, {})[times(m, power, -1)] = q
    terms: list[Formula] = []
    for power in sorted(groups, key=growth):
        inside = Poly(groups[power])
        if inside.lone or not power:
            terms += [_term(q, PLAIN, times(m, power), style) for m, q in ordered(inside)]
            continue
        negative = leads_with_minus(inside)
        body = _sum(inside.scaled(-1) if negative else inside, style)
        term = Product((body, *_monomial(power, style)))
        terms.append(Negative(term) if negative else term)
    return added(terms)


def distributed(v: Value, style: Style) -> Formula:
    """The terms of a sum without its denominator, each with its coefficient."""
    parts = sorted(v.parts.items(), key=by_radical)
    return added([_term(q, r, m, style) for r, p in parts for m, q in ordered(p)])


def _term(q: Any, r: Radical, m: Monomial, style: Style) -> Formula:
    """q sqrt(r) m: a fraction beside what it multiplies, as coefficients are written."""
    parts = [*_root_factors(r, style), *_monomial(m, style)]
    signed, d = int(q.p), int(q.q)
    p = abs(signed)
    size = spell_rational(abs(q), style) if not parts or (d != 1 and style == "decimal") else None
    if size is not None and not (parts and isinstance(size, Quotient)):
        form = product([size, *parts])
    else:
        form = product([*factor(p), *parts])
        form = Quotient(form, Number(str(d))) if d != 1 else form
    return Negative(form) if signed < 0 else form


def _over(top: Value, bottom: Value, style: Style, root: Monomial = ()) -> Formula:
    """A quotient of sums with roots and without denominators, the rational content and a root in front."""
    (c, above), (d, below) = (_side(side, style) for side in (top, bottom))
    over, under = [*factor(abs((c / d).p)), *_monomial(root, style), *above], [*factor((c / d).q), *below]
    form = Quotient(product(over), product(under)) if under else product(over)
    return Negative(form) if c / d < 0 else form


def _side(v: Value, style: Style) -> tuple[Any, list[Formula]]:
    """The rational content of a sum with roots, and what it multiplies."""
    common, parts = content_and_rest(v)[0], v.parts
    common = -common if all(map(leads_with_minus, parts.values())) else common
    parts = {r: p.scaled(1 / common) for r, p in parts.items()}
    if len(parts) == 1:
        ((r, p),) = parts.items()
        return common, [*_root_factors(r, style), *_factors(p, style)]
    return common, [added(_pieces(Value(parts), style))]


def _pieces(v: Value, style: Style) -> list[Formula]:
    """The value as summands: one for each root."""
    if v.under != ONE:
        return [_shortest(_quotients(v, style))]
    found: list[Formula] = []
    for r, p in sorted(v.parts.items(), key=by_radical):
        if not r or p.lone:
            found += [_term(q, r, m, style) for m, q in ordered(p)]
        else:
            found.append(_quotient(p, r, ONE, PLAIN, style))
    return found


# ---- powers of e, atoms and logarithms


@lru_cache(maxsize=1 << 12)
def _monomial(m: Monomial, style: Style) -> tuple[Formula, ...]:
    """Atoms, and one power of e; a sine or cosine after it."""
    atoms: list[Formula] = []
    waves: list[Formula] = []
    for g, k in m:
        if g.kind != "exp":
            leaf = _leaf(g, style)
            power = leaf if k == 1 else Power(leaf, Number(str(k)))
            (waves if _is_wave(g) else atoms).append(power)
    exponent = angle_of(tuple(pair for pair in m if pair[0].kind == "exp"))
    power_of_e = () if not exponent else (E if exponent == WHOLE else Power(E, _exponent(exponent, style)),)
    return (*atoms, *power_of_e, *waves)


def _is_wave(g: Generator) -> bool:
    return isinstance(g.thing, tuple) and g.thing[0] in ("sin", "cos")


def _exponent(v: Value, style: Style) -> Formula:
    surd = v.surd
    if surd is not None:
        return spell_coefficient(surd, style, flat=True)
    return flattened(written(v, style))


def _leaf(g: Generator, style: Style) -> Formula:
    if g.kind == "log":
        thing = rational(g.thing) if isinstance(g.thing, int) else g.thing
        return Call("ln", (_sum(thing, style) if isinstance(thing, Poly) else written(thing, style),))
    if not isinstance(g.thing, tuple):
        return spell_tree(g.thing, style, False)
    name, of = g.thing
    if name == "power":
        return _power_of(of, style)
    if name == "root":
        return Root(written(of, style))
    return Call("ln" if name == "log" else name, (flattened(written(of, style)),))


def _power_of(exponent: Any, style: Style) -> Formula:
    """e to an exponent with logarithms in it; b^q for e^(q ln b)."""
    q, inside = exponent.to_sympy().as_coeff_Mul(rational=True)
    if type(inside).__name__ == "log" and not inside.free_symbols:
        power = spell_rational(fmpq(int(q.p), int(q.q)), style, flat=True)
        return Power(spell_tree(inside.args[0], style, False), power)
    return Power(E, spell_coefficient(exponent, style, flat=True))


def _logarithms(groups: list[tuple[Monomial, Value]], style: Style) -> Formula:
    """A sum of logarithms, those with rational ratios joined; what has none last, or taken into one."""
    found = whole_logarithm(groups)
    if found is None:
        return _sum_of_logarithms(groups, style)
    log: Formula = Call("ln", (written(found[1], style),))
    whole = log if found[0] > 0 else Negative(log)
    return whole if found[1].plain else _shortest((whole, _sum_of_logarithms(groups, style)))


def _sum_of_logarithms(groups: list[tuple[Monomial, Value]], style: Style) -> Formula:
    simple = [group for group in groups if len(group[0]) == 1 and group[0][0][1] == 1]
    terms: list[Formula] = []
    for ways in joined(simple):
        forms = [
            added([multiple(written(c, style), [Call("ln", (written(x, style),))]) for c, x in way])
            for way in ways
        ]
        terms.append(_shortest(sorted(forms, key=lambda form: isinstance(form, Negative))))
    terms += [
        multiple(written(c, style), list(_monomial(logs, style)))
        for logs, c in groups
        if logs and (logs, c) not in simple
    ]
    terms += [written(c, style) for logs, c in groups if not logs]
    return added(terms)
