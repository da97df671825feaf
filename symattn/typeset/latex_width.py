"""How wide a formula gets in print, in em: an estimate from above, close enough to break lines by.

One em is the text size (10.95 pt at 11pt). The figures are those of Computer Modern, rounded up; the
tests hold them against TeX's own boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symattn.text.document import Code, Inline, Maths, Prose, Strong, Verdict
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
from symattn.typeset.greek import GREEK
from symattn.typeset.latex_text import estimated_em, shortened
from symattn.typeset.precedence import needs_parentheses, split_scientific, split_sign

RELATION = 1.34  # a relation sign with the space around it
OPERATOR = 1.23  # a plus or minus between terms
SIGNS = {"": 0.0, "dot": 0.73, "times": 1.23, "circle": 1.23}
WIDEST_INLINE = 24.0  # a wider formula is displayed, or made smaller in a table or heading
COLUMN_GAP = 0.93
BRACKETS = 1.8  # both delimiters of a grid of any height
LABEL_GAP = 0.4
GAP = 2.0  # the \qquad between formulas side by side
_SMALLER = 0.74  # an exponent, or a part of a fraction inside a line
_LETTERS = {
    **dict.fromkeys("iljt.,:;'|!()[]fI-/ ", 0.4),
    **dict.fromkeys("mwMW%@—…&", 1.03),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ~^<>+=_", 0.79),
}


def text_width(words: str) -> float:
    """Words in the text font."""
    return sum(map(_character, words))


def prose_width(prose: Prose) -> float:
    """A whole prose on one line."""
    return sum(map(_inline, prose))


def label_width(label: str) -> float:
    """A row or column label, which is set small."""
    return _SMALLER * text_width(shortened(label))


def width(formula: Formula, display: bool = True) -> float:
    """The formula unbroken, in a display or (with smaller fractions) inside a line or a cell."""
    match formula:
        case Number():
            mantissa, exponent = split_scientific(formula)
            power = 0 if exponent is None else 2.25 + _SMALLER * 0.55 * len(exponent)
            return _numeral(mantissa) + power
        case Symbol(name=name, sub=sub, sup=sup):
            scripts = max(_script(sub), _script(sup)) if name else 0.0
            return _name(name) + scripts
        case Text(words=words):
            return text_width(words)
        case Infinity():
            return 1.0
        case Blank():
            return formula.em
        case Dots():
            return 1.2
        case Sum(terms=terms):
            gaps = OPERATOR * max(0, len(terms) - 1)
            return gaps + sum(term_width(formula, i, display) for i in range(len(terms)))
        case Negative(term=term):
            return 0.78 + _operand(term, formula, 0, display)
        case Product(factors=factors, sign=sign):
            gaps = (SIGNS[sign] or 0.17) * max(0, len(factors) - 1)
            return gaps + sum(_operand(factor, formula, i, display) for i, factor in enumerate(factors))
        case Quotient(over=over, under=under, flat=True):
            return 0.5 + _operand(over, formula, 0, display) + _operand(under, formula, 1, display)
        case Quotient(over=over, under=under):
            size = 1.0 if display else _SMALLER
            return 0.26 + size * max(width(over, False), width(under, False))
        case Power(base=base, exponent=exponent):
            return _operand(base, formula, 0, display) + _script(exponent)
        case Root(radicand=radicand, index=index):
            return 1.05 + (0.3 if index != 2 else 0) + width(radicand, display)
        case Call(function=function, arguments=arguments):
            gaps = 0.45 * max(0, len(arguments) - 1)
            return (
                0.2
                + (0.6 if function in GREEK else text_width(function))
                + BRACKETS
                + gaps
                + sum(width(a, display) for a in arguments)
            )
        case Transpose(matrix=matrix):
            return _operand(matrix, formula, 0, display) + 0.62
        case Inverse(matrix=matrix):
            return _operand(matrix, formula, 0, display) + 0.95
        case Entry(matrix=matrix, row=row, col=col):
            digits = len(f"{row}{'' if col is None else col}")
            return _operand(matrix, formula, 0, display) + _SMALLER * (0.5 * digits + 0.1)
        case Grid():
            return grid_width(formula)
        case Series(lower=lower, upper=upper, index=index_of, body=body):
            start = _script(index_of) + (0.0 if lower is None else 0.6 + _script(lower))
            return max(1.5, start, _script(upper)) + 0.3 + _operand(body, formula, 0, display)
        case Absolute(body=body):
            return 0.7 + width(body, display)
        case Marked(body=body, role="used"):
            return width(body, display)
        case Marked(body=body, instead=instead):
            return width(body, display) + 0.75 + (0 if instead is None else width(instead, display))
        case Chain(first=first, links=links):
            return width(first, display) + sum(RELATION + width(value, display) for _, value in links)


def term_width(formula: Sum, position: int, display: bool) -> float:
    """One term of a sum as it prints there, without the sign that leads it."""
    term = formula.terms[position]
    negative, magnitude = (False, term) if position == 0 or formula.spelled else split_sign(term)
    return _operand(magnitude if negative else term, formula, position, display)


def column_widths(formula: Grid) -> list[float]:
    """The natural width of every column, with its label."""
    columns = zip(*formula.rows, strict=True)
    natural = [max(map(width, column)) for column in columns]
    heads = [label_width(label) for label in formula.col_labels]
    return [max(cell, head) for cell, head in zip(natural, heads or natural, strict=False)]


def frame_width(formula: Grid) -> float:
    """What stands around the cells: brackets and row labels."""
    labels = max(map(label_width, formula.row_labels), default=0.0)
    return BRACKETS + labels + (LABEL_GAP if formula.row_labels else 0.0)


def grid_width(formula: Grid) -> float:
    columns = column_widths(formula) if formula.rows else []
    return frame_width(formula) + sum(columns) + COLUMN_GAP * max(0, len(columns) - 1)


def _operand(child: Formula, parent: Formula, position: int, display: bool) -> float:
    parentheses = 0.0
    if needs_parentheses(child, parent, position):
        parentheses = 1.5 if _is_tall(child) else 0.8
    return parentheses + width(child, display)


def _script(formula: Formula | None) -> float:
    return 0.0 if formula is None else 0.06 + _SMALLER * width(formula, display=False)


def _is_tall(formula: Formula) -> bool:
    match formula:
        case Quotient(flat=False) | Grid() | Series():
            return True
        case Sum(terms=parts) | Product(factors=parts) | Call(arguments=parts):
            return any(map(_is_tall, parts))
        case Negative(term=part) | Root(radicand=part) | Marked(body=part) | Absolute(body=part):
            return _is_tall(part)
        case Power(base=part) | Transpose(matrix=part) | Inverse(matrix=part):
            return _is_tall(part)
        case _:
            return False


def _numeral(digits: str) -> float:
    return sum(0.29 if character in ".," else 0.5 if character.isdigit() else 0.78 for character in digits)


def _name(name: str) -> float:
    if name in GREEK:
        return 0.8
    if len(name) == 1 and name.isascii():
        return {"m": 0.88, "w": 0.72, "M": 1.05, "W": 1.08}.get(name, 0.85 if name.isupper() else 0.6)
    return text_width(name)


def _character(character: str) -> float:
    em = estimated_em(character)
    return _LETTERS.get(character, 0.58) if em is None else em


def _inline(inline: Inline) -> float:
    match inline:
        case Maths(formula=formula):
            return width(formula, display=False)
        case Strong(words=words) | Code(words=words) | Verdict(words=words):
            return 1.15 * text_width(words) + 0.4
        case str():
            return text_width(inline)


def filled(
    formulas: Sequence[Formula], room: float, gap: float = GAP, measure: Callable[[Formula], float] = width
) -> list[tuple[Formula, ...]]:
    """Formulas in lines of as many as fit side by side in `room` em, with `gap` em between them."""
    lines: list[list[Formula]] = []
    left = 0.0
    for formula in formulas:
        needed = measure(formula)
        if not lines or needed > left:
            lines.append([])
            left = room
        lines[-1].append(formula)
        left -= needed + gap
    return [tuple(line) for line in lines]
