"""Pages that lost their layout when they were copied: `X=(111001)`, columns run together, images between."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.injection.world import World
from benchmarks.notes.draft import Wanted, usual
from benchmarks.notes.forms import Bullets
from benchmarks.notes.layout import parts
from benchmarks.notes.outputs import outputs
from benchmarks.notes.paper import Block, Num, Piece, Pieces
from benchmarks.notes.projections import inputs, projections
from benchmarks.notes.scores import scaled, scores
from benchmarks.notes.sections import opening
from benchmarks.notes.softmax import softmax
from benchmarks.notes.writer import Writer

IMAGE = '![](data:image/svg+xml;utf8,<svg%20xmlns="http://www.w3.org/2000/svg"%20width="0.875em"></svg>)'


class Flattened(Bullets):
    """Matrices as runs of their columns where one way parts them again, as nested lists elsewhere."""

    workings = ("cells", "lines")

    def begin(self) -> None:
        super().begin()
        self.noisy = self.rng.random() < 0.5

    def group(self, formulas: Sequence[Pieces]) -> None:
        for formula in formulas:
            if any(isinstance(piece, Block) and not _runs(piece) for piece in formula) or not any(
                isinstance(piece, Block) for piece in formula
            ):
                super().group([formula])
                continue
            told = [_tight(piece) for piece in self.flat(formula, 0)]
            self.paper.write(*told, "\n\n")

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        if not _runs(block):
            return super().matrix(block, column)
        worked = any(hasattr(cell, "pieces") for row in block.rows for cell in row)
        left, right = (IMAGE, IMAGE) if self.noisy and not worked else ("(", ")")
        told: list[str | Num] = [left]
        for cells in zip(*block.rows, strict=True):
            for cell in cells:
                told += ["(", *parts(cell), ")"] if worked else parts(cell)
        return [*told, right]


def _tight(piece: str | Num) -> str | Num:
    return piece if isinstance(piece, Num) else piece.replace(" ", "")


def _runs(block: Block) -> bool:
    """Whether the entries can be told apart again: workings, single digits, or decimals of one length."""
    cells = [cell for row in block.rows for cell in row]
    if all(hasattr(cell, "pieces") for cell in cells):
        return True
    texts = [cell.text for cell in cells if isinstance(cell, Num)]
    if len(texts) < len(cells) or len(texts) < 2:
        return False
    whole = all(len(text) == 1 and text.isdigit() for text in texts)
    places = {len(text.partition(".")[2]) for text in texts}
    return whole or (len(places) == 1 and 0 not in places and not any(text.startswith("-") for text in texts))


def _fits(world: World) -> bool:
    whole = all(len(a) == 1 for rows in world.given.values() for row in rows for a in row)
    return usual(world) and whole and world.positions is None and "b_Q" not in world.given


FLAT = Wanted(fits=_fits, world=lambda rng, world: world)


def flattened(w: Writer) -> None:
    """The usual walk, in which the rows of X stand for themselves first."""
    w.heading("title")
    opening(w)
    rows: list[list[Piece]] = [
        [w.dress.vector("X", i), " = ", *w.vector(w.draft.row("X", i))] for i in w.draft.rows("X")
    ]
    w.group(rows)
    inputs(w)
    projections(w)
    scores(w)
    scaled(w)
    softmax(w)
    outputs(w)
