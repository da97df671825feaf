"""The exact number of the computation: a quotient of exponential sums.

An exponential sum is a finite sum of c * e^l with algebraic (or symbolic) c and l; an `Exact` is a
quotient of two. Softmax weights and outputs are such quotients, and so are sines, cosines and tanh.
By the Lindemann-Weierstrass theorem exponentials of distinct algebraic numbers are linearly
independent over the algebraic numbers, so grouping by exponent is a normal form of the sums, and
`N1/D1 = N2/D2` exactly when every coefficient of `N1*D2 - N2*D1` vanishes (`symattn.exact.decision`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq

from symattn.exact.algebraic import MOST_BITS
from symattn.exact.balls import quotient_ball, refined_sign
from symattn.exact.opaque import Opaque
from symattn.exact.surd import ZERO, Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.terms import NOTHING, UNIT, Terms
from symattn.exact.trees import of_terms
from symattn.exact.zero import is_zero
from symattn.text.bilingual import Bilingual
from symattn.text.errors import DIVISION_BY_ZERO, OutOfBounds, UndefinedValue

__all__ = ["MINUS_INFINITY", "NOTHING", "UNIT", "Exact", "Infinite", "Terms"]

if TYPE_CHECKING:
    import sympy

LARGEST_POWER = 100_000


class Exact:
    """An immutable exact number `over / under`; `under` is never zero.

    Arithmetic is exact; `==` compares representations and is meant for tests and containers. Whether
    two numbers are mathematically equal is decided by `symattn.exact.decision.equal`.
    """

    __slots__ = ("_hash", "_rational", "over", "under")
    over: Terms
    under: Terms
    _hash: int
    _rational: Any | None

    def __init__(self, over: Terms, under: Terms = UNIT) -> None:
        object.__setattr__(self, "over", over)
        object.__setattr__(self, "under", under)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Exact is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an Exact is immutable")

    @staticmethod
    def of(value: int | Fraction | fmpq | Surd | Coefficient) -> Exact:
        """The rational, surd or symbolic number as an Exact."""
        c = value if isinstance(value, (Surd, Opaque)) else Surd.of(value)
        return Exact(Terms({ZERO: c})) if c else Exact(NOTHING)

    @staticmethod
    def quotient(over: Terms, under: Terms) -> Exact:
        """over/under in the simplest form that needs no search. Raises UndefinedValue for under = 0."""
        if not under or _hidden_zero(under):
            raise UndefinedValue(DIVISION_BY_ZERO)
        return Exact.reduced(over, under)

    @staticmethod
    def reduced(over: Terms, under: Terms) -> Exact:
        """`quotient` where `under` is known not to vanish, as a sum of real exponentials does not."""
        if not over or under == UNIT:
            return Exact(over)
        if len(under.by_exponent) == 1:
            ((exponent, c),) = under.by_exponent.items()
            return Exact(over.shifted(-exponent).times(c.inverse()))
        ratio = _proportion(over, under)
        return Exact(ratio) if ratio is not None else Exact(over, under)

    @property
    def algebraic(self) -> Coefficient | None:
        """The coefficient where no exponential is in it (a Surd, or an Opaque), else None."""
        return self.over.constant if self.under is UNIT or self.under == UNIT else None

    @property
    def rational(self) -> Any | None:
        """The value as an fmpq where it is one, else None."""
        try:
            return self._rational
        except AttributeError:  # it is asked for again and again
            c = self.algebraic
            object.__setattr__(self, "_rational", c.rational if isinstance(c, Surd) else None)
            return self._rational

    @property
    def symbolic(self) -> bool:
        """Whether a coefficient or an exponent leaves the surds."""
        return self.over.opaque or self.under.opaque

    @property
    def carried(self) -> bool:
        """Whether a coefficient or an exponent is a definition that is not written out."""
        return self.symbolic and (self.over.carried or self.under.carried)

    def __bool__(self) -> bool:
        return bool(self.over)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact) and self.over == other.over and self.under == other.under

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash((self.over, self.under)))
            return self._hash

    def __neg__(self) -> Exact:
        return Exact(-self.over, self.under)

    def __add__(self, other: Exact) -> Exact:
        if isinstance(other, Infinite):
            return other
        if self.under is UNIT and other.under is UNIT:
            return Exact(self.over + other.over)
        if self.under == other.under:
            return Exact.quotient(self.over + other.over, self.under)
        ratio = _proportion(other.under, self.under)
        if ratio is not None:
            return self + Exact(Exact.quotient(other.over, ratio).over, self.under)
        return Exact.quotient(self.over * other.under + other.over * self.under, self.under * other.under)

    def __sub__(self, other: Exact) -> Exact:
        return self + (-other)

    def __mul__(self, other: Exact) -> Exact:
        if isinstance(other, Infinite):
            return other * self
        if self.under is UNIT and other.under is UNIT:
            return Exact(self.over * other.over)
        if self.over == other.under:
            return Exact.quotient(other.over, self.under)
        if other.over == self.under:
            return Exact.quotient(self.over, other.under)
        return Exact.quotient(self.over * other.over, self.under * other.under)

    def __truediv__(self, other: Exact) -> Exact:
        a, b = self.algebraic, other.algebraic
        if isinstance(a, Surd) and isinstance(b, Surd):
            return Exact.of(a * b.inverse())
        return self * other.inverse()

    def inverse(self) -> Exact:
        """1/x. Raises UndefinedValue at zero."""
        c = self.algebraic
        if isinstance(c, Surd):
            return Exact.of(c.inverse())
        return Exact.quotient(self.under, self.over)

    def __pow__(self, exponent: int) -> Exact:
        base, rest = (self if exponent >= 0 else self.inverse()), abs(exponent)
        if rest > LARGEST_POWER:
            raise OutOfBounds(
                Bilingual(f"a power of {exponent}", f"指数 {exponent} 过大"),
                Bilingual(
                    f"exponents go from -{LARGEST_POWER} to {LARGEST_POWER}",
                    f"指数的范围是 -{LARGEST_POWER} 到 {LARGEST_POWER}",
                ),
            )
        result = Exact(UNIT)
        while rest:
            if rest % 2:
                result = result * base
            rest //= 2
            if rest:
                base = base * base
        return result

    def to_sympy(self) -> sympy.Expr:
        """The same number as a SymPy expression."""
        import sympy

        turning = oscillates(self.over) or oscillates(self.under)

        def total(terms: Terms) -> Any:
            parts = (c.to_sympy() * _power(exponent) for exponent, c in terms.by_exponent.items())
            return sympy.Add(*(sympy.expand_mul(part, deep=False) for part in parts) if turning else parts)

        return total(self.over) / total(self.under)

    def __repr__(self) -> str:
        return f"Exact({self.to_sympy()})"


class Infinite(Exact):
    """Minus infinity, the score of a hidden key: e to it is 0, and any shift leaves it as it is."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(NOTHING)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Infinite)

    def __hash__(self) -> int:
        return hash("minus infinity")

    def __bool__(self) -> bool:
        return True

    @property
    def algebraic(self) -> None:
        return None

    def __neg__(self) -> Exact:
        raise UndefinedValue(
            Bilingual("plus infinity, as minus of a masked score", "正无穷：被遮住的得分取了负号")
        )

    def __add__(self, other: Exact) -> Exact:
        return self

    def __mul__(self, other: Exact) -> Exact:
        if not isinstance(other, Infinite) and _positive(other):
            return self
        raise UndefinedValue(
            Bilingual(
                "minus infinity times a number that is not known to be positive", "负无穷乘以一个未必为正的数"
            )
        )

    def inverse(self) -> Exact:
        raise UndefinedValue(Bilingual("a division by minus infinity", "除以负无穷"))

    def to_sympy(self) -> sympy.Expr:
        import sympy

        return -sympy.oo

    def __repr__(self) -> str:
        return "MINUS_INFINITY"


