"""Log-sum-exp and entropy of every softmax of a head, as one short table. Shannon 1948, section 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.narrate.names import symbol
from symattn.narrate.numbers import Link
from symattn.narrate.page import Page
from symattn.plans.plan import head_of
from symattn.text.document import Block, Maths, Paragraph, Prose, Table
from symattn.text.notation import Call, Chain, Formula, Negative, Number, Product, Series, Symbol

if TYPE_CHECKING:
    from symattn.checks.facts import Fact

LONG_MEASURE = 9


def measures(page: Page, facts: Sequence[Fact]) -> Iterator[Block]:
    """The log-sum-exps and entropies of one head, as a table, those of one row as a sentence.

    Nothing where every query sees a single key.
    """
    entropies = [fact for fact in facts if fact.kind == "entropy"]
    if not any(fact.value for fact in entropies):
        return
    name = entropies[0].name
    sums = {fact.rows: fact for fact in facts if fact.kind == "log-sum-exp"}
    words = "measures-shifted" if f"{_tag(name)}shifted" in page.derivation else "measures"

    def said(index: Formula, *values: tuple[Link, ...]) -> tuple[Maths, Maths]:
        """What the two are called in a row, with their values."""
        d, h = values or ((), ())
        defined: Link = ("=", _defined(page, name, index))
        return Maths(Chain(_log_sum(name, index), d)), Maths(Chain(_entropy(name, index), (defined, *h)))

    def links(fact: Fact) -> tuple[Link, ...]:
        return () if fact.value is None else page.numbers.links(fact.value, longest=LONG_MEASURE)

    if page.by_rows[name].shape[0] == 1:
        d, h = said(Number("1"), *(links(fact) for fact in (sums[entropies[0].rows], entropies[0])))
        yield Paragraph(page.voice.sentence(page.voice.say(words, d=d, h=h)))
        return
    i = Symbol("i")
    d, h = said(i)
    yield Paragraph(page.voice.say("measures-of-each", i=Maths(i), what=page.voice.say(words, d=d, h=h)))
    labels, _ = page.labels_by_token(name)
    rows: list[tuple[Prose, ...]] = []
    for fact in entropies:
        at = fact.rows[0]
        index = Number(str(at + 1))
        told = ((_log_sum(name, index), links(sums[fact.rows])), (_entropy(name, index), links(fact)))
        cells = (
            (Maths(found[-1][1] if page.short else Chain(named, found)),) for named, found in told if found
        )
        rows.append(((labels[at] if labels else str(at + 1),), *cells))
    header: tuple[Prose, ...] = tuple(page.voice.say(key) for key in ("measured", "log-sum-exp", "entropy"))
    if page.short:
        header = (header[0], (Maths(_log_sum(name, i)),), (Maths(_entropy(name, i)),))
    yield Table(header, tuple(rows), "lll")


def _log_sum(name: str, index: Formula) -> Formula:
    total = symbol(f"{_tag(name)}sum")
    return Call("ln", (Symbol(total.name, sub=index, sup=total.sup),))


def _tag(name: str) -> str:
    return f"{head_of(name)}." if head_of(name) else ""


def _entropy(name: str, index: Formula) -> Formula:
    return Symbol("H", sub=index, sup=symbol(name).sup)


def _defined(page: Page, name: str, i: Formula) -> Formula:
    """-sum over k of A_ik ln A_ik; A_ki where queries are columns."""
    k, a = Symbol("k"), symbol(name)
    weight = Symbol(a.name, sub=Product((k, i) if page.columns else (i, k)), sup=a.sup)
    return Negative(Series("sum", k, None, None, Product((weight, Call("ln", (weight,))))))
