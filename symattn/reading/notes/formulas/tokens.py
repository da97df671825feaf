"""Notes as one stream of tokens with absolute offsets, whatever the segment that they stand in.

Numerals, names, operators, relations, brackets, the cells of matrix environments. Decoration (emphasis,
backticks, dollar signs, spacing commands) becomes a `mark` that separates and says nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate

from symattn.immutable import immutable
from symattn.reading.notes.formulas.characters import SUBSCRIPTS, SUPERSCRIPTS, normalise
from symattn.reading.notes.formulas.lexemes import BULLET, LISTED, RULE, SHOWN, TOKEN, adds, copula_of, pieces
from symattn.reading.notes.formulas.segment import Segment, segments
from symattn.reading.notes.formulas.stream import Token, summed, unwrapped
from symattn.reading.notes.formulas.tex import (
    ARRAYS,
    CELLS,
    COMMANDS,
    DRESSING,
    GREEK,
    MATRICES,
    SKIPPED,
    WITH_COLUMNS,
    Macro,
    accented,
    arguments,
    cells_of,
    dressed,
    macros_of,
    related,
)

MOST_EXPANDED = 20_000
"""How many characters of macros a segment expands to at most; a whole document expands to no more than these
and twice its length."""
DEEPEST = 6
"""How deep macros may stand in one another."""
_POWER = re.compile(r"[\w)\]]\*\*(?:0?\.5|2)(?![\d.*\w])")
"""A power outside of code, `2**0.5`, and no stress."""


def tokens(text: str, kind: str) -> list[Token]:
    """Every token of the text in order; `kind` is that of the document."""
    plain = normalise(text)
    macros = macros_of(plain) if "\\" in plain else {}
    defined = dict(sorted(macro.defined for macro in macros.values()))
    begun, ended = [*defined], [0, *accumulate(defined.values(), max)]
    left = MOST_EXPANDED + 2 * len(plain)
    found: list[Token] = []
    for segment in segments(plain, kind):
        if segment.kind == "quiet":
            found.append(Token("mark", "quiet", segment.start, segment.end))
            continue
        if segment.kind == "math" and found and found[-1].kind != "nl":
            found.append(Token("mark", "$$", segment.start, segment.start))
        within = ended[bisect_left(begun, segment.start)]
        read = _Tokens(plain, segment, macros, defined, within, min(left, MOST_EXPANDED))
        found.extend(read.run())
        left -= read.expanded
        if segment.kind != "prose":
            found.append(Token("nl", "block", segment.end, segment.end))
        elif plain[segment.end : segment.end + 1] in ("", "\n"):
            found.append(Token("nl", "line", segment.end, segment.end))
    return unwrapped(summed(found))


@immutable(frozen=True, slots=True)
class _Scope:
    """The place of use of the macro whose body is read, and where each of its arguments stands."""

    at: tuple[int, int] | None = None
    given: tuple[tuple[int, int], ...] = ()
    outer: _Scope | None = None
    depth: int = 0


class _Tokens:
    """Reads one segment, in which macros expand to `most` characters and what one more stands for.

    `defined` says where each definition begins and ends, and `within` where the last one ends that begins
    before the segment.
    """

    def __init__(
        self,
        text: str,
        segment: Segment,
        macros: Mapping[str, Macro],
        defined: Mapping[int, int],
        within: int,
        most: int,
    ) -> None:
        self.text, self.segment, self.macros, self.defined = text, segment, macros, defined
        self.within, self.most = within, most
        self.maths = segment.kind == "math"
        self.expanded = self.arrays = 0
        self.shown = 0
        """How many brackets are open of a result that comments show over several lines."""

    def run(self) -> Iterator[Token]:
        start, end = self.segment.start, self.segment.end
        start = min(max(start, self.within), end)
        if self.segment.kind == "prose" and (start == 0 or self.text[start - 1] == "\n"):
            line_end = end
            if RULE.match(self.text, start, line_end):
                return
            bullet = BULLET.match(self.text, start, end)
            assert bullet is not None
            if bullet.end() > start and not adds(self.text, start, end):
                yield Token("list", bullet[0], start, bullet.end())
                start = bullet.end()
        yield from self._between(start, end, _Scope())

    def _between(self, start: int, end: int, scope: _Scope) -> Iterator[Token]:
        """The tokens of a stretch, which may be the body of a macro."""
        position, loose, coded = start, True, self.segment.kind == "code"
        previous: Token | None = None
        while position < end:
            listed = LISTED.match(self.text, position, end) if coded and self._begins_line(position) else None
            if listed is not None:
                yield Token("list", listed[0], position, listed.end())
                position = listed.end()
            match = TOKEN.match(self.text, position, end)
            assert match is not None
            kind = match.lastgroup or "other"
            position = match.end()
            if kind == "method":
                continue
            if kind in ("space", "module"):
                loose = True
                continue
            spot = scope.at or (match.start(), match.end())
            cells = cells_of(match[0], self.text, position, end) if match[0] in CELLS else None
            if cells is not None:
                yield Token("env", "matrix", *spot, not loose)
                self.arrays += match[0] in ARRAYS
                yield from self._between(*cells, scope)
                self.arrays -= match[0] in ARRAYS
                previous = Token("endenv", "matrix", cells[1], cells[1] + 1)
                yield previous
                position, loose = cells[1] + 1, False
                continue
            if kind == "command":
                expanded = self._expanded(match, position, end, spot, scope)
                if expanded is not None:
                    inner, position = expanded
                    for previous in inner:
                        yield previous
                    loose = False
                    continue
            number = self.text[position : position + 1]
            if kind == "hash" and number.isdecimal() and 0 < int(number) <= len(scope.given):
                position += 1
                if self.expanded < self.most:
                    first, last = scope.given[int(number) - 1]
                    self.expanded += last - first
                    yield from self._between(first, last, scope.outer or scope)
                continue
            for token in self._told(kind, match, scope, not loose, previous):
                previous = token
                yield token
                position = max(position, token.end) if kind == "hash" else position
            loose = kind == "nl"

    def _begins_line(self, position: int) -> bool:
        """Whether a line begins at an offset."""
        return self.text[position - 1 : position] == "\n"

    def _told(
        self,
        kind: str,
        match: re.Match[str],
        scope: _Scope,
        tight: bool,
        previous: Token | None,
    ) -> Iterator[Token]:
        said, (start, end) = match[0], (spot := scope.at or match.span())
        match kind:
            case "nl":
                if not self.maths:
                    yield Token("nl", "line", start, end)
            case "num" if said.isdigit() and previous is not None and previous.kind == "command":
                for first, last in zip((0, 1, 2), (1, 2, len(said)), strict=True):  # `\\frac12`: a digit each
                    if said[first:last]:
                        yield Token(kind, said[first:last], start + first, start + last, tight or first > 0)
            case "num":
                yield Token(kind, said.replace("{.}", ".").replace("_", ""), start, end, tight)
            case "rel" | "open" | "close" | "comma" | "dots" | "amp" | "row":
                if kind == "rel":
                    said = {"<-": "=", "->": "→", "=>": "→", "~": "≈", ":=": "="}.get(said, said)
                    if len(said) > 1:
                        yield Token("mark", said, start, end)
                        return
                yield Token(kind, said, start, end, tight)
            case "percent":
                yield Token("percent", "%", start, end, tight)
            case "env" | "endenv":
                name = said[said.index("{") + 1 : said.index("}")]
                plain = name.rstrip("*")
                if plain in MATRICES:
                    yield Token(kind, name if name in WITH_COLUMNS else plain, start, end, tight)
                else:
                    yield Token("mark", plain, start, end)
            case "text":
                yield Token("text", dressed(said, self.text, scope.given), start, end, tight)
            case "command":
                if said[1:] in DRESSING and previous is not None and previous.kind != "op":
                    yield Token("mark", "thin", start, end)
                yield from self._command(said[1:], spot, tight)
            case "over":
                yield Token("rel", related(said), start, end, tight)
            case "nothing":
                yield Token("mark", "thin" if "phantom" in said else "quiet", start, end)
            case "accent":
                yield Token("word", accented(match["letter"], match["mark_above"]), start, end, tight)
            case "label":
                yield Token("label", said[1:-1], start, end, tight)
            case "cjk":
                yield from self._chinese(said, spot, match.end(), tight)
            case "contraction":
                yield Token("word", said, start, end, tight)
            case "word":
                for piece in pieces(match, spot, tight, previous.kind if previous else None):
                    yield Token(*piece)
            case "subs":
                yield Token("op", "_", start, start, True)
                digits = "".join(SUBSCRIPTS.get(c, "") for c in said)
                yield Token("num" if digits.isdigit() else "word", digits, start, end, True)
            case "sup":
                yield Token("op", "^", start, start, True)
                inner = "".join(SUPERSCRIPTS.get(c, "") for c in said)
                yield Token("num" if inner.isdigit() else "word", inner, start, end, True)
            case "emphasis":
                if said == "**" and (self.segment.kind == "code" or _POWER.match(self.text, start - 1)):
                    yield Token("op", "^", start, end, tight)
                else:
                    yield Token("mark", said, start, end, tight)
            case "attribute":
                yield Token("op", "^", start, start, True)
                yield Token("word", "T", start, end, True)
            case "op" if said == "@":
                yield Token("row", said, *spot, tight) if self.arrays else Token("op", "*", *spot, tight)
            case "op":
                yield Token("op", said, start, end, tight)
            case "colon":
                yield Token("rel", ":", start, end, tight)
            case "hash" if self.segment.kind == "code" or said.startswith("<"):
                line = self.text.find("\n", end, self.segment.end)
                line = self.segment.end if line < 0 else line
                yield self._remark(start, line, tight)
            case "mark":
                yield Token("mark", said, start, end, tight)
            case _:
                yield Token("stop", said, start, end, tight)

    def _chinese(self, said: str, spot: tuple[int, int], after: int, tight: bool) -> Iterator[Token]:
        """A run of Chinese; the verb before a value is a relation: `为` says as much as a colon."""
        start, end = spot
        copula = copula_of(said, self.text, after)
        if copula is None:
            yield Token("cjk", said, start, end, tight)
            return
        between = start + copula.start()
        if copula.start():
            yield Token("cjk", said[: copula.start()], start, between, tight)
        yield Token("rel", "=" if copula["equal"] else ":", between, end, not copula.start() and tight)

    def _remark(self, start: int, line: int, tight: bool) -> Token:
        """A comment of code up to the end of its line; one that shows a result is the sign before it."""
        shown = SHOWN.fullmatch(self.text, start, line)
        if shown is not None and (self.shown or shown["first"]):
            opened = shown["result"].count("[") - shown["result"].count("]")
            kind, self.shown = "mark" if self.shown else "rel", self.shown + opened
            return Token(kind, "=", start, shown.start("result"), tight)
        self.shown = 0
        return Token("comment", self.text[start:line], start, line, tight)

    def _expanded(
        self, match: re.Match[str], position: int, end: int, spot: tuple[int, int], scope: _Scope
    ) -> tuple[Iterator[Token], int] | None:
        """What stands for a command of the document's own, and where the text goes on; None for others."""
        defined = self.defined.get(match.start())
        if defined is not None:
            return iter((Token("mark", "quiet", *spot),)), min(defined, end)
        macro = self.macros.get(match[0][1:])
        if macro is None or scope.depth >= DEEPEST or self.expanded >= self.most:
            return None
        given = arguments(self.text, position, end, macro.arity)
        if given is None:
            return None
        self.expanded += macro.body[1] - macro.body[0]
        inner = _Scope(spot, tuple(given[0]), scope, scope.depth + 1)
        return self._between(*macro.body, inner), given[1]

    def _command(self, name: str, spot: tuple[int, int], tight: bool) -> Iterator[Token]:
        start, end = spot
        if name in COMMANDS:
            kind, said = COMMANDS[name]
            yield Token(kind, said, start, end, tight)
        elif name in ",;:!":
            yield Token("mark", "thin", start, end)
        elif name not in SKIPPED and name[0].isalpha():
            yield Token("word", GREEK.get(name, name), start, end, tight)
