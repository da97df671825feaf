"""The inputs of a document that prints no result, under the keys that a case has for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isinf
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Given
from symattn.casefile.keys import GIVEN
from symattn.exact.matrix import Matrix
from symattn.notes.claims.names import quantity
from symattn.notes.claims.numerals import matrix
from symattn.notes.interpreter.prints import Printed
from symattn.notes.names.words import letters, row_index
from symattn.notes.reader import Understood

MASK: Final = "mask"
_KEYS = frozenset(key.name for key in GIVEN)


class Inputs(Struct, frozen=True):
    """Givens by their keys, a mask, and how many heads have givens of their own."""

    given: Mapping[str, Given]
    mask: Given | None = None
    heads: int = 1


def inputs(understood: Understood) -> Inputs:
    """What is printed under the names of inputs, of each name the last; x_1, x_2, ... are the rows of X."""
    printed = understood.interpreter.prints.order
    alone = set(printed)
    found = _named(printed)
    joined = _named(each for each in understood.prints if each not in alone)
    return replace(found, given={**joined.given, **found.given})


def _named(prints: Iterable[Printed]) -> Inputs:
    given: dict[str, Given] = {}
    rows: dict[str, dict[int, Given]] = {}
    heads = 1
    for printed in prints:
        tokens, signs = printed.node.tokens, printed.node.signs
        if not printed.node.shape or any(
            isinf(token.value) and sign > 0 for token, sign in zip(tokens, signs, strict=True)
        ):
            continue
        name, number = _key(printed.name)
        if name is None:
            continue
        found = matrix(printed.node)
        if number is None:
            given[name] = found
        elif 1 in found.shape:
            rows.setdefault(name, {})[number] = found if found.shape[0] == 1 else found.T
        else:
            given[f"head{number}.{name}"] = found
            heads = max(heads, number)
    if heads == 1:
        given = {name.removeprefix("head1."): each for name, each in given.items()}
    for name, several in rows.items():
        if name not in given and len({each.shape for each in several.values()}) == 1:
            given[name] = _stacked([several[number] for number in sorted(several)])
    return Inputs({name: each for name, each in given.items() if name != MASK}, given.get(MASK), heads)


def _key(name: str) -> tuple[str | None, int | None]:
    """The key for a name of a document, and the number after it: W_Q and 1 for `w_q_1`, W_Q for `w_query`."""
    base, *index = name.split("_")
    number = row_index(index.pop()) if index and row_index(index[-1]) is not None else None
    spelled = "_".join((base, *(letters(part)[0][0] for part in index)))
    known = spelled if spelled == MASK else quantity(spelled)
    known = "scores" if known == "S" else known
    return known if known == MASK or known in _KEYS else None, number


def _stacked(rows: list[Given]) -> Given:
    typed = tuple(each.typed[0] for each in rows)
    return Given(typed, Matrix.of([[each.values[0, j] for j in range(each.shape[1])] for each in rows]))
