"""Answers of chat assistants: emoji and tables, nested lists, working in prose, one line for each token."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, SUBSCRIPTS, labelled, lines, nested, paragraphs, pipes, vector


def chat_llm(s: Sheet) -> str:
    """Steps with emoji, a table of tokens for each of them, bold names."""
    bold = [f"**{token}**" for token in s.tokens]

    def table(name: str, corner: str = "Token") -> str:
        return pipes([corner, *bold], labelled(bold, s.rows(name)))

    def vectors(*names: str) -> list[list[str]]:
        return labelled(bold, [[s.v(name, i) for name in names] for i in range(s.n)])

    def weights(n: str) -> str:
        rows = NEWLINE.join(vector(row, comma="  ") for row in s.rows(f"W_{n}"))
        d_model, d_k = s.shape(f"W_{n}")
        return f"**W_{n}** ({d_model}×{d_k}):\n```\n{rows}\n```"

    def output(i: int, token: str) -> str:
        values = [s.v("V", j, used=True) for j in range(s.n)]
        return f"- **Output({token})** = {s.weighed(i, values)} ≈ **{s.v('Z', i)}** ✅"

    quoted = ", ".join(f'"{token}"' for token in s.tokens)
    return paragraphs(
        f"Sure! Let's walk through **self-attention** with a concrete example: the tokens {quoted}. 🎯",
        "---",
        "### 🔹 Step 1: Input embeddings",
        f"We use **d_model = {s.shape('X')[1]}** and **d_k = {s.d_k}**:",
        pipes(["Token", "Embedding"], vectors("X")),
        "### 🔹 Step 2: Projection matrices",
        *(weights(n) for n in "QKV"),
        "### 🔹 Step 3: Compute Q, K, V",
        pipes(["Token", "Q", "K", "V"], vectors(*"QKV")),
        "### 🔹 Step 4: Attention scores (Q · Kᵀ)",
        table("scores"),
        f"### 🔹 Step 5: Scale by √d_k = √{s.d_k} ≈ {s.root()}",
        table("scaled"),
        "### 🔹 Step 6: Softmax",
        table("A", s.pick("Query \\ Key", "Token", "")),
        "✅ Each row sums to **1**.",
        "### 🔹 Step 7: Output",
        NEWLINE.join(output(i, token) for i, token in enumerate(s.tokens)),
        "---",
        "💡 **Key takeaway:** each output is a weighted mix of *all* the values."
        " Want me to show multi-head attention next?",
    )


def nested_list(s: Sheet) -> str:
    """A numbered list whose items hold lists, and these lists again."""

    def each(name: str) -> list[str]:
        return [f"   - {token}: `{s.v(name, i)}`" for i, token in enumerate(s.tokens)]

    def scores() -> list[str]:
        pairs = [(i, j) for i in range(s.n) for j in range(s.n)]
        return [
            f"   - {s.tokens[i]} → {s.tokens[j]}: {s.dot('Q', i, 'K', j)} = **{s.r('scores', i, j)}**"
            for i, j in pairs
        ]

    told = ["Here's the full calculation:", "", "1. **Inputs**", *each("X")]
    told += [f"   - `W_{n} = {s.m(f'W_{n}')}`" for n in "QKV"]
    for number, (name, title) in enumerate((("Q", "Queries"), ("K", "Keys"), ("V", "Values")), start=2):
        told += [f"{number}. **{title}**", *each(name)]
    told += [
        "5. **Scores**",
        *scores(),
        f"6. **Scaled scores** (÷ √{s.d_k})",
        *each("scaled"),
        "7. **Softmax**",
    ]
    for i, token in enumerate(s.tokens):
        told += [
            f"   - {token}:",
            f"     - exponentials: {', '.join(s.row('exp', i))}",
            f"     - sum: {s.r('sum', i, 0)}",
            f"     - weights: {', '.join(s.row('A', i))}",
        ]
    told.append("8. **Outputs**")
    for i, token in enumerate(s.tokens):
        values = [s.v("V", j, used=True) for j in range(s.n)]
        told.append(f"   - {token}: {s.weighed(i, values, '·')} = `{s.v('Z', i)}`")
    return lines(*told)


def decimal_prose(s: Sheet) -> str:
    """Decimal inputs, subscripts in Unicode, every product written out, divided by the rounded root."""

    def outputs(i: int) -> str:
        return vector([s.weighed(i, s.column("V", j, True)) for j in range(s.shape("V")[1])])

    def bullets(*items: str) -> str:
        return NEWLINE.join(f"- {item}" for item in items)

    def matrix(n: str) -> str:
        rows = s.rows(f"W_{n}")
        return f"[{'; '.join(', '.join(row) for row in rows)}]" if s.maybe(0.3) else nested(rows)

    tokens = list(enumerate(s.tokens))
    projected = [
        f"{token}: " + ", ".join(f"{n.lower()}{SUBSCRIPTS[i]} = {s.v(n, i)}" for n in "QKV")
        for i, token in tokens
    ]
    scores = [
        f"q{SUBSCRIPTS[i]}·k{SUBSCRIPTS[j]} = {s.dot('Q', i, 'K', j)} ≈ {s.r('scores', i, j)}"
        for i in range(s.n)
        for j in range(s.n)
    ]
    root = s.root()
    quotients = [
        f"{token}: " + ", ".join(f"{s.o('scores', i, j)}/{root} ≈ {s.r('scaled', i, j)}" for j in range(s.n))
        for i, token in tokens
    ]
    return paragraphs(
        "**Example.**",
        f'Consider the sentence "{s.said(" ")}". Assume the following (made-up) embeddings:',
        NEWLINE.join(f"{i + 1}. `{token}`: x{SUBSCRIPTS[i]} = {s.v('X', i)}" for i, token in tokens),
        "The learned matrices:",
        *(f"W_{n} = {matrix(n)}" for n in "QKV"),
        "**1) Queries, keys, values** (qᵢ = xᵢ W_Q etc.)",
        bullets(*projected),
        "**2) Scores**",
        bullets(*scores),
        f"**3) Divide by √{s.d_k} ≈ {root}**",
        bullets(*quotients),
        "**4) Softmax**",
        bullets(*(f"{token}: {s.v('A', i)}" for i, token in tokens)),
        "**5) Weighted sum**",
        bullets(*(f"{token}: z{SUBSCRIPTS[i]} = {outputs(i)} ≈ {s.v('Z', i)}" for i, token in tokens)),
    )


def arrows(s: Sheet) -> str:
    """One line for each token: scores, scaled, softmax, output, joined by arrows."""
    steps = {"scores": "scores", "scaled": "scaled", "softmax": "A", "output": "Z"}
    return paragraphs(
        f"{'# ' if s.ending == 'md' else ''}Quick example",
        f"X = {s.m('X')}   ({s.said()})",
        *(f"W{n.lower()} = {s.m(f'W_{n}')}" for n in "QKV"),
        *(f"{n} = X·W{n.lower()} = {s.m(n)}" for n in "QKV"),
        *(
            f"{token}: " + " → ".join(f"{said} {s.v(name, i)}" for said, name in steps.items())
            for i, token in enumerate(s.tokens)
        ),
    )


STYLES = (
    Style(chat_llm, Task(places=(2, 3, 4), root=(True,))),
    Style(nested_list, Task(n=(2,), d_k=(2,), exp=(True,))),
    Style(
        decimal_prose,
        Task(
            n=(2, 3),
            d_model=(2, 3),
            d_k=(2,),
            inputs=(1,),
            places=(2, 3, 4),
            root=(True,),
            stripped=(False, True),
        ),
    ),
    Style(arrows, Task(n=(2, 3)), ("md", "txt")),
)
