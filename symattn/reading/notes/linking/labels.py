"""The tokens of a document, and whether its indices count from 0 or from 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Chain,
    Grid,
    Index,
    Name,
    Node,
    Row,
    Words,
    grid_of,
    numerals,
    walk,
)
from symattn.reading.notes.formulas.names import RUNNING, USUAL, Bases, Ref, resolve
from symattn.reading.notes.formulas.words import IN_TURN
from symattn.reading.notes.layout.mentions import counts_from_zero
from symattn.reading.notes.linking.encoded import begins_at_zero
from symattn.reading.notes.linking.whose import TOKEN, bracketed, headed, lined, owners, subscripts, tabled

_SENTENCE = re.compile(r"[\"“「]([^\"”」\n]{2,80})[\"”」]")
_QUOTED = re.compile(rf"[\"“「]({TOKEN})[\"”」]")
_LISTED = re.compile(
    rf"(?:依次为|依次是|分别是|分别为|\b(?:tokens|words) are)[:：]? ?"
    rf"(?:{_QUOTED.pattern}(?:[、,，] ?| and |和)?){{2,}}"
)
_ENUMERATED = re.compile(rf"{_QUOTED.pattern}(?:(?:[、,，] ?| \w{{1,3}} ){_QUOTED.pattern})+")
_ANY_QUOTED = re.compile(rf"[\"“「«„] ?({TOKEN}) ?[\"”“」»]|(?<!\w)'([^'\n\d,=\s]{{2,24}})'")
_WORD = r"[^\W\d_][\w'’-]{0,20}"
_BARE = re.compile(
    rf"\b(?:tokens|words)(?: are)?[:,]? (?P<words>{_WORD}(?:, (?!and\b){_WORD})+(?:,? and {_WORD})?)"
)
"""Words without quotes behind what they are: `the three words Alice, sees, Bob`."""
_VECTOR = re.compile(r"(?P<letter>[qkvx])[_ ]\{?(?P<whose>[^\W\d_]+)\}?")
_BETWEEN = re.compile(r"[ /、|]+")
_NAMED = re.compile(
    r"[wt]_?(\d) ?[=:] ?[\"“]([^\"”\n]{1,20})[\"”]|"
    r"(?:[Tt]oken|[Ww]ord|词|词元|Wort|[Pp]alabra|[Mm]ot|[Pp]arola|[Сс]лово|단어)"
    r" ?(\d)[:：] ?[\"“`]?([^\"”`\n]{1,20})"
)
_COUNTED = re.compile(
    r"位置(?:编号|索引|序号)?(?:都|均)?从 ?(\d{1,2}) ?(?:开始|起|算)"
    r"|\bpositions? (?:are )?(?:count|start|begin)(?:n?ing|ed|s)? (?:from|at|with) (\d{1,2})\b",
    re.IGNORECASE,
)
_TABLED = re.compile(r"^\| *(?:位置|pos(?:ition)?) *\|.*\n.*\n\| *(\d{1,2}) *\|", re.I | re.M)
_POSITION = re.compile(r"^[ >*_|-]*(?:pos(?:ition)?|位置)[ =:]{0,2}(\d{1,2})(?![\d.])", re.I | re.M)
_ZERO_BASED = frozenset("QKVXZA") | {"scores"}


def bases(items: Sequence[Item], tokens: tuple[str, ...], text: str) -> Bases:
    """The first index of each kind: 0 where a 0 occurs, else 1; the first position that is named.

    Where words count rows from 0, so do subscripts of which none is the last that counting from 1 has.
    """
    subscript, bracket, highest, tallest = 1, 1, 0, 0
    positions = _positions(text)
    indexed, queries = False, set[tuple[str, ...]]()
    plain = Bases(0, 0, 0)
    for item in items:
        if _is_query(item.node):
            queries.add(tuple(num.text for num in numerals(item.node)))
            indexed = indexed or IN_TURN.search(text, item.start, item.end) is not None
        if begins_at_zero(item.node):
            positions.add(0)
        for node in walk(item.node):
            if isinstance(node, Index) and 0 in node.at:
                bracket = 0
            elif isinstance(node, Row | Grid) and (grid := grid_of(node)) is not None:
                tallest = max(tallest, len(grid.rows))
            elif isinstance(node, Name) and (ref := resolve(node, plain)) is not None:
                indexed = indexed or (ref.name == "Q" and ref.row is not None)
                if ref.name == "PE" and ref.row is not None:
                    positions.add(ref.row)
                if ref.name in _ZERO_BASED:
                    highest = max(highest, ref.row or 0, ref.col or 0)
                    subscript = 0 if 0 in (ref.row, ref.col) else subscript
    if 0 < highest < tallest and counts_from_zero(text):
        subscript = 0
    return Bases(subscript, bracket, min(positions, default=None), tokens, len(queries) == 1 and not indexed)


def is_of_later_token(items: Sequence[Item], tokens: tuple[str, ...]) -> bool:
    """Whether a query without a number is said to be of another token than the first: `cat: q = [1, 0]`."""
    queries = (item for item in items if _is_query(item.node))
    return any(item.label in tokens[1:] or _aside(item.node) in tokens[1:] for item in queries)


def _aside(node: Node) -> str:
    """What stands in brackets behind the name that an equation is about."""
    match node:
        case Chain(members=(Name(aside=aside), *_)):
            return aside
    return ""


def _is_query(node: Node) -> bool:
    """Whether a formula gives `q`, or `q_i`, one vector without a number."""
    match node:
        case Chain(members=(Name() as name, *others)) if RUNNING.issuperset(name.subs):
            whole = resolve(replace(name, subs=(), aside="")) == Ref("Q")
            return whole and any(_is_vector(other, name.text[:1].islower()) for other in others)
    return False


def _is_vector(node: Node, small: bool) -> bool:
    """Whether a value is a list, or, behind a `small` letter, a matrix of a single row or column."""
    if not isinstance(node, Row | Grid):
        return False
    grid = grid_of(node)
    return grid is None or (small and 1 in (len(grid.rows), len(grid.rows[0])))


def _positions(text: str) -> set[int]:
    """The positions that a text counts from, or that stand before rows and lines."""
    first = {int(said) for said in chain.from_iterable(_COUNTED.findall(text)) if said}
    first |= {int(said) for said in _TABLED.findall(text)}
    return first or {int(said) for said in _POSITION.findall(text)}


def tokens_of(text: str, items: Sequence[Item], count: int | None) -> tuple[str, ...]:
    """The labels of the rows: beside a matrix, in a list of words, or the words of a quoted sentence."""
    for item in items:
        for node in _members(item.node):
            grid = grid_of(node)
            if (
                grid is not None
                and len(set(grid.labels)) == len(grid.rows) > 1
                and count in (None, len(grid.rows))
            ):
                return _bare(grid.labels)
            words = _listed_words(node, count)
            if words and len(set(words)) == len(words):
                return words
    for words in (subscripts(items), headed(text, items), bracketed(text, items)):
        if words and (count or 0) <= len(words):
            return words
    named = dict(
        sorted({int(a or b): (said or word).strip() for a, said, b, word in _NAMED.findall(text)}.items())
    )
    if _label(tuple(named.values()), count) and len(named) == max(named) - min(named) + 1:
        return tuple(named.values())
    for words in (lined(text), owners(text), tabled(text)):
        if _label(words, count):
            return words
    for pattern in (_LISTED, _ENUMERATED) if count is not None else (_LISTED,):
        for found in pattern.finditer(text):
            words = tuple(_QUOTED.findall(found[0]))
            if _label(words, count):
                return words
    if count is None:
        return ()
    for found in _BARE.finditer(text):
        words = tuple(re.split(r",? and |, ", found["words"]))
        for told in (words, words[:-1]):  # `the words A, B, C, and the weights`
            if _label(told, count):
                return told
    for found in _SENTENCE.finditer(text):
        words = tuple(found[1].rstrip(".!?。").split())
        if len(words) == count == len(set(words)) and count > 1:
            return words
    quoted = {a or b for a, b in _ANY_QUOTED.findall(text)}
    for line in text.split("\n") if quoted else ():
        words = tuple(_BETWEEN.split(line.strip(" *。.")))
        if len(words) == count == len(quoted.intersection(words)) and count > 1:
            return words
    return ()


def _bare(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens of labels that are names of their vectors: cat and sat, of `q_cat` and `q_sat`."""
    names = [_VECTOR.fullmatch(label) for label in labels]
    whose = tuple(name["whose"] for name in names if name is not None)
    same = len({name["letter"] for name in names if name is not None}) == 1
    return whose if same and len(whose) == len(labels) == len({*whose}) else labels


