"""What a document says in words that can be decided: shapes, sums of rows, who attends most to whom.

Only forms that leave no doubt are read, on one line each; what is said of practice or of a paper is not
about the example. Whether a statement is true is the auditor's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from symattn.case import Place, Statement, Word
from symattn.exact.matrix import Shape
from symattn.exact.numeral import numeral_or_none
from symattn.reading.notes.layout.context import Context

_DROPPED = re.compile(r"\*\*|[$`]|\\[()\[\],;]| +(?=(?:\*\*|[$`]|\\[()\[\],;])* )")
_GENERAL = re.compile(
    r"\b(?:paper|practice|original|typical(?:ly)?|usual(?:ly)?|in general|real models?|GPT|BERT|would|if)\b"
    r"|论文|实际|原始|通常|一般|真实|如果|假如|若",
    re.IGNORECASE,
)

_N = r"(?<![\w^\\{])(?:W[_^]?\{?[QKVO]\}?|[QKVXAZ])(?![\w^{'’])"
_LIST = rf"(?P<names>{_N}(?:(?: ?, ?| ?、 ?| and |, and | ?[和与] ?){_N}){{0,3}})"
_TIMES = r"(?:\*|x|\\times)"
_SIZE = rf"(?P<rows>\d{{1,4}}) ?{_TIMES} ?(?P<columns>\d{{1,4}})(?! ?{_TIMES}|\.?\d| ?=)"
_PAIR = rf"\(?(?P<rows>\d{{1,4}}) ?(?:,|{_TIMES}) ?(?P<columns>\d{{1,4}})\)?(?!\.?\d)"
_SHAPE = r"(?:shape|size|dimensions?)"
_SHAPES = tuple(
    re.compile(form)
    for form in (
        rf"{_LIST} (?:is|are)(?: both| all)?(?: an?)? {_SIZE}",
        rf"{_LIST} (?:is|are|has|have)(?: of| an?| the)?(?: matrix of)? {_SHAPE}(?: of)? {_PAIR}",
        rf"{_SHAPE} of (?P<names>{_N}) (?:is|=|:) ?{_PAIR}",
        rf"(?P<names>{_N})\.shape ?(?:=|==|:|is|→|#)? ?(?:torch\.Size\(\[)?{_PAIR}",
        rf"(?P<names>{_N}) ?(?:\\in|∈) ?(?:\\mathbb ?\{{R\}}|ℝ|R) ?\^ ?\{{ ?{_SIZE}",
        rf"{_LIST} ?(?:是|为|都是|均为)[^，。,.;；\d]{{0,12}}{_SIZE} ?(?:的|大小的)?矩阵",
        rf"{_LIST} ?的?(?:形状|维度|大小)(?:是|为|:|=|都是|均为) ?{_PAIR}",
    )
)
_ONE = r"(?:1(?:\.0+)?|one|100 ?%)(?!\.?\d|%)"
_SUMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:each|every) row(?: of (?P<name>{_N}|the scores))?(?: \w+)? (?:sums|adds)(?: up)? to {_ONE}",
        rf"\brows(?: of (?P<name>{_N}|the scores))?(?: \w+)? (?:sum|add)(?: up)? to {_ONE}",
        rf"(?:(?P<name>{_N}) ?的?)?(?:每一?行|各行)的?(?:注意力)?(?:权重|元素|数)?(?:之|的)?(?:总)?和"
        rf"(?:都|均|恰好)?(?:为|是|等于|=) ?{_ONE}",
    )
)
_SELF = r"itself|himself|herself|自身|自己|本身"
_COMMON = frozenset(["the", "and", "for", "its", "this", "that", "with", "are", "was", "not"])
_NUMBER = r"(?:\d?\.\d+%?|\d\d?\.\d+%?|\d\d?%)"
_CHAIN = re.compile(rf"(?<![\d.>]){_NUMBER}(?: ?> ?{_NUMBER})+(?!\.?\d)(?! ?>)")
_MAY_STATE = re.compile(r"[QKVXAZW].*\d|>|(?i:row)|行|most|mainly|primarily|最|主要")
"""What a line has in it that states anything, as rows of numbers have not."""
LARGE = 32
"""Sizes from which a statement about a small example is one about a real model."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line without decoration, and where each of its characters stands in the document."""

    text: str
    offsets: Sequence[int]


