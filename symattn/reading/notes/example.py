"""One worked example of a document: its formulas linked, and the cases that it makes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from symattn.bilingual import Bilingual
from symattn.reading.notes.cases.build import Built, build
from symattn.reading.notes.cases.declared import declared
from symattn.reading.notes.cases.evidence import Evidence
from symattn.reading.notes.cases.sentences import with_statements
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import language_of
from symattn.reading.notes.formulas.formula import Call, Chain, Grid, Name, Node, Num, Row, numerals, walk
from symattn.reading.notes.formulas.names import Bases
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.account import claimed_places
from symattn.reading.notes.linking.columns import in_columns, turned_names
from symattn.reading.notes.linking.divided import divided
from symattn.reading.notes.linking.examples import Example
from symattn.reading.notes.linking.heads import Split, by_head
from symattn.reading.notes.linking.joined import side_by_side
from symattn.reading.notes.linking.labels import bases, is_of_later_token, rows_of_inputs, tokens_of
from symattn.reading.notes.linking.learned import called, foreign, made_of_others
from symattn.reading.notes.linking.ledger import Ledger, Print
from symattn.reading.notes.linking.link import Linker
from symattn.reading.notes.linking.loose import followed, in_prose, recognised, whole_row
from symattn.reading.notes.linking.pairs import paired
from symattn.reading.notes.linking.repeated import repeated
from symattn.reading.notes.linking.restated import restated
from symattn.reading.notes.linking.strays import Strays
from symattn.reading.overrides import Overrides

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Part:
    """One worked example of a document."""

    ledger: Ledger
    roles: dict[int, str]
    built: list[Built]
    left: list[tuple[Print, Bilingual]]
    aside: Strays
    again: dict[int, int]
    """Where operands of workings stand, and the numbers printed before that they say again."""


def read_example(
    text: str,
    written: Sequence[Item],
    whole: Context,
    counted: Bases,
    file: str | None,
    given: Overrides,
    part: Example,
) -> Part:
    """Link one example and build its cases; `written` are the formulas of the document as they stand."""
    context = whole.within(part.start, part.end)
    found = [item for item in part.items if not _settles(item, context)]
    if "mask" in given:
        context.causal = given.settings.mask == "causal"
    alone = context.told == context.text
    turned = turned_names(found, context.told, called(found, counted))
    count = rows_of_inputs(found, turned=bool(turned))
    labels = tokens_of(context.told, found, count) or (counted.tokens if alone else ())
    context.use(labels, counted.subscript)
    split = by_head(found, context)
    one = counted.single or (not alone and bases(found, labels, context.told).single)
    single = one and not is_of_later_token(found, labels)
    own = replace(counted, tokens=labels, single=single)
    linkers = _linked(Linker(context, own, turned, heads=bool(split.heads)), split)
    title, lang = _title(text, file), language_of(text)
    d_k = next((linker.sizes["d_k"] for linker in linkers if "d_k" in linker.sizes), None)
    hidden = frozenset(cell for linker in linkers for cell in linker.ledger.hidden)
    plain = [item for each in (split.shared, *split.heads) for item in each]
    elsewhere = foreign(plain, linkers[0].bases, linkers[0].renamed) | made_of_others(
        plain, linkers[0].ledger
    )
    evidence = Evidence(declared(plain, context), given, d_k, context.roots, hidden, elsewhere)
    declares = evidence.said("weights") == "transposed"
    ledgers = [linker.ledger for linker in linkers]
    ledger = side_by_side(ledgers[0], ledgers[1:], transposed=declares)
    heads = len(split.heads) or 1
    built, left = build(ledger, context, title, lang, file, labels, evidence, counted.position, heads)
    if turned:
        built = [(in_columns(case), conventions) for case, conventions in built]
    elif built:
        (case, conventions), *others = built
        case, sizes = with_statements(case, context, context.lines)
        built = [(case, conventions), *others]
        linkers[0].roles.update(dict.fromkeys(sizes, "size"))
    aside = Strays(claimed_places(case for case, _ in built))
    for linker, mine in zip(linkers, (split.shared, *split.heads), strict=True):
        aside.work(linker, mine)
    aside.give(linkers[0], found)
    idle = frozenset(start for linker in linkers for start in linker.roles)
    aside.substitute(linkers[0], [*found, *_between(written, part)])
    aside.follow(linkers[0], found, idle)
    roles = {start: role for linker in linkers for start, role in linker.roles.items()}
    again = {
        num.start: first.start
        for linker, mine in zip(linkers, (split.shared, *split.heads), strict=True)
        for first, num in restated(linker, mine)
    }
    return Part(ledger, roles, built, left, aside, again)


def _between(written: Sequence[Item], part: Example) -> Sequence[Item]:
    """The formulas that stand in an example, of all in their order."""
    first, end = (bisect_left(written, at, key=attrgetter("start")) for at in (part.start, part.end))
    return written[first:end]


def _settles(item: Item, context: Context) -> bool:
    """Whether a formula is no more than the numbers of a convention, `[1, 1, 0]` of a padding mask."""
    starts = {num.start for num in numerals(item.node)}
    return bool(starts) and starts <= set(context.settings)


def _linked(linker: Linker, split: Split) -> list[Linker]:
    """The linker of what all heads share, and one for each head, with their formulas linked."""
    linker.roles.update(dict.fromkeys(linker.context.settings, "input"))
    _link(linker, split.shared)
    linkers = [linker]
    for items_of_head in split.heads:
        linkers.append(linker.for_head())
        _link(linkers[-1], items_of_head)
    return linkers


def _link(linker: Linker, found: Sequence[Item]) -> None:
    """Three passes: what is named, what is known by its numbers, what is only repeated."""
    named = [item for item in found if isinstance(item.node, Chain) or item.target is not None or item.shown]
    linker.hear(found)
    unnamed = [item for item in named if not linker.chain(item) and isinstance(item.node, Chain)]
    linker.equate()
    paired(linker, found)
    divided(linker, found)
    for _ in range(ROUNDS):
        before = len(linker.ledger.prints)
        unnamed = [item for item in unnamed if not (recognised(linker, item) or _named_anew(linker, item))]
        _repeated(linker, found)
        if len(linker.ledger.prints) == before:
            break


def _named_anew(linker: Linker, item: Item) -> bool:
    """Link a list of which only its name was known, now that more is: `Z = [2.5, 0.8]` below its weights."""
    match item.node:
        case Chain(members=(Name(), Row())):
            return linker.chain(item)
    return False


def _repeated(linker: Linker, found: Sequence[Item]) -> None:
    claimed = {made.num.start for made in linker.ledger.prints} | linker.roles.keys()
    for item in found:
        members = item.node.members if isinstance(item.node, Chain) else (item.node,)
        if isinstance(members[0], Row) and all(map(_is_scalar, members[1:])) and len(members) > 1:
            linker.role(members[0], "index")  # `[1, 2] = 3 * 1 + 0 * 2 = 3`
            members = members[1:]
        for whole, node in zip(members, map(_argument, members), strict=True):
            nums = list(numerals(node))
            if not nums or any(num.start in claimed for num in nums) or item.broken:
                continue
            claimed.update(num.start for num in nums)
            if isinstance(node, Num):
                in_prose(linker, node)
            elif linker.is_told_shape(node):
                linker.role(node, "size")
            elif repeated(linker, node, item):
                continue
            elif node is whole or len(members) == 1:
                followed(linker, node, item)
            elif not whole_row(linker, node, item):
                break  # `softmax([2, 1]) = [0.73, 0.27]` of other scores than those of a row: an aside


def _argument(node: Node) -> Node:
    """The list of `softmax([0.58, 0])`, where nothing says what it comes to."""
    match node:
        case Call(function="softmax" | "exp", argument=Row() as row):
            return row
    return node


def _is_scalar(node: Node) -> bool:
    """Whether a formula comes to one number."""
    return not any(isinstance(part, Row | Grid | Name) for part in walk(node))


def _title(text: str, file: str | None) -> str:
    heading = re.search(r"^ {0,3}#{1,6} +(.{1,80})$", text[:5000], re.MULTILINE)
    said = re.sub(r"[*`$#\\]", "", heading[1]).strip() if heading else ""
    return said or (Path(file).stem if file else "notes")
