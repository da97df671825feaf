"""Displays with captions over and under matrices, labels beside them, and dots for what is left out."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.notes.displays import Displays
from benchmarks.notes.paper import Block, Num

SMALLEST = 4


class Captions(Displays):
    """A caption at every second matrix; of a large result only the first rows and the last."""

    def begin(self) -> None:
        super().begin()
        self.labelled = self.rng.random() < 0.4
        self.dotted = self.rng.random() < 0.5
        self.caption = self.rng.choice(("underset", "overset", "underbrace", "overbrace"))

    def block(self, name: str, labelled: bool = False) -> Block:
        whole = super().block(name, labelled)
        if not self.dotted or len(whole.rows) < SMALLEST or name in self.draft.world.given:
            return whole
        first = self.rng.choice((1, 2))
        square = len(whole.rows[0]) == len(whole.rows) and self.rng.random() < 0.5
        rows: list[tuple[Num | str, ...]] = [whole.rows[i] for i in range(first)]
        rows += [(r"\vdots",) * len(whole.rows[0]), whole.rows[-1]]
        if square:
            rows = [(*row[:first], r"\cdots" if row[0] != r"\vdots" else r"\ddots", row[-1]) for row in rows]
        labels = (*whole.labels[:first], r"\vdots", whole.labels[-1]) if whole.labels else ()
        return replace(whole, rows=tuple(rows), labels=labels)

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        told = super().matrix(block, column)
        if self.rng.random() < 0.5:
            return told
        size = rf"{len(block.rows)} \times {len(block.rows[0])}"
        dotted = any(cell == r"\vdots" for row in block.rows for cell in row)
        words = self.rng.choice((r"\text{矩阵}", r"\text{结果}")) if self.draft.zh else r"\text{matrix}"
        caption = words if dotted or self.rng.random() < 0.4 else size
        if self.caption in ("underset", "overset"):
            return [rf"\{self.caption}{{{caption}}}{{", *told, "}"]
        sign = "_" if self.caption == "underbrace" else "^"
        return [rf"\{self.caption}{{", *told, "}" + sign + f"{{{caption}}}"]
