"""Sums and weights without a row of their own, beside or just below the exponentials of theirs; and the root
that scores are said to be divided by.
"""

from __future__ import annotations

import math
import re

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Num, Row, numerals
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.linking.closeness import is_decimal, near
from symattn.reading.notes.linking.denote import ROOT, denote
from symattn.reading.notes.linking.ledger import value
from symattn.reading.notes.linking.link import Linker

LINES_BELOW = 2
_DIVISOR = re.compile(
    r"(?:\b(?:divid|scal)\w*(?: \w+){0,4} by(?: about| roughly)?|除以(?:大?约)?"
    r"|(?:√|\bsqrt\(|\broot of )\d{1,3}\)? ?\((?:about|approximately|roughly|approx\.|≈|大?约))[ $`]*$"
)
"""Before the number that scores are divided by: `dividing by 1.414`, `the root of 2 (about 1.41)`."""


def sum_of_line(linker: Linker, item: Item) -> Ref | None:
    """The sum of the exponentials that stand on the same line, or of those just above."""
    assert isinstance(item.node, Chain)
    if denote(item.node.members[0], linker.bases, linker.renamed) != Ref("sum"):
        return None
    row = row_of_line(linker, item.start)
    row = row_above(linker, item.start) if row is None else row
    return Ref("sum", row, 0) if row is not None else None


def row_of_line(linker: Linker, offset: int) -> int | None:
    """The row whose exponentials stand on the line of an offset."""
    start, end = linker.context.span(linker.context.line(offset))
    rows = linker.ledger.rows_between("exp", start, end)
    return rows.pop() if len(rows) == 1 else None


def is_root(linker: Linker, num: Num) -> bool:
    """Enter a number that scores are said to be divided by, where it is the root of their length."""
    length = linker.sizes.get("d_k") or linker.ledger.shape("Q")[1] or linker.ledger.shape("K")[1]
    if not length or not is_decimal(num) or not near(num, math.sqrt(length)):
        return False
    if not _DIVISOR.search(linker.context.around(num.start, num.end)[0]):
        return False
    linker.ledger.next_group()
    linker.ledger.claim(ROOT, 0, 0, num)
    return True


def row_above(linker: Linker, offset: int) -> int | None:
    """The row of the last exponentials above an offset, a line or two away, whose sum nobody told yet."""
    before = linker.ledger.last_before("exp", offset)
    if before is None:
        return None
    last, row = before
    near = linker.context.line(offset) - linker.context.line(last) <= LINES_BELOW
    return row if near and not linker.predictor.printed("sum", row) else None


def weights_of_line(linker: Linker, row: Row, item: Item) -> Ref | None:
    """`e^1 = 2.72, e^0 = 1, sum 3.72 → [0.73, 0.27]`: behind its exponentials stand the weights of a row."""
    at = row_of_line(linker, item.start)
    if at is None or linker.predictor.printed("A", at):
        return None
    count = sum(r == at for r, _ in linker.ledger.first.get("exp", {}))
    fits = count == len(row.items) > 1 and all(0 <= (value(num) or 0) <= 1 for num in numerals(row))
    return Ref("A", at) if fits else None
