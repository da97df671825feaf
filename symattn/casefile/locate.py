"""Where every value of a TOML text stands: `Places(text)["given.X[0][1]"]` is a line and a column.

`tomllib` keeps no positions. This walk goes over text that `tomllib` has accepted, and so checks
nothing; it takes time linear in the text.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct

from symattn.attention.case import Place
from symattn.casefile.toml_text import Token, tokens

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_REST_OF_VALUE = re.compile(r"[^,\]}#\n]*")


class Span(Struct, frozen=True):
    """Offsets into the text: where the key starts, where its value starts, and where that ends."""

    key: int
    start: int
    end: int


class Places(Mapping[str, Place]):
    """The place of every value of `text`: of keys, of array cells, and of the headers of tables.

    Computed when it is first asked; immutable otherwise.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _spans(self) -> Mapping[str, Span]:
        return spans(self._text)

    @cached_property
    def _unquoted(self) -> Mapping[str, Span]:
        """The same without quotes: `given."head1.A"` may be written as a table, `head1.A`."""
        return {path.replace('"', ""): span for path, span in self._spans.items()}

    def _span(self, path: str) -> Span | None:
        return self._spans.get(path) or self._unquoted.get(path.replace('"', ""))

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(newline.end() for newline in re.finditer("\n", self._text))]

    def _place(self, offset: int) -> Place:
        line = bisect_right(self._lines, offset)
        return Place(line, offset - self._lines[line - 1] + 1)

    def __getitem__(self, path: str) -> Place:
        span = self._span(path)
        if span is None:
            raise KeyError(path)
        return self._place(span.start)

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)

    def __repr__(self) -> str:
        return f"Places({len(self._text)} characters)"

    def nearest(self, path: str) -> Place | None:
        """The place of the path, or of the innermost thing around it that is there."""
        while path and (span := self._span(path)) is None:
            path = path.rpartition("[" if path.endswith("]") else ".")[0]
        return self._place(span.start) if path and span is not None else None

    def of_key(self, path: str) -> Place | None:
        """Where the key itself is written, left of its value."""
        span = self._span(path)
        return self.nearest(path) if span is None else self._place(span.key)


def joined(path: str, key: str) -> str:
    """The path of a key inside a table; a key that is not bare is quoted."""
    part = key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return f"{path}.{part}" if path else part


def spans(text: str) -> Mapping[str, Span]:
    """The offsets of every value by its path."""
    return MappingProxyType(_Walk(text).found)


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [*tokens(text), Token("newline", len(text), len(text))]
        self.at = 0
        self.found: dict[str, Span] = {}
        self.counts: dict[str, int] = {}
        self.document()

    def document(self) -> None:
        table = ""
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.kind == "newline":
                self.at += 1
            elif token.kind == "[":
                table = self.header(token)
            else:
                self.pair(table)

    def header(self, opening: Token) -> str:
        """`[a.b]` or `[[a.b]]`; the path of the table that it opens."""
        self.at += 1
        repeated = self.tokens[self.at].kind == "["
        self.at += repeated
        parts = self.key()
        self.at += 1 + repeated
        end = self.tokens[self.at - 1].end
        path = ""
        for part in parts[:-1]:
            path = self.newest(joined(path, part))
            self.found.setdefault(path, Span(opening.start, opening.start, end))
        path = joined(path, parts[-1])
        if repeated:
            self.found.setdefault(path, Span(opening.start, opening.start, end))
            self.counts[path] = self.counts.get(path, 0) + 1
            path = self.newest(path)
        self.found[path] = Span(opening.start, opening.start, end)
        return path

    def newest(self, path: str) -> str:
        """The last table of an array of tables stands for the array in the headers that follow."""
        return f"{path}[{self.counts[path] - 1}]" if path in self.counts else path

    def key(self) -> list[str]:
        parts = []
        while True:
            token = self.tokens[self.at]
            written = self.text[token.start : token.end]
            parts.append(tomllib.loads(f"key = {written}")["key"] if token.kind == "string" else written)
            self.at += 1
            if self.tokens[self.at].kind != ".":
                return parts
            self.at += 1

    def pair(self, path: str) -> None:
        key = self.tokens[self.at].start
        parts = self.key()
        self.at += 1
        first = self.tokens[self.at].start
        for part in parts[:-1]:
            path = joined(path, part)
            self.found.setdefault(path, Span(key, first, first))
        self.value(joined(path, parts[-1]), key)

    def value(self, path: str, key: int) -> None:
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "[":
            self.found[path] = Span(key, token.start, token.end)  # keeps its place before its cells
            end = self.cells(path)
        elif token.kind == "{":
            self.found[path] = Span(key, token.start, token.end)
            end = self.pairs(path)
        elif token.kind == "string":
            end = token.end
        else:
            rest = _REST_OF_VALUE.match(self.text, token.start)
            end = token.start + len(rest.group().rstrip()) if rest else token.end
            while self.tokens[self.at].start < end:
                self.at += 1
        self.found[path] = Span(key, token.start, end)

    def cells(self, path: str) -> int:
        """The cells of an array, up to its closing bracket, whose end is returned."""
        index = 0
        while True:
            token = self.tokens[self.at]
            if token.kind in ("newline", ","):
                self.at += 1
            elif token.kind == "]":
                self.at += 1
                return token.end
            else:
                self.value(f"{path}[{index}]", token.start)
                index += 1

    def pairs(self, path: str) -> int:
        """The pairs of an inline table, up to its closing brace, whose end is returned."""
        while True:
            token = self.tokens[self.at]
            if token.kind in ("newline", ","):
                self.at += 1
            elif token.kind == "}":
                self.at += 1
                return token.end
            else:
                self.pair(path)
