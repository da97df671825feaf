"""A row of weights in one sentence: `33% of its attention goes to the first key and 67% to the second`.

As many percentages as there are keys, which make a hundred together, are the weights of the row that is
worked, in the order of the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Num, Row
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.layout.sentences import sentences
from symattn.reading.notes.linking.ledger import value
from symattn.reading.notes.linking.link import Linker

_PAID = re.compile(r"attention|weights?\b|\battend|\bfocus|\bpays?\b|注意力?|关注|权重", re.IGNORECASE)


def divided(linker: Linker, found: Sequence[Item]) -> None:
    """Link the sentences that divide the attention of a row among all keys."""
    keys = linker.size_of("A")[1] or 0
    claimed = {made.num.start for made in linker.ledger.prints} | linker.roles.keys()
    shares = [item.node for item in found if isinstance(item.node, Num) and item.node.text.endswith("%")]
    for nums in _by_sentence(linker, [num for num in shares if num.start not in claimed]):
        row = linker.context.row(nums[0].start)
        at = row if row is not None else 0 if linker.ledger.shape("Q")[0] == 1 else None
        if at is not None and len(nums) == keys > 1 and _is_whole(nums):
            linker.place(Ref("A", at), Row(tuple(nums), nums[0].start, nums[-1].end))


def _by_sentence(linker: Linker, nums: Sequence[Num]) -> Iterator[list[Num]]:
    """Percentages that stand in one sentence on attention that tells what is."""
    text, i = linker.context.text, 0
    for begin, said in sentences(text) if nums else ():
        here = []
        while i < len(nums) and nums[i].start < begin + len(said):
            here.append(nums[i])
            i += 1
        if len(here) > 1 and _PAID.search(said) and not linker.context.supposes(here[-1].start):
            yield here


def _is_whole(nums: Sequence[Num]) -> bool:
    """Whether shares make a hundred, but for what rounding takes from each."""
    places = max(len(num.text.rstrip("%").partition(".")[2]) for num in nums)
    total = sum((value(num) or Fraction(0) for num in nums), Fraction(0))
    return abs(total - 1) <= Fraction(len(nums), 100 * 10**places)
