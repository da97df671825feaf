"""A whole case as a program: positions, projections, heads, output, layers around them, and the loss.

Vaswani et al. 2017, sections 3.1 to 3.5; Ba et al. 2016 (LayerNorm), Zhang and Sennrich 2019 (RMSNorm);
Ainslie et al. 2023 (grouped queries).
"""

from __future__ import annotations

import tomllib

import mpmath
from mpmath import mpf

from benchmarks.derivations.attention import Settings, attend, normalised, one_head, relu
from benchmarks.derivations.evaluations import by_blocks, by_sums, by_tokens
from benchmarks.derivations.numbers import number
from benchmarks.derivations.program import (
    Function,
    Program,
    Rows,
    below,
    beside,
    each,
    plus,
    product,
    transposed,
)

LOSS = "the loss"


def program(text: str) -> Program:
    """Every value of a case, with the loss of its backward pass, if any, under the name LOSS."""
    case = tomllib.loads(text, parse_float=str)
    settings = case.get("attention", {})
    givens = {
        name: [[number(cell) for cell in row] for row in (rows if isinstance(rows[0], list) else [rows])]
        for name, rows in case["given"].items()
    }
    p = Program({name: rows for name, rows in givens.items() if "." not in name})
    x = "X"
    if settings.get("positions") == "sinusoidal":
        n, d = len(p.values["X"]), len(p.values["X"][0])
        p.add("PE", lambda: sinusoids(n, d, settings.get("start", 0)))
        x = p.add("X+PE", plus, "X", "PE")
    layers = settings.get("layers", 1)
    for layer in range(1, layers + 1):
        tag = f"layer{layer}." if layers > 1 else ""
        own = Layer(p, tag, givens)
        x = made = own.run(x, settings)
    evaluation = {"online": by_blocks, "cached": by_tokens, "linear": by_sums}
    if settings.get("evaluation") in evaluation:
        for head in range(settings.get("heads", 1)):
            evaluation[settings["evaluation"]](
                p, f"head{head + 1}." if settings.get("heads", 1) > 1 else "", head, settings
            )
    add_loss(p, made, settings, givens)
    return p


