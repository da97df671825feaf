"""The steps of a derivation as numbered sections: exp, sum and A together, a chapter for each head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.quantities import CHAPTERS, QUANTITIES
from symattn.narrate.entries import ONE
from symattn.narrate.hidden import shifted
from symattn.narrate.mixture import output
from symattn.narrate.names import symbol
from symattn.narrate.page import Page
from symattn.narrate.remarks import remarks
from symattn.narrate.softmax import weights
from symattn.narrate.steps import by_names, columns, concatenated, narrator_of, ruled, scalar
from symattn.narrate.vectors import token_formula, vectors
from symattn.plans.derive import Derivation
from symattn.plans.kinds import Mixture, Part, Projection, RelativePowers, Scaling
from symattn.plans.plan import Line, base_name, head_of
from symattn.plans.transposed import on_rows
from symattn.text.bilingual import Bilingual
from symattn.text.document import Block, Heading, Maths, Prose
from symattn.text.notation import Call, Formula, Quotient, equation


class Section(Struct, frozen=True):
    """Lines of the plan that are told together, as a step of `kind`."""

    kind: str
    head: str
    lines: tuple[Line, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(line.name for line in self.lines)


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """The sections of a computation, in order."""
    found: list[Section] = []
    for line in derivation:
        kind, head = kind_of(line), head_of(line.name)
        if found and kind in ("softmax", "columns") and (found[-1].kind, found[-1].head) == (kind, head):
            found[-1] = Section(kind, head, (*found[-1].lines, line))
        else:
            found.append(Section(kind, head, (line,)))
    return tuple(found)


def steps(page: Page) -> Iterator[Block]:
    """Every section that the page shows, numbered as in the whole computation."""
    chapter, part, head = 0, 0, ""
    announced = ""
    for section in sections(page.derivation):
        if not section.head or section.head != head:
            chapter, part, head = chapter + 1, 0, section.head
        part += bool(section.head)
        if not any(page.shows(name) for name in section.names):
            continue
        if section.head and announced != section.head:
            announced = section.head
            yield Heading((f"{chapter}  ", *chapter_title(page, section.head)))
        number = f"{chapter}.{part}" if section.head else str(chapter)
        title = title_of(page, section)
        formula = () if _scalar(section.kind) else title.before_formula
        yield Heading((f"{number}  ", *title.words, *formula), 2 if section.head else 1)
        yield from content(page, section)
        yield from remarks(page, section.names)


def content(page: Page, section: Section) -> Iterator[Block]:
    """What is under the heading of a section, but for what was proved about it."""
    op = on_rows(section.lines[0].op)
    match section.kind:
        case "softmax":
            yield from weights(page, section.lines)
        case _ if isinstance(op, Projection) and op.vectors:
            yield from vectors(page, section.lines)
        case kind if kind[0] == "d" and isinstance(op, Scaling) and op.divisor == ONE:
            yield from concatenated(page, section.lines)
        case _ if isinstance(op, Part):
            yield from columns(page, section.lines)
        case _ if op.working == "none":
            yield from concatenated(page, section.lines)
        case kind if _scalar(kind):
            yield from scalar(page, section.lines)
        case _ if isinstance(op, RelativePowers):
            yield from shifted(page, section.lines)
        case _ if op.working == "rule":
            yield from ruled(page, section.lines)
        case "Z" if isinstance(op, Mixture):
            yield from output(page, section.lines)
        case kind:
            yield from narrator_of(kind)(page, section.lines)


def _scalar(kind: str) -> bool:
    """Whether a step makes a single number, such as a loss: one chain has its formula too."""
    return kind in QUANTITIES and QUANTITIES[kind].scalar


def chapter_title(page: Page, tag: str) -> Prose:
    """`Head 1`, `Step 3`, `Head 1, Block 2`."""
    parts: list[Prose] = []
    for part in tag.split("."):
        kind = part.rstrip("0123456789")
        parts.append(page.voice.say(CHAPTERS[kind], h=part.removeprefix(kind)))
    return page.voice.beside(parts)


def kind_of(line: Line) -> str:
    base, quantity = base_name(line.name), QUANTITIES.of(line.name)
    if isinstance(on_rows(line.op), Part) and quantity in QUANTITIES.projected:
        return "columns"
    if base == "A" and base_name(line.args[0]) != "exp":
        return base
    return "softmax" if quantity is not None and quantity.worked == "softmax" else base


class Title(Struct, frozen=True):
    """What a section is called in words, and its formula, if its title has one."""

    words: Prose
    formula: Formula | None = None

    @property
    def before_formula(self) -> Prose:
        """The formula as it follows the words in a heading."""
        return () if self.formula is None else (" ", Maths(self.formula))


def title_of(page: Page, section: Section) -> Title:
    """The title of a section."""
    line = section.lines[-1]
    if isinstance(on_rows(line.op), Part):
        parts = _title_of_parts(page, section.lines)
        if section.kind == "columns":
            opening = parts[0]
            return Title((opening.capitalize() if isinstance(opening, str) else opening, *parts[1:]))
        return Title(page.voice.say("part", what=_heading(page, section.kind), parts=parts))
    spoken = isinstance(line.op, Projection) and line.op.vectors
    by_vectors = token_formula(page, line) if spoken else None
    if by_vectors is not None:
        return Title(_heading(page, section.kind), by_vectors)
    formula = by_names(page, line)
    if section.kind == "softmax":
        first = section.lines[0]
        formula = Call("softmax", (symbol(first.args[0]),)) if base_name(first.name) == "exp" else formula
        if base_name(line.name) != "A":
            return Title(page.voice.say("softmax"))
    if section.kind == "PE":
        return Title(_heading(page, "PE"), symbol(line.name))
    if isinstance(formula, Quotient):
        formula = replace(formula, flat=True)
    return Title(_heading(page, section.kind), equation(symbol(line.name), formula))


def _heading(page: Page, kind: str) -> Prose:
    """What a step is called; a part of a gradient is called after the whole."""
    if kind == "softmax":
        return page.voice.say(kind)
    try:
        heading, whole = QUANTITIES.heading(kind)
    except KeyError:  # a `[[step]]` by a name that no quantity has
        return page.voice.say(Bilingual("Step", "步骤"))
    if whole:
        return page.voice.say(heading)
    return page.voice.say("in-part", what=page.voice.say(heading.after_article))


def _title_of_parts(page: Page, lines: Sequence[Line]) -> Prose:
    """The columns that are taken: of all that the same ones are taken of together."""
    say = page.voice.say
    ranges: dict[tuple[int, int], list[Prose]] = {}
    for line in lines:
        op = on_rows(line.op)
        assert isinstance(op, Part)
        ranges.setdefault((op.start + 1, op.stop), []).append((Maths(symbol(line.args[0])),))
    shares = [
        say(
            "share-one" if first == last else "share",
            which=_range(first, last),
            names=page.voice.listed(names),
        )
        for (first, last), names in ranges.items()
    ]
    return page.voice.listed(shares, clauses=True)


def _range(first: int, last: int) -> Prose:
    return (str(first) if first == last else f"{first}–{last}",)
