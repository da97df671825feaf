"""Lessons: a long post, an answer in aligned formulas, a quiz, common mistakes, with and without scaling."""

from __future__ import annotations

from decimal import Decimal

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import CDOT, NEWLINE, block, paragraphs, right, tex, vector, width


def bracketed(rows: list[list[str]], comma: str = "  ") -> list[str]:
    """Rows between brackets, their columns straight."""
    wide = width(rows)
    return [vector([right(cell, wide) for cell in row], comma=comma) for row in rows]


def unscaled(s: Sheet) -> list[list[str]]:
    """The weights that the author would have had without scaling, which are no claim about the example."""
    exps = [[a.exp() for a in row] for row in s.draft.run.held["scores"]]
    return [[s.draft.author.printed("A", a / sum(row, Decimal(0))) for a in row] for row in exps]


def long_post(s: Sheet) -> str:
    """Prose between blocks of numbers without names: what a block is stands in the sentence before it."""
    comma, indented = s.pick("  ", " ", ", "), s.maybe(0.5)
    weight = s.pick("W_{}", "W^{}", "W{}").format

    def code(name: str) -> str:
        told = bracketed(s.rows(name), comma)
        return NEWLINE.join(f"    {row}" for row in told) if indented else block("```", *told, "```")

    def matrix(n: str, said: str) -> str:
        form = s.pick("**{0}** ({1} weights)", "{0}:", "*{0}* — the {1} matrix")
        return form.format(weight(n), said)

    parts = [
        "# Attention From Scratch: Every Single Number, Explained",
        "## No GPU required. Just pen, paper and coffee ☕",
        "*6 min read · Mar 14, 2024*",
        "If you have ever opened the 2017 paper “Attention Is All You Need” and closed it again after"
        f" 5 minutes, this post is for you. Our toy sentence is **“{s.said(' ')}”**, so we have {s.n} tokens,"
        f" each embedded in {s.shape('X')[1]} dimensions.",
        "## The setup",
        "Here are our embeddings, stacked one per row:",
        code("X"),
        "And here are the three weight matrices. In real life they are *learned*; I just made them up.",
    ]
    for n, said in zip("QKV", ("query", "key", "value"), strict=True):
        parts += [matrix(n, said), code(f"W_{n}")]
    parts.append("## Step one: projections")
    for n, said in zip("QKV", ("Queries", "Keys", "Values"), strict=True):
        parts += [f"**{said}:** multiply the embeddings by {weight(n)} and you get {n}:", code(n)]
    parts += [
        "## Step two: who looks at whom?",
        "Every query meets every key (that’s Q times K transposed):",
        code("scores"),
    ]
    if s.scaled:
        root = f"√{s.d_k} ≈ {s.root()}"
        parts += [
            f"The paper divides by the square root of d_k. Our d_k is {s.d_k}, so we divide by {root}.",
            code("scaled"),
        ]
    return paragraphs(
        *parts,
        "## Step three: softmax",
        "Row by row, we get our attention weights:",
        code("A"),
        "(Each row adds up to 1, give or take rounding.)",
        "## Step four: mix the values",
        "Finally we multiply the weights by V, and out comes the context:",
        code("Z"),
        "That’s it! 👏 If you liked this, hit the clap button up to 50 times.",
    )


