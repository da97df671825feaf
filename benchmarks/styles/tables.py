"""Tables: a table for every quantity, one long table of all pairs, a table of one query's keys."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, Cells, labelled, paragraphs, pipes, vector


def tables_percent(s: Sheet) -> str:
    """Every quantity in a table of its own, with the weights in percent."""

    def table(name: str, heads: Cells, corner: str) -> str:
        return pipes([corner, *heads], labelled(s.tokens, s.rows(name)), ":--")

    def bare(name: str) -> str:
        return pipes([""] * s.shape(name)[1], s.rows(name))

    parts = [
        "# Who looks at whom?",
        f"Sentence: `{s.said(' ')}`",
        "## Embeddings",
        table("X", s.widths("X"), "token"),
    ]
    for n in "QKV":
        parts += [f"## W_{n}", bare(f"W_{n}")]
    for n, title in zip("QKV", ("Queries", "Keys", "Values"), strict=True):
        parts += [f"## {title} ({n} = X·W_{n})", table(n, s.widths(n), "token")]
    square = {
        "Raw scores (Q·Kᵀ)": "scores",
        f"Scaled scores (÷ √{s.d_k})": "scaled",
        "Attention weights": "A",
    }
    for title, name in square.items():
        parts += [f"## {title}", table(name, s.tokens, "query ↓ / key →")]
    return paragraphs(*parts, "## Output vectors", table("Z", s.widths("Z"), "token"))


def long_table(s: Sheet) -> str:
    """A row for each token with all its vectors, then a row for each pair of tokens."""

    def vectors(*names: str) -> list[list[str]]:
        return labelled(s.tokens, [[s.v(name, i, "()") for name in names] for i in range(s.n)])

    pairs = [
        [s.tokens[i], s.tokens[j], *(s.r(name, i, j) for name in ("scores", "scaled", "exp", "A"))]
        for i in range(s.n)
        for j in range(s.n)
    ]
    return paragraphs(
        "## Attention as one long table",
        pipes(["token", "x", "q", "k", "v"], vectors("X", "Q", "K", "V")),
        "with",
        *(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        pipes(["query", "key", "q·k", f"q·k/√{s.d_k}", "exp", "weight"], pairs),
        pipes(["token", "output"], vectors("Z")),
    )


def key_table(s: Sheet) -> str:
    """Matrices in fences, then one query with a row for each key and the sum of the exponentials below."""
    i = s.rng.randrange(s.n)

    def fence(name: str) -> str:
        return f"```\n{NEWLINE.join(vector(row) for row in s.rows(name))}\n```"

    parts = [f'# How "{s.tokens[i]}" attends', "Inputs X:", fence("X")]
    for name in (*(f"W_{n}" for n in "QKV"), *"QKV"):
        parts += [f"{name}:", fence(name)]
    rows = [
        [token, *(s.r(name, i, j) for name in ("scores", "scaled", "exp", "A"))]
        for j, token in enumerate(s.tokens)
    ]
    total = ["**sum**", "", "", s.r("sum", i, 0), ""]
    return paragraphs(
        *parts,
        f'We look at token {i + 1}, "{s.tokens[i]}".',
        pipes(["key", "score", f"score/√{s.d_k}", "exp", "weight"], [*rows, total]),
        f"Output: z_{i + 1} = {s.v('Z', i)}",
    )


STYLES = (
    Style(tables_percent, Task(places=(3, 4), percent=True)),
    Style(long_table, Task(n=(2, 3), exp=(True,), silent=("sum",))),
    Style(key_table, Task(n=(3,), exp=(True,))),
)