@dataclass(frozen=True, slots=True)
class Share:
    """`"cat" attends 55% to itself`: the entry of A that the numeral at an offset is."""

    row: int
    col: int


def statements(
    context: Context,
    lines: Iterable[int],
    tokens: Sequence[str],
    shapes: Mapping[str, Shape],
    weights: Weights,
) -> Iterator[tuple[Statement, tuple[int, ...]]]:
    """The statements on these lines about the quantities of a walk, whose shapes are given.

    `weights` are the rows of A as they were printed, with the columns of each value. With each statement
    the offsets of the numerals that say a size.
    """
    attends = _attends(tuple(tokens)) if shapes.get("A") == (len(tokens), len(tokens)) else None
    for line in lines:
        said = plain(context, line)
        if not _MAY_STATE.search(said.text) or _GENERAL.search(said.text):
            continue
        for found in (
            *_shapes(said.text, shapes),
            *_sums(said.text, shapes),
            *_chains(said.text, weights),
            *(attends.statements(said.text) if attends is not None else ()),
        ):
            place = Place(*context.place(said.offsets[found.at]))
            words = tuple(
                Word(Place(*context.place(said.offsets[word.at])), word.said, word.form)
                for word in found.words
            )
            made = Statement(
                found.kind, found.name, found.value, found.row, line=place.line, place=place, words=words
            )
            yield made, tuple(said.offsets[at] for at in found.sizes)


def shares(context: Context, line: int, tokens: Sequence[str], weights: Weights) -> Mapping[int, Share]:
    """The numerals on a line that say how much one token attends to another, by their offsets."""
    said = plain(context, line)
    if _GENERAL.search(said.text):
        return {}
    found = list(_attends(tuple(tokens)).shares(said.text)) if "%" in said.text and tokens else []
    for starts, row, columns in _ranked(said.text, weights):
        found += [(at, Share(row, col)) for at, col in zip(starts, columns, strict=True)]
    return {said.offsets[at]: share for at, share in found}


def plain(context: Context, line: int) -> Said:
    """A line without dollar signs, backquotes and emphasis."""
    text, start = context.said(line).rstrip("\n"), context.starts[line]
    if not _DROPPED.search(text):
        return Said(text, range(start, start + len(text)))
    parts: list[str] = []
    offsets: list[int] = []
    at = 0
    for begin, end in (*(dropped.span() for dropped in _DROPPED.finditer(text)), (len(text), len(text))):
        parts.append(text[at:begin])
        offsets += range(start + at, start + begin)
        at = end
    return Said("".join(parts), offsets)


class Spoken(NamedTuple):
    """A word of a statement on its line: where, its characters, and the form of another one."""

    at: int
    said: str
    form: str = "{}"


class Found(NamedTuple):
    """Where a statement stands on its line, what it states, and where its sizes and its words stand."""

    at: int
    kind: str
    name: str
    value: tuple[str, ...] = ()
    row: int | None = None
    sizes: tuple[int, ...] = ()
    words: tuple[Spoken, ...] = ()


def _shapes(said: str, shapes: Mapping[str, Shape]) -> Iterator[Found]:
    seen: set[tuple[int, str]] = set()
    for form in _SHAPES:
        for found in form.finditer(said):
            size = found["rows"], found["columns"]
            sizes = found.start("rows"), found.start("columns")
            told = [
                (f"W_{name[0].rstrip('}')[-1]}" if name[0][0] == "W" else name[0], name.start())
                for name in re.finditer(_N, found["names"])
            ]
            alike = len({shapes.get(known) for known, _ in told}) == 1
            words = tuple(map(Spoken, sizes, size)) if alike else ()
            for known, start in told:
                at = found.start("names") + start
                if known in shapes and (at, known) not in seen and _small(size, shapes[known]):
                    seen.add((at, known))
                    yield Found(at, "shape", known, size, None, sizes, words)


