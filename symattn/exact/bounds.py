"""How large the exact numbers of a typed expression may become, and arithmetic that keeps to it.

A product is refused before it is multiplied out, so no expression of a case can take long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate

from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.number import Exact, Terms
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.work import LONGEST, TYPED_NODES, TYPED_PRODUCT, TYPED_SUM
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds

MOST_BITS = 4096
MOST_ROOTS = 5
LARGEST_TERM = 1000
POWER = "a power"
"""What has an argument and is no function."""
GIVE_RESULT = Bilingual("give the result instead", "请直接给出结果")


def product(x: Exact, y: Exact, of: Callable[[], Exact] | None = None) -> Exact:
    """x times y, or what `of` makes of them at the same cost. Raises OutOfBounds before a large one."""
    if _size(x) * _size(y) > TYPED_PRODUCT:
        raise OutOfBounds(
            Bilingual(
                f"a product of sums with {_size(x)} and {_size(y)} terms",
                f"{_size(x)} 项与 {_size(y)} 项的和相乘",
            ),
            Bilingual(f"at most {TYPED_PRODUCT} are multiplied out", f"最多展开 {TYPED_PRODUCT} 项"),
        )
    if nodes(x) * nodes(y) > TYPED_NODES:
        raise OutOfBounds(Bilingual("a product of two long expressions", "两个很长的式子相乘"), GIVE_RESULT)
    return of() if of else x * y


def simple(x: Exact, what: str) -> None:
    """Raises OutOfBounds for a number too intricate to be the argument of a function or a root."""
    if nodes(x) > LONGEST:
        raise OutOfBounds(
            Bilingual("an intricate {argument}", "{argument}过于复杂").format(argument=_argument(what)),
            Bilingual(
                "give the result instead, or a simpler expression", "请直接给出结果，或换成较简单的式子"
            ),
        )


def _argument(what: str) -> Bilingual:
    return Bilingual(f"argument of {what}", "幂的底数或指数" if what == POWER else f"{what} 的自变量")


def inverse(y: Exact) -> Exact:
    """1/y. Raises OutOfBounds where rationalising it would double its terms too often."""
    c = y.algebraic
    if isinstance(c, Surd) and c.has_more_roots(MOST_ROOTS):
        raise OutOfBounds(
            Bilingual(
                f"a division by a sum of more than {MOST_ROOTS} independent square roots",
                f"除数是 {MOST_ROOTS} 个以上互相独立的平方根之和",
            ),
            Bilingual("give the quotient in another form", "请把商写成别的形式"),
        )
    return y.inverse()


def modest(x: Exact, what: str, limit: int) -> None:
    """Raises OutOfBounds where |x| is beyond the limit; with free symbols, where a number in it is."""
    q = x.rational
    if q is not None:
        large = abs(q) > limit
    else:
        try:
            large = not abs(enclose(x, 64)) <= limit
        except (HasSymbols, ValueError):
            large = _largest(x) > limit
    if large:
        subject = Bilingual("exponent", "指数") if what == POWER else _argument(what)
        raise OutOfBounds(
            Bilingual(f"an {subject.en} beyond {limit}", f"{subject.zh}的绝对值大于 {limit}"),
            Bilingual(
                f"an {subject.en} goes from -{limit} to {limit}", f"{subject.zh}的范围是 -{limit} 到 {limit}"
            ),
        )
    small_terms(x, what)


def small_terms(x: Exact, what: str) -> None:
    """Raises OutOfBounds for a large number inside: SymPy would write 10^20 log q as log(q^(10^20))."""
    if x.rational is None and _largest(x) > LARGEST_TERM:
        raise OutOfBounds(
            Bilingual(
                f"a number beyond {LARGEST_TERM} inside an {{argument}}",
                f"{{argument}}中有绝对值大于 {LARGEST_TERM} 的数",
            ).format(argument=_argument(what)),
            GIVE_RESULT,
        )


def bounded(x: Exact) -> None:
    """Raises OutOfBounds for a number that has grown too long to keep."""
    if _size(x) > TYPED_SUM:
        raise OutOfBounds(
            Bilingual(f"a sum of {_size(x)} terms", f"{_size(x)} 项的和"),
            Bilingual(f"at most {TYPED_SUM} terms are kept", f"最多保留 {TYPED_SUM} 项"),
        )
    bits = max((_bits(c) for c in _coefficients(x)), default=0)
    if bits > MOST_BITS:
        raise OutOfBounds(
            Bilingual("a number too long to write down", "这个数太长，写不下来"),
            Bilingual(
                f"numerators and denominators have at most {MOST_BITS} bits",
                f"分子和分母最多 {MOST_BITS} 位（二进制）",
            ),
        )


def _size(x: Exact) -> int:
    """How many terms the number is written with, over and under the line."""
    return max(1, _terms_of(x.over)) + _terms_of(x.under) - 1


def _terms_of(terms: Terms) -> int:
    return sum(_length(c) for c in terms.by_exponent.values())


def _length(c: Coefficient) -> int:
    return len(c.terms) if isinstance(c, Surd) else c.addends


def nodes(x: Exact) -> int:
    """How many nodes the number has as a tree; SymPy's own searches grow much faster than this."""
    return sum(_tree(c) for c in _coefficients(x))


def longer_than(x: Exact, most: int) -> bool:
    """Whether the number has more than so many nodes; no more of them are counted."""
    return any(count > most for count in accumulate(map(_tree, _coefficients(x))))


def _tree(c: Coefficient) -> int:
    return len(c.terms) if isinstance(c, Surd) else c.size


def _largest(x: Exact) -> Fraction:
    """The largest magnitude of a rational that is written in the number: 64^(b - 10^20) has 10^20."""
    rationals = [Fraction(0)]
    for c in _coefficients(x):
        if isinstance(c, Surd):
            rationals += [abs(Fraction(int(q.p), int(q.q))) for _, q in c.terms]
        else:
            rationals += map(abs, c.rationals)
    return max(rationals)


def _coefficients(x: Exact) -> Iterator[Coefficient]:
    for terms in (x.over, x.under):
        for exponent, c in terms.by_exponent.items():
            yield exponent
            yield c


def _bits(c: Coefficient) -> int:
    if isinstance(c, Surd):
        return max((int(part.bit_length()) for _, q in c.terms for part in (q.p, q.q)), default=0)
    return max((max(q.numerator.bit_length(), q.denominator.bit_length()) for q in c.rationals), default=0)
