"""A line that divides all scores by the root of d_k, one after the other: `0/√2 = 0.00, 2/√2 = 1.41; ...`."""

from __future__ import annotations

import re

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.linking.link import Linker

ROOTS = re.compile(r"/ ?(?:\\?sqrt|√)")


def in_order(linker: Linker, num: Num, item: Item) -> Ref | None:
    """What becomes of a score on a line that divides as many of them as there are, one after the other."""
    rows, cols = linker.ledger.shape("scores")
    line = linker.context.line(item.start)
    if rows < 2 or len(ROOTS.findall(linker.context.said(line))) != rows * cols:
        return None
    done = linker.ledger.first.get("scaled", {}).values()
    if any(linker.context.line(made.num.start) != line for made in done):
        return None
    at = divmod(len(done), cols)
    return Ref("scaled", *at) if at in linker.ledger.entries_like("scores", num) else None
