"""What one number says of a list before it: its sum, its mean, its length, its greatest.

`The exponentials are 2.72 and 1, their sum is 3.72.` The words directly before the number say which it is. A
wrong one is tied to the list only where somebody who made a mistake could come to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Call, Chain, Grid, Node, Num, Row, names, numerals
from symattn.reading.notes.formulas.works import WRITTEN
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.amounts import amount
from symattn.reading.notes.linking.closeness import is_decimal, is_rounded
from symattn.reading.notes.linking.ledger import size, value
from symattn.reading.notes.linking.listings import Listing, head, in_order
from symattn.reading.notes.linking.ways import GREATEST, SPOKEN, STATISTICS, Statistic, total, worded

FARTHEST = 160
_RANGE = re.compile(r" ?[-–~] ?\d")
"""Behind the first number of a range: `12-16h`."""
TIMES = 2
"""How many times too large or too small a total is at the most that somebody added up wrongly."""
_EACH = worded(
    r"\b(?:each|every|all|any|rows?|columns?|not|keep\w*|kept|stay\w*|remain\w*)\b|n['’]t\b|每|各|不|保持"
    r"|\n[^\n]*(?:第 ?[一二三四五六七八九十\d]+ ?[行个]|\b(?:tokens?|words?|positions?) ?\d)"
)
"""Words of something else than the one list before them, or of what is so whatever the numbers are."""
_TOTAL_ROW = worded(r"[\s|*_]*(?:sum|total|Σ|合计|总和)[\s*_:]*\|")
"""The head of the last line of a table."""
_ARROWS = ("→", "⇒", "->", "=>")
_ARROW_SIGNS = " *→⇒->="

FAR = 0.5
"""How far off 1 the sum of shares is not, nor that of differences off 0."""


def statistics(
    found: Sequence[Item],
    lists: Sequence[Listing],
    context: Context,
    is_open: Callable[[Num], bool],
    known: Mapping[Num, Node],
) -> Iterator[tuple[Num, Node]]:
    """The numbers that say something of a list, each with the formula that it is the value of.

    `known` has what numbers of the lists should be.
    """
    nums = in_order(found)
    yield from _greatest(lists, nums, context, is_open)
    worked = dict(_worked(found))
    broken = {item.node.start for item in found if item.broken and isinstance(item.node, Num)}
    broken |= _listed(found)
    for num, make, of in _told(lists, nums, context, is_open):
        if num.start in broken:  # an end of something that was not read, or a part of a list
            continue
        ways = [make(WRITTEN, [known.get(each) or worked.get(each, each) for each in of]), make(WRITTEN, of)]
        way = min(ways, key=lambda way: _off(num, way))
        if _may_be(num, amount(way)):
            yield num, way


def _worked(found: Sequence[Item]) -> Iterator[tuple[Num, Node]]:
    """The results of workings, each with its working: `e^2 = 7.389`."""
    for item in found:
        match item.node:
            case Chain(members=(*_, Call() as work, Num() as result)) if next(names(work), None) is None:
                yield result, work


def _listed(found: Sequence[Item]) -> set[int]:
    """Where the numbers of lists stand, none of which is the sum or the mean of another list."""
    return {
        num.start
        for item in found
        for node in (item.node.members if isinstance(item.node, Chain) else (item.node,))
        if isinstance(node, Grid) or (isinstance(node, Row) and len(node.items) > 1)
        for num in numerals(node)
    }


def _greatest(
    lists: Sequence[Listing], nums: Sequence[Num], context: Context, is_open: Callable[[Num], bool]
) -> Iterator[tuple[Num, Num]]:
    """The greatest of a list, said again right behind it: any other number may be of another list."""
    ends = {listing.end: listing.nums for listing in lists if listing.alone}
    for last, num in pairwise(nums):
        of = ends.get(last.end, ())
        if of and num.start - last.end <= FARTHEST and None not in map(size, of) and is_open(num):
            top = max(of, key=lambda each: size(each) or 0.0)
            if value(top) == value(num) and GREATEST.search(context.text[last.end : num.start]):
                yield num, top


def _told(
    lists: Sequence[Listing], nums: Sequence[Num], context: Context, is_open: Callable[[Num], bool]
) -> Iterator[tuple[Num, Statistic, Sequence[Num]]]:
    """The numbers that words call the sum or the mean of the list before them, and the totals of tables."""
    ends = {listing.end: listing.nums for listing in lists if listing.alone}
    tables = [listing.nums for listing in lists if not (listing.alone or listing.in_row)]
    columns = {_cell(column[-1], context): column for column in tables}
    of: Sequence[Num] = ()
    told: dict[tuple[Num, Statistic], Num] = {}
    """What was told first of each list: another sum is of something that was not read."""
    for last, num in pairwise(nums):
        of = ends.get(last.end, of)
        line, column = _cell(num, context)
        if column and _TOTAL_ROW.match(context.said(line)):
            make: Statistic | None = total
            of = columns.get((line - 1, column), ())
        elif not of:
            continue
        else:
            said = context.text[last.end : num.start]
            if column and of and context.line(of[0].start) != line:
                of = ()  # the list of another row of the table
            if column and last.end in ends:
                said = f"{head(num, line, context)} is"
            make = _statistic(said, is_decimal(num)) if len(said) <= FARTHEST and not _ends(said) else None
        if make is None:
            of = ()
        elif of and value(told.setdefault((of[0], make), num)) != value(num):
            continue
        elif of and None not in map(size, of) and is_open(num) and not _is_of_others(make, num, of, context):
            yield num, make, of


def _ends(said: str) -> bool:
    """Whether a line of words announces something else than a statistic: `For "cat":`."""
    lines = (line.rstrip(" *_`") for line in said.split("\n")[1:-1])
    return any(line.endswith((":", "：")) and _statistic(line, decimal=True) is None for line in lines)


def _is_of_others(make: Statistic, num: Num, of: Sequence[Num], context: Context) -> bool:
    """Whether a number is not that of the list before it: an argument of a call, or a total that is a range.

    Nor is a total of 1 or 0 where the list is far from it.
    """
    if make is not total:
        return context.in_call(num.start)
    far = abs(sum(size(each) or 0.0 for each in of) - (size(num) or 0.0)) > FAR
    return (far and value(num) in (0, 1)) or _RANGE.match(context.text, num.end) is not None


def _statistic(said: str, decimal: bool) -> Statistic | None:
    """What the words directly before a number call it; before an integer there is a verb or an arrow."""
    if not SPOKEN.search(said) or _EACH.search(said):
        return None
    plain = said.rstrip(" $*`")
    leads = plain.endswith(_ARROWS)
    ends = (said, f"{plain.rstrip(_ARROW_SIGNS)} is") if decimal or leads else (said,)
    return next((make for make, words in STATISTICS if any(map(words.search, ends))), None)


def _cell(num: Num, context: Context) -> tuple[int, int]:
    """The line of a number, and the cell of a table that it stands in, 0 outside of tables."""
    before = context.before(num.start)
    return context.line(num.start), before.count("|")


def _off(num: Num, way: Node) -> float:
    """How far a number is from what it may be."""
    made = amount(way)
    return math.inf if made is None else abs((size(num) or 0.0) - made)


def _may_be(num: Num, x: float | None) -> bool:
    """Whether a number is another one, or so large that it may be this one, mistaken.

    `Total: 75` below 2, 2 and 10 is the total of more than these.
    """
    q = size(num)
    if x is None or q is None:
        return False
    return is_rounded(num, x) or (x * q > 0 and abs(x) < TIMES * abs(q) and abs(q) < TIMES * abs(x))
