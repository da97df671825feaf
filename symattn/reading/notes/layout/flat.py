"""Matrices that lost their layout when a page was copied: `X=(111001)` for a 2x3 matrix, column by column.

Copied formulas run their columns together, some pages their rows: where the rows of X stand for themselves as
well, they tell which, and so do other rows, workings beside the matrices that they multiply, and products as
they are printed. A run is only read where one way fits, as many numbers as the quantity has entries.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from symattn.exact.runs import RUN, split
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import (
    Binary,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
    last_of,
    numerals,
)
from symattn.reading.notes.formulas.names import FACTORS, Ref, resolve
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.layout.orders import multiplied_out, printed_again, products, spelled_out

_SCORES = r"Q ?\*? ?K(?:\^?T|ᵀ)(?P<divided> ?/ ?(?:√|sqrt)\(?d_?[kₖ]\)?)?"
_HEAD = re.compile(rf" *(?P<name>{_SCORES}|[A-Za-z]+(?:[ _][A-Za-z]+)?) ?[=≈]")
_TURNED = re.compile(r"X ?[*]? ?W(?:_?[QKV])?(?:\^T|ᵀ)")
"""X W^T, by which weights stand with a row for each column of what they make."""
_RUN = re.compile(RUN)
_SHAPED = re.compile(r"\bX ?\((\d) ?(?:[^\W\d]{1,4} ?)?[*xX] ?\d(?: ?[^\W\d]{1,3})?\)")
"""`X (2×3)` and `X (2个词 x 3维)`: how many rows there are."""
_LOST = re.compile(r"=\(\([^()\n]+\)(?:\([^()\n]+\))+\)=\(")
"""Workings side by side that belong to no matrix of a known height: no product."""
HEIGHTS = (2, 3, 4)
"""How many rows are tried where nothing says it and workings may tell."""
_NOISY = re.compile(r"!\[[^\[\]\n]{0,300}\]\((?:[^()\n]|\([^()\n]*\))*\)")
MOST_ENTRIES = 400
ENOUGH = 4
"""How many entries of products tell how many rows there are."""
_SQUARE = frozenset({"scores", "scaled", "A"})


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without its images: its characters, and the offset of each in the text."""

    said: str
    offsets: tuple[int, ...]


def unflattened(
    text: str, stream: Sequence[Token], found: list[Item], rows: int | None
) -> tuple[Sequence[Token], list[Item]]:
    """Tokens and items, with those of flattened lines as they were before they were copied."""
    plain = normalise(text)
    shape = _SHAPED.search(plain) if rows is None else None
    heights = (rows,) if rows is not None else (int(shape[1]),) if shape is not None else HEIGHTS
    turned = _TURNED.search(plain) is not None
    ways = [_Flat(stream, n, _inputs(found), turned, by_rows) for n in heights for by_rows in (False, True)]
    told = [(list(_made(plain, flat)), flat) for flat in ways]
    values = [last_of(item.node) for item in found]
    lists = {tuple(num.text for num in numerals(value)) for value in values if isinstance(value, Row)}
    ends = products(found)
    said, made = max(
        (
            (
                spelled_out(items, flat.tables, flat.worked),
                printed_again(flat.tables, lists),
                multiplied_out(flat.tables, ends),
            ),
            -at,
            items,
        )
        for at, (items, flat) in enumerate(told)
    )[::2]
    if not made or (len(heights) > 1 and not said[0] and said[2] < ENOUGH):
        lost = [(found.start(), found.end()) for found in _LOST.finditer(plain)]
        return stream, [item for item in found if not any(_across(item, span) for span in lost)]
    spans = [(item.start, item.end) for item in made]
    kept = [item for item in found if not _overlaps(item, spans)]
    pieces = [Token("num", num.text, num.start, num.end) for item in made for num in numerals(item.node)]
    tokens = [token for token in stream if token.kind != "num" or not _overlaps(token, spans)]
    return (
        sorted([*tokens, *pieces], key=lambda token: token.start),
        sorted([*kept, *made], key=lambda item: item.start),
    )


def _made(plain: str, flat: _Flat) -> Iterator[Item]:
    """The chains of the flattened lines of a text."""
    start = 0
    for line in plain.split("\n"):
        end = start + len(line)
        if ("=" in line or "≈" in line) and any(c.isdigit() for c in line) and ("(" in line):
            item = flat.item(_without_images(line, start), start, end)
            if item is not None:
                yield item
        start = end + 1


def _across(item: Item, span: tuple[int, int]) -> bool:
    start, end = span
    return item.start < end and start < item.end


