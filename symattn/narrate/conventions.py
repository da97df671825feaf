"""The head of a page: where the numbers come from, the conventions in force, what the decimals are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.attention.case import Case, Given
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.columns import as_columns
from symattn.exact.forms.tree import spell_name
from symattn.exact.names import holds_names
from symattn.exact.number import Exact
from symattn.narrate.entries import divides, factor
from symattn.narrate.labels import legend
from symattn.narrate.names import symbol
from symattn.narrate.numbers import Numbers
from symattn.narrate.page import Page
from symattn.narrate.variants import variants
from symattn.narrate.voice import Voice
from symattn.plans.derive import Derivation
from symattn.plans.kinds import Powers, Projection, RelativePowers, Scaling, Waves
from symattn.plans.plan import Line, base_name
from symattn.plans.transposed import on_rows
from symattn.text.document import Block, Display, Heading, Maths, Paragraph, Prose
from symattn.text.notation import (
    Formula,
    Negative,
    Number,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    equation,
    named,
)

LONGEST_LIST = 20


def head(page: Page) -> Iterator[Block]:
    """Author, date, source and note, one line of conventions, and what stands after = and ≈."""
    if not page.headed:
        return
    voice, case = page.voice, page.case
    signed = [words for words in (case.author, case.date) if words]
    if signed:
        yield Paragraph((", ".join(signed) if voice.lang == "en" else "，".join(signed),))
    if case.source:
        yield Paragraph(voice.say("source", source=case.source.rstrip(".。")))
    if case.note:
        yield Paragraph((case.note,))
    yield Paragraph(voice.say("conventions", clauses=voice.listed(list(_clauses(page)), clauses=True)))
    words = _decimals(page)
    if _only_symbols(page):
        words = page.voice.say("no-decimals")
    elif page.case.symbols:
        names: list[Prose] = [(Maths(spell_name(name)),) for name in page.case.symbols[:LONGEST_LIST]]
        gap = "" if voice.lang == "zh" else " "
        words = (*words, gap, *voice.say("symbols", names=voice.listed(names)))
    if any(map(holds_names, page.derivation.values.values())):
        words = (*words, "" if voice.lang == "zh" else " ", *voice.say("by-names"))
    yield Paragraph(words)
    signs = dict.fromkeys((*legend(case.tokens, voice), *legend(case.memory_tokens, voice)))
    if signs:
        yield Paragraph(voice.say("labels", clauses=voice.listed(list(signs), clauses=True)))


def conventions(case: Case, derivation: Derivation, lang: str) -> Prose:
    """The conventions of a case in one sentence; of lines that a source wrote itself only their scale."""
    page = Page(case, derivation, Voice(lang, as_columns(case)), Numbers())
    if case.program is None:
        clauses = list(_clauses(page))
    else:
        scales = [op for op in (line.op for line in page.by_rows) if isinstance(op, Scaling)]
        clauses = [_scale(page, scales)] if scales else []
    return page.voice.say("conventions", clauses=page.voice.listed(clauses, clauses=True)) if clauses else ()


def givens(page: Page) -> Iterator[Block]:
    """The inputs as they were typed."""
    if page.case.given:
        yield Heading(page.voice.say("givens"))
        yield Display(givens_of(page))


def givens_of(page: Page) -> tuple[Formula, ...]:
    """The inputs as equations."""
    return tuple(
        equation(symbol(name), page.bare(name, page.grid(name, page.literal(name))))
        for name in page.derivation.given
        if page.case.given
    )


def _only_symbols(page: Page) -> bool:
    """Whether every step has free symbols in it."""
    return bool(page.case.symbols) and all(
        any(x.symbolic for row in page.shown(line.name) for x in row) for line in page.derivation
    )


def _decimals(page: Page) -> Prose:
    numbers = page.numbers
    if numbers.significant is not None:
        return page.voice.say("significant", digits=numbers.significant)
    return page.voice.say("decimals", digits=numbers.digits)


def _clauses(page: Page) -> Iterator[Prose]:
    say, settings = page.voice.say, page.case.settings
    ops = [line.op for line in page.by_rows]
    names = {base_name(line.name) for line in page.derivation}
    yield say("row-vectors")
    if page.columns and names & {"A"}:
        yield say("softmax-line")
    project = next((line.op for line in page.derivation if isinstance(on_rows(line.op), Projection)), None)
    if isinstance(project, Projection) and project.vectors:
        x = Symbol("x")
        yield say("projected-vectors", product=Maths(Product((Symbol("W"), x))), x=Maths(x))
    elif project is not None:
        yield say("projected", product=Maths(project.formula(Symbol("X"), Symbol("W"))))
    if project is not None and any(name.startswith("b_") for name in page.derivation.given):
        yield say("bias")
    own_values = "X_V" in page.derivation.given
    if "memory" in page.derivation.given:
        yield say("cross-keys" if own_values else "cross", memory=Maths(symbol("memory")))
    if own_values:
        yield say("own-values", inputs=Maths(symbol("X_V")))
    sizes = tuple(_sizes(page))
    if sizes:
        yield page.voice.beside(sizes)
    scales = [op for op in ops if isinstance(op, Scaling)]
    if scales:
        yield _scale(page, scales)
    if any(q.of_a_head and not q.weights for q in map(QUANTITIES.of, names) if q is not None):
        yield say("one-head") if settings.heads == 1 else say("heads", h=settings.heads)
    if scales or "masked" in names:
        yield from _mask(page)
    positions = next((op for op in ops if isinstance(op, Waves)), None)
    if positions is not None:
        yield say("sinusoidal" if positions.interleaved else "sinusoidal-half", start=positions.start)
        if settings.exponents != "pair":
            yield _exponents(page, settings.exponents)
    elif settings.positions == "none" and any(map(_makes_queries, page.by_rows)):
        yield say("no-positions")
    yield from variants(page)
    if settings.evaluation != "direct" and names & {"dA"}:
        yield say("gradients-direct")
    power = next((op for op in ops if isinstance(op, Powers | RelativePowers)), None)
    if power is not None:
        yield say("base", base=Maths(page.numbers.base(power.base)))


def _exponents(page: Page, kind: str) -> Prose:
    i, j, d = Symbol("i"), Symbol("j"), Symbol("d", sub=Symbol("model"))
    if kind == "full-range":
        less = Sum((Quotient(d, Number("2"), flat=True), Negative(Number("1"))))
        return page.voice.say("exponents-pair", exponent=Maths(Quotient(i, less, flat=True)), i=Maths(i))
    over = j if kind == "column" else Product((Number("2"), j))
    return page.voice.say("exponents-column", exponent=Maths(Quotient(over, d, flat=True)), j=Maths(j))


def _makes_queries(line: Line) -> bool:
    """Whether a line makes queries that are no part of given ones."""
    return base_name(line.name) == "Q" and "Q" not in map(base_name, line.args)


def _sizes(page: Page) -> Iterator[Prose]:
    """d_model of the inputs, d_k of the queries that scores are made of, and d_v where it is another one.

    Heads, or layers, with matrices given apart may have several of them.
    """
    shapes = {name: matrix.shape for name, matrix in page.by_rows.items()}
    deepest: dict[str, int] = {}
    for name in shapes:
        deepest[base_name(name)] = max(name.count("."), deepest.get(base_name(name), 0))
    found: dict[str, dict[int, None]] = {}
    for base, quantity in QUANTITIES.items():
        if base in deepest and (quantity.weights or quantity.shape == ("n", "d_model")):
            whose = (name for name in shapes if base_name(name) == base and name.count(".") == deepest[base])
            found.setdefault(quantity.shape[1], dict.fromkeys(shapes[name][1] for name in whose))
    for size, numbers in found.items():
        if size != "d_v" or numbers != found.get("d_k"):
            first, *more = (Number(str(number)) for number in numbers)
            yield page.voice.listed([Maths(equation(named(size), first)), *map(Maths, more)])


def _scale(page: Page, scales: Sequence[Scaling]) -> Prose:
    """What scores are divided by: one number, or one for each width of heads that are given apart."""
    scale = scales[0]
    each = [op for k, op in enumerate(scales) if op.divisor not in [before.divisor for before in scales[:k]]]
    if len(each) > 1:
        if all(isinstance(op.spelled, Root) and op.rooted for op in each):
            return page.voice.say("scale", divisor=Maths(scale.spelled))
        if all(map(divides, each)):
            listed = page.voice.listed([Maths(page.numbers.exact(op.divisor)) for op in each])
            return page.voice.say("scale", divisor=listed)
        return page.voice.say("factor", factor=page.voice.listed([Maths(factor(op, page)) for op in each]))
    if scale.divisor == Exact.of(1) and not isinstance(scale.spelled, Root):
        return page.voice.say("unscaled")
    if not divides(scale):
        return page.voice.say("factor", factor=Maths(factor(scale, page)))
    value = page.numbers.exact(scale.divisor)
    spelled = scale.spelled
    forms = [spelled, *_root(scale), value]
    divisor = equation(*dict.fromkeys(forms)) if spelled != value else spelled
    return page.voice.say("scale", divisor=Maths(divisor))


def _root(scale: Scaling) -> Iterator[Formula]:
    """The root of d_k as a number, √8, which comes to 2√2."""
    d = (scale.divisor * scale.divisor).rational
    if scale.rooted and d is not None and scale.divisor.rational is None:
        yield Root(Number(str(d)))


def _mask(page: Page) -> Iterator[Prose]:
    settings = page.case.settings
    if isinstance(settings.mask, Given):
        yield page.voice.say("given-mask", mask=Maths(Symbol("M")))
    elif settings.mask == "causal":
        yield page.voice.say("causal")
    elif not page.case.settings.masked:
        yield page.voice.say("no-mask")
