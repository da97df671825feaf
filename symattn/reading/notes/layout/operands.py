"""Numbers that words join: `1 times 3 plus 2 times 1`, `the sum of 2, 3 and 4`, 2 乘以 3 加 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Call, Node, Num, Row, last_of
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context

LEAST = r"[`$* ]*"
BEGINS = re.compile(
    r"(?:^|[.,;:!?，。；：、(（]|\b(?:so|then|thus|that|since|because|is|are|get|have|compute"
    rf"|product|quotient|ratio|sum|score)|[积商和是为得将把用])[ >*+-]*{LEAST}$",
    re.IGNORECASE,
)
"""Before a working that is a whole one: what `dividing the scores by √2 gives` is not √2."""
MOST_JOINED = 16
"""Numbers that are joined in words, one after the other."""
_SIGNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(f"{LEAST}(?:{between}){LEAST}"), op)
    for between, op in (
        (r",? (?:which |when |then |and (?:is )?)?(?:is )?divided by|除以", "/"),
        (r",? (?:which |when |then |and (?:is )?)?(?:is )?(?:multiplied by|times)|乘以?", "*"),
        (r"plus|加上?", "+"),
        (r"minus|减去?", "-"),
    )
)
"""What stands for the sign between two numbers."""
_WHOLE = re.compile(r"which|when|then|and|,")
"""Words that join a number to all that was said before: `2 plus 3, which divided by 5`."""
_LISTED: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = tuple(
    (re.compile(f"{before}{LEAST}$"), re.compile(f"{LEAST}(?:{between}){LEAST}"), op)
    for before, between, op in (
        (r"\b[Dd]ivid(?:e|ing)", "by", "/"),
        (r"\b[Mm]ultiply(?:ing)?", "by", "*"),
        (r"\b(?:[Ss]um of|[Aa]dd(?:ing)?(?: up)?)", ",|,? and|和|与|、", "+"),
        (r"\b(?:[Pp]roduct of|[Mm]ultiply(?:ing)?)", "and", "*"),
    )
)
"""What stands before the first and between numbers that are listed, and what is done to them."""


def joined(made: Sequence[Item], context: Context) -> tuple[Node, int] | None:
    """The working in words that the last items are, and how many of them are no more than parts of it."""
    last = made[-1]
    if isinstance(last.node, Row):
        node = _folded(last, last.node, context)
        return None if node is None else (node, 1)
    if not isinstance(last.node, Num | Call):
        return None
    for words, joins, op in _LISTED:
        count = _run(made, (joins,), context)
        if count > 1 and words.search(_before(made[-count], context)):
            return _all(op, [item.node for item in made[-count:]]), count
    return _signed(made, context)


def end_of(item: Item) -> Num | None:
    """The number that a formula is or ends with."""
    node = last_of(item.node)
    return node if isinstance(node, Num) else None


def _folded(item: Item, row: Row, context: Context) -> Node | None:
    """What is done to the numbers of a list without brackets: `adding 0.3 and 0.4`."""
    if item.target is not None or not is_literal(row) or context.text[row.start] in "([":
        return None
    before = _before(item, context)
    op = next((op for words, _, op in _LISTED if op != "/" and words.search(before)), None)
    return _all(op, row.items) if op is not None else None


def _signed(made: Sequence[Item], context: Context) -> tuple[Node, int] | None:
    """The numbers that the last items are, joined by words for signs."""
    count = _run(made, [joins for joins, _ in _SIGNS], context)
    first = made[-count]
    start = end_of(first)
    if count == 1 or start is None:
        return None
    alone = first.node is start
    if alone and "." not in start.text and not BEGINS.search(_before(first, context)):
        return None  # the 2 of `the score of token 2`
    terms: list[tuple[str, Node]] = [("+", start)]
    for before, item in pairwise(made[-count:]):
        between = context.text[before.end : item.start]
        op = next(op for joins, op in _SIGNS if joins.fullmatch(between))
        if _WHOLE.search(between):
            terms = [("+", _summed(terms))]
        if op in "*/":
            sign, over = terms[-1]
            terms[-1] = sign, Binary(op, over, item.node)
        else:
            terms.append((op, item.node))
    return _summed(terms), count - (not alone)


def _summed(terms: Sequence[tuple[str, Node]]) -> Node:
    """Several terms, each with its sign, as one formula; the first is added."""
    node = terms[0][1]
    for op, term in terms[1:]:
        node = Binary(op, node, term)
    return node


def _all(op: str, nodes: Sequence[Node]) -> Node:
    """One operation over several numbers, from the left."""
    return _summed([(op, node) for node in nodes])


def _run(made: Sequence[Item], joins: Sequence[re.Pattern[str]], context: Context) -> int:
    """How many of the last items words join, one after the other; what ends in a number may begin them."""
    count = 1
    while count < min(len(made), MOST_JOINED) and isinstance(made[-count].node, Num | Call):
        before, item = made[-count - 1], made[-count]
        between = context.text[before.end : item.start]
        if before.broken or end_of(before) is None or not any(join.fullmatch(between) for join in joins):
            break
        count += 1
    return count


def _before(item: Item, context: Context) -> str:
    """The words before a formula, or before the number that it ends with."""
    last = end_of(item)
    return context.before(last.start if last is not None else item.start)
