"""Displayed formulas as one MathML table: relation signs below one another, long chains in several rows."""

from __future__ import annotations

from symattn.notation import Chain, Formula, Sum
from symattn.typeset.mathml import math_element, pieces, presentation, relation_sign, row
from symattn.typeset.text_maths import Setter

_BREADTH = 84  # characters of a formula, as a terminal would show it, that fit on a line of the page

_SETTER = Setter()


def display(formulas: tuple[Formula, ...]) -> str:
    """A displayed `<math>` with one or more rows a formula."""
    rows = [line for formula in formulas for line in _rows(formula)]
    return math_element(
        f'<mtable class="aligned" displaystyle="true" columnalign="right left">{"".join(rows)}</mtable>',
        block=True,
    )


def _rows(formula: Formula) -> list[str]:
    match formula:
        case Chain(first=first, links=(_, *_) as links):
            left = _breadth(first)
            lines: list[list[str]] = [[]]
            used = left
            for at, (relation, value) in enumerate(links):
                size = _breadth(value) + 3
                if at and used + size > _BREADTH:
                    lines.append([])
                    used = left
                parts = _broken(value, _BREADTH - used)
                lines[-1].append(relation_sign(relation) + parts[0])
                lines += [[part] for part in parts[1:]]
                used += size if len(parts) == 1 else _BREADTH
            lefts = [presentation(first), *[""] * (len(lines) - 1)]
            return [_aligned(name, "".join(line)) for name, line in zip(lefts, lines, strict=True)]
        case _:
            first_part, *rest = _broken(formula, _BREADTH)
            alone = f'<mtr><mtd class="alone" columnspan="2" columnalign="left">{first_part}</mtd></mtr>'
            return [alone, *(_aligned("", part) for part in rest)]


def _aligned(left: str, right: str) -> str:
    tall = ' class="tall"' if "<mtable" in right else ""
    return f'<mtr{tall}><mtd class="left">{left}</mtd><mtd class="right"><mrow>{right}</mrow></mtd></mtr>'


def _broken(formula: Formula, breadth: int) -> list[str]:
    """A long sum in rows of terms, each but the first set in by a quad and led by its sign."""
    if not isinstance(formula, Sum) or _breadth(formula) <= breadth:
        return [presentation(formula)]
    lines: list[list[str]] = []
    room = 0
    for term, set_term in zip(formula.terms, pieces(formula), strict=True):
        size = _breadth(term) + 3
        if not lines or size > room:
            lines.append([])
            room = breadth if len(lines) == 1 else _BREADTH - 8
        lines[-1].append(set_term)
        room -= size
    return [row('<mspace width="2em"/>' if at else "", *line) for at, line in enumerate(lines)]


def _breadth(formula: Formula) -> int:
    return _SETTER.box(formula).width
