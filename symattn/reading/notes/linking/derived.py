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
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from symattn.immutable import immutable
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Call, Chain, Grid, Node, Num, Row, names, numerals
from symattn.reading.notes.formulas.works import WRITTEN
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.amounts import AMOUNTS, amount
from symattn.reading.notes.linking.closeness import is_decimal, near, unit
from symattn.reading.notes.linking.invented import invented
from symattn.reading.notes.linking.ledger import size, value
from symattn.reading.notes.linking.listings import Listing, head, in_order, listings
from symattn.reading.notes.linking.ways import (
    GREATEST,
    SHARES,
    SPOKEN,
    STATISTICS,
    WAYS,
    Make,
    Statistic,
    positive,
    same,
    softmax,
    total,
    worded,
)

LISTS_BACK, FARTHEST = 8, 160
LONGEST = 100
"""Numbers of a list that others are held against; what each entry shares with all grows with the square."""
FEWEST, SHARE = 2, 0.6

_DIVIDED = worded(
    r"(?:[/÷]|\b(?:divi|scal)\w+(?: \w+){0,3} by|(?:\bT|τ|\\tau)[ $`]*="
    r"|temperature(?: of| is)?(?:[ $`]*=)?|除以|温度[为是]?)[ $`*]*"
    r"(?P<root>√|根号|\\?sqrt[({]*)?(?P<number>\d+(?:\.\d+)?)"
)
"""What a list is divided by, as words before another one say."""
_SCALED = worded(r"scal|divi|√|sqrt|除|缩放")
_EACH = worded(
    r"\b(?:each|every|all|any|rows?|columns?|not|keep\w*|kept|stay\w*|remain\w*)\b|n['’]t\b|每|各|不|保持"
    r"|\n[^\n]*(?:第 ?[一二三四五六七八九十\d]+ ?[行个]|\b(?:tokens?|words?|positions?) ?\d)"
)
"""Words of something else than the one list before them, or of what is so whatever the numbers are."""
_AGAIN = re.compile(
    r"[\s$*`]*(?:\(|,? ?(?:i\.e\.|that is|or|about|which is|即|也就是|约)?,? ?(?:about|roughly|约|≈|~)?)"
    r"[\s$*`(]*"
)
"""Between a number and the percentage that says it again."""
_SAID_AGAIN = re.compile(r"[\s$*`]*(?:[),.;:，。；）|]|$)|[\s$*`]*(?:of|to|on)\b", re.MULTILINE)
"""Behind such a percentage: `(70% cheaper)` is one of something else."""
_TOTAL_ROW = worded(r"[\s|*_]*(?:sum|total|Σ|合计|总和)[\s*_:]*\|")
"""The head of the last line of a table."""


@immutable(frozen=True, slots=True)
class _Way:
    """What a way makes of `cells`, about, and the words for it."""

    make: Make
    words: re.Pattern[str]
    cells: Sequence[Node]
    sizes: Sequence[float | None]
    made: Sequence[float | None]

    def written(self) -> Sequence[Node]:
        """The formulas of the entries."""
        return self.make(WRITTEN, self.cells, _sure(self.sizes))


@dataclass(frozen=True)
class _Source:
    """A list, with what may be made of it; `settled` says that none of its numbers is without a verdict.

    `cells` are its numbers, or what these should be.
    """

    listing: Listing
    cells: tuple[Node, ...]
    settled: bool

    @property
    def said(self) -> tuple[str, ...] | None:
        """Its numbers as they were printed; None where others stand for them."""
        return tuple(num.text for num in self.listing.nums) if self.cells is self.listing.nums else None

    @cached_property
    def sizes(self) -> list[float | None] | None:
        """About how large the cells are; None where nothing is made of them."""
        nums = self.listing.nums
        known = len(nums) <= LONGEST and None not in map(size, nums)
        return [amount(cell) for cell in self.cells] if known else None

    @cached_property
    def ways(self) -> list[_Way]:
        """What the list makes, in each way."""
        if self.sizes is None:
            return []
        printed = self.cells is self.listing.nums
        ways = [way for way in WAYS if printed or way[0] is not positive]
        return [_way(make, words, self.cells, self.sizes) for make, words in ways]

    def divided(self, divisor: Node) -> list[_Way]:
        """What is made of the list, and of its shares, where it is divided by a number first."""
        if self.sizes is None:
            return []
        cells = WRITTEN.over(self.cells, divisor)
        sizes = AMOUNTS.over(self.sizes, amount(divisor))
        return [_way(make, words, cells, sizes) for make, words in ((same, _DIVIDED), (softmax, SHARES))]


def _way(make: Make, words: re.Pattern[str], cells: Sequence[Node], sizes: Sequence[float | None]) -> _Way:
    return _Way(make, words, cells, sizes, _amounts(make, tuple(sizes)))


@lru_cache(maxsize=1 << 11)
def _amounts(make: Make, sizes: Sequence[float | None]) -> Sequence[float | None]:
    """About what a way makes of numbers, once for all the lists that have these."""
    return make(AMOUNTS, sizes, _sure(sizes))


