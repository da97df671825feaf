"""`read_notes`: the table of contents of this package."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from symattn.reading.kinds import Kind
from symattn.reading.notes.chapters import read_chapters
from symattn.reading.notes.example import read_example
from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.characters import lines_of
from symattn.reading.notes.formulas.closed import with_closed
from symattn.reading.notes.formulas.comments import without_comments
from symattn.reading.notes.formulas.formula import Grid
from symattn.reading.notes.formulas.notebook import unpacked
from symattn.reading.notes.formulas.powers import with_powers
from symattn.reading.notes.formulas.raised import with_raised
from symattn.reading.notes.formulas.roots import told_roots
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.formulas.tex import macros_of
from symattn.reading.notes.formulas.tokens import tokens
from symattn.reading.notes.layout.aligned import with_aligned
from symattn.reading.notes.layout.apiece import with_amounts
from symattn.reading.notes.layout.arrowed import with_arrowed
from symattn.reading.notes.layout.bare import with_bare
from symattn.reading.notes.layout.blanks import with_hidden
from symattn.reading.notes.layout.boxes import without_boxes
from symattn.reading.notes.layout.captioned import with_captioned
from symattn.reading.notes.layout.chapters import chapters
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.drawn import drawn
from symattn.reading.notes.layout.flat import unflattened
from symattn.reading.notes.layout.keyed import with_keyed
from symattn.reading.notes.layout.labelled import with_labelled
from symattn.reading.notes.layout.legends import with_legends
from symattn.reading.notes.layout.lines import Origin
from symattn.reading.notes.layout.margins import without_margins
from symattn.reading.notes.layout.multiplied import with_multiplied
from symattn.reading.notes.layout.otherwise import Otherwise
from symattn.reading.notes.layout.printed import with_printed
from symattn.reading.notes.layout.respective import with_respective
from symattn.reading.notes.layout.spoken import with_spoken
from symattn.reading.notes.layout.stripped import with_stripped
from symattn.reading.notes.layout.tables import with_tables
from symattn.reading.notes.layout.told import with_told
from symattn.reading.notes.layout.unended import without_unended
from symattn.reading.notes.layout.unpacked import with_unpacked
from symattn.reading.notes.linking.account import (
    Known,
    account,
    decimals_of,
    unread_lists,
)
from symattn.reading.notes.linking.asides import without_asides
from symattn.reading.notes.linking.batches import batches, first_blocks
from symattn.reading.notes.linking.examples import Example, examples
from symattn.reading.notes.linking.labels import bases, rows_of_inputs, tokens_of
from symattn.reading.notes.linking.unrolled import unrolled
from symattn.reading.notes.linking.variants import variants
from symattn.reading.notes.result import Reading
from symattn.reading.overrides import NONE, Overrides
from symattn.reading.workers import Each, in_turn

MOST_EXAMPLES = 400


def read_notes(
    text: str,
    file: str | None = None,
    kind: Kind = "markdown",
    shown: Callable[[str], str] = str,
    given: Overrides = NONE,
    each: Each = in_turn,
) -> Reading:
    """Read a document: its inputs, the numbers computed from them, and what stays unread.

    `kind` says how the text is written; `shown` may blank a part of it (for a notebook: of the text of its
    cells) and keeps every offset. What `given` says of the conventions wins over the text and its numbers.
    `each` says how its examples are read, which are independent of one another.
    Never raises for a text, however odd: what cannot be read is in `unread`, with the reason.
    """
    origin = None
    if kind == "notebook":
        unpacked_text, offsets = unpacked(text)
        text, origin = unpacked_text, Origin(offsets, lines_of(text))
    text = shown(text)
    if kind == "latex":
        text = without_comments(text)
    text = with_hidden(without_unended(without_margins(without_boxes(text))))
    if origin is None:
        text = text.replace("\r\n", "\n")  # no line and no column is another one

    whole = tokens(text, kind) if "\\" in text and macros_of(text) else ()
    begun = [*accumulate((token.start for token in whole), max)]  # those of a body stand above
    lines = origin.starts if origin is not None else lines_of(text)

    def read(start: int, end: int, each: Each) -> Reading:
        stream = whole[bisect_left(begun, start) : bisect_left(begun, end)]
        if (start, end) == (0, len(text)):
            return _read(text, stream, kind, origin, file, given, each)
        moved = [
            replace(token, start=max(token.start - start, 0), end=max(token.end - start, 0))
            for token in stream
        ]
        offsets = origin.offsets[start : end + 1] if origin is not None else range(start, end + 1)
        return _read(text[start:end], moved, kind, Origin(offsets, lines), file, given, each)

    return read_chapters(chapters(text, kind), read, each)


def _read(
    text: str,
    stream: Sequence[Token],
    kind: Kind,
    origin: Origin | None,
    file: str | None,
    given: Overrides,
    each: Each,
) -> Reading:
    """Read a document, or a chapter that stands in its file where `origin` says.

    The tokens of one with commands of its own, which are told elsewhere, are those of `stream`.
    """
    stream = told_roots(with_raised(with_powers(stream or tokens(text, kind))))
    written = drawn(text, stream, items(stream))
    if kind in ("text", "markdown"):
        written = with_stripped(text, written)
    found, blocks = first_blocks(text, with_printed(text, written, kind))
    rows = rows_of_inputs(found)
    stream, found = unflattened(text, stream, found, rows)
    context = Context(text, (), origin)
    labels = tokens_of(text, found, rows)
    counted = bases(found, labels, context.text)
    if given.first_index is not None:
        counted = replace(counted, subscript=given.first_index, bracket=given.first_index)
    context.use(labels, counted.subscript)
    found = with_labelled(text, with_arrowed(found, context), context, counted)
    if not labels and any(isinstance(item.node, Grid) and item.node.labels for item in found):
        labels = tokens_of(text, found, rows)
        counted = replace(counted, tokens=labels)
        context.use(labels, counted.subscript)
    found = with_aligned(text, with_bare(text, found, context, counted), context, counted)
    found = with_tables(text, stream, found, context, counted)
    found = with_keyed(with_spoken(found, context), context, counted)
    found = with_told(
        with_respective(
            with_amounts(
                with_captioned(with_legends(found, context, counted), context, counted), context, counted
            ),
            context,
            counted,
        ),
        context,
        counted,
        rows or rows_of_inputs(found),
    )
    found = with_multiplied(with_unpacked(found, context), counted)
    found = unrolled(with_closed(found), counted)
    otherwise = Otherwise.of(context.text)
    plain, asides = without_asides(found, context, counted, otherwise)
    chosen = [
        part
        for walk in batches(plain, blocks, counted)
        for told in variants(walk, counted)
        for part in examples(told, context, counted)[:MOST_EXAMPLES]
    ]
    if any((part.start, part.end) == (0, len(text)) for part in chosen):
        each = in_turn  # what is known of the whole document is found out by the way
    chosen += [Example(aside, start, end) for start, end, aside in asides]
    parts = list(each(partial(read_example, text, written, context, counted, file, given), chosen))
    built = [each for part in parts for each in part.built]
    known = Known(
        frozenset(start for part in parts for start in part.aside.alone),
        frozenset(made.num.start for part in parts for made in part.ledger.prints),
        {made.num.start: why for part in parts for made, why in part.left},
        {start: role for part in parts for start, role in part.roles.items()},
        {start: first for part in parts for start, first in part.again.items()},
    )
    cases = tuple(case for case, _ in built)
    unread, not_computed = account(stream, found, cases, known, context)
    alone = tuple(equation for part in parts for equation in part.aside.alone.values())
    loose = decimals_of([*(each.text for each in unread), *(each.printed for each in alone)])
    return Reading(
        tuple(replace(case, settings=replace(case.settings, unread=loose)) for case in cases),
        alone,
        tuple(unread),
        tuple(not_computed),
        tuple(conventions for _, conventions in built),
        file,
        kind,
        tuple(equation for part in parts for equation in part.aside.otherwise),
        unread_lists(found, unread, context),
        *otherwise.places(stream, context),
    )
