"""Steps told by arrows, `q_1 · k_2 = 3 → 2.12`, and lines that go on from the one above, `·V → [[0.9]]`."""

from __future__ import annotations

import re

from symattn.reading.notes.formulas.formula import Chain, Num
from symattn.reading.notes.formulas.names import FACTORS, Ref
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.denote import denote
from symattn.reading.notes.linking.link import Linker
from symattn.reading.notes.linking.place import table_of

FARTHEST = 16
_ARROW = re.compile(
    r"[\s$`*]*(?:→|⇒|⟶|➜|->|=>|—>|\\to|\\rightarrow"
    r"|[,，;；] ?(?:再|然后|接着)?(?:(?P<scaled>缩放)|(?P<exp>取?指数)|(?P<A>归一化))"
    r"(?:之?后)?(?:得到?|变?为|是))[\s$`*]*$"
)
"""What leads from an entry to what becomes of it, perhaps with a word for that: `，缩放得`."""
_BECOMES = {"scores": ("scaled", "exp", "A"), "scaled": ("exp", "A"), "masked": ("exp", "A"), "exp": ("A",)}
"""What an entry may become, in the order of the walk."""


def led_to(linker: Linker, num: Num) -> bool:
    """A numeral behind an arrow: what becomes of the entry before it, `q_1 · k_2 = 3 → 2.12 → 0.67`."""
    arrow = _ARROW.search(linker.context.text, max(num.start - FARTHEST, 0), num.start)
    before = linker.ledger.ends.get(arrow.start()) if arrow is not None else None
    if before is None or before.name not in _BECOMES:
        return False
    at = before.row, before.col
    assert arrow is not None
    told = next((name for name, said in arrow.groupdict().items() if said), None)
    if told is not None and told not in _BECOMES[before.name]:
        return False
    name = told or next(
        (name for name in _BECOMES[before.name] if linker.predictor.is_entry(name, at, num)), None
    )
    if name is not None:
        linker.leads.setdefault(before.name, name)
    name = name or linker.leads.get(before.name)
    if name is None or at in linker.ledger.first.get(name, {}):
        return False
    linker.ledger.next_group()
    linker.ledger.claim(name, *at, num)
    return True


def by_factor(linker: Linker, chain: Chain) -> Ref | None:
    """What a line comes to that begins with a sign, `·V → [[0.9, 0.1]]`: by its factor and its numbers."""
    factor = denote(chain.members[0], linker.bases, linker.renamed)
    name = next((made for made, (_, right) in FACTORS.items() if factor == Ref(right)), None)
    table = table_of(chain.members[-1]) if is_literal(chain.members[-1]) else None
    if name is None or not table or (len(table), len(table[0])) != linker.size_of(name):
        return None
    close = sum(linker.predictor.explained(name, i, line) for i, line in enumerate(table))
    return Ref(name) if 2 * close >= len(table) * len(table[0]) else None
