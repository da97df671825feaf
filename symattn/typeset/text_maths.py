"""A formula as terminal text: one line where it can be, matrices written out in two dimensions."""

from __future__ import annotations

from msgspec import Struct
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
from symattn.typeset.ansi import SOFT_BREAK
from symattn.typeset.box import BARS, Box, beside, enclosed, in_style, line
from symattn.typeset.cjk import display_width, visible
from symattn.typeset.greek import GREEK, varied
from symattn.typeset.precedence import bare, needs_parentheses, split_sign
from symattn.typeset.roles import SIGNS
from symattn.typeset.text_grid import grid_box

_SUBSCRIPTS = str.maketrans("0123456789+-()", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎")
_SUPERSCRIPTS = str.maketrans("0123456789+-()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾")
_RAISABLE = frozenset("0123456789+-()")
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_DOTS = {"across": "⋯", "down": "⋮", "diagonal": "⋱"}
_PRODUCT_SIGNS = {"": "", "dot": "·", "times": " × ", "circle": " ⊙ "}
_SERIES_SIGNS = {"sum": "∑", "max": "max", "prod": "∏"}
_ROOT_SIGNS = {2: "√", 3: "∛", 4: "∜"}


class Setter(Struct, frozen=True):
    """Sets formulas as boxes; `tall` allows a matrix to take several lines, as it may not in a sentence."""

    tall: bool = True

    def box(self, formula: Formula) -> Box:
        """The formula, unbroken."""
        match formula:
            case Number(digits=digits):
                return line(visible(digits))
            case Symbol():
                return line(self._symbol(formula))
            case Text(words=words):
                return line(visible(words))
            case Infinity():
                return line("∞")
            case Blank(digits=digits):
                return line("_" * digits)
            case Dots(direction=direction):
                return line(_DOTS[direction])
            case Sum() | Product():
                return beside("", *self.pieces(formula))
            case Negative(term=term):
                return beside("-", self._operand(term, formula))
            case Quotient():
                return self._quotient(formula)
            case Power():
                return self._power(formula)
            case Root(radicand=radicand, index=index):
                sign = _ROOT_SIGNS.get(index) or f"{str(index).translate(_SUPERSCRIPTS)}√"
                return beside(sign, self._closed(radicand))
            case Call(function=function, arguments=arguments):
                return beside(GREEK.get(function) or visible(function), enclosed(self._listed(arguments)))
            case Transpose(matrix=matrix):
                return _raised(self._operand(matrix, formula), "ᵀ")
            case Inverse(matrix=matrix):
                return _raised(self._operand(matrix, formula), "⁻¹")
            case Entry(matrix=matrix, row=row, col=col):
                return beside(self._operand(matrix, formula), _indices(row, col))
            case Grid():
                return grid_box(formula, self.box, self.tall)
            case Series():
                return self._series(formula)
            case Absolute(body=body):
                return enclosed(self.box(body), BARS)
            case Marked():
                return self._marked(formula)
            case Chain(first=first, links=links):
                parts: list[Box | str] = [self._operand(first, formula)]
                for at, (relation, value) in enumerate(links, start=1):
                    parts += [f" {relation} ", self._operand(value, formula, at)]
                return beside(*parts)

    def pieces(self, formula: Formula) -> list[Box]:
        """A sum's terms or a product's factors, each with the sign before it; else the formula alone."""
        match formula:
            case Sum(terms=terms, spelled=spelled):
                return [self._term(formula, term, at, spelled) for at, term in enumerate(terms)]
            case Product(factors=factors):
                boxes = [self._operand(factor, formula, at) for at, factor in enumerate(factors)]
                return [
                    box if at == 0 else beside(_multiplication(formula, boxes, at), box)
                    for at, box in enumerate(boxes)
                ]
            case _:
                return [self.box(formula)]

    def _term(self, parent: Sum, term: Formula, position: int, spelled: bool) -> Box:
        if position == 0:
            return self._operand(term, parent, 0)
        negative, magnitude = (False, term) if spelled else split_sign(term)
        sign = f" {SOFT_BREAK}{'-' if negative else '+'} "
        return beside(sign, self._operand(magnitude, parent, position))

    def _operand(self, child: Formula, parent: Formula, position: int = 0) -> Box:
        box = self.box(child)
        asked = needs_parentheses(_on_one_line(child), _on_one_line(parent), position)
        return enclosed(box) if asked else box

    def _closed(self, formula: Formula) -> Box:
        """The formula as what a radical sign covers: an atom bare, anything else in parentheses."""
        box = self.box(formula)
        return box if _is_atom(formula) else enclosed(box)

    def _listed(self, formulas: tuple[Formula, ...]) -> Box:
        parts: list[Box | str] = []
        for at, formula in enumerate(formulas):
            parts += [", ", self.box(formula)] if at else [self.box(formula)]
        return beside("", *parts)

    def _symbol(self, symbol: Symbol) -> str:
        stem = symbol.name.rstrip("'′")
        rest = varied(stem)
        letter = f"d{GREEK.get(rest, rest)}" if rest else GREEK.get(stem) or visible(stem)
        words = letter + symbol.name[len(stem) :]
        if symbol.sub is not None:
            words += self._script(symbol.sub, "_", _SUBSCRIPTS)
        if symbol.sup is not None:
            words += self._script(symbol.sup, "^", _SUPERSCRIPTS)
        return words

    def _script(self, formula: Formula, sign: str, letters: dict[int, int]) -> str:
        words = replace(self, tall=False).box(formula).lines[0]
        if words and set(words) <= _RAISABLE:
            return words.translate(letters)
        return f"{sign}{words}" if _is_atom(formula) else f"{sign}({words})"

    def _quotient(self, quotient: Quotient) -> Box:
        over, under = (
            self._operand(part, quotient, at) for at, part in enumerate((quotient.over, quotient.under))
        )
        loose = over.height > 1 or under.height > 1 or " " in _outside_parentheses(over.lines[0])
        return beside(over, " / " if loose else "/", under)

    def _power(self, power: Power) -> Box:
        base, exponent = self._operand(power.base, power), power.exponent
        if power.base != Symbol("e") and isinstance(exponent, Number) and _is_natural(exponent):
            return _raised(base, exponent.digits.translate(_SUPERSCRIPTS))
        raised = self.box(exponent)
        bare_exponent = _is_atom(exponent) and "_" not in raised.lines[0]
        return beside(base, "^", raised if bare_exponent else enclosed(raised))

    def _series(self, series: Series) -> Box:
        one_line = replace(self, tall=False)
        index, lower, upper = (
            one_line.box(part).lines[0] if part is not None else ""
            for part in (series.index, series.lower, series.upper)
        )
        bounds = f"{index}={lower}" if lower else index
        bounds += f"..{upper}" if upper else ""
        under = f"_{bounds}" if bounds == index and _is_atom(series.index) else f"_({bounds})"
        return beside(_SERIES_SIGNS[series.sign], under, " ", self._operand(series.body, series))

    def _marked(self, marked: Marked) -> Box:
        sign = SIGNS[marked.role]
        box = in_style(beside(sign.before, self.box(marked.body), sign.after), marked.role)
        return (
            box if marked.instead is None else beside(box, " → ", in_style(self.box(marked.instead), "right"))
        )


def _on_one_line(formula: Formula) -> Formula:
    """The formula as precedence has to see it here, where a fraction is written with a slash."""
    match formula:
        case Quotient():
            return replace(formula, flat=True)
        case Marked(body=body, instead=instead):
            right = None if instead is None else _on_one_line(instead)
            return replace(formula, body=_on_one_line(body), instead=right)
        case Sum(terms=(only,)) | Product(factors=(only,)):
            return _on_one_line(only)
        case _:
            return formula


def _is_atom(formula: Formula) -> bool:
    """Whether it reads as one thing straight after a sign such as √, ^ or _."""
    match bare(formula):
        case Number(digits=digits):
            return digits.isascii() and digits.replace(".", "", 1).isdigit()
        case Symbol(sup=None) | Infinity() | Grid() | Absolute():
            return True
        case Text(words=words):
            return words.isalnum()
        case Entry(matrix=Symbol(sub=None, sup=None), row=row, col=col):
            return row < 10 and (col is None or col < 10)
        case _:
            return False


def _is_natural(number: Number) -> bool:
    return number.digits.isascii() and number.digits.isdigit()


def _outside_parentheses(words: str) -> str:
    depth, outside = 0, ""
    for character in words:
        depth -= character in ")]"
        outside += character if depth == 0 else ""
        depth += character in "(["
    return outside


def _raised(box: Box, superscript: str) -> Box:
    """The superscript at the upper right corner."""
    corner = Box((superscript, *[" " * display_width(superscript)] * (box.height - 1)), box.baseline)
    return beside(box, corner)


def _indices(row: int, col: int | None) -> str:
    if row < 10 and (col is None or col < 10):
        return f"{row}{'' if col is None else col}".translate(_SUBSCRIPTS)
    return f"_{row}" if col is None else f"_({row},{col})"


def _multiplication(product: Product, boxes: list[Box], at: int) -> str:
    left, right = boxes[at - 1], boxes[at]
    sign = _PRODUCT_SIGNS[product.sign]
    if product.sign in {"", "dot"} and max(left.height, right.height) > 1:
        return f" {sign} "
    if product.sign == "" and right.lines[right.baseline][:1] in _RAISED:  # 5·⁶√2 is no fifth power
        return "·"
    if product.sign == "" and isinstance(bare(product.factors[at - 1]), Number) and right.height == 1:
        return " " if isinstance(bare(product.factors[at]), Call | Text | Dots) else ""
    return sign or " "
