"""What a document calls by letters of its own, `H = X + Z`, `M` in `K = M W_K`: what it says that they are.

A letter that means something to everybody keeps its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    binaries,
    grid_of,
    last_of,
    numerals,
)
from symattn.reading.notes.formulas.names import ROWS, USUAL, Bases, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.denote import denote, lettered, own_key, written
from symattn.reading.notes.linking.encoded import Cells, letter_key, summands
from symattn.reading.notes.linking.ledger import Ledger, size

MASK = "mask"
_ENCODER = re.compile(r"(?<![A-Za-z])enc(?:oder)?(?![A-Za-z])|\bmemory\b|编码器", re.IGNORECASE)
_CONTEXTS = re.compile(r"\bcontext vectors?(?: \w+)?$|上下文向量(?:分别)?[为是]?$", re.IGNORECASE)
"""Before a letter of the document's own for what attention puts out."""
NEAR = 0.03
"""How far a product of rounded numbers may be from its print."""
_STATES = frozenset("S")
"""Letters of a quantity that no weights multiply: beside them they mean the states of a decoder."""
_PROJECTED = frozenset("QKVqkv")
_INPUT = frozenset("a")
"""A letter of weights that is an input where projections multiply it: `q_1 = W_q a_1`."""
LINES_ABOVE, WORDS_ABOVE = 8, 2
LEARNED = frozenset(
    {
        *("X+PE", "residual_1", "norm_1", "widened", "active", "ffn", "residual_2", "norm_2", "tempered"),
        *("scores", "scaled", "masked", "A", "Z"),
    }
)


def learned(items: Sequence[Item], bases: Bases, context: Context) -> dict[str, str]:
    """The quantities that letters stand for, by the keys that `denote` looks them up with."""
    renamed = dict(_weights(items, bases))
    sources = summands(items, bases) or dict(_sources(items, bases, renamed))
    several = _of_several(items, bases)
    for item in items:
        if not isinstance(item.node, Chain):
            continue
        first, *others = item.node.members
        if isinstance(first, Name) and own_key(first) in several:
            continue
        if isinstance(first, Name) and own_key(first) not in renamed:
            refs = (denote(other, bases, renamed) for other in others)
            known = next((ref for ref in refs if ref is not None), None)
            if not _own(first, bases) and not (known is not None and known.name == "Z" and _is_bias(first)):
                continue
            key = own_key(first) if known is None or known.row is None else letter_key(first)
            letter, _ = lettered(first)
            if known is not None and known.running and len(letter) == 1:
                key = own_key(Name(letter))
            if known is None and _CONTEXTS.search(item.label) and is_literal(others[-1]):
                renamed.setdefault(own_key(Name(letter) if letter else first), "Z")
            elif known is not None and known.name in LEARNED and key is not None:
                renamed.setdefault(key, known.name)
            elif is_mask(others[-1]):
                renamed[own_key(first)] = MASK
            elif _hides(others[-1]):
                renamed[own_key(first)] = "masked"
            elif (
                "memory" not in sources.values()
                and grid_of(others[-1]) is not None
                and _encoder(first, context)
            ):
                renamed[own_key(first)] = "memory"
    return sources | renamed


def called(items: Sequence[Item], bases: Bases) -> dict[str, str]:
    """What the letters stand for that weights are multiplied with."""
    renamed = dict(_weights(items, bases))
    return renamed | dict(_sources(items, bases, renamed))


def _weights(items: Sequence[Item], bases: Bases) -> Iterator[tuple[str, str]]:
    """The matrices of one letter, `M_Q` and `M_K`, that something is multiplied with: the weights."""
    given: dict[str, dict[str, str]] = {}
    for item in items:
        match item.node:
            case Chain(members=(Name() as name, *_, last)) if is_literal(last) and grid_of(last) is not None:
                letter, _, of = "_".join((name.text, *name.subs)).rpartition("_")
                if len(letter) == 1 and of in _PROJECTED and _own(name, bases):
                    given.setdefault(letter, {})[own_key(name)] = f"W_{of.upper()}"
    for weights in given.values():
        if {*weights.values()} >= {"W_Q", "W_K"} and any(
            own_key(factor) in weights
            for item in items
            for node in binaries(item.node)
            if node.op == "*"
            for factor in (node.left, node.right)
            if isinstance(factor, Name)
        ):
            yield from weights.items()


