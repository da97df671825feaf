"""Kinds of documents beyond the usual forms: what each asks of its example, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.notes.apart import CROSS, DECODING, across, decoding
from benchmarks.notes.captions import Captions
from benchmarks.notes.columns import COLUMNS, in_columns, vector_by_vector
from benchmarks.notes.displays import Displays, Tex
from benchmarks.notes.draft import USUAL, Wanted
from benchmarks.notes.embedded import ADDED, positions_added
from benchmarks.notes.exact import EXACT, in_closed_form
from benchmarks.notes.examples import NARROW, PERCENTAGES, percentages, several_examples
from benchmarks.notes.flattened import FLAT, Flattened, flattened
from benchmarks.notes.forms import Bullets, Dollars, Fences, Plain, Tables
from benchmarks.notes.frames import Frame, bare, full_width, translated, wrapped
from benchmarks.notes.heads import HEADS, several_heads
from benchmarks.notes.layers import FEED_FORWARD, RESIDUAL, in_a_layer
from benchmarks.notes.masks import MASKED, PADDED, PATTERNED, with_masks, with_padding
from benchmarks.notes.notebooks import Notebook
from benchmarks.notes.sections import tell
from benchmarks.notes.warm import BIASED, ON_THE_LEFT, TEMPERED, weights_on_the_left
from benchmarks.notes.wrappers import Macros, MathFences, Numbered, Parentheses
from benchmarks.notes.writer import Writer

EVERY: tuple[type[Writer], ...] = (Fences, Displays, Bullets, Dollars, Tables, Plain, Tex, Notebook)


@dataclass(frozen=True)
class Kind:
    """`wanted` says which examples fit, `frame` what is done to the finished text."""

    tell: Callable[[Writer], None] = tell
    wanted: Wanted = USUAL
    writers: tuple[type[Writer], ...] = EVERY
    frame: Frame = bare
    examples: int = 1
    languages: tuple[str, ...] = ("en", "zh")


MARKDOWN = (Fences, Displays, Bullets, Dollars, Tables)

KINDS: Mapping[str, Kind] = {
    "several heads": Kind(several_heads, HEADS, (Fences, Displays, Bullets, Dollars, Plain, Tex)),
    "tokens as columns": Kind(in_columns, COLUMNS, (Displays, Dollars, Tex, Fences)),
    "W times x": Kind(vector_by_vector, COLUMNS, (Displays, Dollars, Tex)),
    "percentages": Kind(percentages, PERCENTAGES),
    "two examples": Kind(several_examples, examples=2),
    "narrow and large": Kind(wanted=NARROW),
    "printed masks": Kind(with_masks, MASKED),
    "other languages": Kind(writers=(Displays, Dollars, Bullets, Tex), frame=translated, languages=("en",)),
    "captions and dots": Kind(writers=(Captions,)),
    "macros": Kind(writers=(Macros,)),
    "wrappers": Kind(writers=(*MARKDOWN, MathFences, Parentheses, Numbered), frame=wrapped),
    "residual and norm": Kind(in_a_layer, RESIDUAL),
    "feed-forward": Kind(in_a_layer, FEED_FORWARD),
    "cross-attention": Kind(across, CROSS),
    "one query": Kind(decoding, DECODING),
    "padding": Kind(with_padding, PADDED),
    "masks of their own": Kind(with_masks, PATTERNED),
    "temperature": Kind(wanted=TEMPERED),
    "biases": Kind(wanted=BIASED),
    "W x over rows": Kind(weights_on_the_left, ON_THE_LEFT, (Fences, Displays, Bullets, Dollars, Plain, Tex)),
    "positions added": Kind(positions_added, ADDED, (Fences, Displays, Bullets, Dollars, Plain, Tex)),
    "exact entries": Kind(in_closed_form, EXACT, (Fences, Displays, Bullets, Dollars, Tex)),
    "flattened": Kind(flattened, FLAT, (Flattened,)),
    "full width": Kind(writers=(Bullets, Plain, Fences, Tables), frame=full_width),
}