def sinusoids(n: int, d: int, start: int) -> Rows:
    """PE(pos, 2i) = sin(pos/10000^(2i/d)), PE(pos, 2i+1) = cos of the same angle."""

    def entry(i: int, j: int) -> mpf:
        angle = (start + i) / mpf(10000) ** (mpf(2 * (j // 2)) / d)
        return mpmath.cos(angle) if j % 2 else mpmath.sin(angle)

    return [[entry(i, j) for j in range(d)] for i in range(n)]


class Layer:
    """One layer, whose values are named after its tag; what is given for it alone replaces what is shared."""

    def __init__(self, p: Program, tag: str, givens: dict[str, Rows]) -> None:
        self.p, self.tag = p, tag
        if tag:
            p.values |= {name: rows for name, rows in givens.items() if name.startswith(tag)}

    def named(self, name: str) -> str:
        return self.tag + name if self.tag + name in self.p.values else name

    def has(self, name: str) -> bool:
        return self.named(name) in self.p.values

    def affine(self, made: str, x: str, w: str, b: str, settings: Settings) -> str:
        """X W, X W^T or W x for every row, and the bias added to every row."""
        turned = settings.get("weights", "right") != "right"

        def function(x: Rows, w: Rows, *bias: Rows) -> Rows:
            result = product(x, transposed(w) if turned else w)
            return plus(result, [bias[0][0]] * len(x)) if bias else result

        biases = (self.named(b),) if self.has(b) else ()
        return self.p.add(self.tag + made, function, x, self.named(w), *biases)

    def run(self, x: str, settings: Settings) -> str:
        """Projections, heads, output and what is around them; the name of the last value."""
        p, tag, source = self.p, self.tag, x
        if settings.get("layer") == "pre-norm":
            source = self.norm(x, "1", settings)
        for name in "QKV":
            here = "memory" if "memory" in p.values and name != "Q" else source
            if self.has(f"W_{name}") and not self.has(name):
                past = self.has(f"past_{name}")
                made = self.affine(f"new_{name}" if past else name, here, f"W_{name}", f"b_{name}", settings)
                if past:
                    p.add(tag + name, below, self.named(f"past_{name}"), made)
        heads = settings.get("heads", 1)
        made = f"{tag}Z"
        if heads == 1:
            attend(p, tag, 0, settings)
        else:
            for h in range(heads):
                for name in "QKV":
                    parts = heads if name == "Q" else settings.get("kv_heads", heads)
                    part = one_head(p, tag + name, h * parts // heads, parts)
                    p.add(f"{tag}head{h + 1}.{name}", part, tag + name)
                attend(p, f"{tag}head{h + 1}.", h, settings)
            made = p.add(f"{tag}concat", beside, *(f"{tag}head{h + 1}.Z" for h in range(heads)))
        if self.has("W_O"):
            made = self.affine("output", made, "W_O", "b_O", settings)
        return self.around(x, made, settings)

    def around(self, x: str, made: str, settings: Settings) -> str:
        """Residuals, norms and the feed-forward layer."""
        p, tag, kind = self.p, self.tag, settings.get("layer", "none")
        if kind == "none":
            return made
        first = p.add(f"{tag}residual_1", plus, x, made)
        if kind == "residual":
            return first
        post = kind == "post-norm"
        norm = self.norm(first, "1" if post else "2", settings)
        widened = self.affine("widened", norm, "W_1", "b_1", settings)
        gelu = each(lambda u: u * (1 + mpmath.erf(u / mpmath.sqrt(2))) / 2)
        act = gelu if settings.get("activation") == "gelu" else relu(p.values[widened])
        p.add(f"{tag}active", act, widened)
        self.affine("ffn", f"{tag}active", "W_2", "b_2", settings)
        second = p.add(f"{tag}residual_2", plus, norm if post else first, f"{tag}ffn")
        return self.norm(second, "2", settings) if post else second

    def norm(self, x: str, number_of: str, settings: Settings) -> str:
        """LayerNorm or RMSNorm; with a gain the rows before it are a value, too."""
        p, made = self.p, f"{self.tag}norm_{number_of}"
        epsilon = number(settings.get("epsilon", 0))
        unit = normalised(True, epsilon)
        whole: Function = unit if settings.get("norm") == "rms" else lambda a: unit(centred(a))
        if not self.has(f"gamma_{number_of}"):
            return p.add(made, whole, x)
        rows = p.add(f"{self.tag}unit_{number_of}", whole, x)

        def scaled(a: Rows, gain: Rows, *shift: Rows) -> Rows:
            result = [[u * g for u, g in zip(row, gain[0], strict=True)] for row in a]
            return plus(result, [shift[0][0]] * len(a)) if shift else result

        names = [self.named(f"{name}_{number_of}") for name in ("gamma", "beta")]
        return p.add(made, scaled, rows, *(name for name in names if name in p.values))


def centred(a: Rows) -> Rows:
    means = [mpmath.fsum(row) / len(row) for row in a]
    return [[x - mean for x in row] for row, mean in zip(a, means, strict=True)]


def add_loss(p: Program, made: str, settings: Settings, givens: dict[str, Rows]) -> None:
    """The loss that is differentiated: one that is named, or the sum of a value times its given gradient."""
    match settings.get("loss"):
        case "sum":
            p.add("loss", total, made)
        case "squared":
            p.add("error", lambda a, b: plus(a, [[-x for x in row] for row in b]), made, "target")
            p.add("loss", lambda a: each(lambda x: x / 2)(total(times(a, a))), "error")
        case "cross-entropy":
            p.add("prediction", probabilities, made)
            p.add(
                "loss",
                lambda a, b: total(times(b, each(lambda x: -mpmath.log(x))(a))),
                "prediction",
                "target",
            )
        case _:
            for name, rows in givens.items():
                tag, _, base = name.rpartition(".")
                if base in ("dZ", "dconcat", "doutput", "dresidual_1", "dresidual_2", "dnorm_2"):
                    value = f"{tag}.{base[1:]}" if tag else base[1:]
                    p.add(LOSS, lambda a, g=rows: total(times(a, g)), value)
    if "loss" in p.values:
        p.add(LOSS, lambda a: a, "loss")


def probabilities(a: Rows) -> Rows:
    powers = each(mpmath.exp)(a)
    return [[x / mpmath.fsum(row) for x in row] for row in powers]


def times(a: Rows, b: Rows) -> Rows:
    return [[x * y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def total(a: Rows) -> Rows:
    return [[mpmath.fsum(x for row in a for x in row)]]
