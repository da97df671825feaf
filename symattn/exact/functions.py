"""Functions of exact numbers: exponentials, logarithms, circular functions, roots and powers.

Each stays a quotient of exponential sums where its argument allows it, so that equality stays decided
(`symattn.exact.number`); elsewhere its value is an expression with rigorous enclosures.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq

from symattn.exact.carried import definition, of_carried
from symattn.exact.decision import sign
from symattn.exact.expression import LARGEST_ROOT, exponential, logarithm, product, root
from symattn.exact.logarithm import logarithm_of
from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import ONE, I, Surd
from symattn.exact.symbolic import Coefficient, coefficient, named_symbol
from symattn.exact.terms import NOTHING, UNIT, Terms
from symattn.exact.trees import FUNCTIONS, of_sympy
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UndefinedValue

MOST_DENESTED = 64
"""Operations below a root up to which nested roots are looked for."""
LONGEST_POWER = 2048
"""Bits up to which a power of a number is written out."""


def erf(x: Exact) -> Exact:
    """The error function."""
    found = of_carried(FUNCTIONS["erf"], x)
    if found is not None:
        return found
    import sympy

    return Exact.of(coefficient(sympy.erf(x.to_sympy())))


def symbol(name: str) -> Exact:
    """A free real symbol."""
    return Exact.of(named_symbol(name))


def pi() -> Exact:
    """The circle constant."""
    import sympy

    return Exact.of(coefficient(sympy.pi))


def exp(x: Exact) -> Exact:
    """e to the x; e^(-infinity) = 0. Stays an exponential sum where x is algebraic or symbolic."""
    if isinstance(x, Infinite):
        return Exact(NOTHING)
    c = x.algebraic
    if x.carried:
        c = definition(x)
        return Exact(Terms({c: ONE}))
    if isinstance(c, Surd):
        return Exact(Terms({c: ONE}))
    return _exp_of(c if c is not None else coefficient(x.to_sympy()))


def _exp_of(exponent: Coefficient) -> Exact:
    """e to a coefficient: e^(q log b) is the factor b^q where b is algebraic and the power not huge."""
    if isinstance(exponent, Surd):
        return Exact(Terms({exponent: ONE}))
    import sympy

    factor, rest = Exact.of(1), []
    for term in sympy.Add.make_args(exponent.to_sympy()):
        q, inside = term.as_coeff_Mul(rational=True)
        base = inside.args[0] if isinstance(inside, sympy.log) else None
        rational = fmpq(int(q.p), int(q.q)) if base is not None else fmpq(0)
        if base is None or not of_sympy(base).algebraic or is_huge(of_sympy(base).rational, rational):
            rest.append(term)
        else:
            factor = factor * Exact.of(coefficient(sympy.Pow(base, q)))
    left = coefficient(sympy.Add(*rest))
    return factor * Exact(Terms({left: ONE}))


def is_huge(base: fmpq | None, exponent: fmpq) -> bool:
    """Whether base^exponent stays a power: it is a high root or would have more than `LONGEST_POWER` bits.
    None: no rational.
    """
    bits = abs(exponent) * (int(base.height_bits()) if base is not None else 16)
    return bool(bits > LONGEST_POWER or exponent.q > LARGEST_ROOT)


def _circular(x: Exact, name: str) -> Exact:
    if isinstance(x, Infinite):
        raise UndefinedValue(
            Bilingual(
                f"the {'sine' if name == 'sin' else 'cosine'} of minus infinity",
                f"负无穷的{'正弦' if name == 'sin' else '余弦'}",
            )
        )
    found = of_carried(FUNCTIONS[name], x)
    if found is not None:
        return found
    c = x.algebraic
    if isinstance(c, Surd):  # SymPy knows no other form: that of an algebraic number but 0 is transcendental
        return _as_exponentials(c, name) if c else Exact.of(int(name == "cos"))
    import sympy

    expression = c.to_sympy() if c is not None else x.to_sympy()
    evaluated = getattr(sympy, name)(expression)
    if of_sympy(evaluated).algebraic:
        return Exact.of(coefficient(sympy.sqrtdenest(evaluated)))
    if c is None or not _linear_angle(expression):
        return Exact.of(coefficient(evaluated))
    return _as_exponentials(c, name)


def _as_exponentials(c: Coefficient, name: str) -> Exact:
    """The sine or the cosine of a coefficient by Euler's formula."""
    angle = c * I
    ahead, behind = Terms({angle: ONE}), Terms({-angle: ONE})
    half = Surd.of(Fraction(1, 2))
    if name == "cos":
        return Exact((ahead + behind).times(half))
    return Exact((ahead + -behind).times(half * I * Surd.of(-1)))


