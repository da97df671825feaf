"""Several names and as many values in a sentence: `q1, q2 and q3 are [1, 0], [0, 1] and [1, 1]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Grid, Name, Node, Num, Row, grid_of
from symattn.reading.notes.formulas.names import Bases, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.sentences import last_clause

_AND = r"(?:,|，|、|,? and|和|与|及)"
_BETWEEN = re.compile(rf"[`$ ]*{_AND}[`$ ]*")
_DRESS = r"(?:\*\*|[$`])*"
_LETTER = r"(?:\\(?:mathbf|vec|boldsymbol|bm|mathrm) *\{?)?(?:[A-Za-zα-ω]|alpha)\}?"
_INDEXED = rf"{_DRESS}{_LETTER}(?:_?\{{?\d{{1,2}}\}}?|[₀-₉]{{1,2}}){_DRESS}"
_QUOTED = rf"{_DRESS}[\"“'][^\W\d]{{1,20}}[\"”']"
_MATRIX = rf"{_DRESS}(?:W_?\{{?[QKVO]\}}?|[QKV]){_DRESS}"
_EACH = rf"(?:{_INDEXED}(?: ?(?:[·⋅*•]|\\cdot) ?{_INDEXED})?|{_QUOTED}|{_MATRIX})"
_GIVEN = re.compile(
    rf"(?<![\w$`*\\\"“'·_])(?P<names>{_EACH}(?: ?{_AND} ?{_EACH})+)[$`*]*"
    r"(?: ?(?:=|:)| (?:(?:now|then|thus|therefore|hence) )?(?:are|be|equal|become)"
    r"(?: (?:therefore|thus|then|now|given by|simply|about|approximately|equal to))?:?"
    r"| ?(?:分别|依次)?(?:[是为]|等于))[$` ]*$"
)
"""Before the first of several values: the names that these are of, one by one."""
_FACTOR = re.compile(rf"({_LETTER})_?\{{?(\d{{1,2}}|[₀-₉]{{1,2}}|[QKVO](?=\W|$))?")
_OF = re.compile(
    r"\b(?:of|for|to|with|from|at|on|by|between|over|against)(?: (?:the )?(?:tokens?|words?))? *$|的 *$"
)
"""Before names that the values are not, but something of."""
_PLURAL = re.compile(r"s *$|向量 *$|[键值] *$|查询 *$")
_VECTORS = frozenset("qkvxzeo")
_OF_TOKENS = frozenset({"X", "Q", "K", "V", "Z"})
_BELOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
LONGEST_LEAD = 160
"""Characters before the first of several values in which their names stand."""


def with_respective(found: Sequence[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with as many values as a sentence has names before them given to these in turn."""
    made: list[Item] = []
    i = 0
    while i < len(found):
        told = _told(found, i, context, bases)
        made += told or found[i : i + 1]
        i += sum(item.end <= told[-1].end for item in found[i : i + len(told)]) or 1
    return made


def _told(found: Sequence[Item], i: int, context: Context, bases: Bases) -> list[Item]:
    """What item i and those behind it are, by the names before them; nothing where there are none."""
    item = found[i]
    match item.node:
        case Chain(members=(Name() | Binary(), value), relations=("=" | ":",)):
            item = replace(item, node=value, start=value.start) if isinstance(value, Row | Num) else item
    if not isinstance(item.node, Row | Grid | Num) or not is_literal(item.node):
        return []
    before = last_clause(context.before(item.start)[-LONGEST_LEAD:])
    said = _GIVEN.search(before)
    if said is None:
        return []
    names = [each.strip("$`* ") for each in re.findall(_EACH, said["names"])]
    values = _values([item, *found[i + 1 : i + len(names)]], len(names), context)
    if not values:
        return []
    lead = before[: said.start()]
    of = _OF.search(lead)
    if of is not None or names[0][0] in "\"“'":
        return _of_each(values, names, lead[: of.start()] if of is not None else "", context, bases)
    nodes = [_name(name) for name in names]
    if not all(_can_be(node, value.node) for node, value in zip(nodes, values, strict=True)):
        return []
    return [
        replace(value, node=Chain((node, value.node), ("=",)), label="", target=None, broken=False)
        for value, node in zip(values, nodes, strict=True)
    ]


def _of_each(
    values: Sequence[Item], names: Sequence[str], lead: str, context: Context, bases: Bases
) -> list[Item]:
    """Vectors of tokens: `the keys of "the", "cat" and "sat" are`, `the values for x1 and x2 are`."""
    name = named(lead, bases) if _PLURAL.search(lead) else None
    if name not in _OF_TOKENS or not all(map(_is_vector, values)):
        return []
    rows = [_row(name, at, said, context, bases) for at, said in enumerate(names)]
    return [replace(value, target=Ref(name, row)) for value, row in zip(values, rows, strict=True)]


def _row(name: str, at: int, said: str, context: Context, bases: Bases) -> int:
    """The row that a name means: its index, or its place among the tokens, or here."""
    ref = (
        resolve(factor, bases) if isinstance(factor := _name(said), Name) and said[0] not in "\"“'" else None
    )
    if ref is not None and ref.row is not None:
        return ref.row
    word = said.strip("\"“”'")
    return context.tokens.index(word) if word in context.tokens else at


def _values(found: Sequence[Item], count: int, context: Context) -> list[Item]:
    """As many values as are asked for, with no more than commas between them; else nothing."""
    first = found[0]
    bare = isinstance(first.node, Row) and context.text[first.node.start] not in "(["
    if isinstance(first.node, Row) and bare and len(first.node.items) == count:
        nums = [num for num in first.node.items if isinstance(num, Num)]
        return [replace(first, node=num, start=num.start, end=num.end) for num in nums]
    for before, item in pairwise(found):
        joined = _BETWEEN.fullmatch(context.text, before.end, item.start)
        if joined is None or type(item.node) is not type(first.node) or not is_literal(item.node):
            return []
    return list(found) if len(found) == count else []


def _name(said: str) -> Node:
    """A name with its index, or the product of two."""
    parts = [
        Name(letter[-1] if letter[-1] != "}" else letter[-2], (index.translate(_BELOW),) if index else ())
        for letter, index in _FACTOR.findall(said.replace("\\cdot", "·").replace("alpha", "α"))
    ]
    return parts[0] if len(parts) == 1 else Binary("*", parts[0], parts[1])


def _is_vector(item: Item) -> bool:
    return isinstance(item.node, Row) and grid_of(item.node) is None


def _can_be(node: Node, value: Node) -> bool:
    """Whether a value can be what a name says: a vector of q_1, a number of q_1 · k_1."""
    vector = isinstance(node, Name) and node.text in _VECTORS
    return vector == (isinstance(value, Row) and grid_of(value) is None) or (
        isinstance(node, Name) and node.text.isupper() and not isinstance(value, Num)
    )
