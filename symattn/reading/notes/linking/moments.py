"""Mean, variance and deviation of printed numbers, and these normalised, as formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symattn.reading.notes.formulas.formula import Binary, Call, Node, Num, Row
from symattn.reading.notes.formulas.works import WRITTEN
from symattn.reading.notes.linking.amounts import amount
from symattn.reading.notes.linking.closeness import near
from symattn.reading.notes.linking.ledger import size, value
from symattn.reading.notes.linking.terms import flatten


def normed(what: str, cells: Sequence[Node], known: Mapping[str, Num]) -> Node | None:
    """A statistic of some numbers, or these normalised, by the statistics that are known of them."""
    shifted = (
        [Binary("-", cell, known["mean"]) for cell in cells] if "mean" in known else WRITTEN.centred(cells)
    )
    if what == "mean":
        return WRITTEN.mean(cells)
    if what == "variance":
        return WRITTEN.mean(WRITTEN.squares(shifted))
    if what == "deviation":
        variance = known["variance"] if "variance" in known else WRITTEN.mean(WRITTEN.squares(shifted))
        return Call("sqrt", variance)
    if what == "normalised" and known.keys() & {"deviation", "variance"}:
        spread = known.get("deviation") or Call("sqrt", known["variance"])
        return Row(tuple(Binary("/", cell, spread) for cell in shifted), 0, 0)
    return None


def unbiased(what: str, cells: Sequence[Node], known: Mapping[str, Num]) -> Node | None:
    """The variance or the deviation over one less than the count, as programs compute them by default."""
    if what not in ("variance", "deviation") or "variance" in known or len(cells) < 2:
        return None
    mean: Node = known["mean"] if "mean" in known else WRITTEN.mean(cells)
    squares = WRITTEN.summed(WRITTEN.squares(WRITTEN.less(cells, mean)))
    variance = WRITTEN.joined("/", squares, WRITTEN.number(len(cells) - 1))
    return variance if what == "variance" else Call("sqrt", variance)


def comes_to(num: Num, made: Node) -> bool:
    """Whether a formula comes to a number, as far as its digits tell."""
    x = amount(made)
    return x is not None and near(num, x)


def is_nearer(num: Num, made: Node, other: Node) -> bool:
    """Whether a number is nearer to what the one formula comes to."""
    x, y, printed = amount(made), amount(other), size(num)
    return x is not None and y is not None and printed is not None and abs(printed - x) < abs(printed - y)


def is_mean(said: Node, row: Row) -> bool:
    """Whether a number is the mean of a list."""
    return isinstance(said, Num) and comes_to(said, WRITTEN.mean(row.items))


def averaged(work: Node) -> Row | None:
    """The numbers that a working of a mean adds up: 2 and 4 of `(2 + 4) / 2`."""
    if not (isinstance(work, Binary) and work.op == "/" and isinstance(work.right, Num)):
        return None
    terms = flatten(work.left)
    nums = [term for term in terms if isinstance(term, Num)]
    if len(nums) < 2 or len(nums) < len(terms) or value(work.right) != len(nums):
        return None
    return Row(tuple(nums), nums[0].start, nums[-1].end)