def _small(size: tuple[str, str], actual: Shape) -> bool:
    """Whether a stated shape may be that of the example."""
    return all(int(said) < LARGE or int(said) <= 2 * n for said, n in zip(size, actual, strict=True))


def _sums(said: str, shapes: Mapping[str, Shape]) -> Iterator[Found]:
    for form in _SUMS:
        for found in form.finditer(said):
            name = "scores" if (found["name"] or "A").endswith("scores") else found["name"] or "A"
            if name in shapes:
                yield Found(found.start(), "sums-to-one", name)


Weights = Mapping[int, Mapping[Fraction, Sequence[int]]]


def _chains(said: str, weights: Weights) -> Iterator[Found]:
    for starts, row, columns in _ranked(said, weights):
        yield Found(starts[0], "order", "A", tuple(map(str, columns)), row)


def _ranked(said: str, weights: Weights) -> Iterator[tuple[list[int], int, list[int]]]:
    """`0.55 > 0.26 > 0.19`, where these are weights of one row and of no other: places, row and columns."""
    for found in _CHAIN.finditer(said):
        values = [numeral_or_none(part.strip()) for part in found[0].split(">")]
        rows = [
            (row, [columns.get(each, ()) for each in values if each is not None])
            for row, columns in weights.items()
        ]
        told = [
            (row, at) for row, at in rows if len(at) == len(values) and all(len(each) == 1 for each in at)
        ]
        if len(told) == 1 and len(set(values)) == len(values):
            row, at = told[0]
            starts = [found.start() + each.start() for each in re.finditer(_NUMBER, found[0])]
            yield starts, row, [each[0] for each in at]


def _stands_bare(word: str) -> bool:
    """Whether a token may stand in a sentence without quotation marks."""
    return word.isascii() and len(word) > 2 and word.lower() not in _COMMON


@lru_cache(4)
def _attends(tokens: tuple[str, ...]) -> _Attends:
    return _Attends(tokens)


_MOST = re.compile(r"most|mainly|primarily|最|主要")
"""What every sentence about a largest weight has in it."""
_SHARE = r"(?:about |roughly |around |≈ ?)?(?P<number>\d+(?:\.\d+)?) ?%"
_ASIDE = r"(?: ?\([^()]{0,20}\))?"
_WEIGHT = r"的?(?:关注度|关注|注意力权重|注意力|权重)"


