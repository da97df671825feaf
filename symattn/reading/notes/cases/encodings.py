"""Positional encodings: a walk of their own, or added to the inputs of one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from symattn.case import Case, Given, Settings
from symattn.floats import matrix_to_floats
from symattn.reading.notes.cases.explained import Fit, explained
from symattn.reading.notes.linking.ledger import Print
from symattn.reading.notes.result import Convention

PROJECTED = ("Q", "K", "V")
MOST_COLUMNS = 16
_OF_POWERS = re.compile(r"10000 ?(?:\^|\*\*) ?[({]* ?\d+ ?/ ?(\d{1,5})")
_WIDTHS = re.compile(r"\bd(?:_?\{?(?:\\text\{)?model\}*)? ?= ?(\d{1,5})")
"""Of how many columns an encoding is: by what its powers are taken of, or by the width of the model."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """What is added to the inputs: the sinusoidal encoding from position `start`, or one that is given."""

    known: bool
    start: int = 0


def added(
    prints: Sequence[Print], given: Mapping[str, Given], position: int | None, said: bool
) -> Encoding | None:
    """The encoding that an example prints or is `said` to add to its inputs, None where it adds none.

    Where it prints none of it, its queries, keys and values tell at which position it starts, and whether its
    inputs are sums already. Whole numbers below its first row are no sines.
    """
    if "X" not in given or not (said or any(made.name == "X+PE" for made in prints)):
        return None
    told = [made for made in prints if made.name in ("PE", "X+PE")]
    inputs = {"X": given["X"]}
    if not told:
        told = [made for made in prints if made.name in PROJECTED]
        inputs |= {f"W_{name}": given[f"W_{name}"] for name in PROJECTED if f"W_{name}" in given}
    floats = {name: matrix_to_floats(each.values) for name, each in inputs.items()}

    def explains(start: int, positions: str = "sinusoidal") -> Fit:
        case = Case("", inputs, settings=Settings(positions=positions, start=start))
        return explained(case, told, given=floats)

    start = max((0, 1) if position is None else (position,), key=explains)
    if told[:1] and told[0].name in PROJECTED and explains(0, "none") > explains(start):
        return None
    own = [made for made in told if made.name == "PE"]
    later = [made for made in own if made.row]
    whole = bool(later) and all(made.num.text.lstrip("-").isdigit() for made in later)
    sinusoidal = 2 * max(map(explains, (0, 1, start)))[0] >= len(told) and not whole
    return Encoding(not own or sinusoidal, start)


def of_any_width(prints: Sequence[Print], text: str) -> list[Print]:
    """The entries of an encoding that can be computed whatever its width, where that is said to be large.

    Only the first two columns do without it, and an encoding of many columns is never printed whole.
    """
    widths = _OF_POWERS.findall(text) or _WIDTHS.findall(text)
    columns = max(made.col for made in prints) + 1
    large = min(map(int, widths), default=0) > max(columns + 1, MOST_COLUMNS)
    return [made for made in prints if made.col < 2 or not large]


def alone(prints: Sequence[Print], case: Case, position: int | None) -> tuple[Case, tuple[Convention, ...]]:
    """A positional encoding that stands alone, from the position said or the one that explains most."""
    n, m = max(made.row for made in prints) + 1, max(made.col for made in prints) + 1

    def at(start: int) -> Case:
        settings = Settings(positions="sinusoidal", start=start, d_model=m + m % 2)
        word = "位置" if case.lang == "zh" else "position"
        return replace(case, settings=settings, tokens=tuple(f"{word} {start + i}" for i in range(n)))

    def explains(case: Case) -> Fit:
        return explained(case, prints)

    best = max(map(at, (0, 1) if position is None else (position,)), key=explains)
    return best, (Convention("positions", "sinusoidal", inferred=True),)
