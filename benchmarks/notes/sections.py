"""The walk as a document tells it: which formulas, in which order; a form only says how they stand."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.notes.encodings import positions
from benchmarks.notes.outputs import outputs
from benchmarks.notes.projections import inputs, projections
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.softmax import softmax
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer


def tell(w: Writer) -> None:
    """Write the whole document."""
    d = w.draft
    w.heading("title")
    if d.world.positions is not None:
        positions(w)
        return
    opening(w)
    walk(w)


def opening(w: Writer) -> None:
    """What is said before the first number."""
    w.sentence(say(w.rng, "story", w.draft.lang))
    w.sentence(_tokens(w, w.draft.keys if len(w.draft.tokens) == 1 else w.draft.tokens))


def walk(w: Writer) -> None:
    """From the inputs to the output."""
    d = w.draft
    inputs(w)
    projections(w)
    if "Z" not in d.steps:
        return
    scores(w)
    scaled(w)
    softmax(w)
    outputs(w)


def _tokens(w: Writer, tokens: Sequence[str]) -> str:
    """The sentence, so that a label can stand for a row."""
    d = w.draft
    match w.rng.randrange(3):
        case 0:
            listed = ", ".join(f'"{token}"' for token in tokens)
            return f"序列长度：{len(tokens)}个词 [{listed}]" if d.zh else f"The tokens are [{listed}]."
        case 1:
            said = "".join(tokens) if d.zh else " ".join(tokens)
            words = (
                "、".join(f"“{token}”" for token in tokens) if d.zh else ", ".join(f'"{t}"' for t in tokens)
            )
            return (
                f"句子是“{said}”，各词依次为 {words}。"
                if d.zh
                else f'The sentence is "{said}" with the tokens {words}.'
            )
    listed = [f"- 词 {i + 1}: {t}" if d.zh else f"- Token {i + 1}: {t}" for i, t in enumerate(tokens)]
    return "\n".join(listed)