class _Attends:
    """Sentences about the attention between the tokens of an example.

    Their patterns are made where a line may have such a sentence, which costs more than most examples.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        words = sorted((re.escape(token) for token in tokens if token), key=len, reverse=True)
        bare = [word for word in words if _stands_bare(word)]
        token = rf"(?:[\"“‘'「](?:{'|'.join(words)})[\"”’'」]"
        token += rf"|(?<!\w)(?:[Tt]he )?(?:{'|'.join(bare)})(?!\w))" if bare else ")"
        self.word = token
        self.subject, self.target = rf"(?P<subject>{token})", rf"(?P<target>{token}|{_SELF})"
        self.part = rf"{_SHARE}(?: of its (?:attention|weight|focus))? (?:to|on) {self.target}"

    @cached_property
    def token(self) -> re.Pattern[str]:
        """One token, or what stands for the subject."""
        return re.compile(rf"{self.word}|{_SELF}")

    @cached_property
    def most(self) -> tuple[re.Pattern[str], ...]:
        """To what a token attends most, and to what then."""
        token, subject, target = self.word, self.subject, self.target
        verb = r"(?:attends|looks|pays attention|focuses)"
        more = rf"(?P<more>(?:{_ASIDE},? (?:and )?(?:then|followed by) (?:to |at |on )?{token})*)"
        zh_more = rf"(?P<more>(?:{_ASIDE}, ?(?:其次|再次|然后)(?:是|为){token})*)"
        most = r"(?:mostly|most|mainly|primarily|most strongly|the most)"
        return tuple(
            re.compile(form)
            for form in (
                rf"{subject} {verb} {most} (?:to|at|on) {target}{more}",
                rf"{subject} pays (?:the )?most attention to {target}{more}",
                rf"{subject} attends to {target} (?:the )?most\b(?P<more>)",
                rf"{subject} ?(?:最|主要)关注(?:的是)? ?{target}{zh_more}",
                rf"{subject} ?对 ?{target} ?{_WEIGHT}最(?:高|大|强|多){zh_more}",
            )
        )

    @cached_property
    def percent(self) -> tuple[re.Pattern[str], ...]:
        """How much a token attends to another."""
        subject, target = self.subject, self.target
        return tuple(
            re.compile(form)
            for form in (
                rf"{subject} (?:attends|pays|gives|devotes|puts|spends) {self.part}",
                rf"{subject} ?(?:[:→]|->) ?{self.part}",
                rf"{subject} ?(?:将|会)?(?:花费|用|把|给予?) ?{_SHARE} ?的?(?:精力|注意力|权重|关注)"
                rf"(?:去|用于|用来)?(?:关注|给|放在|分给|分配给) ?{target}",
                rf"{subject} ?对 ?{target} ?{_WEIGHT}(?:是|为|占) ?{_SHARE}",
            )
        )

    @cached_property
    def further(self) -> re.Pattern[str]:
        """What else a token attends to: `, 20% to the cat and 5% to itself`."""
        return re.compile(rf",? ?(?:and )?{self.part}")

    @cached_property
    def order(self) -> re.Pattern[str]:
        """To what a token attends, in the order of the weights."""
        one = self.word + _ASIDE
        return re.compile(rf"{self.subject} ?: ?(?P<chain>{one}(?: ?> ?{one})+)")

    def index(self, word: str, subject: int) -> int:
        bare = word.strip("\"“”‘’'「」")
        bare = bare if bare in self.tokens else bare.removeprefix("the ").removeprefix("The ")
        return self.tokens.index(bare) if bare in self.tokens else subject

    def statements(self, said: str) -> Iterator[Found]:
        for form in self.most if _MOST.search(said) else ():
            for found in form.finditer(said):
                more = self.token.finditer(said, *found.span("more"))
                named = [
                    (found.start("target"), found["target"]),
                    *((each.start(), each[0]) for each in more),
                ]
                kind = "order" if len(named) > 1 else "argmax"
                yield self._found(kind, found, named)
        for found in self.order.finditer(said) if ">" in said else ():
            begin = found.start("chain")
            chain = re.sub(r"\([^()]*\)", lambda aside: " " * len(aside[0]), found["chain"])
            made = self._found(
                "order", found, [(begin + each.start(), each[0]) for each in self.token.finditer(chain)]
            )
            if len(set(made.value)) == len(made.value):
                yield made

    def _found(self, kind: str, found: re.Match[str], named: Sequence[tuple[int, str]]) -> Found:
        """What a sentence states of its subject: the tokens `named`, where each stands."""
        row = self.index(found["subject"], 0)
        value = tuple(self.tokens[self.index(word, row)] for _, word in named)
        whose = found["subject"].replace(self.tokens[row], "{}")
        words = tuple(
            Spoken(at, word, whose) if re.fullmatch(_SELF, word) else Spoken(at + word.index(token), token)
            for (at, word), token in zip(named, value, strict=True)
        )
        return Found(found.start(), kind, "A", value, row, words=words)

    def shares(self, said: str) -> Iterator[tuple[int, Share]]:
        for form in self.percent:
            for found in form.finditer(said):
                row = self.index(found["subject"], 0)
                part: re.Match[str] | None = found
                while part is not None:
                    yield part.start("number"), Share(row, self.index(part["target"], row))
                    part = self.further.match(said, part.end())
