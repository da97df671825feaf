"""What stands in notes as a formula: small immutable trees that keep the offset of every numeral."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Num:
    """A numeral with its characters (`-0.42`, `33%`, `-inf`); `start` is its offset in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written: `text` with its subscripts (and superscripts that are names)."""

    text: str
    subs: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Index:
    """`Q[0]`, `QK^T[0,1]`: an entry or a row of something."""

    of: Node
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A list `[a, b]` or `(a, b)`; `label` is what stands beside it in quotation marks."""

    items: tuple[Node, ...]
    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix of cells; `labels` has one entry a row where the source prints a column of labels."""

    rows: tuple[tuple[Node, ...], ...]
    start: int
    end: int
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands joined by one of + - * / ^ or ⊙."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Negate:
    """Minus something."""

    of: Node


@dataclass(frozen=True, slots=True)
class Call:
    """sqrt, exp, softmax, sin, cos, ln, log of something."""

    function: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Transpose:
    """The transpose of something."""

    of: Node


@dataclass(frozen=True, slots=True)
class Words:
    """Words in the place of a value: a label."""

    text: str


@dataclass(frozen=True, slots=True)
class Dots:
    """What is left out."""


@dataclass(frozen=True, slots=True)
class Chain:
    """`first = second ≈ third`; `relations` has one entry less than `members`."""

    members: tuple[Node, ...]
    relations: tuple[str, ...]


Node = Num | Name | Index | Row | Grid | Binary | Negate | Call | Transpose | Words | Dots | Chain


def parts(node: Node) -> tuple[Node, ...]:
    """The trees directly inside a tree."""
    match node:
        case Row(items=items):
            return items
        case Grid(rows=rows):
            return tuple(cell for row in rows for cell in row)
        case Binary(left=left, right=right):
            return left, right
        case Negate(of=inner) | Transpose(of=inner) | Index(of=inner) | Call(argument=inner):
            return (inner,)
        case Chain(members=members):
            return members
    return ()


def exchanged(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with every part exchanged that `change` has something else for, from the root down."""
    other = change(node)
    if other is not None:
        return other

    def each(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        return tuple(exchanged(part, change) for part in nodes)

    match node:
        case Row(items=items):
            return replace(node, items=each(items))
        case Grid(rows=rows):
            return replace(node, rows=tuple(each(row) for row in rows))
        case Binary(left=left, right=right):
            return replace(node, left=exchanged(left, change), right=exchanged(right, change))
        case Negate(of=inner) | Transpose(of=inner) | Index(of=inner):
            return replace(node, of=exchanged(inner, change))
        case Call(argument=argument):
            return replace(node, argument=exchanged(argument, change))
        case Chain(members=members):
            return replace(node, members=each(members))
    return node


def walk(node: Node) -> Iterator[Node]:
    """The tree and everything inside it, from left to right."""
    yield node
    for part in parts(node):
        yield from walk(part)


def numerals(node: Node) -> Iterator[Num]:
    """Every numeral of a tree, from left to right."""
    return (part for part in walk(node) if isinstance(part, Num))


def names(node: Node) -> Iterator[Name]:
    """Every name of a tree, from left to right."""
    return (part for part in walk(node) if isinstance(part, Name))


def grid_of(node: Node) -> Grid | None:
    """A matrix literal as a Grid: an environment, or a list of equally long lists."""
    if isinstance(node, Grid):
        return node
    if not isinstance(node, Row) or not node.items or not all(isinstance(item, Row) for item in node.items):
        return None
    rows = tuple(item.items for item in node.items if isinstance(item, Row))
    if any(len(row) != len(rows[0]) or any(isinstance(cell, Row) for cell in row) for row in rows):
        return None
    labels = tuple(item.label for item in node.items if isinstance(item, Row))
    return Grid(rows, node.start, node.end, labels if all(labels) else ())
