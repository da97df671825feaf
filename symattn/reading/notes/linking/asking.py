"""Queries by a letter that means something else elsewhere: the states of a decoder, `s_2 = [1, 2]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Name, Row
from symattn.reading.notes.formulas.names import Bases, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.denote import lettered, own_key

_STATE = re.compile(r"\bstates?\b[^.,;:=\d]{0,24}$|状态[^。，；：=\d]{0,8}$", re.IGNORECASE)
"""Before a letter that usually means scores, and here asks: `the decoder state is s_2 = [1, 2]`."""


def asking(items: Sequence[Item], bases: Bases) -> Iterator[tuple[str, str]]:
    """The names of such states, by the keys that `denote` looks them up with, and that they are queries."""
    for item in items:
        match item.node:
            case Chain(members=(Name() as name, *_, Row() as last)) if is_literal(last):
                ref = resolve(name, bases)
                letter = lettered(name)[0] or name.text
                if (
                    (ref is not None and ref.name == "scores")
                    and len(letter) == 1
                    and _STATE.search(item.label)
                ):
                    yield own_key(name), "Q"
