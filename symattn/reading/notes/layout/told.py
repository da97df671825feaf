"""Lists that a sentence or the word before them names: `The softmax is (0.11, 0.89)`, `scores [2, 0]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
    Words,
    grid_of,
)
from symattn.reading.notes.formulas.names import VECTORS, WEIGHTS, Bases, Ref, resolve
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.asked import asked, subject
from symattn.reading.notes.layout.captions import caption, head_of, mixes, named
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.mentions import counted
from symattn.reading.notes.layout.row_after_row import row_after_row
from symattn.reading.notes.layout.sentences import last_clause

_TOLD = frozenset({"X", "Q", "K", "V", "scores", "scaled", "masked", "exp", "A", "Z", "norm.normalised"})
_VERB = re.compile(
    r"(?:\b(?:is|are|gives?|giving|becomes?|get|obtain|yields?|yielding|leaves|leaving|equals?|makes)\b"
    r"(?: (?:us|therefore|thus|then|now|about|\w+ly))*|[:=]|得[到出]|等于|[为是得は])[\s$*`]*$"
)
_WORD = re.compile(
    r"(?:^[ >]*(?:[-*+•] )?|[:→,;|]|->|=>)(?: and)?(?: the)? *\**([A-Za-z]+(?: [a-z]+)?)\** +[`$]*$"
)
_WHICH = re.compile(
    r"(?<![A-Za-z])(?:the )?"
    r"(?:(?:first|second|third|fourth) (?:row|token|query|one)|(?:row|token) \d)[ $`:=]*$"
)
"""The row of a list, in words before it."""
_NEXT_ROW = re.compile(r"[`$]*[,;，；] ?第 ?([二三四五六]|\d) ?行(?:变)?[为是成得:]? ?[`$]*")
"""Before the list of another row: `第一行为 [1, 0]，第二行为 [2, 2]`."""
_ARE = re.compile(r"s are[\s$*`]*$")
"""Before the first of several vectors: `the keys are (1, 0), (0, 1) and (1, 1)`."""
_GOT = re.compile(r"(?:得到|得出|求得|求出|变成|变为|^|[^\u3041-\u9fff])了?([\u3041-\u9fff]{1,8})[ $`*]*$")
"""得到权重 or 权重 before a list: what it is, without a verb."""
_OBTAINED = re.compile(
    r"\b(?:obtain|get|give|yield|compute|produce|find|receive)s?(?: us)?(?: the| its| their)?"
    r" ([a-z]+(?: [a-z]+)?) +[`$]*$"
)
"""`we obtain the scaled scores` before a list."""
_OWNED = re.compile(r": *[\"“'`*]*([^\W\d][\w-]{0,20})[\"”'`*]* *=? *[`$]*$")
_PLURAL_WORD = re.compile(
    r"\b(?:scores|weights|outputs|probabilities|logits|values|keys|queries)(?: \w+)?[\s$*`]*$"
)
_ROWS_ARE = re.compile(r"\brows of\b[^.]*\bare[\s$*`]*$")
_VALUE = re.compile(r"(?<!sqrt\()\d *[\])]|\d\.\d+")
"""A number told before: what it was called does not call what follows."""
_ASIDE = re.compile(r"(?<=[\u3400-\u9fff]) ?[(（][^()（）]*[)）](?=[\u3400-\u9fff:：])")
"""What is put in brackets within a run of Chinese: `缩放（√3 ≈ 1.732）之后`."""
NTH = ("first", "second", "third", "fourth")
_ROW_ALONE = re.compile(
    rf"[\s\]),;，；>*_`$-]*(?:and )?(?:for )?(?:the )?(?:(?:(?P<nth>{'|'.join(NTH)}) )?(?:row|token|query)"
    r"(?(nth)| (?P<number>\d))|第 ?(?P<said>[一二三四五六\d]) ?行),? *"
    r"(?:gives?|is|becomes|yields|得到|得出|[得为是])[\s$`*]*$",
    re.IGNORECASE,
)
"""Words that say of a list no more than its row, below a heading that says the quantity."""
_OF_A_ROW = re.compile(r"row[ }]*(\d)\b")
_PLURAL = re.compile(
    r"\b(embeddings|queries|keys|values|(?:query|key|value)(?= vectors))(?: vectors)?,? +[`$]*$"
)
_JOINED = re.compile(
    r"[`$]*[,;]?(?: and)?(?P<row> (?:the )?(?:(?:second|third|fourth|last) (?:row|token|query|one)"
    r"|(?:row|token) \d):?)?"
    r"(?: for [\"“]?(?P<whose>\w+)[\"”]?)?(?: it's| it is| is)? [`$]*"
)
LONGEST_LEAD = 120
"""In so many characters before a list the last value mostly stands."""
MOST_TOLD = 32
"""Lists that are counted in one breath."""


def with_told(found: Sequence[Item], context: Context, bases: Bases, rows: int | None) -> list[Item]:
    """The items, each list behind a verb with the quantity that its sentence names.

    As many lists as there are `rows` are one matrix: `A = (1, 0) and (0.6, 0.4)`.
    """
    made: list[Item] = []
    found = row_after_row(found, context, rows)
    joins = [_joined(item, following, context) for item, following in pairwise(found)]
    together = _together(joins)
    before: re.Match[str] | None = None
    for item, joined, run in zip(found, (*joins, None), together, strict=False):
        target = _next_row(made[-1], item, before, context) if made else None
        before, several = joined, joined is not None
        several_rows = several and run == (rows or len(context.tokens))
        made.append(
            replace(item, target=target)
            if target
            else _told(item, several, several_rows, context, bases) or item
        )
    return made


def _next_row(before: Item, item: Item, joined: re.Match[str] | None, context: Context) -> Ref | None:
    """The row behind that of the list before it: `embeddings [1, 0] and [0, 1]`, `and for cat [0, 1]`.

    `joined` is what joins the two.
    """
    told = before.target
    another = _NEXT_ROW.fullmatch(context.text, before.end, item.start)
    if another is not None and item.target is None and isinstance(item.node, Row) and is_literal(item.node):
        of = told or _named_first(before)
        return Ref(of.name, counted(another[1]) - 1) if of is not None else None
    if told is None or item.target is not None:
        return None
    token = context.text[before.end : item.start].strip(" \"“”'`*,;|")
    if (
        token in context.tokens
        and isinstance(item.node, Row)
        and is_literal(item.node)
        and told.row is not None
    ):
        return replace(told, row=context.tokens.index(token))
    if joined is None:
        return None
    if joined["whose"] is not None:
        whose = joined["whose"]
        return replace(told, row=context.tokens.index(whose)) if whose in context.tokens else None
    row = context.own_row(before.end - 1) if told.row is None and joined["row"] is not None else told.row
    return replace(told, row=row + 1) if row is not None else None


def _named_first(item: Item) -> Ref | None:
    """The quantity that an equation begins with."""
    first = item.node.members[0] if isinstance(item.node, Chain) else None
    return resolve(first) if isinstance(first, Name) else None


def _joined(before: Item, item: Item, context: Context) -> re.Match[str] | None:
    """What joins an item to the one before it, where it is a list told in one breath with that."""
    if not isinstance(item.node, Row) or not is_literal(item.node):
        return None
    return _JOINED.fullmatch(context.text, before.end, item.start)


def _together(joins: Sequence[re.Match[str] | None]) -> list[int]:
    """How many lists are told in one breath from each item on, as far as anybody counts."""
    counts = [1]
    for joined in reversed(joins):
        counts.append(1 if joined is None else min(counts[-1] + 1, MOST_TOLD))
    return counts[::-1]


def _told(item: Item, several: bool, whole: bool, context: Context, bases: Bases) -> Item | None:
    """The item with what the words before it call it; a plural names no single list, but `several`.

    `whole` says that as many lists as there are rows stand together from this one on.
    """
    match item.node:
        case Row() | Grid() as row:
            pass
        case Chain(members=(first, Row() | Grid() as row), relations=("→" | "=" | "≈",)) if _is_root(
            first
        ) and is_literal(row):
            before = context.before(item.start).rstrip()
            divided = before.endswith(("/", "÷"))  # `scores → /√2 → [1.4, 0]`
            return replace(item, node=row, target=Ref("scaled"), broken=False) if divided else None
        case Chain(members=(first, Row() as row), relations=(":",)) if _is_root(first) or _means_nothing(
            first, bases
        ):
            pass
        case Chain(members=(Call(function="softmax", argument=Name() as what), Row() as row)) if (
            told := _OF_A_ROW.search(context.text, what.start, row.start)
        ):
            return replace(item, node=row, target=Ref("A", int(told[1]) - 1), broken=False)
        case Chain(members=(Name() | Words() as token, Row() as row), relations=("=",)) if (
            token.text in context.tokens
        ):
            pass
        case Chain(members=(Name() as by, Row() | Grid() as row), relations=(":",)):
            if mixes(context.before(by.end)) and is_literal(row):
                return replace(item, node=row, target=Ref("Z"), broken=False)
            if isinstance(row, Grid) or head_of(context.before(row.start), bases) not in _TOLD:
                return None
        case _:
            return None
    if item.target is not None or not is_literal(row):
        return None
    said = context.before(row.start)
    lead = _lead(said)
    plural = _PLURAL.search(lead)
    if plural is not None and grid_of(row) is not None:  # `keys [[1, 0], [0, 1]] and values [[2], [3]]`
        known = plural[1] != "values" or "keys" in said
        return replace(item, node=row, target=Ref(str(alias(plural[1])))) if known else None
    if plural is not None:
        return replace(item, target=Ref(str(alias(plural[1])), 0)) if several else None
    which = _WHICH.search(lead)
    if which is not None and context.own_row(row.start) is not None and _VERB.search(lead[: which.start()]):
        lead = lead[: which.start()]  # `divided by √2: first row [1.4, 0], second row [0.7, 2.1]`
    whose = _whose(lead, context)
    if whose is not None:
        lead = lead[: lead.rindex(":") + 1]
    obtained = _OBTAINED.search(lead)
    whole_clause = _VERB.search(lead) is not None or (obtained is not None and alias(obtained[1]) is not None)
    about = asked(item.start, said, context) or subject(said)
    name = named(about, bases) if about else named(lead, bases) if whole_clause else _beside(lead)
    alone = _ROW_ALONE.match(lead) if name is None else None
    if alone is not None:
        name = caption(context, bases, context.line(row.start))
        nth, digits = alone["nth"], alone["number"] or alone["said"]
        counting = context.mentions.counted if alone["number"] else 1
        whose = NTH.index(nth.lower()) if nth else counted(digits) - counting
    if name is None or name not in (_TOLD if grid_of(row) is None else _TOLD | {*WEIGHTS}):
        return None
    whose = context.own_row(row.start) if name in VECTORS and whose is None else whose
    begins = any(
        (
            _ROWS_ARE.search(said),
            name in VECTORS and _ARE.search(lead),
            whole and (_PLURAL_WORD.search(lead) or context.own_row(row.start) is None),
        )
    )
    if several and grid_of(row) is None and begins:
        whose = 0
    return replace(item, node=row, target=Ref(name, whose))


def _lead(said: str) -> str:
    """What the words before a list say since the last value or clause; of a long line its end tells."""
    lead = ""
    for length in (LONGEST_LEAD, len(said)):
        lead = _VALUE.split(last_clause(_ASIDE.sub("", said[-length:])))[-1]
        if 2 * len(lead) < length:
            break
    return lead


def _whose(lead: str, context: Context) -> int | None:
    """The row of the token that stands between what is told and a list: `Query:  cat [1, 0]`."""
    said = _OWNED.search(lead)
    return context.tokens.index(said[1]) if said is not None and said[1] in context.tokens else None


def _means_nothing(node: Node, bases: Bases) -> bool:
    """Whether what stands before a colon is a word, and no quantity."""
    match node:
        case Name():
            return resolve(node, bases) is None
        case Words():
            return True
        case Binary(op="*", left=Num(), right=Name() | Words() as token):  # `Scores for token 1 ("cat"):`
            return _means_nothing(token, bases)
    return False


def _is_root(node: Node) -> bool:
    """What scores are divided by, `√2`, or multiplied by, `1/√2`."""
    match node:
        case Binary(op="/", left=Num(text="1"), right=Call() as root):
            return _is_root(root)
        case Call(function="sqrt", argument=Num()):
            return True
    return False


def _beside(lead: str) -> str | None:
    """The quantity that the word directly before a list names: `scores [2, 0] → softmax [0.9, 0.1]`."""
    words = _WORD.search(lead) or _GOT.search(lead)
    return alias(words[1]) if words is not None else None
