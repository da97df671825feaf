"""Forms as the usual ones, between other signs: numbered lists, `math` fences, `\\( \\)`, macros."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.notes.displays import Displays, Tex
from benchmarks.notes.forms import Bullets, Dollars
from benchmarks.notes.layout import ampersands
from benchmarks.notes.paper import Block, Num, Pieces


class MathFences(Displays):
    """Displays in fences that are marked as mathematics."""

    def begin(self) -> None:
        super().begin()
        self.marks = ("```math", "```")


class Parentheses(Dollars):
    """Formulas between `\\(` and `\\)`."""

    def group(self, formulas: Sequence[Pieces]) -> None:
        for formula in formulas:
            self.paper.write(self.bullet, r"\(", *self.flat(formula, 0), "\\)\n", "" if self.bullet else "\n")
        self.paper.write("\n")


class Numbered(Bullets):
    """Row vectors in numbered lists."""

    def group(self, formulas: Sequence[Pieces]) -> None:
        for number, formula in enumerate(formulas, start=1):
            self.bullet = f"{number}. "
            super().group([formula])


SHORT = {
    r"\frac{QK^T}{\sqrt{d_k}}": r"\scaledby{QK\T}{\dk}",
    r"\frac{S}{\sqrt{d_k}}": r"\scaledby{S}{\dk}",
    r"\text{softmax}": r"\smax",
    "^T": r"\T",
}
PREAMBLE = r"""\newcommand{\T}{^{\top}}
\def\dk{d_k}
\DeclareMathOperator{\smax}{softmax}
\newcommand{\scaledby}[2]{\frac{#1}{\sqrt{#2}}}
"""


class Macros(Tex):
    """A LaTeX file whose matrices, names and signs are commands of its own."""

    def begin(self) -> None:
        super().begin()
        square = r"\begin{bmatrix}#1\end{bmatrix}", r"\left(\begin{matrix} #1 \end{matrix}\right)"
        self.paper.parts.insert(1, f"\\newcommand{{\\mat}}[1]{{{self.rng.choice(square)}}}\n{PREAMBLE}")
        self.paper.length += len(self.paper.parts[1])

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        return [r"\mat{", *ampersands(block), "}"]

    def flat(self, pieces: Pieces, column: int) -> list[str | Num]:
        told = super().flat(pieces, column)
        return [_shortened(piece) if isinstance(piece, str) else piece for piece in told]


def _shortened(said: str) -> str:
    for long, short in SHORT.items():
        said = said.replace(long, short)
    return said
