"""What the rows of a quantity should be, from the numbers printed before them; it decides about links only.

Floats decide about the link, never about a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from symattn.reading.notes.linking.closeness import Vector
from symattn.reading.notes.linking.ledger import Ledger, size

LARGEST = 64
LARGEST_LOGIT = 500.0
PROJECTED = {"Q": "W_Q", "K": "W_K", "V": "W_V", "output": "W_O"}


class Maker:
    """Makes rows by the steps of the walk, on the numbers that the ledger holds so far.

    `sizes` may know d_k; `bare` says that nothing is scaled, `causal` that a query sees no later key.
    """

    def __init__(self, ledger: Ledger, sizes: Mapping[str, int], bare: bool, causal: bool) -> None:
        self.ledger, self.sizes, self.bare, self.causal = ledger, sizes, bare, causal
        self.made: dict[tuple[str, int], tuple[Vector, ...]] = {}
        self.tables: dict[str, list[Vector]] = {}
        self.known: tuple[object, ...] = ()

    @property
    def d_k(self) -> int:
        """The width of the keys, as far as it is known; 0 where it is not."""
        return (
            self.sizes.get("d_k")
            or self.ledger.widths.get("K", 0)
            or self.ledger.shape("W_K")[1]
            or self.ledger.widths.get("Q", 0)
        )

    def ways(self, name: str, row: int) -> Sequence[Vector]:
        """What a row should be, in each way of making it that the text leaves open.

        It is worked out again only where something else is known than before.
        """
        self._forget()
        if (name, row) not in self.made:
            self.made[name, row] = tuple(self._ways(name, row))
        return self.made[name, row]

    def _forget(self) -> None:
        known = (self.ledger.changes, self.sizes.get("d_k"), self.bare, self.causal)
        if known != self.known:
            self.known = known
            self.made.clear()
            self.tables.clear()

    def _ways(self, name: str, row: int) -> Iterator[Vector]:
        match name:
            case "Q" | "K" | "V":
                yield from self._projected(self._given(self._source(name), row), PROJECTED[name])
            case "output":
                for z in self._known("Z", row):
                    yield from self._projected(z, PROJECTED[name])
            case "scores":
                yield from self._scores(row)
            case "scaled" if self.d_k and not self.bare:
                widths = dict.fromkeys((self.d_k, self.ledger.widths.get("K", 0) or self.d_k))
                for scores, width in product(self._known("scores", row), widths):
                    yield [x / math.sqrt(width) for x in scores]
            case "exp" | "A":
                for logits in self._logits(row):
                    yield from self._softmax(name, logits, row)
            case "Z":
                for values in self._tables("V"):
                    yield from self._products(self._row("A", row), values)

    def _known(self, name: str, row: int) -> Iterator[Vector]:
        """A row as it was printed, or as it should be."""
        printed = self._row(name, row)
        if printed:
            yield printed
        else:
            yield from self.ways(name, row)

    def _scores(self, row: int) -> Iterator[Vector]:
        for query, keys in product(self._known("Q", row), self._tables("K")):
            yield from self._products(query, [list(column) for column in zip(*keys, strict=True)])

    def _logits(self, row: int) -> Iterator[Vector]:
        tempered = self._row("tempered", row)
        if tempered:
            yield tempered
        if not self.bare:
            yield from self._known("scaled", row)
            if self._row("scaled", row):
                yield from self.ways("scaled", row)  # whoever kept the digits went on from these
        yield from self._known("scores", row)

    def _softmax(self, name: str, logits: Vector, row: int) -> Iterator[Vector]:
        if not logits or max(map(abs, logits)) >= LARGEST_LOGIT:
            return
        seen = row + 1 if self.causal and len(self._all("K")) != 1 else len(logits)
        top = 0.0 if name == "exp" else max(logits)
        powers = [math.exp(x - top) if k < seen else 0.0 for k, x in enumerate(logits)]
        whole = 1.0 if name == "exp" else sum(powers)
        if whole:
            yield [x / whole for x in powers]

    def _projected(self, row: Vector, weights: str) -> Iterator[Vector]:
        """x W and x W^T, with the bias where one is given."""
        n, m = self.ledger.shape(weights)
        table = [self._given(weights, i) for i in range(min(n, LARGEST))]
        if not row or any(len(line) != m for line in table):
            return
        bias = self._given(f"b_{weights[2:]}", 0)
        for turned, plain in product((False, True), (True, False) if bias else (True,)):
            ways = table if not turned else [list(column) for column in zip(*table, strict=True)]
            for made in self._products(row, ways):
                if plain or len(bias) == len(made):
                    yield made if plain else [x + b for x, b in zip(made, bias, strict=True)]

    @staticmethod
    def _products(row: Vector, table: Sequence[Vector]) -> Iterator[Vector]:
        """A row times a matrix, where that is defined."""
        if row and len(row) == len(table):
            yield [
                sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*table, strict=True)
            ]

    def _row(self, name: str, row: int) -> Vector:
        """The numbers first printed of a row, up to the first gap."""
        cells = self.ledger.first.get(name, {})
        found = []
        for col in range(len(cells)):
            made = cells.get((row, col))
            if made is None:
                break
            found.append(size(made.num) or 0.0)
        return found or (self._given(name, row) if name in PROJECTED else [])

    def _given(self, name: str, row: int) -> Vector:
        cells = self.ledger.given.get(name, {})
        width = self.ledger.shape(name)[1]
        found = [cells.get((row, col)) for col in range(min(width, LARGEST))]
        return [size(num) or 0.0 for num in found if num is not None]

    def _source(self, name: str) -> str:
        """What a projection is of: keys and values of a memory, where there is one."""
        return "memory" if name in ("K", "V") and "memory" in self.ledger.given else "X"

    def _tables(self, name: str) -> Iterator[list[Vector]]:
        """All rows of a projection as they were printed, or else as they should be, in each way."""
        printed = self._all(name)
        if printed:
            yield printed
        else:
            rows = range(min(self.ledger.shape(self._source(name))[0], LARGEST))
            yield from map(list, zip(*(self.ways(name, row) for row in rows), strict=False))

    def _all(self, name: str) -> list[Vector]:
        if name not in self.tables:
            rows = [self._row(name, row) for row in range(min(self.ledger.shape(name)[0], LARGEST))]
            whole = rows and rows[0] and all(len(row) == len(rows[0]) for row in rows)
            self.tables[name] = rows if whole else []
        return self.tables[name]