def _overlaps(item: Item | Token, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(spans, (item.start + 1, 0)) - 1
    return any(start <= item.start < end for start, end in spans[max(at, 0) : at + 2])


def _inputs(found: Sequence[Item]) -> tuple[tuple[str, ...], ...]:
    """The rows of X that stand for themselves, as they are written."""
    rows: dict[int, tuple[str, ...]] = {}
    for item in found:
        if isinstance(item.node, Chain) and isinstance(item.node.members[0], Name):
            ref, row = resolve(item.node.members[0]), item.node.members[1]
            if ref is not None and ref.name == "X" and isinstance(row, Row):
                rows.setdefault(ref.row or 0, tuple(num.text for num in numerals(row)))
    return tuple(rows[at] for at in sorted(rows))


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
    def __init__(
        self,
        stream: Sequence[Token],
        rows: int,
        inputs: Sequence[tuple[str, ...]],
        turned: bool,
        by_rows: bool,
    ) -> None:
        self.parser = Parser(stream)
        self.starts = [token.start for token in stream]
        self.rows, self.inputs, self.turned = rows, inputs, turned
        self.columns = {"X": len(inputs[0])} if inputs else {}
        self.tables: dict[str, Grid] = {}
        self.worked: list[tuple[str, Grid]] = []
        self.by_rows = by_rows
        """Whether the page runs rows together, and not columns; the run of X may tell."""

    def item(self, line: _Line, start: int, end: int) -> Item | None:
        """The chain of a flattened line, or None where the line is none."""
        head = _HEAD.match(line.said)
        if head is None:
            return None
        ref = _meant(head)
        if ref is None or ref.row is not None:
            return None
        parts: list[tuple[str, int]] = []
        at = head.end()
        for part in re.split("[=≈]", line.said[at:]):
            parts.append((part, at))
            at += len(part) + 1
        word = head["name"] if resolve(Name(head["name"])) == ref else ref.name
        name = Name(word, (), line.offsets[head.start("name")], line.offsets[head.end("name")])
        members: list[Node] = [name]
        flattened = False
        for part, at in parts:
            node = self._member(part, at, line, ref, members[-1])
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

    def _member(self, part: str, at: int, line: _Line, ref: Ref, before: Node) -> Node | None:
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
        wanted = (ref.name,) if len(factors) == 1 else FACTORS.get(ref.name, ())
        if len(wanted) != len(factors):
            return None
        tables: list[Node] = []
        for factor, name in zip(factors, wanted, strict=True):
            worked = self._worked(before) if len(factors) == 1 else ()
            table = self._table(factor[1:-1], lead + 1, line, name, worked)
            if table is None:
                return None
            tables.append(table)
            lead += len(factor) + 1
        return tables[0] if len(tables) == 1 else Binary("*", tables[0], tables[1])

    def _worked(self, before: Node) -> tuple[str, ...]:
        """The values of the workings before a run, in the order of the page."""
        if not isinstance(before, Grid):
            return ()
        lines = before.rows if self.by_rows else zip(*before.rows, strict=True)
        sums = [_sum(cell) for line in lines for cell in line]
        return tuple(map(str, sums)) if None not in sums else ()

    def _height(self, name: str, count: int) -> int | None:
        """How many rows a matrix of so many entries has; with X W^T the inputs tell the columns of W."""
        if not name.startswith("W_"):
            return self.rows
        inner = self.columns.get("W_V" if name == "W_O" else "X")
        return count // inner if inner and self.turned else inner

    def _width(self, name: str) -> int | None:
        """How many columns a quantity has, as far as it is known."""
        if name in _SQUARE:
            return self.rows
        return self.columns.get({"Z": "W_V", "output": "W_O"}.get(name, f"W_{name}"), self.columns.get(name))

    def _table(self, run: str, at: int, line: _Line, name: str, worked: Sequence[str]) -> Grid | None:
        """A run as a matrix."""
        cells: list[Num | Binary] = []
        pieces = split(run, worked)
        for piece in pieces:
            over, slash, under = piece.partition("/")
            number = Num(over, line.offsets[at], line.offsets[at] + len(over))
            shift = number.end + 1
            cells.append(Binary("/", number, Num(under, shift, shift + len(under))) if slash else number)
            at += len(piece)
        if name == "X" and pieces:
            self.by_rows = self._told_by_rows(pieces, self.by_rows)
        rows = self._laid_out(cells, name)
        if rows is None:
            return None
        if name.startswith("W_"):
            self.columns[name] = len(rows) if self.turned else len(rows[0])
        elif name == "X":
            self.columns.setdefault("X", len(rows[0]))
        grid = Grid(rows, line.offsets[at - len(run)], line.offsets[at - 1])
        self.tables.setdefault(name, grid)
        return grid

    def _told_by_rows(self, pieces: Sequence[str], otherwise: bool) -> bool:
        """Whether the run of X is its rows, which stand for themselves as well, one behind the other."""
        if len({len(row) for row in self.inputs}) != 1:
            return otherwise
        rows = list(chain(*self.inputs))
        columns = list(chain(*zip(*self.inputs, strict=True)))
        return otherwise if rows == columns else list(pieces) == rows

    def _laid_out(self, cells: Sequence[Node], name: str) -> tuple[tuple[Node, ...], ...] | None:
        """Entries in the order of the page as a matrix; None where they are not as many as it has."""
        height = self._height(name, len(cells))
        if not height or not cells or len(cells) % height or len(cells) > MOST_ENTRIES:
            return None
        width = len(cells) // height
        if not name.startswith("W_") and self._width(name) not in (None, width):
            return None
        if self.by_rows:
            return tuple(tuple(cells[k : k + width]) for k in range(0, len(cells), width))
        return tuple(tuple(cells[k::height]) for k in range(height))

    def _workings(self, said: str, lead: int, line: _Line, ref: Ref) -> Grid | None:
        """`((1*1+1*0)(2*1+1*1))`: one working for each entry."""
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
        rows = self._laid_out(cells, ref.name)
        if rows is None:
            return None
        grid = Grid(rows, line.offsets[lead], line.offsets[lead + len(said) - 1])
        if ref.name in FACTORS:
            self.worked.append((ref.name, grid))
        return grid


def _meant(head: re.Match[str]) -> Ref | None:
    """The quantity that the beginning of a line names."""
    said = head["name"]
    if head["divided"]:
        return Ref("scaled")
    if re.fullmatch(_SCORES, said):
        return Ref("scores")
    return resolve(Name(said.replace("_", ""))) or resolve(Name(said))


def _sum(node: Node) -> int | None:
    """The value of a sum of products of integers."""
    match node:
        case Num(text=text):
            return int(text) if re.fullmatch(r"-?\d{1,9}", text) else None
        case Binary(op="+" | "*" as op, left=left, right=right):
            a, b = _sum(left), _sum(right)
            return None if a is None or b is None else a + b if op == "+" else a * b
    return None