def _of_several(items: Sequence[Item], bases: Bases) -> frozenset[str]:
    """The words that stand before formulas of several quantities, `Back: q_1 = ...`: they mean none."""
    meant: dict[str, set[str]] = {}
    for item in items:
        match item.node:
            case Chain(members=(Name() as first, *others), relations=(":", *_)):
                refs = (denote(other, bases, {}) for other in others)
                name = next((ref.name for ref in refs if ref is not None), "")
                meant.setdefault(own_key(first), set()).add(name)
    return frozenset(key for key, names in meant.items() if len(names) > 1)


def _own(name: Name, bases: Bases) -> bool:
    """Whether a letter has no meaning that everybody knows; a prime makes another one of it."""
    plain = Bases(subscript=bases.subscript, tokens=bases.tokens)
    return name.text.endswith("'") or resolve(name, plain) is None


def _is_bias(name: Name) -> bool:
    """Whether a name is that of a bias where it says nothing else: `b_1`."""
    ref = resolve(name)
    return ref is not None and ref.name in ROWS


def _encoder(name: Name, context: Context) -> bool:
    """Whether a letter, or the words just above it, speak of what an encoder put out."""
    if _ENCODER.search("_".join((name.text, *name.subs))):
        return True
    here = context.line(name.start)
    above = [
        said
        for line in range(here - 1, max(here - LINES_ABOVE, -1), -1)
        if (said := context.said(line)).strip()
    ]
    return any(_ENCODER.search(said) for said in above[:WORDS_ABOVE])


def foreign(items: Sequence[Item], bases: Bases, renamed: Mapping[str, str]) -> frozenset[str]:
    """The projections whose weights multiply something that is not X, so that X does not make them."""
    sources: dict[str, set[str]] = {}
    for item in items:
        for node in binaries(item.node):
            for source, weight in _product(node, renamed):
                ref = denote(source, bases, renamed)
                sources.setdefault(weight.removeprefix("W_"), set()).add(ref.name if ref is not None else "?")
    return frozenset(name for name, found in sources.items() if not found & {"X", "X+PE"})


def made_of_others(items: Sequence[Item], ledger: Ledger) -> frozenset[str]:
    """The projections that are not those of X but of other decimals printed as large: X normalised."""
    x = _rows(ledger.given.get("X", {}))
    grids = (grid_of(last_of(item.node)) for item in items if isinstance(item.node, Chain | Grid | Row))
    others = [
        _floats(grid.rows)
        for grid in grids
        if grid is not None and is_literal(grid) and x and (len(grid.rows), len(grid.rows[0])) == _shape(x)
        if all("." in num.text for num in numerals(grid))
    ]
    return frozenset(
        name
        for name in ("Q", "K", "V")
        if f"b_{name}" not in ledger.given
        and (weights := _floats(_rows(ledger.given.get(f"W_{name}", {}))))
        and (printed := ledger.rows_of(name))
        and not _makes(_floats(x), weights, printed)
        and any(_makes(other, weights, printed) for other in others)
    )


def _shape(table: Sequence[Sequence[Node]]) -> tuple[int, int]:
    return len(table), len(table[0])


def _rows(cells: Cells) -> list[list[Num]]:
    return [[num for _, num in row] for _, row in groupby(sorted(cells.items()), key=lambda cell: cell[0][0])]


def _floats(table: Sequence[Sequence[Node]]) -> list[list[float]]:
    return [[size(cell) or 0.0 for cell in row if isinstance(cell, Num)] for row in table]


