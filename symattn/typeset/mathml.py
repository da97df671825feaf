"""A formula as presentation MathML: the core elements that Chromium, Firefox and Safari draw alike."""

from __future__ import annotations

import html

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
    Relation,
    Root,
    Series,
    Sum,
    Symbol,
    Text,
    Transpose,
)
from symattn.typeset.cjk import visible
from symattn.typeset.greek import GREEK, varied
from symattn.typeset.mathml_grid import grid_table
from symattn.typeset.precedence import MINUS_SIGNS, bare, needs_parentheses, split_scientific, split_sign
from symattn.typeset.roles import SIGNS

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_MINUS = '<mo form="prefix">−</mo>'
_THIN_SPACE = '<mspace width="0.167em"/>'
_TALL = ("<mfrac", "<mtable", "<munder")
_SLASH = '<mo lspace="0" rspace="0">/</mo>'
_DOTS = {"across": "⋯", "down": "⋮", "diagonal": "⋱"}
_PRODUCT_SIGNS = {"": "<mo>\u2062</mo>", "dot": "<mo>⋅</mo>", "times": "<mo>×</mo>", "circle": "<mo>⊙</mo>"}
_SERIES_SIGNS = {"sum": "<mo>∑</mo>", "max": "<mi>max</mi>", "prod": "<mo>∏</mo>"}


def mathml(formula: Formula, *, block: bool = False) -> str:
    """A whole `<math>` element, inline or (with `block`) displayed."""
    return math_element(presentation(formula), block)


def math_element(inside: str, block: bool = False) -> str:
    """MathML in its root element."""
    display = ' display="block"' if block else ""
    return f'<math xmlns="{_NAMESPACE}"{display}>{inside}</math>'


def escaped(words: str) -> str:
    """User text that means itself in HTML and XML, and that shows what would otherwise act."""
    return html.escape(visible(words))


def presentation(formula: Formula) -> str:
    """The formula as exactly one MathML element."""
    match formula:
        case Number():
            return _number(formula)
        case Symbol():
            return _symbol(formula)
        case Text(words=words):
            return f"<mtext>{_text(words)}</mtext>"
        case Infinity():
            return "<mi>∞</mi>"
        case Blank():
            space = f'<mspace width="{formula.em:.1f}em" height="1.2em"/>'
            return f'<mrow style="border-bottom: .06em solid">{space}</mrow>'
        case Dots(direction=direction):
            return f'<mi mathvariant="normal">{_DOTS[direction]}</mi>'
        case Sum() | Product():
            return row(*pieces(formula))
        case Negative(term=term):
            return row(_MINUS, _operand(term, formula))
        case Quotient(over=over, under=under, flat=True):
            return row(_operand(over, formula), _SLASH, _operand(under, formula, 1))
        case Quotient(over=over, under=under):
            return f"<mfrac>{presentation(over)}{presentation(under)}</mfrac>"
        case Power(base=base, exponent=exponent):
            return f"<msup>{_operand(base, formula)}{presentation(exponent)}</msup>"
        case Root(radicand=radicand, index=2):
            return f"<msqrt>{presentation(radicand)}</msqrt>"
        case Root(radicand=radicand, index=index):
            return f"<mroot>{presentation(radicand)}<mn>{index}</mn></mroot>"
        case Call(function=function, arguments=arguments):
            listed = "<mo>,</mo>".join(map(presentation, arguments))
            return row(f"<mi>{escaped(GREEK.get(function, function))}</mi><mo>\u2061</mo>", _enclosed(listed))
        case Transpose(matrix=matrix):
            return f'<msup>{_operand(matrix, formula)}<mi mathvariant="normal">⊤</mi></msup>'
        case Inverse(matrix=matrix):
            return f"<msup>{_operand(matrix, formula)}{row(_MINUS, '<mn>1</mn>')}</msup>"
        case Entry():
            return _entry(formula)
        case Grid():
            return grid_table(formula, _cell, escaped)
        case Series():
            return _series(formula)
        case Absolute(body=body):
            return _enclosed(presentation(body), "||")
        case Marked():
            return _marked(formula)
        case Chain(first=first, links=links):
            values = (
                relation_sign(relation) + _operand(value, formula, at)
                for at, (relation, value) in enumerate(links, start=1)
            )
            return row(_operand(first, formula), *values)


def row(*parts: str) -> str:
    """Elements side by side as one element."""
    return f"<mrow>{''.join(parts)}</mrow>"


def relation_sign(relation: Relation) -> str:
    """The sign between two formulas of a chain."""
    return f'<mo form="infix" stretchy="false">{html.escape(relation)}</mo>'


def pieces(formula: Formula) -> list[str]:
    """A sum's terms or a product's factors, each with the sign before it; else the formula alone."""
    match formula:
        case Sum(terms=terms, spelled=spelled):
            return [_term(formula, term, at, spelled) for at, term in enumerate(terms)]
        case Product(factors=factors):
            return [
                (_multiplication(formula, at) if at else "") + _operand(factor, formula, at)
                for at, factor in enumerate(factors)
            ]
        case _:
            return [presentation(formula)]


def _term(parent: Sum, term: Formula, position: int, spelled: bool) -> str:
    if position == 0:
        return _operand(term, parent)
    negative, magnitude = (False, term) if spelled else split_sign(term)
    sign = f'<mo form="infix">{"−" if negative else "+"}</mo>'
    return sign + _operand(magnitude, parent, position)