MINUS_INFINITY = Infinite()


def _proportion(over: Terms, under: Terms) -> Terms | None:
    """c e^l with over = c e^l under, where the grouped terms show it; else None.

    The exponents of `over` add up to l times their number more than those of `under`.
    """
    ups, downs = over.by_exponent, under.by_exponent
    if len(ups) != len(downs):
        return None
    by: Coefficient = ZERO
    if ups.keys() != downs.keys():
        by = (sum(ups, ZERO) - sum(downs, ZERO)) * Surd.of(Fraction(1, len(ups)))
    ratio: Coefficient | None = None
    for exponent, d in downs.items():
        c = ups.get(exponent + by)
        if c is None:
            return None
        if ratio is None:
            ratio = c * d.inverse()
        elif c != ratio * d:
            return None
    return None if ratio is None else Terms({by: ratio})


def _positive(x: Exact) -> bool:
    """Whether enclosures show that x > 0."""
    if (q := x.rational) is not None:
        return bool(q > 0)
    return refined_sign(lambda bits: quotient_ball(x.over, x.under, bits), MOST_BITS) == 1


def _hidden_zero(terms: Terms) -> bool:
    """Whether a sum of opaque numbers is proved to vanish, though its terms do not show it."""
    if not terms.opaque:
        return False
    return is_zero(of_terms(terms)) is True


def oscillates(terms: Terms) -> bool:
    """Whether an exponent has an imaginary part, so that sines and cosines are in the sum."""
    return any(map(_turns, terms.by_exponent))


def _turns(exponent: Coefficient) -> bool:
    return bool(exponent.imaginary) if isinstance(exponent, Surd) else exponent.oscillates


def _power(exponent: Coefficient) -> Any:
    """e to an exponent in SymPy, a sine and a cosine for the imaginary part of it."""
    import sympy

    whole = exponent.to_sympy()
    if whole.has(sympy.log):
        from symattn.exact.huge import parts, power_of_e

        logs, whole = parts(whole)
        if logs:
            return power_of_e(logs) * sympy.exp(whole)
    if not _turns(exponent):
        return sympy.exp(whole)
    angle = whole.expand().coeff(sympy.I)
    return sympy.exp(whole - sympy.I * angle) * (sympy.cos(angle) + sympy.I * sympy.sin(angle))
