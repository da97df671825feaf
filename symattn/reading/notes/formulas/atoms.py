"""What a formula can begin with: numerals, names with subscripts, roots, fractions, functions, brackets."""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.reading.notes.formulas.brackets import BLANK, Brackets, Read
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Dots,
    Grid,
    Name,
    Negate,
    Num,
    Row,
    Transpose,
    Words,
)
from symattn.reading.notes.formulas.names import quantity
from symattn.reading.notes.formulas.words import alias, known_words

FUNCTIONS = frozenset({"sqrt", "exp", "softmax", "sin", "cos", "tanh", "ln", "log"})
LAYERS = {
    "layernorm": "layernorm",
    "layer_norm": "layernorm",
    "LN": "layernorm",
    "relu": "relu",
    "ffn": "ffn",
}
"""What stands around attention as a function, by its name in small letters or as it is written."""
_VECTOR = re.compile(r"[xqkvzhoα]")
_IN_SCRIPTS = frozenset({"word", "text", "num", "comma", "cjk"})
_ALL = frozenset({":", "*"})
"""Instead of an index: all of a row, `A_{1,:}`."""
_PROJECTIONS = frozenset("QKVOqkvo")
_ENCODINGS = frozenset({"PE", "pe"})
_OF_TWO = frozenset({"scores", "scaled", "masked", "exp", "A"})
_OF_TOKENS = frozenset({"Q", "K", "V"})
_SCALAR = re.compile(r"(?:float|int)(?:8|16|32|64)")
"""What NumPy prints around a number: `np.float64(0.5)`."""
_ARRAYS = frozenset({"tensor", "array", "asarray", "matrix", "parameter", "constant", "variable"})
_PRODUCTS = frozenset({"matmul", "dot", "mm", "bmm"})
"""What programs call the product of two matrices."""


