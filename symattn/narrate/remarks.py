"""What was proved about a step, as sentences with their reasons; and what could not be decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from symattn.exact.decision import equal
from symattn.exact.number import Exact, Infinite
from symattn.narrate.measures import measures
from symattn.narrate.names import entry, symbol
from symattn.narrate.numbers import length
from symattn.narrate.page import KEPT, LARGEST, Page
from symattn.plans.kinds import Mixture, Powers
from symattn.plans.plan import Line, base_name
from symattn.plans.transposed import on_rows
from symattn.text.document import Block, Maths, Prose, Remark
from symattn.text.notation import (
    Chain,
    Dots,
    Formula,
    Negative,
    Number,
    Product,
    Relation,
    Sum,
    Symbol,
    Transpose,
    equation,
)

if TYPE_CHECKING:
    from symattn.checks.facts import Fact

LONG_SHIFT = 30
CONDITIONS = MappingProxyType({"nonzero": "condition-nonzero", "positive": "condition-positive"})
TOO_LONG = MappingProxyType({"row-sums": "undecided-sums", "relative-positions": "undecided-positions"})
"""What is said of facts that take too many steps to decide."""


def remarks(page: Page, names: Sequence[str]) -> Iterator[Block]:
    """The facts about the quantities of one section, kind by kind."""
    about = [fact for fact in _facts(page) if fact.name in names and page.shows(fact.name)]
    for kind, told in TOLD.items():
        found = [fact for fact in about if fact.kind == kind and fact.decided]
        if found:
            yield from told(page, found)
    for name in names:
        yield from measures(page, [fact for fact in about if fact.name == name])
    for fact in about:
        if not fact.decided and fact.kind == "order" and fact.rows[0] < LARGEST:
            yield _remark(page, "note", page.voice.say("undecided-order", i=fact.rows[0] + 1))
    for kind, said in TOO_LONG.items():
        left: list[Prose] = [
            (Maths(symbol(fact.name)),) for fact in about if fact.kind == kind and not fact.decided
        ]
        if left:
            yield _remark(page, "note", page.voice.say(said, names=page.voice.listed(left)))
    for fact in about:
        if fact.kind in CONDITIONS and fact.value is not None:
            number = Maths(page.of(fact.name).exact(fact.value))
            yield _remark(page, "note", page.voice.say(CONDITIONS[fact.kind], x=number))
    entries = [
        (Maths(entry(name, i, j)),)
        for name in names
        if page.numbers.undecided and name in page.derivation.values
        for i, j in page.places(name)
        if page.measured(name)[i, j] in page.numbers.undecided
    ]
    if entries:
        yield _remark(page, "note", page.voice.say("undecided", entries=page.voice.listed(entries)))


def _facts(page: Page) -> Sequence[Fact]:
    """The facts about the rows of `page.computation`."""
    return tuple(fact.transposed() for fact in page.facts) if page.columns else page.facts


def _sums(page: Page, found: Sequence[Fact]) -> Iterator[Block]:
    for fact in found:
        words = "sums-to-one-decided" if page.order(fact.name) == "none" else "sums-to-one"
        yield _remark(page, "proved", page.voice.say(words, name=Maths(symbol(fact.name))))


def _row_sums(page: Page, found: Sequence[Fact]) -> Iterator[Block]:
    for fact in found:
        assert fact.value is not None
        line = page.by_rows.line(fact.name)
        assert line is not None
        weights = line.args[0]
        softmax = _scores(page, weights) is not None and _sum_to_one(page, weights)
        words = "row-sums-zero" if softmax and not fact.value else "row-sums"
        total = _less_than_one(page, line, fact.value) or page.of(fact.name).exact(fact.value)
        yield _remark(
            page, "proved", page.voice.say(words, name=Maths(symbol(fact.name)), total=Maths(total))
        )


def _relative(page: Page, found: Sequence[Fact]) -> Iterator[Block]:
    for fact in found:
        m, n = Symbol("m"), Symbol("n")
        difference = Sum((n, Negative(m)))
        by_m, by_n, by_both = (Symbol("R", sub=by) for by in (m, n, difference))
        said = page.voice.say(
            "relative-positions",
            name=Maths(symbol(fact.name)),
            m=Maths(m),
            n=Maths(n),
            difference=Maths(difference),
            R=Maths(by_m),
            turned=Maths(equation(Product((Transpose(by_m), by_n)), by_both)),
        )
        yield _remark(page, "proved", said)


def _less_than_one(page: Page, line: Line, value: Exact) -> Formula | None:
    """1 - lambda, where one number is an argument and the value is one less it."""
    for name in line.args:
        matrix = page.by_rows[name]
        if matrix.shape == (1, 1) and equal(Exact.of(1) - matrix[0, 0], value):
            return equation(Sum((Number("1"), Negative(symbol(name)))), page.of(name).exact(value))
    return None


def _equal_rows(page: Page, found: Sequence[Fact]) -> Iterator[Block]:
    for fact in found:
        rows = page.voice.listed([str(i + 1) for i in fact.rows])
        said = page.voice.say("equal-rows", rows=rows, name=Maths(symbol(fact.name)))
        yield _remark(page, "proved", (*said, *_why_equal(page, fact)))


def _why_equal(page: Page, fact: Fact) -> Prose:
    say = page.voice.say
    line = page.by_rows.line(fact.name)
    source = line.args[0] if line is not None and line.args else ""
    if page.order(fact.name) is None:
        if line is not None and not line.op.rowwise:
            return say("because-decided")
        same = any(
            other.kind == "equal-rows" and other.name == source and set(fact.rows) <= set(other.rows)
            for other in _facts(page)
        )
        return say("because-rows", of=Maths(symbol(source))) if same else say("because-decided")
    scores = _scores(page, fact.name)
    if scores is None:
        return say("because-decided")
    matrix = page.by_rows[scores]
    a, b = fact.rows[:2]
    shifts = [
        matrix[a, k] - matrix[b, k]
        for k in range(matrix.shape[1])
        if not isinstance(matrix[a, k], Infinite) and not isinstance(matrix[b, k], Infinite)
    ]
    if not shifts or not all(equal(shift, shifts[0]) is True for shift in shifts):
        return say("because-decided")
    if not shifts[0]:
        return say("because-same-scores")
    shift = page.of(scores).exact(shifts[0] if _positive(page, shifts[0]) else -shifts[0])
    if len(fact.rows) > 2 or length(shift) > LONG_SHIFT:
        return say("because-constant-shift")
    return say("because-shift", shift=Maths(shift))


def _positive(page: Page, x: Exact) -> bool:
    decimal = page.numbers.decimal(x)
    return decimal is None or not decimal.digits.startswith("-")


def _constants(page: Page, found: Sequence[Fact]) -> Iterator[Block]:
    """Entries that are exactly rational, together where they have one reason."""
    reasons = [(_why_constant(page, fact), fact) for fact in found if _worth_telling(page, fact)]
    for reason, group in groupby(sorted(reasons, key=lambda pair: str(pair[0])), key=lambda pair: pair[0]):
        facts = [fact for _, fact in group]
        shown = facts[:KEPT]
        equations: list[Prose] = [(Maths(_constant(page, fact)),) for fact in shown]
        if len(facts) > len(shown):
            equations.append((Maths(Dots()),))
        said = page.voice.say("constant", entries=page.voice.listed(equations))
        yield _remark(page, "proved", (*said, *reason))


def _constant(page: Page, fact: Fact) -> Formula:
    assert fact.col is not None
    assert fact.value is not None
    return equation(page.entry(fact.name, fact.rows[0], fact.col), page.of(fact.name).exact(fact.value))


def _worth_telling(page: Page, fact: Fact) -> bool:
    """Zeros of a mask and what a concatenation copies were told before."""
    hidden = page.order(fact.name) is not None and fact.value is not None and not fact.value
    return not hidden and base_name(fact.name) != "concat"


def _why_constant(page: Page, fact: Fact) -> Prose:
    say, d = page.voice.say, page.by_rows
    line = d.line(fact.name)
    i, j = fact.rows[0], fact.col or 0
    weighs = page.order(fact.name) is not None
    if line is None or not (weighs or line.op.rowwise):
        return say("because-decided")
    if weighs:
        scores = _scores(page, fact.name)
        if scores is None:
            return say("because-decided")
        row = [d[scores][i, k] for k in range(d[scores].shape[1])]
        seen = [x for x in row if not isinstance(x, Infinite)]
        if len(seen) == 1:
            return say("because-alone")
        return say("because-tie", i=i + 1) if all(x == seen[0] for x in seen) else say("because-decided")
    if isinstance(line.op, Mixture):
        weights, values = line.args
        column = [d[values][k, j] for k in range(d[values].shape[0])]
        if all(x == column[0] for x in column) and _sum_to_one(page, weights):
            count = page.voice.say("nth-column", k=j + 1)
            return say("because-constant-column", count=count, of=Maths(symbol(values)))
        source = weights
    else:
        source = line.args[0]
    if all(d[source][i, k].rational is not None for k in range(d[source].shape[1])):
        return say("because-rational-row", i=i + 1, of=Maths(symbol(source)))
    return say("because-decided")


def _scores(page: Page, weights: str) -> str | None:
    """The name of what the softmax was taken of."""
    line = page.derivation.line(weights)
    exp = page.derivation.line(line.args[0]) if line is not None else None
    return exp.args[0] if exp is not None and isinstance(on_rows(exp.op), Powers) else None


def _orders(page: Page, found: Sequence[Fact]) -> Iterator[Block]:
    """The order of attention in each row, with the names of the tokens."""
    orders: list[Prose] = []
    told = [fact for fact in found if len(_visible(page, fact)) > 1]
    for fact in told[: LARGEST if page.every_entry or len(told) <= LARGEST else KEPT]:
        rows, cols = page.labels_by_token(fact.name)
        i = fact.rows[0]
        row = page.voice.say("this-row", i=i + 1)
        query = page.voice.say("this-token", token=rows[i]) if rows else row
        orders.append(_attends(page, fact, query, cols))
    if orders:
        words = {"same": "orders", "reversed": "orders-reversed", "none": "orders-of-weights"}
        said = words[page.order(found[0].name) or "none"]
        yield _remark(page, "order", page.voice.say(said, orders=page.voice.listed(orders, clauses=True)))


def _sum_to_one(page: Page, weights: str) -> bool:
    """Whether every row of weights was proved to sum to 1."""
    return any(fact.kind == "sums-to-one" and fact.name == weights for fact in _facts(page))


def _visible(page: Page, fact: Fact) -> list[tuple[int, int]]:
    """The keys that are not hidden, largest weight first, each with the number of its group of ties."""
    i, scores = fact.rows[0], _scores(page, fact.name)
    return [
        (k, g)
        for g, group in enumerate(fact.order)
        for k in group
        if scores is None or not isinstance(page.by_rows[scores][i, k], Infinite)
    ]


def _attends(page: Page, fact: Fact, query: Prose, cols: Sequence[str]) -> Prose:
    """What one query attends to most, and the order of all its keys where there are more than two."""
    say, ranked = page.voice.say, _visible(page, fact)
    if len({group for _, group in ranked}) == 1:
        return say(
            "alike" if len(ranked) == page.by_rows[fact.name].shape[1] else "alike-visible", query=query
        )
    order = _order(page, fact, cols)
    if not cols:
        return say("ordered", query=query, order=order)
    most = [k for k, group in ranked if group == ranked[0][1]]
    own = fact.rows[0] if page.queries == cols else None
    names = [say("itself") if k == own else say("this-token", token=cols[k]) for k in most]
    if len(ranked) == 2:
        return say("attends-most-of-two", query=query, largest=page.voice.listed(names))
    return say("attends-most", query=query, largest=page.voice.listed(names), order=order)


def _order(page: Page, fact: Fact, cols: Sequence[str]) -> Prose:
    i = fact.rows[0]
    ranked = _visible(page, fact)
    shown = ranked if len(ranked) <= LARGEST else ranked[:KEPT]
    signs = [" = " if g == before else " > " for (_, before), (_, g) in pairwise(shown)]
    if cols:
        words = cols[shown[0][0]] + "".join(s + cols[k] for s, (k, _) in zip(signs, shown[1:], strict=True))
        return (words + (" > …" if len(shown) < len(ranked) else ""),)
    links: list[tuple[Relation, Formula]] = [
        ("=" if s == " = " else ">", page.entry(fact.name, i, k))
        for s, (k, _) in zip(signs, shown[1:], strict=True)
    ]
    if len(shown) < len(ranked):
        links.append((">", Dots()))
    return (Maths(Chain(page.entry(fact.name, i, shown[0][0]), tuple(links))),)


def _remark(page: Page, label: str, words: Prose) -> Remark:
    title = page.voice.say(label)[0]
    assert isinstance(title, str)
    return Remark(title, words, "note" if label == "note" else "proved")


def _masked_rows(page: Page, found: Sequence[Fact]) -> Iterator[Block]:
    """Where nothing was exponentiated a row without weights need not be masked: all its products are 0."""
    say = page.voice.say
    for fact in found:
        where = page.voice.listed([say("this-row", i=i + 1) for i in fact.rows])
        weights = page.derivation.line(fact.name)
        divided = page.derivation.line(weights.args[0]) if weights is not None else None
        masked = divided is None or isinstance(on_rows(divided.op), Powers)
        kind = "masked-row" if masked else "empty-row"
        yield _remark(page, "note", say(kind, where=where, name=Maths(symbol(fact.name))))


TOLD: Mapping[str, Callable[[Page, Sequence[Fact]], Iterator[Block]]] = MappingProxyType(
    {
        "sums-to-one": _sums,
        "row-sums": _row_sums,
        "relative-positions": _relative,
        "masked-row": _masked_rows,
        "equal-rows": _equal_rows,
        "constant": _constants,
        "order": _orders,
    }
)
"""How each kind of fact is told, in the order of the page."""
