"""A given entry as it was typed: 0.50 keeps its digits, `1/sqrt(2)` becomes a fraction with a root."""

from __future__ import annotations

from symattn.attention.case import Case, Given
from symattn.exact.forms.tree import Style, spell_name
from symattn.exact.literal import Binary, Call, Name, Node, Numeral, Unary, numeral_or_none, parse
from symattn.exact.numeral import ONE_FOR_ONE
from symattn.exact.spell import spell
from symattn.plans.kinds import Masking
from symattn.plans.plan import Plan
from symattn.text.notation import Call as Applied
from symattn.text.notation import (
    Formula,
    Infinity,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)


def typed(given: Given, i: int, j: int, style: Style) -> Formula:
    """Entry (i, j) of a given as its source has it; a percentage by its value."""
    characters = given.typed[i][j].strip().translate(ONE_FOR_ONE).replace("_", "")
    if "%" in characters:
        return spell(given.values[i, j], style)
    if numeral_or_none(characters) is not None:
        return Number(characters.removeprefix("+"))
    return _written(parse(characters))


def has_point(given: Given) -> bool:
    """Whether an entry was typed with a decimal point or in percent."""
    return any("." in cell or "%" in cell or "．" in cell for row in given.typed for cell in row)


def styles_of(case: Case, plan: Plan) -> dict[str, Style]:
    """The style of each quantity: decimals where anything that it comes from was typed as decimals."""
    styles: dict[str, Style] = {name: _style(has_point(given)) for name, given in case.given.items()}
    mask = case.settings.mask
    for line in plan:
        masked = isinstance(line.op, Masking) and isinstance(mask, Given) and has_point(mask)
        styles[line.name] = _style(masked or any(styles.get(name) == "decimal" for name in line.args))
    return styles


def _style(decimal: bool) -> Style:
    return "decimal" if decimal else "fraction"


def _written(node: Node) -> Formula:
    match node:
        case Numeral(text=text):
            return (
                Number(text.removesuffix("%"))
                if "%" not in text
                else Quotient(Number(text[:-1]), Number("100"))
            )
        case Name(name="oo" | "inf"):
            return Infinity()
        case Name(name=name):
            return Symbol(name) if name in ("pi", "e", "E") else spell_name(name)
        case Unary(sign=sign, operand=operand):
            return Negative(_written(operand)) if sign == "-" else _written(operand)
        case Binary(operator="/", left=left, right=right):
            over, under = _written(left), _written(right)
            if isinstance(over, Negative):  # -2/7 is minus two sevenths, which a product puts in parentheses
                return Negative(Quotient(over.term, under))
            return Quotient(over, under)
        case Binary(operator="^", left=left, right=right):
            return Power(_written(left), _written(right))
        case Binary(operator="*", left=left, right=right):
            factors = (_written(left), _written(right))
            return Product(factors, "dot" if isinstance(factors[1], Number | Quotient) else "")
        case Binary(operator=operator, left=left, right=right):
            second = _written(right)
            return Sum((_written(left), Negative(second) if operator == "-" else second))
        case Call(function="sqrt", argument=argument):
            return Root(_written(argument))
        case Call(function=function, argument=argument):
            return Applied({"log": "ln"}.get(function, function), (_written(argument),))