def _makes(source: list[list[float]], weights: list[list[float]], printed: Sequence[Sequence[Num]]) -> bool:
    """Whether a product comes near most of some printed numbers."""
    fits = all(len(row) == len(weights) for row in source) and len(printed) == len(source)
    if not fits or any(len(row) != len(weights[0]) for row in weights):
        return False
    near = [
        abs(sum(a * b for a, b in zip(row, column, strict=True)) - (size(num) or 0.0)) <= NEAR
        for row, nums in zip(source, printed, strict=True)
        for column, num in zip(zip(*weights, strict=True), nums, strict=False)
    ]
    return bool(near) and 4 * near.count(True) >= 3 * len(near)


def _sources(items: Sequence[Item], bases: Bases, renamed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The letters that weights are multiplied with: X where W_Q is among them, a memory where it is not.

    A letter beside an X that is given for itself is something else; but where it makes the queries, and X the
    keys and values, that X is the memory.
    """
    weights: dict[str, set[str]] = {}
    of_x: set[str] = set()
    for item in items:
        for node in binaries(item.node):
            for source, weight in _product(node, renamed):
                if source.text in _INPUT and source.subs:
                    weights.setdefault(written(source), set()).add(weight)
                elif _own(source, bases) or source.text in _STATES:
                    weights.setdefault(letter_key(source) or own_key(source), set()).add(weight)
                elif resolve(source, bases) == Ref("X"):
                    of_x.add(weight)
    asking = [key for key, names in weights.items() if names == {"W_Q"}]
    if len(asking) == len(weights) == 1 and of_x == {"W_K", "W_V"}:
        yield asking[0], "X"
        yield "X", "memory"
        return
    given = any(_gives_x(item, bases) for item in items)
    if not given and not any("W_Q" in names for names in weights.values()):
        yield from _states(items, bases)
    for key, names in weights.items():
        if "W_Q" not in names:
            yield key, "memory"
        elif not given:
            yield key, "X"


def _states(items: Sequence[Item], bases: Bases) -> Iterator[tuple[str, str]]:
    """`S = [[...]]` above Q, K and the weights that make them is what a decoder has, and no score."""
    state = None
    for item in items:
        if isinstance(item.node, Chain) and isinstance(first := item.node.members[0], Name):
            ref = resolve(first, bases)
            if first.text in _STATES and not first.subs and is_literal(item.node.members[-1]):
                state = state or own_key(first)
            elif ref is not None and ref.name in ("Q", "K"):
                return
            elif ref is not None and ref.name == "W_Q" and state is not None:
                yield state, "X"
                return


def _gives_x(item: Item, bases: Bases) -> bool:
    match item.node:
        case Chain(members=(Name() as first, *others)) if not _own(first, bases):
            ref = resolve(first, bases)
            return ref is not None and ref.name == "X" and is_literal(others[-1])
    return item.target is not None and item.target.name == "X"


def _product(node: Binary, renamed: Mapping[str, str]) -> Iterator[tuple[Name, str]]:
    """What the weights of a projection multiply, on either side: X W, X W^T, W x."""
    if node.op != "*":
        return
    plain = [each.of if isinstance(each, Transpose) else each for each in (node.left, node.right)]
    for source, weights in (plain, plain[::-1]):
        if isinstance(source, Name) and isinstance(weights, Name):
            ref = denote(weights, USUAL, renamed)
            if ref is not None and ref.name in ("W_Q", "W_K", "W_V"):
                yield source, ref.name


def _hides(node: Node) -> bool:
    """A matrix of numbers some of which are minus infinity: scores that are masked."""
    grid = grid_of(node)
    return grid is not None and is_literal(node) and any(num.text == "-inf" for num in numerals(grid))


def is_mask(node: Node) -> bool:
    """A square matrix of zeros and minus infinities, both of them."""
    grid = node if isinstance(node, Grid) else grid_of(node)
    if grid is None or len(grid.rows) < 2:
        return False
    texts = {num.text for num in numerals(grid)}
    whole = all(isinstance(cell, Num) for row in grid.rows for cell in row)
    return whole and "-inf" in texts and texts <= {"-inf", "0", "0.0"}
