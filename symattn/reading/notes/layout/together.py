"""Vectors that a sentence on tokens gives one by one: `"cat" = [0, 1] and "sat" = [1, 0]`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Grid, Name, Row, Words, grid_of
from symattn.reading.notes.formulas.names import Bases, Ref, quantity, resolve
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.captions import OF_TOKENS
from symattn.reading.notes.layout.context import Context

MOST_TOGETHER = 8
LONGEST_WORD = 24
_AND = re.compile(r"[`$*\"“”]* *(?:[,;，；、] *)?(?:and *|[和与] *)?[`$*\"“”「」]*")
"""Between two of the vectors that a sentence gives."""
_INPUTS = re.compile(r"(?:输入|\binputs?)[^:：=\d]{0,6}[:：]? *$", re.IGNORECASE)
_SIGNS = frozenset("=:：")
_WORDS = re.compile(r"[^\W\d_]{2,}")


def together(found: Sequence[Item], i: int, context: Context, bases: Bases) -> Item | None:
    """The vectors that a sentence on tokens gives one by one: `"cat" = [0, 1] and "sat" = [1, 0]`."""
    said: list[tuple[str, Row]] = []
    for item in found[i : i + MOST_TOGETHER]:
        token, row, begun = _of_token(item, context, bases)
        beside = not said or _AND.fullmatch(context.text, said[-1][1].end, begun) is not None
        fits = bool(token and row.items) and is_literal(row)
        if not (beside and fits) or (said and len(row.items) != len(said[0][1].items)):
            break
        said.append((token, row))
    labels = tuple(token for token, _ in said)
    if len(said) < 2 or len(set(labels)) < len(said):
        return None
    first, last = found[i], said[-1][1]
    begun = _of_token(first, context, bases)[2]
    before = context.before(begun)
    above = words_above(context.line(first.start), context)
    of_inputs = _INPUTS.search(before) is not None
    if not of_inputs and not OF_TOKENS.search(before) and not OF_TOKENS.search(above):
        return None
    grid = Grid(tuple(row.items for _, row in said), said[0][1].start, last.end, labels)
    return Item(grid, first.start, last.end, target=Ref("X"))


def _of_token(item: Item, context: Context, bases: Bases) -> tuple[str, Row, int]:
    """The token and the vector of `"cat" = [0, 1]` or `猫=[1 0]`, and where it begins; else no token."""
    words = item.label.split()
    match item.node:
        case Chain(members=(Name() | Words() as token, Row() | Grid() as vector), relations=("=" | ":",)):
            said = "" if means_something(token, bases) else token.text
            return said, _in_line(vector), item.start
        case Row() as row if words and grid_of(row) is None and alias(words[-1]) is None:
            begun = max(context.text.rfind(words[-1], max(item.start - LONGEST_WORD, 0), item.start), 0)
            sign = context.text[begun : row.start].removeprefix(words[-1]).strip(' 」”"$')
            return words[-1] if sign in _SIGNS else "", row, begun
    return "", Row((), item.start, item.end), item.start


def _in_line(vector: Row | Grid) -> Row:
    """A matrix of one row or of one column as the list that it is; of another one no row."""
    if isinstance(vector, Row):
        return vector if grid_of(vector) is None else Row((), vector.start, vector.end)
    sides = len(vector.rows), len(vector.rows[0])
    cells = tuple(cell for row in vector.rows for cell in row) if 1 in sides else ()
    return Row(cells, vector.start, vector.end)


def means_something(said: Name | Words, bases: Bases) -> bool:
    """Whether a name is that of a quantity, or of the part of it that a word says, as `V_the`: no token."""
    if not isinstance(said, Name):
        return False
    letter, *_ = said.text.split("_")
    known = (resolve(name, bases) for name in (said, Name(letter)))
    return quantity(letter) is not None or any(ref is not None for ref in known)


def words_above(line: int, context: Context) -> str:
    """The next words above a line."""
    above = (context.said(other).strip() for other in range(line - 1, -1, -1))
    return next((said for said in above if _WORDS.search(said) and not said.startswith("\\begin{")), "")