def _multiplication(product: Product, position: int) -> str:
    if product.sign:
        return _PRODUCT_SIGNS[product.sign]
    left, right = (bare(product.factors[at]) for at in (position - 1, position))
    apart = any(map(_is_word, (left, right))) or isinstance(right, Call | Dots)
    return _PRODUCT_SIGNS[""] + (_THIN_SPACE if apart else "")


def _is_word(formula: Formula) -> bool:
    match formula:
        case Symbol(name=name):
            return len(name.rstrip("'′")) > 1 and name.rstrip("'′") not in GREEK
        case Text():
            return True
        case _:
            return False


def _operand(child: Formula, parent: Formula, position: int = 0) -> str:
    inside = presentation(child)
    return _enclosed(inside) if needs_parentheses(child, parent, position) else inside


def _enclosed(inside: str, fences: str = "()") -> str:
    """Between fences, which grow only where something is tall: engines stretch even `(-1)` a little."""
    still = "" if _is_tall(inside) else ' stretchy="false"'
    left, right = (
        f'<mo form="{form}" fence="true"{still}>{sign}</mo>'
        for form, sign in zip(("prefix", "postfix"), fences, strict=True)
    )
    return row(left, inside, right)


def _is_tall(inside: str) -> bool:
    return any(tag in inside for tag in _TALL)


def _text(words: str) -> str:
    """Escaped words whose blanks MathML may not swallow."""
    return escaped(words).replace(" ", "\u00a0")


def _number(number: Number) -> str:
    mantissa, exponent = split_scientific(number)
    if exponent is None:
        return _signed(mantissa)
    return row(_signed(mantissa), "<mo>×</mo>", f"<msup><mn>10</mn>{_signed(exponent)}</msup>")


def _signed(digits: str) -> str:
    if digits.startswith(MINUS_SIGNS):
        return row(_MINUS, f"<mn>{escaped(digits[1:])}</mn>")
    return f"<mn>{escaped(digits)}</mn>"


def _letter(name: str) -> str:
    """A name: one letter is italic by itself, a Greek capital upright as in TeX; fonts raise primes."""
    stem = name.rstrip("'′")
    if stem and stem != name:
        primes = "′" * (len(name) - len(stem))
        return row(_letter(stem), f'<mo lspace="0" rspace="0">{primes}</mo>')
    if "+" in stem.strip("+"):
        return row("<mo>+</mo>".join(map(_letter, stem.split("+"))))
    if rest := varied(name):
        return row('<mi mathvariant="normal">d</mi>', _letter(rest))
    letter = GREEK.get(name)
    if letter and letter.isupper():
        return f'<mi mathvariant="normal">{letter}</mi>'
    return f"<mi>{letter or _text(name)}</mi>"


def _symbol(symbol: Symbol) -> str:
    return _scripted(_letter(symbol.name), symbol.sub, symbol.sup)


def _scripted(base: str, sub: Formula | None, sup: Formula | None) -> str:
    below, above = (presentation(part) if part is not None else "" for part in (sub, sup))
    if below and above:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    if below:
        return f"<msub>{base}{below}</msub>"
    return f"<msup>{base}{above}</msup>" if above else base


def _entry(entry: Entry) -> str:
    comma = "<mo>,</mo>" if max(entry.row, entry.col or 0) > 9 else ""
    indices = row(f"<mn>{entry.row}</mn>", *([] if entry.col is None else [comma, f"<mn>{entry.col}</mn>"]))
    match entry.matrix:
        case Symbol(sub=None, sup=Text() | Number() | Symbol() as sup):
            return f"<msubsup>{_letter(entry.matrix.name)}{indices}{presentation(sup)}</msubsup>"
        case matrix:
            return f"<msub>{_operand(matrix, entry)}{indices}</msub>"


def _series(series: Series) -> str:
    lower = presentation(series.index)
    if series.lower is not None:
        lower = row(lower, "<mo>=</mo>", presentation(series.lower))
    sign = _SERIES_SIGNS[series.sign] + lower
    if series.upper is None:
        big = f"<munder>{sign}</munder>"
    else:
        big = f"<munderover>{sign}{presentation(series.upper)}</munderover>"
    return row(big, _THIN_SPACE, _operand(series.body, series))


def _marked(marked: Marked) -> str:
    body, tail = _cell(marked)
    return row(body, tail) if tail else body


def _cell(formula: Formula) -> tuple[str, str]:
    """An entry of a matrix: itself, and what an audit wrote after it.

    A marked one has its role as class and the role's sign; a slip's line is drawn by the style sheet.
    """
    if not isinstance(formula, Marked):
        return presentation(formula), ""
    role, sign = formula.role, SIGNS[formula.role]
    before, after = ("", "") if role == "slip" else (sign.before, sign.after)
    hook = f"<mtext>{before}</mtext>" if before else ""
    inside = presentation(formula.body)
    kind = "tall body" if _is_tall(inside) else "body"
    body = f'<mrow class="{role}">{hook}<mrow class="{kind}">{inside}</mrow></mrow>'
    tail = f'<mtext class="{role}">{after}</mtext>' if after else ""
    if formula.instead is not None:
        tail += f'<mo stretchy="false">→</mo><mrow class="instead">{presentation(formula.instead)}</mrow>'
    return body, row(tail) if tail else ""
