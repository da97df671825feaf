"""What the words around a formula say: the row that is being worked, the tokens, what is only an example."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise

from symattn.reading.notes.formulas.characters import lines_of, normalise
from symattn.reading.notes.layout.heard import heard

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2}
_ENGLISH = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_ORDINAL = re.compile(
    r"第 ?([一二三四五六七八九十]|\d{1,3}) ?(?:行|个词|个token|个单词|个位置|个字)"
    r"|\b(?:[Rr]ow|[Tt]oken|[Pp]osition|[Qq]uery"
    r"|Zeile|[Ff]ila|[Ll]igne|[Ll]inha|[Rr]iga|[Сс]трок[аи]|행) #?(\d{1,3})\b"
    r"|\b(first|second|third|fourth|fifth|1st|2nd|3rd|4th) (?:row|token|word|query|position)\b",
)
_POSITION = re.compile(r"(?:位置|\bpos ?=) ?(\d{1,3})(?![\d.])")
_FROM_ZERO = re.compile(r"(?:位置|\bpos ?=|从) ?0(?![\d.])")
_ZEROTH = re.compile(r"\b(?:[Rr]ow|[Tt]oken|[Pp]osition|[Qq]uery) #?0\b")
_EXAMPLE = re.compile(
    r"示例值|[(（]示例[)）]|假设的?(?:计算)?结果|简化为示例"
    r"|example values|made-up|for illustration|hypothetical|illustrative",
    re.IGNORECASE,
)
_SUBSCRIPT = re.compile(r"(?<![\w^])[zqZ]_?\{?([1-9])\}?(?![\w\]])")
_BIASED = re.compile(r"relative (?:position(?:al)? )?bias|\bALiBi\b|position(?:al)? bias|位置偏置", re.I)
_JOINS = re.compile(r"[\"”」'’*_ ]*(?:,|and|、|，|和|, and)[\"“「'‘*_ ]*")
"""What stands between two tokens of a list of them."""
_KEYED = re.compile(
    r" *(?:[-*+•]|\d{1,2}[.)]) +[*_`\"“「]*[^\W\d]{1,16}[*_`\"”」]* ?(?:[:：=→]|->) ?[*_`]*[-−(\[]?\w"
)
"""A bullet with a word and what is told of it."""
_SUM = re.compile(
    r"\b(?:[Ss]um|[Tt]otal|[Dd]enominator|adds? up to|[Ss]umme|[Ss]uma|[Ss]omme|[Сс]умма)\b"
    r"|总和|求和|之和|的和|分母|合计|加起来|(?<![\u4e00-\u9fff])和(?= ?[=:])"
)
_BARE = re.compile(r"\s*(?:\$\$|\\[\[\]]|```\w*|\\(?:begin|end)\{\w+\*?\})?\s*")
"""A line that says nothing: blank, or no more than the mark of a display or a fence."""
_APART = r"(?:(?<![\w\"“])|(?<=计算)|(?<=对于)|(?<=所以)|(?<=因此))"
"""Before a word that stands by itself: Chinese has no blanks around it."""
_COUNTED = re.compile(r"第 ?([一二三四五六七八九十]|\d{1,2}) ?行,? ?第 ?([一二三四五六七八九十]|\d{1,2}) ?列")
_NUMBERED = re.compile(r"([A-Za-z]{1,9}|[\u4e00-\u9fff]{1,3}) ?(\d{1,2})\W{1,4}\1 ?(\d{1,2})(?![\d.])")
_UNJOINED = (r"(?<![A-Za-zÀ-ɏЀ-ӿ])", r"(?![A-Za-zÀ-ɏЀ-ӿ])")
"""Before and behind a token that is no part of a longer word."""
LINES_BACK = 14
LONGEST_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the characters of an unpacked notebook stand in its file, and where the lines of that begin."""

    offsets: Sequence[int]
    starts: Sequence[int]


