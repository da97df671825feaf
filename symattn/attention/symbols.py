"""What a quantity is called on a page: S for scores, E for exponentials, D for row sums."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from string import ascii_lowercase

from msgspec.structs import replace

from symattn.attention.quantities import QUANTITIES
from symattn.plans.plan import base_name, head_of
from symattn.text.notation import Symbol, Text, named
from symattn.typeset.plain import plain_formula

_SPELLING = str.maketrans("′’", "''", "^{} ")


def symbol(name: str) -> Symbol:
    """The symbol of a name: `head1.scaled` is S' with superscript (1), `dscaled` is dS'."""
    base = base_name(name)
    quantity, of = QUANTITIES.of(base), QUANTITIES.of(base[1:])
    if quantity is not None:
        return replace(quantity.symbol, sup=_tag(name))
    if of is not None and base.startswith("d"):
        return replace(of.slope, sup=_tag(name))
    whole = QUANTITIES.get(QUANTITIES.subject(base))
    if whole is not None and whole.letter:
        part = base.removeprefix(f"d{whole.name}_").replace("_", "")
        return replace(
            whole.slope, sub=Text(f"{whole.index}, {part}" if whole.index else part), sup=_tag(name)
        )
    index = base.partition("_")[2]
    plain = named(base)
    # a part of a gradient: dnorm_1_R is dnorm with the index 1, R
    sub = Symbol(index.replace("_", ", ")) if "_" in index else plain.sub
    return replace(plain, sub=sub, sup=_tag(name))


def _tag(name: str) -> Text | None:
    """(1) for `head1.A`, (1, 2) for `head1.block2.m`."""
    head = head_of(name)
    numbers = [part.lstrip(ascii_lowercase) for part in head.split(".")]
    return Text(f"({', '.join(numbers)})") if head else None


def meant(written: str, names: Collection[str]) -> tuple[str, ...]:
    """Which of the names of a computation a written one means: `scores` for S, `head1.scores` for S^(1).

    That is the name itself, or those whose symbol it is, or else those of quantities that go by it elsewhere:
    P for A.
    """
    if written in names:
        return (written,)
    head, said = head_of(written), _plain(written)
    by_symbol = [name for name in names if said in _written(name)]
    here = [name for name in names if head_of(name) == head]
    also = [name for name in here if (q := QUANTITIES.of(name)) is not None and base_name(written) in q.also]
    return tuple(by_symbol or also)


@lru_cache(4096)
def _written(name: str) -> tuple[str, str]:
    """How the symbol of a name may be written: S' of the first head as `head1.S'` or S'(1)."""
    head = f"{head_of(name)}." if head_of(name) else ""
    return _plain(head + plain_formula(symbol(base_name(name)))), _plain(plain_formula(symbol(name)))


def _plain(written: str) -> str:
    """The characters of a symbol whether they are raised, in braces or neither: S'^(1), S'^{(1)}, S′⁽¹⁾."""
    return re.sub(r"\\prime", "'", unicodedata.normalize("NFKC", written)).translate(_SPELLING)