class Atoms(Brackets):
    """Reads one operand."""

    def prefix(self, i: int) -> Read | None:
        kind, said = self.kind(i), self.said(i)
        token = self.tokens[i] if i < len(self.tokens) else None
        if token is None:
            return None
        match kind:
            case "num":
                percent = self.kind(i + 1) == "percent"
                end = self.tokens[i + 1].end if percent else token.end
                return Num(said + "%" * percent, token.start, end), i + 1 + percent
            case "op" if said in "+-":
                return self._signed(said, i)
            case "op" if said == "∞":
                return Num("inf", token.start, token.end), i + 1
            case "op" if said == "√":
                inner = self.formula(self.skip(i + 1), 30)
                return None if inner is None else (Call("sqrt", inner[0]), inner[1])
            case "open":
                return self.bracket(i)
            case "env":
                return self.environment(i)
            case "command":
                return self._command(said, i)
            case "dots":
                return Dots(), i + 1
            case "label":
                return self._owned(said, i) or (Words(said), i + 1)
            case "word" | "text" if said in ("inf", "Inf", "infinity"):
                return Num("inf", token.start, token.end), i + 1
            case "word" | "text" | "cjk":
                return self._name(i)
        return None

    def _signed(self, sign: str, i: int) -> Read | None:
        if self.kind(i + 1) not in ("num", "op", "open", "command", "word", "text", "env"):
            return None
        numeral = self.prefix(i + 1) if self.kind(i + 1) == "num" else None
        raised = numeral is not None and self.said(numeral[1]) == "^"
        inner = numeral if numeral is not None and not raised else self.formula(i + 1, 15)
        if inner is None:
            return None
        node = inner[0]
        if isinstance(node, Num) and not node.text.startswith("-"):
            text = node.text if sign == "+" else "-" + node.text
            return Num(text, self.tokens[i].start, node.end), inner[1]
        return (node if sign == "+" else Negate(node)), inner[1]

    def _command(self, said: str, i: int) -> Read | None:
        if said == "frac":
            over = self._group(i + 1)
            under = self._group(over[1]) if over else None
            return None if over is None or under is None else (Binary("/", over[0], under[0]), under[1])
        if said == "sqrt":
            inner = self._group(i + 1)
            return None if inner is None else (Call("sqrt", inner[0]), inner[1])
        if said == "sum":
            return self._summed(i)
        if said in ("underset", "overset"):
            return self._called(self._group(self.behind(i + 1)), i + 1)
        if said == "braced":
            inner = self._group(i + 1)
            if inner is not None and self.kind(inner[1]) == "op" and self.said(inner[1]) in ("_", "^"):
                named = self._called(inner, inner[1] + 1) or inner
                return named[0], self.behind(inner[1] + 1)
            return inner
        return None

    def _called(self, read: Read | None, i: int) -> Read | None:
        """A matrix with the name that stands in the group at token i, where one does; `K^T` is K turned."""
        said = self._group(i) if read is not None and isinstance(read[0], Grid) else None
        match said, read:
            case (Name() as name, _), (Grid() as grid, after):
                return replace(grid, of=name), after
            case (Transpose(of=Name() as name), _), (Grid(rows=rows) as grid, after) if (
                len({*map(len, rows)}) == 1
            ):
                return Transpose(replace(grid, rows=tuple(zip(*rows, strict=True)), of=name)), after
        return read

    def _summed(self, i: int) -> Read:
        r"""`\sum_j a_j v_j`: the sum of what stands behind it, or the word where nothing does."""
        j = i + 1
        while self.kind(j) == "op" and self.said(j) in ("_", "^"):
            j = self.behind(j + 1)
        inner = self.formula(j, 15)
        if inner is None or isinstance(inner[0], Num):
            return Name("sum", (), self.tokens[i].start, self.tokens[i].end), j
        return Call("sum", inner[0]), inner[1]

    def _group(self, i: int) -> Read | None:
        """A TeX argument: `{...}`, or one token."""
        if self.kind(i) == "open" and self.said(i) == "{":
            return self.bracket(i)
        if self.kind(i) == "num" and len(self.said(i)) > 1 and self.said(i).isdigit():
            return None
        return self.prefix(i)

    def _name(self, i: int) -> Read | None:
        token = self.tokens[i]
        said, lower = token.text, token.text.lower()
        function = LAYERS.get(said, LAYERS.get(lower, lower))
        if token.kind != "cjk" and (function in FUNCTIONS or function in LAYERS.values()):
            applied = self._applied(function, i + 1)
            if applied is not None:
                return applied
        if lower in ("max", "maximum") and [self.said(at) for at in range(i + 1, i + 4)] == ["(", "0", ","]:
            return self._ramp(i + 1)
        if lower in _ARRAYS and self.kind(i + 1) == "open" and self.said(i + 1) == "(":
            return self._array(i + 1)
        if _SCALAR.fullmatch(said) and self.said(i + 1) == "(":
            inner = self.prefix(i + 2)
            return (inner[0], inner[1] + 1) if inner is not None and self.said(inner[1]) == ")" else None
        if lower in _PRODUCTS and self.said(i + 1) == "(":
            product = self._product(i + 1)
            if product is not None:
                return product
        if said == "print" and self.said(i + 1) == "(":
            return self.bracket(i + 1)
        if said == "e" and self.said(i + 1) == "^" and self.kind(i + 1) == "op":
            inner = self.prefix(i + 2)
            return None if inner is None else (Call("exp", inner[0]), inner[1])
        count, text = known_words(
            [t.text for t in self.tokens[i : i + 4] if t.kind in ("word", "cjk", "text")]
        )
        if said == "和" and self.kind(i + 1) == "rel":
            return Name("sum", (), token.start, token.end), i + 1  # anywhere else it is "and"
        if token.kind == "cjk" and not count and not (self.said(i + 1) == "_" and quantity(said)):
            return self._owned(said.removesuffix("的"), i) if said.endswith("的") else None
        if count > 1 and any(t.kind not in ("word", "cjk", "text") for t in self.tokens[i : i + count]):
            count, text = 1, said
        letter = len(said) == 1 and "α" <= said <= "ω"  # `\boldsymbol{\alpha}` is dressed, and no words
        if token.kind == "text" and not count and not said.isascii() and not letter:
            return self._name(i + 1) if self.kind(i + 1) == "word" else (Words(said), i + 1)
        if self.said(i - 1) == "、" and alias(text.rpartition("的")[2]) == alias(text):
            text = text.rpartition("的")[2]  # `猫、狗的分数` are not those of 狗 alone
        return self._scripts(text or said, i + max(count, 1), token.start)

    def _owned(self, whose: str, i: int) -> Read | None:
        """`“猫”的 Q`, `猫的 Q`, `“猫”的输出` and `"cat" Query`: a name and whose it is."""
        after = self.skip(i + 1)
        behind = self.said(after) if (self.kind(i), self.kind(after)) == ("label", "cjk") else ""
        joined = behind.startswith("的") and behind != "的"
        if self.kind(i) == "label" and not joined and alias(self.said(after)) not in _OF_TOKENS:
            after = self.skip(after + 1) if self.kind(after) == "cjk" and self.said(after) == "的" else i
        named = self._name(after) if joined or self.kind(after) == "word" else None
        if named is None or not isinstance(named[0], Name) or named[0].subs or named[0].aside:
            return None
        if self.kind(i - 1) == "cjk" and self.said(i - 1).endswith(("与", "跟", "同")):
            return None  # `与“猫”的点积` is of another one, with this for its key
        return replace(named[0], start=self.tokens[i].start, aside=whose), named[1]

    def _applied(self, function: str, i: int) -> Read | None:
        while self.kind(i) == "mark" and self.said(i) == "thin":
            i += 1
        if self.kind(i) == "op" and self.said(i) == "^":
            return None
        if function == "softmax" and self.said(i) == "[" and not self.tokens[i].tight:
            return None  # `softmax [0.2, 0.8]`: what came out, and not what goes in
        if self.kind(i) == "open":
            inner = self.bracket(i) or self._first_argument(i, i) or self._placeholder(i)
        elif function in ("sin", "cos", "sqrt", "exp") and self.kind(i) in ("num", "command"):
            inner = self.prefix(i)
        elif self.kind(i) == "env":
            inner = self.environment(i)
        else:
            return None
        return None if inner is None else (Call(function, inner[0]), inner[1])

    def _placeholder(self, i: int) -> Read | None:
        """The dot of `softmax(·)`, which stands for what was said before."""
        dot = self.skip(i + 1)
        end = self.skip(dot + 1)
        return (Dots(), end + 1) if self.said(dot) == "*" and self.kind(end) == "close" else None

    def _ramp(self, i: int) -> Read | None:
        """`max(0, h)`: what is not negative."""
        inner = self.formula(self.skip(i + 3))
        end = self.behind(i)
        return (Call("relu", inner[0]), end) if inner is not None and inner[1] == end - 1 else None

    def _array(self, i: int) -> Read | None:
        """`tensor([[...]], dtype=...)`: the list in it; `matrix(c(...), nrow = 2)` of R: its rows."""
        if self.said(i + 1) == "c" and self.said(i + 2) == "(":
            return self._vector_of_r(i)
        inner = self._first_argument(i, i)
        return inner if inner is not None and isinstance(inner[0], Row) else None

    def _product(self, i: int) -> Read | None:
        """`(a, b)` behind `matmul`, with the second turned where `transpose_b=True` says so."""
        first = self.formula(self.skip(i + 1, BLANK))
        if first is None or self.kind(first[1]) != "comma":
            return None
        second = self._first_argument(first[1], i)
        if second is None:
            return None
        turned = any(self.said(at).startswith("transpose_b") for at in range(first[1], second[1]))
        return Binary("*", first[0], Transpose(second[0]) if turned else second[0]), second[1]

    def _vector_of_r(self, i: int) -> Read | None:
        """The rows of a vector that R fills a matrix with, column by column unless it is told otherwise."""
        cells, end = self.bracket(i + 2), self.behind(i)
        said = [self.said(at) for at in range(i, end)]
        sides = {said[k]: said[k + 2] for k in range(len(said) - 2) if said[k + 1] == "="}
        rows, columns = (
            int(sides[side]) if sides.get(side, "").isdigit() else 0 for side in ("nrow", "ncol")
        )
        if cells is None or not isinstance(cells[0], Row) or not (rows or columns):
            return None
        nodes = cells[0].items
        rows = rows or len(nodes) // columns
        if not rows or len(nodes) % rows:
            return None
        by_row = sides.get("byrow") in ("TRUE", "T")
        width = len(nodes) // rows
        lines = [nodes[k * width : (k + 1) * width] if by_row else nodes[k::rows] for k in range(rows)]
        return Grid(tuple(lines), cells[0].start, cells[0].end), end

    def _first_argument(self, i: int, bracket: int) -> Read | None:
        """What stands behind token i in a bracket, the first of `(x, dim=-1)`, and where the bracket ends."""
        end = self.ends.get(bracket)
        if end is None:
            return None
        inner = self.formula(self.skip(i + 1, BLANK))
        return (inner[0], end + 1) if inner is not None and inner[1] <= end < inner[1] + 40 else None

    def _position(self, i: int) -> tuple[tuple[str, ...], int] | None:
        """The indices of `(3)`, `(1, 0)`, `(pos=1, i=0)` or `_{(1,0)}` at token i, and where they end."""
        if self.said(i) == "_" and self.said(i + 1) == "{":
            inner = self._position(i + 2)
            return None if inner is None or self.said(inner[1]) != "}" else (inner[0], inner[1] + 1)
        if self.said(i) != "(":
            return None
        found: list[str] = []
        begun = i + 1
        for at in range(i + 1, min(i + 14, self.count)):
            if self.kind(at) not in ("comma", "close"):
                continue
            if not self.said(at - 1).isdigit() or (at - 1 > begun and self.kind(at - 2) != "rel"):
                return None
            found.append(self.said(at - 1))
            begun = at + 1
            if self.kind(at) == "close":
                return (tuple(found), at + 1) if len(found) < 3 and self.said(at) == ")" else None
        return None

    def _is_entry(self, text: str, i: int) -> bool:
        """Whether `(1, 2)` right behind a name says which of the scores or weights is meant."""
        two = self.kind(i) == "open" and self.tokens[i].tight and self.said(i + 2) == ","
        return two and quantity(text) in _OF_TWO

    def _label_in_brackets(self, name: str, i: int) -> bool:
        """Whether `("cat")`, `(猫)` or `(cat)` begins at token i behind a name: a word that is no quantity.

        A capital is one behind the letter of a vector, as the `I` of `q(I)`.
        """
        word = self.said(i + 1)
        capital = len(word) == 1 and word.isupper() and _VECTOR.fullmatch(name) and self.tokens[i].tight
        plain = self.kind(i + 1) == "word" and word.isalpha() and alias(word) is None
        plain = plain and (len(word) > 1 or bool(capital))
        if self.said(i) == "[":
            return self.kind(i + 1) == "label" and self.said(i + 2) == "]"
        return (
            self.said(i) == "("
            and (plain or self.kind(i + 1) in ("label", "cjk"))
            and self.said(i + 2) == ")"
            and word.lower() not in FUNCTIONS
        )

    def _raised(self, i: int) -> str | None:
        """The index of a vector in `^{(2)}` at token i."""
        said = [self.said(at) for at in range(i, i + 6)]
        return said[3] if [*said[:3], *said[4:]] == ["^", "{", "(", ")", "}"] else None

    def _scripts(self, text: str, i: int, start: int) -> Read:
        """Subscripts and naming superscripts behind a name."""
        raised = self._raised(i) if _VECTOR.fullmatch(text) is not None else None
        if raised is not None:
            return Name(text, (raised,), start, self.tokens[i + 5].end), i + 6
        position = self._position(i) if text in _ENCODINGS or self._is_entry(text, i) else None
        if position is not None:
            return Name(text, position[0], start, self.tokens[position[1] - 1].end), position[1]
        subs: list[str] = []
        while self.kind(i) == "op" and self.said(i) == "'":
            text, i = text + "'", i + 1
        while self.kind(i) == "op" and self.said(i) in ("_", "^"):
            j = i + 1
            braced = self.kind(j) == "open"
            inside = [self.said(j)]
            if braced:
                inside, j = [], j + 1
                while (self.kind(j) in _IN_SCRIPTS or self.said(j) in _ALL) and len(inside) < 8:
                    if self.kind(j) != "comma" and self.said(j) not in _ALL:
                        inside.append(self.said(j))
                    j += 1
                if self.kind(j) != "close":
                    break
            elif self.kind(j) not in ("word", "text", "num", "cjk"):
                break
            parts = [part for said in inside for part in said.split("_")]
            if self.said(i) == "^" and (not parts or parts[0] not in _PROJECTIONS):
                break
            subs.extend(parts if self.said(i) == "^" else inside)
            i = j + 1
        if self._label_in_brackets(text, i):
            return Name(text, tuple(subs), start, self.tokens[i + 2].end, self.said(i + 1)), i + 3
        return Name(text, tuple(subs), start, self.tokens[i - 1].end), i
