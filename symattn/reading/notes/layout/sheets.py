"""Where tables stand in a text, and where their cells: in Markdown, Org, AsciiDoc, wiki text, HTML, LaTeX and
reStructuredText, and as values between tabs or commas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain as every
from itertools import pairwise

from symattn.reading.notes.formulas.characters import lines_of
from symattn.reading.notes.layout.tabular import Cells, Span, between, nodes, tabular


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that fills lines `first` to `last`; `head` is the line of its heads, `header` their cells.

    A table without heads has empty ones.
    """

    first: int
    last: int
    head: int
    header: Cells
    body: tuple[Cells, ...]


_PIPED = re.compile(r" {0,20}\|")
_RULE = re.compile(r" {0,20}\|(?: *:?-+:? *[|+])* *:?-+:? *\|? *$")
_OPEN_RULE = re.compile(r" *:?-+:?(?: *[|+] *:?-+:?)+ *$")
_FRAME = re.compile(r" {0,20}\+(?:[-=]+\+)+ *$")
_ADOC = re.compile(r"\|={3,} *$")
_BARS = re.compile(r" *=+(?: +=+)+ *$")
_WIKI_CELL = re.compile(r"(?:^[!|]|!!|\|\|)(?: *[a-z]+=\"[^\"\n]*\" *\|(?!\|))?")
_TAG = re.compile(r"<(/?)(table|tr|t[hd])(?:\s[^<>]*)?>", re.IGNORECASE)
_VALUE = re.compile(r" *(?:[-−+]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?|-inf|−∞) *")
_LISTED_CELL = re.compile(r" +(?P<row>\* )? *-(?P<cell>(?: [^\n]*)?)")
_OPTION = re.compile(r" +:[\w-]+:")
_BOXES = str.maketrans("│┃║┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝┏┳┓┣╋┫┗┻┛╭╮╰╯─━═", "|||+++++++++++++++++++++++++++++++---")
"""Frames drawn in characters of their own, in those of plain text."""
MOST_COLUMNS = 60


def sheets(text: str) -> Iterator[Sheet]:
    """Every table of a text, in order; none stands in another."""
    text = text.translate(_BOXES)
    lines = text.split("\n")
    reader = _Reader(text, lines, lines_of(text))
    i = 0
    while i < len(lines):
        found = reader.at(i)
        if found is not None:
            yield found
        i = max(found.last if found is not None else i, i) + 1


