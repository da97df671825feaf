"""`read_notes`: the table of contents of this package."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from symattn.case import Place
from symattn.reading.notes.arithmetic import equations
from symattn.reading.notes.build import Built, build
from symattn.reading.notes.chains import Item, items
from symattn.reading.notes.context import Context
from symattn.reading.notes.flat import unflattened
from symattn.reading.notes.formula import Chain, Num, numerals
from symattn.reading.notes.labels import bases, rows_of_inputs, tokens_of
from symattn.reading.notes.link import Linker
from symattn.reading.notes.loose import followed, in_prose, recognised, repeated
from symattn.reading.notes.result import Convention, Equation, Kind, NotComputed, Reading, Unread
from symattn.reading.notes.tables import with_tables
from symattn.reading.notes.tokens import Token, tokens

ROUNDS = 3
_CJK = re.compile(r"[\u4e00-\u9fff]")


def read_notes(text: str, file: str | None = None, kind: Kind = "markdown") -> Reading:
    """Read a document: its inputs, the numbers computed from them, and what stays unread.

    `kind` says how the text is written. Never raises for a text, however odd: what cannot be read is in
    `unread`, with the reason.
    """
    stream = tokens(text, kind)
    found = items(stream)
    rows = rows_of_inputs(found)
    stream, found = unflattened(text, stream, found, rows)
    context = Context(text)
    labels = tokens_of(text, found, rows)
    counted = bases(found, labels)
    context.use(labels, counted.subscript)
    found = with_tables(text, stream, found, context, counted)
    linker = Linker(context, counted)
    _link(linker, found)
    strays = _strays(linker, found)
    title, lang = _title(text, file), "zh" if len(_CJK.findall(text[:4000])) > 20 else "en"
    cases, left = build(linker.ledger, context, title, lang, file, labels, counted.position)
    return _account(text, stream, found, linker, cases, left, strays, file, kind)


def _link(linker: Linker, found: Sequence[Item]) -> None:
    """Three passes: what is named, what is known by its numbers, what is only repeated."""
    named = [item for item in found if isinstance(item.node, Chain) or item.target is not None]
    unnamed = [item for item in named if not linker.chain(item) and isinstance(item.node, Chain)]
    for _ in range(ROUNDS):
        before = len(linker.ledger.prints)
        unnamed = [item for item in unnamed if not recognised(linker, item)]
        _repeated(linker, found)
        if len(linker.ledger.prints) == before:
            break


def _repeated(linker: Linker, found: Sequence[Item]) -> None:
    claimed = {made.num.start for made in linker.ledger.prints} | linker.roles.keys()
    for item in found:
        members = item.node.members if isinstance(item.node, Chain) else (item.node,)
        for node in members:
            nums = list(numerals(node))
            if not nums or any(num.start in claimed for num in nums) or item.broken:
                continue
            if isinstance(node, Num):
                in_prose(linker, node)
            elif not repeated(linker, node, item):
                followed(linker, node, item)
            claimed.update(num.start for num in nums)


def _strays(linker: Linker, found: Sequence[Item]) -> list[tuple[Num, Equation]]:
    """The equations of chains without a place in the walk."""
    claimed = {made.num.start for made in linker.ledger.prints}
    rounded = frozenset(made.num.text for made in linker.ledger.prints if "." in made.num.text)
    strays: list[tuple[Num, Equation]] = []
    for item in found:
        for num, equation in equations(item.node, item.broken, linker.context, rounded):
            if num.start not in claimed:
                claimed.add(num.start)
                strays.append((num, equation))
                for other in numerals(item.node):
                    linker.roles.setdefault(other.start, "working")
    return strays


def _title(text: str, file: str | None) -> str:
    heading = re.search(r"^ {0,3}#{1,6} +(.{1,80})$", text[:5000], re.MULTILINE)
    said = re.sub(r"[*`$#\\]", "", heading[1]).strip() if heading else ""
    return said or (Path(file).stem if file else "notes")


def _account(
    text: str,
    stream: Sequence[Token],
    found: Sequence[Item],
    linker: Linker,
    cases: Sequence[Built],
    left: Sequence[tuple[object, str]],
    strays: Sequence[tuple[Num, Equation]],
    file: str | None,
    kind: Kind,
) -> Reading:
    """Every numeral in exactly one place: claimed, checked on its own, unread, or not computed."""
    context = linker.context
    claimed = {
        (place.line, place.column)
        for case, _ in cases
        for c in case.stated
        for row in c.places
        for place in row
        if place
    }
    checked = {num.start for num, _ in strays}
    prints = {made.num.start for made in linker.ledger.prints}
    reasons = {made.num.start: why for made, why in left}  # type: ignore[attr-defined]
    unread: list[Unread] = []
    not_computed: list[NotComputed] = []
    seen: set[int] = set()
    inside = _Inside(found)
    for i, token in enumerate(stream):
        if token.kind != "num" or token.start in seen:
            continue
        seen.add(token.start)
        signed = (
            token.start - 1 if i and stream[i - 1].kind == "op" and stream[i - 1].text == "-" else token.start
        )
        starts = {token.start, signed}
        at = Place(*context.place(token.start))
        if starts & checked or any(context.place(start) in claimed for start in starts):
            continue
        if starts & reasons.keys():
            unread.append(Unread(token.text, "SA905", next(reasons[s] for s in starts if s in reasons), at))
        elif starts & prints:
            not_computed.append(NotComputed(token.text, "input", at))
        else:
            role = next((linker.roles[start] for start in starts if start in linker.roles), None)
            role = role or inside.role(token) or _idle(stream, i, context)
            if role is None:
                unread.append(Unread(token.text, "SA902", "no quantity of the walk could be tied to it", at))
            else:
                not_computed.append(NotComputed(token.text, role, at))  # type: ignore[arg-type]
    conventions: tuple[tuple[Convention, ...], ...] = tuple(said for _, said in cases)
    return Reading(
        tuple(case for case, _ in cases),
        tuple(equation for _, equation in strays),
        tuple(unread),
        tuple(not_computed),
        conventions,
        file,
        kind,
    )


class _Inside:
    """Numerals inside formulas that are no values: indices, and integers that stand alone in a sentence."""

    def __init__(self, found: Sequence[Item]) -> None:
        self.spans = [(item.start, item.end) for item in found]
        self.alone = {
            item.node.start for item in found if isinstance(item.node, Num) and item.node.text.isdigit()
        }
        self.values = {num.start for item in found for num in numerals(item.node)}

    def role(self, token: Token) -> str | None:
        if token.start in self.alone:
            return "words"
        if token.start in self.values or token.start - 1 in self.values:
            return None
        at = bisect_right(self.spans, (token.start, token.start)) - 1
        spans = self.spans[max(at - 1, 0) : at + 2]
        return "index" if any(start <= token.start < end for start, end in spans) else None


def _idle(stream: Sequence[Token], i: int, context: Context) -> str | None:
    """Why a numeral that is tied to nothing computes nothing, or None where it might."""
    token = stream[i]
    before = stream[i - 1] if i else None
    after = stream[i + 1] if i + 1 < len(stream) else None
    whole = token.text.isdigit()
    percent = after is not None and after.kind == "percent"
    if before is not None and before.kind == "op" and before.text in "_^":
        return "index"
    if percent and token.text == "100":
        return "words"
    if percent or not whole:
        return None
    if context.said(context.line(token.start)).lstrip(" >").startswith("#"):
        return "numbering"
    if any(t is not None and t.kind in ("cjk", "word", "text") for t in (before, after)):
        return "words"
    if before is not None and before.kind == "rel" and before.text == ":":
        return "words"
    if (before is not None and before.kind in ("nl", "list", "mark", "stop", "label")) or before is None:
        return "words"
    if (
        after is None
        or after.kind in ("nl", "mark", "stop", "op", "close")
        or (before and before.kind == "op")
    ):
        return "words"
    return None
