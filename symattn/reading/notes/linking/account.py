"""The account of every numeral of a document: claimed, checked on its own, unread, or not computed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from symattn.auditor.findings.codes import Finding
from symattn.auditor.numeral import read_numeral
from symattn.bilingual import Bilingual
from symattn.case import Case, Given, Place
from symattn.exact.matrix import Matrix
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Name, Node, Num, Words, names, numerals
from symattn.reading.notes.formulas.names import RUNNING, resolve
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.result import NotComputed, Unread

ROOTS = ("√", "sqrt")
_EPSILON = frozenset({"ε", "ϵ", "eps", "epsilon"})
_COUNTERS = RUNNING | {"pos", "position", "位置"}
_PLAIN = re.compile(r"[-+]?\d{0,12}\.\d{1,12}%?")
"""A decimal that somebody would print, or a percentage."""
_NUMBERED = re.compile(
    r"(?:row|token|step|homework|exercise|problem|question|part|section|chapter|lecture|example|figure|table"
    r"|position|layer)s?",
    re.I,
)
_UP_TO = frozenset({"-", "and", "to"})
"""Between the numbers of the first and the last: `steps 1–2`."""
"""What is numbered in words."""
_SECTION = re.compile(r"#+ +[\w ]{0,12}")
"""What stands before the number of a section."""
SHARE = Bilingual(
    "a share of attention, and nothing printed that it could be computed from",
    "注意力的比例，但没有印出可供计算的量",
)
UNTIED = Bilingual("no quantity of the walk could be tied to it", "推导中没有能与它对应的量")


@dataclass(frozen=True, slots=True)
class Known:
    """What linking found out, by the offset of each numeral."""

    checked: Collection[int]
    prints: Collection[int]
    reasons: Mapping[int, Bilingual]
    roles: Mapping[int, str]
    again: Mapping[int, int]


def claimed_places(cases: Iterable[Case]) -> frozenset[tuple[int, int]]:
    """The line and the column of every number that is a claim."""
    return frozenset(
        (place.line, place.column)
        for case in cases
        for claim in case.stated
        for row in claim.places
        for place in row
        if place
    )


def account(
    stream: Sequence[Token], found: Sequence[Item], cases: Iterable[Case], known: Known, context: Context
) -> tuple[list[Unread], list[NotComputed]]:
    """The numerals that are neither claimed nor checked, with the reason."""
    claimed = claimed_places(cases)
    unread: list[Unread] = []
    not_computed: list[NotComputed] = []
    seen: set[int] = set()
    inside = _Inside(found)
    for i, token in enumerate(stream):
        if token.kind != "num" or token.start in seen:
            continue
        seen.add(token.start)
        before = stream[i - 1] if i else None
        signed = (
            before.start
            if before is not None and before.kind == "op" and before.text in "+-"
            else token.start
        )
        starts = (token.start, signed) if signed != token.start else (signed,)
        places = [context.place(start) for start in starts]
        if any(
            start in known.checked or place in claimed for start, place in zip(starts, places, strict=True)
        ):
            continue
        at = Place(*places[0])
        first = next((known.again[start] for start in starts if start in known.again), None)
        if first is not None:
            said = Place(*context.place(first))
            not_computed.append(NotComputed(token.text, "working", at, said))
            continue
        reason = next((known.reasons[start] for start in starts if start in known.reasons), None)
        role = next((known.roles[start] for start in starts if start in known.roles), None)
        if reason is not None:
            unread.append(Unread(token.text, Finding.CANNOT_BE_RECOMPUTED, reason, at))
        elif any(start in known.prints for start in starts):
            not_computed.append(NotComputed(token.text, "input", at))
        elif (
            role := role or inside.role(token) or _idle(stream, i, context, inside.listed(token))
        ) is not None:
            not_computed.append(NotComputed(token.text, role, at))  # type: ignore[arg-type]
        elif i + 1 < len(stream) and stream[i + 1].kind == "percent":
            unread.append(Unread(f"{token.text}%", Finding.CANNOT_BE_RECOMPUTED, SHARE, at))
        else:
            unread.append(Unread(token.text, Finding.NO_SUCH_QUANTITY, UNTIED, at))
    return unread, not_computed


def decimals_of(texts: Iterable[str]) -> Given | None:
    """The numbers with decimals among those that no walk claims, as one row; None without any.

    What seems not to be printed may be one of these.
    """
    found = dict.fromkeys(_share(text) for text in texts if _PLAIN.fullmatch(text))
    if not found:
        return None
    return Given((tuple(found),), Matrix.rational([[read_numeral(text).value for text in found]]))


def _share(text: str) -> str:
    """A percentage as the share that it is: 0.574 for 57.4%."""
    return f"{Decimal(text[:-1]).scaleb(-2):f}" if text.endswith("%") else text


def unread_lists(found: Sequence[Item], unread: Sequence[Unread], context: Context) -> tuple[Place, ...]:
    """Where the lists and matrices begin of which every number is unread."""
    places = {each.place for each in unread}
    lists = (
        list(numerals(node))
        for item in found
        for node in (item.node.members if isinstance(item.node, Chain) else (item.node,))
        if is_literal(node) and not isinstance(node, Num)
    )
    starts = ([Place(*context.place(num.start + num.text.startswith("-"))) for num in nums] for nums in lists)
    return tuple(here[0] for here in starts if len(here) > 1 and places.issuperset(here))


class _Inside:
    """Numerals inside formulas that are no values: indices, and integers that stand alone in a sentence."""

    def __init__(self, found: Sequence[Item]) -> None:
        self.spans = [(item.start, item.end) for item in found]
        self.alone = {
            num.start for item in found if (num := _counted(item.node)) is not None and num.text.isdigit()
        }
        parts = [
            (node, tuple(numerals(node)))
            for item in found
            for node in (item.node.members if isinstance(item.node, Chain) else (item.node,))
        ]
        members = [(node, nums) for node, nums in parts if nums and _counted(node) is None]
        self.sizes = {num.start for node, nums in members if _size(node) for num in nums}
        self.constants = {
            num.start for node, nums in members if _symbolic(node) for num in nums if num.text.isdigit()
        }
        self.constants |= {
            num.start for item in found if _is_epsilon(item.node) for num in numerals(item.node)
        }
        self.counters = {num.start for item in found if (num := _counter(item.node)) is not None}
        self.inner = {num.start for _, nums in members for num in nums} - self.sizes
        self.values = {num.start for _, nums in parts for num in nums}

    def listed(self, token: Token) -> bool:
        """Whether a numeral stands in a list, a matrix or a working, where no numeral is idle."""
        return token.start in self.inner or token.start - 1 in self.inner

    def role(self, token: Token) -> str | None:
        if token.start in self.alone:
            return "words"
        if token.start in self.sizes:
            return "size"
        if token.start in self.constants or token.start - 1 in self.constants:
            return "working"
        if token.start in self.counters:
            return "numbering"
        if token.start in self.values or token.start - 1 in self.values:
            return None
        at = bisect_right(self.spans, (token.start, token.start)) - 1
        spans = self.spans[max(at - 1, 0) : at + 2]
        return "index" if any(start <= token.start < end for start, end in spans) else None


def _counted(node: Node) -> Num | None:
    """A numeral that stands alone, or before a word in brackets: the 2 of `Query 2 ("she")`."""
    match node:
        case Num() | Binary(op="*", left=Num(), right=Words()):
            return node if isinstance(node, Num) else next(numerals(node))
    return None


def _size(node: Node) -> bool:
    """`3×4`: what a matrix measures."""
    match node:
        case Binary(op="*", left=Num(text=a), right=Num(text=b)):
            return a.isdigit() and b.isdigit()
    return False


def _symbolic(node: Node) -> bool:
    """`pos/10000` and `2i+1`: a formula of variables, whose whole numbers are constants."""
    return any(resolve(name) is None for name in names(node))


def _counter(node: Node) -> Num | None:
    """The 1 of `pos = 1` and of `i = 1`."""
    match node:
        case Chain(members=(Name(text=text, subs=()), Num() as num)) if text in _COUNTERS:
            return num
    return None


def _is_epsilon(node: Node) -> bool:
    """`ε = 10^{-5}`: the small number that keeps a divisor from being zero."""
    match node:
        case Chain(members=(Name(text=text, subs=()), *_)):
            return text.lower() in _EPSILON
    return False


def _of_a_root(stream: Sequence[Token], i: int) -> bool:
    """Whether a numeral stands below a root or above one: `√2`, `\\sqrt{2}`, the 1 of `1/√2`."""
    before = stream[i - 1] if i else None
    if before is not None and before.kind == "open" and i > 1:
        before = stream[i - 2]
    above = [token.text for token in stream[i : i + 3]]
    return (before is not None and before.text in ROOTS) or (above[:2] == ["1", "/"] and above[-1] in ROOTS)


def _is_setting(stream: Sequence[Token], i: int) -> bool:
    """Whether a numeral sets how a function works: `axis=1`, the 2 of `round(x, 2)`, the 1 of `W^{(1)}`."""
    near = stream[max(i - 12, 0) : i]
    said = [token.text for token in near]
    if [each for each in said[-3:] if each != "{"][-2:] == ["^", "("]:
        return True
    if said[-1:] == ["="] and len(near) > 2 and near[-2].kind == "word":
        return near[-3].kind in ("comma", "open")
    return (
        said[-1:] == [","] and stream[i + 1 : i + 2] != [] and stream[i + 1].text == ")" and "round" in said
    )


def _idle(stream: Sequence[Token], i: int, context: Context, listed: bool) -> str | None:
    """Why a numeral that is tied to nothing computes nothing, or None where it might."""
    token = stream[i]
    before = stream[i - 1] if i else None
    after = stream[i + 1] if i + 1 < len(stream) else None
    whole = token.text.isdigit()
    percent = after is not None and after.kind == "percent"
    if before is not None and before.kind == "op" and before.text in "_^":
        return "index"
    if whole and _of_a_root(stream, i):
        return "size"
    if whole and _is_setting(stream, i):
        return "index"
    if percent and token.text == "100":
        return "words"
    start = context.starts[context.line(token.start)]
    if _SECTION.fullmatch(context.text, start, token.start) and not percent:
        return "numbering"
    if percent or not whole:
        return None
    if context.said(context.line(token.start)).lstrip().startswith("#"):
        return "numbering"
    until = i > 2 and stream[i - 1].text in _UP_TO and stream[i - 2].kind == "num"
    word = stream[i - 3] if until else before
    if word is not None and word.kind == "word" and _NUMBERED.fullmatch(word.text):
        return "words"
    if after is not None and after.kind == "word" and after.text.isalpha() and len(after.text) > 2:
        return "words"  # `12 points`
    if listed:
        return None
    if any(t is not None and t.kind in ("cjk", "word", "text") for t in (before, after)):
        return "words"
    if before is not None and before.kind == "rel" and before.text == ":":
        return "words"
    if (before is not None and before.kind in ("nl", "list", "mark", "stop", "label")) or before is None:
        return "words"
    if (
        after is None
        or after.kind in ("nl", "mark", "stop", "op", "close")
        or (before and before.kind == "op")
    ):
        return "words"
    return None
