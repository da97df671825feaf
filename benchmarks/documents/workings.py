"""How steps are worked out in lines: an entry from its sum of products, a row of softmax, of output."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from benchmarks.documents.example import Example, percent
from benchmarks.documents.forms import vector
from benchmarks.documents.page import Page
from benchmarks.documents.style import Style
from benchmarks.injection.arithmetic import ZERO, Step
from benchmarks.injection.mistakes import terms
from benchmarks.injection.truth import Truth, holds


class Numbers:
    """The numerals of an example, put on a page."""

    def __init__(self, example: Example, style: Style, page: Page) -> None:
        self.example, self.style, self.page = example, style, page

    def _signed(self, text: str) -> str:
        return text.replace("-", self.style.minus)

    def result(self, name: str, i: int, j: int) -> str:
        if name in self.example.world.given:
            text = self._signed(self.example.world.given[name][i][j])
            return self.page.put(text, "given", (name, i, j), Truth("correct"))
        text = self._signed(self.example.run.texts[name, i, j])
        return self.page.put(text, "result", (name, i, j), self.example.truths[name, i, j])

    def operand(self, name: str, i: int, j: int, *, bare: bool = False) -> str:
        """What an author takes from before; a negative one in parentheses unless it stands `bare`."""
        if name.endswith("masked"):
            if next(s for s in self.example.world.steps if s.name == name).hides(i, j):
                return self.style.hidden
            name = self.example.unmasked(name)
        text, truth = self.example.operand(name, i, j)
        put = self.page.put(self._signed(text), "copied", (name, i, j), truth)
        return put if bare or not text.startswith("-") else f"({put})"

    def again(self, name: str, i: int, j: int) -> str:
        """A result that is said again as it was printed."""
        text = self._signed(self.example.run.texts[name, i, j])
        return self.page.put(text, "copied", (name, i, j), self.example.truths[name, i, j])

    def columns(self, name: str) -> range:
        shapes = self.example.world.shapes
        return range(shapes[self.example.unmasked(name) if name.endswith("masked") else name][1])

    def row(self, name: str, i: int) -> list[str]:
        return [self.result(name, i, j) for j in range(self.example.world.shapes[name][1])]

    def percent(self, name: str, i: int, j: int) -> str:
        """A weight with a sign of percent."""
        text = percent(self.example.run.texts[name, i, j])
        put = self.page.put(text, "result", (name, i, j), self.example.truths[name, i, j])
        return put + (r"\%" if self.style.tex else "%")

    def operands(self, name: str, i: int) -> list[str]:
        return [self.operand(name, i, j, bare=True) for j in self.columns(name)]

    def equals(self, name: str) -> str:
        return f" {self.style.about if self.example.author.places.get(name) else '='} "

    def products(self, step: Step, i: int, j: int) -> str:
        """The sum of products that an entry is, its operands as they are printed."""
        world, times = self.example.world, self.style.times
        if step.kind == "sum":
            return " + ".join(self.operand(step.args[0], i, k) for k in range(world.shapes[step.args[0]][1]))
        if step.kind == "add":
            return " + ".join(self.operand(name, i, j) for name in step.args)
        left, right, *bias = step.args
        pairs = []
        for k in range(world.shapes[left][1]):
            flipped = step.kind == "scores" or (step.kind == "project" and step.facts["transposed"])
            b = self.operand(right, j, k) if flipped else self.operand(right, k, j)
            pairs.append(f"{self.operand(left, i, k)}{times}{b}")
        return " + ".join([*pairs, *(self.operand(name, 0, j) for name in bias)])

    def summands(self, step: Step, i: int, j: int) -> str:
        """The products in figures, where they are short enough to be written in full."""
        values = []
        for name in step.args:
            height, width = self.example.world.shapes[name]
            values.append(
                [[Decimal(self.example.operand(name, r, c)[0]) for c in range(width)] for r in range(height)]
            )
        products = [a * b + 0 for a, b in terms(step, values, i, j)]
        texts = [f"{a:f}" for a in products]
        slip = self.example.truths[step.name, i, j].label == "slip"
        if max(map(len, texts)) > 6 or not (
            slip or holds(self.example.run.texts[step.name, i, j], sum(products, ZERO))
        ):
            return ""
        entry, right = (f"{step.name}.term", i, j), Truth("correct")
        puts = [self.page.put(self._signed(t), "copied", entry, right) for t in texts]
        return " + ".join(f"({a})" if t[0] == "-" else a for t, a in zip(texts, puts, strict=True))


def cells(numbers: Numbers, step: Step, *, terms_shown: bool) -> Iterator[str]:
    """`q_1·k_2 = 1·0.5 + 0·2 = 0.5`, an entry a line."""
    example, style = numbers.example, numbers.style
    for i in example.rows(step.name):
        for j in range(example.world.shapes[step.name][1]):
            line = f"{style.cell(step.name, i, j)} = "
            if example.worked(step):
                line += work(numbers, step, i, j)
                between = numbers.summands(step, i, j) if terms_shown and step.kind in SUMS else ""
                line += f" = {between}" if between else ""
                line += numbers.equals(step.name)
            yield line + numbers.result(step.name, i, j)


SUMS = ("project", "scores", "weigh")


def work(numbers: Numbers, step: Step, i: int, j: int) -> str:
    """The working of one entry."""
    style = numbers.style
    match step.kind:
        case "scale":
            root = style.root(str(step.facts["d_k"]))
            return style.over(numbers.operand(step.args[0], i, j, bare=style.tex), root)
        case "exp":
            return style.power(numbers.operand(numbers.example.softmax_of(step.name), i, j, bare=True))
        case "normalise":
            return style.over(numbers.operand(step.args[0], i, j), numbers.operand(step.args[1], i, 0))
    return numbers.products(step, i, j)


def rows(numbers: Numbers, step: Step) -> Iterator[str]:
    """`z_1 = 0.4·[1, 0] + 0.6·[0, 1] = [0.4, 0.6]`, a row a line."""
    example, style = numbers.example, numbers.style
    for i in example.rows(step.name):
        if example.worked(step) and step.kind in ("weigh", "add", "scores", "scale", "project"):
            said = _worked_row(numbers, step, i)
        else:
            said = _symbols(numbers, step, i) if style.dots != "," else ""
        row = numbers.row(step.name, i)
        right = row[0] if step.kind == "sum" else vector(style, row)
        yield f"{style.row(step.name, i)} = {said}{numbers.equals(step.name) if said else ''}{right}"


def _worked_row(numbers: Numbers, step: Step, i: int) -> str:
    """A row of a result from rows in figures."""
    example, style = numbers.example, numbers.style
    vectors = [vector(style, numbers.operands(arg, i)) for arg in step.args[: 2 if step.kind == "add" else 1]]
    match step.kind:
        case "weigh":
            a, v = step.args
            values = [vector(style, numbers.operands(v, k)) for k in range(example.world.shapes[v][0])]
            return " + ".join(f"{numbers.operand(a, i, k)}{style.times}{row}" for k, row in enumerate(values))
        case "add":
            return " + ".join(vectors)
        case "scale":
            return style.over(vectors[0], style.root(str(step.facts["d_k"])))
    named = [style.name(name) for name in step.args[1:]]
    return style.formula(step.kind, [*vectors, *named], turned=bool(step.facts["transposed"]))


def _symbols(numbers: Numbers, step: Step, i: int) -> str:
    """A row of a result from rows by their names, `x_1 W_Q`."""
    example, style = numbers.example, numbers.style
    args = (example.softmax_of(step.name),) if step.kind in ("exp", "normalise") else step.args
    if step.kind in ("concat", "positions") or not example.rows(args[0]):
        return ""
    by_row = len(args) if step.kind == "add" else 1
    names = [style.row(arg, i) if k < by_row else style.name(arg) for k, arg in enumerate(args)]
    return style.formula(step.kind, names, turned=bool(step.facts.get("transposed")))


def softmax(numbers: Numbers, i: int, tag: str, *, shown: bool) -> Iterator[str]:
    """Exponentials, their sum and the weights of a row, as far as printed; `shown` says if the scores are."""
    example, style = numbers.example, numbers.style
    steps = {step.name: step for step in example.world.steps}
    exp, total, weights = (steps[f"{tag}{name}"] for name in ("exp", "sum", "A"))
    logits = example.softmax_of(weights.name)
    keys = range(example.world.shapes[exp.name][1])
    if i in example.rows(exp.name) and shown and example.worked(exp):
        for j in keys:
            yield work(numbers, exp, i, j) + numbers.equals(exp.name) + numbers.result(exp.name, i, j)
    elif i in example.rows(exp.name):
        yield f"{style.typeset('exp')} = {vector(style, numbers.row(exp.name, i))}"
    if i in example.rows(total.name):
        said = style.typeset("总和" if style.zh else "sum")
        said += f" = {numbers.products(total, i, 0)}" if example.worked(total) else ""
        yield said + numbers.equals(total.name) + numbers.result(total.name, i, 0)
    if i not in example.rows(weights.name):
        return
    equals = numbers.equals(weights.name)
    if example.worked(weights) and style.dots != ",":
        for j in keys:
            left = f"{style.cell(weights.name, i, j)} = {work(numbers, weights, i, j)}"
            yield left + equals + numbers.result(weights.name, i, j)
        return
    left = f"{style.row(weights.name, i)} = "
    slipped = any(m.step in (exp.name, total.name, weights.name) for m in example.mistakes)
    if shown and style.dots != ",":
        left += style.formula("softmax", [style.row(logits, i)]) + equals
    elif shown and not slipped:
        seen = numbers.operands(logits, i)
        left = style.formula("softmax", [vector(style, seen)]) + equals
    yield left + vector(style, numbers.row(weights.name, i))
