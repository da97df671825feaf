"""An exact number for Python programs: it computes, compares, rounds and prints as numbers do.

The computation has its own `symattn.exact.number.Exact`, equal where the representations are equal; this
one wraps it, and is equal where the values are (docs/decisions/0008-values-for-programs.md).
"""

from __future__ import annotations

import decimal
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any, TypeVar, cast

from symattn.exact import decision
from symattn.exact.enclosure import HasSymbols
from symattn.exact.literal import read
from symattn.exact.number import MINUS_INFINITY, Infinite
from symattn.exact.number import Exact as Value
from symattn.exact.plain import plain
from symattn.exact.spell import spell
from symattn.floats.from_exact import to_float
from symattn.library.formatting import formatted
from symattn.library.values import decided, digits_of, power_of, quotient, refused, shown, unbounded_of
from symattn.many.workers import packed

if TYPE_CHECKING:
    import sympy

T = TypeVar("T")


class Exact:
    """An exact real number, a free symbol, or a function of symbols. Immutable.

    >>> x = Exact("1/3") + Fraction(1, 6)
    >>> x == Fraction(1, 2), x == 0.5, float(x), f"{x:.3f}"
    (True, True, 0.5, '0.500')

    `+ - * / **` take an `Exact`, `int`, `Fraction`, `Decimal` or SymPy number. A float is refused there: the
    result would look exact and not be what was meant, for 0.1 is not 1/10. `==` and `<` compare with the
    binary number that a float is. Comparisons are decided by proof and raise `Undecided` where that fails, as
    for the order of numbers with symbols in them. `format` rounds correctly, ties away from zero.
    Rational numbers hash like their `Fraction`; others have no hash.
    """

    __slots__ = ("_value",)
    _value: Value
    __array_ufunc__ = None  # NumPy's scalars and arrays leave the arithmetic to this class

    def __init__(self, value: Exact | int | Fraction | decimal.Decimal | str | sympy.Expr = 0) -> None:
        object.__setattr__(self, "_value", read(value, {}) if isinstance(value, str) else _exactly(value))

    @classmethod
    def of(cls, value: object) -> Exact:
        """The number as an Exact: an internal one, or whatever the constructor takes."""
        if isinstance(value, cls):
            return value
        made = object.__new__(cls)
        object.__setattr__(made, "_value", value if isinstance(value, Value) else _exactly(value))
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Exact is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an Exact is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (packed(self._value),)

    # arithmetic

    def __add__(self, other: object) -> Exact:
        return _combined(self, other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: object) -> Exact:
        return _combined(self, other, lambda a, b: a - b)

    def __rsub__(self, other: object) -> Exact:
        return _combined(self, other, lambda a, b: b - a)

    def __mul__(self, other: object) -> Exact:
        return _combined(self, other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Exact:
        return _combined(self, other, quotient)

    def __rtruediv__(self, other: object) -> Exact:
        return _combined(self, other, lambda a, b: quotient(b, a))

    def __pow__(self, other: object) -> Exact:
        return _combined(self, other, power_of)

    def __rpow__(self, other: object) -> Exact:
        if isinstance(other, float):  # so does a Fraction arrive: Python 3.11 makes it a float first
            raise TypeError(f"{refused(other)}; for a Fraction as the base, Exact(base) ** exponent")
        return _combined(self, other, lambda a, b: power_of(b, a))

    def __neg__(self) -> Exact:
        return Exact.of(-self._value)

    def __pos__(self) -> Exact:
        return self

    def __abs__(self) -> Exact:
        return -self if self < 0 else self

    # comparison

    def __eq__(self, other: object) -> bool:
        unbounded = unbounded_of(other)
        if unbounded is not None:
            return isinstance(self._value, Infinite) and unbounded == -math.inf
        value = _compared(other)
        if value is None:
            return NotImplemented
        return decided(decision.equal(self._value, value), self._value, value, "equal")

    def __hash__(self) -> int:
        q = self._value.rational
        if q is not None:
            return hash(Fraction(int(q.p), int(q.q)))
        if isinstance(self._value, Infinite):
            return hash(-math.inf)
        raise TypeError("only rational exact numbers have a hash: take x.to_sympy() or str(x) as a key")

    def __bool__(self) -> bool:
        return self != 0

    def __lt__(self, other: object) -> bool:
        return _ordered(self, other, lambda order: order < 0)

    def __le__(self, other: object) -> bool:
        return _ordered(self, other, lambda order: order <= 0)

    def __gt__(self, other: object) -> bool:
        return _ordered(self, other, lambda order: order > 0)

    def __ge__(self, other: object) -> bool:
        return _ordered(self, other, lambda order: order >= 0)

    # conversion

    def __float__(self) -> float:
        """The nearest float64. Raises TypeError for a number with symbols in it."""
        try:
            return to_float(self._value)
        except HasSymbols:
            raise TypeError(f"{shown(self._value)} has symbols in it, and so no float") from None

    def __int__(self) -> int:
        """The number where it is an integer. Raises ValueError for another one: round(x) rounds."""
        q = self._value.rational
        if q is None or q.q != 1:
            raise ValueError(f"{shown(self._value)} is not an integer; round(x) rounds it")
        return int(q)

    def __round__(self, places: int | None = None) -> Any:
        """The nearest int, or the nearest number of so many places; ties away from zero."""
        digits = Fraction(self.decimal(places or 0))
        return int(digits) if places is None else Exact(digits)

    def __floor__(self) -> int:
        nearest = round(self)
        return int(nearest - 1 if self < nearest else nearest)

    def __ceil__(self) -> int:
        return -math.floor(-self)

    def __trunc__(self) -> int:
        return math.ceil(self) if self < 0 else math.floor(self)

    @property
    def is_rational(self) -> bool:
        """Whether it is shown to be a rational number; `fraction` is its value."""
        return self._value.rational is not None

    def fraction(self) -> Fraction:
        """The number as a Fraction. Raises ValueError where it is not known to be rational."""
        q = self._value.rational
        if q is None:
            raise ValueError(f"{shown(self._value)} is not a rational number")
        return Fraction(int(q.p), int(q.q))

    def to_sympy(self) -> sympy.Expr:
        """The same number as a SymPy expression; `sympy.sympify` gives it too."""
        return self._value.to_sympy()

    _sympy_ = to_sympy

    def decimal(self, places: int = 4, *, significant: int | None = None) -> str:
        """The digits of the number to so many places, or significant digits; correctly rounded, ties away
        from zero.

        >>> Exact("exp(1)").decimal(20)
        '2.71828182845904523536'
        """
        return digits_of(self._value, places, significant)

    def latex(self) -> str:
        """The closed form in LaTeX, without dollar signs."""
        from symattn.typeset.latex_maths import latex_formula

        return latex_formula(spell(self._value))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _repr_html_(self) -> str:
        from symattn.typeset.mathml import mathml

        return mathml(spell(self._value), block=True)

    def __format__(self, spec: str) -> str:
        """As a float's format (`.6f`, `.3e`, `+8.2f`, `.1%`, `.4g`), but correctly rounded, ties away from
        zero (`.2f` of 1/8 is 0.13, of the float 0.125 it is 0.12), and zero has no sign. Without precision or
        kind it is the closed form.
        """
        found = formatted(self._value, spec)
        return format(str(self), spec) if found is None else found

    def __str__(self) -> str:
        """The closed form as SymPy reads it back."""
        return plain(self._value)

    def __repr__(self) -> str:
        return f"Exact({shown(self._value)})"


def value_of(other: object) -> Value | None:
    """What an exact number may be combined with, as one of the computation; None for anything else."""
    if isinstance(other, Exact):
        return other._value
    if isinstance(other, Value):
        return other
    if isinstance(other, Integral):
        return Value.of(int(other))
    if isinstance(other, Rational):
        return Value.of(Fraction(int(other.numerator), int(other.denominator)))
    if isinstance(other, decimal.Decimal):
        return MINUS_INFINITY if other == -math.inf else Value.of(Fraction(other))
    if hasattr(other, "free_symbols") and not isinstance(other, Real):
        import sympy

        from symattn.exact.from_sympy import from_sympy

        return from_sympy(other) if isinstance(other, sympy.Expr) else None
    return None


def _exactly(value: object) -> Value:
    found = value_of(value)
    if found is None:
        raise TypeError(refused(value))
    return found


def _compared(other: object) -> Value | None:
    """The value of what is compared; a float is the binary number that it is."""
    if isinstance(other, Real) and not isinstance(other, Rational):
        return Value.of(Fraction(float(other)))
    return value_of(other)


def _combined(x: Exact, other: object, how: Callable[[Value, Value], Value]) -> Exact:
    value = value_of(other)
    if value is None:
        if isinstance(other, Real):
            raise TypeError(refused(other))
        return cast(Exact, NotImplemented)
    return Exact.of(how(x._value, value))


def _ordered(x: Exact, other: object, holds: Callable[[int], bool]) -> bool:
    unbounded = unbounded_of(other)
    if unbounded is not None:
        above = 0 if isinstance(x._value, Infinite) else 1
        return not math.isnan(unbounded) and holds(-1 if unbounded > 0 else above)
    value = _compared(other)
    if value is None:
        return cast(bool, NotImplemented)
    order = decision.compare(x._value, value)
    return holds(decided(order, x._value, value, "in order"))


def _unpickled(data: bytes) -> Exact:
    return Exact.of(pickle.loads(data))
