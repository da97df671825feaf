"""Matrices without a name of their own, below words that say what they are.

    Embeddings:              Scores:
    - cat → [1, 0]           [[2, 4]
    - sat → [0, 1]            [4, 8]]

A matrix is a nested list, or rows that stand one a line, each perhaps behind its token, or below one another
behind `X =`. Only what fills its lines is taken: a list in the midst of a sentence belongs to the sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
    Words,
    grid_of,
    names,
    numerals,
)
from symattn.reading.notes.formulas.names import INPUTS, Bases, Ref, is_whole, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.captions import AGAINST, OF_TOKENS, caption, has_vector, named
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.rows import hides
from symattn.reading.notes.layout.together import means_something, together, words_above
from symattn.reading.notes.layout.torn import is_torn

CAPTIONED = INPUTS | {"PE", "Q", "K", "V", "scores", "scaled", "masked", "exp", "A", "Z", "concat", "output"}
LONGEST_LABEL = 24
FARTHEST = 2
"""How many lines further down the next row may stand: with one blank line between them."""
_BULLET = re.compile(r"^[ >]*(?:[-*+•]|\\item\b|\d{1,2}[.)])? *")
_CHOICE = re.compile(r"[ >]*(?:[-*+•] *)?[*_]{0,2}\(?[A-Ha-h]\)")
"""Before one of the answers that a reader is to choose from."""
_DRESS = " *`_$\"'“”‘’「」:：→=≈->(){}|●•▪■◆◦‣➢➤►▶▸✓★"
_OWNER = re.compile(r"[\"“„‘'「«] ?([^\"“”„‘’'「」«»]+?) ?[\"”“’'」»]|^(\w+)的|\d ?\(([^()\d=]+)\)")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_NAME = re.compile(r"[A-Za-z]+_?\d+")
_TYPED = re.compile(r"(?:(?:np\.|torch\.)?(?:array|tensor)\(|\\left *[\[(|]?)$")


def with_captioned(found: list[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with those of captioned matrices exchanged for the matrices and what their captions say."""
    made = list(_matrices(found, context, bases))
    if not made:
        return found
    starts = [item.start for item in made]

    def outside(item: Item) -> bool:
        at = bisect_left(starts, item.start + 1) - 1
        return at < 0 or item.start >= made[at].end

    return sorted([*filter(outside, found), *made], key=lambda item: item.start)


@dataclass(frozen=True, slots=True)
class _Rung:
    """A row that fills its line, and the token before it; `named` where a formula begins with it.

    `before` is all that stands before the row on its line, `said` the quantity that the label names.
    """

    item: Item
    row: Row
    label: str
    before: str
    line: int
    named: Chain | None = None
    said: str | None = None


def _matrices(found: Sequence[Item], context: Context, bases: Bases) -> Iterator[Item]:
    begin = next((k for k, item in enumerate(found) if has_vector(item)), len(found))
    tokens: tuple[str, ...] = bases.tokens
    i = 0
    while i < len(found):
        told = together(found, i, context, bases) if i <= begin else None
        if told is not None:
            yield told
            i += len(told.node.rows) if isinstance(told.node, Grid) else 1
            tokens = tokens or (told.node.labels if isinstance(told.node, Grid) else ())
            continue
        rungs, after = _ladder(found, i, context, bases)
        lines = [context.said(line) for line in range(rungs[0].line, rungs[-1].line + 1)] if rungs else []
        if len(rungs) > 1 and is_torn(lines, *context.beside(rungs[0].line, rungs[-1].line)):
            i = after
            continue
        if len(rungs) > 1:
            whole = _whole(rungs, context, bases, first=i <= begin)
            labels = whole.node.labels if whole is not None and isinstance(whole.node, Grid) else ()
            tokens = tokens or labels
            if whole is not None and not (labels and set(labels) < set(tokens)):  # some rows are no matrix
                yield whole
            i = after
            continue
        item = found[i]
        node = item.node
        row = bool(rungs) and not rungs[0].label and rungs[0].named is None
        alone = row or (grid_of(node) is not None and is_literal(node))
        if alone and item.target is None and not (item.broken or item.shown) and _fills(item, context):
            name = _named(context.line(item.start), list(numerals(node)), context, bases)
            if name is not None:
                loose = _is_one_row(node) and not _announced(item, context)
                yield replace(item, target=Ref(name), shown=loose)
        i += 1


