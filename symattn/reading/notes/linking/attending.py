"""Sentences about the attention between the tokens of an example: who attends most to whom, and how much."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from symattn.reading.notes.layout.mentions import numbered

_SELF = r"itself|himself|herself|自身|自己|本身"
_COMMON = frozenset(["the", "and", "for", "its", "this", "that", "with", "are", "was", "not"])
_MOST = re.compile(
    r"(?:attends|looks|pays|focuses) .*(?:most|mainly|primarily)"
    r"|(?:最|主要)关注|(?:关注度?|权重|注意力)最[高大强多]"
)
"""What every sentence about a largest weight has in it."""
_MUCH = re.compile(
    r"\b(?:attend|look|listen|pay|give|devote|put|spend|place|assign|keep|weight|get|receive)\w*\b"
    r".* (?:to|on|at|from|for) |%.* (?:to|on) |(?:→|->).*%|精力|关注|权重|注意力"
)
"""What every sentence about a share of the attention has in it, beside a number."""
_VARIANT = re.compile(
    r"\b(?:without|unscaled|unmasked|instead|had we|before|after|temperature|wrong(?:ly)?|mistake)\b"
    r"|不缩放|[未没](?:有|经)?(?:缩放|除|掩|加|用)|不除|不加|错误|误|温度|之前",
    re.IGNORECASE,
)
"""Words for weights of another way to calculate."""
_SHARE = r"(?:(?:only|just|about|roughly|around|nearly|almost) |≈ ?|~ ?|约 ?|仅 ?|只有 ?)?"
_SHARE += r"(?P<number>\d+(?:\.\d+)? ?%|[01]?\.\d+)(?! ?[*/+\d%×·^])"
_ASIDE = r"(?: ?\([^()]{0,20}\))?"
_WEIGHT = r"的?(?:关注度|关注|注意力权重|注意力|权重)"
_OF_ITS = r"(?: of (?:its|the|his|her) (?:total )?(?:attention|weight|focus))?"
_WITH = (
    r",? ?(?:[(:=]|with|at|by)? ?(?:an? |the )?(?:attention |softmax )?"
    r"(?:(?:weight|probability|share)(?: of)?)? ?[=:≈]? ?"
)
_IS = r"(?: is| comes to| works out to| ?[=:≈])"
_ZH_IS = r" ?(?:约?[为是占]|[:=≈(]) ?"
_ZH_TO = r"(?:关注|留?给|[放留落]在|分给|分配给|投[向给])(?:了|到)?"
_NUMBERED = (
    r"(?:[Tt]oken|[Pp]osition|[Qq]uery) #?\d{1,2}"
    r"|(?:[Tt]he )?(?:first|second|third|fourth|fifth) (?:token|word|position)"
    r"|第 ?(?:[一二三四五]|\d) ?个(?:词|token|单词|位置|字)"
)
"""A token by its position."""


@dataclass(frozen=True, slots=True)
class Share:
    """`"cat" attends 55% to itself`: the entry of A that the numeral at an offset is."""

    row: int
    col: int


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


class Attends:
    """Sentences about the attention between the tokens of an example.

    Their patterns are made where a line may have such a sentence, which costs more than most examples.
    Tokens may be meant by their positions; `first` is what the document calls the first one by number.
    """

    def __init__(self, tokens: Sequence[str], first: int) -> None:
        self.tokens, self.first = tuple(tokens), first
        words = sorted((re.escape(token) for token in tokens if token), key=len, reverse=True)
        bare = [word for word in words if _stands_bare(word)]
        token = rf"[\"“‘'「](?:{'|'.join(words)})[\"”’'」]" if words else r"(?!)"
        token += rf"|(?<!\w)(?:[Tt]he )?(?:{'|'.join(bare)})(?!\w)" if bare else ""
        self.word = rf"(?:{token})"
        self.subject, self.target = rf"(?P<subject>{token})", rf"(?P<target>{token}|{_SELF})"
        token += rf"|{_NUMBERED}"
        self.one, self.other = rf"(?P<subject>{token})", rf"(?P<target>{token}|{_SELF})"
        self.part = rf"{_SHARE}{_OF_ITS} (?:to|on|for) {self.other}"

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
    def much(self) -> tuple[re.Pattern[str], ...]:
        """How much a token attends to another."""
        one, other = self.one, self.other
        return tuple(
            re.compile(form)
            for form in (
                rf"{one} (?:attends|pays|gives|devotes|puts|spends|places|assigns|keeps) {self.part}",
                rf"{one} ?(?:[:→]|->) ?{self.part}",
                rf"{one} (?:attends|looks|listens|pays attention)(?: \w+){{0,2}}"
                rf" (?:to|at) {other}{_WITH}{_SHARE}",
                rf"(?:weight|attention) (?:from|of|for) {one} (?:to|on|onto|at) {other}{_IS} {_SHARE}",
                rf"(?:weight|attention) (?:that )?{one} (?:gives(?: to)?|puts on|pays to|assigns to)"
                rf" {other}{_IS} {_SHARE}",
                rf"{other} (?:gets|receives) (?:a weight of )?{_SHARE}(?: of the attention)? from {one}",
                rf"{one} ?(?:将|会|把)?(?:花费|用|把|给予?|将|有)? ?{_SHARE} ?的?(?:精力|注意力|权重|关注)"
                rf"(?:去|用于|用来)?{_ZH_TO} ?{other}",
                rf"{one} ?对 ?{other} ?{_WEIGHT}(?:最[大高强])?{_ZH_IS}{_SHARE}",
                rf"从 ?{one} ?到 ?{other} ?{_WEIGHT}{_ZH_IS}{_SHARE}",
                rf"{one} ?(?:最|主要|更)?关注(?:的是)? ?{other}"
                rf" ?[(,] ?(?:(?:注意力)?权重)? ?(?:约?[为是])?[:=≈]? ?{_SHARE}",
            )
        )

    @cached_property
    def further(self) -> re.Pattern[str]:
        """What else a token attends to: `, 20% to the cat and 5% to itself`."""
        to = rf"{_OF_ITS} (?:to|on|for) | ?(?:的(?:精力|注意力|权重|关注))?{_ZH_TO} ?"
        return re.compile(rf"[,、]? ?(?:and )?{_SHARE}(?:{to}){self.other}")

    @cached_property
    def order(self) -> re.Pattern[str]:
        """To what a token attends, in the order of the weights."""
        one = self.word + _ASIDE
        return re.compile(rf"{self.subject} ?: ?(?P<chain>{one}(?: ?> ?{one})+)")

    def index(self, word: str, subject: int) -> int:
        row = numbered(word, self.first)
        if row is not None:
            return row
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
        for form in self.much if _MUCH.search(said) and not _VARIANT.search(said) else ():
            for found in form.finditer(said):
                row = self.index(found["subject"], 0)
                part: re.Match[str] | None = found
                while part is not None:
                    yield part.start("number"), Share(row, self.index(part["target"], row))
                    part = self.further.match(said, part.end())


@lru_cache(4)
def attends(tokens: tuple[str, ...], first: int = 1) -> Attends:
    """The sentences between these tokens, whose patterns are made once."""
    return Attends(tokens, first)


def _stands_bare(word: str) -> bool:
    """Whether a token may stand in a sentence without quotation marks."""
    return word.isascii() and len(word) > 2 and word.lower() not in _COMMON
