"""Expressions multiplied out: quotients of sums of terms c * b^q * e^l * (atoms to powers).

c is algebraic; b^q stands for powers of algebraic numbers that came from logarithms in an exponent (e^(q log
b)); l is the rest of the exponent; atoms are symbols, logarithms, pi, named quantities, functions without a
rule and roots of non-constant expressions. Logarithms of rationals are split into those of primes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import fmpz

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

MOST_TERMS = 2_000
LARGEST_POWER = 256
LONGEST_FACTORED = 128

Powers = tuple[tuple[Node, Fraction], ...]


class TooLong(ArithmeticError):
    """Multiplying out would take more terms than allowed."""


@dataclass(frozen=True, slots=True)
class Term:
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


@dataclass(frozen=True, slots=True)
class Quotient:
    """over/under, both multiplied out."""

    over: Sum
    under: Sum = UNIT


def multiplied_out(node: Node) -> Quotient:
    """The expression as a quotient of sums of terms. Raises TooLong."""
    if node.algebraic:
        return Quotient(() if node is ZERO else (Term(node),))
    match node.operation:
        case "sum":
            return reduce(_plus, map(multiplied_out, node.arguments))
        case "product":
            return reduce(_times, map(multiplied_out, node.arguments))
        case "power":
            return _power(multiplied_out(node.arguments[0]), int(node.value))
        case "exp":
            return _exponential(node.arguments[0])
        case "log":
            return Quotient(tuple(_logarithm(node.arguments[0])))
        case "root":
            return _root(node)
    return Quotient((Term(ONE, powers=((node, Fraction(1)),)),))


def _plus(a: Quotient, b: Quotient) -> Quotient:
    if a.under == b.under:
        return Quotient(_bounded((*a.over, *b.over)), a.under)
    over = (*_product(a.over, b.under), *_product(b.over, a.under))
    return Quotient(_bounded(over), _product(a.under, b.under))


def _times(a: Quotient, b: Quotient) -> Quotient:
    return Quotient(_product(a.over, b.over), _product(a.under, b.under))


def _power(x: Quotient, exponent: int) -> Quotient:
    if abs(exponent) > LARGEST_POWER and max(len(x.over), len(x.under)) > 1:
        raise TooLong
    base = x if exponent > 0 else Quotient(x.under, x.over)
    result, rest = Quotient(UNIT), abs(exponent)
    while rest:
        if rest % 2:
            result = _times(result, base)
        rest //= 2
        base = _times(base, base) if rest else base
    return result


def _product(a: Sum, b: Sum) -> Sum:
    if a is UNIT:
        return b
    if b is UNIT:
        return a
    if len(a) * len(b) > MOST_TERMS:
        raise TooLong
    found: list[Term] = []
    for x in a:
        for y in b:
            found += _carried(x.times(y))
    return _bounded(found)


def _carried(term: Term) -> Sum:
    """The term with whole powers of a composite atom multiplied out: sqrt(x)^2 is x."""
    whole = [(atom, q) for atom, q in term.powers if q >= 1 and atom.operation in ("sum", "product", "power")]
    if not whole:
        return (term,)
    powers = dict(term.powers)
    inside = Quotient(UNIT)
    for atom, q in whole:
        inside = _times(inside, _power(multiplied_out(atom), int(q)))
        powers[atom] = q - int(q)
    if inside.under != UNIT:
        return (term,)
    rest = Term(term.coefficient, term.scales, term.exponent, _ordered(powers))
    return _product((rest,), inside.over)


def _bounded(terms: Iterable[Term]) -> Sum:
    """Terms that differ in the coefficient alone are joined."""
    collected: dict[tuple[Powers, Node, Powers], list[Node]] = {}
    for term in terms:
        collected.setdefault((term.scales, term.exponent, term.powers), []).append(term.coefficient)
    if len(collected) > MOST_TERMS:
        raise TooLong
    joined = (Term(total(*parts), *kind) for kind, parts in collected.items())
    return tuple(term for term in joined if term.coefficient is not ZERO)


def _exponential(exponent: Node) -> Quotient:
    """e to a sum: logarithms become powers, rational multiples of pi i roots of unity."""
    inside = multiplied_out(exponent)
    if inside.under != UNIT:
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