def _whole(rungs: Sequence[_Rung], context: Context, bases: Bases, *, first: bool) -> Item | None:
    """The matrix of some rows, by the formula that it ends, by what they are all called, or by its caption.

    Rows of which nobody says whose are no matrix. The `first` vectors of a document that stand beside words
    are what is told of these: X.
    """
    top, last = rungs[0].item, rungs[-1].item
    said = {rung.said for rung in rungs}
    numbered = [any(map(str.isdigit, rung.label)) for rung in rungs]
    owners = tuple(_token(rung.before) for rung in rungs)
    labels = owners if all(owners) or said != {None} or any(numbered) else _owned([r.label for r in rungs])
    told = len({*labels}) == len(labels) and all(labels)
    if not told and not all(numbered) and (said != {None} or any(numbered)):
        return None
    cells = tuple(rung.row.items for rung in rungs)
    grid = Grid(cells, rungs[0].row.start, last.end, labels if told else ())
    chain = rungs[0].named
    if chain is not None:
        return replace(top, node=replace(chain, members=(*chain.members[:-1], grid)), end=last.end)
    name = (
        said.pop()
        or _rows_of([rung.label for rung in rungs], bases)
        or _named(rungs[0].line, list(numerals(grid)), context, bases)
    )
    if name is None and first and all(labels) and OF_TOKENS.search(words_above(rungs[0].line, context)):
        name = "X"
    return Item(grid, top.start, last.end, target=Ref(name) if name is not None else None)


def _owned(labels: Sequence[str]) -> tuple[str, ...]:
    """Labels without the word behind a colon that they all end with, `cat: vec` and `sat: vec`."""
    parts = [label.rpartition(":") for label in labels]
    alike = len({what for _, _, what in parts}) == 1
    return (
        tuple(owner for owner, _, _ in parts)
        if alike and all(owner for owner, _, _ in parts)
        else tuple(labels)
    )


def _rows_of(labels: Sequence[str], bases: Bases) -> str | None:
    """The quantity whose first rows labels such as `x_1 ("cat")` name, one after the other."""
    refs = [resolve(Name(words[0]), bases) if (words := _NAME.findall(label)) else None for label in labels]
    rows = [(ref.name, ref.row) for ref in refs if ref is not None]
    return rows[0][0] if rows and rows == [(rows[0][0], k) for k in range(len(refs))] else None


def _token(before: str) -> str:
    """Whose row `the query of "cat"` and `猫的查询向量` is."""
    owner = _OWNER.search(_BULLET.sub("", before))
    return next(filter(None, owner.groups()), "") if owner is not None else ""


def _ladder(found: Sequence[Item], i: int, context: Context, bases: Bases) -> tuple[list[_Rung], int]:
    """The rows from an item on, equally long, one a line, all of them with a label or none; what is behind.

    The numeral of a label such as `row 2` is an item of its own.
    """
    rungs: list[_Rung] = []
    after = i
    for at in range(i, len(found)):
        item = found[at]
        rung = _rung(item, context, bases)
        if rung is None and rungs and _numbers_a_row(item, rungs[-1].line, context):
            continue
        if rung is None or (rungs and not _continues(rungs[-1], rung, context)):
            break
        if rungs and rung.label and named(rung.label, bases) != named(rungs[-1].label, bases):
            break  # what is told of the keys below what is told of the queries
        rungs.append(rung)
        after = at + 1
    return rungs, after


def _numbers_a_row(item: Item, above: int, context: Context) -> bool:
    """Whether an item is the numeral of `row 2` just below a row."""
    return isinstance(item.node, Num) and context.line(item.start) <= above + FARTHEST