def _sure(sizes: Sequence[float | None]) -> list[float]:
    return [x or 0.0 for x in sizes]


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
        free = sum(map(is_open, listing.nums))
        made = dict(_followed(listing, before, divisor)) if free else {}
        if not made and before and free == len(listing.nums):
            made = dict(invented(listing, before[-1].listing, context))
        settled = bool(made) or not free
        before.append(_Source(listing, listing.nums, settled))
        if not all(_is(num, amount(right)) for num, right in made.items()):
            before.append(_Source(listing, tuple(made[num] for num in listing.nums), settled))
        known |= made
        del before[:-LISTS_BACK]
    yield from known.items()
    nums = in_order(found)
    for last, num in pairwise(nums):
        again = num.text.endswith("%") and is_decimal(last) and not last.text.endswith("%")
        said = num.start > last.end and _AGAIN.fullmatch(context.text, last.end, num.start) is not None
        if again and said and is_open(num) and _SAID_AGAIN.match(context.text, num.end):
            yield num, last
    yield from _greatest(lists, nums, context, is_open)
    worked = dict(_worked(found))
    broken = {item.node.start for item in found if item.broken and isinstance(item.node, Num)}
    broken |= _listed(found)
    for num, make, of in _statistics(lists, nums, context, is_open):
        if num.start in broken:  # an end of something that was not read, or a part of a list
            continue
        ways = [make(WRITTEN, [known.get(each) or worked.get(each, each) for each in of]), make(WRITTEN, of)]
        yield num, min(ways, key=lambda way: _off(num, way))


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


def _statistics(
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
        elif (
            of and None not in map(size, of) and is_open(num) and not (make is total and _of_others(num, of))
        ):
            yield num, make, of


def _ends(said: str) -> bool:
    """Whether a line of words announces something else than a statistic: `For "cat":`."""
    lines = (line.rstrip(" *_`") for line in said.split("\n")[1:-1])
    return any(line.endswith((":", "：")) and _statistic(line, decimal=True) is None for line in lines)


def _of_others(num: Num, of: Sequence[Num]) -> bool:
    """Whether what sums to 1 are shares that are still to come: the list before is far from it."""
    return value(num) == 1 and not 0.5 <= sum(size(each) or 0.0 for each in of) <= 1.5


def _statistic(said: str, decimal: bool) -> Statistic | None:
    """What the words directly before a number call it; before an integer there is a verb."""
    if not SPOKEN.search(said) or _EACH.search(said):
        return None
    ends = (said, f"{said.rstrip(' $*`')} is") if decimal else (said,)
    return next((make for make, words in STATISTICS if any(map(words.search, ends))), None)


def _cell(num: Num, context: Context) -> tuple[int, int]:
    """The line of a number, and the cell of a table that it stands in, 0 outside of tables."""
    before = context.before(num.start)
    return context.line(num.start), before.count("|")


def _followed(
    listing: Listing, sources: Sequence[_Source], divisor: Node | None
) -> Iterator[tuple[Num, Node]]:
    """The numbers of a list with the formulas of the way that explains most of them."""
    best: _Way | None = None
    most = 0
    nums, sure = listing.nums, True
    rooms = [(size(num) or 0.0, 1.01 * unit(num)) for num in nums]
    own = frozenset(nums)
    tried: set[tuple[str, ...]] = set()

    @cache
    def tells(words: re.Pattern[str]) -> bool:
        return words.search(listing.words) is not None

    for source in reversed(sources):
        if not own.isdisjoint(source.listing.nums):
            continue
        ways: Sequence[_Way] = ()
        if source.said not in tried:  # what the same numbers nearer by do not explain these do not
            ways = (*source.ways, *(source.divided(divisor) if divisor is not None else ()))
        if source.said is not None:
            tried.add(source.said)
        for way in ways:
            made, about = way.made, 0
            for (q, room), x in zip(rooms, made, strict=True):
                about += x is not None and -room <= x - q <= room
            if about <= most or (about < len(nums) and not (sure and tells(way.words))):
                continue  # far off, as most ways are, or wrong and without the words that it takes then
            fits = sum(_is(num, x) for num, x in zip(nums, made, strict=True))
            if fits > most and _holds(nums, source.listing.nums, made, tells(way.words), sure):
                best, most = way, fits
        sure = sure and (source.settled or (source.listing.in_row and not listing.in_row))
    return zip(nums, best.written() if best is not None else (), strict=False)


def _off(num: Num, way: Node) -> float:
    """How far a number is from what it may be."""
    made = amount(way)
    return math.inf if made is None else abs((size(num) or 0.0) - made)


def _is(num: Num, x: float | None) -> bool:
    """Whether a number is the other one, rounded or cut off; an integer is equal."""
    if x is None:
        return False
    if not near(num, x):
        return False
    over = abs(x) - abs(size(num) or 0.0)
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
    sharp = sum(len(num.text.partition(".")[2]) != 1 or (size(num) or 0.0) == x for num, x in changed)
    whole = not any(is_decimal(num) or num.text.endswith("%") for num in nums)
    sharp -= whole and len(nums) < FEWEST + 2
    tells = any(x for _, x in changed)  # the largest less itself is 0 in every list
    return told and sure and tells and sharp >= FEWEST and len(fits) >= SHARE * len(nums)
