"""By hand: products of whole matrices drawn in text, every multiplication, shorthand, a mask row by row."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import (
    NEWLINE,
    SUBSCRIPTS,
    Rows,
    block,
    nested,
    paragraphs,
    right,
    vector,
    width,
)


def drawn_products(s: Sheet) -> str:
    """Matrices drawn beside each other with signs between them, `Q = X * W = ...`."""
    around = s.pick("||", "[]", "()")

    def beside(*parts: tuple[str, Rows]) -> str:
        height = max(len(rows) for _, rows in parts)
        middle, told = (height - 1) // 2, [""] * height
        for sign, rows in parts:
            above, wide = (height - len(rows)) // 2, width(rows)
            drawn = [f"{around[0]} {' '.join(right(c, wide) for c in row)} {around[1]}" for row in rows]
            blank = " " * (len(rows[0]) * (wide + 1) + 3)
            for k in range(height):
                inside = above <= k < above + len(rows)
                told[k] += (sign if k == middle else " " * len(sign)) + (
                    drawn[k - above] if inside else blank
                )
        return "\n".join(line.rstrip() for line in told)

    def projected(n: str) -> str:
        return beside((f"{n} = ", s.rows("X", True)), (" * ", s.rows(f"W_{n}", True)), (" = ", s.rows(n)))

    drawings = paragraphs(
        beside(("X = ", s.rows("X"))),
        *(beside((f"W{n.lower()} = ", s.rows(f"W_{n}"))) for n in "QKV"),
        "1. Projections",
        *map(projected, "QKV"),
        "2. Scores",
        beside(("QK' = ", s.rows("Q", True)), (" * ", s.columns("K", True)), (" = ", s.rows("scores"))),
        f"3. Scale by 1/sqrt({s.d_k})",
        beside((f"S/sqrt({s.d_k}) = ", s.rows("scaled"))),
        "4. Softmax of each row",
        beside(("A = ", s.rows("A"))),
        "5. Output",
        beside(("AV = ", s.rows("A", True)), (" * ", s.rows("V", True)), (" = ", s.rows("Z"))),
    )
    title = f"SELF-ATTENTION, LONG HAND\n\nSentence: {s.said(' ')}   (d_k = {s.d_k})\n\n"
    return f"{title}```\n{drawings}```\n" if s.ending == "md" else title + drawings


def every_product(s: Sheet) -> str:
    """Every entry on a line of its own with all its products, indices in four notations."""
    form, times = s.pick("[{}][{}]", "[{},{}]", "({},{})", "_{}{}"), s.pick("*", "×", "·")
    first, end = 0 if form.startswith("[") else 1, "  " if s.ending == "md" else ""
    n, (_, d_k), root = s.n, s.shape("Q"), s.root()

    def at(name: str, i: int, j: int) -> str:
        return name + form.format(i + first, j + first)

    def entries(letter: str, name: str, a: str, b: str) -> str:
        told = [
            f"{at(letter, i, j)} = {s.down(a, i, b, j, times)} = {s.r(name, i, j)}{end}"
            for i in range(n)
            for j in range(d_k)
        ]
        return NEWLINE.join(told)

    pairs = [(i, j) for i in range(n) for j in range(n)]
    scores = [
        f"{at('S', i, j)} = {s.dot('Q', i, 'K', j, times)} = {s.r('scores', i, j)}{end}" for i, j in pairs
    ]
    quotients = [f"{s.o('scores', i, j)} / {root} = {s.r('scaled', i, j)}{end}" for i, j in pairs]
    projections = [part for a in "QKV" for part in (f"{a} = X {times} W{a}", entries(a, a, "X", f"W_{a}"))]
    return paragraphs(
        "Every single multiplication, so nothing is hidden.",
        f"X = {s.m('X')}",
        *(f"W{a} = {s.m(f'W_{a}')}" for a in "QKV"),
        *projections,
        "S = Q times K transposed",
        NEWLINE.join(scores),
        f"Scaled by sqrt({s.d_k}) = {root}:",
        NEWLINE.join(quotients),
        "Softmax:",
        NEWLINE.join(f"row {i + 1}: {', '.join(s.row('A', i))}{end}" for i in range(n)),
        f"Z = A {times} V",
        entries("Z", "Z", "A", "V"),
    )


def shorthand(s: Sheet) -> str:
    """Revision notes: lines that begin with a sign for therefore, transposes of rows, no word too many."""
    so, turned, end = s.pick("∴ ", "⇒ ", "so "), s.pick("ᵀ", ""), "  " if s.ending == "md" else ""

    def v(name: str, i: int) -> str:
        return s.v(name, i, "()") + turned

    def projected(n: str) -> str:
        letter = n.lower()
        told = [f"{so}{letter}{SUBSCRIPTS[i]} = x{SUBSCRIPTS[i]}W_{n} = {v(n, i)}{end}" for i in range(s.n)]
        return NEWLINE.join(told)

    def attended(i: int) -> str:
        mine = SUBSCRIPTS[i]
        scores = [f"q{mine}·k{SUBSCRIPTS[j]} = {s.r('scores', i, j)}" for j in range(s.n)]
        weights = [f"a{mine}{SUBSCRIPTS[j]} = {s.r('A', i, j)}" for j in range(s.n)]
        summed = s.weighed(i, [f"v{SUBSCRIPTS[j]}" for j in range(s.n)], "")
        told = [
            ", ".join(scores),
            f"÷√{s.d_k}: {', '.join(s.row('scaled', i))}",
            ", ".join(weights),
            f"z{mine} = {summed} = {v('Z', i)}",
        ]
        return NEWLINE.join(f"{so}{line}{end}" for line in told)

    return paragraphs(
        "Revision notes — attention (handwritten, typed up)",
        ", ".join(f"x{SUBSCRIPTS[i]} = {s.v('X', i, '()')}" for i in range(s.n)),
        *(f"W_{n} = {nested(s.rows(f'W_{n}'), '()')}" for n in "QKV"),
        *map(projected, "QKV"),
        *map(attended, range(s.n)),
        "Q.E.D. (checked twice, pp. 3–4)",
    )


def ragged(s: Sheet) -> str:
    """A causal mask told token by token: what is hidden is never printed."""

    def fence(name: str) -> str:
        return block("```", *(vector(row, comma="  ") for row in s.rows(name)), "```")

    def position(i: int, token: str) -> str:
        seen = range(i + 1)

        def part(name: str) -> list[str]:
            return [s.r(name, i, j) for j in seen]

        told = [
            f"- sees: {', '.join(s.tokens[: i + 1])}",
            f"- scores: {', '.join(f'q{i + 1}·k{j + 1} = {a}' for j, a in enumerate(part('scores')))}",
            f"- scaled by √{s.d_k}: {vector(part('scaled'))}",
            f"- weights: {vector(part('A'))}",
            f"- output: {s.v('Z', i)}",
        ]
        return f'## Position {i + 1}: "{token}"\n\n{NEWLINE.join(told)}'

    vectors = [
        f"- **{token}**: " + ", ".join(f"{n.lower()} = {s.v(n, i)}" for n in "QKV")
        for i, token in enumerate(s.tokens)
    ]
    return paragraphs(
        "# GPT-style masked attention, token by token",
        "A token may only look at itself and at what came before.",
        *(part for name in ("X", "W_Q", "W_K", "W_V") for part in (f"{name}:", fence(name))),
        NEWLINE.join(vectors),
        *(position(i, token) for i, token in enumerate(s.tokens)),
    )


STYLES = (
    Style(drawn_products, Task(n=(2, 3), d_k=(2, 3)), ("txt", "txt", "md")),
    Style(every_product, Task(n=(2,), d_model=(2, 3), d_k=(2,), root=(True,)), ("txt", "md")),
    Style(shorthand, Task(n=(2,), d_k=(2,), places=(2, 3)), ("md", "txt")),
    Style(ragged, Task(n=(3,), d_k=(2,), places=(2, 3), causal=True)),
)
