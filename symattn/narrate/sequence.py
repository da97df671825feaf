"""A page to be read in one sequence, as slides or in an article: the givens, each step as a panel, the result
and what was proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.narrate.check import checked
from symattn.narrate.conventions import head
from symattn.narrate.leftover import cautioned, left_over
from symattn.narrate.page import Page
from symattn.narrate.sections import title_of
from symattn.narrate.short import (
    Numbered,
    as_items,
    boxed_result,
    given_formulas,
    meaning,
    numbered,
    proofs_of,
    step_panel,
)
from symattn.narrate.softmax import heatmap
from symattn.text.document import Block, Panel, Panels, Paragraph

if TYPE_CHECKING:
    from symattn.attention.recipes.cautions import Caution
    from symattn.attention.recipes.leftover import Leftover
    from symattn.checks.crosscheck import CrossCheck
    from symattn.checks.proofs import Proof


def sequence(
    page: Page,
    check: CrossCheck | None,
    proofs: Sequence[Proof],
    leftover: Leftover | None,
    cautions: Sequence[Caution],
) -> Iterator[Block]:
    """The head of the page, then panels, each by itself."""
    say, steps = page.voice.say, tuple(numbered(page))
    yield from head(page)
    found = [*proofs_of(page, steps, proofs)]
    end: list[Block] = []
    if not page.only:
        yield from cautioned(page, cautions)
        yield from _alone(Panel(say("givens"), tuple(given_formulas(page))))
        end += boxed_result(page)
        found += checked(page, check) if check is not None else ()
    if page.detail != "result":
        for step in steps:
            yield from _alone(_step(page, step))
    end += as_items(page, found)
    if leftover is not None and not page.only:
        end += left_over(page, leftover)
    yield from _alone(Panel(say("proved-and-checked" if page.only else "result"), tuple(end)))


def _alone(panel: Panel) -> Iterator[Block]:
    if panel.blocks:
        yield Panels((panel,))


def _step(page: Page, step: Numbered) -> Panel:
    """A step with its weights in colour, and what it is for."""
    panel = step_panel(page, step)
    blocks = [*panel.blocks]
    tinted = [part for name in step.section.names if page.order(name) for part in heatmap(page, name)]
    if tinted and blocks:
        *blocks, last = blocks
        matrix, *more = last.panels if isinstance(last, Panels) else (Panel((), (last,)),)
        blocks.append(Panels((matrix, Panel((), tuple(tinted)), *more)))
    words = meaning(page, step.section.names[-1])
    if words and title_of(page, step.section).formula is not None:
        blocks.append(Paragraph(words))
    return Panel(panel.title, tuple(blocks), panel.formula, panel.level)
