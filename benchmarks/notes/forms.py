"""The forms: Markdown with fences, displays, bullets, tables, plain text, LaTeX, notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.notes.displays import Displays, Tex
from benchmarks.notes.layout import ampersands, beside, nested, parts
from benchmarks.notes.notebooks import Notebook
from benchmarks.notes.paper import Block, Num, Pieces
from benchmarks.notes.words import say
from benchmarks.notes.writer import Writer


class Fences(Writer):
    """Markdown whose numbers stand in code fences, matrices as nested lists over several lines."""

    beside = "    "

    def begin(self) -> None:
        self.comments = self.rng.random() < 0.6
        self.language = self.rng.choice(("", "", "python", "text"))
        self.broken = self.rng.random() < 0.3

    def group(self, formulas: Sequence[Pieces]) -> None:
        self.paper.write(f"```{self.language}\n")
        for formula in formulas:
            self._line(formula)
            self.paper.write("\n")
        self.paper.write("```\n\n")

    def _line(self, formula: Pieces) -> None:
        if formula.count(self.beside or "") and sum(isinstance(piece, Block) for piece in formula) > 1:
            beside(self, formula, ("[[", " ["), ("],", "]]"), ", ")
            return
        if not self.broken or any(isinstance(piece, Block) for piece in formula):
            self.paper.write(*self.flat(formula, 0))
            return
        indent, links = None, 0
        for piece in self.flat(formula, 0):  # one link of the chain a line, aligned at the signs
            if isinstance(piece, str) and piece in (" = ", " ≈ "):
                links += 1
                if indent is None:
                    indent = self.paper.length - self.paper.text.rfind("\n") - 1
                elif links > 1:
                    self.paper.write("\n" + " " * indent)
            self.paper.write(piece)

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        return nested(block, column, self.comments)


class Bullets(Writer):
    """Row vectors in bullets: in backticks, between dollars, or plain."""

    workings = ("lines",)

    def begin(self) -> None:
        self.quote = self.rng.choice(("`", "`", "", "**"))
        self.bullet = self.rng.choice(("- ", "* ", "- ", "  - "))

    def group(self, formulas: Sequence[Pieces]) -> None:
        for formula in formulas:
            if any(isinstance(piece, Block) for piece in formula):
                self.paper.write(self.bullet, *self.flat(formula, len(self.bullet)), "\n")
                continue
            quote = self.quote if self.quote != "**" else ""
            self.paper.write(self.bullet, quote, *self.flat(formula, 0), quote, "\n")
        self.paper.write("\n")

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        quote = "`" if self.quote == "`" else ""
        told: list[str | Num] = [quote, "["]
        for i, row in enumerate(block.rows):
            told.append(", [" if i else "[")
            for j, cell in enumerate(row):
                told += [", " if j else "", *parts(cell)]
            told.append("]")
        return [*told, "]", quote]


class Dollars(Bullets):
    """Row vectors between dollars: `$q_1 = [1, 0]$`."""

    tex = True

    def begin(self) -> None:
        self.quote, self.bullet = "$", self.rng.choice(("- ", "* ", ""))

    def group(self, formulas: Sequence[Pieces]) -> None:
        for formula in formulas:
            self.paper.write(self.bullet, "$", *self.flat(formula, 0), "$\n", "" if self.bullet else "\n")
        self.paper.write("\n")

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        return [r"\begin{pmatrix} ", *ampersands(block), r" \end{pmatrix}"]


class Tables(Bullets):
    """Matrices as pipe tables with a row for each token; workings in bullets."""

    def group(self, formulas: Sequence[Pieces]) -> None:
        for formula in formulas:
            block = next((piece for piece in formula if isinstance(piece, Block)), None)
            if (
                block is None
                or not block.rows
                or any(hasattr(cell, "pieces") for row in block.rows for cell in row)
            ):
                super().group([formula])
            else:
                self._table(str(formula[0]), block)

    def _table(self, name: str, block: Block) -> None:
        d = self.draft
        tokens = next(
            (known for known in (d.tokens, d.keys) if len(known) == len(block.rows)),
            tuple(str(i + 1) for i in range(len(block.rows))),
        )
        first = block.rows[0][0]
        square = isinstance(first, Num) and first.entry[0] in (
            "scores",
            "scaled",
            "masked",
            "tempered",
            "exp",
            "A",
        )
        said = f"**{name}**：" if d.zh else f"**{name}**:"
        self.paper.write(said, "\n\n")
        heads = d.keys if square else [str(j + 1) for j in range(len(block.rows[0]))]
        whole = (
            isinstance(first, Num) and first.entry[0] in ("Q", "K", "V", "X", "Z") and self.rng.random() < 0.4
        )
        if whole:
            self.paper.write(f"| token | {name} |\n|---|---|\n")
            for token, row in zip(tokens, block.rows, strict=True):
                self.paper.write(f"| {token} | ", *self.flat(self.vector(row), 0), " |\n")
        else:
            self.paper.write("| | ", " | ".join(heads), " |\n", "|---" * (len(block.rows[0]) + 1), "|\n")
            for token, row in zip(tokens, block.rows, strict=True):
                self.paper.write(f"| {token} ")
                for cell in row:
                    self.paper.write("| ", *self.flat([*parts(cell)], 0), " ")
                self.paper.write("|\n")
        self.paper.write("\n")


class Plain(Writer):
    """Plain text, matrices side by side on the same lines."""

    kind = "text"
    beside = "    "
    workings = ("lines",)

    def heading(self, what: str) -> None:
        super_words = self.paper.length
        self.step += 1
        words = say(self.rng, what, self.draft.lang)
        if self.inner:
            self.paper.write(f"{words}:\n\n")
            return
        if what.startswith("example"):
            self.step = 1
            self.paper.write(f"\n{words}\n{'-' * len(words)}\n")
            return
        number = "" if what == "title" else f"{self.step - 1}. "
        line = f"{number}{words}"
        self.paper.write(
            "\n" if super_words else "", line, "\n", "=" * len(line) if what == "title" else "", "\n"
        )

    def group(self, formulas: Sequence[Pieces]) -> None:
        for formula in formulas:
            if any(isinstance(piece, Block) for piece in formula):
                self.paper.write("  ")
                beside(self, formula, ("[", "["), ("]", "]"), "  ", "  ")
                self.paper.write("\n")
            else:
                self.paper.write("  ", *self.flat(formula, 0), "\n")
        self.paper.write("\n")

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        return nested(block, column, False)


FORMS: dict[str, type[Writer]] = {
    "fences": Fences,
    "displays": Displays,
    "backticks and bullets": Bullets,
    "dollars": Dollars,
    "tables": Tables,
    "plain text": Plain,
    "LaTeX": Tex,
    "notebook": Notebook,
}
POSITIONS: tuple[type[Writer], ...] = (Fences, Displays, Bullets, Tables, Tex)
