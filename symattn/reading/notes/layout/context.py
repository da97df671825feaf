"""What the words around a formula say: the row that is being worked, the tokens, what is only an example."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from copy import copy

from symattn.reading.notes.layout.heard import ELSEWHERE, SUPPOSED, heard
from symattn.reading.notes.layout.lines import Lines, Origin
from symattn.reading.notes.layout.mentions import Mentions, subject
from symattn.reading.notes.layout.scopes import Scope, bullet_depth, is_labelled_otherwise, is_title
from symattn.reading.notes.layout.sentences import first_sentence, last_clause

_COMMAND = re.compile(r"\\[A-Za-z]+")
_SENTENCE = re.compile(r"[\u4e00-\u9fff]{2}|[A-Za-z]{3,} [A-Za-z]{2,}")
_EXAMPLE = re.compile(
    r"示例值|[(（]示例[)）]|假设的?(?:计算)?结果|简化为示例"
    r"|example values|made-up|for illustration|hypothetical|illustrative",
    re.IGNORECASE,
)
_BIASED = re.compile(r"relative (?:position(?:al)? )?bias|\bALiBi\b|position(?:al)? bias|位置偏置", re.I)
_SUM = re.compile(
    r"\b(?:[Ss]um|[Tt]otal|[Dd]enominator|adds? up to|together that|[Ss]umme|[Ss]uma|[Ss]omme|[Сс]умма)\b"
    r"|总和|求和|合計|之和|其和|的和|分母|合计|加起来|(?<![\u4e00-\u9fff])和(?= ?[=:])"
)
_KEYED = re.compile(
    r" *(?:[-*+•]|\d{1,2}[.)]) +[*_`\"“「]*[^\W\d]{1,16}[*_`\"”」]* ?(?:::?|[：=→]|[-=]>)[*_`]*"
    r" ?[*_`$]*[-−(\[]?\w"
)
"""A bullet with a word and what is told of it."""
_LABELLED = re.compile(r" *(?:[-*+•]|\d{1,2}[.)]) +(?P<label>[^:：=→\n]{1,60})[:：=→].*\w")
"""A bullet with a label and what is told of that."""
_GIVEN = re.compile(
    r" *[*_`\"“「]*[^\W\d]{1,16}[*_`\"”」]* ?(?:::?|[：=→]|[-=]>) ?[*_`$]*"
    r"[\[(] ?[-−]?\d[^\])\n]*[\])][*_`$.,;]*\s*$"
)
"""A line with a word and its vector, and nothing else."""
_UNFINISHED = re.compile(r"[=≈][\s`$]*$")
"""The end of a line whose equation goes on below it."""
_FORMULA = re.compile(r"=|\[-?\d[^\]\n]*\] ?(?:→|->)|[\[(]-?\d[\d.]*,[^\])\n]*[\])]")
"""What has numbers of its own to tell: an equation, or a list."""
_PROSE = re.compile(r"(?<!\\)\b[A-Za-z]{3,} [A-Za-z]{2,}|[\u4e00-\u9fff]{2}")
LINES_OF_DISPLAY = 6
LINES_BACK = 14
LINES_SURE = 5
"""How many telling lines above a formula words on its row are beyond doubt, if they are no heading."""
LONGEST_TITLE = 24
LONGEST_OWNER = 80
"""Characters before a list in which the words may stand that say whose it is."""
LONGEST_SENTENCE = 4_000
"""Characters before a number in which the words may stand that say of which tokens it is."""
_CALL = re.compile(r"\w\((?:[^()]*, ?)?(?:\w+=)?\Z")
LONGEST_CALL = 160
"""How far before one of its arguments a call may begin."""


class Context(Lines):
    """The lines of a document, and what they say about the row that a formula is in."""

    def __init__(self, text: str, tokens: Sequence[str] = (), origin: Origin | None = None) -> None:
        super().__init__(text, origin)
        self.supposing = SUPPOSED.search(self.text) is not None
        self._hear(self.text, range(len(self.starts)))
        self.keyed: frozenset[int] = frozenset()
        self.use(tokens)

    def _hear(self, told: str, lines: range) -> None:
        """Take what the words of these lines say; nothing above them speaks of what is in them."""
        self.told, self.lines = told, lines
        self.biased = _BIASED.search(told) is not None
        said = heard(told)
        self.causal, self.scale, self.divided_by = said.causal, said.scale, said.divided_by
        self.roots = said.roots
        self.unprojected, self.temperature = said.unprojected, said.temperature
        begin = self.starts[lines.start] if lines else 0
        self.settings = [begin + offset for offset in said.settings]
        self.root, self.warm = begin + said.root, begin + said.warm
        self.examples: dict[int, bool] = {}
        self.topics: dict[int, bool] = {}

    def within(self, start: int, end: int) -> Context:
        """The context of one example among several."""
        if (start, end) == (0, len(self.text)):
            return self
        part = copy(self)
        part._hear(self.text[start:end], range(self.line(start), self.line(end - 1) + 1))
        part.use(self.tokens, self.mentions.base)
        return part

    def use(self, tokens: Sequence[str], base: int = 1) -> None:
        """Take the labels of the rows and the first subscript, once they are known."""
        self.tokens = tuple(tokens)
        self.mentions = Mentions(self.told, self.tokens, base)
        self.rows: dict[int, list[tuple[int, int]]] = {}
        self.told_above: dict[int, tuple[int, int] | None] = {}

    def are_keyed(self, lines: Collection[int]) -> None:
        """Take lines that each tell of one key: of the row in which they stand, others speak."""
        self.keyed |= frozenset(lines)
        self.telling = tuple(line for line in self.telling if line not in self.keyed)

    def row(self, offset: int) -> int | None:
        """The row that the words before an offset speak of: on its line, or a few telling lines above.

        A heading begins another topic: of what stands above it only the headings over it count.
        """
        told = self._told(offset)
        return None if told is None else told[1]

    def is_sure_of_row(self, offset: int) -> bool:
        """Whether the words that say the row stand beside an offset, or little above without any formula.

        A heading speaks of all that is below it.
        """
        told, here = self._told(offset), self.line(offset)
        if told is None or told[0] >= here - 1:
            return True
        said = self.said(told[0])
        if self._leads_to(told[0], here):
            return True
        near = bisect_left(self.telling, here) - bisect_left(self.telling, told[0]) <= LINES_SURE
        heads = _heading(said) or len(said.strip()) <= LONGEST_TITLE
        return (near or bool(heads)) and not _FORMULA.search(said)

    def _leads_to(self, line: int, here: int) -> bool:
        """Whether words stand just above a single displayed formula, nothing of which is prose."""
        between = [self.said(each).strip() for each in range(line + 1, here + 1)]
        opened = [each for each in between if each in ("$$", r"\[")]
        return len(between) <= LINES_OF_DISPLAY and len(opened) == 1 and not any(map(_PROSE.search, between))

    def _told(self, offset: int) -> tuple[int, int] | None:
        """The line of the words that speak of a row, and the row."""
        here = self.line(offset)
        own = self.own_row(offset)
        if own is not None:
            return here, own
        if here not in self.told_above:
            self.told_above[here] = self._told_above(here)
        return self.told_above[here]

    def _told_above(self, here: int) -> tuple[int, int] | None:
        """The same of a line that says nothing of a row itself."""
        count = bisect_left(self.telling, here)
        above = self.telling[max(count - LINES_BACK, 0) : count]
        if not any(map(self._mentions, above)):
            return None
        if self.tokens and is_labelled_otherwise(self.said(here), self.beside(here, here), self.tokens):
            return None
        open_end = self._left_open(here - 1)
        if open_end is not None:
            return here - 1, open_end
        parent = self._parent(here)
        if parent is not None:
            return parent
        below = _heading(self.said(here))
        scope = Scope(self.said(here))
        for line in reversed(above):
            said = self.said(line).rstrip()
            depth = _heading(said)
            near = line >= self.lines.start and (not below or 0 < depth < below)
            row = self._subject(line, self.span(line)[1]) if near else None
            if row is not None and not self._lists_tokens(line, here):
                return None if scope.ends(said) else (line, row)
            scope.pass_by(said)
            below = min(filter(None, (below, depth)), default=0)
        return None

    def _left_open(self, line: int) -> int | None:
        """The row that the words between the last equation of a line and an unfinished one speak of.

        What `token 1: a = 3; token 2: b =` leaves open stands on the next line.
        """
        unfinished = _UNFINISHED.search(self.said(line)) if line >= self.lines.start else None
        if unfinished is None:
            return None
        start, end = self.starts[line], self.starts[line] + unfinished.start()
        begin = max(self.text.rfind(sign, start, end) for sign in "=≈")
        return self._subject(line, end, begin) if begin > start else None

    def _parent(self, here: int) -> tuple[int, int] | None:
        """The bullet of one word that a line of an outline stands below, and its row, if it has one.

        What lines beside it say, `score with sat: 2`, is of none but themselves.
        """
        depth = bullet_depth(self.said(here))
        if not depth:
            return None
        for line in range(here - 1, max(here - LINES_BACK, self.lines.start) - 1, -1):
            said = self.said(line).rstrip()
            above = bullet_depth(said)
            if above is None and said:
                return None
            if above is not None and above < depth:
                row = self._subject(line, self.span(line)[1]) if is_title(said) else None
                return None if row is None else (line, row)
        return None

    def _lists_tokens(self, line: int, here: int) -> bool:
        """Whether a line is one of a list of tokens that speak for themselves, or itself lists several.

        So do the bullets `* cat: 0.5` and `* sat: 0.2` not speak of what stands below the list.
        """
        said = self.said(line)
        if self.mentions.names_several(said):
            return True
        if not self.tokens:
            return False
        if _is_tabled(said) and not _is_tabled(self.said(here)):
            return True
        if _indent(self.said(here)) > _indent(said):
            return False
        label = self._label(said)
        if label is not None and any(
            other is not None and other[0] == label[0] and other[1] != label[1]
            for other in map(self._label, self.beside(line, line))
        ):
            return True
        return any(
            form.match(said) is not None and any(map(form.match, self.beside(line, line)))
            for form in (_KEYED, _GIVEN)
        )

    def _label(self, said: str) -> tuple[str, int] | None:
        """The label of a bullet without its token, and that: `- weight of cat: 0.5` has `weight of …`."""
        label = _LABELLED.match(said)
        return self.mentions.without_token(label["label"]) if label is not None else None

    def own_row(self, offset: int) -> int | None:
        """The row that the words before an offset on its own line speak of: the owner of what follows."""
        line = self.line(offset)
        if line in self.keyed:
            return None
        owner = self.mentions.owner(self.text[max(self.starts[line], offset - LONGEST_OWNER) : offset])
        return self._subject(line, offset) if owner is None else owner

    def _subject(self, line: int, end: int, begin: int = 0) -> int | None:
        """The row that the words of a line before an offset speak of."""
        return subject(self.text, [(at, row) for at, row in self._mentions(line) if begin <= at < end])

    def column(self, offset: int) -> int | None:
        """The token that stands directly before an offset: `"cat" (0.44`."""
        best = None
        for at, row in self._mentions(self.line(offset)):
            if offset - 16 - len(self.tokens[row] if row < len(self.tokens) else "") <= at < offset:
                best = row
        return best

    def pair(self, offset: int) -> tuple[int, int] | None:
        """The two tokens that are named last before an offset on its line, close to one another."""
        begin = max(self.starts[self.line(offset)], offset - LONGEST_SENTENCE)
        return self.mentions.pair(self.text[begin:offset])

    def _mentions(self, line: int) -> list[tuple[int, int]]:
        """Where words on a line mean a row, and the row."""
        if line not in self.rows:
            start = self.starts[line]
            self.rows[line] = [(start + at, row) for at, row in self.mentions.rows(self.said(line))]
        return self.rows[line]

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
        for line in range(here, max(here - 30, -1), -1):
            said = self.said(line)
            if _EXAMPLE.search(said):
                return True
            plain = said.strip()
            if plain.startswith("#"):
                return False
            if line < here and _SENTENCE.search(_COMMAND.sub("", plain)):
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

    def supposes(self, offset: int) -> bool:
        """Whether the sentence before an offset, on its line, tells what would be and is not."""
        if not self.supposing:
            return False
        said = self.before(offset)
        return SUPPOSED.search(last_clause(said)) is not None

    def is_elsewhere(self, offset: int) -> bool:
        """Whether the sentence around an offset tells of models elsewhere or of what is not."""
        before, after = self.around(offset, offset + 1)
        return ELSEWHERE.search(f"{last_clause(before)}{first_sentence(after)}") is not None

    def in_call(self, offset: int) -> bool:
        """Whether a place is within the brackets of a call, where names are those of its arguments."""
        start = max(self.starts[self.line(offset)], offset - LONGEST_CALL)
        return _CALL.search(self.text, start, offset) is not None

    def declares_scale(self) -> str | None:
        """`1` where scaling is said to be left out, the usual factor where a root is written, else None.

        A word such as `scaled` declares nothing: it may be no more than the name of a variable.
        """
        return self.scale


def _is_tabled(line: str) -> bool:
    """Whether a line is a row of a table."""
    return line.lstrip(" >").startswith("|")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _heading(line: str) -> int:
    """The depth of a Markdown heading, 0 for another line."""
    marks = line.lstrip(" >")
    depth = len(marks) - len(marks.lstrip("#"))
    return depth if marks[depth : depth + 1] == " " else 0
