"""A whole document: the steps of an example one after the other, each in a form that is drawn for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from benchmarks.documents.example import Example, random_example
from benchmarks.documents.forms import Block, Matrix, formulas, matrix
from benchmarks.documents.frames import framed
from benchmarks.documents.page import Numeral, Page
from benchmarks.documents.style import Style
from benchmarks.documents.words import HEADINGS, SAYINGS
from benchmarks.documents.workings import Numbers, cells, rows, softmax
from benchmarks.injection.arithmetic import Step

WORKED = ("project", "scores", "scale", "exp", "sum", "normalise", "weigh", "add")
SUFFIXES = {"markdown": "md", "latex": "tex", "text": "txt", "notebook": "ipynb"}


@dataclass(frozen=True)
class Document:
    """`forms` says in which form each printed quantity stands."""

    name: str
    frame: str
    text: str
    numerals: tuple[Numeral, ...]
    forms: dict[str, str]
    example: Example

    @property
    def clean(self) -> bool:
        return all(numeral.truth.label != "slip" for numeral in self.numerals)


def document(seed: int, number: int, *, clean: bool = False) -> Document:
    """Document `number` of a seed."""
    rng = Random(f"documents:{seed}:{number}:{clean}")
    writer = _Writer(random_example(rng, clean=clean), rng)
    writer.tell()
    text = framed(writer.style, writer.blocks, rng)
    name = f"{seed}-{number}.{SUFFIXES[writer.style.frame]}"
    placed = tuple(writer.page.placed(text))
    return Document(name, writer.style.frame, writer.page.plain(text), placed, writer.forms, writer.example)


class _Writer:
    def __init__(self, example: Example, rng: Random) -> None:
        self.example, self.rng, self.page = example, rng, Page()
        first = "PE" if example.world.positions is not None else "Q"
        self.style = Style(rng, example.world.shapes[first][0])
        self.numbers = Numbers(example, self.style, self.page)
        self.blocks: list[Block] = []
        self.forms: dict[str, str] = {}
        self.headed, self.spoken = rng.random() < 0.8, rng.random() < 0.6
        self.by_rows = rng.random() < 0.5  # softmax row by row

    def say(self, what: str, *values: str) -> None:
        self.blocks.append(("prose", self.rng.choice(SAYINGS[what][self.style.zh]).format(*values)))

    def heading(self, what: str) -> None:
        if self.headed and what in HEADINGS:
            words = self.rng.choice(HEADINGS[what][self.style.zh])
            words = words.replace("√d_k", "$\\sqrt{d_k}$") if self.style.tex else words
            self.blocks.append(("heading", words))

    def lines(self, lines: Iterable[str]) -> None:
        self.blocks += formulas(self.style, self.rng, list(lines))

    def tell(self) -> None:
        example, world = self.example, self.example.world
        self.say("title")
        self.blocks[-1] = ("title", self.blocks[-1][1])
        if self.spoken:
            self.say("start")
        self.heading("given")
        for name in world.given:
            self.show(name, "", self.grid(name, self.numbers.result))
        if world.weights == "transposed" and any(name.startswith("W_") for name in world.given):
            self.say("turned")
        if world.scale == "1" and world.positions is None:
            self.say("no scale")
        if world.heads > 1:
            self.say("heads", str(world.shapes["head1.Q"][1]))
        done: set[str] = set()
        for step in world.steps:
            if step.name in done:
                continue
            tag, _, base = step.name.rpartition(".")
            tag = f"{tag}." if tag else ""
            if tag and f"heading {tag}" not in done:
                self.blocks.append(("heading", f"{'头' if self.style.zh else 'Head'} {tag[4:-1]}"))
                done.add(f"heading {tag}")
            if step.kind in ("root", "mask"):
                self.aside(step)
            elif base in ("exp", "A") and not done & {f"{tag}exp", f"{tag}A"}:
                done |= {f"{tag}{name}" for name in ("exp", "sum", "A")}
                self.softmax(tag)
            elif example.rows(step.name):
                if step.kind == "positions":
                    self.say("position", str(step.facts["start"]), str(step.facts["d"]))
                if not (step.kind == "project" and base in "KV"):
                    self.heading(base)
                if self.spoken and base in SAYINGS:
                    self.say(base)
                self.tell_step(step)
        self.closing()

    def aside(self, step: Step) -> None:
        """√d_k, and what a mask hides."""
        style, numbers = self.style, self.numbers
        if step.kind == "mask":
            self.say("causal")
            if self.example.whole(source := step.args[0]):
                grid = self.grid(source, numbers.again)
                hidden = [[step.hides(i, j) for j in range(len(row))] for i, row in enumerate(grid)]
                for row, hides in zip(grid, hidden, strict=True):
                    row[:] = [style.hidden if hide else a for a, hide in zip(row, hides, strict=True)]
                self.show(step.name, "", grid)
        elif self.example.rows(step.name):
            d_k = style.root(str(step.facts["d_k"]))
            result = numbers.equals(step.name) + numbers.result(step.name, 0, 0)
            self.lines([f"{style.root('d_k')} = {d_k}{result}"])

    def grid(self, name: str, put: Callable[[str, int, int], str]) -> list[list[str]]:
        width = self.example.world.shapes[name][1]
        return [[put(name, i, j) for j in range(width)] for i in self.example.rows(name)]

    def show(self, name: str, formula: str, grid: list[list[str]]) -> None:
        """A matrix in one of the forms."""
        style, base = self.style, name.rpartition(".")[2]
        rows = (
            ()
            if base.startswith(("W_", "b_"))
            else tuple(style.math(style.row(name, i)) for i in range(len(grid)))
        )
        heads = tuple(f"{'维' if style.zh else 'd'}{j + style.first}" for j in range(len(grid[0])))
        square = base in ("scores", "scaled", "masked", "exp", "A")
        heads = tuple(style.math(style.row("K", j)) for j in range(len(heads))) if square else heads
        if rows and self.rng.random() < 0.5:
            rows, heads = style.tokens, style.tokens if square else heads
        rounded = bool(self.example.author.places.get(name))
        shown = Matrix(style.name(name), formula, grid, rows, heads, rounded)
        self.forms[name], blocks = matrix(style, self.page, self.rng, shown)
        self.blocks += blocks

    def formula(self, step: Step) -> str:
        """What says how the step was made, by the names of what is printed; always for transposed weights."""
        turned = bool(step.facts.get("transposed")) and step.kind == "project"
        if not turned and self.rng.random() < 0.35:
            return ""
        args = step.args
        if step.kind in ("exp", "normalise"):
            args = (self.example.softmax_of(step.name),)
        if step.kind in ("exp", "normalise", "scale") and not self.example.rows(args[0]):
            return self.style.typeset(self.unprinted(step.kind))
        return self.style.formula(step.kind, [self.style.name(name) for name in args], turned=turned)

    def unprinted(self, kind: str) -> str:
        """A step by a formula from Q and K, where the scores are not printed."""
        scores = "QK^T" if self.example.world.scale == "1" else "QK^T/√d_k"
        seen = f"{scores} + M" if self.example.world.masked else scores
        return {"scale": scores, "exp": f"exp({seen})", "normalise": f"softmax({seen})"}[kind]

    def tell_step(self, step: Step) -> None:
        """A step by its entries, by its rows, or as a matrix."""
        draw, name, whole = self.rng.random(), step.name, self.example.whole(step.name)
        if step.kind in WORKED and (draw < 0.2 or not whole):
            self.forms[name] = "cells"
            if not self.example.worked(step) and (formula := self.formula(step)):
                self.lines([f"{self.style.name(name)} = {formula}"])
            self.lines(cells(self.numbers, step, terms_shown=self.rng.random() < 0.3))
        elif draw < 0.4 or not whole:
            self.forms[name] = "lines"
            self.lines(rows(self.numbers, step))
        else:
            percents = step.kind == "normalise" and self.example.author.places[name] > 1
            put = self.numbers.percent if percents and self.rng.random() < 0.15 else self.numbers.result
            self.show(name, self.formula(step), self.grid(name, put))

    def softmax(self, tag: str) -> None:
        """Exponentials, sums and weights: matrix by matrix, or row by row."""
        example, style = self.example, self.style
        names = (f"{tag}exp", f"{tag}sum", f"{tag}A")
        printed = [step for step in example.world.steps if step.name in names and example.rows(step.name)]
        if not printed:
            return
        self.heading("A")
        if not self.by_rows and all(example.whole(step.name) for step in printed):
            for step in printed:
                self.tell_step(step)
        else:
            shown = example.whole(example.softmax_of(f"{tag}A"))
            if not shown:
                self.lines([f"{style.name(f'{tag}A')} = {style.typeset(self.unprinted('normalise'))}"])
            for i in sorted({i for step in printed for i in example.rows(step.name)}):
                self.say("row", str(i + style.first), style.tokens[i])
                self.lines(softmax(self.numbers, i, tag, shown=shown))
            self.forms |= {step.name: "softmax rows" for step in printed}
        if self.spoken:
            self.say("A")

    def closing(self) -> None:
        """Now and then a sentence about the largest weight, or the last result once more."""
        example, tokens, again = self.example, self.style.tokens, self.numbers.again
        last = next(s.name for s in reversed(example.world.steps) if example.rows(s.name))
        if self.rng.random() < 0.3 and example.whole("A"):
            self.heading("end")
            i = self.rng.choice(example.rows("A"))
            top = max(range(len(tokens)), key=lambda j: float(example.run.texts["A", i, j]))
            self.say("most", tokens[i], tokens[top], again("A", i, top))
        if self.rng.random() < 0.2 and example.whole(last):
            form = self.forms.get(last, "")
            self.say("again")
            self.show(last, "", self.grid(last, again))
            self.forms[last] = form