def _linear_angle(expression: Any) -> bool:
    """Whether an angle is a number or symbol that stays exact as an imaginary exponent."""
    import sympy

    return not expression.has(sympy.pi) and not expression.has(sympy.Function)


def sin(x: Exact) -> Exact:
    """The sine, as (e^(ix) - e^(-ix))/(2i) where x is algebraic: sums of sines stay decided."""
    return _circular(x, "sin")


def cos(x: Exact) -> Exact:
    """The cosine, as (e^(ix) + e^(-ix))/2 where x is algebraic."""
    return _circular(x, "cos")


ROOT_OF_NEGATIVE = Bilingual("the square root of a negative number", "负数的平方根")


def sqrt(x: Exact) -> Exact:
    """The principal root. Raises UndefinedValue for a number that is known to be negative."""
    q = x.rational
    if q is not None:
        if q < 0:
            raise UndefinedValue(ROOT_OF_NEGATIVE)
        return Exact.of(Surd.root(q))
    single = _single_power(x)
    if single is not None:
        exponent, c = single
        return sqrt(c) * exp(exponent * Exact.of(Fraction(1, 2)))
    known = sign(x)
    if known == -1:
        raise UndefinedValue(ROOT_OF_NEGATIVE)
    if known == 0:
        return Exact.of(0)
    found = of_carried(lambda node: root(node, 2), x)
    if found is not None:
        return found
    import sympy

    written = sympy.sqrt(x.to_sympy())
    # roots are looked for below a root of square roots alone: far beyond it that takes all memory
    nested = isinstance(x.algebraic, Surd) and sympy.count_ops(written) <= MOST_DENESTED
    return Exact.of(coefficient(sympy.sqrtdenest(written) if nested else written))


def log(x: Exact) -> Exact:
    """The natural logarithm. Raises UndefinedValue for a number that is known not to be positive."""
    if x.rational is not None and x.rational == 1:
        return Exact(NOTHING)
    if isinstance(x, Infinite) or sign(x) in (0, -1):
        raise UndefinedValue(Bilingual("the logarithm of a number that is not positive", "非正数的对数"))
    single = _single_power(x)
    if single is not None:
        return single[0] + log(single[1])
    found = of_carried(logarithm, x)
    if found is not None:
        return found
    of_sums = logarithm_of(x)
    if of_sums is not None:
        return Exact.of(of_sums)
    import sympy

    return Exact.of(coefficient(sympy.log(x.to_sympy())))


def _single_power(x: Exact) -> tuple[Exact, Exact] | None:
    """(l, c) where x is the single term c e^l, with surds c and l and l not 0; its root is one too."""
    if x.under != UNIT or len(x.over.by_exponent) != 1 or x.symbolic:
        return None
    ((exponent, c),) = x.over.by_exponent.items()
    return (Exact.of(exponent), Exact.of(c)) if exponent else None


def power(base: Exact, exponent: Exact) -> Exact:
    """base^exponent: exact for integer and half-integer exponents, e^(exponent log base) otherwise.

    A power that would be huge written out stays one, as e^(exponent log base). Raises UndefinedValue for a
    fractional power of what is known not to be positive.
    """
    if isinstance(exponent, Infinite):
        return Exact(NOTHING)
    q, b = exponent.rational, base.rational
    huge = q is not None and is_huge(b, q)
    if q is not None and q.q == 1 and not (huge and b is not None and b > 0):
        return base ** int(q)
    if q is not None and q.q == 2 and not huge:
        return sqrt(base) ** int(q.p)
    if sign(base) in (0, -1):
        raise UndefinedValue(
            Bilingual(
                "a power with a fractional exponent and a base that is not positive",
                "底数非正而指数为分数的幂",
            )
        )
    found = of_carried(lambda b, e: exponential(product(e, logarithm(b))), base, exponent)
    if found is not None:
        return found
    import sympy

    if q is not None and not huge:
        return Exact.of(coefficient(sympy.Pow(base.to_sympy(), exponent.to_sympy())))
    return _exp_of(coefficient(exponent.to_sympy() * sympy.log(base.to_sympy())))


def tanh(x: Exact) -> Exact:
    """The hyperbolic tangent as (e^x - e^(-x))/(e^x + e^(-x))."""
    found = of_carried(FUNCTIONS["tanh"], x)
    if found is not None:
        return found
    ahead, behind = exp(x), exp(-x)
    return (ahead - behind) / (ahead + behind)
