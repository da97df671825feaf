"""Text becomes an exact number here and nowhere else: `read("1/sqrt(2)", {})`.

The language is that of `symattn.exact.syntax`; this file gives it values. Every step is bounded, so a
hostile expression is refused before it is computed. Errors name the column inside the expression.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping

from flint import fmpq

from symattn.exact import bounds, functions
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.numeral import LONGEST, numeral, numeral_or_none, quote
from symattn.exact.syntax import (
    CONSTANTS,
    DEEPEST,
    FUNCTIONS,
    INFINITIES,
    Binary,
    Call,
    Name,
    Node,
    Numeral,
    Unary,
    names_in,
    numeral_value,
    parse,
)
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, SymattnError, UndefinedSymbol, UndefinedValue
from symattn.text.suggest import instead, near

__all__ = [
    "CONSTANTS",
    "DEEPEST",
    "FUNCTIONS",
    "INFINITIES",
    "LONGEST",
    "Binary",
    "Call",
    "Name",
    "Node",
    "Numeral",
    "Unary",
    "evaluate",
    "names_in",
    "numeral",
    "numeral_or_none",
    "parse",
    "quote",
    "read",
    "undeclared",
]

LARGEST_POWER = 64
LARGEST_ROOT = 4096
"""Positional encodings take roots of the order of a width."""
LARGEST_ARGUMENT = 1000
MOST_NESTED = 3


def read(text: str, names: Mapping[str, Exact]) -> Exact:
    """The exact value of an expression; `names` are the values of the names that it may use.

    Raises UnreadableExpression, OutOfBounds, UndefinedSymbol or UndefinedValue, with the column inside
    the expression. Minus infinity (`-inf`, `-oo`, `-∞`) may stand alone, for masks.
    """
    node = parse(text)
    try:
        return evaluate(node, names)
    except SymattnError as problem:
        reason = Bilingual(f"{quote(text)}: {problem.reason.en}", f"{quote(text)}：{problem.reason.zh}")
        raise type(problem)(reason, problem.advice) from None


def evaluate(node: Node, names: Mapping[str, Exact]) -> Exact:
    """The exact value of a tree. Raises OutOfBounds, UndefinedSymbol or UndefinedValue."""
    match node:
        case Unary(sign="-", operand=Name(name=name)) if name in INFINITIES:
            return MINUS_INFINITY
    q = _rational(node)
    return Exact.of(q) if q is not None else _Evaluation(names).value(node)


def _rational(node: Node) -> fmpq | None:
    """The value of numerals that are added, multiplied and divided, as most are; None for any other tree.

    What is out of bounds is left to the evaluation that says so.
    """
    match node:
        case Numeral():
            value = numeral_value(node)
            return fmpq(value.numerator, value.denominator)
        case Unary(sign=sign, operand=inner):
            x = _rational(inner)
            return -x if sign == "-" and x is not None else x
        case Binary(operator=sign, left=left, right=right) if sign in _RATIONAL:
            x = _rational(left)
            y = _rational(right) if x is not None else None
            if x is None or y is None or (sign == "/" and not y):
                return None
            q = _RATIONAL[sign](x, y)
            return q if q.height_bits() <= bounds.MOST_BITS else None
    return None


_RATIONAL: Mapping[str, Callable[[fmpq, fmpq], fmpq]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
"""What operators make of two rationals."""


def undeclared(node: Name, names: Iterable[str]) -> UndefinedSymbol:
    """The problem of a name that is neither a constant nor among the names."""
    declare = Bilingual(
        f'add it to the symbols of the case: symbols = ["{node.name}"]',
        f'请加入算例的 symbols：symbols = ["{node.name}"]',
    )
    known = (*names, *CONSTANTS, *FUNCTIONS)
    return UndefinedSymbol(
        Bilingual(
            f"the name {node.name} at column {node.column} is not declared",
            f"第 {node.column} 列的名称 {node.name} 没有声明",
        ),
        instead(node.name, known, declare) if near(node.name, known) else declare,
    )


class _Evaluation:
    def __init__(self, names: Mapping[str, Exact]) -> None:
        self.names = names
        self.nested = 0

    def value(self, node: Node) -> Exact:
        match node:
            case Numeral():
                return Exact.of(numeral_value(node))
            case Name():
                return self.named(node)
            case Unary(sign=sign, operand=inner):
                x = self.value(inner)
                return -x if sign == "-" else x
            case Binary(operator="^", left=Name(name="e" | "E"), right=exponent):
                return self.applied("exp", exponent, node)
            case Binary(left=left, right=right):
                x, y = self.value(left), self.value(right)
                return _settled(lambda: _joined(node.operator, x, y), node)
            case Call(function=function, argument=argument):
                return self.applied(function, argument, node)

    def named(self, node: Name) -> Exact:
        if node.name in self.names:
            return self.names[node.name]
        if node.name == "pi":
            return functions.pi()
        if node.name in CONSTANTS:
            return functions.exp(Exact.of(1))
        if node.name.lower() == "nan":
            raise UndefinedValue(
                Bilingual(f"not a number, at column {node.column}", f"第 {node.column} 列是 nan，不是数"),
                Bilingual("nan has no place in exact mathematics", "精确计算中没有 nan"),
            )
        if node.name in INFINITIES:
            raise UndefinedValue(
                Bilingual(f"infinity at column {node.column}", f"第 {node.column} 列是无穷大"),
                Bilingual(
                    "only -inf, standing alone, is a value: it hides a key",
                    "只有单独写的 -inf 可用，表示遮住一个键",
                ),
            )
        raise undeclared(node, self.names)

    def applied(self, function: str, argument: Node, node: Node) -> Exact:
        """A function of its argument. Towers of functions are refused before they are evaluated."""
        self.nested += 1
        x = self.value(argument)
        self.nested -= 1

        def result() -> Exact:
            if self.nested >= MOST_NESTED and x.rational is None:
                raise OutOfBounds(
                    Bilingual(
                        f"functions nested more than {MOST_NESTED} deep", f"函数嵌套超过 {MOST_NESTED} 层"
                    ),
                    bounds.GIVE_RESULT,
                )
            bounds.simple(x, function)
            if function in _GROWING:
                bounds.modest(x, function, LARGEST_ARGUMENT)
            return _FUNCTIONS[function](x)

        return _settled(result, node)


_GROWING = ("exp", "sin", "cos", "tan")


def _tan(x: Exact) -> Exact:
    return bounds.product(functions.sin(x), functions.cos(x).inverse())


_FUNCTIONS: Mapping[str, Callable[[Exact], Exact]] = {
    "sqrt": functions.sqrt,
    "exp": functions.exp,
    "log": functions.log,
    "ln": functions.log,
    "sin": functions.sin,
    "cos": functions.cos,
    "tan": _tan,
}


def _settled(compute: Callable[[], Exact], node: Node) -> Exact:
    """The computed value, held against the limits; what goes wrong has the column of the node."""
    try:
        x = compute()
        bounds.bounded(x)
        return x
    except SymattnError as problem:
        said = problem.reason
        reason = Bilingual(f"{said.en} at column {node.column}", f"第 {node.column} 列：{said.zh}")
        raise type(problem)(reason, problem.advice) from None


def _joined(operator: str, x: Exact, y: Exact) -> Exact:
    match operator:
        case "+":
            return x + y if x.under == y.under else bounds.product(x, y, of=lambda: x + y)
        case "-":
            return _joined("+", x, -y)
        case "*":
            return bounds.product(x, y)
        case "/":
            return bounds.product(x, bounds.inverse(y))
        case _:
            return _power(x, y)


def _power(base: Exact, exponent: Exact) -> Exact:
    """base^exponent, integer powers by repeated multiplication so that each step is bounded."""
    q = exponent.rational
    bounds.modest(exponent, bounds.POWER, LARGEST_POWER)
    if q is None or q.q > 1:
        bounds.simple(base, bounds.POWER)
        bounds.simple(exponent, bounds.POWER)
    if q is None:
        bounds.small_terms(base, bounds.POWER)
        return functions.power(base, exponent)
    if q.q > LARGEST_ROOT:
        raise OutOfBounds(
            Bilingual(f"the {q.q}th root", f"{q.q} 次方根"),
            Bilingual(
                f"exponents have denominators up to {LARGEST_ROOT}", f"指数的分母最大为 {LARGEST_ROOT}"
            ),
        )
    if q.q > 2:
        return functions.power(base, exponent)
    factor = base if q.q == 1 else functions.sqrt(base)
    if q < 0:
        factor = bounds.inverse(factor)
    power = Exact.of(1)
    for _ in range(abs(int(q.p))):
        power = bounds.product(power, factor)
        bounds.bounded(power)
    return power
