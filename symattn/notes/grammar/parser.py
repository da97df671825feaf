"""One grammar for all notations: tokens become chains of expressions joined by equals signs."""

from __future__ import annotations

from typing import Final

from symattn.notes.grammar.brackets import bracket, matrix, numeric, whole
from symattn.notes.grammar.cursor import Cursor, Shared
from symattn.notes.grammar.lookahead import (
    announced,
    counted,
    goes_on,
    indexes,
    is_mathematics,
    is_remark,
    multiplies,
    names_what_follows,
)
from symattn.notes.grammar.names import (
    METHODS,
    MODULES,
    WRAPPERS,
    called,
    indexed,
    is_digit_of,
    is_transpose,
    is_upper_index,
    marked,
    positional,
    squared,
    unwrapped,
)
from symattn.notes.grammar.pairs import DEEPEST
from symattn.notes.grammar.sessions import prints
from symattn.notes.grammar.syntax import Drawn, Node, number
from symattn.notes.grammar.tokens import Token
from symattn.notes.names.words import function, letters

LONGEST: Final = 200
"""How many terms, factors or members are read; what goes on after them is unknown."""
MOST_MARKS: Final = 12
"""How many accents, indices and powers one expression has."""


class Parser(Cursor):
    """A parser of one run of tokens. It answers None where something is no expression, and never fails."""

    def __init__(
        self,
        tokens: list[Token],
        pairs: dict[int, int] | None = None,
        shared: Shared | None = None,
        depth: int = 0,
    ) -> None:
        super().__init__(tokens, pairs, shared or Shared())
        self.depth = depth
        self.longest = max(LONGEST >> depth, MOST_MARKS)

    def inside(self, tokens: list[Token]) -> Parser:
        """A parser of what is in brackets."""
        return Parser(tokens, None, self.shared, self.depth + 1)

    def chain(self) -> Node | None:
        """expression (sign expression)*. What cannot be read up to the next sign is an unknown member.

        A colon before a bracket or a number is a sign as well: it names what follows.
        """
        first = self.expression()
        if first is None:
            return None
        members, signs = [first], list[str]()
        while len(members) < self.longest:
            if is_remark(self):
                self.shared.asides.append(self.inner())
                self.i = self.pairs[self.i] + 1
            if goes_on(self, members[-1]):
                members[-1] = Node("hole")
                if not self.skip():
                    break
            sign, mark = self._sign(members[-1], not signs), self.i
            if sign is None:
                break
            if self.sees("REL") or self.sees("OP", ":"):
                self.i += 1
            after = self.expression()
            if after is None and (not is_mathematics(self.at()) or not self.skip()):
                self.i = mark
                break
            members.append(after or Node("hole"))
            signs.append(sign)
        return Node("chain", members, between=signs)

    def _sign(self, last: Node, first: bool) -> str | None:
        """The sign here; `:` too where a name names the bracket that follows it without any sign."""
        token, after = self.at(), self.at(1)
        if token is None:
            return None
        if token.kind == "REL":
            return token.text
        if first and names_what_follows(self, last) and numeric(self.inner()):
            return ":"
        if token.kind != "OP" or token.text != ":" or after is None:
            return None
        if (after.kind in ("BEGIN", "OBJ") or prints(self.tokens, self.i + 1)) and last.kind != "lit":
            return ":"
        if first and (after.kind == "NUM" or (last.kind == "name" and self._is_formula())):
            return ":"
        return None

    def _is_formula(self) -> bool:
        """Whether a formula, not a word, is behind the colon here: `Queries: x * w_query`."""
        mark, asides = self.i, len(self.shared.asides)
        self.i += 1
        node = self.expression() if self.sees("NAME") else None
        self.i = mark
        del self.shared.asides[asides:]
        if node is None:
            return False
        if node.kind == "call":
            return node.name != "unknown"
        if node.kind == "div":
            return any(each.kind == "call" for each in node.args)
        return node.kind == "mul" and node.mark != ""

    def expression(self) -> Node | None:
        """term ((+|-) term)*"""
        left = self.term()
        for _ in range(self.longest):
            token = self.at()
            if left is None or token is None or token.kind != "OP" or token.text not in ("+", "-"):
                break
            mark = self.i
            self.i += 1
            right = self.term()
            if right is None:
                self.i = mark
                break
            left = Node("add" if token.text == "+" else "sub", [left, right])
        return left

    def term(self) -> Node | None:
        """factor (sign? factor)*"""
        left = self.factor()
        for _ in range(self.longest):
            token, mark = self.at(), self.i
            if left is None or token is None:
                break
            sign = token.text if token.kind == "MUL" else ""
            if token.kind == "MUL":
                self.i += 1
            elif not multiplies(self, left):
                break
            right = self.factor()
            if right is None:
                self.i = mark
                break
            left = Node("div" if sign == "/" else "mul", [left, right], mark=sign)
        return left

    def factor(self) -> Node | None:
        """sign? primary (index | power | accent | method)*"""
        if self.sees("OP", "-", "+"):
            negative = self.sees("OP", "-")
            self.i += 1
            inner = None if self.sees("OP", "-", "+") else self.factor()
            if inner is None or not negative:
                return inner
            if inner.kind == "lit" and inner.shape == ():
                return number(inner.tokens[0], -inner.signs[0])
            return Node("neg", [inner])
        base = self.primary()
        return None if base is None else self._with_marks(base)

    def _with_marks(self, base: Node, *only: str) -> Node:
        for _ in range(MOST_MARKS):
            token = self.at()
            excluded = only and token is not None and token.kind not in only and token.text not in only
            after = None if excluded else self._with_mark(base)
            if after is None:
                break
            base = after
        return base

    def _with_mark(self, base: Node) -> Node | None:
        token = self.at()
        if token is None:
            return None
        if token.kind == "TRANS":
            self.i += 1
            return Node("T", [base])
        if token.kind == "PRIME" and base.kind == "name":
            self.i += 1
            return marked(base, "'" * len(token.text.strip("^{}\\").replace("prime", "'")))
        if token.kind == "SUB" or (base.kind == "name" and is_digit_of(token)):
            self.i += 1
            return indexed(base, [token])
        if token.kind == "SUP":
            self.i += 1
            return squared(base, token)
        if token.kind == "OP" and token.text == "_" and base.kind in ("name", "call"):
            inner = self._script()
            return indexed(base, inner) if inner else None
        if token.kind == "OP" and token.text == "^":
            return self._raised(base)
        if token.text == "." and not token.space:
            return self._method(base)
        if indexes(self, base):
            inner = self.inner()
            self.i = self.pairs[self.i] + 1
            return indexed(base, inner)
        return None

    def _script(self) -> list[Token]:
        """What is behind `_` or `^`; the place stays where nothing is."""
        mark = self.i
        self.i += 1
        inner = self.group()
        self.i = self.i if inner else mark
        return inner

    def _raised(self, base: Node) -> Node | None:
        """A power, a transpose, or an upper index of a name: `W^Q`, `Q^{(1)}`."""
        inner = self._script()
        if not inner:
            return None
        if is_transpose(inner):
            return Node("T", [base])
        if is_upper_index(base, inner, self.tokens[self.i - 1].kind == "CLOSE"):
            return indexed(base, inner)
        if inner[0].kind == "SUP":
            return squared(base, inner[0])
        exponent = self._whole(inner)
        return Node("pow", [base, exponent]) if exponent else Node("hole")

    def _method(self, base: Node) -> Node | None:
        """`x.sum(axis=1)`: the sum of each row; any other method is an expression that nobody can compute."""
        name, opening = self.at(1), self.at(2)
        if name is None or name.kind != "NAME" or name.space:
            return None
        if opening is None or opening.kind != "OPEN" or self.i + 2 not in self.pairs:
            return None
        self.i = self.pairs[self.i + 2] + 1
        return Node("call", [base], name=METHODS.get(name.text, "unknown"))

    def primary(self) -> Node | None:
        """A number, a name, a call, what is in brackets, a fraction or a root."""
        marks: list[str] = []
        while (token := self.at()) is not None and token.kind == "ACCENT":
            marks.append(token.text)
            self.i += 1
        node = self._unmarked()
        for mark in reversed(marks[-MOST_MARKS:]):
            node = marked(node, mark)
        return node

    def _unmarked(self) -> Node | None:
        token = self.at()
        if token is None:
            return None
        if token.kind == "NUM":
            self.i += 1
            return number(token)
        if isinstance(token, Drawn):
            self.i += 1
            return token.node
        if token.kind in ("OPEN", "BEGIN") or token.text == "{":
            return self._bracket(shape=announced(self))
        if token.kind == "FRAC":
            self.i += 1
            above, below = (self._whole(self.group()) for _ in range(2))
            return Node("div", [above, below], mark="/") if above and below else Node("hole")
        if token.kind == "SQRT" or token.text == "√":
            return self._root()
        return self._name(token) if token.kind == "NAME" else None

    def _whole(self, inner: list[Token]) -> Node | None:
        """The expression that a group of tokens is, if it is one and not too deep."""
        return whole(inner, self.inside) if self.depth < DEEPEST else None

    def _root(self) -> Node:
        sign, self.i = self.sees("SQRT"), self.i + 1
        inner = self._whole(self.group()) if sign or not self.sees("NAME") else self.factor()
        return Node("sqrt", [inner]) if inner else Node("hole")

    def _bracket(self, shape: bool = False, call: bool = False) -> Node | None:
        """What is in the bracket here; one that cannot be read is unknown, and an aside.

        In one behind a `call` the keyword arguments are left out.
        """
        end = self.pairs.get(self.i)
        if end is None:
            return None
        opening = self.tokens[self.i]
        inner = positional(self.inner()) if call else self.inner()
        self.i = end + 1
        if self.depth >= DEEPEST or (shape and not any(t.unit for t in inner)):
            return Node("hole")
        key = (id(opening), len(inner), opening.kind)
        if key not in self.shared.brackets:
            before = len(self.shared.asides)
            if opening.kind == "BEGIN":
                node = matrix(inner, self.inside)
            else:
                node = bracket(inner, opening.text, self.inside)
            if node is None:
                self.shared.asides.append(inner)
            self.shared.brackets[key] = (node or Node("hole"), self.shared.asides[before:])
            return self.shared.brackets[key][0]
        node, asides = self.shared.brackets[key]
        self.shared.asides.extend(asides)
        return node

    def _name(self, token: Token) -> Node | None:
        self.i += 1
        while token.text in MODULES and self.sees("SEP", "."):
            after = self.at(1)
            if after is None or after.kind != "NAME":
                break
            token = after
            self.i += 2
        if token.text.lower() in WRAPPERS and self.sees("OPEN"):
            return unwrapped(self._bracket(call=True))
        if (action := function(token.text)) and not counted(self):
            return self._call(token, action)
        if token.text in ("e", "exp") and (self.sees("OP", "^") or (token.text == "e" and self.sees("SUP"))):
            self.i += self.sees("OP", "^")
            base = self._unmarked() if self.sees("NAME") else None  # with its indices: `e^s_1`
            inner = self._with_marks(base, "PRIME", "SUB", "_") if base else self._whole(self.group())
            return Node("call", [inner], name="exp") if inner else Node("hole")
        *factors, last = [Node("name", name=base, index=index) for base, index in letters(token.text)]
        if not factors:
            return last
        node = factors[0]
        for part in [*factors[1:], self._with_marks(last)]:
            node = Node("mul", [node, part], mark="")
        return node

    def _call(self, token: Token, action: str) -> Node | None:
        """A function with its argument, or its name alone."""
        while self.sees("OP", "_"):
            self.i += 1
            self.group()
        follows = self.at()
        if follows is None:
            return Node("name", name=token.text.lower())
        if follows.text in ("(", "{", "[") and self.i in self.pairs:
            argument = self._bracket()
        elif follows.kind in ("OPEN", "BEGIN", "OBJ") or follows.text == "{":
            argument = self.factor()
        elif action in ("sqrt", "exp") and follows.kind == "NAME" and self.depth < DEEPEST:
            self.depth += 1
            argument = self.factor()
            self.depth -= 1
        else:
            return Node("name", name=token.text.lower())
        return called(action, argument) if argument else None
