"""Documents whose formulas are LaTeX displays: Markdown, and a LaTeX file."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.notes.layout import parts
from benchmarks.notes.paper import Block, Mark, Num, Pieces
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer


class Displays(Writer):
    """Markdown with displays: matrix environments in chains, with labels, with cells as expressions."""

    tex = True
    beside = r", \quad "

    def begin(self) -> None:
        self.environment = self.rng.choice(("bmatrix", "bmatrix", "pmatrix", "array"))
        self.marks = self.rng.choice((("$$", "$$"), (r"\[", r"\]")))
        self.labelled = self.rng.random() < 0.3
        self.tall = self.rng.random() < 0.6

    def group(self, formulas: Sequence[Pieces]) -> None:
        start, end = self.marks
        if len(formulas) > 1 and self.rng.random() < 0.4:
            self.paper.write(start, "\n\\begin{aligned}\n")
            for k, formula in enumerate(formulas):
                self.paper.write(
                    *aligned(self.flat(formula, 0)), r" \\" if k < len(formulas) - 1 else "", "\n"
                )
            self.paper.write("\\end{aligned}\n", end, "\n\n")
            return
        if len(formulas) > 1 and self.rng.random() < 0.5:
            for formula in formulas:
                self.paper.write("- $", *self.flat(formula, 0), "$\n")
            self.paper.write("\n")
            return
        for formula in formulas:
            self.paper.write(start, "\n", *self.flat(formula, 0), "\n", end, "\n\n")

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        name = self.environment
        labels = block.labels if self.labelled else ()
        opening = (
            rf"\begin{{{name}}}"
            if name != "array"
            else r"\left[\begin{array}{" + "c" * len(block.rows[0]) + "}"
        )
        if labels and name == "array":
            labels = ()
        told: list[str | Num] = [opening, "\n" if self.tall else " "]
        for i, row in enumerate(block.rows):
            if labels:
                told.append(rf"\text{{{labels[i]}}} & ")
            for j, cell in enumerate(row):
                told += [" & " if j else "", *parts(cell)]
            told += [r" \\" if i < len(block.rows) - 1 else "", "\n" if self.tall else " "]
        return [*told, rf"\end{{{name}}}" if name != "array" else r"\end{array}\right]"]


def aligned(pieces: list[str | Num]) -> list[str | Num]:
    """An ampersand before the first sign of equality."""
    for k, piece in enumerate(pieces):
        for sign in (" = ", r" \approx "):
            if isinstance(piece, str) and sign in piece:
                return [*pieces[:k], piece.replace(sign, " &" + sign.lstrip(), 1), *pieces[k + 1 :]]
    return pieces


class Tex(Displays):
    """A LaTeX file: sections, equations, align, a macro of the document's own."""

    kind = "latex"

    def begin(self) -> None:
        super().begin()
        self.marks = (r"\begin{equation}", r"\end{equation}")
        self.labelled = False
        self.paper.write(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\newcommand{\\softmax}{\\operatorname{softmax}}\n"
        )
        self.paper.write("\\begin{document}\n\n")

    def heading(self, what: str) -> None:
        words = say(self.rng, what, self.draft.lang)
        words = (
            words.replace("QK^T", "$QK^T$")
            .replace("√d_k", r"$\sqrt{d_k}$")
            .replace("sqrt(d_k)", r"$\sqrt{d_k}$")
        )
        level = "title" if what == "title" else "subsection" if self.inner else "section"
        level = "section*" if what.startswith("example") else level
        self.paper.write(rf"\{level}{{{words}}}", "\n\n")

    def sentence(self, words: str) -> None:
        super().sentence(words.replace("**", "").replace("X W^T", "$X W^T$").replace("−∞", r"$-\infty$"))

    def group(self, formulas: Sequence[Pieces]) -> None:
        self.paper.write("\\begin{align}\n")
        for k, formula in enumerate(formulas):
            self.paper.write(*aligned(self.flat(formula, 0)), r" \\" if k < len(formulas) - 1 else "", "\n")
        self.paper.write("\\end{align}\n\n")

    def document(self) -> tuple[str, list[Mark]]:
        self.paper.write("\\end{document}\n")
        return super().document()
