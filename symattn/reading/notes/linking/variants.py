"""One walk told several times, each time with a word beside its letters: `Q_{past}` and `Q_{full}`.

A word is one that stands beside the letter of a matrix, and not only beside what weights multiply: `X_{dec}`
of `Q = X_{dec} W_Q` is a letter of its own. A single word in a document only decorates; several are as many
walks, which share the inputs that stand without any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Name, Node, binaries, exchanged, grid_of
from symattn.reading.notes.formulas.names import INPUTS, WEIGHTS, Bases, resolve
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.formulas.works import is_literal

SHORTEST = 3
"""How many letters a word has: fewer are an index, or name a part."""


def variants(found: list[Item], bases: Bases) -> list[list[Item]]:
    """The items of each walk that a document tells, without the words that tell them apart."""
    sources = {word for item in found for word in _of_sources(item)}
    beside = [each for item in found for each in _of_matrices(item) if each[1] not in sources]
    if all(resolve(name, bases) is not None or word in bases.tokens for name, word in beside):
        return [found]
    words = {word for _, word in beside}
    read = [(item, _without(item, words)) for item in found]
    if len(words) == 1:
        return [[plain for _, (plain, _) in read]]
    groups: dict[str, list[Item]] = {word: [] for word in words}
    for _, (plain, said) in read:
        if len(said) == 1:
            groups[next(iter(said))].append(plain)
    main = max(sorted(groups), key=lambda word: len(groups[word]))
    shared = [item for item, (_, said) in read if not said and is_input(item, bases)]
    whole = [
        plain if said == {main} else item for item, (plain, said) in read if said <= {main} or len(said) > 1
    ]
    others = [sorted([*shared, *groups[word]], key=_start) for word in sorted(words - {main})]
    return [whole, *others]


def _start(item: Item) -> int:
    return item.start


def _of_matrices(item: Item) -> Iterator[tuple[Name, str]]:
    """The names with a word beside their letter that a chain ends with a matrix for."""
    if isinstance(item.node, Chain) and not item.broken:
        grid = grid_of(item.node.members[-1])
        if grid is not None and len(grid.rows) > 1 and is_literal(item.node.members[-1]):
            for member in item.node.members[:-1]:
                word = _word(member) if isinstance(member, Name) else None
                if isinstance(member, Name) and word is not None:
                    yield member, word


def _of_sources(item: Item) -> Iterator[str]:
    """The words beside what weights multiply in `Q = X_{dec} W_Q`, where the result has no word."""
    if not isinstance(item.node, Chain) or not isinstance(item.node.members[0], Name):
        return
    if _word(item.node.members[0]) is not None:
        return
    for node in binaries(item.node):
        match node:
            case Binary(op="*", left=Name() as source, right=Name() as weights):
                ref, word = resolve(weights), _word(source)
                if ref is not None and ref.name in WEIGHTS and word is not None:
                    yield word


def _word(name: Name) -> str | None:
    """The word beside the letter of a quantity; None where it means an entry, or belongs to the name."""
    letter, *said = (*name.text.split("_"), *name.subs)
    if len(letter) != 1 or len(said) != 1 or resolve(Name(letter)) is None:
        return None
    word = said[0]
    return word if word.isalpha() and len(word) >= SHORTEST and alias(word) is None else None


def _without(item: Item, words: set[str]) -> tuple[Item, set[str]]:
    """An item without the words beside its letters, and these words."""
    said: set[str] = set()

    def plain(node: Node) -> Node | None:
        word = _word(node) if isinstance(node, Name) else None
        if not isinstance(node, Name) or word not in words:
            return None
        said.add(word)
        return replace(node, text=node.text.partition("_")[0], subs=())

    made = exchanged(item.node, plain)
    return (replace(item, node=made) if said else item), said


def is_input(item: Item, bases: Bases) -> bool:
    """Whether a chain gives an input as a literal."""
    if not isinstance(item.node, Chain) or item.broken or not is_literal(item.node.members[-1]):
        return False
    name = item.node.members[0]
    ref = resolve(name, bases) if isinstance(name, Name) else None
    return ref is not None and ref.name in INPUTS
