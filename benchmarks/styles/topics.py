"""Other subjects: a softmax alone, a feed-forward network, a temperature, padding, a window, positions."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import CDOT, NEWLINE, block, nested, paragraphs, pipes, products, vector


def softmax_alone(s: Sheet) -> str:
    """Scores that come from nowhere, their exponentials, the sum, quotients or a vector."""
    zh = s.draft.lang == "zh"
    power, apart, quotients = s.pick("e^{}", "exp({})", "$e^{{{}}}$"), s.maybe(0.6), s.maybe(0.5)
    letter = s.pick("z", "s", "x")
    exps = s.row("exp", 0)
    told = [f"{power.format(x)} ≈ {e}" for x, e in zip(s.row("z", 0, True), exps, strict=True)]
    total = f"{' + '.join(s.row('exp', 0, True))} = {s.r('sum', 0, 0)}"
    divisor = s.o("sum", 0, 0)
    shares = zip(s.row("exp", 0, True), s.row("A", 0), strict=True)
    words = (
        ("手算 softmax", "分数为：", "取指数：", "求和：", "相除得到：")
        if zh
        else ("Softmax by hand", "The scores are", "Exponentials:", "Their sum:", "Dividing by it:")
    )
    weights = NEWLINE.join(f"- p_{j + 1} = {e} / {divisor} ≈ {a}" for j, (e, a) in enumerate(shares))
    return paragraphs(
        f"# {words[0]}" if s.ending == "md" else words[0],
        words[1],
        f"{letter} = {s.v('z', 0)}",
        words[2],
        NEWLINE.join(f"- {line}" for line in told) if apart else f"exp({letter}) ≈ {vector(exps)}",
        words[3],
        total,
        words[4],
        weights if quotients else f"softmax({letter}) ≈ {s.v('A', 0)}",
    )


def feed_forward(s: Sheet) -> str:
    """Two layers with a ReLU between them: matrices, vectors, or every sum."""
    form = s.pick("matrices", "vectors", "sums")
    bias = [" + b_1", " + b_2"] if "b_1" in s.draft.world.given else ["", ""]
    tokens = range(s.shape("X")[0])

    def show(formula: str, name: str) -> str:
        return f"$${formula} = {s.tex(name)}$$"

    def layer(name: str, source: str, k: int) -> str:
        weights, letter = f"W_{k}", {"widened": "h", "ffn": "y"}[name]
        before = {"widened": "x", "ffn": "r"}[name]
        if form == "matrices":
            return show(f"{letter.upper()} = {before.upper()} {weights}{bias[k - 1]}", name)
        if form == "vectors":
            told = [
                f"{letter}_{i + 1} = {before}_{i + 1} {weights}{bias[k - 1]} = {s.v(name, i)}" for i in tokens
            ]
            return NEWLINE.join(f"- ${line}$" for line in told)
        return NEWLINE.join(
            summed(name, source, k, letter, i, j) for i in tokens for j in range(s.shape(name)[1])
        )

    def summed(name: str, source: str, k: int, letter: str, i: int, j: int) -> str:
        work = products(s.row(source, i, True), s.column(f"W_{k}", j, True), CDOT)
        shift = f" + {s.o(f'b_{k}', 0, j)}" if bias[0] else ""
        return f"- ${letter}_{{{i + 1}{j + 1}}} = {work}{shift} = {s.r(name, i, j)}$"

    active = [
        f"- $r_{i + 1} = \\text{{ReLU}}({s.v('widened', i, used=True)}) = {s.v('active', i)}$" for i in tokens
    ]
    inputs = [show(name, name) for name in ("X", "W_1", "W_2")]
    inputs += [f"$$b_{k} = {s.v(f'b_{k}', 0)}$$" for k in (1, 2) if bias[0]]
    return paragraphs(
        "# The feed-forward network",
        f"Two tokens go through $\\text{{FFN}}(x) = \\text{{ReLU}}(x W_1{bias[0]}) W_2{bias[1]}$.",
        *inputs,
        "## First layer",
        layer("widened", "X", 1),
        "## ReLU",
        show(r"R = \text{ReLU}(H)", "active") if form == "matrices" else NEWLINE.join(active),
        "## Second layer",
        layer("ffn", "active", 2),
    )


def masked_positions(s: Sheet) -> str:
    """Padding at the end, or a window around each token: the mask is printed, and the scores with it."""
    hides, n = s.draft.world.hides, range(s.n)
    window = any(hides(i, 0) for i in n) and any(not hides(i, 0) for i in n)
    infinite, binary = s.pick("-inf", "−∞"), s.maybe(0.4)
    tokens = [f"t{i + 1}" for i in n] if window else [*s.tokens[:-1], s.pick("[PAD]", "<pad>")]

    def entry(name: str, i: int, j: int) -> str:
        if name == "mask":
            return ("0" if hides(i, j) else "1") if binary else infinite if hides(i, j) else "0"
        if name == "masked":
            return infinite if hides(i, j) else s.r("scaled", i, j)
        return s.r(name, i, j)

    def table(name: str) -> str:
        rows = [[tokens[i], *(entry(name, i, j) for j in n)] for i in n]
        return pipes(["", *tokens], rows)

    def fence(name: str) -> str:
        return block("```", f"{name} = {nested(s.rows(name))}", "```")

    told = (
        "A token sees itself and its neighbours."
        if window
        else "The last position is padding and gets no weight."
    )
    title = "Sliding-window attention" if window else "Padding mask"
    return paragraphs(
        f"# {title}",
        told,
        *map(fence, "QKV"),
        "## Scores (Q Kᵀ)",
        table("scores"),
        f"## Scaled scores (divided by √{s.d_k})",
        table("scaled"),
        "## The mask",
        table("mask"),
        "## Masked scores",
        table("masked"),
        "## Attention weights",
        table("A"),
        "## Output",
        fence("Z"),
    )


def temperature(s: Sheet) -> str:
    """Scores over a temperature, told as a letter, in displays."""
    (facts,) = (step.facts for step in s.draft.world.steps if step.kind == "temper")
    letter, tau = s.pick("T", r"\tau"), f"{facts['tenths'] / 10:g}"
    over = rf"\frac{{QK^T}}{{\sqrt{{{s.d_k}}}}}"

    def show(formula: str, name: str) -> str:
        return f"$${formula} = {s.tex(name)}$$"

    return paragraphs(
        "# Attention with a temperature",
        *(show(n, n) for n in "QKV"),
        show("QK^T", "scores"),
        "Scaled as usual:",
        show(over, "scaled"),
        f"With the temperature ${letter} = {tau}$ the scores become",
        show(rf"\frac{{S}}{{{letter}}}", "tempered"),
        "and the weights are",
        show("A", "A"),
        "The output:",
        show("AV", "Z"),
    )


def added_positions(s: Sheet) -> str:
    """Encodings in a table, added token by token, then attention over the sum in lists."""
    (facts,) = (step.facts for step in s.draft.world.steps if step.name == "PE")
    start, (n, d) = facts["start"], s.shape("PE")
    rows = [[str(i + start), *s.row("PE", i)] for i in range(n)]
    sums = [
        f"- {token}: {s.v('X', i, used=True)} + {s.v('PE', i, used=True)} = {s.v('X+PE', i)}"
        for i, token in enumerate(s.tokens)
    ]
    walk = {"Q": "Q", "K": "K", "V": "V", "scores": "Q K^T", "scaled": f"Q K^T / sqrt({s.d_k})"}
    walk |= {"A": "A = softmax(Q K^T / sqrt(d_k))", "Z": "Z = A V"}
    return paragraphs(
        "# Adding positions",
        "Token embeddings:",
        NEWLINE.join(f"- {token}: {s.v('X', i)}" for i, token in enumerate(s.tokens)),
        f"Sinusoidal encodings for d_model = {d}, positions from {start}:",
        pipes(["pos", *(f"dim {j}" for j in range(d))], rows),
        "The sum of both is the input X':",
        NEWLINE.join(sums),
        "Attention over X':",
        *(f"W_{letter} = {s.m(f'W_{letter}')}" for letter in "QKV"),
        *(f"{said} = {s.m(name)}" for name, said in walk.items()),
    )


STYLES = (
    Style(softmax_alone, Task(("softmax",), n=(3, 3, 4), inputs=(0, 1), exp=(True,)), ("md", "txt")),
    Style(softmax_alone, Task(("softmax",), n=(3, 3, 4), inputs=(0, 1), exp=(True,)), ("md", "txt"), "zh"),
    Style(feed_forward, Task(("feed-forward",), n=(1, 2), d_model=(2,), d_k=(2, 3), biased=(True, False))),
    Style(masked_positions, Task(("padding", "window"), n=(3, 4), d_k=(2,))),
    Style(temperature, Task(("temperature",), n=(2, 3), d_k=(2, 3))),
    Style(added_positions, Task(("positions added",), n=(2, 3), d_model=(2, 4), d_k=(2,), places=(2, 3, 4))),
)
