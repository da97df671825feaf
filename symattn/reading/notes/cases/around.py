"""What an example has around plain attention: a layer, a temperature, masks as matrices, positions.

The documents print it; the keys of the case say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.case import Given, Settings
from symattn.exact.matrix import Matrix
from symattn.reading.notes.cases.encodings import Encoding
from symattn.reading.notes.cases.evidence import Evidence
from symattn.reading.notes.formulas.names import ROWS
from symattn.reading.notes.linking.learned import MASK
from symattn.reading.notes.linking.ledger import Ledger, Print, value
from symattn.reading.notes.linking.start import IN_A_LAYER, full, given_of

FEWEST = 2
"""How many scores it takes to tell what they are divided by."""
LARGEST = 20
"""The largest denominator of a temperature."""
WEIGHED = frozenset({"exp", "sum", "A", "Z"})
"""What a temperature changes."""
NEAR = Fraction(1, 50)
MADE_WIDE = frozenset({"b_Q", "b_K", "b_V", "b_1"})
"""Biases of what is as wide as weights make it, and not as wide as the tokens again."""


def inputs_of(ledger: Ledger) -> tuple[dict[str, Given], dict[int, int] | None]:
    """The inputs that are printed whole, and the rows of the queries where X has only the last ones."""
    found: dict[str, Given] = {}
    rows = None
    width = 1 + max((col for _, col in ledger.given.get("X", ())), default=0)
    for name, cells in ledger.given.items():
        table = full(cells)
        if table is None and name == "X":
            printed = sorted({row for row, _ in cells})
            rows = {row: i for i, row in enumerate(printed)}
            table = full({(rows[row], col): num for (row, col), num in cells.items()})
        if table is None:
            continue
        if name in ROWS and len(table[0]) == 1:
            table = ((table[0][0],) * _width_of(name, ledger, width),)  # `γ = 1` stands for a row of them
        if name == MASK:
            seen = tuple(tuple("0" if num.text == "-inf" else "1" for num in row) for row in table)
            found[name] = Given(seen, Matrix.rational([[int(each) for each in row] for row in seen]))
        else:
            found[name] = given_of(table)
    return found, rows


def _width_of(name: str, ledger: Ledger, width: int) -> int:
    """How wide a bias is, where the tokens are so wide: as what its weights make of a token."""
    if name not in MADE_WIDE or not (cells := ledger.given.get(f"W_{name[2:]}")):
        return width
    rows, cols = (1 + max(cell[side] for cell in cells) for side in (0, 1))
    return rows if cols == width != rows else cols


def ungained(prints: Sequence[Print], ledger: Ledger) -> list[Print]:
    """The prints, with normalised rows as those of the norm itself where nothing scales or shifts them.

    Each is a print of its own, never the one of the ledger: prints are told apart by what they are, not say.
    """
    plain = {
        f"norm_{k}.normalised": f"norm_{k}"
        for k in (1, 2)
        if not ledger.given.keys() & {f"gamma_{k}", f"beta_{k}"}
    }
    return [replace(made, name=plain.get(made.name, made.name)) for made in prints]


def surroundings(
    prints: Sequence[Print],
    given: dict[str, Given],
    evidence: Evidence,
    encoding: Encoding | None,
    heads: int,
) -> Settings:
    """The conventions that what is printed settles by itself; a printed mask leaves the inputs for them."""
    mask = given.pop(MASK, None)
    padding = evidence.said("padding")
    return Settings(
        heads=heads,
        mask="none" if mask is None else "causal" if _causal(mask) else mask,
        padding=_row(padding) if padding is not None and mask is None else None,
        temperature=_told(prints, evidence) or _temperature(prints),
        layer=_layer(prints),
        positions="sinusoidal" if encoding is not None else "none",
        start=encoding.start if encoding is not None else 0,
    )


def _told(prints: Sequence[Print], evidence: Evidence) -> str | None:
    """The temperature that is declared, unless all weights and what they weigh stand above it."""
    said = evidence.declared.get("temperature")
    weighed = [made.num.start for made in prints if made.name in WEIGHED]
    late = (
        said is not None and "temperature" not in evidence.given and 0 < max(weighed, default=0) < said.start
    )
    return None if late else evidence.said("temperature")


def _temperature(prints: Sequence[Print]) -> str | None:
    """What all scaled scores are divided by to give those that are printed as tempered, if it is one."""
    cells = {(made.name, made.row, made.col): value(made.num) for made in reversed(prints)}
    tempered = {at: q for at, q in cells.items() if at[0] == "tempered" and q}
    ratios = [
        scaled / q for (_, row, col), q in tempered.items() if (scaled := cells.get(("scaled", row, col)))
    ]
    if len(ratios) < FEWEST or len(ratios) < len(tempered):
        return None
    middle = sorted(ratios)[len(ratios) // 2].limit_denominator(LARGEST)
    alike = all(abs(ratio - middle) <= NEAR * middle for ratio in ratios)
    return str(middle) if alike and middle > 0 else None


def _layer(prints: Sequence[Print]) -> str:
    names = {made.name for made in prints} & IN_A_LAYER
    return "none" if not names else "residual" if names == {"residual_1"} else "post-norm"


def _causal(mask: Given) -> bool:
    return all((cell == "0") == (j > i) for i, row in enumerate(mask.typed) for j, cell in enumerate(row))


def _row(said: str) -> Given:
    typed = tuple(part.strip() for part in said.split(","))
    return Given((typed,), Matrix.rational([[int(part) for part in typed]]))
