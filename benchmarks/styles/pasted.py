"""Output that was pasted: MATLAB, R, Python lists and dictionaries, JSON, comments in code, a README."""

from __future__ import annotations

import json
from decimal import Decimal

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import KEPT, Task
from benchmarks.styles.text import NEWLINE, block, lines, paragraphs, right, stacked, vector, width


def matlab(s: Sheet) -> str:
    """A console with prompts: `Q =`, an empty line, and rows of blanks."""

    def output(name: str, said: str) -> str:
        rows = s.rows(name)
        wide = width(rows)
        told = ["    " + "    ".join(right(cell, wide) for cell in row) for row in rows]
        return lines(f"{said} =", "", *told)

    def typed(name: str) -> str:
        return vector([" ".join(row) for row in s.rows(name)], comma="; ")

    told = [f">> X = {typed('X')};", *(f">> W{n} = {typed(f'W_{n}')};" for n in "QKV")]
    calls = {
        **{f"{n} = X*W{n}": (n, n) for n in "QKV"},
        "S = Q*K'": ("scores", "S"),
        f"Sc = S/sqrt({s.d_k})": ("scaled", "Sc"),
        "A = exp(Sc)./sum(exp(Sc),2)": ("A", "A"),
        "Z = A*V": ("Z", "Z"),
    }
    for typing, (name, said) in calls.items():
        told += [f">> {typing}", "", output(name, said)]
    fence = ("```matlab", "```") if s.ending == "md" else ()
    return lines("Attention in MATLAB", "", *fence[:1], *told, *fence[1:])


def r_output(s: Sheet) -> str:
    """What R prints: `[,1]` above the columns, `[1,]` before the rows, each call in a fence of its own."""

    def output(name: str) -> list[str]:
        rows = s.rows(name)
        wide = max(width(rows), 4)
        heads = " ".join(right(f"[,{j + 1}]", wide) for j in range(len(rows[0])))
        told = [f"[{i + 1},] " + " ".join(right(cell, wide) for cell in row) for i, row in enumerate(rows)]
        return ["     " + heads, *told]

    calls = {
        **{name: name for name in ("X", "W_Q", "W_K", "W_V")},
        **{f"{n} <- X %*% W_{n}; {n}": n for n in "QKV"},
        "scores <- Q %*% t(K); scores": "scores",
        f"scaled <- scores / sqrt({s.d_k}); scaled": "scaled",
        "weights": "A",
        "output <- weights %*% V; output": "Z",
    }
    told = [lines("```r", f"> {call}", "```", "```", *output(name), "```") for call, name in calls.items()]
    return "# Attention in R\n\n" + NEWLINE.join(told)


def py_dict(s: Sheet) -> str:
    """Dictionaries from tokens to lists, and a console with `>>>`."""

    def by_token(name: str) -> str:
        return "{" + ", ".join(f'"{token}": {s.v(name, i)}' for i, token in enumerate(s.tokens)) + "}"

    def code(*told: str) -> str:
        return block("```python", *told, "```")

    scaled = f"scaled = [[s / math.sqrt({s.d_k}) for s in row] for row in scores]"
    weights = f"weights = {by_token('A')}" if s.maybe(0.6) else f">>> weights\n{s.m('A')}"
    return paragraphs(
        "# Attention in pure Python",
        "No libraries, just lists.",
        code(f"embeddings = {by_token('X')}", *(f"W_{n.lower()} = {s.m(f'W_{n}')}" for n in "QKV")),
        "Each token's vector is multiplied by the three matrices (row vector times matrix):",
        code(
            *(f"{said} = {by_token(n)}" for said, n in zip(("queries", "keys", "values"), "QKV", strict=True))
        ),
        "The scores are dot products of queries and keys:",
        code(">>> scores", s.m("scores"), f">>> {scaled}", ">>> scaled", s.m("scaled")),
        "After the softmax:",
        code(weights),
        "and the context vectors:",
        code(f"context = {by_token('Z')}" if s.maybe(0.6) else f"outputs = {s.m('Z')}"),
    )


def json_block(s: Sheet) -> str:
    """The whole walk as one JSON object."""
    keys = {"scores": "scores", "scaled": "scaled_scores", "A": "attention_weights", "Z": "output"}
    names = ["X", *(f"W_{n}" for n in "QKV"), *"QKV", *keys]
    fields = [f'  "{keys.get(name, name)}": {s.m(name)}' for name in names]
    return paragraphs(
        "# Trace of a toy attention layer",
        "```json\n{\n" + ",\n".join([f'  "tokens": {json.dumps(s.tokens)}', *fields]) + "\n}\n```",
        f"Scores were divided by sqrt(d_k) = sqrt({s.d_k}).",
    )


