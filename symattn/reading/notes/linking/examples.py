"""Several worked examples in one document are several walks: where each begins and ends."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Name, Num, Row, grid_of, last_of, numerals
from symattn.reading.notes.formulas.names import INPUTS, WEIGHTS, Bases, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.compared import compared
from symattn.reading.notes.linking.one_by_one import one_by_one

_HEADING = re.compile(
    r"^[^\w\n\\]*(?:\\(?:sub)*(?:section|paragraph)\*?\{)?(?:worked |[\d.]+ |step \d+: |第 ?\d+ ?步: ?)?"
    r"(?:(?:example|problem|exercise|question|sentence|sequence|sample|batch(?: element| item)?)"
    r" #?(?:\d|[A-D]\b)|Q ?\d{1,3}[.:)] (?=[^\W\d_]{2})"
    r"|(?:a |the )?(?:first|second|third|another) (?:worked )?example"
    r"|(?:aufgabe|übung|beispiel|ejercicio|ejemplo|problema|exerc[íi]cio|exemplo|exercice|exemple"
    r"|esempio|esercizio|zadanie|przykład|задача|пример|упражнение|예제|문제|연습 ?문제) ?#?\d"
    r"|(?:示例|例子|例题|例題|例|句子|样本|樣本|序列|练习题?|練習(?:題|問題)?|习题|習題|问题|問題|演習"
    r"|题目|題目) ?[\d一二三四五]|第 ?[\d一二三四五] ?[题題問问]"
    r"|第[一二三四五]个(?:示例|例子)|另一个(?:示例|例子))",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"[^\w\n\\]*(?:\\(?:sub)*(?:section|paragraph)\*?\{)?(?:\d{1,2}[.)] )?"
    r"(?:exercises?|homework|your turn|try it|practi[cs]e|now you"
    r"|练习|習題|习题|思考题|作业|動手|动手)(?!\w)",
    re.IGNORECASE,
)
"""How a task for the reader begins, behind what was worked out for him."""
LONGEST_HEADING = 80
OTHERS = 3
"""How many numbers of an input make it another one."""


@dataclass(frozen=True, slots=True)
class Example:
    """The formulas of one example, and the characters of the document that it is told in."""

    items: list[Item]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Definition:
    """Item number `at` gives a quantity, or a row of one; `alone` is a vector without an index."""

    at: int
    ref: Ref
    nums: list[Num]
    alone: bool = False


def examples(found: Sequence[Item], context: Context, bases: Bases) -> list[Example]:
    """The examples: a new one begins, with its heading, where the inputs are given anew.

    Weights of the first example belong to every later one that begins at X and gives none of its own, and
    so does what is told of names alone before its inputs, `Q = K = V = X`.
    """
    defined = [made for i, item in enumerate(found) if (made := _definition(i, item, bases)) is not None]
    inputs = [made for made in defined if made.ref.name in ("X", "Q")]
    new = _new_scores(found, defined)
    given = [(found[made.at].start, "X" if made.at in new else made.ref.name) for made in defined]
    headings = _by_heading(given, _first_result(found, bases), context)
    cuts = {*headings, *_by_value(found, inputs, headings, context), *_by_step(found, defined, context)}
    cuts |= _by_source(found, inputs, bases)
    bounds = [0, *sorted(cuts), len(context.text)]
    weights = [made for made in defined if made.ref.name in WEIGHTS]
    made_of: list[Example] = []
    items: list[list[Item]] = [[] for _ in bounds[1:]]
    for item in found:
        items[bisect_right(bounds, item.start, hi=len(items)) - 1].append(item)
    names: list[set[str]] = [set() for _ in items]
    for made in defined:
        names[bisect_right(bounds, found[made.at].start, hi=len(items)) - 1].add(made.ref.name)
    for item in found:
        names[bisect_right(bounds, item.start, hi=len(items)) - 1] |= _made_weights(item, bases)
    for (start, end), mine, here in zip(pairwise(bounds), items, names, strict=True):
        if start and "X" in here and not here & set(WEIGHTS):
            shared = [found[made.at] for made in weights if found[made.at].start < bounds[1]]
            mine = [*_equalities(found, inputs), *shared, *mine]
        made_of.append(Example(mine, start, end))
    return [part for example in made_of for part in _apart(example, context, bases)]


def _equalities(found: Sequence[Item], inputs: Sequence[_Definition]) -> list[Item]:
    """The equations of names alone before the first input, `Q = K = V = X`."""
    first = inputs[0].at if inputs else 0
    nodes = ((item, item.node) for item in found[:first] if not item.broken)
    return [
        item
        for item, node in nodes
        if isinstance(node, Chain) and all(isinstance(each, Name) for each in node.members)
    ]


def _apart(example: Example, context: Context, bases: Bases) -> list[Example]:
    """The walks of an example that compares two, or has one query after another; or the example."""
    here = context.within(example.start, example.end)
    second = compared(example.items, here, bases)
    if second is not None:
        starts, shared = [second[0]], [second[1]]
    else:
        starts, shared = one_by_one(example.items, here, bases) or ([], [])
    bounds = [example.start, *starts, example.end]
    items: list[list[Item]] = [[], *map(list, shared)]
    for item in example.items:
        items[bisect_right(starts, item.start)].append(item)
    return [Example(mine, *span) for mine, span in zip(items, pairwise(bounds), strict=True)]


def _definition(at: int, item: Item, bases: Bases) -> _Definition | None:
    """`X = [[...]]` or `x_1 = [...]`: which quantity and row it gives, and its numerals."""
    if item.target is not None:
        return _Definition(at, item.target, list(numerals(item.node)))
    if not isinstance(item.node, Chain) or item.broken or len(item.node.members) != 2:
        return None
    name, node = item.node.members
    ref = resolve(name, bases) if isinstance(name, Name) else None
    if ref is None or not is_literal(node) or isinstance(node, Num):
        return None
    alone = ref.row is None and grid_of(node) is None and isinstance(node, Row)
    if alone and ref.name != "Q":
        return None
    return _Definition(at, ref, list(numerals(node)), alone)


def _made_weights(item: Item, bases: Bases) -> set[str]:
    """The weights that a formula makes anew, whether or not it can be read: `Wq = np.eye(3)`."""
    match item.node:
        case Chain(members=(Name() as name, *_), relations=("=", *_)):
            ref = resolve(name, bases)
            return {ref.name} & set(WEIGHTS) if ref is not None else set()
    return set()


def _new_scores(found: Sequence[Item], defined: Sequence[_Definition]) -> set[int]:
    """Which items give a table of scores whose numbers stand nowhere before it in this order."""
    tables = [made for made in defined if made.ref == Ref("scores") and _is_table(found[made.at])]
    if not tables:
        return set()
    spelled = [_spelled(numerals(item.node)) for item in found]
    begun = [0, *accumulate(len(each) + 1 for each in spelled)]
    before = "\n".join(spelled)
    return {made.at for made in tables if before.find(_spelled(made.nums), 0, begun[made.at]) < 0}


def _is_table(item: Item) -> bool:
    return grid_of(last_of(item.node)) is not None


def _spelled(nums: Iterable[Num]) -> str:
    return "".join(f" {num.text} " for num in nums)


def _first_result(found: Sequence[Item], bases: Bases) -> int:
    """Where the first quantity stands that is computed and not given."""
    for item in found:
        first = item.node.members[0] if isinstance(item.node, Chain) else None
        ref = resolve(first, bases) if isinstance(first, Name) else item.target
        if ref is not None and ref.name not in INPUTS and any(numerals(item.node)):
            return item.start
    return found[-1].end if found else 0


def _by_heading(given: Sequence[tuple[int, str]], worked: int, context: Context) -> list[int]:
    """Where headings such as `Example 2` stand, if X, or Q and K, are given below each of them.

    So it is with a task for the reader, behind offset `worked`, where the first result stands.
    """
    said = [(start, context.said(line)) for line, start in enumerate(context.starts)]
    starts = [start for start, words in said if len(words) < LONGEST_HEADING and _HEADING.match(words)]

    def named(start: int, end: int) -> set[str]:
        first, last = (bisect_left(given, offset, key=itemgetter(0)) for offset in (start, end))
        return {name for _, name in given[first:last]}

    def begins(start: int, end: int) -> bool:
        names = named(start, end)
        return "X" in names or ({"Q", "K"} <= names and not _asks(named(0, start), start <= worked))

    end = len(context.text)
    kept = [start for start, end in pairwise([*starts, end]) if begins(start, end)]
    kept = kept if kept and begins(0, kept[0]) else kept[1:]
    tasks = (start for start, words in said if _TASK.match(words) and begins(start, end))
    last = next((start for start in tasks if worked <= start), None)
    return kept if last is None else sorted({*kept, last})


def _asks(names: set[str], unsolved: bool) -> bool:
    """Whether inputs and weights stand above queries and keys that nobody has worked out: these solve it."""
    return unsolved and {"X", "W_Q", "W_K"} <= names


def _by_value(
    found: Sequence[Item], inputs: Sequence[_Definition], headings: Sequence[int], context: Context
) -> list[int]:
    """Where an input is given a second time below the same heading, with other numbers."""
    wanted = "X" if any(made.ref.name == "X" for made in inputs) else "Q"
    starts: list[int] = []
    seen: dict[int | None, list[Num]] = {}
    below = 0
    for made in inputs:
        here = bisect_right(headings, found[made.at].start)
        if here > below:
            below, seen = here, {}
        if made.ref.name != wanted or made.alone or _is_told_again(made, seen):
            continue
        if made.ref.row in seen and _differs(seen[made.ref.row], made.nums):
            starts.append(_with_heading(found, made.at, starts[-1] if starts else 0, context))
            seen = {}
        seen.setdefault(made.ref.row, made.nums)
    return starts


def _is_told_again(made: _Definition, seen: Mapping[int | None, list[Num]]) -> bool:
    """Whether a vector without an index is a row that was given before: `Query 2 is (0.5, 1)`."""
    rows = (nums for row, nums in seen.items() if row is not None)
    return made.ref.row is None and any(not _differs(nums, made.nums) for nums in rows)


def _by_source(found: Sequence[Item], inputs: Sequence[_Definition], bases: Bases) -> set[int]:
    """Where X is given the first time, if a walk from Q goes before it and other queries follow from it."""
    first = next((k for k, made in enumerate(inputs) if made.ref.name == "X"), None)
    if not first:
        return set()
    before = {made.ref: made.nums for made in inputs[:first] if not made.alone}
    for item in found[inputs[first].at :]:
        match item.node:
            case Chain(members=(Name() as name, *_, last)) if is_literal(last):
                ref = resolve(name, bases)
                again = list(numerals(last))
                if ref in before and not (
                    len(again) == len(before[ref]) and all(map(agree, before[ref], again))
                ):
                    return {found[inputs[first].at].start}
    return set()


def _by_step(found: Sequence[Item], defined: Sequence[_Definition], context: Context) -> list[int]:
    """Where a query is given anew with keys of its own, as in each step of decoding with a cache.

    Keys by rows are of their own where all that the first query met are given again.
    """
    queries = [made.at for made in defined if made.ref == Ref("Q") and made.alone]
    keys = [(made.at, made.ref.row) for made in defined if made.ref.name == "K" and made.ref.col is None]
    spans = list(pairwise([*queries, len(found)]))
    rows = [{row for at, row in keys if start <= at < end} for start, end in spans]
    if not all(rows) or not all(rows[0] <= each or None in each for each in rows):
        return []
    return [_with_heading(found, at, 0, context) for at in queries[1:]]


def _differs(first: Sequence[Num], again: Sequence[Num]) -> bool:
    """Whether two printings are of different things: another length, or too many of the numbers differ.

    One or two that differ are misprints, any that agree as far as their digits go are rounded.
    """
    if len(first) != len(again):
        return True
    other = sum(not agree(a, b) for a, b in zip(first, again, strict=True))
    return other >= OTHERS or 2 * other > len(first)


def _with_heading(found: Sequence[Item], i: int, after: int, context: Context) -> int:
    """The last heading before item i, or the item itself where there is none behind offset `after`."""
    line = context.line(found[i].start)
    while context.starts[line] > after and not context.said(line).lstrip().startswith("#"):
        line -= 1
    heading = context.starts[line]
    return heading if heading > after else found[i].start