def _label(words: Sequence[str], count: int | None) -> bool:
    """Whether words can be the labels of so many rows, or of some number that is not known."""
    return len(words) == len(set(words)) and (len(words) == count if count is not None else len(words) > 1)


def _listed_words(node: Node, count: int | None) -> tuple[str, ...]:
    """The words of `["cat", "sat"]`, and of `(cat, sat)` where so many words are looked for."""
    if not isinstance(node, Row) or len(node.items) < 2 or count not in (None, len(node.items)):
        return ()
    words = [cell.text for cell in node.items if isinstance(cell, Words)]
    if count is not None and not words:
        words = [cell.text for cell in node.items if isinstance(cell, Name) and not cell.subs]
        words = [word for word in words if word.isalpha() and len(word) > 1]
    return tuple(words) if len(words) == len(node.items) else ()


def rows_of_inputs(items: Sequence[Item], *, turned: bool = False) -> int | None:
    """How many rows X has, or Q where there is no X; how many columns, where they are `turned`."""
    plain = USUAL
    for wanted in ("X", "Q"):
        best = 0
        for item in items:
            ref, members = item.target, _members(item.node)
            if ref is None and isinstance(item.node, Chain) and isinstance(members[0], Name):
                ref, members = resolve(members[0], plain), members[1:]
            if ref is None or ref.name != wanted:
                continue
            for member in members:
                grid = grid_of(member)
                if grid is not None and ref.row is None:
                    return len(grid.rows[0] if turned else grid.rows)
                if isinstance(member, Row | Grid) and ref.row is not None:
                    best = max(best, ref.row + 1)
        if best:
            return best
    return None


def _members(node: Node) -> tuple[Node, ...]:
    return node.members if isinstance(node, Chain) else ((node,) if isinstance(node, Grid | Row) else ())