def aligned_answer(s: Sheet) -> str:
    """Question and answer: aligned formulas in displays, vectors bold, with arrows, or numbered above."""
    form = s.pick(r"\mathbf{{{0}}}_{1}", r"\vec {0}_{1}", "{0}^{{({1})}}")
    tokens = range(s.n)

    def named(letter: str, i: int | str) -> str:
        return form.format(letter, i + 1 if isinstance(i, int) else i)

    def row(name: str, i: int, used: bool = False) -> str:
        return tex([s.row(name, i, used)])

    def show(formula: str) -> str:
        return f"$${formula}$$"

    def align(*told: str) -> str:
        return "$$\\begin{align}\n" + " \\\\\n".join(told) + "\n\\end{align}$$"

    projected = [r" & \quad ".join(f"{named(n.lower(), i)} &= {row(n, i)}" for n in "QKV") for i in tokens]
    scores = [
        rf"{named('q', i)}\cdot {named('k', j)} &= {s.dot('Q', i, 'K', j, CDOT)} = {s.r('scores', i, j)}"
        for i in tokens
        for j in tokens
    ]
    softmax = [
        rf"\alpha_{{{i + 1}\cdot}} &= \text{{softmax}}\left({', '.join(s.row('scaled', i))}\right)"
        rf" = \left({', '.join(s.row('A', i))}\right)"
        for i in tokens
    ]
    first = s.weighed(0, [rf"\,{named('v', j)}" for j in tokens], "")
    others = ", ".join(f"${named('z', i)} = {row('Z', i)}$" for i in tokens if i)
    return paragraphs(
        "> I am trying to understand how the numbers in self-attention come about."
        " Could someone do one tiny example by hand?",
        f'Sure. Take {s.n} tokens, "{s.said(" ")}", with',
        show(r",\quad ".join(f"{named('x', i)} = {row('X', i)}" for i in tokens)),
        "and",
        show(r",\quad ".join(f"W^{n} = {s.tex(f'W_{n}')}" for n in "QKV") + "."),
        f"Since ${named('q', 'i')} = {named('x', 'i')} W^Q$ and so on, we get",
        align(*projected),
        "The (unscaled) logits are the dot products",
        align(*scores),
        rf"Now divide by $\sqrt{{d_k}}=\sqrt {s.d_k}$ and apply softmax over $j$:",
        align(*softmax),
        "Finally, for the first token",
        show(f"{named('z', 0)} = {first} = {row('Z', 0)},"),
        f"and for the others {others}.",
        "Hope that helps! (+1 for the question.)",
    )


