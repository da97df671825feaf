"""The expression language of a case, as characters: `1/sqrt(2) - 50%` becomes a small tree.

A tokenizer and a precedence-climbing parser of our own, with limits. Nothing here computes, and
nothing is ever handed to Python's or SymPy's evaluators. Every character that is read differently
(full-width forms, the signs of mathematics) is exchanged one for one, so columns stay true.

    sum      = product (("+" | "-") product)*
    product  = unary (("*" | "/") unary | root)*     2√2 is a product, 1/2√2 is refused
    unary    = ("+" | "-") unary | power
    power    = root (("^" | "**") unary)?            from the right; -2^2 is -(2^2)
    root     = ("√")* atom
    atom     = numeral | name | function "(" sum ")" | "(" sum ")" | "½" | "\\frac{" sum "}{" sum "}"

Braces of LaTeX are parentheses, and `\\sqrt`, `\\cdot`, `\\times`, `\\pi` are read too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Never

from msgspec import Struct

from symattn.exact.expression_tokens import CONSTANTS as CONSTANTS
from symattn.exact.expression_tokens import FRACTIONS, Token, tokenize
from symattn.exact.expression_tokens import FUNCTIONS as FUNCTIONS
from symattn.exact.expression_tokens import INFINITIES as INFINITIES
from symattn.exact.numeral import LONGEST, quote, rational
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, UnreadableExpression
from symattn.text.suggest import instead

DEEPEST = 40
_CLOSING = {"(": ")", "{": "}"}


class Numeral(Struct, frozen=True):
    """A numeral: its digits as typed (in ASCII, without underscores), so `1.10` keeps two decimals."""

    text: str
    column: int = 0


class Name(Struct, frozen=True):
    """A constant (`pi`, `e`), an infinity (`oo`) or a name that the case declares."""

    name: str
    column: int = 0


class Unary(Struct, frozen=True):
    """A sign, "+" or "-", before an operand."""

    sign: str
    operand: Node
    column: int = 0


class Binary(Struct, frozen=True):
    """Two operands joined by one of + - * / ^."""

    operator: str
    left: Node
    right: Node
    column: int = 0


class Call(Struct, frozen=True):
    """A function of FUNCTIONS applied to its one argument; `√2` is Call("sqrt", 2)."""

    function: str
    argument: Node
    column: int = 0


Node = Numeral | Name | Unary | Binary | Call


@lru_cache(maxsize=1 << 12)
def parse(text: str) -> Node:
    """The tree of an expression. Raises UnreadableExpression, or OutOfBounds for an absurd size."""
    if len(text) > LONGEST:
        raise OutOfBounds(
            Bilingual(
                f"{quote(text)}: an expression of {len(text)} characters",
                f"{quote(text)} 是 {len(text)} 个字符的式子",
            ),
            Bilingual(f"at most {LONGEST} characters are read", f"最多读 {LONGEST} 个字符"),
        )
    return _Parser(text).whole()


def numeral_value(node: Numeral) -> Fraction:
    """The exact rational of a numeral in a tree; `parse` has already held it against the limits."""
    return rational(node.text, node.text, node.column)


def names_in(node: Node) -> Iterator[Name]:
    """Every name in the tree, from left to right: constants and infinities too."""
    match node:
        case Name():
            yield node
        case Unary(operand=inner) | Call(argument=inner):
            yield from names_in(inner)
        case Binary(left=left, right=right):
            yield from names_in(left)
            yield from names_in(right)


def _remedy(token: Token, after: Token) -> Bilingual:
    if token.kind == after.kind == "numeral":
        return Bilingual(
            "a number has one decimal point, and an operator separates two numbers",
            "一个数只有一个小数点，两个数之间要有运算符",
        )
    return Bilingual("write the sign of the product: 2*a, not 2a", "乘号要写出来：写 2*a，不写 2a")


class _Parser:
    """One pass over the tokens of one expression; `depth` counts what is open around the position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.at = 0
        self.depth = 0

    def whole(self) -> Node:
        if self.tokens[0].kind == "end":
            raise UnreadableExpression(
                Bilingual("an empty expression", "式子是空的"),
                Bilingual(
                    "write a number or an expression such as 1/sqrt(2)", "请写一个数或式子，例如 1/sqrt(2)"
                ),
            )
        node = self._sum()
        token = self.tokens[self.at]
        if token.kind != "end":
            self._unexpected(token, after=self.tokens[self.at - 1])
        return node

    def _sum(self) -> Node:
        node = self._product()
        while (sign := self._take("+-")) is not None:
            node = Binary(sign.text, node, self._product(), sign.column)
        return node

    def _product(self) -> Node:
        node = last = self._unary()
        divided = False
        while True:
            sign, token = self._take("*/"), self.tokens[self.at]
            if sign is None and not self._starts_root(token):
                return node
            if sign is None and (divided or self._is_power(last)):
                said = Bilingual(
                    "a root without a sign before it has two readings", "根号前没有运算符，有两种读法"
                )
                remedy = Bilingual(
                    "write 1/(2*√2) or (1/2)*√2, with the sign of the product",
                    "请写出乘号：1/(2*√2) 或 (1/2)*√2",
                )
                raise self._problem(said, token, remedy)
            divided = sign is not None and sign.text == "/"
            last = self._unary()
            node = Binary(sign.text if sign else "*", node, last, (sign or token).column)

    def _is_power(self, node: Node) -> bool:
        """Whether it ends in an exponent that no brace closes."""
        inner = node.operand if isinstance(node, Unary) else node
        return isinstance(inner, Binary) and inner.operator == "^" and self.tokens[self.at - 1].text != "}"

    def _starts_root(self, token: Token) -> bool:
        """Whether a root follows a number directly, as in 2√2."""
        before = self.tokens[self.at - 1]
        return token.text in ("√", "sqrt") and (before.kind in ("numeral", "fraction") or before.text == "}")

    def _unary(self) -> Node:
        sign = self._take("+-")
        if sign is None:
            return self._power()
        return Unary(sign.text, self._within(sign, self._unary), sign.column)

    def _power(self) -> Node:
        base = self._root()
        sign = self._take("^")
        if sign is None:
            return base
        return Binary("^", base, self._within(sign, self._unary), sign.column)

    def _root(self) -> Node:
        sign = self._take("√")
        if sign is None:
            return self._atom()
        return Call("sqrt", self._within(sign, self._root), sign.column)

    def _atom(self) -> Node:
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "numeral":
            return Numeral(token.text, token.column)
        if token.kind == "name":
            return self._named(token)
        if token.kind == "fraction":
            above, _, below = FRACTIONS[token.text].partition("⁄")
            return Binary("/", Numeral(above, token.column), Numeral(below, token.column), token.column)
        if token.kind == "command":
            return Binary("/", self._braced(token), self._braced(token), token.column)
        if token.kind == "sign" and token.text in _CLOSING:
            return self._bracketed(token)
        self.at -= 1
        self._unexpected(token, after=None)

    def _braced(self, command: Token) -> Node:
        opened = self._take("{")
        if opened is None:
            said = Bilingual("a fraction without its braces", "分数缺少花括号")
            raise self._problem(said, command, Bilingual("write \\frac{1}{2}", "请写 \\frac{1}{2}"))
        return self._bracketed(opened)

    def _named(self, token: Token) -> Node:
        opened, name = self._take("({"), token.text
        if name in FUNCTIONS:
            if opened is None:
                said = Bilingual(f"{name} without its argument", f"{name} 没有自变量")
                raise self._problem(said, token, Bilingual(f"write {name}(...)", f"请写 {name}(...)"))
            return Call(name, self._bracketed(opened), token.column)
        if opened is not None:
            said = Bilingual(f'"{name}" before a parenthesis is no function', f"括号前的“{name}”不是函数")
            signed = Bilingual(f"a product needs its sign, {name}*(...)", f"乘号要写出来：{name}*(...)")
            raise self._problem(said, token, instead(name, FUNCTIONS, signed))
        return Name(name, token.column)

    def _bracketed(self, opened: Token) -> Node:
        node = self._within(opened, self._sum)
        closing = _CLOSING[opened.text]
        if self._take(closing) is None:
            token = self.tokens[self.at]
            if token.kind == "end":
                remedy = Bilingual(f'add the "{closing}" that is missing', f"请补上缺少的“{closing}”")
                said = Bilingual(f'"{opened.text}" is never closed', f"“{opened.text}”没有配对的“{closing}”")
                raise self._problem(said, opened, remedy)
            self._unexpected(token, after=self.tokens[self.at - 1])
        return node

    def _take(self, texts: str) -> Token | None:
        token = self.tokens[self.at]
        if token.kind == "sign" and token.text in texts:
            self.at += 1
            return token
        return None

    def _within(self, token: Token, read: Callable[[], Node]) -> Node:
        """What `read` finds one level deeper, so that no input exhausts Python's stack."""
        if self.depth >= DEEPEST:
            raise OutOfBounds(
                Bilingual(
                    f"{quote(self.text)}: nested more than {DEEPEST} deep at column {token.column}",
                    f"{quote(self.text)} 第 {token.column} 列嵌套超过 {DEEPEST} 层",
                ),
                Bilingual(
                    f"at most {DEEPEST} parentheses, signs and powers may be open at once",
                    f"括号、正负号和乘方最多嵌套 {DEEPEST} 层",
                ),
            )
        self.depth += 1
        node = read()
        self.depth -= 1
        return node

    def _unexpected(self, token: Token, after: Token | None) -> Never:
        if token.kind == "end":
            remedy = Bilingual("a number, a name or ( should follow", "后面应有一个数、一个名称或“(”")
            raise self._problem(Bilingual("the expression ends too early", "式子没有写完"), token, remedy)
        if after is None or token.text in (")", "}"):
            remedy = Bilingual("an opening parenthesis is missing", "缺少左括号")
            if after is None:
                remedy = Bilingual("a number, a name or ( belongs there", "此处应是数、名称或“(”")
            said = Bilingual(f'"{token.text}" where it does not belong', f"此处不能是“{token.text}”")
            raise self._problem(said, token, remedy)
        said = Bilingual(
            f'"{token.text}" directly after "{after.text}"', f"“{after.text}”后面紧接着“{token.text}”"
        )
        raise self._problem(said, token, _remedy(token, after))

    def _problem(self, said: Bilingual, token: Token, remedy: Bilingual) -> UnreadableExpression:
        typed = quote(self.text)
        found = Bilingual(
            f"{typed}: {said.en} at column {token.column}", f"{typed} 第 {token.column} 列：{said.zh}"
        )
        return UnreadableExpression(found, remedy)
