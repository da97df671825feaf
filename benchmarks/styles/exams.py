"""Exams: blanks to fill in with the solution below, and a key with points for each step."""

from __future__ import annotations

from benchmarks.styles.homework import TWO
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, nested, paragraphs


def blanks(s: Sheet) -> str:
    """An exam with blanks to fill in, and its solution below: the first query alone."""
    blank, around = s.pick("______", r"\_\_\_\_", "[   ]", "……"), s.pick("[]", "()")
    end = "  " if s.ending == "md" else ""
    tokens = range(s.n)
    solved = [f"q1 = {s.v('Q', 0, '()')}"]
    solved += [f"{n.lower()}{j + 1} = {s.v(n, j, '()')}" for n in "KV" for j in tokens]
    quotients = [f"{s.o('scores', 0, j)}/sqrt({s.d_k}) = {s.r('scaled', 0, j)}" for j in tokens]
    scores = [f"q1.k{j + 1} = {s.r('scores', 0, j)}, and {quotients[j]}" for j in tokens]
    output = s.weighed(0, [f" v{j + 1}" for j in tokens], "")
    return paragraphs(
        "MIDTERM EXAM, CS 485/685, Winter 2023",
        "Question 4 [10 marks]",
        f"Consider the {s.n} tokens {s.said(' and ')}"
        f" with x1 = {s.v('X', 0, '()')} and x2 = {s.v('X', 1, '()')}, and",
        NEWLINE.join(f"W{n} = {nested(s.rows(f'W_{n}'), around)}{end}" for n in "QKV"),
        f"a) [3 marks] Fill in: q1 = {blank}  k1 = {blank}  k2 = {blank}  v1 = {blank}  v2 = {blank}",
        f"b) [2 marks] Fill in the scaled scores of q1 (use sqrt({s.d_k})): {blank} and {blank}",
        f"c) [3 marks] Attention weights of q1: {blank}, {blank}",
        f"d) [2 marks] Output z1: {blank}",
        "-" * 20,
        "SOLUTION",
        f"a) {', '.join(solved)}",
        f"b) {'; '.join(scores)}",
        f"c) softmax{s.v('scaled', 0, '()', used=True)} = {s.v('A', 0, '()')}",
        f"d) z1 = {output} = {s.v('Z', 0, '()')}",
    )


def answer_key(s: Sheet) -> str:
    """A numbered key with points in four notations, the softmax as numerators and denominators."""
    form = s.pick("({} pts)", "**[{}]**", "*({} marks)*", "M{} A1")

    def softmax(i: int) -> str:
        numerators = f"numerators {', '.join(s.row('exp', i))}; denominator {s.r('sum', i, 0)}"
        return f"   - Row {i + 1}: {numerators}; result {', '.join(s.row('A', i))} {form.format(1)}"

    given = ", ".join(f"$W_{n} = {s.tex(f'W_{n}')}$" for n in "QKV")
    key = [f"{k}. ${n} = {s.tex(n)}$ {form.format(2)}" for k, n in enumerate("QKV", start=1)]
    key += [
        f"4. Scores: $QK^T = {s.tex('scores')}$ {form.format(3)}; deduct 1 pt for each wrong entry.",
        rf"5. Divide by $\sqrt{{{s.d_k}}}$: ${s.tex('scaled')}$ {form.format(2)}",
        f"6. Softmax {form.format(4)}:",
        *map(softmax, range(s.n)),
        f"7. $Z = AV = {s.tex('Z')}$ {form.format(5)}",
    ]
    return paragraphs(
        "# Answer key, Quiz 7",
        "Total: 20 points. Accept answers within ±0.01.",
        f"**Given.** $X = {s.tex('X')}$, {given}.",
        NEWLINE.join(key),
        "Common mistakes: softmax over columns (-2), forgetting the square root (-1).",
    )


STYLES = (
    Style(blanks, TWO, ("md", "txt")),
    Style(answer_key, Task(n=(2, 3), exp=(True,))),
)