def quiz(s: Sheet) -> str:
    """Questions with wrong options among the right one, and answers that repeat what is known."""

    def options(right_one: str, printed: str) -> tuple[str, str]:
        letter = s.pick(*"ABCD")
        wrong = {o: str(Decimal(printed) + 3 * (k + 1)) for k, o in enumerate("ABCD")}
        return NEWLINE.join(f"- ({o}) {right_one if o == letter else wrong[o]}" for o in "ABCD"), letter

    told = [
        "# Check your understanding",
        f"Given x1 = {s.v('X', 0)}, x2 = {s.v('X', 1)} and "
        + ", ".join(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV")
        + ".",
    ]
    known = (f"q1 = {s.v('Q', 0)} and k1 = {s.v('K', 0)}", f"k2 = {s.v('K', 1)}")
    questions = ("What is the raw score of token 1 with itself?", "And with token 2?")
    for j in range(2):
        operand = s.draft.operand("scores", 0, j)
        choice, letter = options(s.put(operand), operand.text)
        told += [
            f"**{j + 1}.** {questions[j]}",
            choice,
            f"**Answer: ({letter}).** {known[j]}, so q1 · k{j + 1} = {s.r('scores', 0, j)}.",
        ]
    scaled, used = vector(s.row("scaled", 0)), s.v("scaled", 0, used=True)
    values = [s.v("V", j, used=True) for j in range(2)]
    return paragraphs(
        *told,
        f"**3.** What are the attention weights of token 1 (scaled by √{s.d_k})?",
        "- (A) [0.50, 0.50]\n- (B) [0.99, 0.01]\n- (C) [0.12, 0.88]\n- (D) none of the above",
        f"**Answer.** The scaled scores are {scaled}, so the weights are softmax({used}) = {s.v('A', 0)}.",
        "**4.** What is the output z1?",
        f"**Answer.** With v1 = {s.v('V', 0)} and v2 = {s.v('V', 1)},"
        f" z1 = {s.weighed(0, values, '·')} = {s.v('Z', 0)}.",
    )


def common_mistakes(s: Sheet) -> str:
    """Displays of every step, and beside them what comes out when the scaling is forgotten."""

    def show(formula: str, name: str) -> str:
        return f"$${formula} = {s.tex(name)}$$"

    root = rf"\sqrt{{{s.d_k}}}"
    return paragraphs(
        "# Attention, and how to get it wrong",
        *(show(name, name) for name in ("X", "W_Q", "W_K", "W_V")),
        *(show(f"{n} = XW_{n}", n) for n in "QKV"),
        show("QK^T", "scores"),
        show(rf"\frac{{QK^T}}{{{root}}}", "scaled"),
        show("A", "A"),
        f"> ⚠️ **Common mistake:** if you forget to divide by ${root}$, the first row comes out as"
        f" ${vector(unscaled(s)[0])}$ instead. That is wrong!",
        "> ⚠️ **Another one:** multiplying $Q$ with $K$ and not with $K^T$.",
        show("Z = AV", "Z"),
    )


def why_scale(s: Sheet) -> str:
    """Weights without the scaling first, then the same with it, each in a fence."""

    def fence(rows: list[list[str]], said: str = "") -> str:
        return block("```", *([f"{said} ="] if said else []), *bracketed(rows), "```")

    return paragraphs(
        "# Why do we scale?",
        "Same toy numbers, with and without the factor.",
        *(fence(s.rows(name), name) for name in ("X", "W_Q", "W_K", "W_V", *"QKV")),
        fence(s.rows("scores"), "QK^T"),
        "**Without scaling**, softmax(QK^T) would be",
        fence(unscaled(s)),
        f"which is quite peaked. **With scaling** by √{s.d_k} = 2 we have",
        fence(s.rows("scaled"), "QK^T / 2"),
        "and softmax(QK^T / 2) is",
        fence(s.rows("A")),
        "The output with scaling is",
        fence(s.rows("Z"), "Z"),
    )


def one_of_many(s: Sheet) -> str:
    """One head of several, its number above every letter, in bullets below bold words."""
    head = s.pick("Head 1", "Head A (syntax)")

    def bullets(*told: str) -> str:
        return NEWLINE.join(f"- {line}" for line in told)

    def above(letter: str) -> str:
        return f"{letter}^{{(1)}}"

    half = rf"\frac{{1}}{{\sqrt {s.d_k}}}"
    quotient = rf"\frac{{{above('Q')} K^{{(1)\top}}}}{{\sqrt {s.d_k}}}"
    embeddings = [f"| {token} | {s.v('X', i)} |" for i, token in enumerate(s.tokens)]
    return paragraphs(
        "# One of eight heads",
        f"GPT-2 small has 12 heads and 124M parameters; we only look at **{head}**, for {s.said(' / ')}.",
        block("| | x |", "|---|---|", *embeddings),
        f"**{head} parameters**",
        bullets(*(f"${above(f'W_{n}')} = {s.tex(f'W_{n}')}$" for n in "QKV")),
        f"**{head} projections**",
        bullets(*(f"${above(n)} = {s.tex(n)}$" for n in "QKV")),
        f"**{head} scores**: ${quotient} = {half} {s.tex('scores')} = {s.tex('scaled')}$",
        f"**{head} weights**: ${above('A')} = {s.tex('A')}$",
        f"**{head} output**: ${above('Z')} = {above('A')} {above('V')} = {s.tex('Z')}$",
        "The other heads work the same way with their own matrices.",
    )


STYLES = (
    Style(long_post, Task(scaled=(True, True, True, False), root=(True,))),
    Style(aligned_answer, Task(n=(2, 3), d_k=(2,), places=(2, 3))),
    Style(quiz, Task(n=(2,), d_k=(2,), places=(2,))),
    Style(common_mistakes, Task(n=(2,), places=(2, 3))),
    Style(why_scale, Task(n=(2,), d_k=(4,), places=(2, 3))),
    Style(one_of_many, Task(n=(2,), d_model=(2,), d_k=(2,), places=(2,))),
)
