"""Further languages in five layouts: prose, tables, rows, fences, LaTeX; decimals with a comma or a point."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.terms import TERMS, Terms
from benchmarks.styles.text import (
    NEWLINE,
    SUBSCRIPTS,
    article,
    block,
    display,
    labelled,
    paragraphs,
    pipes,
    right,
    width,
)


def page(s: Sheet) -> str:
    """One of the layouts; where decimals have a comma, lists part them by semicolons."""
    terms = TERMS[s.draft.lang]
    comma = ", "
    if s.maybe(0.75):
        comma, mark = "; ", s.pick("{,}", ",") if s.ending == "tex" else ","
        s.spell = lambda number: number.replace(".", mark)
    if s.ending == "tex":
        return _latex(s, terms)
    told = s.pick(_prose, _tables, _rows, _fences)(s, terms, comma)
    sections = [terms.inputs, terms.weights, terms.projections, terms.scores, terms.division.format(s.d_k)]
    sections += [terms.attention, terms.outputs]
    parts = [part for title, part in zip(sections, told, strict=True) for part in (f"## {title}", part)]
    return paragraphs(f"# {terms.title}", terms.sentence.format(s.said(" ")), *parts)


def _prose(s: Sheet, terms: Terms, comma: str) -> list[str]:
    """Every number behind words, or behind symbols."""
    worded, times = s.maybe(0.5), s.pick(" × ", "·", " · ", "×")
    tokens = list(enumerate(s.tokens))

    def v(name: str, i: int, used: bool = False) -> str:
        return s.v(name, i, comma=comma, used=used)

    def bullets(*told: str) -> str:
        return NEWLINE.join(f"- {line}" for line in told)

    def vector_of(n: str, i: int) -> str:
        kind = terms.kinds["QKV".index(n)]
        return (
            f"{terms.vector_of.format(s.tokens[i], kind)}:"
            if worded
            else f"{n.lower()}_{i + 1} = x_{i + 1} W_{n} ="
        )

    def score(i: int, j: int) -> str:
        symbols = f"q_{i + 1} · k_{j + 1} ="
        head = f"{terms.product.format(s.tokens[i], s.tokens[j])}:" if worded else symbols
        work = f"{s.dot('Q', i, 'K', j, times)} = " if s.maybe(0.5) else ""
        return f"{head} {work}{s.r('scores', i, j)}"

    def output(i: int) -> str:
        summed = s.weighed(i, [v("V", j, True) for j, _ in tokens], times) + " = " if s.maybe(0.5) else ""
        return f"{terms.output_of.format(s.tokens[i])}: {summed}{v('Z', i)}"

    weights = [
        f"W_{n} = [{comma.join(s.v(f'W_{n}', i, comma=comma) for i in range(s.shape('X')[1]))}]"
        for n in "QKV"
    ]
    return [
        bullets(*(f"{token}: {v('X', i)}" for i, token in tokens)),
        "\n\n".join(weights),
        bullets(*(f"{vector_of(n, i)} {v(n, i)}" for i, _ in tokens for n in "QKV")),
        bullets(*(score(i, j) for i, _ in tokens for j, _ in tokens)),
        bullets(*(f"{token}: {v('scaled', i)}" for i, token in tokens)),
        bullets(*(f"{terms.weights_of.format(token)}: {v('A', i)}" for i, token in tokens)),
        bullets(*(output(i) for i, _ in tokens)),
    ]


def _tables(s: Sheet, terms: Terms, comma: str) -> list[str]:
    """Tables of tokens, with the vectors of each in one row."""

    def square(name: str) -> str:
        return pipes(["", *s.tokens], labelled([f"**{token}**" for token in s.tokens], s.rows(name)))

    def vectors(heads: list[str], *names: str) -> str:
        rows = [[s.v(name, i, comma=comma) for name in names] for i in range(s.n)]
        return pipes(["Token", *heads], labelled(s.tokens, rows))

    kinds = [f"{kind} ({n})" for n, kind in zip("QKV", terms.kinds, strict=True)]
    return [
        pipes(
            ["Token", *(f"x{SUBSCRIPTS[j]}" for j in range(s.shape("X")[1]))], labelled(s.tokens, s.rows("X"))
        ),
        "\n\n".join(f"$$W_{n} = {s.tex(f'W_{n}')}$$" for n in "QKV"),
        vectors(kinds, *"QKV"),
        square("scores"),
        square("scaled"),
        square("A"),
        vectors([terms.outputs], "Z"),
    ]


def _rows(s: Sheet, terms: Terms, comma: str) -> list[str]:
    """Matrices as bullets, a row each by its number."""

    def rows(name: str) -> str:
        told = [s.v(name, i, comma=comma) for i in range(s.shape(name)[0])]
        return NEWLINE.join(f"- {terms.row.format(i + 1)}: {row}" for i, row in enumerate(told))

    def named(said: str, name: str) -> str:
        return f"{terms.matrix} {said}:\n\n{rows(name)}"

    return [
        named("X", "X"),
        "\n\n".join(named(f"W_{n}", f"W_{n}") for n in "QKV"),
        "\n\n".join(named(n, n) for n in "QKV"),
        f"QKᵀ:\n\n{rows('scores')}",
        *map(rows, ("scaled", "A", "Z")),
    ]


def _fences(s: Sheet, terms: Terms, comma: str) -> list[str]:
    """Grids of blanks below their names."""

    def grid(said: str, name: str) -> str:
        rows = s.rows(name)
        wide = width(rows)
        return block(
            "```", f"{said} =", *("  ".join(right(cell, wide) for cell in row) for row in rows), "```"
        )

    return [
        grid("X", "X"),
        "\n\n".join(grid(f"W_{n}", f"W_{n}") for n in "QKV"),
        "\n\n".join(grid(n, n) for n in "QKV"),
        grid("Q · Kᵀ", "scores"),
        grid(f"Q · Kᵀ / √{s.d_k}", "scaled"),
        grid("A", "A"),
        grid("Z = A · V", "Z"),
    ]


def _latex(s: Sheet, terms: Terms) -> str:
    around = s.pick("pmatrix", "bmatrix")

    def show(formula: str, name: str) -> str:
        return display(f"{formula} {s.tex(name, around)}", "tex")

    quotient = rf"\frac{{QK^T}}{{\sqrt{{{s.d_k}}}}}"
    division = terms.division.format(s.d_k).replace(f"√{s.d_k}", rf"$\sqrt{{{s.d_k}}}$")
    sections = {
        terms.inputs: [show("X =", "X")],
        terms.weights: [show(f"W_{n} =", f"W_{n}") for n in "QKV"],
        terms.projections: [show(f"{n} = XW_{n} =", n) for n in "QKV"],
        terms.scores: [show("QK^T =", "scores"), f"{division}:", show(rf"{quotient} \approx", "scaled")],
        terms.attention: [show(rf"A = \mathrm{{softmax}}\left({quotient}\right) \approx", "A")],
        terms.outputs: [show(r"Z = AV \approx", "Z")],
    }
    told = [part for title, parts in sections.items() for part in (rf"\subsection*{{{title}}}", *parts)]
    return article([rf"\section*{{{terms.title}}}", terms.sentence.format(s.said(" ")), *told])


TASK = Task(
    n=(2, 3), d_model=(2, 3), d_k=(2, 2, 3), inputs=(0, 1), places=(2, 3, 4), stripped=(False, False, True)
)

STYLES = tuple(Style(page, TASK, ("md", "md", "md", "tex"), lang) for lang in TERMS)
