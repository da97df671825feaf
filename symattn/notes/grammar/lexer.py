"""A source to tokens, by the rules of `rules.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final
from unicodedata import category

from symattn.notes.grammar.numerals import writing
from symattn.notes.grammar.rules import CELL, TOKEN
from symattn.notes.grammar.signs import ALONE, COMMANDS, SAME, SUBSCRIPTS, SUPERSCRIPTS
from symattn.notes.grammar.tokens import Token, number
from symattn.notes.source.places import Source
from symattn.notes.source.unread import unread

LONGEST_NUMERAL: Final = 60

_GROUP_MARKS: Final = frozenset(",'’ \u00a0\u202f\u2009\\")
_GLUED = re.compile(r"\.\d[\d.]*")
_PRIMED = re.compile(r"(?<![A-Za-z])[A-Za-z]['′]\s{0,3}(?:=|≈|:)")
_PERCENT = re.compile(r"\s?\\?%")
_DIGITS_OF_FRACTION = re.compile(r"[ \t]*(\d)(?:[ \t]*(\d))?")
_BLANKS: Final[Mapping[str, int]] = MappingProxyType({" ": 1, "\u3000": 2, "\t": 4})


def tokens(source: Source) -> list[Token]:
    """The tokens of a source. A comment at the end of a line of code, inside of brackets, is left out."""
    return _Lexer(source).run()


class _Lexer:
    """Where the lexer is in its text, and what it has found so far."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text
        self.found: list[Token] = []
        self.start = self.place = self.space = 0
        self.unread = unread(source.text)
        self.left, self.right = next(self.unread, (len(source.text),) * 2)
        """The next characters that are not read."""
        self.fenced, self.depth = False, 0
        self.writing = writing(source.text)
        self.primed = _PRIMED.search(source.text) is not None
        self.escaped = source.text.count("\\[") > 2 * source.text.count("\\]")
        """Whether `\\[` is a bracket that Markdown would swallow, since hardly any is closed by `\\]`."""

    def run(self) -> list[Token]:
        text, limit, match = self.text, len(self.text), TOKEN.match
        while self.place < limit:
            self.start = self.place
            if self.start >= self.left:
                self._leave_out()
                continue
            alone = ALONE.get(text[self.start]) if self._within_line() else None
            if alone is not None:
                self.place += 1
                self.depth += alone.deeper
                self.add(alone.kind, alone.text)
                self.space = 0
                continue
            found = self._grouped() or match(text, self.start)
            assert found is not None  # the last rule matches any character
            kind, word = found.lastgroup or "", found[0]
            self.place = found.end()
            if kind in ("said", "ruled"):
                kind = "TEXT" if kind == "said" else "RULE"
            if kind == "SPACE":
                self._blank(word)
                continue
            handler = _HANDLERS.get(kind)
            if handler is None:
                self.depth += word == "{"
                self.add(kind, SAME.get(word, word))
            else:
                handler(self, word)
            self.space = int(kind in ("NL", "FENCE", "MARKER"))
        return self.found

    def _grouped(self) -> re.Match[str] | None:
        """A numeral in the author's writing, where that is not the usual one."""
        numeral = self.writing.numeral
        return numeral.match(self.text, self.start) if numeral and self.text[self.start].isdigit() else None

    def _within_line(self) -> bool:
        return self.start > 0 and self.text[self.start - 1] != "\n"

    def add(self, kind: str, word: str) -> Token:
        """Adds a token at the place where the lexer is."""
        token = Token(kind, word, self.source.lines[self.start], self.source.columns[self.start], self.space)
        self.found.append(token)
        return token

    def _blank(self, word: str) -> None:
        if word == "\\[" and self.escaped:
            self.add("OPEN", "[")
            self.space = 0
        elif word == "\\*":
            self.add("MUL", "*")
            self.space = 0
        self.space += sum(count * word.count(char) for char, count in _BLANKS.items())

    def _opens(self, word: str) -> None:
        self.depth += 1
        self.add("OPEN", SAME.get(word, word))

    def _closes(self, word: str) -> None:
        self.depth -= 1
        self.add("CLOSE", SAME.get(word, word))

    def _leave_out(self) -> None:
        self.add("ODD", "…")
        self.place = max(self.place, self.right)
        self.left, self.right = next(self.unread, (len(self.text),) * 2)

    def _line_feed(self, word: str) -> None:
        self.add("NL", word)
        if self.text.startswith("\n", self.place):
            self.depth *= self.fenced

    def _fence(self, word: str) -> None:
        self.fenced, self.depth = not self.fenced or word.strip(" \t>`~") != "", 0
        self.add("SEP", "fence")

    def _heading(self, word: str) -> None:
        if self.fenced:  # a comment, which is read without its sign
            self.place = self.start + len(word) - len(word.lstrip(" \t>#"))
        else:
            self.add("HEAD", "#" * word.count("#"))

    def _section(self, word: str) -> None:
        self.add("HEAD", "#" + "#" * word.count("sub"))

    def _marker(self, word: str) -> None:
        """The sign of a list, which in code and inside of brackets is a sign of mathematics."""
        if not self.fenced and self.depth <= 0:
            self.add("SEP", word)
            return
        self.place = self.start + len(word) - len(word.lstrip(" \t>"))
        bare = TOKEN.match(self.text, self.place)
        if bare is not None and bare.lastgroup == "MARKER":
            self.place = self.start + len(word.rstrip())
            sign = word.strip()
            self.add("MUL" if sign == "*" else "OP" if sign in "+-" else "SEP", sign)

    def _link(self, word: str) -> None:
        if CELL.match(word):
            self.add("OP", "|")
        else:
            self.add("SEP", "")

    def _unsaid(self, word: str) -> None:
        self.add("SEP", "")

    def _environment(self, word: str) -> None:
        self.add("SEP", word)

    def _text(self, word: str) -> None:
        said = word[word.index("{") + 1 : -1].strip()
        if said in ("T", "⊤"):
            self.add("TRANS", "T")
        elif any(c.isalnum() or c == "_" for c in said):
            self.add("NAME", said)

    def _arrow(self, word: str) -> None:
        self.add("SEP" if word.startswith("<") else "REL", "→")

    def _command(self, word: str) -> None:
        name = word[1:]
        kind, text = COMMANDS.get(name, ("NAME", name))
        if kind:
            token = self.add(kind, text)
            token.value = float("inf") if kind == "NUM" else 0.0
        if kind == "FRAC" and (digits := _DIGITS_OF_FRACTION.match(self.text, self.place)):
            for group in range(1, (digits.lastindex or 1) + 1):  # \frac13 is one third
                self.start, self.place = digits.start(group), digits.end(group)
                digit = self.add("NUM", digits[group])
                digit.value = float(digits[group])

    def _numeral(self, word: str) -> None:
        percent = _PERCENT.match(self.text, self.place)
        if glued := _GLUED.match(self.text, self.place):
            self.place = glued.end()
        raw, word = word, word.rstrip(".")
        if any(mark in word for mark in _GROUP_MARKS):
            word = self.writing.canonical(word)
        padded = len(word) > 1 and word[0] == "0" and word.isdigit()
        if glued or padded or len(word) > LONGEST_NUMERAL:
            self.add("ODD", word[:LONGEST_NUMERAL])
            return
        token = self.add("NUM", word)
        token.raw = raw if raw.rstrip(".") != word else ""
        token.value, token.unit = number(word, bool(percent))
        if percent:
            token.percent, self.place = True, percent.end()

    def _transposed(self, word: str) -> None:
        """A transpose; an apostrophe is a prime where the document has names with primes."""
        self.add("PRIME" if word == "'" and self.primed else "TRANS", word)

    def _lowered(self, word: str) -> None:
        self.add("SUB", "".join(SUBSCRIPTS[c] for c in word))

    def _raised(self, word: str) -> None:
        self.add("SUP", "".join(SUPERSCRIPTS[c] for c in word))

    def _upper_index(self, word: str) -> None:
        """`Q⁽¹⁾`, as `Q^{(1)}`."""
        self.add("OP", "^")
        self.space = 0
        self.add("OPEN", "(")
        self._numeral("".join(SUPERSCRIPTS[c] for c in word[1:-1]))
        self.add("CLOSE", ")")

    def _stars(self, word: str) -> None:
        """Emphasis, which in code is a product or a power."""
        if self.fenced:
            self.add(*(("OP", "^") if word == "**" else ("MUL", "*")))

    def _drawn(self, word: str) -> None:
        self.add("OPEN" if word in "⎢⎣⎜⎝" else "CLOSE", word)

    def _other(self, word: str) -> None:
        if word == "#" and self.fenced and self.depth > 0 and self.found and self.found[-1].kind != "NL":
            end = self.text.find("\n", self.place)
            self.place = len(self.text) if end < 0 else end
        elif word in ("...", "…") or (category(word[0]) in ("Sm", "No") and word not in "<>←→↑↓"):
            self.add("ODD", word)
        else:
            self.add("SEP", word)

    def _nothing(self, word: str) -> None:
        """What only changes how something looks."""


_HANDLERS: Final[Mapping[str, Callable[[_Lexer, str], None]]] = MappingProxyType(
    {
        "NL": _Lexer._line_feed,
        "FENCE": _Lexer._fence,
        "HEADING": _Lexer._heading,
        "SECTION": _Lexer._section,
        "MARKER": _Lexer._marker,
        "LINK": _Lexer._link,
        "RULE": _Lexer._unsaid,
        "LABEL": _Lexer._unsaid,
        "ENV": _Lexer._environment,
        "TEXT": _Lexer._text,
        "ARROW": _Lexer._arrow,
        "COMMAND": _Lexer._command,
        "NUM": _Lexer._numeral,
        "SUB": _Lexer._lowered,
        "TRANS": _Lexer._transposed,
        "SUP": _Lexer._raised,
        "UPPER": _Lexer._upper_index,
        "POW": _Lexer._stars,
        "EMPHASIS": _Lexer._stars,
        "DRAWN": _Lexer._drawn,
        "OPEN": _Lexer._opens,
        "CLOSE": _Lexer._closes,
        "SEP": _Lexer._other,
        "SET": _Lexer._nothing,
    }
)
"""What each rule adds; a rule that is not listed adds what it matched."""