class Context:
    """The lines of a document, and what they say about the row that a formula is in."""

    def __init__(self, text: str, tokens: Sequence[str] = (), origin: Origin | None = None) -> None:
        self.text = normalise(text)
        self.starts = lines_of(text)
        self.origin = origin
        said = self.text.split("\n")
        self.telling = tuple(line for line, words in enumerate(said) if not _BARE.fullmatch(words))
        self.use(tokens)
        self._hear(self.text, range(len(self.starts)))

    def _hear(self, told: str, lines: range) -> None:
        """Take what the words of these lines say; nothing above them speaks of what is in them."""
        self.told, self.lines = told, lines
        self.counted = 0 if _ZEROTH.search(told) else 1
        self.position = 0 if _FROM_ZERO.search(told) else 1
        self.biased = _BIASED.search(told) is not None
        said = heard(told)
        self.causal, self.scale, self.divided_by = said.causal, said.scale, said.divided_by
        self.unprojected, self.temperature = said.unprojected, said.temperature
        begin = self.starts[lines.start] if lines else 0
        self.settings = [begin + offset for offset in said.settings]
        self.mentions: dict[int, list[tuple[int, int]]] = {}
        self.examples: dict[int, bool] = {}
        self.topics: dict[int, bool] = {}

    def within(self, start: int, end: int) -> Context:
        """The context of one example among several."""
        if (start, end) == (0, len(self.text)):
            return self
        part = copy(self)
        part._hear(self.text[start:end], range(self.line(start), self.line(end - 1) + 1))
        return part

    def use(self, tokens: Sequence[str], base: int = 1) -> None:
        """Take the labels of the rows and the first subscript, once they are known."""
        self.base = base
        self.tokens = tuple(tokens)
        self.mentions = {}
        quoted = "|".join(re.escape(token) for token in sorted(tokens, key=len, reverse=True) if token)
        self.label = (
            re.compile(
                rf"[\"“‘'「(（«„] ?({quoted})(?:的?[QKV])? ?[\"”’'」)）»“]"
                rf"|{_APART}({quoted})(?:(?![\w\"”])|(?=的))"
            )
            if quoted
            else None
        )
        self.two = (
            re.compile(
                rf"{_UNJOINED[0]}({quoted}){_UNJOINED[1]}[^\d\n=]{{1,8}}?{_UNJOINED[0]}({quoted}){_UNJOINED[1]}"
            )
            if quoted
            else None
        )

    def line(self, offset: int) -> int:
        """The line of an offset, from 0."""
        return bisect_right(self.starts, offset) - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, in characters."""
        if self.origin is not None:
            offset, starts = self.origin.offsets[offset], self.origin.starts
            line = bisect_right(starts, offset) - 1
            return line + 1, offset - starts[line] + 1
        line = self.line(offset)
        return line + 1, offset - self.starts[line] + 1

    def span(self, line: int) -> tuple[int, int]:
        """The offsets at which a line begins and the next one does."""
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.starts[line], end

    def said(self, line: int) -> str:
        """The characters of a line, as many as words on it matter."""
        start, end = self.span(line)
        return self.text[start : min(end, start + LONGEST_LINE)]

    def around(self, start: int, end: int) -> tuple[str, str]:
        """What stands on its lines before and behind a stretch of the text, as much as matters."""
        first, last = self.line(start), self.line(end - 1)
        return (
            self.text[max(self.starts[first], start - LONGEST_LINE) : start],
            self.text[end : self.starts[last] + len(self.said(last))].rstrip("\n"),
        )

    def row(self, offset: int) -> int | None:
        """The row that the words before an offset speak of: on its line, or a few telling lines above.

        A heading begins another topic: of what stands above it only the headings over it count.
        """
        told = self._told(offset)
        return None if told is None else told[1]

    def is_sure_of_row(self, offset: int) -> bool:
        """Whether the words that say the row stand beside an offset, or on a line without any formula."""
        told = self._told(offset)
        return told is None or told[0] == self.line(offset) or "=" not in self.said(told[0])

    def _told(self, offset: int) -> tuple[int, int] | None:
        """The line of the words that speak of a row, and the row."""
        here = self.line(offset)
        before = [row for at, row in self._mentions(here) if at < offset]
        if before:
            return here, before[0]
        below = _heading(self.said(here))
        above = bisect_left(self.telling, here)
        for line in reversed(self.telling[max(above - LINES_BACK, 0) : above]):
            depth = _heading(self.said(line))
            near = line >= self.lines.start and (not below or 0 < depth < below)
            rows = self._mentions(line) if near else []
            if rows and not self._lists_tokens(line, here):
                return line, rows[0][1]
            below = min(filter(None, (below, depth)), default=0)
        return None

    def _lists_tokens(self, line: int, here: int) -> bool:
        """Whether a line is one of a list of tokens that speak for themselves, or itself lists several.

        So do the bullets `* cat: 0.5` and `* sat: 0.2` not speak of what stands below the list.
        """
        said = self.said(line)
        if self.label is None:
            return False
        found = list(self.label.finditer(said))
        if any(_JOINS.fullmatch(said, one.end(), other.start()) for one, other in pairwise(found)):
            return True
        if _indent(self.said(here)) > _indent(said):
            return False
        beside = [self.said(other) for other in (line - 1, line + 1) if 0 <= other < len(self.starts)]
        return _KEYED.match(said) is not None and any(_KEYED.match(other) for other in beside)

    def own_row(self, offset: int) -> int | None:
        """The row that the words before an offset on its own line speak of."""
        return next((row for at, row in self._mentions(self.line(offset)) if at < offset), None)

    def column(self, offset: int) -> int | None:
        """The token that stands directly before an offset: `"cat" (0.44`."""
        best = None
        for at, row in self._mentions(self.line(offset)):
            if offset - 16 - len(self.tokens[row] if row < len(self.tokens) else "") <= at < offset:
                best = row
        return best

    def pair(self, offset: int) -> tuple[int, int] | None:
        """The two tokens that are named last before an offset on its line, close to one another."""
        start = self.starts[self.line(offset)]
        said = self.text[start:offset]
        pairs = list(self.two.finditer(said)) if self.two is not None else []
        if not pairs:
            return self._counted_pair(said) or self._numbered_pair(said)
        row, col = (self.tokens.index(token) for token in pairs[-1].groups())
        behind = [
            at for where, at in self._mentions(self.line(offset)) if start + pairs[-1].end() <= where < offset
        ]
        return row, behind[-1] if behind else col

    @staticmethod
    def _counted_pair(said: str) -> tuple[int, int] | None:
        """`第1行第2列`: a row and a column."""
        at = _COUNTED.search(said)
        return (_count(at[1]), _count(at[2])) if at is not None else None

    def _numbered_pair(self, said: str) -> tuple[int, int] | None:
        """`token 1 → token 2`, and `token 3` behind it."""
        pair = _NUMBERED.search(said)
        if pair is None:
            return None
        word, row, col = pair.groups()
        *_, last = col, *re.findall(rf"{re.escape(word)} ?(\d{{1,2}})", said[pair.end() :])
        first = 0 if re.search(rf"{re.escape(word)} ?0(?![\d.])", self.told) else 1
        return int(row) - first, int(last) - first

    def _mentions(self, line: int) -> list[tuple[int, int]]:
        if line not in self.mentions:
            start, said = self.starts[line], self.said(line)
            rows = [(start + m.start(), _ordinal(m, self.counted)) for m in _ORDINAL.finditer(said)]
            rows += [(start + m.start(), int(m[1]) - self.base) for m in _SUBSCRIPT.finditer(said)]
            rows += [(start + m.start(), int(m[1]) - self.position) for m in _POSITION.finditer(said)]
            if self.label is not None:
                rows += [
                    (start + m.start(), self.tokens.index(m[1] or m[2])) for m in self.label.finditer(said)
                ]
            self.mentions[line] = sorted((at, row) for at, row in rows if row >= 0)
        return self.mentions[line]

    def is_biased(self, offset: int) -> bool:
        """Whether the words above speak of a bias of positions, which no walk has."""
        here = self.line(offset)
        return self.biased and any(_BIASED.search(self.said(line)) for line in self.lines if line <= here)

    def example(self, offset: int) -> bool:
        """Whether the words just above call what follows an example."""
        here = self.line(offset)
        if here not in self.examples:
            self.examples[here] = self._example(here)
        return self.examples[here]

    def _example(self, here: int) -> bool:
        seen = 0
        for line in range(here, max(here - 30, -1), -1):
            said = self.said(line)
            if _EXAMPLE.search(said):
                return True
            plain = said.strip()
            if plain.startswith("#"):
                return False
            words = re.sub(r"\\[A-Za-z]+", "", plain)
            seen += bool(re.search(r"[\u4e00-\u9fff]{2}|[A-Za-z]{3,} [A-Za-z]{2,}", words)) and line < here
            if seen:
                return False
        return False

    def speaks_of(self, topic: re.Pattern[str], offset: int) -> bool:
        """Whether the line of an offset, which is no heading and no table, has words on a topic."""
        line = self.line(offset)
        if line not in self.topics:
            said = self.said(line)
            self.topics[line] = not said.lstrip().startswith(("|", "#")) and topic.search(said) is not None
        return self.topics[line]

    def speaks_of_sum(self, offset: int) -> bool:
        """Whether the words just before an offset announce a sum."""
        line = self.line(offset)
        return _SUM.search(self.text, max(offset - 24, self.starts[line]), offset) is not None

    def declares_scale(self) -> str | None:
        """`1` where scaling is said to be left out, the usual factor where a root is written, else None.

        A word such as `scaled` declares nothing: it may be no more than the name of a variable.
        """
        return self.scale


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _heading(line: str) -> int:
    """The depth of a Markdown heading, 0 for another line."""
    marks = line.lstrip(" >")
    depth = len(marks) - len(marks.lstrip("#"))
    return depth if marks[depth : depth + 1] == " " else 0


def _count(said: str) -> int:
    """The index that a counted row or column has: `二` and `2` are 1."""
    return (_DIGITS[said] if said in _DIGITS else int(said)) - 1


def _ordinal(match: re.Match[str], first: int) -> int:
    """The row that an ordinal means; `first` is what the document calls the first row by number."""
    chinese, digits, english = match.groups()
    if chinese:
        return _count(chinese)
    return int(digits) - first if digits else _ENGLISH[english] - 1
