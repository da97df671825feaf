"""Notes of a page: what was not reached, givens that nothing uses, keys that may be meant otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.narrate.names import symbol
from symattn.narrate.page import Page
from symattn.text.document import Block, Maths, Prose, Remark

if TYPE_CHECKING:
    from symattn.attention.recipes.cautions import Caution
    from symattn.attention.recipes.leftover import Leftover


def left_over(page: Page, leftover: Leftover) -> Iterator[Block]:
    """A note on what was not computed and what that needs, and one on what is given in vain."""
    if leftover.result is not None:
        name = Maths(symbol(leftover.result))
        yield _note(page, page.voice.say("not-computed", name=name, needs=_listed(page, leftover.needs)))
    if leftover.unused:
        yield _note(page, page.voice.say("unused", names=_listed(page, leftover.unused)))


def cautioned(page: Page, cautions: Sequence[Caution]) -> Iterator[Block]:
    """A remark for each key that may have been meant otherwise, with how it is read."""
    for caution in cautions:
        label = str(page.voice.say(caution.kind)[0])
        yield Remark(label, page.voice.sentence((caution.words[page.voice.lang],)), caution.kind)


def _note(page: Page, words: Prose) -> Remark:
    return Remark(str(page.voice.say("note")[0]), words, "note")


def _listed(page: Page, names: Sequence[str]) -> Prose:
    symbols: list[Prose] = [(Maths(symbol(name)),) for name in names]
    return page.voice.listed(symbols)
