"""The formulas of a document in order, and every numeral with the role that its surroundings give it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from symattn.immutable import immutable
from symattn.reading.notes.formulas.broken import is_broken
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Dots,
    Grid,
    Index,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    Words,
    exchanged,
    names,
    numerals,
    walk,
)
from symattn.reading.notes.formulas.names import Ref, resolve
from symattn.reading.notes.formulas.parse import Parser
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.formulas.words import alias


@immutable(frozen=True, slots=True)
class Item:
    """A formula that the parser read between two tokens.

    `broken` says that something unread stands directly before it, so that its first member is only the
    end of something; `label` holds the words before it on its line.
    """

    node: Node
    start: int
    end: int
    broken: bool = False
    label: str = ""
    target: Ref | None = None
    """What a table or a printed variable says that the formula is, where it does."""
    shown: bool = False
    """Whether its words hold only where its numbers agree: a program printed it, or a sentence is above."""


_SEPARATORS = frozenset({"nl", "stop", "list"})


def items(tokens: Sequence[Token]) -> list[Item]:
    """Every formula with a relation, and every list, matrix and lone numeral."""
    parser = Parser(tokens)
    found: list[Item] = []
    words: list[str] = []
    i = begun = 0
    while i < len(tokens):
        kind = tokens[i].kind
        if kind in _SEPARATORS:
            words = []
        if _numbers_a_part(tokens, i):
            words = [tokens[i + 1].text]
            i += 3
            continue
        read = (
            None
            if kind in ("mark", "nl", "list", "comment", "stop", "comma", "rel", "close")
            else (
                parser.unbracketed(i) if _behind_sign(tokens, i) or _behind_name(words, tokens, i) else None
            )
            or parser.enumerated(i)
            or parser.chain(i)
        )
        if read is None:
            if kind in ("word", "cjk", "text", "label"):
                words = [*words[-7:], tokens[i].text]
            i += 1
            continue
        node, after = _behind_its_case(read[0]), read[1]
        if isinstance(node, Chain) and parser.breaks_off(after):
            words, i = [], after
            continue
        whole = _multiplied(tokens, found[-1], i, node) if found and not parser.apart(i) else None
        if whole is not None:
            found[-1] = replace(found[-1], node=whole, end=tokens[after - 1].end)
            words, i = [], after
            continue
        if isinstance(node, Chain | Row | Grid | Binary | Num | Call):
            beside = bool(found) and _beside(tokens, found[-1], begun, i)
            begun = i
            broken = (
                (not beside and is_broken(tokens, i))
                or (not isinstance(node, Chain) and parser.cut_short(after))
                or (bool(found) and _goes_on(tokens, found[-1], i))
                or (isinstance(node, Chain) and _adds(tokens, i))
            )
            read_item = Item(node, tokens[i].start, tokens[after - 1].end, broken, " ".join(words))
            found += _entries(node) or _under_names(read_item)
            words = []
        elif isinstance(node, Name | Transpose | Index | Words):
            words = [
                *words[-7:],
                *(token.text for token in tokens[i:after] if token.kind in ("word", "cjk", "text", "label")),
            ]
        i = after
    return found


def _behind_its_case(node: Node) -> Node:
    """The equation behind the index that it is of: `q_0 · k_1 = 2` of `j = 1: q_0 · k_1 = 2`."""
    match node:
        case Chain(members=(Name(subs=()) as index, Num(text=at), _, _, *_), relations=("=", ":", *_)):
            if at.isdigit() and index.text.isalpha() and resolve(index) is None:
                return Chain(node.members[2:], node.relations[2:])
    return node


def _numbers_a_part(tokens: Sequence[Token], i: int) -> bool:
    """Whether `(d)` begins a line: a part of a question, which multiplies nothing."""
    first, letter, last, behind = (*tokens[i : i + 4], *[None] * 4)[:4]
    if (
        first is None
        or letter is None
        or last is None
        or behind is None
        or (i and tokens[i - 1].kind != "nl")
    ):
        return False
    plain = first.text == "(" and last.text == ")" and len(letter.text) == 1 and letter.text in "abcdefgh"
    return plain and not behind.tight and behind.kind not in ("rel", "op")


def unshown(made: Iterable[Item], found: Sequence[Item]) -> list[Item]:
    """Matrices made of lines of text, without those that a program is known to have printed."""
    shown = sorted((item.start, item.end) for item in found if item.shown)
    starts = [start for start, _ in shown]
    ends = [0, *accumulate((end for _, end in shown), max)]
    return [item for item in made if ends[bisect_left(starts, item.end)] <= item.start]


def _beside(tokens: Sequence[Token], last: Item, begun: int, i: int) -> bool:
    """Whether an equation begins anew right behind one that began at token `begun`.

    `exp(1) = 2.72 exp(2) = 7.39 总和 = 10.11` are three, `s11 = 1    s12 = 2` are two; `S = 2 exp(1)` is one.
    """
    if not isinstance(last.node, Chain) or last.end != tokens[i - 1].end or tokens[i].tight:
        return False
    again = _stem(tokens[begun].text) == _stem(tokens[i].text)
    return again or tokens[i].kind == "cjk" or alias(tokens[i].text) == "sum"


def _stem(name: str) -> str:
    """A name without its number; of a number all."""
    return name.rstrip("0123456789") or name


def _goes_on(tokens: Sequence[Token], last: Item, i: int) -> bool:
    """Whether a name stands directly behind a formula of names: it is a part of that, `R(1) q_1`."""
    if (
        tokens[i].kind != "word"
        or tokens[i - 1].kind in _SEPARATORS
        or last.end != tokens[i - 1].end
        or not isinstance(last.node, Chain)
    ):
        return False
    return isinstance(last.node.members[-1], Binary) and any(names(last.node.members[-1]))


def _multiplied(tokens: Sequence[Token], last: Item, i: int, node: Node) -> Chain | None:
    """Two chains that are one: the name that ends one and the name that begins the other are a product.

    `Z = weights V = [[1, 2]]` is no `V = [[1, 2]]`, and `G = H M + b` is no `M + b`.
    """
    if (
        tokens[i].kind not in ("word", "text")
        or last.end != tokens[i - 1].end
        or not (isinstance(last.node, Chain) and isinstance(node, Chain))
        or not {last.node.relations[-1], node.relations[0]} <= {"=", "≈"}
    ):
        return None
    *before, left = last.node.members
    right, *behind = node.members
    product = _times(left, right) if _is_named(left) and any(numerals(behind[-1])) else None
    if product is None:
        return None
    return Chain((*before, product, *behind), (*last.node.relations, *node.relations))


def _times(left: Node, right: Node) -> Binary | None:
    """A name times the first one of a formula: `H`, and `M + b` behind it."""
    if _is_named(right):
        return Binary("*", left, right)
    if not isinstance(right, Binary) or right.op == "^":
        return None
    first = _times(left, right.left)
    return None if first is None else replace(right, left=first)


def _is_named(node: Node) -> bool:
    """Whether a formula is no more than a name, perhaps turned or with the number of a head."""
    match node:
        case Binary(op="^", left=inner, right=Num()) | Transpose(of=inner):
            return isinstance(inner, Name)
    return isinstance(node, Name)


def _entries(node: Node) -> list[Item]:
    """The entries of `{"Q": [[1, 0]], "K": [[0, 1]]}`, where keys name quantities; none of anything else.

    So are the cells of a tabular that lays out equations.
    """
    laid_out = list(_laid_out(node)) if isinstance(node, Grid) else []
    if laid_out:
        return laid_out
    cells = [cell for row in node.rows for cell in row] if isinstance(node, Grid) else []
    equations = [cell for cell in cells if isinstance(cell, Chain) and isinstance(cell.members[0], Name)]
    if equations:
        spans = [(next(names(cell)).start, list(numerals(cell))) for cell in equations]
        return [
            Item(cell, start, nums[-1].end)
            for cell, (start, nums) in zip(equations, spans, strict=True)
            if nums
        ]
    rows = (
        [item for item in node.items if isinstance(item, Row) and item.label] if isinstance(node, Row) else []
    )
    if not any((ref := resolve(Name(row.label))) is not None and ref.row is None for row in rows):
        return []
    return [
        Item(Chain((Name(row.label), replace(row, label="")), ("=",)), row.start, row.end) for row in rows
    ]


def _laid_out(table: Grid) -> Iterator[Item]:
    """The equations of a table whose rows are formulas and the matrices that they come to."""
    labels: list[tuple[Node, ...]] = [(Name(label),) for label in table.labels]
    labels = labels or [row[:1] for row in table.rows]
    values = [row[-1] for row in table.rows]
    if any(len(row) != (1 if table.labels else 2) for row in table.rows):
        return
    for (said, *_), value in zip(labels, values, strict=True):
        members = said.members if isinstance(said, Chain) else (said,)
        named = (
            not isinstance(said, Words | Dots) and any(True for _ in names(said)) and not any(numerals(said))
        )
        if named and isinstance(value, Grid):
            relations = (*(said.relations if isinstance(said, Chain) else ()), "=")
            yield Item(Chain((*members, value), relations), value.start, value.end)


def _under_names(item: Item) -> list[Item]:
    r"""An item with its matrices named by what stands below them: `\underset{X}{[..]} = ...` is `X = ...`.

    The factors of a product are equations of their own, and the formula is one of their names.
    """
    if not any(isinstance(part, Grid) and _name_of(part) for part in walk(item.node)):
        return [item]
    members = item.node.members if isinstance(item.node, Chain) else (item.node,)
    relations = item.node.relations if isinstance(item.node, Chain) else ()
    factors: list[Grid] = []

    def named(part: Node) -> Node | None:
        if isinstance(part, Grid) and (name := _name_of(part)) is not None:
            factors.append(part)
            return name
        return None

    last = members[-1]
    name = _name_of(last) if isinstance(last, Grid) else None
    chain = (*(exchanged(member, named) for member in members[:-1]), last)
    if name is not None:
        chain, relations = (name, *chain), ("=", *relations)
    else:
        chain = (*chain[:-1], exchanged(last, named))
    given = [Item(Chain((_name_of(each) or each, each), ("=",)), each.start, each.end) for each in factors]
    node = Chain(chain, relations) if relations else chain[0]
    told = any(numerals(node)) or isinstance(node, Chain)
    return [*([replace(item, node=node)] if told else []), *given]


def _name_of(grid: Grid) -> Name | None:
    """The quantity that the words below a matrix name."""
    return grid.of if grid.of is not None and resolve(grid.of) is not None else None


def _behind_sign(tokens: Sequence[Token], i: int) -> bool:
    """Whether a relation stands before token i, `猫：0.2, 0.8`, or nothing of its formula, `$0.2, 0.8$`."""
    at = i - 1
    first = i + (tokens[i].kind == "op")
    if (
        at >= 0
        and tokens[at].text == "$"
        and [each.kind for each in tokens[first : first + 2]] == ["num", "comma"]
    ):
        return True
    while at >= 0 and tokens[at].kind == "mark":
        at -= 1
    return at >= 0 and tokens[at].kind == "rel"


def _behind_name(words: Sequence[str], tokens: Sequence[Token], i: int) -> bool:
    """Whether the word right before token i names a quantity: `scaled 0.71, 1.41`."""
    near = bool(words) and i > 0 and tokens[i - 1].text == words[-1] and not tokens[i].tight
    return near and tokens[i].kind in ("num", "op") and alias(words[-1]) is not None


def _adds(tokens: Sequence[Token], i: int) -> bool:
    """Whether a formula begins with a plus that is set off: the end of a sum whose beginning was not read."""
    return tokens[i].kind == "op" and tokens[i].text == "+" and not tokens[i + 1].tight
