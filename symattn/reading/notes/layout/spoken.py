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
from symattn.reading.notes.layout.operands import BEGINS, LEAST, MOST_JOINED, end_of, joined

_MARKS = r"[`$*]*"
_COMES_TO = re.compile(
    rf"{_MARKS}(?:(?:,| and)? (?:(?:which|that|it|this|we) )?"
    r"(?:is|gives?|giving|equals?|makes?|yields?|yielding|leaves?|(?:comes|works out) to|to get|get|obtain)"
    rf"(?: (?:us|about|approximately|roughly|around|just|then|thus|therefore))?"
    rf"|,? ?(?:即|得到?|得出|等于|[约就]?是|约?为)) ?{LEAST}"
)
"""Between a working and what it comes to."""
_WHICH_IS = re.compile(rf"{_MARKS},? (?:which|that) (?:is|equals)\b.*")
_COMPARED = re.compile(rf"{_MARKS} (?:more|less|times|larger|smaller|higher|lower|greater|orders?|of)\b")
_DIVIDED_BY = re.compile(
    rf"{_MARKS} ?(?:[.,，;；。]|→|->)? ?(?:(?:再|然后)?(?:除以|缩放[(（]?|/|÷)"
    r"|(?:[^\W\d]+ ){0,3}?(?:ge)?(?:divi[sd]|scal|tei[lt]|dél|дел|діл|dziel|chia)[^\W\d]*(?: [^\W\d]+){0,2} )"
    rf"{LEAST}",
    re.IGNORECASE,
)
"""Between a number and the root that it is divided by."""
_WIDTH = re.compile(r"\bd_?\{?[kₖ]\}?[)$`*_ ]*(?: is|=|为|是)[$`*_ ]*$|dₖ ?(?:=|is|为|是) ?$")
"""Before the width that is no score: `our d_k is 2, so we divide by √2 ≈ 1.414`."""
FAR = 16
_AND = re.compile(rf"{_MARKS}(?: ?[,，、])? ?(?:and|和|与|及)? ?{_MARKS}(?<=[^\s`$*])[`$* ]*")
"""Between two of several numbers."""
_DIVIDES = re.compile(rf"{_MARKS} ?(?:で割(?:ると|って|れば)|(?:으?로) ?나누(?:면|어)),?、? ?{_MARKS}{LEAST}")
"""Behind a root, where the verb comes last: `3、√2で割ると 2.12`."""
_AND_THEN = re.compile(rf"{_MARKS} ?(?:[,，、;；。]|→|->) ?{_MARKS}")
_GIVES = re.compile(r"[得变成为是:：]|\b(?:gives?|get|yields?)\b|→|->")
_OF: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\bsquare root of{LEAST}$"), "sqrt"),
    (re.compile(rf"\b(?:exponential of|exp of|e to the(?: power(?: of)?)?){LEAST}$"), "exp"),
    (re.compile(rf"\b(?:natural log(?:arithm)? of|ln of){LEAST}$"), "ln"),
    (re.compile(rf"\b[Ss]oftmax of{LEAST}$"), "softmax"),
)
"""The functions that words before a number or a list name."""


def with_spoken(found: Sequence[Item], context: Context) -> list[Item]:
    """The items, with equations made of workings and what words say that they come to."""
    made: list[Item] = []
    for item in _divided(_verb_last(found, context), context):
        item = _ending(item, made, context) if made else item
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


def _ending(item: Item, made: list[Item], context: Context) -> Item:
    """An equation that begins with the last number of a working in words: 2 乘以 3 = 6."""
    match item.node:
        case Chain(members=(Num() as last, *rest), relations=("=" | "≈", *_)) as chain if not item.broken:
            spoken = joined((*made[-MOST_JOINED:], replace(item, node=last)), context)
            if spoken is not None:
                node, parts = spoken
                start = made[1 - parts].start if parts > 1 else item.start
                del made[len(made) + 1 - parts :]
                return replace(item, node=replace(chain, members=(node, *rest)), start=start)
    return item


