"""Displayed formulas as one MathML table: relation signs below one another, long chains in several rows."""

from __future__ import annotations

from symattn.text.notation import Chain, Formula, Sum
from symattn.typeset.mathml import math_element, pieces, presentation, relation_sign, row
from symattn.typeset.text_maths import Setter

_BREADTH = 84  # characters of a formula, as a terminal would show it, that fit on a line of the page

_SETTER = Setter()


def display(formulas: tuple[Formula, ...]) -> str:
    """A displayed `<math>` with one or more rows a formula; narrow screens break them before a `link`."""
    rows = [line for formula in formulas for line, _ in _rows(formula)]
    return math_element(
        f'<mtable class="aligned" displaystyle="true" columnalign="right left">{"".join(rows)}</mtable>',
        block=True,
    )


def breadth(formulas: tuple[Formula, ...]) -> int:
    """The widest row, in characters as a terminal would show it."""
    return max((size for formula in formulas for _, size in _rows(formula)), default=0)


def _rows(formula: Formula) -> list[tuple[str, int]]:
    """The rows of one formula, each with its breadth."""
    match formula:
        case Chain(first=first, links=(_, *_) as links):
            left = _breadth(first)
            lines: list[list[str]] = [[]]
            used = [left]
            for at, (relation, value) in enumerate(links):
                size = _breadth(value) + 3
                if at and used[-1] + size > _BREADTH:
                    lines.append([])
                    used.append(left)
                parts = _broken(value, _BREADTH - used[-1])
                lines[-1].append(f'<mrow class="link">{relation_sign(relation)}{parts[0]}</mrow>')
                lines += [[part] for part in parts[1:]]
                whole = len(parts) == 1
                used[-1] = used[-1] + size if whole else _BREADTH
                used += [_BREADTH] * (len(parts) - 1)
            lefts = [presentation(first), *[""] * (len(lines) - 1)]
            rows = [_aligned(name, "".join(line)) for name, line in zip(lefts, lines, strict=True)]
            return list(zip(rows, used, strict=True))
        case _:
            first_part, *rest = _broken(formula, _BREADTH)
            alone = f'<mtr><mtd class="alone" columnspan="2" columnalign="left">{first_part}</mtd></mtr>'
            size = _BREADTH if rest else _breadth(formula)
            return [(alone, size), *((_aligned("", part), _BREADTH) for part in rest)]


def _aligned(left: str, right: str) -> str:
    tall = ' class="tall"' if "<mtable" in right else ""
    name = f'<mtd class="left">{row(left)}</mtd>'
    return f'<mtr{tall}>{name}<mtd class="right">{row(right)}</mtd></mtr>'


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
