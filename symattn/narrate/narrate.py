"""The narrator: an exact derivation becomes a page, said in English or Chinese, for any typesetter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.attention.case import Case
from symattn.attention.recipes.columns import as_columns
from symattn.attention.runnable import asked
from symattn.exact.forms.tree import Style
from symattn.narrate.check import checked
from symattn.narrate.conventions import givens, head
from symattn.narrate.elided import elided
from symattn.narrate.leftover import cautioned, left_over
from symattn.narrate.numbers import Numbers
from symattn.narrate.page import Detail, Page
from symattn.narrate.proved import proved
from symattn.narrate.sections import steps
from symattn.narrate.sequence import sequence as in_sequence
from symattn.narrate.short import short
from symattn.narrate.typed import styles_of
from symattn.narrate.voice import Voice
from symattn.plans.derive import Derivation
from symattn.text.document import Block, Document

if TYPE_CHECKING:
    from symattn.attention.recipes.cautions import Caution
    from symattn.attention.recipes.leftover import Leftover
    from symattn.checks.crosscheck import CrossCheck
    from symattn.checks.facts import Fact
    from symattn.checks.proofs import Proof

__all__ = ["narrate"]


def narrate(
    case: Case,
    derivation: Derivation,
    *,
    facts: Sequence[Fact] = (),
    check: CrossCheck | None = None,
    digits: int = 4,
    significant: int | None = None,
    lang: str | None = None,
    only: Collection[str] = (),
    detail: Detail = "steps",
    proofs: Sequence[Proof] = (),
    leftover: Leftover | None = None,
    cautions: Sequence[Caution] = (),
    sequence: bool = False,
    headed: bool = True,
    elide: bool = False,
) -> Document:
    """The page of a derivation.

    Decimals have `digits` places, or `significant` digits. `only` keeps the named steps, a name without
    a head those of every head. `detail` says how much is worked out: the `result` alone, one entry of each
    of the `steps`, `some` entries, or all `entries`. With `sequence` each step is a panel.
    Without `headed`, the page has no title, source and conventions; with `elide`, worked sums have no zeros
    and ones.
    Raises UnusableValue for a name in `only` that the computation does not have.
    """
    page = page_of(case, derivation, facts, digits, significant, lang, only, detail, headed)
    blocks = (in_sequence if sequence else _blocks)(page, check, proofs, leftover, cautions)
    title = case.title if headed else ""
    return Document(title, tuple(elided(blocks) if elide else blocks), page.voice.lang)


def page_of(
    case: Case,
    derivation: Derivation,
    facts: Sequence[Fact] = (),
    digits: int = 4,
    significant: int | None = None,
    lang: str | None = None,
    only: Collection[str] = (),
    detail: Detail = "steps",
    headed: bool = True,
) -> Page:
    """What the parts of the page look at, for the options of `narrate`."""
    styles = styles_of(case, derivation.plan)
    style: Style = "decimal" if "decimal" in styles.values() else "fraction"
    return Page(
        case,
        derivation,
        Voice(lang or case.lang, as_columns(case)),
        Numbers(digits, significant, style),
        styles,
        tuple(facts),
        frozenset(asked(derivation.plan, only)),
        detail,
        headed,
    )


def _blocks(
    page: Page,
    check: CrossCheck | None,
    proofs: Sequence[Proof],
    leftover: Leftover | None,
    cautions: Sequence[Caution],
) -> Iterator[Block]:
    if page.short:
        yield from short(page, check, proofs, leftover, cautions)
        return
    yield from head(page)
    if not page.only:
        yield from cautioned(page, cautions)
        yield from givens(page)
    yield from steps(page)
    yield from proved(page, proofs)
    if leftover is not None and not page.only:
        yield from left_over(page, leftover)
    if check is not None and not page.only:
        yield from checked(page, check)