def _divided(found: Sequence[Item], context: Context) -> Iterator[Item]:
    """The items, with what a number divided by a root comes to as that: `3，除以 √2 得 2.12`.

    Several come to as many: `2 and 0, divided by √2, give 1.41 and 0`.
    """
    several: list[Node] = []
    for at, item in enumerate(found):
        before = found[at - 1] if at else None
        match item.node:
            case Num() if several:
                item = replace(item, node=Chain((several.pop(0), item.node), ("≈",)), broken=False)
            case (
                Chain(
                    members=(Call(function="sqrt", argument=Num() as under) as root, Num() as made)
                ) as chain
            ):
                over = end_of(before) if before is not None else None
                lead = context.text[before.end : item.start] if before is not None else ""
                if (
                    over is not None
                    and _DIVIDED_BY.fullmatch(lead)
                    and not _is_root(over, under, made, context)
                ):
                    quotients: list[Node] = [
                        Binary("/", each, root) for each in _dividends(found, at, over, context)
                    ]
                    several = quotients[1:]
                    node = replace(chain, members=(quotients[0], made)) if quotients else made
                    item = replace(item, node=node, broken=not quotients)
        yield item


def _dividends(found: Sequence[Item], at: int, last: Node, context: Context) -> Sequence[Node]:
    """The numbers before the result that item `at` is, if as many results stand side by side; else none.

    A single one is the `last` number before it.
    """

    def run(step: int) -> list[Node]:
        end, nodes = at + step, list[Node]()
        while 0 <= end < len(found) and (node := end_of(found[end])) is not None:
            single = isinstance(found[end].node, Num)
            beside = found[min(end, end - step)].end, found[max(end, end - step)].start
            if (nodes or step > 0) and not _AND.fullmatch(context.text, *beside):
                break
            if step > 0 and not single:
                break
            nodes.append(node)
            end += step if single else len(found)
        return nodes

    before, results = run(-1)[::-1], 1 + len(run(1))
    if len(before) < 2:
        return [last]
    return before if len(before) == results else []


def _verb_last(found: Sequence[Item], context: Context) -> list[Item]:
    """The items, with what a number comes to that a root is said behind: `3、√2で割ると 2.12`."""
    made = list(found)
    for at in range(2, len(found)):
        root, result = found[at - 1].node, found[at].node
        if not isinstance(root, Call) or root.function != "sqrt" or not isinstance(result, Num):
            continue
        over, begun = end_of(found[at - 2]), found[at - 1].start
        joined_so = _AND_THEN.fullmatch(context.text, found[at - 2].end, begun)
        if (
            over is not None
            and joined_so
            and _DIVIDES.fullmatch(context.text, found[at - 1].end, found[at].start)
        ):
            node = Chain((Binary("/", over, root), result), ("=",))
            made[at] = replace(found[at], node=node, start=begun, broken=False)
    return made


def _is_root(over: Node, under: Num, made: Num, context: Context) -> bool:
    """Whether a number behind a root is that root: `÷ √4 = 2`, and not 除以 √4 得 2, nor what 2 ÷ √2 is.

    Of a width it is the root that is told.
    """
    gives = _GIVES.search(context.text, under.end, made.start) is not None
    told = context.text[max(over.start - FAR, 0) : over.start] if isinstance(over, Num) else ""
    whole = isinstance(over, Num) and over.text == under.text and not _WIDTH.search(told)
    return not gives and not whole and under.text.isdigit() and is_root(made.text, int(under.text))


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
    before = context.before(last.start)
    for words, function in _OF:
        if _is_value(last) and words.search(before):
            return Call(function, last.node), 1
    if (spoken := joined(made, context)) is not None:
        return spoken
    whole = itself or BEGINS.search(before) is not None
    return (last.node, 1) if whole and isinstance(last.node, Binary | Call) else None


def _is_value(item: Item) -> bool:
    """Whether a formula is a number or a list of them that nothing else is known of."""
    return isinstance(item.node, Num | Row) and is_literal(item.node) and item.target is None


def _is_result(item: Item, context: Context) -> bool:
    """Whether a value ends what is said of it: `3/2 is 1.5`, and not `3/2 is 1.5 times as much`."""
    _, after = context.around(item.start, item.end)
    return _is_value(item) and _COMPARED.match(after) is None
