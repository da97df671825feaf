"""Attention that is not the plain one: with a causal mask, with two heads, with tokens as columns."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import (
    NEWLINE,
    article,
    display,
    heading,
    labelled,
    paragraphs,
    pipes,
    tex,
    vector,
)


def causal(s: Sheet) -> str:
    """A mask before the softmax, every quantity in a table, a display or a fence."""
    form = s.pick("table", "tex", "list")
    hidden = {
        "table": ("-inf", "−∞", "-∞", "$-\\infty$", "masked"),
        "tex": (r"-\infty",),
        "list": ("-inf", "−∞"),
    }
    infinite, zero = s.pick(*hidden[form]), s.pick("0", "0.00", "0.000", "—") if form == "table" else "0"

    def entry(name: str, i: int, j: int) -> str:
        if name in ("masked", "A") and s.draft.world.hides(i, j):
            return infinite if name == "masked" else zero if zero == "—" else s.r("A", i, j, zero)
        return s.r("scaled" if name == "masked" else name, i, j)

    def show(name: str, said: str) -> str:
        n, m = s.shape(name)
        rows = [[entry(name, i, j) for j in range(m)] for i in range(n)]
        if form == "tex":
            return display(f"{said} = {tex(rows)}")
        if form == "list":
            return f"```\n{said} =\n" + NEWLINE.join(f"  {vector(row)}" for row in rows) + "\n```"
        heads = s.tokens if name in ("scores", "scaled", "masked", "A") else [f"dim {j}" for j in range(m)]
        return pipes(["", *heads], labelled([f"**{token}**" for token in s.tokens], rows))

    said = {"scores": "scores", "scaled": "scaled", "masked": "masked", "A": "weights", "Z": "output"}
    if form == "tex":
        said = {
            "scores": "QK^T",
            "scaled": r"\frac{QK^T}{\sqrt{d_k}}",
            "masked": r"\text{masked}",
            "A": "A",
            "Z": "Z",
        }
    titles = {
        "scores": "Scores before the mask",
        "scaled": f"Scaled by 1/√{s.d_k}",
        "masked": "After the causal mask",
        "A": "Softmax",
        "Z": "Output",
    }
    parts = [
        "# Causal (masked) self-attention",
        "In a decoder each position may only attend to itself and to earlier positions.",
        "## Inputs",
        *(display(f"{name} = {s.tex(name)}") for name in ("X", "W_Q", "W_K", "W_V")),
    ]
    for name, title in ({n: n for n in "QKV"} | titles).items():
        parts += [f"### {title}", show(name, said.get(name, name))]
    return paragraphs(*parts)


def two_heads(s: Sheet) -> str:
    """Both heads with weights of their own, as displays or as indented lists."""
    formulas = s.maybe(0.5)

    def show(name: str, formula: str, plain: str) -> str:
        return f"$${formula} = {s.tex(name)}$$" if formulas else f"    {plain} = {s.m(name)}"

    d_model = s.shape("X")[1]
    parts = [
        "# Multi-head attention with two heads",
        f"Tokens: {s.said()}; $d_{{model}} = {d_model}$, two heads of size $d_k = {s.d_k}$.",
        show("X", "X", "X"),
    ]
    for h in "12":
        tag = f"head{h}."
        product, plain = f"Q_{h} K_{h}^T", f"Q_{h} K_{h}^T / sqrt({s.d_k})"
        parts += [
            f"## Head {h}",
            *(show(f"{tag}W_{n}", f"W_{n}^{{({h})}}", f"W_{n}^({h})") for n in "QKV"),
            "Projections:",
            *(show(tag + n, f"{n}_{h}", f"{n}_{h}") for n in "QKV"),
            "Scores:",
            show(f"{tag}scores", product, product),
            rf"Scaled by $1/\sqrt{{{s.d_k}}}$:",
            show(f"{tag}scaled", rf"{product} / \sqrt{{{s.d_k}}}", plain),
            "Weights:",
            show(f"{tag}A", f"A_{h}", f"A_{h}"),
            f"Output of head {h}:",
            show(f"{tag}Z", rf"\text{{head}}_{h}", f"head_{h}"),
        ]
    concatenated = r"\text{Concat}(\text{head}_1, \text{head}_2)"
    return paragraphs(
        *parts,
        "## Concatenate and project",
        show("concat", concatenated, "Concat(head_1, head_2)"),
        show("W_O", "W_O", "W_O"),
        show("output", r"\text{MultiHead} = \text{Concat} \cdot W_O", "output"),
    )


def column_vectors(s: Sheet) -> str:
    """Every token a column, weights on its left, with biases or without, scores pair by pair."""
    bold = s.pick(r"\mathbf{%s}", "%s")
    weights_in_columns = s.maybe(0.5)
    biased = "b_Q" in s.draft.world.given

    def show(*formulas: str) -> str:
        return display(r",\quad ".join(formulas), s.ending)

    def column(name: str, i: int) -> str:
        return tex([[cell] for cell in s.row(name, i)])

    def projected(n: str) -> str:
        letter = n.lower()
        made = [f"{bold % letter}_{i + 1} = {column(n, i)}" for i in range(s.n)]
        formula = f"W_{n} {bold % 'x'}_1" + (f" + b_{n}" if biased else "")
        return show(f"{bold % letter}_1 = {formula} = {column(n, 0)}", *made[1:])

    def score(i: int, j: int) -> str:
        product = rf"${bold % 'q'}_{i + 1}^\top {bold % 'k'}_{j + 1} = {s.r('scores', i, j)}$"
        quotient = rf"{s.o('scores', i, j)}/\sqrt{{{s.d_k}}} \approx {s.r('scaled', i, j)}"
        return f"{product}, so $s_{{{i + 1}{j + 1}}} = {quotient}$."

    def weights(i: int) -> str:
        if weights_in_columns:
            return show(rf"\alpha_{{{i + 1}}} = {column('A', i)}")
        return show(*(rf"\alpha_{{{i + 1}{j + 1}}} \approx {s.r('A', i, j)}" for j in range(s.n)))

    def output(i: int) -> str:
        summed = rf"\sum_j \alpha_{{{i + 1}j}} {bold % 'v'}_j"
        return show(rf"{bold % 'z'}_{i + 1} = {summed} \approx {column('Z', i)}")

    inputs = [
        [f"W_{n} = {s.tex(f'W_{n}')}", *([rf"b_{n} = {column(f'b_{n}', 0)}"] if biased else [])]
        for n in "QKV"
    ]
    return article(
        [
            heading("Attention with column vectors", s.ending),
            "Every token is a column vector:",
            show(*(f"{bold % 'x'}_{i + 1} = {column('X', i)}" for i in range(s.n))),
            f"The weight matrices{' and biases' if biased else ''} are",
            *(show(*formulas) for formulas in inputs),
            f"We project $q_i = W_Q x_i{' + b_Q' if biased else ''}$, and likewise for keys and values:",
            *map(projected, "QKV"),
            r"The scaled scores $s_{ij} = q_i^\top k_j / \sqrt{d_k}$:",
            *(score(i, j) for i in range(s.n) for j in range(s.n)),
            "The softmax over $j$ gives",
            *map(weights, range(s.n)),
            "and the outputs are",
            *map(output, range(s.n)),
        ],
        s.ending,
    )


STYLES = (
    Style(causal, Task(n=(3,), causal=True)),
    Style(two_heads, Task(("two heads",), n=(2, 3), d_model=(4,), d_k=(2,))),
    Style(
        column_vectors,
        Task(n=(2, 3), d_model=(2, 3), d_k=(2,), biased=(True, False), turned=True),
        ("md", "tex"),
    ),
)
