"""Matrices that lost their layout when a page was copied: `X=(111001)` for a 2x3 matrix, column by column.

Copied formulas run their columns together. A run is only split where one way fits: single digits, or
decimals with one number of places, as many as the rows of the quantity divide.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import Binary, Chain, Grid, Name, Node, Num, Row, numerals
from symattn.reading.notes.formulas.names import Bases, Ref, resolve
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.tokens import Token

_HEAD = re.compile(r" *([A-Za-z]+(?:[ _][A-Za-z]+)?) ?=")
_RUN = re.compile(r"\d{2,}|(?:\d+\.\d+){2,}|(?:\d+/\d+(?:\.\d+)?){2,}")
_NOISY = re.compile(r"!\[[^\[\]\n]{0,300}\]\((?:[^()\n]|\([^()\n]*\))*\)")
MOST_ENTRIES = 400
MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without its images: its characters, and the offset of each in the text."""

    said: str
    offsets: tuple[int, ...]


def unflattened(
    text: str, stream: Sequence[Token], found: list[Item], rows: int | None
) -> tuple[Sequence[Token], list[Item]]:
    """Tokens and items, with those of flattened lines as they were before they were copied."""
    if rows is None:
        return stream, found
    plain = normalise(text)
    flat = _Flat(stream, rows, _width(found))
    made: list[Item] = []
    start = 0
    for line in plain.split("\n"):
        end = start + len(line)
        if "=" in line and any(c.isdigit() for c in line) and ("(" in line):
            item = flat.item(_without_images(line, start), start, end)
            if item is not None:
                made.append(item)
        start = end + 1
    if not made:
        return stream, found
    spans = [(item.start, item.end) for item in made]
    kept = [item for item in found if not _overlaps(item, spans)]
    pieces = [Token("num", num.text, num.start, num.end) for item in made for num in numerals(item.node)]
    tokens = [token for token in stream if token.kind != "num" or not _overlaps(token, spans)]
    return (
        sorted([*tokens, *pieces], key=lambda token: token.start),
        sorted([*kept, *made], key=lambda item: item.start),
    )