def _continues(above: _Rung, rung: _Rung, context: Context) -> bool:
    beside = [context.said(line).strip() for line in range(above.line + 1, rung.line)]
    spaced = bool(beside) and all(said and not said.strip("[] ⎢⎥⎜⎟") for said in beside)
    return (
        len(rung.row.items) == len(above.row.items)
        and bool(rung.label) == bool(above.label)
        and 0 < rung.line - above.line <= (FARTHEST if rung.label or spaced else 1)
        and (spaced or not any(beside))
        and rung.named is None
        and rung.said == above.said
        and (bool(rung.label) or len(rung.before) == len(above.before) or _hangs(above, rung, context))
    )


def _hangs(above: _Rung, rung: _Rung, context: Context) -> bool:
    """Whether a row is indented below the name of its matrix, however far."""
    begun = context.said(above.line)
    return (
        above.named is not None
        and rung.before.isspace()
        and len(begun) - len(begun.lstrip()) < len(rung.before)
    )


def _rung(item: Item, context: Context, bases: Bases) -> _Rung | None:
    """The row of an item that holds nothing else but the token before it, or the name of a matrix."""
    chain = None
    match item.node:
        case Row() as row:
            pass
        case Chain(members=(Name() | Words() as said, Row() as row)) if not means_something(said, bases) or (
            not _is_a_row(said) and _token(context.before(row.start))
        ):
            pass
        case Chain(members=(Num(), Row() as row), relations=(":",)) if item.label:
            pass
        case Chain(members=(Name() as said, Row() as row), relations=(":",)) if AGAINST.search(
            context.before(said.end)
        ):
            pass
        case Chain(members=(Binary(op="*", left=Num(), right=Name()), Row() as row), relations=(":",)):
            pass  # `Token 1 (cat): [1, 0]`
        case Chain(members=(said, *_, Row() as row), relations=(*_, "=" | "≈")) if _is_whole(said):
            chain = item.node
        case _:
            return None
    if item.target is not None or item.broken or grid_of(row) is not None or not is_literal(row):
        return None
    before, behind = context.around(row.start, row.end)
    label = "" if chain is not None else _BULLET.sub("", before).strip(_DRESS)
    if len(label) > LONGEST_LABEL or any(c in label for c in "[]=") or _says_numbers(behind):
        return None
    kind = named(label, bases) if label else None
    if (kind is not None and not _token(before)) or _CHOICE.match(before):
        return None
    return _Rung(item, row, label, before, context.line(row.start), chain, kind)


def _is_whole(said: Node) -> bool:
    """Whether a name means a quantity as a whole, or the names of a product do: `Q K^T`."""
    if not isinstance(said, Name | Binary | Transpose) or (isinstance(said, Binary) and said.op not in "*/"):
        return False
    return all(name.text == "QK" or is_whole(name) for name in names(said))


def _is_a_row(said: Name | Words) -> bool:
    """Whether a name says by itself which row it is: `x_1` of `x_1 ("cat")`."""
    ref = resolve(Name(said.text, said.subs)) if isinstance(said, Name) else None
    return ref is not None and ref.row is not None


def _is_one_row(node: Node) -> bool:
    grid = grid_of(node)
    return grid is None or len(grid.rows) == 1


def _announced(item: Item, context: Context) -> bool:
    """Whether the words above a matrix end with a sign that points to it, and are no sentence about it."""
    return words_above(context.line(item.start), context).rstrip("*_` ").endswith((":", "：", "=", "≈"))


def _fills(item: Item, context: Context) -> bool:
    """Whether nothing but its type stands beside a matrix."""
    before, behind = context.around(item.start, item.end)
    return not _TYPED.sub("", before).strip(" >$*_#\\[") and not _says_numbers(behind)


def _says_numbers(said: str) -> bool:
    return any(c.isdigit() or c in "[=" for c in said)


def _named(line: int, nums: Sequence[Num], context: Context, bases: Bases) -> str | None:
    name = caption(context, bases, line)
    if name in (None, "scores", "scaled") and any(map(hides, nums)):
        return "masked" if any(not hides(num) and num.text != "0" for num in nums) else None
    return name if name in CAPTIONED else None
