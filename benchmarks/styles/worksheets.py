"""Worksheets: spreadsheets with tabs or commas, comma-separated values, typeset tables, one query."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import (
    NEWLINE,
    Cells,
    Rows,
    block,
    labelled,
    lines,
    paragraphs,
    pipes,
    right,
    width,
)


def spreadsheet(s: Sheet) -> str:
    """Ranges copied from a spreadsheet, their cells between tabs or commas."""
    between = "\t" if s.maybe(0.6) else ","

    def sheet(title: str, name: str, heads: Cells) -> str:
        rows = [["", *heads], *labelled(s.tokens, s.rows(name))]
        return lines(title, *(between.join(row) for row in rows))

    def bare(n: str) -> str:
        return lines(f"W_{n}", *(between.join(row) for row in s.rows(f"W_{n}")))

    vectors = {"Q": "Queries (Q)", "K": "Keys (K)", "V": "Values (V)"}
    square = {"scores": "Scores (Q*K^T)", "scaled": f"Scaled scores (/ SQRT({s.d_k}))", "A": "Softmax"}
    told = [
        sheet("Embeddings (X)", "X", s.widths("X")),
        *map(bare, "QKV"),
        *(sheet(title, name, s.widths(name)) for name, title in vectors.items()),
        *(sheet(title, name, s.tokens) for name, title in square.items()),
        sheet("Output", "Z", s.widths("Z")),
    ]
    fence = ["```"] if s.ending == "md" else []
    return lines("Attention worksheet", "", *fence, *told, *fence)


def separated(s: Sheet) -> str:
    """Fences of comma-separated values; all pairs of tokens in long format."""

    def fence(title: str, heads: Cells, rows: Rows) -> str:
        return block(title, "", "```csv", *(",".join(row) for row in (heads, *rows)), "```")

    def vectors(title: str, name: str, letter: str) -> str:
        heads = ["token", *s.widths(name, letter + "{}", 0)]
        return fence(title, heads, labelled(s.tokens, s.rows(name)))

    pairs = [
        [s.tokens[i], s.tokens[j], *(s.r(name, i, j) for name in ("scores", "scaled", "A"))]
        for i in range(s.n)
        for j in range(s.n)
    ]
    titles = {"Q": "Queries", "K": "Keys", "V": "Values"}
    return paragraphs(
        "# Attention data",
        vectors("Embeddings `X`:", "X", "x"),
        *(fence(f"`W_{n}`:", s.widths(f"W_{n}", "c{}", 0), s.rows(f"W_{n}")) for n in "QKV"),
        *(vectors(f"{title} `{n} = X W_{n}`:", n, n.lower()) for n, title in titles.items()),
        fence("Attention (long format):", ["query", "key", "score", "scaled", "weight"], pairs),
        vectors("Output:", "Z", "z"),
        f"`scaled` is `score` divided by sqrt({s.d_k}); `weight` is the softmax over the keys of a query.",
    )


def booktabs(s: Sheet) -> str:
    """LaTeX tables with captions and rules; the softmax of one query as a table of its keys."""
    i = s.rng.randrange(s.n)

    def table(caption: str, columns: str, heads: Cells, rows: Rows, below: Cells = ()) -> str:
        body = [" & ".join(row) + r" \\" for row in (heads, *rows)]
        last = [r"\midrule", " & ".join(below) + r" \\"] if below else []
        return block(
            r"\begin{table}[ht]",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            body[0],
            r"\midrule",
            *body[1:],
            *last,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        )

    def vectors(caption: str, name: str, form: str) -> str:
        heads = s.widths(name, form)
        return table(caption, "l" + "r" * len(heads), ["Token", *heads], labelled(s.tokens, s.rows(name)))

    heads = ["Key", rf"$q_{i + 1}\cdot k_j$", rf"$/\sqrt{{{s.d_k}}}$", r"$\exp$", "weight"]
    rows = [
        [token, *(s.r(name, i, j) for name in ("scores", "scaled", "exp", "A"))]
        for j, token in enumerate(s.tokens)
    ]
    total = ["Sum", "", "", s.r("sum", i, 0), "1"]
    weights = r",\; ".join(f"W_{n} = {s.tex(f'W_{n}')}" for n in "QKV")
    titles = {"Q": "Queries $Q$", "K": "Keys $K$", "V": "Values $V$"}
    return lines(
        r"\documentclass{article}",
        r"\usepackage{booktabs}",
        r"\begin{document}",
        vectors("Input embeddings $X$", "X", "$x_{}$"),
        "The weights are",
        rf"\[ {weights}. \]",
        *(vectors(title, name, "$d_{}$") for name, title in titles.items()),
        f"Table~5 shows the softmax for the query of ``{s.tokens[i]}'' (token {i + 1}); $d_k = {s.d_k}$.",
        table(f"Attention of ``{s.tokens[i]}''", "lrrrr", heads, rows, total),
        rf"The output is $z_{i + 1} = \sum_j a_{{{i + 1}j}} v_j = {s.v('Z', i, '()')}$.",
        r"\end{document}",
    )


def next_word(s: Sheet) -> str:
    """The query of the last token alone, with a table of keys in Markdown or in blanks."""
    i, end = s.n - 1, "  " if s.ending == "md" else ""
    heads = s.pick(
        ["j", "token", "q·k_j", f"÷√{s.d_k}", "e^x", "weight"],
        ["#", "key", "score", "scaled", "exp", "softmax"],
        ["idx", "word", "raw score", "scaled score", "exponential", "attention weight"],
    )
    rows = [
        [str(j + 1), token, *(s.r(name, i, j) for name in ("scores", "scaled", "exp", "A"))]
        for j, token in enumerate(s.tokens)
    ]
    rows.append(["", "total", "", "", s.r("sum", i, 0), ""])
    if s.ending == "md":
        table = pipes(heads, rows)
    else:
        wide = [width([[row[k]] for row in (heads, *rows)]) + 2 for k in range(len(heads))]
        table = NEWLINE.join("".join(map(right, row, wide)).rstrip() for row in (heads, *rows))

    def each(name: str, sign: str) -> str:
        return NEWLINE.join(f"  {token}{sign}{s.v(name, j)}{end}" for j, token in enumerate(s.tokens))

    values = [s.v("V", j, used=True) for j in range(s.n)]
    return paragraphs(
        f'Predicting the word after "{s.said(" ")}"',
        f'We only need the query of the last token, "{s.tokens[i]}".',
        "Embeddings:",
        each("X", " = "),
        "Parameters:",
        *(f"  W_{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        f"Query of {s.tokens[i]}: {s.v('Q', i)}",
        "Keys:",
        each("K", ": "),
        "Values:",
        each("V", ": "),
        table,
        f"Attention output: {s.weighed(i, values, '·')} = {s.v('Z', i)}",
    )


STYLES = (
    Style(spreadsheet, Task(n=(2, 3)), ("txt", "md")),
    Style(separated, Task(n=(2, 3))),
    Style(booktabs, Task(n=(3,), exp=(True,)), ("tex",)),
    Style(next_word, Task(n=(3,), d_k=(2, 3, 4), exp=(True,)), ("md", "txt")),
)
