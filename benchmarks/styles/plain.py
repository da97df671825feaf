"""Plain text: a letter, all dot products written out, capital letters, brackets drawn in Unicode, columns."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import Cells, block, left, nested, paragraphs, right, shown, vector, width


def email(s: Sheet) -> str:
    """Matrices between bars, the name before their middle row."""

    def barred(name: str, said: str) -> str:
        rows, before = s.rows(name), f"  {said} = "
        wide = width(rows)
        told = [f"| {'  '.join(right(cell, wide) for cell in row)} |" for row in rows]
        blank = " " * len(before)
        return "\n".join((before if i == len(rows) // 2 else blank) + row for i, row in enumerate(told))

    return paragraphs(
        "Hi Sam,",
        f"here is the attention example we talked about, worked by hand.\nTokens: {s.said()} (one per row).",
        barred("X", "X"),
        *(barred(f"W_{n}", f"W{n.lower()}") for n in "QKV"),
        "Multiplying out:",
        *(barred(n, f"{n} = X W{n.lower()}") for n in "QKV"),
        "Scores:",
        barred("scores", "Q K^T"),
        f"Now divide by sqrt({s.d_k}):",
        barred("scaled", "S / sqrt(d_k)"),
        "Softmax of each row:",
        barred("A", "A"),
        "and finally",
        barred("Z", "A V"),
        "Does that match what you got?",
        "Cheers,\nRobin",
    )


def dots(s: Sheet) -> str:
    """Every dot product written out, projections too where the author feels like it."""
    marked = s.ending == "md"
    times, dot = s.pick("×", "*", "·") if marked else "*", s.pick("·", ".")

    def bold(words: str) -> str:
        return f"**{words}**" if marked else words

    def projected(n: str, i: int) -> str:
        name = f"{n.lower()}_{i + 1}"
        if s.maybe(0.4):
            return f"{name} = {s.v(n, i)}"
        work = vector([s.down("X", i, f"W_{n}", j, times) for j in range(s.shape(n)[1])])
        return f"{name} = x_{i + 1} W_{n} = {work} = {s.v(n, i)}"

    def score(i: int, j: int) -> str:
        return f"q_{i + 1} {dot} k_{j + 1} = {s.dot('Q', i, 'K', j, times)} = {s.r('scores', i, j)}"

    def weights(i: int) -> str:
        return f"a_{i + 1} = softmax({s.v('scaled', i, used=True)}) = {s.v('A', i)}"

    def output(i: int) -> str:
        return f"z_{i + 1} = {s.weighed(i, [f'v_{j + 1}' for j in range(s.n)], times)} = {s.v('Z', i)}"

    tokens, end = range(s.n), "  " if marked else ""
    parts = [
        f"{'# ' if marked else ''}Attention with all the dot products written out",
        f"Sentence: {s.said(' ')}",
        "\n".join(f"x_{i + 1} ({s.tokens[i]}) = {s.v('X', i)}{end}" for i in tokens),
        "\n".join(f"W_{n} = {s.m(f'W_{n}')}{end}" for n in "QKV"),
    ]
    for n, title in zip("QKV", ("Queries", "Keys", "Values"), strict=True):
        parts += [bold(title), *(projected(n, i) for i in tokens)]
    scores = [score(i, j) for i in tokens for j in tokens]
    root = f"√{s.d_k}" if marked else f"sqrt({s.d_k})"
    parts += [bold("Scores"), ("\n\n" if marked else "\n").join(scores), bold(f"Scaled by 1/{root}")]
    parts += [f"token {i + 1}: {s.v('scaled', i)}" for i in tokens]
    parts += [bold("Softmax"), *map(weights, tokens), bold("Outputs"), *map(output, tokens)]
    return paragraphs(*parts)


def capital_index(s: Sheet) -> str:
    """Q1 and K2 for vectors, tuples in parentheses, a full stop for the product."""
    end = "  " if s.ending == "md" else ""
    tokens = list(enumerate(s.tokens))

    def rows(name: str) -> str:
        return "\n".join(s.v(name, i, "()") + end for i, _ in tokens)

    def output(i: int) -> str:
        return f"Z{i + 1} = {s.weighed(i, [f'V{j + 1}' for j, _ in tokens], '*')} = {s.v('Z', i, '()')}{end}"

    return paragraphs(
        f"Example: {s.said(' ')}",
        "\n".join(f'X{i + 1} = {s.v("X", i, "()")}   "{token}"' for i, token in tokens),
        *(f"W_{n} = {nested(s.rows(f'W_{n}'), '()')}" for n in "QKV"),
        *(", ".join(f"{n}{i + 1} = {s.v(n, i, '()')}" for i, _ in tokens) for n in "QKV"),
        "Similarities:",
        "\n".join(f"Q{i + 1}.K{j + 1} = {s.r('scores', i, j)}{end}" for i, _ in tokens for j, _ in tokens),
        f"Divide by sqrt({s.d_k}):",
        rows("scaled"),
        "Softmax:",
        rows("A"),
        "Result:",
        "\n".join(output(i) for i, _ in tokens),
    )


def unicode_box(s: Sheet) -> str:
    """Brackets drawn over several lines, matrices side by side with their names before the middle line."""

    def box(name: str) -> list[str]:
        rows = s.rows(name)
        wide, middle = width(rows), len(rows) - 2
        sides = (
            zip(f"⎡{'⎢' * middle}⎣", f"⎤{'⎥' * middle}⎦", rows, strict=True)
            if len(rows) > 1
            else [("[", "]", rows[0])]
        )
        return [f"{a} {'  '.join(right(cell, wide) for cell in row)} {b}" for a, b, row in sides]

    def beside(names: dict[str, str]) -> str:
        boxes = {name: box(name) for name in names}
        height = max(map(len, boxes.values()))
        told = [""] * height
        for name, said in names.items():
            made = boxes[name]
            above = (height - len(made)) // 2
            for k in range(height):
                inside = above <= k < above + len(made)
                body = made[k - above] if inside else " " * len(shown(made[0]))
                told[k] += (f"{said} = " if k == (height - 1) // 2 else " " * (len(said) + 3)) + body + "    "
        return "\n".join(line.rstrip() for line in told)

    groups: list[dict[str, str]] = [
        {"X": "X"},
        {f"W_{n}": f"W_{n}" for n in "QKV"},
        {n: n for n in "QKV"},
        {"scores": "Q Kᵀ"},
        {"scaled": f"Q Kᵀ/√{s.d_k}"},
        {"A": f"softmax(Q Kᵀ/√{s.d_k})"},
        {"Z": "A V"},
    ]
    body = "\n\n".join(beside(group) for group in groups)
    title = "SELF-ATTENTION, WORKED BY HAND"
    fenced = f"```\n{body}\n```" if s.ending == "md" else body
    return paragraphs(f"{title}\n{'=' * len(title)}", f"tokens: {s.said()}", fenced)


def padded_ascii(s: Sheet) -> str:
    """Tables of blanks, with the names of rows and columns."""
    names = max(map(len, s.tokens)) + 2

    def table(name: str, title: str, heads: Cells) -> str:
        rows = s.rows(name)
        wide = max(width(rows), *map(len, heads)) + 2
        told = [title, "-" * len(title), " " * names + "".join(right(head, wide) for head in heads)]
        for token, row in zip(s.tokens, rows, strict=True):
            told.append(left(token, names) + "".join(right(cell, wide) for cell in row))
        return "\n".join(told)

    vectors = {"Q": "Queries", "K": "Keys", "V": "Values"}
    square = {"scores": "Scores", "scaled": "Scaled scores", "A": "Attention weights"}
    return paragraphs(
        "ATTENTION BY HAND",
        f'The sentence is "{s.said(" ")}".',
        table("X", "Embeddings", s.widths("X")),
        block(*(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV")),
        *(table(name, title, s.widths(name)) for name, title in vectors.items()),
        *(table(name, title, s.tokens) for name, title in square.items()),
        table("Z", "Outputs", s.widths("Z")),
    )


STYLES = (
    Style(email, Task(places=(2, 3)), ("txt",)),
    Style(dots, Task(n=(2, 3), d_k=(2, 3)), ("md", "txt")),
    Style(capital_index, Task(n=(2, 3), d_k=(2,), stripped=(False, True)), ("md", "txt")),
    Style(unicode_box, Task(n=(2, 3)), ("txt", "md")),
    Style(padded_ascii, endings=("txt",)),
)
