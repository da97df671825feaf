"""Several heads in one example: the formulas of each head are an example of their own over the same X.

A formula belongs to the head that its names say (`W_Q^1`, `Q^{(2)}`, `head_1`), else to the one that the
heading above it says, else to the one spoken of last. `Q_1` is a head where it is a matrix or has an index
behind it (`Q_1[0]`), and the first row of Q where it is a vector.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Chain,
    Index,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    exchanged,
    grid_of,
    last_of,
    names,
)
from symattn.reading.notes.formulas.names import resolve
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.mentions import counted

MOST_HEADS = 64
_HEADING = re.compile(
    r"\bheads? ?#?(?:no\. ?)?(\d{1,2})\b|头 ?(\d{1,2})|第 ?([一二三四五六七八九]|\d{1,2}) ?个?(?:注意力)?头",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"heads?\b|头", re.IGNORECASE)
_TOGETHER = re.compile(r"concat|拼接|output projection|输出投影|all heads|multi-?head", re.IGNORECASE)
_TITLE = re.compile(
    r" {0,3}#|\\(?:sub)*(?:section|paragraph)\b"
    r"|(?:[Ss]tep \d+: |第 ?\d+ ?步: ?)?[ >*_\d.、]*[^\d=]{0,24}\d{0,2}[^\d=]{0,24}[:：]?$"
)
_PARTS = re.compile(r"[A-Za-z]+|\d+")
_WORD = re.compile(r"([A-Za-z]+)_?(\d{1,2})")
_OF_ONE_HEAD = frozenset({"Q", "K", "V", "scores", "scaled", "masked", "exp", "sum", "A", "Z"})
_SHARED = frozenset({"W_O", "b_O", "output", "concat", "PE"})


@dataclass(frozen=True, slots=True)
class Split:
    """The items of each head, from 0, under their plain names, and those of no single head."""

    shared: list[Item]
    heads: tuple[list[Item], ...]


def by_head(found: Sequence[Item], context: Context) -> Split:
    """The items by the head that they belong to; all of them are shared where no two are worked."""
    headings = _headings(context)
    told: list[tuple[Item, int | None]] = []
    last: int | None = None
    below = 0
    bare = [_unmarked(item, False) for item in found]
    spoken = _SPOKEN.search(context.told) is not None or any(marked for marked, _ in bare)
    unmarked = [_unmarked(item, True) for item in found] if spoken else bare
    for item, (marked, plain) in zip(found, unmarked, strict=True):
        line = context.line(item.start)
        while below < len(headings) and headings[below][0] <= line:
            last = headings[below][1]
            below += 1
        if len(marked) == 1:
            last = next(iter(marked))
        told.append((plain, last if len(marked) < 2 and not _of_all(plain) else None))
    numbers = {head for _, head in told if head is not None}
    first = min(numbers, default=1)
    if len(numbers) == 1:
        return Split([item for item, _ in told], ())  # of several heads only one is worked
    if len(numbers) < 2 or first > 1 or numbers != set(range(first, first + len(numbers))):
        return Split(list(found), ())
    heads = tuple([item for item, head in told if head == number] for number in sorted(numbers))
    return Split([item for item, head in told if head is None], heads)


def _headings(context: Context) -> list[tuple[int, int | None]]:
    """The lines that open a head's part, with its number, and those that close it, with None."""
    found: list[tuple[int, int | None]] = []
    level = 0
    for line in context.lines:
        said = context.said(line).strip()
        if not said or len(said) > 80 or not _TITLE.match(said):
            continue
        deep = len(said) - len(said.lstrip("#"))
        number = numbered_head(said)
        if number is not None:
            found.append((line, number))
            level = deep
        elif _TOGETHER.search(said) or (0 < deep <= level):
            found.append((line, None))
    return found


def numbered_head(said: str) -> int | None:
    """The head that words count: `Head 2`, `第二个头`."""
    found = _HEADING.search(said)
    return counted(found[1] or found[2] or found[3]) if found is not None else None


def _of_all(item: Item) -> bool:
    """Whether a formula is about what no head has for itself."""
    if item.target is not None:
        return item.target.name in _SHARED
    members = item.node.members if isinstance(item.node, Chain) else (item.node,)
    refs = [resolve(name) for name in names(item.node)]
    first = members[0] if isinstance(members[0], Name) else None
    return any(ref is not None and ref.name in _SHARED for ref in refs) or (
        first is not None and (ref := resolve(first)) is not None and ref.name == "X"
    )


def _unmarked(item: Item, spoken: bool) -> tuple[set[int], Item]:
    """The heads that a formula names, and the formula with plain names."""
    found: set[int] = set()
    result = last_of(item.node)
    matrix = spoken and _is_matrix(result)

    def plain(node: Node) -> Node | None:
        match node:
            case Binary(op="^", left=Name() as name, right=Num(text=text)) if _is_number(text):
                ref = resolve(name)
                if ref is not None and (ref.name in _OF_ONE_HEAD or ref.name[:2] in ("W_", "b_")):
                    found.add(int(text))
                    return name
            case Index(of=Name() as name):
                made = _plain_name(name, spoken, found)
                return replace(node, of=made) if made is not None else None
            case Name() as name:
                return _plain_name(name, matrix, found)
        return None

    changed = exchanged(item.node, plain)
    return found, (replace(item, node=changed) if len(found) == 1 else item)


def _plain_name(name: Name, matrix: bool, found: set[int]) -> Name | None:
    if name.text[:1] in "Wwb":
        parts = [part for said in (name.text[1:], *name.subs) for part in _PARTS.findall(said)]
        numbers = [part for part in parts if _is_number(part)]
        letters = [part for part in parts if part.upper() in ("Q", "K", "V")]
        if len(numbers) == len(letters) == 1 and len(parts) == 2:
            found.add(int(numbers[0]))
            return replace(name, text=f"{name.text[0]}_{letters[0]}", subs=())
        return None
    word = _WORD.fullmatch("_".join((name.text, *name.subs)))
    if word is None or not _is_number(word[2]):
        return None
    if word[1].lower() == "head":
        found.add(int(word[2]))
        return replace(name, text="Z", subs=())
    ref = resolve(Name(word[1]))
    capital = word[1][0].isupper() or len(word[1]) > 1
    if ref is None or ref.name not in _OF_ONE_HEAD or not capital or not matrix:
        return None
    found.add(int(word[2]))
    return replace(name, text=word[1], subs=())


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 3 and int(text) <= MOST_HEADS


def _is_matrix(node: Node) -> bool:
    """A literal of more than one row, or a column that stands for one."""
    grid = grid_of(node)
    if grid is not None:
        return len(grid.rows) > 1
    return isinstance(node, Transpose) and isinstance(node.of, Row)