class _Reader:
    def __init__(self, text: str, lines: Sequence[str], starts: Sequence[int]) -> None:
        self.text, self.lines, self.starts = text, lines, starts

    def at(self, i: int) -> Sheet | None:
        """The table that begins on line i."""
        line = self.lines[i]
        stripped = line.strip()
        if "|" in line and _OPEN_RULE.match(self._line(i + 1)):
            return self._open(i)
        if stripped[:1] in ("|", "+"):
            return self._asciidoc(i) if _ADOC.match(line) else self._piped(i)
        if stripped.startswith("{|"):
            return self._wiki(i)
        if "<t" in line.lower():
            return self._html(i)
        if "\\begin{" in line:
            return self._latex(i)
        if "\\matrix" in line:
            return self._nodes(i)
        if stripped.startswith(".. list-table::"):
            return self._listed(i)
        if stripped.startswith("=") and _BARS.match(line):
            return self._barred(i)
        return self._separated(i, "\t") or self._separated(i, ",")

    def _line(self, i: int) -> str:
        return self.lines[i] if i < len(self.lines) else ""

    def _piped(self, i: int) -> Sheet | None:
        """Rows between pipes, with a rule below the heads; frames of `+---+` lines may stand around them."""
        head = i + 1 if _FRAME.match(self.lines[i]) else i
        ruled = _FRAME.match(self._line(head + 1)) if head > i else _RULE.match(self._line(head + 1))
        if not _PIPED.match(self._line(head)):
            return None
        if not ruled:
            return self._unruled(i) if head == i else None
        last = head + 2
        while _PIPED.match(self._line(last)) or (head > i and _FRAME.match(self._line(last))):
            last += 1
        rows = [k for k in range(head + 2, last) if not self._is_rule(k)]
        ruled_off = head > i and last - head == 2 * (len(rows) + 1)  # a rule below each row tells of no head
        if ruled_off and all(map(self._is_value, self._pipes(head))):
            return self._made(
                i, last - 1, head, self._nothing(self._pipes(head)), [self._pipes(k) for k in (head, *rows)]
            )
        return self._made(i, last - 1, head, self._pipes(head), [self._pipes(k) for k in rows])

    def _unruled(self, i: int) -> Sheet | None:
        """Rows of values between pipes, as programs and Org print them: no heads."""
        last = i
        while _PIPED.match(self._line(last)) and all(map(self._is_value, self._pipes(last)[1:])):
            last += 1
        rows = [self._pipes(k) for k in range(i, last)]
        return self._made(i, last - 1, i, self._nothing(rows[0]), rows) if len(rows) > 1 else None

    def _open(self, i: int) -> Sheet | None:
        """Rows with pipes between their cells and none around them."""
        width = self.lines[i].count("|")
        last = i + 2
        while width == self._line(last).count("|"):
            last += 1
        return self._made(
            i, last - 1, i, self._fields(i, "|"), [self._fields(k, "|") for k in range(i + 2, last)]
        )

    def _is_rule(self, i: int) -> bool:
        return _RULE.match(self.lines[i]) is not None or _FRAME.match(self.lines[i]) is not None

    def _pipes(self, i: int, closed: bool = True) -> Cells:
        """The cells of a line: between pipes, or behind each where the last is not `closed`."""
        at = [k for k, c in enumerate(self.lines[i]) if c == "|"]
        at += [] if closed else [len(self.lines[i])]
        return tuple((self.starts[i] + a + 1, self.starts[i] + b) for a, b in pairwise(at))

    def _asciidoc(self, i: int) -> Sheet | None:
        last = next((k for k in range(i + 1, len(self.lines)) if _ADOC.match(self.lines[k])), None)
        if last is None:
            return None
        rows = [k for k in range(i + 1, last) if _PIPED.match(self.lines[k])]
        if len(rows) < 2:
            return None
        cells = [self._pipes(k, False) for k in rows]
        if self._line(rows[0] + 1).strip() and any(map(self._is_value, cells[0])):
            return self._made(i, last, rows[0], self._nothing(cells[0]), cells)
        return self._made(i, last, rows[0], cells[0], cells[1:])

    def _wiki(self, i: int) -> Sheet | None:
        rows: list[list[Span]] = [[]]
        begun: list[int] = []
        last = next((k for k in range(i + 1, len(self.lines)) if self.lines[k].startswith("|}")), None)
        for k in range(i + 1, last or i):
            line, start = self.lines[k], self.starts[k]
            if line.startswith("|-"):
                rows.append([])
            elif line[:1] in ("|", "!") and not line.startswith("|+"):
                begun += [k]
                marks = [*_WIKI_CELL.finditer(line)]
                ends = [*(mark.start() for mark in marks[1:]), len(line)]
                rows[-1] += [(start + m.end(), start + e) for m, e in zip(marks, ends, strict=True)]
        kept = [tuple(row) for row in rows if row]
        if last is None or len(kept) < 2:
            return None
        return self._made(i, last, begun[0], kept[0], kept[1:])

    def _html(self, i: int) -> Sheet | None:
        rows: list[list[Span]] = []
        heads, first, begun, opened, last = 0, i, i, 0, None
        start = self.starts[i]
        for tag in _TAG.finditer(self.text, start):
            closes, name = bool(tag[1]), tag[2].lower()
            if name == "table" and closes:
                last = self.text.count("\n", start, tag.end()) + i
                break
            if name == "table":  # what stands around another table lays out no more than that
                first = self.text.count("\n", start, tag.start()) + i
                rows, heads = [], 0
            if name == "tr" and not closes:
                begun = begun if rows else self.text.count("\n", start, tag.start()) + i
                rows.append([])
            elif name[1] in "hd" and not closes:
                opened = tag.end()
                heads += name == "th" and len(rows) == 1
            elif name[1] in "hd" and rows:
                rows[-1].append((opened, tag.start()))
        kept = [tuple(row) for row in rows if row]
        if last is None or not kept:
            return None
        if heads == len(kept[0]) or not any(self._is_value(span) for span in kept[0]):
            return self._made(first, last, begun, kept[0], kept[1:])
        return self._made(first, last, begun, self._nothing(kept[0]), kept)

    def _listed(self, i: int) -> Sheet | None:
        """A table of reStructuredText that is a list of lists: `* - cat`, `  - 0.5`."""
        rows: list[list[Span]] = []
        last = i
        for k in range(i + 1, len(self.lines)):
            cell = _LISTED_CELL.fullmatch(self.lines[k])
            if cell is None and rows and self.lines[k].strip():
                break
            if cell is None:
                if not self.lines[k].strip() or _OPTION.match(self.lines[k]):
                    continue
                break
            if cell["row"]:
                rows.append([])
            if rows:
                rows[-1].append((self.starts[k] + cell.start("cell"), self.starts[k] + cell.end("cell")))
                last = k
        if len(rows) < 2:
            return None
        header, *body = map(tuple, rows)
        if any(map(self._is_value, header[1:])):
            header, body = self._nothing(header), [header, *body]
        return self._made(i, last, i + 1, header, body)

    def _is_value(self, span: Span) -> bool:
        return _VALUE.fullmatch(self.text, *span) is not None

    @staticmethod
    def _nothing(row: Cells) -> Cells:
        """As many empty cells as a row has."""
        return tuple((start, start) for start, _ in row)

    def _latex(self, i: int) -> Sheet | None:
        found = tabular(self.text, self.starts[i], self.starts[i] + len(self.lines[i]))
        if found is None or len(found[0]) < 2:
            return None
        rows, end = found
        head, last = (self.text.count("\n", self.starts[i], at) + i for at in (rows[0][0][0], end))
        return self._made(i, last, head, rows[0], rows[1:])

    def _nodes(self, i: int) -> Sheet | None:
        """A matrix of nodes as TikZ draws it: rows below a line that ends with a brace, without heads."""
        last = i + 1
        while "&" in self._line(last):
            last += 1
        if not self.lines[i].rstrip().endswith("{") or not self._line(last).lstrip().startswith("}"):
            return None
        rows = [nodes(self.lines[k], self.starts[k]) for k in range(i + 1, last)]
        if not rows or not all(map(self._is_value, every.from_iterable(rows))):
            return None
        return self._made(i + 1, last - 1, i + 1, self._nothing(rows[0]), rows)

    def _barred(self, i: int) -> Sheet | None:
        """The simple tables of reStructuredText: columns below bars of `===`."""
        bars = [
            k
            for k in range(i, min(i + 200, len(self.lines)))
            if self.lines[k].strip() == self.lines[i].strip()
        ]
        if len(bars) < 3 or bars[1] != i + 2:
            return None
        columns = [bar.start() for bar in re.finditer(r"=+", self.lines[i])]
        rows = [self._cut(k, columns) for k in range(bars[1] + 1, bars[2])]
        return self._made(i, bars[2], i + 1, self._cut(i + 1, columns), rows)

    def _cut(self, i: int, columns: Sequence[int]) -> Cells:
        ends = [*columns[1:], len(self.lines[i])]
        return tuple(
            (self.starts[i] + a, self.starts[i] + max(a, b)) for a, b in zip(columns, ends, strict=True)
        )

    def _separated(self, i: int, sign: str) -> Sheet | None:
        """Lines of as many values behind a line of as many heads, or of an empty one and heads."""
        width = self.lines[i].count(sign) + 1
        if not 1 < width <= MOST_COLUMNS or any(map(self._is_value, self._fields(i, sign))):
            return None
        last = i + 1
        while last < len(self.lines) and self._is_record(last, sign, width):
            last += 1
        if last < i + 2:
            return None
        body = [self._fields(k, sign) for k in range(i + 1, last)]
        return self._made(i, last - 1, i, self._fields(i, sign), body)

    def _is_record(self, i: int, sign: str, width: int) -> bool:
        """Whether a line has so many fields, the last a value, and no blanks behind its commas."""
        fields = self._fields(i, sign)
        return (
            len(fields) == width and self._is_value(fields[-1]) and (sign != "," or ", " not in self.lines[i])
        )

    def _fields(self, i: int, sign: str) -> Cells:
        line, start = self.lines[i], self.starts[i]
        return tuple(between(start, [start + k for k, c in enumerate(line) if c == sign], start + len(line)))

    @staticmethod
    def _made(first: int, last: int, head: int, header: Cells, body: Sequence[Cells]) -> Sheet | None:
        whole = bool(body) and all(len(row) == len(header) for row in body)
        return Sheet(first, last, head, header, tuple(body)) if whole else None
