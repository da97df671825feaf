"""What a page says of hidden keys where the formula of the softmax would not give them the weight 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.exact.number import Infinite
from symattn.narrate.page import Page
from symattn.narrate.steps import ruled
from symattn.plans.kinds import Powers, RelativePowers
from symattn.plans.operation import Operation
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows
from symattn.text.document import Block, Maths, Paragraph
from symattn.text.notation import Infinity, Negative


def falls(op: Operation) -> bool:
    """Whether the powers of this step fall where the scores grow: those of a base below 1."""
    rows = on_rows(op)
    return isinstance(rows, Powers | RelativePowers) and rows.base.falls


def by_falling_powers(page: Page, exp: Line) -> Iterator[Block]:
    """Of hidden keys in a softmax to a base below 1, b^(-∞) being infinite."""
    if falls(exp.op) and _is_infinite(page, exp.args[0]):
        yield Paragraph(page.voice.say("hidden-whatever-base", infinity=Maths(Negative(Infinity()))))


def shifted(page: Page, lines: Sequence[Line]) -> Iterator[Block]:
    """Exponentials relative to a running maximum, and which of them follow no formula."""
    (line,) = lines
    yield from ruled(page, lines)
    scores, maxima = line.args
    if _is_infinite(page, maxima) or (falls(line.op) and _is_infinite(page, scores)):
        yield Paragraph(page.voice.say("hidden-whatever-maximum", infinity=Maths(Negative(Infinity()))))


def _is_infinite(page: Page, name: str) -> bool:
    return any(isinstance(x, Infinite) for row in page.derivation[name].rows() for x in row)
