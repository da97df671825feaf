"""Runs of digits that were numbers: `111001` is six of them, `0.330.67` two, `-0.190.51` two.

A run is only split where one way fits: digits one by one, decimals with one number of places, or the values
of the workings before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

RUN = r"-?\d(?:-?\d)+|(?:-?\d+\.\d+){2,}|(?:-?\d+/\d+(?:\.\d+)?){2,}"
MOST_PLACES = 8


def split(run: str, worked: Sequence[str] = ()) -> list[str]:
    """The numbers of a run, none where several ways fit; `worked` are the values that the text works out."""
    if worked and "".join(worked) == run:
        return list(worked)
    if "." not in run and "/" not in run:
        return re.findall(r"-?\d", run)
    ways: list[list[str]] = []
    for places in range(1, MOST_PLACES + 1):
        decimal = rf"\d{{1,4}}?\.\d{{{places}}}"
        piece = rf"-?\d{{1,4}}?/\d{{1,3}}\.\d{{{places}}}" if "/" in run else f"-?{decimal}"
        pieces = re.findall(piece, run)
        if "".join(pieces) == run and not any(re.match(r"-?0\d", part) for part in pieces):
            ways.append(pieces)
    return ways[0] if len(ways) == 1 else []
