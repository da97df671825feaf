"""What follows from lists that were printed before, outside of every walk: other lists, sums, percentages.

`The logits are 2, 1 and 0.1`, and below `the probabilities are 0.659, 0.242 and 0.099`: no name ties the two,
but the numbers do. A list in which a number is wrong is tied only where words say how it was made, and no
other list stands in between that may be what it was made of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from symattn.immutable import immutable
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Call, Node, Num
from symattn.reading.notes.formulas.works import WRITTEN
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.amounts import AMOUNTS, amount
from symattn.reading.notes.linking.closeness import is_decimal, is_rounded, unit
from symattn.reading.notes.linking.invented import invented
from symattn.reading.notes.linking.ledger import size, value
from symattn.reading.notes.linking.listings import Listing, in_order, listings
from symattn.reading.notes.linking.statistics import statistics
from symattn.reading.notes.linking.ways import (
    SHARES,
    WAYS,
    Make,
    positive,
    same,
    shares,
    softmax,
    worded,
)

LISTS_BACK = 8
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
_SOFTMAX_OF = worded(
    r"softmax(?: (?:to|of|on|over))?[\s$*`]*(?:\\left)?[(\[]+[\s$*`]*-?\d"
    r"|\d[\s$*`]*[\])）]+[\s$*`]*(?:做|作|应用|进行|取|再)?[\s$*`]*softmax"
)
"""Words that take a softmax of a list: what they lead to are no shares of numbers as they are."""
_AGAIN = re.compile(
    r"[\s$*`]*(?:\(|,? ?(?:i\.e\.|that is|or|about|which is|即|也就是|约)?,? ?)"
    r"(?:about|roughly|约|≈|(?<=[ (])~)?[\s$*`(]*"
)
"""Between a number and the percentage that says it again."""
_SAID_AGAIN = re.compile(r"[\s$*`]*(?:[),.;:，。；）|]|$)|[\s$*`]*(?:of|to|on)\b", re.MULTILINE)
"""Behind such a percentage: `(70% cheaper)` is one of something else."""


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
        if not all(is_rounded(num, amount(right)) for num, right in made.items()):
            before.append(_Source(listing, tuple(made[num] for num in listing.nums), settled))
        known |= made
        del before[:-LISTS_BACK]
    yield from known.items()
    nums = in_order(found)
    for last, num in pairwise(nums):
        share = is_decimal(last) and not last.text.endswith("%") and abs(size(last) or 0.0) <= 1
        again = num.text.endswith("%") and share and num.start > last.end
        said = again and _AGAIN.fullmatch(context.text, last.end, num.start) is not None
        if said and is_open(num) and _SAID_AGAIN.match(context.text, num.end):
            yield num, last
    yield from statistics(found, lists, context, is_open, known)


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

    raised = tells(_SOFTMAX_OF)
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
            if (
                (raised and way.make is shares)
                or about <= most
                or (about < len(nums) and not (sure and tells(way.words)))
            ):
                continue  # far off, as most ways are, or wrong and without the words that it takes then
            fits = sum(is_rounded(num, x) for num, x in zip(nums, made, strict=True))
            if fits > most and _holds(nums, source.listing.nums, made, tells(way.words), sure):
                best, most = way, fits
        sure = sure and (source.settled or (source.listing.in_row and not listing.in_row))
    if best is not None and most < len(nums) and any(_says_again(nums, source) for source in sources):
        return iter(())
    return zip(nums, best.written() if best is not None else (), strict=False)


def _says_again(nums: Sequence[Num], source: _Source) -> bool:
    """Whether a list is one printed before, with fewer digits."""
    return all(map(is_rounded, nums, map(size, source.listing.nums)))


def _holds(
    nums: Sequence[Num], of: Sequence[Num], made: Sequence[float | None], told: bool, sure: bool
) -> bool:
    """Whether a list follows from another one, hardly by chance; a wrong number needs words.

    Of few whole numbers it takes one more to tell.
    """
    fits = [(num, x) for num, x in zip(nums, made, strict=True) if is_rounded(num, x)]
    if all((x or 0.0) >= 0 for x in made) and any((size(num) or 0.0) < 0 for num in nums):
        return False  # by no slip is a share or an exponential below 0
    taken = {num.start for num, source in zip(nums, of, strict=True) if value(num) == value(source)}
    changed = [(num, x) for num, x in fits if num.start not in taken]
    if len(fits) == len(nums):
        return bool(changed) if told else sum(len(num.text.strip("-.%0")) > 1 for num, _ in changed) >= FEWEST
    sharp = sum(
        len(num.text.partition(".")[2]) > 1 or "%" in num.text or size(num) == x for num, x in changed
    )
    whole = not any(is_decimal(num) or num.text.endswith("%") for num in nums)
    sharp -= whole and len(nums) < FEWEST + 2
    tells = any(x for _, x in changed)  # the largest less itself is 0 in every list
    return told and sure and tells and sharp >= FEWEST and len(fits) >= SHARE * len(nums)
