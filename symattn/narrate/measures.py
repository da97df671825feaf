"""Log-sum-exp and entropy of every softmax of a head, as one short table. Shannon 1948, section 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.exact.number import Exact
from symattn.narrate.names import symbol
from symattn.narrate.page import Page
from symattn.plans.plan import head_of
from symattn.text.document import Block, Maths, Paragraph, Prose, Table
from symattn.text.notation import Call, Chain, Formula, Negative, Number, Product, Series, Symbol, equation

if TYPE_CHECKING:
    from symattn.checks.facts import Fact

LONG_MEASURE = 9


def measures(page: Page, facts: Sequence[Fact]) -> Iterator[Block]:
    """The table of the log-sum-exps and entropies of one head; none where every query sees a single key."""
    entropies = [fact for fact in facts if fact.kind == "entropy"]
    if not any(fact.value for fact in entropies):
        return
    name = entropies[0].name
    sums = {fact.rows: fact for fact in facts if fact.kind == "log-sum-exp"}
    d, h = _log_sum(name, Symbol("i")), equation(_entropy(name, Symbol("i")), _defined(page, name))
    words = "measures-shifted" if f"{_tag(name)}shifted" in page.derivation else "measures"
    yield Paragraph(page.voice.say(words, i=Maths(Symbol("i")), d=Maths(d), h=Maths(h)))
    labels, _ = page.labels_by_token(name)
    rows: list[tuple[Prose, ...]] = []
    for fact in entropies:
        i = fact.rows[0]
        index = Number(str(i + 1))
        told = ((_log_sum(name, index), sums[fact.rows]), (_entropy(name, index), fact))
        show = _value if page.short else _chain
        cells = ((Maths(show(page, named, each.value)),) for named, each in told if each.value is not None)
        rows.append(((labels[i] if labels else str(i + 1),), *cells))
    header: tuple[Prose, ...] = tuple(page.voice.say(key) for key in ("measured", "log-sum-exp", "entropy"))
    if page.short:
        header = (header[0], (Maths(d),), (Maths(_entropy(name, Symbol("i"))),))
    yield Table(header, tuple(rows), "lll")


def _log_sum(name: str, index: Formula) -> Formula:
    total = symbol(f"{_tag(name)}sum")
    return Call("ln", (Symbol(total.name, sub=index, sup=total.sup),))


def _tag(name: str) -> str:
    return f"{head_of(name)}." if head_of(name) else ""


def _entropy(name: str, index: Formula) -> Formula:
    return Symbol("H", sub=index, sup=symbol(name).sup)


def _defined(page: Page, name: str) -> Formula:
    """-sum over k of A_ik ln A_ik; A_ki where queries are columns."""
    i, k, a = Symbol("i"), Symbol("k"), symbol(name)
    weight = Symbol(a.name, sub=Product((k, i) if page.columns else (i, k)), sup=a.sup)
    return Negative(Series("sum", k, None, None, Product((weight, Call("ln", (weight,))))))


def _chain(page: Page, named: Formula, x: Exact) -> Formula:
    return Chain(named, page.numbers.links(x, longest=LONG_MEASURE))


def _value(page: Page, named: Formula, x: Exact) -> Formula:
    """The decimal alone, or what there is instead."""
    links = page.numbers.links(x, longest=LONG_MEASURE)
    return links[-1][1] if links else named
