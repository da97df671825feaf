"""Lists that are called the softmax of the one above, and that no softmax makes of it, at any temperature.

`scores: [0.1, 0.8, 0.2]`, and in the next line `after softmax: [0.08, 0.35, 0.12]`. Where most numbers
follow, the others are slips. Where few do the list may be of scores that stand nowhere, unless it ranks as
these do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from symattn.reading.notes.formulas.formula import Node, Num
from symattn.reading.notes.formulas.works import WRITTEN
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.closeness import is_decimal, unit
from symattn.reading.notes.linking.ledger import size
from symattn.reading.notes.linking.listings import Listing
from symattn.reading.notes.linking.ways import softmax

FARTHEST, FEWEST = 120, 3
_CALLED = re.compile(r"softmax\b[^\w\d\n]{1,12}$", re.IGNORECASE)
"""A list that the softmax alone is said to be: `After softmax: `, `Softmax = `."""
_OTHERS = re.compile(r"\d|\n\s*\n|\b(?:mask|row|head|top|token)|掩码|行|头", re.IGNORECASE)
"""What tells of something between two lists."""
_SCORES = re.compile(r"score|logit|similarit|得分|分数|相似", re.IGNORECASE)


def invented(listing: Listing, source: Listing, context: Context) -> Iterator[tuple[Num, Node]]:
    """The numbers of a list that is called a softmax and is none, with what they should be."""
    scores = [size(num) for num in source.nums]
    if None not in scores and _is_invented(listing, source, context):
        shares = softmax(WRITTEN, source.nums, [score or 0.0 for score in scores])
        yield from zip(listing.nums, shares, strict=True)


def _is_invented(listing: Listing, source: Listing, context: Context) -> bool:
    """Whether a list is called the softmax of the one right above it, ranks as that does, and is none."""
    between = context.text[source.end : listing.start]
    if source.end > listing.start or len(between) > FARTHEST or len(listing.nums) < FEWEST:
        return False
    if not _CALLED.search(between) or _OTHERS.search(between) or not _SCORES.search(source.words):
        return False
    shares = [size(num) for num in listing.nums]
    scores = [size(num) for num in source.nums]
    if not all(map(is_decimal, listing.nums)) or None in shares or None in scores:
        return False
    sized = [(s or 0.0, p or 0.0) for s, p in zip(scores, shares, strict=True)]
    if not all(0 < p < 1 for _, p in sized) or not _ranks_alike(sized):
        return False
    room = sum(map(unit, listing.nums))
    hidden = [unit(num) for num in source.nums]
    return abs(sum(p for _, p in sized) - 1) > room or not _has_temperature(
        sized, hidden, max(map(unit, listing.nums))
    )


def _ranks_alike(sized: Sequence[tuple[float, float]]) -> bool:
    """Whether no score that is less than another has the greater share, and not all shares are alike."""
    ranked = sorted(sized)
    return ranked[0][1] < ranked[-1][1] and all(p <= q for (_, p), (_, q) in pairwise(ranked))


def _has_temperature(sized: Sequence[tuple[float, float]], hidden: Sequence[float], u: float) -> bool:
    """Whether shares, each within its last digit, are exponentials of the scores over one temperature."""
    best = max(range(len(sized)), key=sized.__getitem__)
    (top, most), low, high = sized[best], 0.0, math.inf
    for (score, share), room in zip(sized, hidden, strict=True):
        over = math.log((most - u) / (share + u)) if most > u else 0.0
        under = math.log((most + u) / (share - u)) if share > u else math.inf
        gap, room = top - score, room + hidden[best]
        low = max(low, over / (gap + room))
        high = min(high, under / (gap - room) if gap > room else math.inf)
    return low <= high
