"""Arithmetic in words: `2, which divided by 1.414 gives 1.414`, `the square root of 5 is 2.236`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Call, Chain, Node, Num, Row, names
from symattn.reading.notes.formulas.roots import is_root
from symattn.reading.notes.formulas.works import entries, is_literal
from symattn.reading.notes.layout.context import Context

_LEAST, _MARKS = r"[`$* ]*", r"[`$*]*"
_COMES_TO = re.compile(
    rf"{_MARKS}(?:(?:,| and)? (?:(?:which|that|it|this|we) )?"
    r"(?:is|gives?|giving|equals?|makes?|yields?|yielding|leaves?|(?:comes|works out) to|to get|get|obtain)"
    rf"(?: (?:us|about|approximately|roughly|around|just|then|thus|therefore))?"
    rf"|,? ?(?:即|得到?|得出|等于|[约就]?是|约?为)) ?{_LEAST}"
)
"""Between a working and what it comes to."""
_WHICH_IS = re.compile(rf"{_MARKS},? (?:which|that) (?:is|equals)\b.*")
_BEGINS = re.compile(
    r"(?:^|[.,;:!?，。；：、(（]|\b(?:so|then|thus|that|since|because|is|are|get|have|compute"
    rf"|product|quotient|ratio|sum|score)|[积商和是为得])[ >*+-]*{_LEAST}$",
    re.IGNORECASE,
)
"""Before a working that is a whole one: what `dividing the scores by √2 gives` is not √2."""
_COMPARED = re.compile(rf"{_MARKS} (?:more|less|times|larger|smaller|higher|lower|greater|orders?|of)\b")
_JOINS: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = tuple(
    (re.compile(before), re.compile(f"{_LEAST}(?:{between}){_LEAST}"), op)
    for before, between, op in (
        ("", r",? (?:which |when |then |and (?:is )?)?(?:is )?divided by|除以", "/"),
        ("", r",? (?:which |when |then |and (?:is )?)?(?:is )?(?:multiplied by|times)|乘以", "*"),
        ("", r"plus|加上?", "+"),
        ("", r"minus|减去?", "-"),
        (rf"\b[Dd]ivi(?:de|ding){_LEAST}$", "by", "/"),
        (rf"\b[Mm]ultiply(?:ing)?{_LEAST}$", "by", "*"),
    )
)
"""What stands before the first and between two numbers that are joined in words."""
_DIVIDED_BY = re.compile(
    rf"{_MARKS} ?(?:[,，;；]|→|->)? ?(?:(?:再|然后)?(?:除以|/|÷)"
    r"|(?:[^\W\d]+ ){0,3}?(?:ge)?(?:divi[sd]|tei[lt]|dél|дел|діл|dziel|chia)[^\W\d]*(?: [^\W\d]+){0,2} )"
    rf"{_LEAST}",
    re.IGNORECASE,
)
"""Between a number and the root that it is divided by."""
_GIVES = re.compile(r"[得变成为是:：]|\b(?:gives?|get|yields?)\b|→|->")
_OF: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\bsquare root of{_LEAST}$"), "sqrt"),
    (re.compile(rf"\b(?:exponential of|exp of|e to the(?: power(?: of)?)?){_LEAST}$"), "exp"),
    (re.compile(rf"\b(?:natural log(?:arithm)? of|ln of){_LEAST}$"), "ln"),
    (re.compile(rf"\b[Ss]oftmax of{_LEAST}$"), "softmax"),
)
"""The functions that words before a number or a list name."""


def with_spoken(found: Sequence[Item], context: Context) -> list[Item]:
    """The items, with equations made of workings and what words say that they come to."""
    made: list[Item] = []
    for item in _divided(found, context):
        between = made and _COMES_TO.fullmatch(context.text, made[-1].end, item.start)
        said = between[0] if between and _is_result(item, context) else ""
        work = _work(made, _WHICH_IS.fullmatch(said) is not None, context) if said else None
        if work is not None and _width(work[0]) == _width(item.node):
            node, count = work
            start = made[-count].start
            del made[-count:]
            item = replace(item, node=Chain((node, item.node), ("=",)), start=start, broken=False)
        made.append(item)
    return made


def _divided(found: Sequence[Item], context: Context) -> Iterator[Item]:
    """The items, with what a number divided by a root comes to as that: `3，除以 √2 得 2.12`."""
    for before, item in zip((None, *found), found, strict=False):
        match item.node:
            case (
                Chain(
                    members=(Call(function="sqrt", argument=Num() as under) as root, Num() as made)
                ) as chain
            ):
                over = _end_of(before) if before is not None else None
                lead = context.text[before.end : item.start] if before is not None else ""
                if over is not None and _DIVIDED_BY.fullmatch(lead) and not _is_root(under, made, context):
                    members = Binary("/", over, root), made
                    item = replace(item, node=replace(chain, members=members), broken=False)
        yield item


def _is_root(under: Num, made: Num, context: Context) -> bool:
    """Whether a number behind a root is that root: `÷ √4 = 2`, and not 除以 √4 得 2."""
    gives = _GIVES.search(context.text, under.end, made.start) is not None
    return not gives and under.text.isdigit() and is_root(made.text, int(under.text))


def _width(node: Node) -> int | None:
    """How many numbers a formula comes to."""
    table = entries(node)
    return sum(map(len, table)) if table is not None else None


def _work(made: Sequence[Item], itself: bool, context: Context) -> tuple[Node, int] | None:
    """The working that the last items are, and how many of them are no more than parts of it.

    `itself` says that the words behind it speak of nothing but the last one, `√2, which is 1.414`.
    """
    last = made[-1]
    if last.broken or last.target is not None or next(names(last.node), None) is not None:
        return None
    before, _ = context.around(last.start, last.end)
    for words, function in _OF:
        if _is_value(last) and words.search(before):
            return Call(function, last.node), 1
    first = _end_of(made[-2]) if len(made) > 1 else None
    if first is not None and isinstance(last.node, Num | Call):
        lead, _ = context.around(first.start, first.end)
        between = context.text[made[-2].end : last.start]
        for words, joins, op in _JOINS:
            sure = bool(words.pattern) or made[-2].node is not first or _is_told(first, lead)
            if sure and joins.fullmatch(between) and words.search(lead):
                return Binary(op, first, last.node), 1 + (made[-2].node is first)
    whole = itself or _BEGINS.search(before) is not None
    return (last.node, 1) if whole and isinstance(last.node, Binary | Call) else None


def _is_value(item: Item) -> bool:
    """Whether a formula is a number or a list of them that nothing else is known of."""
    return isinstance(item.node, Num | Row) and is_literal(item.node) and item.target is None


def _is_result(item: Item, context: Context) -> bool:
    """Whether a value ends what is said of it: `3/2 is 1.5`, and not `3/2 is 1.5 times as much`."""
    _, after = context.around(item.start, item.end)
    return _is_value(item) and _COMPARED.match(after) is None


def _is_told(num: Num, lead: str) -> bool:
    """Whether a number is a value, and not the 2 of `the score of token 2`."""
    return "." in num.text or _BEGINS.search(lead) is not None


def _end_of(item: Item) -> Num | None:
    """The number that a formula is or ends with."""
    node = item.node.members[-1] if isinstance(item.node, Chain) else item.node
    return node if isinstance(node, Num) else None
