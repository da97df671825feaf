"""When a formula needs parentheses inside another: one set of rules for every typesetter.

A typesetter asks `needs_parentheses(child, parent, position)` for each operand that it writes beside,
above or below another one, and `split_sign(term)` for each term of a sum. What a construct encloses by
itself (the arguments of a call, the cells of a grid, a radicand, both parts of a stacked fraction, an
exponent that is raised) never needs any. A typesetter that writes a fraction on one line asks with
`replace(quotient, flat=True)`, and one that cannot raise an exponent encloses it by its own rule.

`Marked`, and a sum or product of a single operand, are looked through: they bind as what is in them.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from symattn.text.notation import (
    Absolute,
    Blank,
    Call,
    Chain,
    Dots,
    Entry,
    Formula,
    Grid,
    Infinity,
    Inverse,
    Marked,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Sum,
    Symbol,
    Text,
    Transpose,
)

MINUS_SIGNS = ("-", "−")
_WHOLE = frozenset(
    (Absolute, Blank, Call, Entry, Grid, Infinity, Inverse, Power, Root, Symbol, Text, Transpose)
)
"""What binds closer than signs and products do, and does not begin with a minus."""
_LOOSE = frozenset((Chain, Negative, Quotient, Series))
TERM = _WHOLE
FIRST_FACTOR = _WHOLE | {Number}
LATER_FACTOR = _WHOLE - {Power}
"""What needs no parentheses as a term of a sum, as the first of factors without signs or as any factor."""
UNSIGNED = _WHOLE | {Chain, Dots, Marked, Quotient, Series}
"""What `split_sign` leaves as it is."""
_LOOKED_THROUGH = frozenset((Marked, Product, Sum))


def bare(formula: Formula) -> Formula:
    """The formula that decides how this one binds: without marks, without one-operand sums and products."""
    if type(formula) not in _LOOKED_THROUGH:
        return formula
    match formula:
        case Marked(body=body):
            return bare(body)
        case Sum(terms=(only,)) | Product(factors=(only,)):
            return bare(only)
        case _:
            return formula


def starts_with_minus(formula: Formula) -> bool:
    """Whether the formula prints with a minus first: -x, -3, -2x, -x + y, -1/2 on one line."""
    match bare(formula):
        case Negative():
            return True
        case Number(digits=digits):
            return digits.startswith(MINUS_SIGNS)
        case Sum(terms=(first, *_)):
            return starts_with_minus(first)
        case Product(factors=(first, *_), sign=""):
            return starts_with_minus(first)
        case Quotient(over=over, flat=True):
            return starts_with_minus(over)
        case _:
            return False


def split_sign(term: Formula) -> tuple[bool, Formula]:
    """(True, magnitude) if a sum writes the term with a minus, else (False, the term itself).

    -x gives x, -3 gives 3, (-2)x gives 2x. A marked term keeps its sign, because the mark covers it;
    so does a worked product (-2)·3.
    """
    if type(term) in UNSIGNED:
        return False, term
    match term:
        case Negative(term=inner):
            return True, inner
        case Number(digits=digits) if digits.startswith(MINUS_SIGNS):
            return True, Number(digits[1:])
        case Sum(terms=(only,)):
            return split_sign(only)
        case Product(factors=(first, *rest), sign=sign) if sign == "" or not rest:
            negative, magnitude = split_sign(first)
            # -(a + b) c must not become - a + b c: the factor keeps its place, and so its parentheses.
            return negative, replace(term, factors=(magnitude, *rest)) if negative else term
        case _:
            return False, term


def leads(formula: Sum) -> list[tuple[str, Formula]]:
    """(lead, magnitude) of every term; the lead is "" for the first, `+` or `-` for the others."""
    if formula.spelled:
        return [("+" if position else "", term) for position, term in enumerate(formula.terms)]
    signed = map(split_sign, formula.terms[1:])
    later = [("-" if negative else "+", magnitude) for negative, magnitude in signed]
    return [("", formula.terms[0]), *later] if formula.terms else later


def split_scientific(number: Number) -> tuple[str, str | None]:
    """(mantissa, exponent of ten) of `2.61e-17`, as ("2.61", "-17"); (digits, None) of anything else."""
    if number.digits.isdigit():
        return number.digits, None
    mantissa, mark, exponent = number.digits.replace("E", "e").partition("e")
    if not mark or not exponent.lstrip("+-−").isdigit():
        return number.digits, None
    sign = "-" if exponent.startswith(MINUS_SIGNS) else ""
    return mantissa, sign + (exponent.lstrip("+-−").lstrip("0") or "0")


def needs_parentheses(child: Any, parent: Any, position: int) -> bool:
    """Whether `child`, as operand number `position` of `parent`, has to be put into parentheses.

    `position` counts from 0 in the order of the parent's fields: terms of a Sum, factors of a Product,
    (over, under) of a Quotient, (base, exponent) of a Power; 0 for the operand of Negative, Transpose,
    Inverse and Entry and for the body of a Series; 0 for the first formula of a Chain, then its links.

    In a Sum that is not spelled, ask with the magnitude that `split_sign` returns, at its position: it
    says True for the sum in a - (b + c).
    """
    kind, outer = type(child), type(parent)
    if outer is Product:
        if kind in (LATER_FACTOR if position or parent.sign else FIRST_FACTOR):
            return False
        if kind is Power:
            return position > 0 and not parent.sign and type(bare(child.base)) is Number
    elif outer is Sum:
        if kind in TERM or (kind is Quotient and not child.flat):
            return False
    elif outer in _LOOSE and (kind in _WHOLE or (kind is Number and child.digits.isdigit())):
        return False
    elif outer is Power and (position or kind is Symbol):
        return position == 0 and child.sup is not None
    if isinstance(child, Marked) and child.instead is not None:
        unmarked = (child.body, child.instead)
        return any(needs_parentheses(part, parent, position) for part in unmarked)
    inner = bare(child)
    match parent:
        case Sum(terms=terms) if len(terms) > 1:
            return _in_sum(inner, parent, position)
        case Product(factors=factors) if len(factors) > 1:
            return _in_product(inner, parent, position)
        case Negative():
            return isinstance(inner, Sum | Chain) or starts_with_minus(inner)
        case Quotient(flat=True):
            return _in_slash(inner, position)
        case Power():
            return position == 0 and not _takes_superscript(inner)
        case Transpose() | Inverse():
            return not _takes_superscript(inner)
        case Entry():
            return not (isinstance(inner, Symbol) and inner.sub is None)
        case Series():
            return isinstance(inner, Sum | Chain) or starts_with_minus(inner)
        case Chain():
            return isinstance(inner, Chain)
        case _:
            return False


def _in_sum(inner: Formula, parent: Sum, position: int) -> bool:
    match inner:
        case Chain():
            return True
        case Sum():
            return position > 0
        case Series():
            return position < len(parent.terms) - 1
        case _:
            return position > 0 and starts_with_minus(inner)


def _in_product(inner: Formula, parent: Product, position: int) -> bool:
    last = len(parent.factors) - 1
    match inner:
        case Sum() | Chain() | Negative():
            return not (position == 0 and isinstance(inner, Negative) and parent.sign == "")
        case Series():
            return position < last
        case Product(sign=sign):
            if starts_with_minus(inner):
                return position > 0 or parent.sign != ""
            # Whoever nests on the right means the grouping: Q (K^T V). On the left it is the usual reading.
            return position > 0 if sign == parent.sign else sign != ""
        case Quotient(flat=True):
            return True
        case _:
            if starts_with_minus(inner):
                return position > 0 or parent.sign != ""
            return parent.sign == "" and position > 0 and _runs_into(parent.factors[position - 1], inner)


def _in_slash(inner: Formula, position: int) -> bool:
    if isinstance(inner, Sum | Chain | Quotient | Series):
        return True
    if position == 0:
        return False
    return isinstance(inner, Product | Negative) or starts_with_minus(inner) or _is_scientific(inner)


def _takes_superscript(inner: Formula) -> bool:
    """Whether an exponent may be set straight on it: x, 3, Q_{12}, |x|, a grid."""
    match inner:
        case Number():
            return not starts_with_minus(inner) and not _is_scientific(inner)
        case Symbol(sup=sup):
            return sup is None
        case Sum(terms=()) | Product(factors=()):
            return True
        case Entry(matrix=matrix):
            return not (isinstance(matrix, Symbol) and matrix.sup is not None)
        case (
            Sum()
            | Negative()
            | Product()
            | Quotient()
            | Power()
            | Root()
            | Call()
            | Transpose()
            | Inverse()
            | Series()
            | Chain()
        ):
            return False
        case _:
            return True


def _is_scientific(inner: Formula) -> bool:
    return isinstance(inner, Number) and split_scientific(inner)[1] is not None


def _runs_into(left: Formula, right: Formula) -> bool:
    """Whether two factors side by side would read as one numeral: 2 3, x 3, 2 1/2."""
    match bare(right):
        case Power(base=base):
            return isinstance(bare(base), Number)
        case Number():
            return True
        case Quotient():
            return isinstance(bare(left), Number)
        case _:
            return False
