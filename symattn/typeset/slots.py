"""A working as MathML with slots, which a script fills with names, closed forms or decimals of entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from symattn.text.notation import (
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    rewritten,
)
from symattn.typeset.mathml import pieces, presentation

OPEN, CLOSE = "\ue000", "\ue001"
"""Around the number of an argument and the kinds of operand that need parentheses in this slot."""
_KINDS: dict[str, Callable[[Symbol], Formula]] = {
    "-": Negative,
    "+": lambda x: Sum((x, x)),
    "/": lambda x: Quotient(x, x),
    "*": lambda x: Product((x, x), "dot"),
    "^": lambda x: Power(x, x),
}


class Template(Struct, frozen=True):
    """A working in pieces between which a line may break; `products` where each is a product of slots."""

    pieces: tuple[str, ...]
    products: bool


def kind_of_form(form: Formula) -> str:
    """The kind of a formula that goes into a slot: a key of those that need parentheses somewhere, or ""."""
    match form:
        case Number(digits=digits):
            return "-" if digits.startswith("-") else ""
        case Negative():
            return "-"
        case Sum():
            return "+"
        case Quotient():
            return "/"
        case Product():
            return "*"
        case Power():
            return "^"
    return ""


def template(working: Formula) -> Template:
    """The working of entries as MathML, its slots with what must stand in parentheses in them."""
    slots = 0

    def numbered(part: Any) -> Formula | None:
        nonlocal slots
        if isinstance(part, Symbol) and part.name.startswith("@"):
            slots += 1
            return Symbol(f"{part.name}:{slots}")
        return None

    formula = rewritten(working, numbered)
    drawn = pieces(formula)
    wrapped: dict[str, str] = {}
    for kind, made in _KINDS.items() if not _is_slot(formula) else ():
        text = "".join(pieces(_put_into(formula, made)))
        for slot in _found(formula):
            inside = presentation(made(slot))
            if inside not in text.replace(f">(</mo>{inside}", ""):
                wrapped[slot.name] = wrapped.get(slot.name, "") + kind
    for slot in _found(formula):
        argument = slot.name[1:].partition(":")[0]
        mark = f"{OPEN}{argument}{wrapped.get(slot.name, '')}{CLOSE}"
        drawn = [piece.replace(f"<mi>{slot.name}</mi>", mark) for piece in drawn]
    return Template(tuple(drawn), isinstance(formula, Sum) and all(map(_is_product, formula.terms)))


def _put_into(formula: Formula, made: Callable[[Symbol], Formula]) -> Formula:
    return rewritten(formula, lambda part: made(part) if _is_slot(part) else None)


def _is_slot(part: object) -> bool:
    return isinstance(part, Symbol) and part.name.startswith("@")


def _found(formula: Formula) -> list[Symbol]:
    found: list[Symbol] = []

    def note(part: Any) -> Formula | None:
        if _is_slot(part):
            found.append(part)
        return None

    rewritten(formula, note)
    return found


def _is_product(term: Formula) -> bool:
    return isinstance(term, Product) and all(map(_is_slot, term.factors))
