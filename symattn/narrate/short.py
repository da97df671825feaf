"""A short page: a first page that can be handed out alone, then each step with one entry worked out.

Steps are panels, which a format with columns sets side by side; so are the same steps of several heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from symattn.attention.quantities import QUANTITIES
from symattn.narrate.check import checked
from symattn.narrate.conventions import givens_of, head
from symattn.narrate.entries import ONE
from symattn.narrate.leftover import cautioned, left_over
from symattn.narrate.names import symbol
from symattn.narrate.page import Page
from symattn.narrate.proved import proved
from symattn.narrate.remarks import remarks
from symattn.narrate.sections import Section, chapter_title, content, sections, title_of
from symattn.narrate.softmax import heatmap
from symattn.plans.kinds import Scaling
from symattn.plans.plan import base_name
from symattn.text.document import (
    Block,
    Bullets,
    Display,
    Formulas,
    Maths,
    PageBreak,
    Panel,
    Panels,
    Paragraph,
    Prose,
    Remark,
    Table,
)
from symattn.text.notation import Chain, Formula

if TYPE_CHECKING:
    from symattn.attention.recipes.cautions import Caution
    from symattn.attention.recipes.leftover import Leftover
    from symattn.checks.crosscheck import CrossCheck
    from symattn.checks.proofs import Proof

MOST_HEATMAPS = 4


class Numbered(Struct, frozen=True):
    """A section with its number on the page."""

    number: str
    section: Section


def short(
    page: Page,
    check: CrossCheck | None,
    proofs: Sequence[Proof],
    leftover: Leftover | None,
    cautions: Sequence[Caution],
) -> Iterator[Block]:
    """The whole page."""
    yield from head(page)
    steps = tuple(numbered(page))
    if page.only:
        yield from _steps(page, steps)
        yield from _panel(page, "proved-and-checked", as_items(page, proofs_of(page, steps, proofs)))
        return
    yield from cautioned(page, cautions)
    yield from _panel(page, "givens", given_formulas(page))
    yield from _result(page)
    found = [*proofs_of(page, steps, proofs), *(checked(page, check) if check is not None else ())]
    yield from _panel(page, "proved-and-checked", as_items(page, found))
    yield from _panel(page, "steps", [_overview(page, steps)])
    if page.detail == "steps":
        yield PageBreak()
        yield Paragraph(page.voice.say("one-entry"))
        yield from _steps(page, steps)
    if leftover is not None:
        yield from left_over(page, leftover)


def _panel(page: Page, title: str, blocks: Sequence[Block]) -> Iterator[Block]:
    if blocks:
        yield Panels((Panel(page.voice.say(title), tuple(blocks)),))


def given_formulas(page: Page) -> list[Block]:
    formulas = givens_of(page)
    return [Formulas(formulas)] if formulas else []


def numbered(page: Page) -> Iterator[Numbered]:
    """The sections that the page shows, numbered as in the whole computation."""
    chapter, part, tag = 0, 0, ""
    for section in sections(page.derivation):
        if not section.head or section.head != tag:
            chapter, part, tag = chapter + 1, 0, section.head
        part += bool(section.head)
        if any(map(page.shows, section.names)):
            yield Numbered(f"{chapter}.{part}" if section.head else str(chapter), section)


def _steps(page: Page, steps: Sequence[Numbered]) -> Iterator[Block]:
    """The panels of all steps; those of heads that take the same steps stand head beside head."""
    chapters: list[list[Numbered]] = []
    for step in steps:
        tag = step.section.head
        if chapters and tag and chapters[-1][0].section.head == tag:
            chapters[-1].append(step)
        else:
            chapters.append([step])
    waiting: list[Panel] = []
    at = 0
    while at < len(chapters):
        alike = _alike(chapters, at)
        if len(alike) > 1:
            yield from _side_by_side(waiting)
            waiting = []
            for same in zip_longest(*alike):
                yield Panels(tuple(step_panel(page, each) for each in same if each is not None))
        else:
            waiting += [step_panel(page, each) for each in chapters[at]]
        at += len(alike)
    yield from _side_by_side(waiting)


def _side_by_side(panels: Sequence[Panel]) -> Iterator[Block]:
    if panels:
        yield Panels(tuple(panels))


def _alike(chapters: Sequence[Sequence[Numbered]], at: int) -> Sequence[Sequence[Numbered]]:
    """The chapters from `at` on that belong to heads with the same steps."""
    first = chapters[at]
    if not _is_head(first[0].section.head):
        return chapters[at : at + 1]  # a layer needs what the one before it made
    kinds = [each.section.kind for each in first]
    end = at + 1
    while (
        end < len(chapters)
        and [each.section.kind for each in chapters[end]] == kinds
        and (chapters[end][0].section.head != first[0].section.head)
    ):
        end += 1
    return chapters[at:end]


def step_panel(page: Page, step: Numbered) -> Panel:
    section = step.section
    title = title_of(page, section)
    of: Prose = ()
    if section.head and (title.formula is None or not _is_head(section.head)):
        left, right = ("（", "）") if page.voice.lang == "zh" else (" (", ")")
        of = (left, *chapter_title(page, section.head), right)
    blocks = [*content(page, section)]
    formula: Prose = () if title.formula is None or _says(blocks, title.formula) else (Maths(title.formula),)
    more = [block for block in remarks(page, section.names) if not isinstance(block, Remark)]
    if more and blocks and isinstance(blocks[-1], Display):
        blocks[-1:] = [Panels((Panel((), (blocks[-1],)), Panel((), tuple(more))))]
    else:
        blocks += more
    match blocks:
        case [*_, Panels(panels=rows), Display() | Panels() as together]:
            blocks[-2:] = [Panels((*rows, Panel((), (together,))))]
    return Panel((f"{step.number}  ", *title.words, *of), tuple(blocks), formula, 2 if section.head else 1)


def _is_head(tag: str) -> bool:
    """Whether a tag is that of one head, whose number the symbols have."""
    return tag.rpartition(".")[2].removeprefix("head").isdigit()


def _says(blocks: Sequence[Block], formula: Formula) -> bool:
    """Whether the first display begins with the formula of the title, which then need not have it too."""
    match blocks, formula:
        case [Display(lines=(Chain(first=first, links=(("=", _), *_)), *_)), *_], Chain(first=name):
            return first == name
    return False


def _result(page: Page) -> Iterator[Block]:
    """The last result of the forward computation in a box, and the weights as heatmaps."""
    shown = [Panel(page.voice.say("result"), (result,)) for result in boxed_result(page)]
    names = [name for name in page.derivation.values if base_name(name) == "A" and page.order(name)]
    for name in names[:MOST_HEATMAPS]:
        blocks = tuple(heatmap(page, name))
        if blocks:
            words = page.voice.say("weights-of", name=Maths(symbol(name)))
            shown.append(Panel(words, blocks, page.voice.say("attends") if len(names) == 1 else ()))
    if shown:
        yield Panels(tuple(shown))


def boxed_result(page: Page) -> Iterator[Display]:
    """The last result of the forward computation, in a box."""
    forward = [*takewhile(lambda line: not _is_backward(line.name), page.derivation)]
    if forward:
        name = forward[-1].name
        values = page.decimal_grid(name)
        links = page.values(name) if values is None else (values,)
        if links:
            yield Display((Chain(symbol(name), links),), "result")


def _is_backward(name: str) -> bool:
    """Whether a name is that of a loss, a gradient or a Jacobian, which follow the forward computation."""
    base = base_name(name)
    return base == "loss" or (base[:1] in ("d", "J") and QUANTITIES.of(base[1:]) is not None)


def proofs_of(page: Page, steps: Sequence[Numbered], proofs: Sequence[Proof]) -> list[Block]:
    """What was proved about all steps, and about two ways to one result."""
    found = [
        block for step in steps for block in remarks(page, step.section.names) if isinstance(block, Remark)
    ]
    return [*found, *proved(page, proofs)]


def as_items(page: Page, found: Sequence[Block]) -> list[Block]:
    """Remarks as one list; a label is kept where it is not that of a proof. Warnings stay as they are."""
    proved_label = page.voice.say("proved")[0]
    space = "" if page.voice.lang == "zh" else " "
    items: list[Prose] = []
    rest: list[Block] = []
    for block in found:
        if isinstance(block, Remark) and block.kind != "warning":
            label: Prose = () if block.label == proved_label else (f"{block.label}{page.voice.colon}{space}",)
            items.append((*label, *block.words))
        else:
            rest.append(block)
    return [*([Bullets(tuple(items))] if items else []), *rest]


def meaning(page: Page, name: str) -> Prose:
    """What a quantity is for, in a sentence; () where there is none."""
    quantity = QUANTITIES.of(name)
    if quantity is not None and quantity.meaning is not None:
        line = page.by_rows.line(name)
        if line is not None and isinstance(line.op, Scaling) and line.op.divisor == ONE:
            return page.voice.say("meaning-not-scaled")
        return page.voice.say(quantity.meaning)
    base = base_name(name)
    of = QUANTITIES.subject(base)
    if QUANTITIES.of(of) is None:
        return ()
    owner = name.removesuffix(base)
    if base == f"d{of}" and owner + of not in page.derivation and of.rpartition("_")[0] in QUANTITIES:
        of = of.rpartition("_")[0]  # values are made from X itself: dX_V is a part of dX
    if base == f"d{of}":
        return page.voice.say("meaning-of-gradient", name=Maths(symbol(owner + of)))
    return page.voice.say("meaning-of-part", name=Maths(symbol(f"{owner}d{of}")))


def _overview(page: Page, steps: Sequence[Numbered]) -> Table:
    """Each step with its formula, its shape, and what it means."""
    say = page.voice.say
    rows: dict[str, tuple[Prose, ...]] = {}
    for step in steps:
        section = step.section
        title, name = title_of(page, section), section.names[-1]
        shape = page.derivation[name].shape
        if title.formula is None or (section.head and section.kind in rows):
            continue  # columns of a head, or the same step of another head
        rows[section.kind if section.head else section.names[-1]] = (
            (step.number,),
            title.words,
            (Maths(title.formula),),
            (f"{shape[0]}×{shape[1]}",),
            meaning(page, name),
        )
    header = tuple(
        say(key)
        for key in (
            "overview-number",
            "overview-step",
            "overview-formula",
            "overview-shape",
            "overview-meaning",
        )
    )
    return Table(header, tuple(rows.values()), "lllll")
