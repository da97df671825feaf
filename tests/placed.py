"""Where the reader of notes puts every claimed number."""

from __future__ import annotations

from symattn.reading.notes import read_notes


def placed(text: str) -> list[tuple[str, int, int, str]]:
    """Every claimed number with its quantity, row and column."""
    return [
        (claim.name, claim.row + i, claim.col + j, number)
        for case in read_notes(text).cases
        for claim in case.stated
        for i, row in enumerate(claim.values)
        for j, number in enumerate(row)
    ]
