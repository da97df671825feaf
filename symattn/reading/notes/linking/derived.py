"""What follows from lists that were printed before, outside of every walk: other lists, sums, percentages.

`The logits are 2, 1 and 0.1`, and below `the probabilities are 0.659, 0.242 and 0.099`: no name ties the two,
but the numbers do. A list in which a number is wrong is tied only where words say how it was made, and no
other list stands in between that may be what it was made of.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Call, Chain, Negate, Node, Num, Row, names
from symattn.reading.notes.formulas.works import centred, deviation, entries, mean, squares, summed
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.amounts import amount
from symattn.reading.notes.linking.closeness import is_decimal, near, unit
from symattn.reading.notes.linking.ledger import value, values
from symattn.reading.notes.linking.listings import Listing, head, in_order, listings

LISTS_BACK = 8
LONGEST = 100
"""Numbers of a list that others are held against; what each entry shares with all grows with the square."""
FARTHEST = 160
FEWEST, SHARE = 2, 0.6

Make = Callable[[Sequence[Node]], Sequence[Node]]
_Way = tuple[Sequence[Node], list[float | None], re.Pattern[str]]
"""The formulas of the entries that a list makes, their values, and the words for it."""


def _applied(function: str) -> Make:
    def made(nums: Sequence[Node]) -> Sequence[Node]:
        table = entries(Call(function, Row(tuple(nums), 0, 0)))
        return table[0] if table is not None else ()

    return made


def _over(divisor: Callable[[Sequence[Node]], Node]) -> Make:
    return lambda nums: [Binary("/", num, divisor(nums)) for num in nums]


def _length(nums: Sequence[Node]) -> Node:
    return Call("sqrt", summed(squares(nums)))


def _below_largest(nums: Sequence[Node]) -> Sequence[Node]:
    largest = max(nums, key=lambda num: amount(num) or 0)
    return [Binary("-", num, largest) for num in nums]


def _said(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


_SHARES = _said(r"softmax|prob|weight|percent|normali|divid|%|\b[aαpw]_?\{?\d|概率|权重|归一")
_WAYS: tuple[tuple[Make, re.Pattern[str]], ...] = (
    (_applied("exp"), _said(r"\bexp(?:s|onent\w*)?(?![a-z])|\be ?\^|指数")),
    (_applied("softmax"), _SHARES),
    (_over(summed), _SHARES),
    (_below_largest, _said(r"\bmax|shift|subtract|最大")),
    (centred, _said(r"deviation|cent|subtract|mean|[-−] ?(?:μ|\\mu)|均值")),
    (squares, _said(r"squar|\^ ?\{?2|²|平方")),
    (_applied("layernorm"), _said(r"norm|归一")),
    (_over(lambda nums: Call("sqrt", mean(squares(nums)))), _said(r"\bRMS")),
    (_over(_length), _said(r"\bunit\b|normali|单位")),
    (_applied("cos"), _said(r"\bcos")),
    (_applied("sin"), _said(r"\bsin")),
    (_applied("relu"), _said(r"relu|\bmax")),
    (lambda nums: [Negate(Call("ln", num)) for num in nums], _said(r"\bln|\blog|loss|entropy|损失")),
)
"""The ways of making a list of another one, and the words that speak of them."""
_IS = (
    r"(?: (?:of|for) [^.\d]{1,40})?(?: \w+){0,2} ?"
    r"(?:\b(?:is|are|equals?|comes? to|to|gives?)|[=:≈为是到])[\s$*`]*$"
)
_STATISTICS: tuple[tuple[Callable[[Sequence[Node]], Node], re.Pattern[str]], ...] = (
    (
        summed,
        _said(
            rf"(?:\b(?:sums?|total|add(?:s|ing)? (?:\w+ )?up|denominator)\b|总和|之和|合计|加起来|求和){_IS}"
        ),
    ),
    (mean, _said(rf"(?:\b(?:mean|average)\b(?! (?:of (?:the )?)?squares?\b)|均值|平均值?){_IS}")),
    (lambda nums: mean(squares(centred(nums))), _said(rf"(?:\bvariance\b|方差){_IS}")),
    (deviation, _said(rf"(?:\b(?:standard deviation|std)\b|标准差){_IS}")),
    (_length, _said(rf"(?:\b(?:norm|length|magnitude)\b|范数|模长){_IS}")),
)
"""What one number may be of a list, and the words that end before it."""
_DIVIDED = _said(
    r"(?:[/÷]|\b(?:divi|scal)\w+(?: \w+){0,3} by|\bT ?=|temperature(?: of| is)?|除以|温度[为是]?)[ $`]*"
    r"(?P<root>√|根号|\\?sqrt[({]*)?(?P<number>\d+(?:\.\d+)?)"
)
"""What a list is divided by, as words before another one say."""
_SCALED = _said(r"scal|divi|√|sqrt|除|缩放")
_EACH = _said(
    r"\b(?:each|every|all|any|rows?|columns?|not|keep\w*|kept|stay\w*|remain\w*)\b|n['’]t\b|每|各|不|保持"
)
"""Words of something else than the one list before them, or of what is so whatever the numbers are."""
_AGAIN = re.compile(
    r"[\s$*`]*(?:\(|,? ?(?:i\.e\.|that is|or|about|which is|即|也就是|约)?,? ?(?:about|roughly|约|≈|~)?)"
    r"[\s$*`(]*"
)
"""Between a number and the percentage that says it again."""
_TOTAL = _said(r"[\s|*_]*(?:sum|total|Σ|合计|总和)[\s*_:]*\|")
"""The head of the last line of a table."""


@dataclass(frozen=True)
class _Source:
    """A list, with what may be made of it; `settled` says that none of its numbers is without a verdict.

    `cells` are its numbers, or what these should be.
    """

    listing: Listing
    cells: tuple[Node, ...]
    settled: bool

    @cached_property
    def ways(self) -> list[_Way]:
        """What the list makes, in each way."""
        made = [(make(self.cells), words) for make, words in _WAYS] if self._is_known else []
        return [_way(cells, words) for cells, words in made if len(cells) == len(self.cells)]

    def divided(self, divisor: Node) -> list[_Way]:
        """What is made of the list, and of its shares, where it is divided by a number first."""
        if not self._is_known:
            return []
        scaled = [Binary("/", cell, divisor) for cell in self.cells]
        shares = _applied("softmax")(scaled)
        return [_way(scaled, _DIVIDED), _way(shares, _SHARES)]

    @property
    def _is_known(self) -> bool:
        nums = self.listing.nums
        return len(nums) <= LONGEST and None not in values(nums)


def _way(cells: Sequence[Node], words: re.Pattern[str]) -> _Way:
    return cells, [amount(cell) for cell in cells], words


def _divisor(words: str, context: Context) -> Node | None:
    """What words divide by: `/√16`, `T = 2`, `divided by 1.414`; or what the document takes a root of."""
    *_, found = None, *_DIVIDED.finditer(words)
    if found is None:
        width = context.divided_by
        return Call("sqrt", Num(str(width), 0, 0)) if width is not None and _SCALED.search(words) else None
    number = Num(found["number"], 0, 0)
    return Call("sqrt", number) if found["root"] else number


def derived(
    found: Sequence[Item], context: Context, is_open: Callable[[Num], bool]
) -> Iterator[tuple[Num, Node]]:
    """The numbers that follow from others, each with the formula that it is the value of.

    `is_open` says whether a number is no claim of a walk, is not judged beside a working, and no part of one.
    """
    lists = listings(found, context)
    sources: dict[int, list[_Source]] = {}
    known: dict[Num, Node] = {}
    for listing in lists:
        before = sources.setdefault(len(listing.nums), [])
        divisor = _divisor(listing.words, context)
        made = dict(_followed(listing, before, divisor)) if any(map(is_open, listing.nums)) else {}
        settled = bool(made) or not any(map(is_open, listing.nums))
        before.append(_Source(listing, listing.nums, settled))
        if not all(_is(num, amount(right)) for num, right in made.items()):
            before.append(_Source(listing, tuple(made[num] for num in listing.nums), settled))
        known |= made
        del before[:-LISTS_BACK]
    yield from known.items()
    nums = in_order(found)
    for last, num in pairwise(nums):
        again = num.text.endswith("%") and is_decimal(last) and not last.text.endswith("%")
        if again and is_open(num) and _AGAIN.fullmatch(context.text, last.end, num.start):
            yield num, last
    worked = dict(_worked(found))
    for num, make, of in _statistics(lists, nums, context, is_open):
        ways = [make([known.get(each) or worked.get(each, each) for each in of]), make(of)]
        yield num, min(ways, key=lambda way: _off(num, way))


def _worked(found: Sequence[Item]) -> Iterator[tuple[Num, Node]]:
    """The results of workings, each with its working: `e^2 = 7.389`."""
    for item in found:
        match item.node:
            case Chain(members=(*_, Call() as work, Num() as result)) if next(names(work), None) is None:
                yield result, work


def _statistics(
    lists: Sequence[Listing], nums: Sequence[Num], context: Context, is_open: Callable[[Num], bool]
) -> Iterator[tuple[Num, Callable[[Sequence[Node]], Node], Sequence[Num]]]:
    """The numbers that words call the sum or the mean of the list before them, and the totals of tables."""
    ends = {listing.end: listing.nums for listing in lists if listing.alone}
    tables = [listing.nums for listing in lists if not (listing.alone or listing.in_row)]
    columns = {_cell(column[-1], context): column for column in tables}
    of: Sequence[Num] = ()
    for last, num in pairwise(nums):
        of = ends.get(last.end, of)
        line, column = _cell(num, context)
        if column and _TOTAL.match(context.said(line)):
            make: Callable[[Sequence[Node]], Node] | None = summed
            of = columns.get((line - 1, column), ())
        else:
            said = context.text[last.end : num.start]
            if column and last.end in ends:
                said = f"{head(num, line, context)} is"
            make = _statistic(said, is_decimal(num)) if len(said) <= FARTHEST and not _ends(said) else None
        if make is None:
            of = ()
        elif of and None not in values(of) and is_open(num) and not (make is summed and _of_others(num, of)):
            yield num, make, of


def _ends(said: str) -> bool:
    """Whether a line of words announces something else than a statistic: `For "cat":`."""
    lines = (line.rstrip(" *_`") for line in said.split("\n")[1:-1])
    return any(line.endswith((":", "：")) and _statistic(line, decimal=True) is None for line in lines)


def _of_others(num: Num, of: Sequence[Num]) -> bool:
    """Whether what sums to 1 are shares that are still to come: the list before is far from it."""
    return value(num) == 1 and not 0.5 <= sum(float(q or 0) for q in values(of)) <= 1.5


def _statistic(said: str, decimal: bool) -> Callable[[Sequence[Node]], Node] | None:
    """What the words directly before a number call it; before an integer there is a verb."""
    if _EACH.search(said):
        return None
    ends = (said, f"{said.rstrip(' $*`')} is") if decimal else (said,)
    return next((make for make, words in _STATISTICS if any(map(words.search, ends))), None)


def _cell(num: Num, context: Context) -> tuple[int, int]:
    """The line of a number, and the cell of a table that it stands in, 0 outside of tables."""
    before, _ = context.around(num.start, num.end)
    return context.line(num.start), before.count("|")


def _followed(
    listing: Listing, sources: Sequence[_Source], divisor: Node | None
) -> Iterator[tuple[Num, Node]]:
    """The numbers of a list with the formulas of the way that explains most of them."""
    best: Sequence[Node] = ()
    most = 0
    nums, sure = listing.nums, True
    rooms = [(float(q or 0), 1.01 * unit(num)) for q, num in zip(values(nums), nums, strict=True)]
    for source in reversed(sources):
        if set(source.listing.nums) & set(nums):
            continue
        divided = source.divided(divisor) if divisor is not None else ()
        for cells, made, words in (*source.ways, *divided):
            pairs = zip(rooms, made, strict=True)
            if sum(x is not None and abs(x - q) <= room for (q, room), x in pairs) <= most:
                continue  # most ways are far off, and told so at the least cost
            fits = sum(_is(num, x) for num, x in zip(nums, made, strict=True))
            told = words.search(listing.words) is not None
            if fits > most and _holds(nums, source.listing.nums, made, told, sure):
                best, most = cells, fits
        sure = sure and (source.settled or (source.listing.in_row and not listing.in_row))
    return zip(nums, best, strict=False)


def _off(num: Num, way: Node) -> float:
    """How far a number is from what it may be."""
    made = amount(way)
    return math.inf if made is None else abs(float(value(num) or 0) - made)


def _is(num: Num, x: float | None) -> bool:
    """Whether a number is the other one, rounded or cut off; an integer is equal."""
    if x is None:
        return False
    if not near(num, x):
        return False
    over = abs(x) - abs(float(value(num) or 0))
    return -0.501 * unit(num) <= over < unit(num)


def _holds(
    nums: Sequence[Num], of: Sequence[Num], made: Sequence[float | None], told: bool, sure: bool
) -> bool:
    """Whether a list follows from another one, hardly by chance; a wrong number needs words.

    Of few whole numbers it takes one more to tell.
    """
    fits = [(num, x) for num, x in zip(nums, made, strict=True) if _is(num, x)]
    taken = {num.start for num, source in zip(nums, of, strict=True) if value(num) == value(source)}
    changed = [(num, x) for num, x in fits if num.start not in taken]
    if len(fits) == len(nums):
        return bool(changed) if told else sum(len(num.text.strip("-.%0")) > 1 for num, _ in changed) >= FEWEST
    sharp = sum(len(num.text.partition(".")[2]) != 1 or float(value(num) or 0) == x for num, x in changed)
    whole = not any(is_decimal(num) or num.text.endswith("%") for num in nums)
    sharp -= whole and len(nums) < FEWEST + 2
    tells = any(x for _, x in changed)  # the largest less itself is 0 in every list
    return told and sure and tells and sharp >= FEWEST and len(fits) >= SHARE * len(nums)
