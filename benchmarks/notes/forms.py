"""The forms: Markdown with fences, displays, bullets, tables, plain text, LaTeX, notebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence

from benchmarks.notes.paper import Block, Mark, Num, Piece, Pieces
from benchmarks.notes.writer import Writer


def _parts(cell: Num | str) -> list[str | Num]:
    pieces: list[Piece] = getattr(cell, "pieces", [cell])
    return [piece for piece in pieces if not isinstance(piece, Block)]


def _said(cell: Num | str) -> str:
    return cell.text if isinstance(cell, Num) else str(cell)


def _padded(block: Block, left: bool = False) -> list[list[list[str | Num]]]:
    """Cells with the blanks that make columns straight."""
    widths = [max(len(_said(row[j])) for row in block.rows) for j in range(len(block.rows[0]))]
    return [
        [[" " * (widths[j] - len(_said(cell))), *_parts(cell)] for j, cell in enumerate(row)]
        for row in block.rows
    ]


def nested(block: Block, column: int, comments: bool, separator: str = ", ") -> list[str | Num]:
    """`[[a, b],` over several lines, with a comment behind each row where there are labels."""
    told: list[str | Num] = []
    rows = _padded(block)
    for i, row in enumerate(rows):
        told.append("[[" if i == 0 else " " * (column + 1) + "[")
        for j, cell in enumerate(row):
            told += [separator if j else "", *cell]
        last = i == len(rows) - 1
        told.append("]]" if last else "],")
        if comments and block.labels:
            told.append(f'    # "{block.labels[i]}"')
        told.append("" if last else "\n")
    return told


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


def beside(
    w: Writer,
    formula: Pieces,
    opens: tuple[str, str],
    closes: tuple[str, str],
    separator: str,
    indent: str = "",
) -> None:
    """Matrices on the same text lines, each laid out over its own columns; words stand on the middle line.

    `opens` begin the first row and the others, `closes` end all rows but the last, and the last.
    """
    blocks = [piece for piece in formula if isinstance(piece, Block)]
    height = max(len(block.rows) for block in blocks)
    middle = 0 if opens[0] != opens[1] else (height - 1) // 2
    for line in range(height):
        for piece in formula:
            if not isinstance(piece, Block):
                w.paper.write(piece if line == middle else " " * len(_said(piece)))
                continue
            rows = _padded(piece)
            at = line - (middle - (len(rows) - 1) // 2 if middle else 0)
            width = sum(len(_said(part)) for cell in rows[0] for part in cell)
            width += len(opens[0]) + len(closes[0]) + len(separator) * (len(rows[0]) - 1)
            if not 0 <= at < len(rows):
                w.paper.write(" " * width)
                continue
            told: list[str | Num] = [opens[0] if at == 0 else opens[1]]
            for j, cell in enumerate(rows[at]):
                told += [separator if j else "", *cell]
            w.paper.write(*w.flat([*told, closes[at == len(rows) - 1]], 0))
        if line < height - 1:
            w.paper.write("\n", indent)


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
                told += [" & " if j else "", *_parts(cell)]
            told += [r" \\" if i < len(block.rows) - 1 else "", "\n" if self.tall else " "]
        return [*told, rf"\end{{{name}}}" if name != "array" else r"\end{array}\right]"]


def aligned(pieces: list[str | Num]) -> list[str | Num]:
    """An ampersand before the first sign of equality."""
    for k, piece in enumerate(pieces):
        for sign in (" = ", r" \approx "):
            if isinstance(piece, str) and sign in piece:
                return [*pieces[:k], piece.replace(sign, " &" + sign.lstrip(), 1), *pieces[k + 1 :]]
    return pieces


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
                told += [", " if j else "", *_parts(cell)]
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
        told: list[str | Num] = [r"\begin{pmatrix} "]
        for i, row in enumerate(block.rows):
            for j, cell in enumerate(row):
                told += [" & " if j else "", *_parts(cell)]
            told.append(r" \\ " if i < len(block.rows) - 1 else " ")
        return [*told, r"\end{pmatrix}"]


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
        tokens = (
            d.tokens
            if len(block.rows) == len(d.tokens)
            else tuple(str(i + 1) for i in range(len(block.rows)))
        )
        first = block.rows[0][0]
        square = isinstance(first, Num) and first.entry[0] in ("scores", "scaled", "masked", "exp", "A")
        said = f"**{name}**：" if d.zh else f"**{name}**:"
        self.paper.write(said, "\n\n")
        heads = d.tokens if square else [str(j + 1) for j in range(len(block.rows[0]))]
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
                    self.paper.write("| ", *self.flat([*_parts(cell)], 0), " ")
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
        from benchmarks.notes.words import say

        words = say(self.rng, what, self.draft.lang)
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
        from benchmarks.notes.words import say

        words = say(self.rng, what, self.draft.lang)
        words = (
            words.replace("QK^T", "$QK^T$")
            .replace("√d_k", r"$\sqrt{d_k}$")
            .replace("sqrt(d_k)", r"$\sqrt{d_k}$")
        )
        self.paper.write(rf"\{'title' if what == 'title' else 'section'}{{{words}}}", "\n\n")

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


class Notebook(Displays):
    """A notebook: Markdown cells with displays, code cells with `tensor([[...]])` or `array` outputs."""

    kind = "notebook"

    def begin(self) -> None:
        super().begin()
        self.torch = self.rng.random() < 0.6
        self.cuts: list[tuple[int, str]] = []  # where a cell begins, and its kind

    def group(self, formulas: Sequence[Pieces]) -> None:
        whole = [piece for formula in formulas for piece in formula if isinstance(piece, Block)]
        simple = (
            len(formulas) == 1
            and len(whole) == 1
            and not any(hasattr(c, "pieces") for r in whole[0].rows for c in r)
        )
        masked = whole and any(isinstance(cell, str) for row in whole[0].rows for cell in row)
        first = whole[0].rows[0][0] if whole and whole[0].rows else None
        if not simple or masked or not isinstance(first, Num) or first.entry[0] in ("exp", "sum"):
            super().group(formulas)
            return
        name, call = first.entry[0], "torch.tensor" if self.torch else "np.array"
        if first.role == "input":
            self._cell("code", f"{name} = {call}(", nested(whole[0], len(f"{name} = {call}("), False), ")\n")
        else:
            code = {"Q": "X @ W_Q", "K": "X @ W_K", "V": "X @ W_V", "scores": "Q @ K.T", "Z": "A @ V"}.get(
                name
            )
            code = code or {"scaled": "scores / d_k**0.5", "A": "softmax(scaled)", "output": "Z @ W_O"}.get(
                name, name
            )
            self._cell("code", f"{name} = {code}\n{name}\n", [], "")
            call = "tensor" if self.torch else "array"
            self._cell("output", f"{call}(", nested(whole[0], len(call) + 1, False), ")\n")
        self.cuts.append((self.paper.length, "markdown"))

    def _cell(self, kind: str, before: str, rows: list[str | Num], after: str) -> None:
        self.cuts.append((self.paper.length, kind))
        self.paper.write(before, *rows, after)

    def document(self) -> tuple[str, list[Mark]]:
        return notebook(self.paper.text, self.paper.found, [(0, "markdown"), *self.cuts])


def notebook(text: str, found: list[tuple[int, Num]], cuts: list[tuple[int, str]]) -> tuple[str, list[Mark]]:
    """The JSON of a notebook whose cells are the cuts of the text, and where each numeral stands in it."""
    lines = ["{", ' "cells": [']
    spots: dict[int, tuple[int, int]] = {}
    numbers = sorted(found, key=lambda spot: spot[0])
    ends = [*(start for start, _ in cuts[1:]), len(text)]
    parts = [
        (kind, start, end) for (start, kind), end in zip(cuts, ends, strict=True) if text[start:end].strip()
    ]
    for k, (kind, start, end) in enumerate(parts):
        after = parts[k + 1][0] if k + 1 < len(parts) else ""
        if kind == "output":
            lines += ["   {", '    "data": {', '     "text/plain": [']
        elif kind == "code":
            lines += [
                "  {",
                '   "cell_type": "code",',
                '   "execution_count": 1,',
                '   "metadata": {},',
                '   "source": [',
            ]
        else:
            lines += ["  {", '   "cell_type": "markdown",', '   "metadata": {},', '   "source": [']
        at, indent = start, "    " if kind != "output" else "      "
        for line in text[start:end].splitlines(keepends=True):
            for offset, _ in numbers:
                if at <= offset < at + len(line):
                    before = json.dumps(line[: offset - at], ensure_ascii=False)
                    spots[offset] = (len(lines) + 1, len(indent) + len(before))
            last = at + len(line) >= end
            lines.append(f"{indent}{json.dumps(line, ensure_ascii=False)}{'' if last else ','}")
            at += len(line)
        if kind == "output":
            lines += [
                "     ]",
                "    },",
                '    "execution_count": 1,',
                '    "metadata": {},',
                '    "output_type": "execute_result"',
                "   }",
                "   ]",
            ]
            lines.append("  },")
        elif kind == "code":
            lines.append("   ],")
            lines += ['   "outputs": ['] if after == "output" else ['   "outputs": []', "  },"]
        else:
            lines += ["   ]", "  },"]
    lines[-1] = lines[-1].rstrip(",")
    lines += [" ],", ' "metadata": {},', ' "nbformat": 4,', ' "nbformat_minor": 5', "}", ""]
    return "\n".join(lines), [Mark(num, *spots[offset]) for offset, num in numbers if offset in spots]


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
