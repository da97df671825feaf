"""Worked sums without their zeros and ones: `1·0 + 2·1` is `2`.

Between two equals signs numerals are exact; of rounded ones only the digits 0 and 1 themselves are left out,
for 1.0000 may stand for less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from msgspec.structs import replace

from symattn.text.document import Block, Display, Panels
from symattn.text.notation import Chain, Formula, Negative, Number, Product, Quotient, Relation, Sum

_ZERO, _ONE = Number("0"), Number("1")


def elided(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks with zeros and ones left out of their displayed sums and products."""
    for block in blocks:
        match block:
            case Display(lines=lines):
                yield replace(
                    block, lines=tuple(_line(each) if isinstance(each, Chain) else each for each in lines)
                )
            case Panels(panels=panels):
                inner = (replace(panel, blocks=tuple(elided(panel.blocks))) for panel in panels)
                yield replace(block, panels=tuple(inner))
            case _:
                yield block


def without_zeros_and_ones(formula: Formula, *, exact: bool = True) -> Formula:
    """The formula without terms that have a factor 0, and without factors 1."""

    def short(part: Formula) -> Formula:
        return without_zeros_and_ones(part, exact=exact)

    match formula:
        case Sum(terms=terms):
            kept = [term for term in map(short, terms) if not _is(term, "0", exact)]
            return replace(formula, terms=tuple(kept)) if len(kept) > 1 else kept[0] if kept else _ZERO
        case Product(factors=factors):
            found = [*map(short, factors)]
            if any(_is(factor, "0", exact) for factor in found):
                return _ZERO
            kept = [factor for factor in found if not _is(factor, "1", exact)]
            return replace(formula, factors=tuple(kept)) if len(kept) > 1 else kept[0] if kept else _ONE
        case Negative(term=term):
            found_term = short(term)
            return _ZERO if _is(found_term, "0", exact) else replace(formula, term=found_term)
        case Quotient(over=over):
            return replace(formula, over=short(over))
        case _:
            return formula


def _line(chain: Chain) -> Chain:
    """The chain with its links elided; of two equal values in a row, the later one is kept."""
    links: list[tuple[Relation, Formula]] = []
    for sign, value in chain.links:
        link = sign, without_zeros_and_ones(value, exact=sign == "=")
        if links and links[-1][0] == sign and _same(links[-1][1], link[1]):
            links.pop()
        links.append(link)
    return replace(chain, links=tuple(links))


def _is(formula: Formula, digit: str, exact: bool) -> bool:
    if not isinstance(formula, Number):
        return False
    return formula.digits == digit or (exact and _value(formula) == Decimal(digit))


def _same(one: Formula, other: Formula) -> bool:
    if isinstance(one, Number) and isinstance(other, Number):
        return _value(one) is not None and _value(one) == _value(other)
    return one == other


def _value(number: Number) -> Decimal | None:
    try:
        return Decimal(number.digits.replace("−", "-"))
    except ArithmeticError:
        return None
