"""What a document says in words that can be decided: shapes, sums of rows, who attends most to whom.

Only forms that leave no doubt are read, on one line each; what is said of practice or of a paper is not
about the example. Whether a statement is true is the auditor's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from symattn.case import Place, Statement, Word
from symattn.exact.matrix import Shape
from symattn.exact.numeral import numeral_or_none
from symattn.immutable import immutable
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.attending import Found, Share, Spoken, attends

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
_PAIR = rf"\(?(?P<rows>\d{{1,4}}) ?(?:,|{_TIMES}) ?(?P<columns>\d{{1,4}})\)?(?!\.?\d| ?, ?\d)"
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
        rf"(?<!not )\b(?P<each>each|every) row(?: of (?P<name>{_N}|the scores))?"
        rf"(?: \w+)? (?:sums|adds)(?: up)? to {_ONE}",
        rf"\brows(?: of (?P<name>{_N}|the scores))?(?: (?!all\b)\w+)?"
        rf" (?P<all>(?:all )?(?:sum|add))(?: up)? to {_ONE}",
        rf"(?:(?P<name>{_N}) ?的?)?(?:每一?行|各行)的?(?:注意力)?(?:权重|元素|数)?(?:之|的)?(?:总)?和"
        rf"(?:(?P<is>(?:都|均|恰好)?(?:为|是|等于))|(?P<equals>=)) ?{_ONE}",
    )
)
_DENIED = MappingProxyType({"each": "not every", "all": "do not {}", "is": "不{}", "equals": "≠"})
"""What stands instead of a word in the sentence which says that rows do not sum to 1."""
_NUMBER = r"(?:\d?\.\d+%?|\d\d?\.\d+%?|\d\d?%)"
_CHAIN = re.compile(rf"(?<![\d.>]){_NUMBER}(?: ?> ?{_NUMBER})+(?!\.?\d)(?! ?>)")
_MAY_STATE = re.compile(r"[QKVXAZW].*\d|>|(?i:row)|行|most|mainly|primarily|最|主要")
"""What a line has in it that states anything, as rows of numbers have not."""
LARGE = 32
"""Sizes from which a statement about a small example is one about a real model."""


@immutable(frozen=True, slots=True)
class Said:
    """A line without decoration, and where each of its characters stands in the document."""

    text: str
    offsets: Sequence[int]


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
    between = attends(tuple(tokens)) if shapes.get("A") == (len(tokens), len(tokens)) else None
    for line in lines:
        said = plain(context, line)
        if not _MAY_STATE.search(said.text) or _GENERAL.search(said.text):
            continue
        for found in (
            *_shapes(said.text, shapes),
            *_sums(said.text, shapes),
            *_chains(said.text, weights),
            *(between.statements(said.text) if between is not None else ()),
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
    found = list(attends(tuple(tokens), context.mentions.counted).shares(said.text))
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
                words = (word for word in found.re.groupindex if found[word] and word in _DENIED)
                denied = tuple(Spoken(found.start(word), found[word], _denied(word, found)) for word in words)
                yield Found(found.start(), "sums-to-one", name, words=denied)


def _denied(word: str, found: re.Match[str]) -> str:
    """What the denial of a sentence has in the place of a word."""
    form = _DENIED[word]
    return form.capitalize() if found[word].istitle() else form


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
