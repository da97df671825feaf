"""Why an entry has its value: the chain from the givens to it, worked out, on one screen.

An entry leads to those that it was made of, which its operation names (`symattn.narrate.example`).
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import Any, Literal

from msgspec import Struct

from symattn.attention.case import Case
from symattn.attention.symbols import meant
from symattn.exact.number import Infinite
from symattn.narrate.close_up import Named, Reason, close_up, reason
from symattn.narrate.example import operands
from symattn.narrate.export import ClosedForms, decimal_digits
from symattn.narrate.names import symbol
from symattn.narrate.narrate import page_of
from symattn.narrate.page import Page
from symattn.plans.derive import Derivation
from symattn.plans.plan import base_name, head_of
from symattn.text.document import Block, Code, Display, Document, Formulas, Maths, Paragraph, Prose
from symattn.text.notation import Chain, Infinity, Negative, Symbol, parts
from symattn.typeset.plain import plain_formula

Lang = Literal["en", "zh"]
SCHEMA = "symattn/why/1"
LINES, COLUMNS = 40, 100
"""A screen."""
MOST_NAMED = 12
"""Entries that are named where they do not fit on the screen."""


class Why(Struct, frozen=True, eq=False):
    """Why an entry has its value: the chain from the givens to it. `print` shows it.

    `row` and `col` count from 0 here, and from 1 in what is printed. `steps` is how many entries are worked
    out, by default those that fit on a screen. With `hint` the formula and the numbers in it are shown, and
    the result is kept back. `command` is what a command line is, but for the entry, that shows another one.
    """

    case: Case
    derivation: Derivation
    name: str
    row: int = 0
    col: int = 0
    steps: int | None = None
    hint: bool = False
    command: str = ""

    def document(self, *, lang: Lang | None = None, digits: int = 4) -> Document:
        """The neutral page, which a typesetter turns into one of the formats below."""
        page = close_up(page_of(self.case, self.derivation, digits=digits, lang=lang))
        return _document(self, page, _shown(self, page))

    def text(
        self, *, lang: Lang | None = None, digits: int = 4, width: int = COLUMNS, colour: bool = False
    ) -> str:
        """The chain for a terminal."""
        from symattn.typeset.text import text

        return text(self.document(lang=lang, digits=digits), width=width, colour=colour)

    def markdown(self, *, lang: Lang | None = None, digits: int = 4) -> str:
        """The chain as Markdown with `$` and `$$` mathematics."""
        from symattn.typeset.markdown import markdown

        return markdown(self.document(lang=lang, digits=digits))

    def latex(self, *, standalone: bool = False, lang: Lang | None = None, digits: int = 4) -> str:
        """The chain as LaTeX: a fragment, or a document that xelatex compiles."""
        from symattn.typeset.latex import latex

        return latex(self.document(lang=lang, digits=digits), standalone=standalone)

    def html(self, *, standalone: bool = True, lang: Lang | None = None, digits: int = 4) -> str:
        """The chain as HTML with MathML."""
        from symattn.typeset.html import html

        return html(self.document(lang=lang, digits=digits), standalone=standalone)

    def data(self, *, digits: int = 4) -> dict[str, Any]:
        """The JSON contract `symattn/why/1` as plain values; its rows and columns count from 1."""
        return _data(self, close_up(page_of(self.case, self.derivation, digits=digits)), digits)

    def json(self, *, digits: int = 4) -> str:
        """`data` as JSON text."""
        return json.dumps(self.data(digits=digits), ensure_ascii=False, indent=1) + "\n"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html(standalone=False)

    def _repr_markdown_(self) -> str:
        return self.markdown()


def spoken(derivation: Derivation, name: str) -> str:
    """What a command line calls a quantity: by its symbol where that means it, `head1.S'`."""
    head = head_of(name)
    short = f"{head}." * bool(head) + plain_formula(symbol(base_name(name)))
    names = [each for each, _ in derivation.items()]
    return short if " " not in short and meant(short, names) == (name,) else name


def _chain(why: Why, page: Page) -> Iterator[tuple[int, Reason]]:
    """The entry, then those that it was made of, with how many operands were passed over on the way.

    They come in that order: first through the most important operand of each entry, back to the givens.
    """
    start = (why.name, why.row, why.col)
    order, met, waiting = count(), {start}, [(0, 0, start)]
    while waiting:
        passed, _, (name, i, j) = heapq.heappop(waiting)
        line = page.derivation.line(name)
        if line is None:
            continue
        found = reason(page, line, i, j)
        yield passed, found
        for rank, each in enumerate(_computed(page, found)):
            if each not in met:
                met.add(each)
                heapq.heappush(waiting, (passed + rank, next(order), each))


def _computed(page: Page, found: Reason) -> list[Named]:
    """The operands that are not given."""
    return [each for each in found.operands if page.derivation.line(each[0]) is not None]


def _shown(why: Why, page: Page) -> list[tuple[int, Reason]]:
    """The entries that are worked out: as many as asked for, or as fit on a screen."""
    from symattn.typeset.text import text

    chain = _chain(why, page)
    if why.hint or why.steps is not None:
        return list(islice(chain, 1 if why.hint else why.steps))
    shown: list[tuple[int, Reason]] = []
    for each in chain:
        shown.append(each)
        if len(text(_document(why, page, shown), width=COLUMNS).splitlines()) > LINES:
            return shown[:-1] or shown
    return shown


def _document(why: Why, page: Page, shown: Sequence[tuple[int, Reason]]) -> Document:
    between = page.voice.colon + " " * (page.voice.lang != "zh")
    title = f"{page.case.title}{between}" * bool(page.case.title) + _written(
        page, (why.name, why.row, why.col)
    )
    blocks = (_hint if why.hint and shown else _blocks)(why, page, shown)
    return Document(title, tuple(blocks), page.voice.lang)


def _blocks(why: Why, page: Page, shown: Sequence[tuple[int, Reason]]) -> Iterator[Block]:
    say = page.voice.say
    yield Paragraph(_where(why, page))
    if not shown:
        yield from _given(why, page)
        return
    known: set[Chain] = set()
    main = [found for passed, found in shown if passed == 0]
    others = [found for passed, found in shown if passed]
    for words, part in (((), main[:1]), (say("why-main"), main[1:]), (say("why-others"), others)):
        chains = tuple(dict.fromkeys(chain for found in part for chain in found.chains if chain not in known))
        known.update(chains)
        if chains and words:
            yield Paragraph(words)
        if chains:
            yield Display(chains, "worked")
    if any(isinstance(page.derivation[name][i, j], Infinite) for _, (name, i, j) in _each(shown)):
        yield Paragraph(say("hidden", infinity=Maths(Negative(Infinity()))))
    left = _left_out(page, shown)
    if left:
        names: list[Prose] = [(Maths(page.named(*each)),) for each in left[:MOST_NAMED]]
        more = say("why-more", n=len(left) - MOST_NAMED) if len(left) > MOST_NAMED else ()
        command = Code(_command(why, page, left[0]))
        yield Paragraph(say("why-left", names=(*page.voice.beside(names), *more), command=command))
    givens = _givens(page, shown)
    if givens:
        yield Paragraph(say("why-givens", names=page.voice.listed([(Maths(symbol(n)),) for n in givens])))


def _hint(why: Why, page: Page, shown: Sequence[tuple[int, Reason]]) -> Iterator[Block]:
    (_, found), *_ = shown
    line = page.derivation.line(why.name)
    assert line is not None
    yield Paragraph(_where(why, page))
    formulas = (found.formula, *(formula for formula, _ in found.pieces))
    yield Display(formulas, "worked")
    named = {each: page.named(*each) for each in operands(page.derivation, line, why.row, why.col)}
    shown_there = set(parts(formulas))
    numbers = tuple(
        Chain(form, page.of(each[0]).links(page.derivation[each[0]][each[1:]]))
        for each, form in named.items()
        if form in shown_there
    )
    if numbers:
        yield Paragraph(page.voice.say("why-numbers"))
        yield Formulas(numbers)
    yield Paragraph(page.voice.say("why-hint"))


def _given(why: Why, page: Page) -> Iterator[Block]:
    cell = page.literal(why.name)(why.row, why.col)
    yield Display((Chain(page.named(why.name, why.row, why.col), (("=", cell),)),), "worked")
    yield Paragraph(page.voice.say("why-given"))


def _where(why: Why, page: Page) -> Prose:
    """Row and column of the entry with their tokens, that of the query first."""
    named = page.named(why.name, why.row, why.col)
    if isinstance(named, Symbol):
        return page.voice.say("why-single", entry=Maths(named))
    left, right = ("（", "）") if page.voice.lang == "zh" else (" (", ")")
    at = list(zip((why.row, why.col), page.labels(why.name), strict=True))
    (i, rows), (j, cols) = reversed(at) if page.columns else at
    return page.voice.say(
        "why-entry",
        entry=Maths(named),
        name=Maths(symbol(why.name)),
        i=i + 1,
        token=(left, rows[i], right) if rows else (),
        j=j + 1,
        other=(left, cols[j], right) if cols else (),
    )


def _each(shown: Sequence[tuple[int, Reason]]) -> Iterator[tuple[int, Named]]:
    return ((passed, found.at) for passed, found in shown)


def _left_out(page: Page, shown: Sequence[tuple[int, Reason]]) -> list[Named]:
    """The entries that those which are shown were made of, and that are not shown themselves."""
    seen = {at for _, at in _each(shown)}
    used = dict.fromkeys(each for _, found in shown for each in _computed(page, found))
    return [each for each in used if each not in seen]


def _givens(page: Page, shown: Sequence[tuple[int, Reason]]) -> list[str]:
    used = {name for _, found in shown for name, _, _ in found.operands}
    return [
        name for name, _ in page.derivation.items() if name in used and page.derivation.line(name) is None
    ]


def _written(page: Page, each: Named) -> str:
    name, i, j = each
    said = spoken(page.derivation, name)
    return said if page.derivation[name].shape == (1, 1) else f"{said}[{i + 1},{j + 1}]"


def _command(why: Why, page: Page, each: Named) -> str:
    """What shows another entry, on a command line or in Python."""
    if why.command:
        return f'{why.command} "{_written(page, each)}"'
    return f"worked.why{each!r}".replace("'", '"')


def _data(why: Why, page: Page, digits: int) -> dict[str, Any]:
    closed = ClosedForms(True)

    def number(each: Named) -> dict[str, Any]:
        x = page.derivation[each[0]][each[1:]]
        return {**place(each), "exact": closed.text(x), "decimal": decimal_digits(x, digits, None)}

    def place(each: Named) -> dict[str, Any]:
        return {"name": each[0], "row": each[1] + 1, "col": each[2] + 1}

    shown = _shown(why, page)
    entry = (why.name, why.row, why.col)
    data: dict[str, Any] = {"schema": SCHEMA, "title": page.case.title, "counted_from": 1}
    if why.hint and shown:
        (_, found), *_ = shown
        data["entry"] = {**place(entry), "formula": plain_formula(found.formula)}
        data["operands"] = [number(each) for each in found.operands]
    else:
        data["entry"] = number(entry)
        data["steps"] = [
            {
                **number(found.at),
                "working": [plain_formula(chain) for chain in found.chains],
                "made_of": [place(each) for each in found.operands],
            }
            for _, found in shown
        ]
        data["not_shown"] = [place(each) for each in _left_out(page, shown)]
    if closed.definitions:
        data["definitions"] = dict(closed.definitions)
    return data
