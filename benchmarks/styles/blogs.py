"""Posts: a step by step blog, an answer in a forum, a story in sentences, an example of one query."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import CDOT, NEWLINE, labelled, paragraphs, pipes


def md_blog(s: Sheet) -> str:
    """Headings for every step, displays for matrices, the softmax token by token."""
    around = s.pick("bmatrix", "pmatrix")

    def display(left: str, name: str) -> str:
        return f"$$\n{left} = {s.tex(name, around, NEWLINE)}\n$$"

    def softmax(i: int) -> str:
        logits, weights = s.row("scaled" if s.scaled else "scores", i, True), s.v("A", i)
        if not s.prints("exp"):
            return f"- **{s.tokens[i]}**: softmax([{', '.join(logits)}]) = {weights}"
        exps = ", ".join(f"$e^{{{x}}} = {e}$" for x, e in zip(logits, s.row("exp", i), strict=True))
        summed = f"{' + '.join(s.row('exp', i, True))} = {s.r('sum', i, 0)}"
        head = f"**Row {i + 1} ({s.tokens[i]})**\n\n"
        return f"{head}- Exponentials: {exps}\n- Sum: ${summed}$\n- Weights: {weights}\n"

    def output(i: int) -> str:
        values = [s.v("V", j, used=True) for j in range(s.n)]
        return f"- **{s.tokens[i]}**: {s.weighed(i, values, ' · ')} = **{s.v('Z', i)}**"

    parts = [
        "# Self-attention, step by step",
        f'*A tiny worked example with the sentence "{s.said(" ")}".*',
        "## Step 1: Embeddings",
        "\n".join(f"- **{token}** → {s.v('X', i)}" for i, token in enumerate(s.tokens)),
        "## Step 2: Weight matrices",
        *(display(f"W_{a}", f"W_{a}") for a in "QKV"),
        "## Step 3: Queries, keys, values",
        *(display(f"{a} = X W_{a}", a) for a in "QKV"),
        "## Step 4: Scores",
        "Every query is compared to every key:",
        display("QK^T", "scores"),
    ]
    if s.scaled:
        parts += [
            rf"We scale by $\sqrt{{d_k}} = \sqrt{{{s.d_k}}} \approx {s.root()}$:",
            display(r"\frac{QK^T}{\sqrt{d_k}}", "scaled"),
        ]
    parts += ["## Step 5: Softmax", "\n".join(softmax(i) for i in range(s.n))]
    parts += ["## Step 6: Weighted sum of values", "\n".join(output(i) for i in range(s.n))]
    return paragraphs(*parts)


def one_query(s: Sheet) -> str:
    """One token followed through every step, the keys and values in lists, the softmax as quotients."""
    i = s.rng.randrange(s.n)
    token, keys = s.tokens[i], list(enumerate(s.tokens))

    def bullets(*items: str) -> str:
        return NEWLINE.join(f"* {item}" for item in items)

    def score(k: int) -> str:
        return rf"$q_{i + 1} \cdot k_{k + 1} = {s.dot('Q', i, 'K', k, CDOT)} = {s.r('scores', i, k)}$"

    values = [s.v("V", k, used=True) for k in range(s.n)]
    added = f"{' + '.join(s.row('exp', i, True))} = {s.r('sum', i, 0)}"
    return paragraphs(
        f'## Attention for the word "{token}"',
        f"Take the sentence **{s.said(' ')}**. Suppose the embeddings are",
        bullets(*(f"{other}: {s.v('X', k)}" for k, other in keys)),
        "and the projection matrices",
        *(f"$$W^{n} = {s.tex(f'W_{n}')}$$" for n in "QKV"),
        f"We only follow the token **{token}** here; the others work the same way.",
        f"**Query.** Its query vector is $q_{i + 1} = {s.v('Q', i)}$.",
        "**Keys.**",
        bullets(*(f"$k_{k + 1}$ = {s.v('K', k)} ({other})" for k, other in keys)),
        "**Values.**",
        bullets(*(f"$v_{k + 1}$ = {s.v('V', k)} ({other})" for k, other in keys)),
        "**Scores.** The dot products with every key:",
        bullets(*(score(k) for k in range(s.n))),
        f"**Scaling.** Divide by $\\sqrt{{{s.d_k}}}$: {', '.join(s.row('scaled', i))}.",
        "**Softmax.** The numerators are",
        bullets(*(f"exp({s.o('scaled', i, k)}) = {s.r('exp', i, k)}" for k in range(s.n))),
        f"and they add up to {added}. So the weights are",
        bullets(*(f"{s.o('exp', i, k)} / {s.o('sum', i, 0)} = {s.r('A', i, k)}" for k in range(s.n))),
        "**Output.**",
        f"$z_{i + 1} = {s.weighed(i, values, CDOT)} = {s.v('Z', i)}$",
    )


def forum(s: Sheet) -> str:
    """An answer whose formulas all stand in its sentences."""

    def named(letter: str, name: str) -> list[str]:
        return [f"${letter}_{i + 1} = {s.v(name, i, '()')}$" for i in range(s.n)]

    start = f"Let me answer with the smallest example I can think of. Two tokens, $d_k = {s.d_k}$."
    if "X" in s.draft.world.given:
        weights = ", ".join(f"$W_{n} = {s.tex(f'W_{n}', 'smallmatrix')}$" for n in "QKV")
        told = [f"{start} The inputs are {' and '.join(named('x', 'X'))}, the weights {weights}."]
        told += [f"This gives {' and '.join(named(n.lower(), n))}." for n in "QKV"]
    else:
        q, k, v = (", ".join(named(n.lower(), n)) for n in "QKV")
        told = [f"{start} Suppose that we already have {q}, {k} and {v}."]
    for i, title in enumerate(("First", "Second")):
        scores = (
            f"$q_{i + 1}\\cdot k_1 = {s.r('scores', i, 0)}$ and $q_{i + 1}\\cdot k_2 = {s.r('scores', i, 1)}$"
        )
        a, b = s.row("scaled", i)
        told.append(f"**{title} token.**")
        walk = f"The dot products for token {i + 1} are {scores};"
        walk += f" after dividing by $\\sqrt {s.d_k}$ they become ${a}$ and ${b}$."
        if s.prints("exp"):
            e, f = s.row("exp", i)
            walk += f"\nExponentiating gives ${e}$ and ${f}$, whose sum is ${s.r('sum', i, 0)}$."
        output = s.weighed(i, [r"\, v_1", r"\, v_2"], "")
        walk += f"\nThe softmax is therefore ${s.v('A', i, '()')}$,"
        walk += f" and the output is $z_{i + 1} = {output} = {s.v('Z', i, '()')}$."
        told.append(walk)
    return paragraphs(*told)


def story(s: Sheet) -> str:
    """No formula at all: the numbers stand in sentences."""

    def of(i: int) -> str:
        token = s.tokens[i]
        query, key, value = (s.v(name, i) for name in "QKV")
        return f'For "{token}" the query is {query}, the key is {key} and the value is {value}.'

    def attended(i: int) -> str:
        token, (first, second) = s.tokens[i], s.tokens
        a, b = s.row("scores", i)
        told = f'The score of "{token}" with "{first}" is {a}, and with "{second}" it is {b}.'
        c, d = s.row("scaled", i)
        e, f = s.row("A", i)
        told += f" Dividing by √{s.d_k} gives {c} and {d}. After the softmax the weights are {e} and {f},"
        return f'{told} so that the output for "{token}" is {s.v("Z", i)}.'

    first, second = s.tokens
    weights = ", ".join(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV")
    return paragraphs(
        "### A story in sentences",
        f'We have two words, "{first}" and "{second}", with embeddings {s.v("X", 0)} and {s.v("X", 1)}.'
        f" The query, key and value matrices are {weights}.",
        of(0),
        of(1),
        attended(0),
        attended(1),
    )


def token_subscripts(s: Sheet) -> str:
    r"""Tokens as subscripts, `q_{\text{cat}}`, and the weights in a table."""
    names = [f"{{\\text{{{token}}}}}" for token in s.tokens]

    def bullets(letter: str, name: str, formula: str = "") -> str:
        made = [f"{formula % who} = " if formula else "" for who in names]
        return NEWLINE.join(
            f"- ${letter}_{who} = {made[i]}{s.v(name, i, '()')}$" for i, who in enumerate(names)
        )

    scores = [
        f"- $q_{a} \\cdot k_{b} = {s.r('scores', i, j)}$"
        for i, a in enumerate(names)
        for j, b in enumerate(names)
    ]
    values = [f"v_{who}" for who in names]
    outputs = [
        f"- $z_{who} = {s.weighed(i, values, ' ')} = {s.v('Z', i, '()')}$" for i, who in enumerate(names)
    ]
    return paragraphs(
        f'# Attention for "{s.said(" ")}"',
        "Embeddings:",
        bullets("x", "X"),
        "Weights:",
        *(f"$$W_{n} = {s.tex(f'W_{n}', 'pmatrix')}$$" for n in "QKV"),
        *(bullets(n.lower(), n, f"x_%s W_{n}") for n in "QKV"),
        "Dot products:",
        NEWLINE.join(scores),
        f"Divided by $\\sqrt{{{s.d_k}}}$ and through the softmax, row by row:",
        pipes(["from \\ to", *s.tokens], labelled(s.tokens, s.rows("A"))),
        "Outputs:",
        NEWLINE.join(outputs),
    )


STYLES = (
    Style(md_blog, Task(exp=(True, False, False), root=(True,), scaled=(True, True, False))),
    Style(one_query, Task(n=(3,), exp=(True,), stripped=(False, True))),
    Style(
        forum,
        Task(
            ("attention", "from queries", "from queries"), n=(2,), d_model=(2,), d_k=(2,), exp=(False, True)
        ),
    ),
    Style(story, Task(n=(2,), d_model=(2,), d_k=(2,), places=(2, 3))),
    Style(token_subscripts, Task(n=(2, 3), silent=("scaled",))),
)
