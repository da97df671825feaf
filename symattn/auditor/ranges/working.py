"""The working that a source prints beside a result: its exact value, and its range.

`1.14*0.93 + 0.57*0.58` has a value of its own, w. Its range I_w lets each numeral move that stands for
something with more digits (1.414 for the root of 2), and holds those that are exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from flint import arb, ctx, fmpq
from msgspec import Struct

from symattn.auditor.numeral import Numeral as Printed
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.roots import may_round
from symattn.exact.literal import evaluate
from symattn.exact.number import Exact
from symattn.exact.syntax import Binary, Call, Name, Node, Numeral, Unary, parse
from symattn.floats.interval import BITS, Interval, between, most, point, whole_power
from symattn.text.errors import SymattnError

_NUMERAL = re.compile(r"[0-9０-９_.．]+(?:[eE][+\-−]?[0-9]+)?[%％]?")

Moves = Callable[[str], bool]
"""Whether a numeral of the working, given by its characters, stands for more digits than it shows."""


class Working(Struct, frozen=True):
    """A parsed working: `value` is w, `range` I_w."""

    value: Exact
    range: Interval
    numerals: tuple[str, ...]


def read_working(
    text: str,
    moves: Moves,
    *,
    truncates: bool = False,
    roots: Sequence[Printed] = (),
    divisor: fmpq | None = None,
    unit: fmpq | None = None,
) -> Working | None:
    """The working of its characters, or None where it cannot be read or computed.

    With `truncates` its numerals may stand for what was cut off. `roots` are decimals that were printed for
    a root: who writes sqrt(2) may have gone on with 1.41; `divisor` is the one that stands for every root.
    Exponentials that are added up may have been rounded, or cut off, to `unit` first.
    """
    found = evaluated(text)
    if found is None:
        return None
    moving = frozenset(filter(moves, found.numerals))
    told = tuple(roots) if found.has_roots else ()
    moved = _moved(found, _Moving(moving, truncates, told, divisor, unit))
    return Working(found.value, moved, found.numerals)


class Evaluated(Struct, frozen=True, eq=False):
    """The tree of a working, its value and its numerals; `has_roots` where it takes a root of one."""

    node: Node
    value: Exact
    numerals: tuple[str, ...]
    has_roots: bool


@lru_cache(maxsize=1 << 12)
def _moved(found: Evaluated, moving: _Moving) -> Interval:
    """The range of a working in which some numerals move, for every judgement that asks for it again."""
    with ctx.workprec(BITS):
        return _range(found.node, moving) or point(found.value)


@lru_cache(maxsize=1 << 12)
def evaluated(text: str) -> Evaluated | None:
    """What a working says, for every judgement that asks for it again; None where it cannot be computed."""
    try:
        node = parse(text)
        return Evaluated(node, evaluate(node, {}), tuple(_numerals(node)), _has_roots(node))
    except SymattnError:
        return None


class Operand(Struct, frozen=True):
    """A numeral of a working with its own minus: its characters, and the column (from 1) where it begins."""

    text: str
    column: int


def operands(work: str) -> tuple[Operand, ...]:
    """The numerals of a working from left to right, as they stand in it; none where it cannot be read."""
    try:
        node = parse(work)
    except SymattnError:
        return ()
    return tuple(
        Operand(work[start - 1 : end - 1 + len(_shown(work, end))], start) for start, end in _spans(node)
    )


def _shown(work: str, column: int) -> str:
    found = _NUMERAL.match(work, column - 1)
    return found[0] if found else ""


def _spans(node: Node) -> list[tuple[int, int]]:
    """Of each operand the column where it begins, and that of its first digit."""
    match node:
        case Numeral(column=column):
            return [(column, column)]
        case Unary(sign="-", operand=Numeral(column=column), column=before):
            return [(before, column)]
        case Unary(operand=inner) | Call(argument=inner):
            return _spans(inner)
        case Binary(left=left, right=right):
            return _spans(left) + _spans(right)
        case Name():
            return []


def _numerals(node: Node) -> list[str]:
    match node:
        case Numeral(text=text):
            return [text]
        case Unary(operand=inner) | Call(argument=inner):
            return _numerals(inner)
        case Binary(left=left, right=right):
            return _numerals(left) + _numerals(right)
        case Name():
            return []


def _has_roots(node: Node) -> bool:
    match node:
        case Call(function="sqrt", argument=Numeral()):
            return True
        case Unary(operand=inner) | Call(argument=inner):
            return _has_roots(inner)
        case Binary(left=left, right=right):
            return _has_roots(left) or _has_roots(right)
    return False


class _Moving(Struct, frozen=True):
    """What moves in a working, and how."""

    moving: frozenset[str]
    truncates: bool
    roots: tuple[Printed, ...]
    divisor: fmpq | None
    unit: fmpq | None

    def numeral(self, text: str) -> Interval:
        numeral = read_numeral(text)
        if text not in self.moving:
            return between(numeral.value, numeral.value)
        return between(*numeral.preimage(self.truncates))

    def held(self, node: Node, part: Interval) -> Interval:
        """The range of a summand, with room for an exponential that was put down before it was added."""
        if self.unit is None or not is_exponential(node):
            return part
        return Interval(part.low - arb(self.unit), part.high + arb(self.unit / 2))

    def root(self, value: Exact) -> Interval:
        """A root, or what the coarsest decimal printed for it may stand for."""
        exact = point(value)
        if self.divisor is not None and may_round(self.divisor, exact):
            return between(self.divisor, self.divisor)
        printed = [root for root in self.roots if exact.meets(*root.nearest())]
        if not printed:
            return exact
        low, high = min(printed, key=lambda root: root.places).preimage(self.truncates)
        return Interval(exact.low.min(arb(low)), exact.high.max(arb(high)))


def _range(node: Node, moving: _Moving) -> Interval | None:
    """The range of a tree; None where an operation has no monotone rule (the value is used then)."""
    match node:
        case Numeral(text=text):
            return moving.numeral(text)
        case Call(function="sqrt", argument=Numeral(text=text)) if text not in moving.moving:
            return moving.root(evaluate(node, {}))
        case Name():
            return point(evaluate(node, {}))
        case Unary(sign=sign, operand=inner):
            part = _range(inner, moving)
            if part is None or sign == "+":
                return part
            return _negative(part)
        case Call(function=function, argument=inner):
            part = _range(inner, moving)
            return None if part is None else _applied(function, part)
        case Binary(operator=operator, left=left, right=right):
            a = _mantissa(node, moving) or _range(left, moving)
            b = _range(right, moving)
            if a is None or b is None:
                return None
            if operator in "+-":
                a, b = moving.held(left, a), moving.held(right, b)
            return _joined(operator, a, b, right)


def is_exponential(node: Node) -> bool:
    """Whether a summand is an exponential."""
    match node:
        case Call(function="exp"):
            return True
        case Binary(operator="^", right=Numeral(text=text)):
            return not text.isdigit()
    return False


def _mantissa(node: Binary, moving: _Moving) -> Interval | None:
    """What 3.07 stands for before a power of ten, where a number was rounded to the digits that it shows."""
    match node:
        case Binary("*", Numeral(text=text), Binary("^", Numeral(text="10"))) if "." in text:
            return between(*read_numeral(text).preimage(moving.truncates))
    return None


def _negative(a: Interval) -> Interval:
    if a.low is a.high:
        ball = -a.low
        return Interval(ball, ball)
    return Interval(-a.high, -a.low)


def _applied(function: str, a: Interval) -> Interval | None:
    rules: dict[str, Callable[[arb], arb]] = {
        "exp": arb.exp,
        "sqrt": arb.sqrt,
        "log": arb.log,
        "ln": arb.log,
    }
    if function in rules:
        low = rules[function](a.low)
        return Interval(low, low) if a.low is a.high else Interval(low, rules[function](a.high))
    if function in ("sin", "cos"):
        whole = a.low.union(a.high)
        ball = whole.sin() if function == "sin" else whole.cos()
        return Interval(ball.lower(), ball.upper())
    return None


def _joined(operator: str, a: Interval, b: Interval, right: Node) -> Interval | None:
    match operator:
        case "+":
            return a + b
        case "-":
            return a + _negative(b)
        case "*":
            return a * b
        case "/":
            if not (b.low > 0 or b.high < 0):
                return None
            low = 1 / b.high
            return a * (Interval(low, low) if b.low is b.high else Interval(low, 1 / b.low))
        case "^":
            exponent = read_numeral(right.text).value if isinstance(right, Numeral) else None
            if exponent is None or exponent.q != 1 or exponent < 0:
                return _exponential(a, b)
            return _power(a, int(exponent))
    return None


def _power(a: Interval, exponent: int) -> Interval:
    """A whole power, 0 at the least where it is even and the base may be 0."""
    low = whole_power(a.low, exponent)
    if a.low is a.high:
        return Interval(low, low)
    high = whole_power(a.high, exponent)
    if exponent % 2 or a.low >= 0:
        return Interval(low, high)
    return Interval(high if a.high <= 0 else arb(0), most([low, high]))


def _exponential(a: Interval, b: Interval) -> Interval | None:
    """base^exponent for a base above 1 that does not move, monotone in the exponent."""
    if a.low is not a.high or not a.low > 1:
        return None
    low = a.low**b.low
    return Interval(low, low) if b.low is b.high else Interval(low, a.low**b.high)
