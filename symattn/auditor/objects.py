"""How a document was read, as plain data: what each printed object was taken for, and by which formula."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from symattn.attention.case import Place


class Operand(Struct, frozen=True):
    """A printed object that a formula uses; a single number may have no name."""

    name: str
    place: Place


class Explanation(Struct, frozen=True):
    """One formula for the numbers of an object.

    `source` says where the formula comes from (the names of `symattn.notes.interpreter.reading.Rank` in lower
    case). `hints` are the bits that speak for it; of `numbers` it makes `right` right, within their rounding,
    and `wrong` wrong.
    """

    source: str
    formula: str
    operands: tuple[Operand, ...]
    hints: Mapping[str, float]
    numbers: int
    right: int
    wrong: int


class PrintedObject(Struct, frozen=True):
    """A number, row or matrix of a document, and what it was taken for.

    `reading` is None for what nothing before it explains; it is then `given` where a formula uses it. `sure`
    says that the reading may accuse numbers. `runner_up` is the next reading, `lost` why it was not chosen.
    """

    name: str
    shape: tuple[int, ...]
    first: Place
    last: Place
    given: bool = False
    sure: bool = False
    reading: Explanation | None = None
    runner_up: Explanation | None = None
    lost: str | None = None
