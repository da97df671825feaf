"""Formulas put together: products, sums that begin with a plus, a coefficient before what it multiplies."""

from __future__ import annotations

from typing import Any

from symattn.text.notation import Formula, Negative, Number, Product, Quotient, Sum, rewritten


def factor(n: Any) -> list[Formula]:
    """An integer as a factor, unless it is 1."""
    return [Number(str(n))] if n != 1 else []


def product(parts: list[Formula]) -> Formula:
    """The product of the parts; of none it is 1."""
    return Number("1") if not parts else parts[0] if len(parts) == 1 else Product(tuple(parts))


def added(terms: list[Formula]) -> Formula:
    """A sum that does not begin with a minus where a plus is in it."""
    if len(terms) == 1:
        return terms[0]
    first = next((k for k, term in enumerate(terms) if not isinstance(term, Negative)), 0)
    flat: list[Formula] = []
    for term in [terms[first], *terms[:first], *terms[first + 1 :]]:
        flat += term.terms if isinstance(term, Sum) else [term]
    return Sum(tuple(flat))


def flattened(form: Formula) -> Formula:
    """The formula with its quotients on one line."""

    def slash(part: Any) -> Formula | None:
        if not isinstance(part, Quotient) or part.flat:
            return None
        return Quotient(flattened(part.over), flattened(part.under), flat=True)

    return rewritten(form, slash)


def multiple(front: Formula, parts: list[Formula]) -> Formula:
    """A coefficient beside what it multiplies."""
    if front == Number("1"):
        return product(parts)
    negative = isinstance(front, Negative) or (isinstance(front, Number) and front.digits.startswith("-"))
    if isinstance(front, Negative):
        front = front.term
    elif isinstance(front, Number) and negative:
        front = Number(front.digits[1:])
    over = front.over if isinstance(front, Quotient) else front
    form = product(parts) if over == Number("1") else Product((over, *parts))
    if isinstance(front, Quotient):
        form = Quotient(form, front.under)
    return Negative(form) if negative else form
