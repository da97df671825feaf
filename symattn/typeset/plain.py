"""Formulas on one plain line: `X W_Q`, `Q K^T`, `scores / sqrt(d_k)`. For JSON and messages."""

from __future__ import annotations

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
from symattn.typeset.precedence import needs_parentheses

_SIGNS = {"": " ", "dot": "*", "times": " x ", "circle": " o "}


def plain_formula(formula: Formula) -> str:
    """One line of plain characters, in the spelling of the JSON contract."""
    match formula:
        case Number(digits=digits):
            return digits
        case Symbol(name=name, sub=sub, sup=sup):
            text = name if sub is None else f"{name}_{plain_formula(sub)}"
            return text if sup is None else f"{text}^{plain_formula(sup)}"
        case Text(words=words):
            return words
        case Infinity():
            return "oo"
        case Blank(digits=digits):
            return "_" * digits
        case Sum(terms=terms):
            return _sum(formula, terms)
        case Negative(term=term):
            return f"-{_within(term, formula, 0)}"
        case Product(factors=factors, sign=sign):
            return _SIGNS[sign].join(_within(factor, formula, k) for k, factor in enumerate(factors))
        case Quotient(over=over, under=under):
            return f"{_tight(over)} / {_tight(under)}"
        case Power(base=base, exponent=exponent):
            return f"{_tight(base)}^{_tight(exponent)}"
        case Root(radicand=radicand, index=index):
            return (
                f"sqrt({plain_formula(radicand)})"
                if index == 2
                else f"({plain_formula(radicand)})^(1/{index})"
            )
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(plain_formula(argument) for argument in arguments)})"
        case Transpose(matrix=matrix):
            return f"{_tight(matrix)}^T"
        case Inverse(matrix=matrix):
            return f"{_tight(matrix)}^(-1)"
        case Entry(matrix=matrix, row=row, col=col):
            return (
                f"{plain_formula(matrix)}[{row}]" if col is None else f"{plain_formula(matrix)}[{row}, {col}]"
            )
        case Grid(rows=rows):
            return "[" + ", ".join("[" + ", ".join(map(plain_formula, row)) + "]" for row in rows) + "]"
        case Dots():
            return "..."
        case Series(sign=sign, index=index, body=body):
            return f"{sign}_{_tight(index)} {plain_formula(body)}"
        case Absolute(body=body):
            return f"|{plain_formula(body)}|"
        case Marked(body=body):
            return plain_formula(body)
        case Chain(first=first, links=links):
            return plain_formula(first) + "".join(f" {sign} {plain_formula(value)}" for sign, value in links)


def _sum(formula: Formula, terms: tuple[Formula, ...]) -> str:
    text = _within(terms[0], formula, 0)
    for k, term in enumerate(terms[1:], start=1):
        if isinstance(term, Negative):
            text += f" - {_tight(term.term)}"
        else:
            text += f" + {_within(term, formula, k)}"
    return text


def _within(child: Formula, parent: Formula, position: int) -> str:
    text = plain_formula(child)
    return f"({text})" if needs_parentheses(child, parent, position) else text


def _tight(child: Formula) -> str:
    """The child as an operand that binds tightly: sums, products and quotients in parentheses."""
    text = plain_formula(child)
    return f"({text})" if isinstance(child, Sum | Product | Quotient | Negative | Chain) else text
