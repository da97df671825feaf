"""HTML: tables in Markdown, and formulas of MathJax in lists and paragraphs."""

from __future__ import annotations

from benchmarks.styles.markup import SHORT
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, Cells, block, labelled, paragraphs, tex


def html_tables(s: Sheet) -> str:
    """Tables of HTML in Markdown with captions, and scores line by line with subscripts."""

    def row(cells: Cells, first: str = "th", rest: str = "td") -> str:
        tags = [first, *([rest] * (len(cells) - 1))]
        return "  <tr>" + "".join(f"<{t}>{c}</{t}>" for t, c in zip(tags, cells, strict=True)) + "</tr>"

    def table(caption: str, heads: Cells, name: str) -> str:
        body = [row(cells) for cells in labelled(s.tokens, s.rows(name))]
        head = row(["", *heads], rest="th")
        return block("<table>", f"  <caption>{caption}</caption>", head, *body, "</table>")

    def bare(name: str) -> str:
        return block("<table>", *(row(cells, first="td") for cells in s.rows(name)), "</table>")

    def vectors(caption: str, name: str) -> str:
        return table(caption, s.widths(name, "d<sub>{}</sub>"), name)

    scores = [
        f"q<sub>{i + 1}</sub>·k<sub>{j + 1}</sub> = <b>{s.r('scores', i, j)}</b>"
        for i in range(s.n)
        for j in range(s.n)
    ]
    return paragraphs(
        '<h1 align="center">Tiny Attention</h1>',
        "## Example",
        vectors("X", "X"),
        *(part for n in "QKV" for part in (f"W<sub>{n}</sub>:", bare(f"W_{n}"))),
        "<details>\n<summary>Queries, keys and values</summary>",
        vectors("Queries (Q)", "Q"),
        vectors("Keys (K)", "K"),
        vectors("Values (V)", "V"),
        "</details>",
        "Scores q<sub>i</sub> · k<sub>j</sub>:",
        " <br>\n".join(scores),
        table(f"Scaled scores (divided by √{s.d_k})", s.tokens, "scaled"),
        table("Attention weights", s.tokens, "A"),
        vectors("Output", "Z"),
    )


def mathjax(s: Sheet) -> str:
    r"""Lists and paragraphs of HTML with formulas between \( and \)."""
    tokens = range(s.n)

    def listed(formulas: Cells) -> str:
        return block("<ul>", *(rf"<li>\({formula}\)</li>" for formula in formulas), "</ul>")

    def row(name: str, i: int) -> str:
        return tex([s.row(name, i)], "pmatrix")

    def score(i: int, j: int) -> str:
        product = rf"\(\ell_{{{i + 1}{j + 1}}} = q_{{{i + 1}}}^\top k_{{{j + 1}}} = {s.r('scores', i, j)}\)"
        quotient = rf"\({s.o('scores', i, j)}/\sqrt{{{s.d_k}}} = {s.r('scaled', i, j)}\)"
        return f"{product}, scaled: {quotient}<br/>"

    softmax = [rf"\text{{softmax}}{s.v('scaled', i, '()', used=True)}" for i in tokens]
    weights = [rf"<p>\(\alpha_{{{i + 1}}} = {softmax[i]} = {row('A', i)}\)</p>" for i in tokens]
    outputs = [rf"<p>\(o_{{{i + 1}}} = \sum_j \alpha_{{{i + 1}j}} v_j = {row('Z', i)}\)</p>" for i in tokens]
    return paragraphs(
        f"<p>We take the tokens <em>{s.said('</em>, <em>')}</em> with \\(d_k={s.d_k}\\).</p>",
        rf"<p>\(X = {s.tex('X', 'pmatrix')}\)</p>",
        listed([f"W_{n} = {s.tex(f'W_{n}', 'pmatrix')}" for n in "QKV"]),
        "<h3>Queries, keys, values</h3>",
        listed([f"{n.lower()}_{{{i + 1}}} = {row(n, i)}" for i in tokens for n in "QKV"]),
        "<h3>Logits</h3>",
        block("<p>", *(score(i, j) for i in tokens for j in tokens), "</p>"),
        "<h3>Weights</h3>",
        NEWLINE.join(weights),
        "<h3>Outputs</h3>",
        NEWLINE.join(outputs),
    )


STYLES = (
    Style(html_tables, SHORT),
    Style(mathjax, Task(n=(2, 3), d_k=(2, 3))),
)
