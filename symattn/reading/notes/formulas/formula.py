"""What stands in notes as a formula: small immutable trees that keep the offset of every numeral."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, TypeVar

from symattn.immutable import immutable


@immutable(frozen=True, slots=True)
class Num:
    """A numeral with its characters (`-0.42`, `33%`, `-inf`); `start` is its offset in the text."""

    text: str
    start: int
    end: int


@immutable(frozen=True, slots=True)
class Name:
    """A name as written: `text` with its subscripts (and superscripts that are names).

    `aside` is whose it is said to be: `cat` in `Q("cat")` and 猫 in 猫的 Q.
    """

    text: str
    subs: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    aside: str = ""


@immutable(frozen=True, slots=True)
class Index:
    """`Q[0]`, `QK^T[0,1]`: an entry or a row of something."""

    of: Node
    at: tuple[int, ...]


@immutable(frozen=True, slots=True)
class Row:
    """A list `[a, b]` or `(a, b)`; `label` is what stands beside it in quotation marks."""

    items: tuple[Node, ...]
    start: int
    end: int
    label: str = ""


@immutable(frozen=True, slots=True)
class Grid:
    """A matrix of cells; `labels` has one entry a row where the source prints a column of labels.

    `of` is the name that a brace or a caption under it gives.
    """

    rows: tuple[tuple[Node, ...], ...]
    start: int
    end: int
    labels: tuple[str, ...] = ()
    of: Name | None = None


@immutable(frozen=True, slots=True)
class Binary:
    """Two operands joined by one of + - * / ^ or ⊙."""

    op: str
    left: Node
    right: Node


@immutable(frozen=True, slots=True)
class Negate:
    """Minus something."""

    of: Node


@immutable(frozen=True, slots=True)
class Call:
    """sqrt, exp, softmax, sin, cos, tanh, ln, log, layernorm, relu, ffn of something; `sum` over an index."""

    function: str
    argument: Node


@immutable(frozen=True, slots=True)
class Transpose:
    """The transpose of something."""

    of: Node


@immutable(frozen=True, slots=True)
class Words:
    """Words in the place of a value: a label."""

    text: str


@immutable(frozen=True, slots=True)
class Dots:
    """What is left out."""


@immutable(frozen=True, slots=True)
class Chain:
    """`first = second ≈ third`; `relations` has one entry less than `members`."""

    members: tuple[Node, ...]
    relations: tuple[str, ...]


Leaf = TypeVar("Leaf", Num, Name)
Node = Num | Name | Index | Row | Grid | Binary | Negate | Call | Transpose | Words | Dots | Chain


_PARTS: Mapping[type, Callable[[Any], tuple[Node, ...]]] = MappingProxyType(
    {
        Row: lambda row: row.items,
        Grid: lambda grid: tuple(chain.from_iterable(grid.rows)),
        Binary: lambda binary: (binary.left, binary.right),
        Negate: lambda negate: (negate.of,),
        Transpose: lambda transpose: (transpose.of,),
        Index: lambda index: (index.of,),
        Call: lambda call: (call.argument,),
        Chain: lambda links: links.members,
    }
)


def parts(node: Node) -> tuple[Node, ...]:
    """The trees directly inside a tree."""
    inside = _PARTS.get(type(node))
    return inside(node) if inside is not None else ()


def exchanged(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with every part exchanged that `change` has something else for, from the root down."""
    other = change(node)
    if other is not None:
        return other

    inside = parts(node)
    made = tuple(exchanged(part, change) for part in inside)
    if made == inside:
        return node
    match node:
        case Row():
            return replace(node, items=made)
        case Grid(rows=rows):
            cells = iter(made)
            return replace(node, rows=tuple(tuple(islice(cells, len(row))) for row in rows))
        case Binary():
            return replace(node, left=made[0], right=made[1])
        case Negate() | Transpose() | Index():
            return replace(node, of=made[0])
        case Call():
            return replace(node, argument=made[0])
        case Chain():
            return replace(node, members=made)
    return node


def walk(node: Node) -> Iterator[Node]:
    """The tree and everything inside it but its numerals, from left to right."""
    yield node
    waiting = [iter(parts(node))]
    while waiting:
        for part in waiting[-1]:
            if isinstance(part, Num):
                continue
            yield part
            if (inside := _PARTS.get(type(part))) is not None:
                waiting.append(iter(inside(part)))
                break
        else:
            waiting.pop()


def binaries(node: Node) -> Iterator[Binary]:
    """Every operation on two operands in a tree, from left to right."""
    return (part for part in walk(node) if isinstance(part, Binary))


def last_of(node: Node) -> Node:
    """What a formula ends with: the last member of a chain, and any other formula itself."""
    return node.members[-1] if isinstance(node, Chain) else node


def numerals(node: Node) -> Iterator[Num]:
    """Every numeral of a tree, from left to right."""
    return _leaves(node, Num)


def names(node: Node) -> Iterator[Name]:
    """Every name of a tree, from left to right."""
    return _leaves(node, Name)


def _leaves(node: Node, kind: type[Leaf]) -> Iterator[Leaf]:
    """The leaves of one kind, no further than they are asked for: most of the reading goes by here."""
    if isinstance(node, kind):
        yield node
        return
    waiting: list[Iterator[Node]] = []
    going = iter(parts(node))
    while True:
        for part in going:
            if isinstance(part, kind):
                yield part
            elif (inside := _PARTS.get(type(part))) is not None:
                waiting.append(going)
                going = iter(inside(part))
                break
        else:
            if not waiting:
                return
            going = waiting.pop()


def grid_of(node: Node) -> Grid | None:
    """A matrix literal as a Grid: an environment, or a list of equally long lists."""
    if isinstance(node, Grid):
        return node
    if not isinstance(node, Row) or not node.items or isinstance(node.items[0], Num):
        return None
    if not all(isinstance(item, Row) for item in node.items):
        return None
    rows = tuple(item.items for item in node.items if isinstance(item, Row))
    if any(len(row) != len(rows[0]) or any(isinstance(cell, Row) for cell in row) for row in rows):
        return None
    labels = tuple(item.label for item in node.items if isinstance(item, Row))
    return Grid(rows, node.start, node.end, labels if all(labels) else ())
