"""The sheet of an exercise as a document: givens, conventions, and blanks of the right size with points."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symattn.attention.case import Claim
from symattn.classroom.exercise import Exercise
from symattn.narrate.conventions import conventions
from symattn.narrate.names import symbol
from symattn.narrate.narrate import page_of
from symattn.narrate.page import Page
from symattn.narrate.sections import Section, chapter_title, sections, title_of
from symattn.narrate.short import given_formulas
from symattn.text.bilingual import Bilingual
from symattn.text.document import Block, Display, Document, Heading, Maths, Panel, Panels, Paragraph, Prose
from symattn.text.notation import Blank, Formula, equation

Ask = Callable[[Page, Claim], Block]
"""How a quantity is asked for: a matrix of blanks on paper, fields in a course system."""

_STUDENT = Bilingual("Name: {student}", "姓名：{student}")
_POINTS = Bilingual("Points: ______ of {points}", "得分：______ / {points}")
_HOW = Bilingual(
    "Write exact values, such as 2/7, or decimals rounded to three places. Results that follow "
    "correctly from an earlier mistake get full points.",
    "请写精确值（如 2/7），或保留三位的小数。由前面的错误正确推得的结果仍得满分。",
)
_HOW_IN_FIELDS = Bilingual("Write decimals rounded to three places.", "请写小数，保留三位。")
_WORTH = Bilingual("({points:point})", "（{points} 分）")


def sheet(exercise: Exercise, ask: Ask | None = None) -> Document:
    """The page to hand out."""
    page = page_of(exercise.case, exercise.derivation, headed=False)
    on_paper = ask is None
    return Document(
        exercise.case.title, tuple(_blocks(exercise, page, ask or _matrix, on_paper)), exercise.case.lang
    )


def _blocks(exercise: Exercise, page: Page, ask: Ask, on_paper: bool) -> Iterator[Block]:
    case, say = exercise.case, page.voice.say
    if on_paper:
        total = sum(each.points or 0 for each in case.stated)
        name = say(_STUDENT, student=exercise.student or "_" * 30)
        yield Paragraph((*name, "    ", *say(_POINTS, points=total)))
    yield Paragraph(conventions(case, exercise.derivation, case.lang))
    yield Heading(say("givens"))
    yield from given_formulas(page)
    yield Paragraph(say(_HOW if on_paper else _HOW_IN_FIELDS))
    made = {name: section for section in sections(exercise.derivation) for name in section.names}
    yield Panels(
        tuple(
            _question(page, number, made[claim.name], claim, ask)
            for number, claim in enumerate(case.stated, 1)
        )
    )


def _question(page: Page, number: int, section: Section, claim: Claim, ask: Ask) -> Panel:
    """What is asked, with its formula, its points and its blanks."""
    title = title_of(page, section)
    head: Prose = (*chapter_title(page, section.head), page.voice.colon, " ") if section.head else ()
    worth = page.voice.say(_WORTH, points=claim.points or 0)
    formula: Prose = () if title.formula is None else (Maths(title.formula),)
    return Panel((f"{number}.  ", *head, *title.words, "  ", *worth), (ask(page, claim),), formula)


def _matrix(page: Page, claim: Claim) -> Block:
    """`S = ` a matrix of blanks that are as wide as the longest of its numbers, which so says nothing."""
    digits = 2 + max(len(text) for row in claim.values for text in row)
    blank: Formula = Blank(max(digits, 4))
    return Display((equation(symbol(claim.name), page.grid(claim.name, lambda i, j: blank)),))
