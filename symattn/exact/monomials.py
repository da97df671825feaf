"""Expressions multiplied out: quotients of sums of terms c * b^q * e^l * (atoms to powers).

c is algebraic; b^q stands for powers of algebraic numbers that came from logarithms in an exponent (e^(q log
b)); l is the rest of the exponent; atoms are symbols, logarithms, pi, named quantities, functions without a
rule and roots of non-constant expressions. Logarithms of rationals are split into those of primes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce

from flint import fmpz
from msgspec import Struct, field

from symattn.exact.expression import (
    IMAGINARY,
    ONE,
    PI,
    ZERO,
    Node,
    exponential,
    fractional_power,
    logarithm,
    number,
    power,
    product,
    total,
    unity,
)
from symattn.exact.work import LONGEST_FACTORED, MOST_MONOMIALS, STEPS_OF_MONOMIALS, spend

LARGEST_POWER = 256
COMPOSITE = ("sum", "product", "power")

Powers = tuple[tuple[Node, Fraction], ...]


class TooLong(ArithmeticError):
    """Multiplying out would take more terms than allowed."""


class Term(Struct, frozen=True):
    """coefficient * product(b^q for b, q in scales) * e^exponent * product(atom^power for powers)."""

    coefficient: Node
    scales: Powers = ()
    exponent: Node = ZERO
    powers: Powers = ()

    def times(self, other: Term) -> Term:
        """The product of two terms."""
        return Term(
            product(self.coefficient, other.coefficient),
            _joined(self.scales, other.scales),
            _sum(self.exponent, other.exponent),
            _joined(self.powers, other.powers),
        )

    @property
    def node(self) -> Node:
        """The term as an expression again."""
        return product(
            self.coefficient,
            *(exponential(product(number(q), logarithm(b))) for b, q in self.scales),
            exponential(self.exponent),
            *(fractional_power(atom, exponent) for atom, exponent in self.powers),
        )


Sum = tuple[Term, ...]
UNIT: Sum = (Term(ONE),)
Factors = Mapping[Sum, int]


class Quotient(Struct, frozen=True):
    """A sum, multiplied out, over a product of powers of sums."""

    over: Sum
    under: Factors = field(default_factory=dict)


def multiplied_out(node: Node) -> Quotient:
    """The expression as a quotient of sums of terms. Raises TooLong."""
    if node.algebraic:
        return Quotient(() if node is ZERO else (Term(node),))
    match node.operation:
        case "sum":
            return added(map(multiplied_out, node.arguments))
        case "product":
            return reduce(times, map(multiplied_out, node.arguments))
        case "power":
            return raised(multiplied_out(node.arguments[0]), int(node.value))
        case "exp":
            return _exponential(node.arguments[0])
        case "log":
            return Quotient(tuple(_logarithm(node.arguments[0])))
        case "root":
            return _root(node)
    return Quotient((Term(ONE, powers=((node, Fraction(1)),)),))


def added(parts: Iterable[Quotient]) -> Quotient:
    """The sum, over the least product of the powers of their denominators. Raises TooLong."""
    by_factors: dict[frozenset[tuple[Sum, int]], list[Term]] = {}
    for part in parts:
        by_factors.setdefault(frozenset(part.under.items()), []).extend(part.over)
    sums = {factors: over for factors, terms in by_factors.items() if (over := _bounded(terms))}
    under: dict[Sum, int] = {}
    for factors in sums:
        under |= {base: max(k, under.get(base, 0)) for base, k in factors}
    if len(sums) == 1:
        return Quotient(next(iter(sums.values())), under)
    found: list[Term] = []
    for factors, over in sums.items():
        own = dict(factors)
        missing = {base: k - own.get(base, 0) for base, k in under.items()}
        found += _product(over, _whole(missing))
    return Quotient(_bounded(found), under)


def times(a: Quotient, b: Quotient) -> Quotient:
    """The product of two quotients. Raises TooLong."""
    under = dict(a.under)
    for base, k in b.under.items():
        under[base] = under.get(base, 0) + k
    return Quotient(_product(a.over, b.over), under)


def raised(x: Quotient, exponent: int) -> Quotient:
    """An integer power of a quotient. Raises TooLong."""
    if exponent < 0:
        return raised(_inverse(x), -exponent)
    if exponent > LARGEST_POWER and (len(x.over) > 1 or x.under):
        raise TooLong
    result, rest, base = UNIT, exponent, x.over
    while rest:
        if rest % 2:
            result = _product(result, base)
        rest //= 2
        base = _product(base, base) if rest else base
    return Quotient(result, {factor: k * exponent for factor, k in x.under.items()})


def _inverse(x: Quotient) -> Quotient:
    """One over a quotient; a rational multiple of plain powers goes above the line."""
    if not x.over:
        raise ValueError("a division by zero")
    over = _whole(x.under)
    term = x.over[0] if len(x.over) == 1 else None
    if (
        term is None
        or term.coefficient.rational is None
        or any(atom.operation in COMPOSITE for atom, _ in term.powers)
    ):
        return Quotient(over, {x.over: 1})
    behind = Term(
        power(term.coefficient, -1),
        tuple((base, -q) for base, q in term.scales),
        product(number(-1), term.exponent),
        tuple((atom, -q) for atom, q in term.powers),
    )
    return Quotient(_product(over, (behind,)))


def _whole(factors: Factors) -> Sum:
    """The product of powers of sums, multiplied out."""
    result = UNIT
    for base, k in factors.items():
        for _ in range(k):
            result = _product(result, base)
    return result


def _product(a: Sum, b: Sum) -> Sum:
    if a is UNIT:
        return b
    if b is UNIT:
        return a
    if len(a) * len(b) > MOST_MONOMIALS:
        raise TooLong
    spend(STEPS_OF_MONOMIALS * len(a) * len(b))
    found: list[Term] = []
    for x in a:
        for y in b:
            found += _carried(x.times(y))
    return _bounded(found)


def _carried(term: Term) -> Sum:
    """The term with whole powers of a composite atom multiplied out: sqrt(x)^2 is x."""
    whole = [(atom, q) for atom, q in term.powers if q >= 1 and atom.operation in COMPOSITE]
    if not whole:
        return (term,)
    powers = dict(term.powers)
    inside = Quotient(UNIT)
    for atom, q in whole:
        inside = times(inside, raised(multiplied_out(atom), int(q)))
        powers[atom] = q - int(q)
    if inside.under:
        return (term,)
    rest = Term(term.coefficient, term.scales, term.exponent, _ordered(powers))
    return _product((rest,), inside.over)


def _bounded(terms: Iterable[Term]) -> Sum:
    """Terms that differ in the coefficient alone are joined."""
    collected: dict[tuple[Powers, Node, Powers], list[Node]] = {}
    for term in terms:
        collected.setdefault((term.scales, term.exponent, term.powers), []).append(term.coefficient)
    if len(collected) > MOST_MONOMIALS:
        raise TooLong
    joined = (Term(total(*parts), *kind) for kind, parts in collected.items())
    return tuple(term for term in joined if term.coefficient is not ZERO)


def _exponential(exponent: Node) -> Quotient:
    """e to a sum: logarithms become powers, rational multiples of pi i roots of unity."""
    inside = multiplied_out(exponent)
    if inside.under:
        return Quotient((Term(ONE, exponent=exponent),))
    coefficient, scales, rest = ONE, dict[Node, Fraction](), list[Node]()
    for term in inside.over:
        atom = term.powers[0][0] if len(term.powers) == 1 and term.powers[0][1] == 1 else None
        plain = atom is not None and not term.scales and term.exponent is ZERO
        factor = rational_of(term.coefficient)
        turns = rational_of(product(term.coefficient, power(IMAGINARY, -1)))
        if plain and atom is PI and turns is not None:
            coefficient = product(coefficient, unity(turns / 2))
        elif plain and atom is not None and atom.operation == "log" and factor is not None:
            (base,) = atom.arguments
            if base.algebraic:
                scales[base] = scales.get(base, Fraction(0)) + factor
            else:
                rest.append(term.node)
        else:
            rest.append(term.node)
    return Quotient((Term(coefficient, _ordered(scales), total(*rest) if rest else ZERO),))


def rational_of(c: Node) -> Fraction | None:
    """The value of a coefficient that is written as a rational, else None."""
    q = c.rational
    return None if q is None else Fraction(int(q.p), int(q.q))


def _logarithm(x: Node) -> list[Term]:
    """log x as a sum: of a product, a power, a root, an exponential or a rational in its parts."""
    q = x.rational
    if q is not None and q > 0 and q.height_bits() <= LONGEST_FACTORED:
        return [
            Term(number(sign * int(times)), powers=((logarithm(number(int(prime))), Fraction(1)),))
            for part, sign in ((int(q.p), 1), (int(q.q), -1))
            for prime, times in fmpz(part).factor()
        ]
    if x.constant and x.operation in ("power", "root"):
        (base,) = x.arguments
        factor = number(x.value) if x.operation == "power" else number(Fraction(1, x.value))
        if x.operation == "root" or _positive(base):
            return [Term(product(factor, term.coefficient), powers=term.powers) for term in _logarithm(base)]
    if x.constant and x.operation == "product" and all(map(_positive, x.arguments)):
        return [term for part in x.arguments for term in _logarithm(part)]
    return [Term(ONE, powers=((logarithm(x), Fraction(1)),))]


def _positive(x: Node) -> bool:
    """Whether an enclosure shows a positive number."""
    from flint import arb, ctx

    from symattn.exact.evaluation import ball

    with ctx.workprec(64):
        value = ball(x)
    return isinstance(value, arb) and bool(value > 0)


def _root(node: Node) -> Quotient:
    """A root of an exponential is one of its exponent; any other root of a non-algebraic number is an
    atom.
    """
    (base,) = node.arguments
    if base.operation == "exp" and base.constant:
        return _exponential(product(number(Fraction(1, node.value)), base.arguments[0]))
    return Quotient((Term(ONE, powers=((base, Fraction(1, node.value)),)),))


def _joined(a: Powers, b: Powers) -> Powers:
    if not a or not b:
        return a or b
    collected = dict(a)
    for base, q in b:
        collected[base] = collected.get(base, Fraction(0)) + q
    return _ordered(collected)


def _ordered(powers: dict[Node, Fraction]) -> Powers:
    return tuple(sorted(((base, q) for base, q in powers.items() if q), key=lambda pair: id(pair[0])))


def _sum(a: Node, b: Node) -> Node:
    return b if a is ZERO else a if b is ZERO else total(a, b)
