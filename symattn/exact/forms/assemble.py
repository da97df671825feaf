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
    positive = without_minus(front)
    negative = positive is not None
    front = positive or front
    over = front.over if isinstance(front, Quotient) else front
    form = product(parts) if over == Number("1") else Product((over, *parts))
    if isinstance(front, Quotient):
        form = Quotient(form, front.under)
    return Negative(form) if negative else form


def without_minus(form: Formula) -> Formula | None:
    """The formula less its minus, which a sum has where all its terms do; None where there is none."""
    match form:
        case Negative(term=term):
            return term
        case Number(digits=digits) if digits.startswith("-"):
            return Number(digits[1:])
        case Sum(terms=terms):
            bare = [without_minus(term) for term in terms]
            return None if None in bare else Sum(tuple(term for term in bare if term is not None))
    return None
