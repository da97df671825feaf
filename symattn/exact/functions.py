"""Functions of exact numbers: exponentials, logarithms, circular functions, roots and powers.

Each stays a quotient of exponential sums where its argument allows it, so that equality stays decided
(`symattn.exact.number`); elsewhere its value is an expression with rigorous enclosures.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symattn.errors import UndefinedValue
from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import ONE, I, Surd
from symattn.exact.symbolic import Coefficient, Symbolic, coefficient, named_symbol
from symattn.exact.terms import NOTHING, UNIT, Terms

MOST_DENESTED = 64
"""Operations below a root up to which nested roots are looked for; far beyond it that takes all memory."""


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
    if isinstance(c, Surd):
        return Exact(Terms({c: ONE}))
    if c is not None and not _may_evaluate(c):
        return Exact(Terms({c: ONE}))
    return _exp_of(c.to_sympy() if c is not None else x.to_sympy())


def _may_evaluate(exponent: Symbolic) -> bool:
    """Whether SymPy may know e to it in another form: of a logarithm, or of an imaginary number."""
    import sympy

    return bool(exponent.expression.has(sympy.log, sympy.I))


def _exp_of(exponent: Any) -> Exact:
    """e to a SymPy expression: what SymPy evaluates (e^(2 log 3) = 9) becomes the coefficient."""
    import sympy

    value = sympy.exp(exponent)
    if value.is_algebraic:
        return Exact.of(coefficient(value))
    plain: list[Any] = []
    rest: list[Any] = []
    for factor in sympy.Mul.make_args(value):
        (rest if isinstance(factor, sympy.exp) else plain).append(factor)
    if plain and all(factor.is_algebraic for factor in plain):
        left = coefficient(sympy.Add(*(factor.args[0] for factor in rest)))
        return Exact(Terms({left: coefficient(sympy.Mul(*plain))}))
    return Exact(Terms({coefficient(exponent): ONE}))


def _circular(x: Exact, name: str) -> Exact:
    if isinstance(x, Infinite):
        raise UndefinedValue(f"the {'sine' if name == 'sin' else 'cosine'} of minus infinity")
    c = x.algebraic
    if isinstance(c, Surd):  # SymPy knows no other form: that of an algebraic number but 0 is transcendental
        return _as_exponentials(c, name) if c else Exact.of(int(name == "cos"))
    import sympy

    expression = c.to_sympy() if c is not None else x.to_sympy()
    evaluated = getattr(sympy, name)(expression)
    if evaluated.is_algebraic:
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


def sqrt(x: Exact) -> Exact:
    """The principal root. Raises UndefinedValue for a number that is known to be negative."""
    q = x.rational
    if q is not None:
        if q < 0:
            raise UndefinedValue("the square root of a negative number")
        return Exact.of(Surd.root(q))
    single = _single_power(x)
    if single is not None:
        exponent, c = single
        return sqrt(c) * exp(exponent * Exact.of(Fraction(1, 2)))
    import sympy

    if isinstance(x, Infinite) or x.to_sympy().is_negative:
        raise UndefinedValue("the square root of a negative number")
    root = sympy.sqrt(x.to_sympy())
    return Exact.of(coefficient(sympy.sqrtdenest(root) if sympy.count_ops(root) <= MOST_DENESTED else root))


def log(x: Exact) -> Exact:
    """The natural logarithm. Raises UndefinedValue for a number that is known not to be positive."""
    if x.rational is not None and x.rational == 1:
        return Exact(NOTHING)
    import sympy

    if isinstance(x, Infinite) or not x or x.to_sympy().is_nonpositive:
        raise UndefinedValue("the logarithm of a number that is not positive")
    single = _single_power(x)
    if single is not None:
        return single[0] + log(single[1])
    return Exact.of(coefficient(sympy.log(x.to_sympy())))


def _single_power(x: Exact) -> tuple[Exact, Exact] | None:
    """(l, c) where x is the single term c e^l, with surds c and l and l not 0; its root is one too."""
    if x.under != UNIT or len(x.over.by_exponent) != 1 or x.symbolic:
        return None
    ((exponent, c),) = x.over.by_exponent.items()
    return (Exact.of(exponent), Exact.of(c)) if exponent else None


def power(base: Exact, exponent: Exact) -> Exact:
    """base^exponent: exact for integer and half-integer exponents, e^(exponent log base) otherwise."""
    if isinstance(exponent, Infinite):
        return Exact(NOTHING)
    q, b = exponent.rational, base.rational
    if q is not None and q.q == 1:
        return base ** int(q)
    if q is not None and q.q == 2:
        return sqrt(base) ** int(q.p)
    import sympy

    if (b is not None and b <= 0) or base.to_sympy().is_nonpositive:
        raise UndefinedValue("a power with a fractional exponent and a base that is not positive")
    exponent_, base_ = exponent.to_sympy(), base.to_sympy()
    if q is not None:
        return Exact.of(coefficient(sympy.Pow(base_, exponent_)))
    return _exp_of(exponent_ * sympy.log(base_))


def tanh(x: Exact) -> Exact:
    """The hyperbolic tangent as (e^x - e^(-x))/(e^x + e^(-x))."""
    ahead, behind = exp(x), exp(-x)
    return (ahead - behind) / (ahead + behind)
