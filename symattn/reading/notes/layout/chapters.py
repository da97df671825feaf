"""Where chapters of a document may begin that work an example of their own, by its headings and rules.

Below each of them an input is given with numbers that stand nowhere above. Whether it is an example of its
own only reading it tells.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from symattn.reading.kinds import Kind

_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_MARKED = re.compile(r" {0,3}(#{1,6}) +\S")
_COMMAND = re.compile(
    r"^ *\\(part|chapter|section|subsection|newpage|clearpage|hrule)(?:fill)?\*?(?![A-Za-z]).*", re.MULTILINE
)
_UNDERLINES = {"=": 1, "-": 2}
"""The levels of the headings that are underlined with these."""
_RULE = re.compile(r" {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,}|={3,}|~{3,})$")
_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3}
RULE = 0
"""The level of a rule across the page."""
TRIED = ((1,), (RULE, 1), (1, 2), (1, 2, 3))
"""The levels at which chapters are looked for, one choice after the other."""
_PART_OF_ONE = re.compile(
    r"\b(?:heads?|layers?|blocks?|batch(?: element)?|steps?|row|token) ?#?\d|\b(?:de|en)coder\b|\bcross\b"
    r"|第 ?[\d一二三四五六七八九十]+ ?(?:个)?(?:注意力)?(?:头|層|层|步)|步骤|[头层] ?\d|[解编]码器?|交叉",
    re.IGNORECASE,
)
"""What heads a part of one example, whose input may be another one."""
_NAMED = re.compile(
    r"[ \t>*+\-•#`$_\"'“「\\(\[{&|]*(?:\d{1,2}[.):、] *)?[*`$_\\( ]*"
    r"(?:(?:mathbf|mathrm|boldsymbol|bm|text|vec)\{)?"
    r"(?P<letter>[XxEQq])(?:mb)?(?:_?\{?\w{1,12}\}?)?[}\]`$*_\"'”」)| ]*(?:&? ?[:：=]|∈|\|?$)"
)
"""The letter of an input, or of queries, that a line begins with."""
_WORDED = re.compile(r"embedding|input|输入|嵌入|词向量|(?P<query>quer(?:y|ies)\b|查询)", re.IGNORECASE)
_SAID = re.compile(r".*[:：=]")
LONGEST_SAID = 100
_RESULT = re.compile(
    r"softmax|\bexp\b|\be\^|\bweights\b|\bscores?\b|dot product|Q ?K|output"
    r"|权重|归一化|分数|得分|打分|点积|输出",
    re.IGNORECASE,
)
"""What an example has come to before the next one begins at its queries."""
_NUMERAL = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?(?![\w.]*\w)")
_DECIMAL = re.compile(r"\d\.\d")
_DRESSING = re.compile(
    r"\\(?:begin|end)\{\w+\*?\}|\\[A-Za-z]+|\b(?:array|tensor|torch|np|matrix)(?![A-Za-z])|[^\w]|_|\d"
)
_BLANK = re.compile(r"\n\s*\n")
MOST_CHAPTERS = 1_000
"""What stands behind so many chapters is part of the last one."""
FAR = 600
"""How far below its name the numbers of an input may stand."""
LABEL = 24
"""The longest label of a row between its numbers and those above."""
FEWEST, MOST = 2, 12
"""How many numbers of an input are looked at."""
TELLING = 4
"""So many numbers that stand above as well, in their order, are hardly others by chance."""
LONG = 8
"""That they do takes so many characters besides: `1 0 0 1` stands everywhere."""
MOST_PLACES = 64
"""At how many places of the first of these the others are looked for."""


@dataclass(frozen=True, slots=True)
class _Boundary:
    start: int
    level: int
    said: str


@dataclass(frozen=True, slots=True)
class _Given:
    """The line with the name of an input, and the first numbers of that."""

    start: int
    nums: tuple[str, ...]


def chapters(text: str, kind: Kind) -> list[tuple[int, int]]:
    """The stretches of a text that may work an example each; the whole text where that is one."""
    text = text.translate(_NARROW)
    bounds = list(_boundaries(text, kind))
    if bounds:
        given, numbers = list(_given(text)), _Numbers(text)
        for levels in TRIED:
            starts = _begun([bound for bound in bounds if bound.level in levels], given, numbers)
            if len(starts) > 1:
                lead = islice(_DECIMAL.finditer(text, 0, starts[0]), TELLING)
                first = starts[:1] if len(list(lead)) == TELLING else []
                return list(pairwise([0, *first, *starts[1:MOST_CHAPTERS], len(text)]))
    return [(0, len(text))]


def _boundaries(text: str, kind: Kind) -> Iterator[_Boundary]:
    """The headings and rules of a text; what stands in code is none."""
    if kind == "latex":
        for found in _COMMAND.finditer(text):
            yield _Boundary(found.start(), _LEVELS.get(found[1], RULE), found[0])
        return
    fence, start = "", 0
    title: _Boundary | None = None
    blank = True
    for line in text.split("\n"):
        fenced, marked = _FENCE.match(line), _MARKED.match(line)
        rule = _RULE.fullmatch(line) is not None
        if fenced is not None:
            fence = "" if fence and fenced[1].startswith(fence) else fence or fenced[1][:3]
        elif fence:
            pass
        elif marked is not None:
            yield _Boundary(start, len(marked[1]), line)
        elif rule and title is not None and line.lstrip()[0] in _UNDERLINES:
            yield replace(title, level=_UNDERLINES[line.lstrip()[0]])
        elif rule and blank:
            yield _Boundary(start, RULE, "")
        begins = blank and bool(line.strip()) and not rule
        title = _Boundary(start, RULE, line) if begins and marked is None else None
        blank = not line.strip() or rule
        start += len(line) + 1


def _given(text: str) -> Iterator[_Given]:
    """Where inputs or queries are given, with their first numbers; only the former before any result."""
    start, unsolved = 0, False
    for line in text.split("\n"):
        begin, start = start, start + len(line) + 1
        named = _NAMED.match(line)
        worded = None if named is not None else _WORDED.search(line, 0, LONGEST_SAID)
        if worded is not None:
            named = _SAID.match(line, worded.end())
        if named is not None or worded is not None:
            end = begin + (named.end() if named is not None else len(line))
            nums = _literal(text[end : end + FAR])
            query = worded["query"] if worded is not None else named is not None and named["letter"] in "Qq"
            if len(nums) >= FEWEST and not (unsolved and query):
                unsolved = True
                yield _Given(begin, nums)
        if unsolved and _RESULT.search(line):
            unsolved = False


def _literal(said: str) -> tuple[str, ...]:
    """The first numbers of what a text begins with, where that is a literal and no working."""
    nums: list[str] = []
    at = 0
    for found in _NUMERAL.finditer(said):
        between = said[at : found.start()]
        words = _DRESSING.sub("", between)
        if words and ("\n" not in between or len(words) > LABEL):
            break
        if len(nums) >= TELLING and _BLANK.search(between):
            break
        nums.append(found[0])
        at = found.end()
        if len(nums) == MOST:
            break
    return tuple(nums)


class _Numbers:
    """All numbers of a text in their order, to look some up among."""

    def __init__(self, text: str) -> None:
        found = list(_NUMERAL.finditer(text))
        self.starts = [each.start() for each in found]
        self.texts = [each[0] for each in found]
        self.at: dict[tuple[str, ...], list[int]] = {}
        for i, first in enumerate(zip(*(self.texts[k:] for k in range(TELLING)), strict=False)):
            self.at.setdefault(first, []).append(i)

    def above(self, start: int, nums: Sequence[str]) -> bool:
        """Whether these numbers stand above an offset as well, one behind the other."""
        places = islice(self.at.get(tuple(nums[:TELLING]), ()), MOST_PLACES)
        return any(self.starts[i] < start and self.texts[i : i + len(nums)] == [*nums] for i in places)


def _begun(bounds: Sequence[_Boundary], given: Iterable[_Given], numbers: _Numbers) -> list[int]:
    """The boundaries below which an input is given whose numbers stand nowhere above."""
    starts = [bound.start for bound in bounds]
    begun: list[int] = []
    known: set[tuple[str, ...]] = set()
    for each in given:
        at = bisect_right(starts, each.start) - 1
        telling = len(each.nums) >= TELLING and sum(map(len, each.nums)) >= LONG
        again = each.nums in known or (telling and numbers.above(each.start, each.nums))
        known.add(each.nums)
        part = at >= 0 and _PART_OF_ONE.search(bounds[at].said) is not None
        here = starts[at] if at >= 0 else 0
        if not again and not part and (not begun or here > begun[-1]):
            begun.append(here)
    return begun