def code_comments(s: Sheet) -> str:
    """NumPy code with its results in comments below each line."""

    def comment(name: str) -> str:
        return "\n".join(f"# {line}" for line in stacked(s.rows(name)).split("\n"))

    scaled = s.pick("scores", "scaled", "scaled")
    steps = {
        **{f"{n} = X @ W{n.lower()}": n for n in "QKV"},
        "scores = Q @ K.T": "scores",
        f"{scaled} = scores / np.sqrt({s.d_k})": "scaled",
        f"weights = np.exp({scaled}) / np.exp({scaled}).sum(axis=1, keepdims=True)": "A",
        "out = weights @ V": "Z",
    }
    inputs = [f"X = np.array({s.m('X')})  # {s.said(' ')}"]
    inputs += [f"W{n.lower()} = np.array({s.m(f'W_{n}')})" for n in "QKV"]
    walk = [f"{line}\n{comment(name)}" for line, name in steps.items()]
    code = paragraphs("import numpy as np", NEWLINE.join(inputs), *walk)
    told = "Here is the whole thing in NumPy, with the intermediate results as comments:"
    return paragraphs(told, f"```python\n{code}```")


def readme(s: Sheet) -> str:
    """A README whose fences hold nested lists over several lines."""

    def listed(name: str, said: str) -> str:
        return stacked(s.rows(name), f"{said} = ")

    def fence(*blocks: str, language: str = "") -> str:
        return f"```{language}\n" + "\n\n".join(blocks) + "\n```"

    calls = {n: s.pick(f"{n} = X @ W{n.lower()}", n) for n in "QKV"}
    scores = listed("scores", s.pick("scores = Q @ K.T", "S"))
    inputs = [f"X  = {s.m('X')}", *(f"W{n.lower()} = {s.m(f'W_{n}')}" for n in "QKV")]
    return paragraphs(
        "# tiny-attention",
        "A minimal scaled dot-product attention. Worked example:",
        f"```\n{NEWLINE.join(inputs)}\n```",
        "### Projections",
        fence(*(listed(n, said) for n, said in calls.items()), language="text"),
        "### Scores",
        fence(scores, listed("scaled", f"scores / sqrt({s.d_k})")),
        "### Softmax (row-wise)",
        fence(listed("A", s.pick("weights", "attn", "A"))),
        "### Output",
        fence(listed("Z", s.pick("output", "out", "out = attn @ V", "Z"))),
    )


def zero_based(s: Sheet) -> str:
    """Indices from 0 in brackets, lines that end in two blanks, weights in scientific notation or not."""
    tokens = range(s.n)

    def vectors(*told: str) -> str:
        return "\n".join(f"{line}  " for line in told)

    def rows(name: str) -> str:
        return vectors(*(f"row {i}: {s.v(name, i)}" for i in tokens))

    def weights(n: str) -> str:
        return "```\n" + f"W{n} = [" + ",\n      ".join(vector(row) for row in s.rows(f"W_{n}")) + "]\n```"

    def projected(n: str) -> str:
        letter = n.lower()
        return vectors(*(f"{letter}[{i}] = x[{i}] @ W{n} = {s.v(n, i)}" for i in tokens))

    parts = [
        "### Worked example (0-based indices)",
        f"Tokens 0..{s.n - 1}: {', '.join(f'{i}={token}' for i, token in enumerate(s.tokens))}",
        vectors(*(f"x[{i}] = {s.v('X', i)}" for i in tokens)),
        *map(weights, "QKV"),
        *map(projected, "QKV"),
        "Scores, `s[i][j] = q[i] · k[j]`:",
        vectors(*(", ".join(f"s[{i}][{j}] = {s.r('scores', i, j)}" for j in tokens) for i in tokens)),
        f"Divide by sqrt({s.d_k}):",
        rows("scaled"),
    ]
    if s.maybe(0.7):
        s.spell = scientific
    parts += ["Softmax:", rows("A")]
    s.spell = str
    return paragraphs(*parts, "Outputs:", vectors(*(f"out[{i}] = {s.v('Z', i)}" for i in tokens)))


def scientific(text: str) -> str:
    """The same digits in scientific notation: 0.123 is 1.23e-01."""
    digits = len(Decimal(text).as_tuple().digits)
    return f"{float(text):.{digits - 1}e}" if Decimal(text) else text


STYLES = (
    Style(matlab, Task(places=(4,), authors=KEPT), ("md", "txt")),
    Style(r_output, Task(places=(3, 4), authors=KEPT)),
    Style(py_dict),
    Style(json_block),
    Style(code_comments, Task(places=(2, 3, 4), authors=KEPT)),
    Style(readme),
    Style(zero_based, Task(n=(3,), places=(3,))),
)
