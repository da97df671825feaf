"""One query after another over the same keys, as of heads that share them: each begins a walk.

K = [[1, 1], [2, 0]], V = [[2, 0], [2, 1]]
Head 1: q = [0, 2], scores [2, 0]
Head 2: q = [1, 2], scores [3, 2]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Name, Row, last_of, numerals
from symattn.reading.notes.formulas.names import Bases, Ref, resolve
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.closeness import near
from symattn.reading.notes.linking.heads import numbered_head
from symattn.reading.notes.linking.ledger import values
from symattn.reading.notes.linking.place import table_of

_GROUP = re.compile(
    r"(?:KV|K/V|key[- /]values?|键值) ?-?(?:heads?|groups?|头|組|组) ?#?(\d{1,2})(?!\d| ?个)", re.IGNORECASE
)
"""Which keys and values a head shares with others."""
_WORKED = frozenset({"scores", "scaled", "masked", "exp", "sum", "A", "Z"})


def one_by_one(
    found: Sequence[Item], context: Context, bases: Bases
) -> tuple[list[int], list[list[Item]]] | None:
    """Where the walks of later queries begin, and what each walk is given before; None for rows of one walk.

    Of keys that are given for several groups each query meets those that its scores follow; then the first
    query begins a walk, too.
    """
    bases = replace(bases, single=False)  # heads may ask the same
    refs = [_given(item, bases) for item in found]
    asked = [i for i, ref in enumerate(refs) if ref is not None and ref.name == "Q"]
    if len(asked) < 2 or not _are_alone(found, asked, refs, context):
        return None
    before, behind = ({ref.name for ref in part if ref} for part in (refs[: asked[0]], refs[asked[0] :]))
    if "K" not in before or "X" in before or {"X", "K", "V"} & behind:
        return None
    spans = [found[i:j] for i, j in pairwise([*asked, len(found)])]
    if not all(_is_worked(span, bases) for span in spans):
        return None
    given = [(item, ref) for item, ref in zip(found[: asked[0]], refs, strict=False)]
    of_groups = {name: [item for item, ref in given if ref == Ref(name)] for name in ("K", "V")}
    groups = len(of_groups["K"])
    starts = [context.span(context.line(found[i].start))[0] for i in asked]
    if groups < 2:
        return starts[1:], [[item for item, _ in given] for _ in asked[1:]]
    plain = [item for item, ref in given if ref is None or ref.name not in of_groups]
    shared = []
    for span in spans:
        named = _GROUP.search(context.said(context.line(span[0].start)))
        group = _group(span, of_groups["K"], int(named[1]) - 1 if named is not None else None)
        parts = [each[group] for each in of_groups.values() if group is not None and len(each) == groups]
        shared.append([*plain, *parts])
    return starts, shared


def _group(span: Sequence[Item], keys: Sequence[Item], named: int | None) -> int | None:
    """Which keys the scores of a query follow: those that make most of a list below it.

    Of several that do it is the one that is `named` beside the query, if any is.
    """
    query = values(numerals(span[0].node))
    lists = [list(numerals(item.node)) for item in span[1:]]
    fits = []
    for item in keys:
        rows = [values(row) for row in table_of(last_of(item.node)) or ()]
        made = [float(sum(a * b for a, b in zip(query, row, strict=False) if a and b)) for row in rows]
        fits.append(max((sum(map(near, nums, made)) for nums in lists if len(nums) == len(made)), default=0))
    best = [at for at, fit in enumerate(fits) if fit == max(fits)]
    return best[0] if len(best) == 1 else named if named in best else None


def _given(item: Item, bases: Bases) -> Ref | None:
    """The quantity that a literal gives."""
    match item.node:
        case Chain(members=(Name() as name, *_, last)) if is_literal(last) and not item.broken:
            return resolve(name, bases)
    return item.target


def _is_of(ref: Ref | None, names: set[str]) -> bool:
    return ref is not None and ref.name in names


def _are_alone(
    found: Sequence[Item], asked: Sequence[int], refs: Sequence[Ref | None], context: Context
) -> bool:
    """Whether all queries are vectors without an index, each another one, in lines that say no row."""
    lists = [tuple(num.text for num in numerals(found[i].node)) for i in asked]
    lines = [context.line(found[i].start) for i in asked]
    return (
        all(refs[i] == Ref("Q") and _is_list(found[i]) for i in asked)
        and len({len(each) for each in lists}) == 1
        and (all(a != b for a, b in pairwise(lists)) or _are_of_heads(map(context.said, lines)))
        and len(set(lines)) == len(lines)
        and all(context.row(found[i].start) is None for i in asked)
        and not any(context.said(line).startswith("#") for line in range(lines[0], lines[-1]))
    )


def _are_of_heads(lines: Iterable[str]) -> bool:
    """Whether each line counts another head."""
    counted = [numbered_head(_GROUP.sub("", said)) for said in lines]
    return None not in counted and len(set(counted)) == len(counted)


def _is_list(item: Item) -> bool:
    return isinstance(item.node, Chain) and isinstance(item.node.members[-1], Row)


def _is_worked(items: Sequence[Item], bases: Bases) -> bool:
    """Whether something is worked out below a query."""
    return any(_is_of(_given(item, bases), {*_WORKED}) for item in items)