def _overlaps(item: Item | Token, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(spans, (item.start + 1, 0)) - 1
    return any(start <= item.start < end for start, end in spans[max(at, 0) : at + 2])


def _width(found: Sequence[Item]) -> int | None:
    """The number of columns of X, from a row that stands for itself."""
    for item in found:
        if isinstance(item.node, Chain) and isinstance(item.node.members[0], Name):
            ref = resolve(item.node.members[0], Bases())
            if ref is not None and ref.name == "X" and isinstance(item.node.members[1], Row):
                return len(item.node.members[1].items)
    return None


def _without_images(line: str, start: int) -> _Line:
    said: list[str] = []
    offsets: list[int] = []
    at = 0
    for image in _NOISY.finditer(line):
        said += [line[at : image.start()], "|"]
        offsets += [*range(start + at, start + image.start()), start + image.start()]
        at = image.end()
    said.append(line[at:])
    offsets += [*range(start + at, start + len(line)), start + len(line)]
    return _Line("".join(said), tuple(offsets))


class _Flat:
    def __init__(self, stream: Sequence[Token], rows: int, width: int | None) -> None:
        self.parser = Parser(stream)
        self.starts = [token.start for token in stream]
        self.rows, self.width = rows, width

    def item(self, line: _Line, start: int, end: int) -> Item | None:
        """The chain of a flattened line, or None where the line is none."""
        head = _HEAD.match(line.said)
        if head is None:
            return None
        ref = resolve(Name(head[1].replace("_", "")), Bases()) or resolve(Name(head[1]), Bases())
        if ref is None or ref.row is not None:
            return None
        parts: list[tuple[str, int]] = []
        at = head.end()
        for part in line.said[at:].split("="):
            parts.append((part, at))
            at += len(part) + 1
        name = Name(ref.name, (), line.offsets[head.start(1)], line.offsets[head.end(1)])
        members: list[Node] = [name]
        flattened = False
        for part, at in parts:
            node = self._member(part, at, line, ref)
            flattened = flattened or node is not None
            node = node or self._parsed(line.offsets[at + len(part) - len(part.lstrip(" |"))])
            if node is None:
                return None
            members.append(node)
        relations = ("=",) * (len(members) - 1)
        return Item(Chain(tuple(members), relations), start, end) if flattened else None

    def _parsed(self, offset: int) -> Node | None:
        at = bisect_left(self.starts, offset)
        read = self.parser.formula(at)
        return None if read is None else read[0]

    def _member(self, part: str, at: int, line: _Line, ref: Ref) -> Node | None:
        """One member: a run, two runs multiplied, or workings side by side."""
        said = part.strip()
        lead = at + len(part) - len(part.lstrip())
        if said.startswith("((") and said.endswith("))"):
            return self._workings(said, lead, line, ref)
        factors = said.split("*")
        if not all(
            len(f) > 3 and (f[0], f[-1]) in (("(", ")"), ("|", "|")) and _RUN.fullmatch(f[1:-1])
            for f in factors
        ):
            return None
        names = {
            "Q": ("X", "W_Q"),
            "K": ("X", "W_K"),
            "V": ("X", "W_V"),
            "scores": ("Q", "K"),
            "Z": ("A", "V"),
        }
        wanted = (ref.name,) if len(factors) == 1 else names.get(ref.name, ())
        if len(wanted) != len(factors):
            return None
        tables: list[Node] = []
        for factor, name in zip(factors, wanted, strict=True):
            table = self._table(factor[1:-1], lead + 1, line, name)
            if table is None:
                return None
            tables.append(table)
            lead += len(factor) + 1
        return tables[0] if len(tables) == 1 else Binary("*", tables[0], tables[1])

    def _height(self, name: str) -> int | None:
        return self.width if name.startswith("W_") else self.rows

    def _table(self, run: str, at: int, line: _Line, name: str) -> Grid | None:
        """A run as a matrix, column by column."""
        height = self._height(name)
        pieces = _split(run)
        if height is None or not pieces or len(pieces) % height or len(pieces) > MOST_ENTRIES:
            return None
        cells: list[Node] = []
        for piece in pieces:
            over, slash, under = piece.partition("/")
            node: Node = Num(over, line.offsets[at], line.offsets[at] + len(over))
            if slash:
                shift = line.offsets[at] + len(over) + 1
                node = Binary("/", node, Num(under, shift, shift + len(under)))
            cells.append(node)
            at += len(piece)
        columns = [cells[k : k + height] for k in range(0, len(cells), height)]
        first, last = line.offsets[at - len(run)], line.offsets[at - 1]
        return Grid(tuple(zip(*columns, strict=True)), first, last)

    def _workings(self, said: str, lead: int, line: _Line, ref: Ref) -> Grid | None:
        """`((1*1+1*0)(2*1+1*1))`: one working for each entry, column by column."""
        cells: list[Node] = []
        at = 1
        while at < len(said) - 1:
            close = said.find(")", at)
            if said[at] != "(" or close < 0 or "(" in said[at + 1 : close]:
                return None
            token = bisect_left(self.starts, line.offsets[lead + at + 1])
            read = self.parser.formula(token)
            if read is None or self.parser.said(read[1]) != ")":
                return None
            cells.append(read[0])
            at = close + 1
        height = self._height(ref.name)
        if height is None or not cells or len(cells) % height:
            return None
        columns = [cells[k : k + height] for k in range(0, len(cells), height)]
        return Grid(tuple(zip(*columns, strict=True)), line.offsets[lead], line.offsets[lead + len(said) - 1])


def _split(run: str) -> list[str]:
    """A run in pieces: digits one by one, decimals of the one number of places that fits."""
    if run.isdigit():
        return list(run)
    quotients = "/" in run
    ways: list[list[str]] = []
    for places in range(1, MOST_PLACES + 1):
        piece = rf"\d{{1,4}}?/\d{{1,3}}\.\d{{{places}}}" if quotients else rf"\d{{1,4}}?\.\d{{{places}}}"
        pieces = re.findall(piece, run)
        if "".join(pieces) == run and not any(re.match(r"0\d", part) for part in pieces):
            ways.append(pieces)
    return ways[0] if len(ways) == 1 else []
