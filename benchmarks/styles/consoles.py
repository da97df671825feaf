"""Consoles and rendered documents: Julia, doctests, Quarto, comments below prints, lists of variables."""

from __future__ import annotations

from benchmarks.styles.notebooks import pointed, whole
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import KEPT, Task
from benchmarks.styles.text import NEWLINE, Rows, block, lines, nested, paragraphs, right, vector, width


def straight(rows: Rows, comma: str = " ") -> list[str]:
    """The lines of a matrix as NumPy prints it."""
    wide = width(rows)
    told = [vector([right(cell, wide) for cell in row], comma=comma) for row in rows]
    ends = [comma.rstrip()] * (len(told) - 1) + ["]"]
    return [("[" if i == 0 else " ") + row + end for i, (row, end) in enumerate(zip(told, ends, strict=True))]


def julia(s: Sheet) -> str:
    """A Julia console, which says the size and the type of what it prints."""

    def output(name: str) -> str:
        rows, (n, m) = s.rows(name), s.shape(name)
        wide = width(rows)
        kind = "Int64" if whole(s, name) else "Float64"
        told = [" " + "  ".join(right(cell, wide) for cell in row) for row in rows]
        return lines(f"{n}×{m} Matrix{{{kind}}}:", *told)

    def typed(name: str) -> str:
        return vector([" ".join(row) for row in s.rows(name)], comma="; ")

    calls = {
        **{f"{n} = X * W{n.lower()}": n for n in "QKV"},
        "S = Q * K'": "scores",
        f"S_scaled = S ./ sqrt({s.d_k})": "scaled",
        "A = softmax(S_scaled)": "A",
        "Z = A * V": "Z",
    }
    told = [f"julia> X = {typed('X')};", *(f"julia> W{n.lower()} = {typed(f'W_{n}')};" for n in "QKV"), ""]
    told += [f"julia> {call}\n{output(name)}" for call, name in calls.items()]
    fence = ("# Attention in Julia\n\n```julia-repl", "```") if s.ending == "md" else ()
    return lines(*fence[:1], *told, *fence[1:])


def doctests(s: Sheet) -> str:
    """Prompts and arrays, in a module's docstring or in a fence."""

    def output(name: str) -> str:
        first, *rest = straight(s.rows(name), ", ")
        return "\n".join([f"array({first}", *(f"      {line}" for line in rest)]) + ")"

    places = max(s.draft.author.places.values())
    calls = {
        **{f"{n.lower()} = x @ w_{n.lower()}\n>>> {n.lower()}": n for n in "QKV"},
        "s = q @ k.T\n>>> s": "scores",
        f"s / np.sqrt({s.d_k})": "scaled",
        f"a = softmax(s / np.sqrt({s.d_k}))\n>>> a": "A",
        "a @ v": "Z",
    }
    told = [
        ">>> import numpy as np",
        f">>> np.set_printoptions(precision={places}, suppress=True)",
        f">>> x = np.array({s.m('X')})",
        *(f">>> w_{n.lower()} = np.array({s.m(f'W_{n}')})" for n in "QKV"),
        *(f">>> {call}\n{output(name)}" for call, name in calls.items()),
    ]
    if s.ending == "md":
        return lines("# Attention doctest", "", "```pycon", *told, "```")
    head = (
        '"""Attention, as a doctest.',
        "",
        "The numbers below are checked by ``pytest --doctest-modules``.",
        "",
    )
    return lines(*head, *told, '"""')


def quarto_r(s: Sheet) -> str:
    """R with its output in fences behind `##` or `#>`."""
    hashes = s.pick("## ", "#> ")

    def matrix(name: str) -> str:
        cells = ", ".join(cell for row in s.rows(name) for cell in row)
        return f"matrix(c({cells}), nrow = {s.shape(name)[0]}, byrow = TRUE)"

    def chunk(call: str, name: str) -> str:
        rows = s.rows(name)
        wide = max(width(rows), 4)
        heads = "     " + " ".join(right(f"[,{j + 1}]", wide) for j in range(len(rows[0])))
        told = [f"[{i + 1},] " + " ".join(right(cell, wide) for cell in row) for i, row in enumerate(rows)]
        output = NEWLINE.join(hashes + line for line in (heads, *told))
        return f"```r\n({call})\n```\n\n```\n{output}\n```"

    inputs = [f"X <- {matrix('X')}", *(f"W_{n.lower()} <- {matrix(f'W_{n}')}" for n in "QKV")]
    return paragraphs(
        '---\ntitle: "Attention, by hand, in R"\ndate: "2023-05-11"\noutput: html_document\n---',
        "## Inputs",
        f"```r\n{NEWLINE.join(inputs)}\n```",
        "## Projections",
        *(chunk(f"{n} <- X %*% W_{n.lower()}", n) for n in "QKV"),
        "## Scores",
        chunk("scores <- Q %*% t(K)", "scores"),
        rf"Scale by $\sqrt{{{s.d_k}}}$:",
        chunk(f"scaled <- scores / sqrt({s.d_k})", "scaled"),
        "## Weights",
        chunk("weights <- t(apply(scaled, 1, softmax))", "A"),
        chunk("output <- weights %*% V", "Z"),
    )


def quarto_py(s: Sheet) -> str:
    """Cells between colons, with attributes, and their output in a cell of its own."""
    calls = {
        **{f"{n} = X @ W{n.lower()}\nprint({n})": n for n in "QKV"},
        "S = Q @ K.T\nprint(S)": "scores",
        f"S_scaled = S / np.sqrt({s.d_k})\nprint(S_scaled.round(4))": "scaled",
        "A = np.exp(S_scaled) / np.exp(S_scaled).sum(axis=1, keepdims=True)\nprint(A)": "A",
        "Z = A @ V\nZ": "Z",
    }

    def cell(number: int, code: str, output: str = "") -> str:
        head = f"::: {{.cell execution_count={number}}}\n``` {{.python .cell-code}}\n{code}\n```\n"
        told = f"\n::: {{.cell-output .cell-output-stdout}}\n```\n{output}\n```\n:::\n" if output else ""
        return f"{head}{told}:::"

    inputs = ["import numpy as np", f"X = np.array({s.m('X')})"]
    inputs += [f"W{n.lower()} = np.array({s.m(f'W_{n}')})" for n in "QKV"]
    told = [
        cell(number, code, NEWLINE.join(straight(s.rows(name))))
        for number, (code, name) in enumerate(calls.items(), start=2)
    ]
    return paragraphs("---\ntitle: Attention\nformat: html\n---", cell(1, NEWLINE.join(inputs)), *told)


def printed_below(s: Sheet) -> str:
    """A post for programmers: what each line prints is in comments behind arrows."""
    arrow = s.pick("# =>", "# ->", "#")

    def output(name: str) -> str:
        first, *rest = straight(s.rows(name))
        return "\n".join([f"{arrow} {first}", *(f"#{' ' * len(arrow)}{line}" for line in rest)])

    def code(*told: str) -> str:
        return block("```python", *told, "```")

    inputs = [f"X = np.array({s.m('X')})  # {s.n} tokens, {s.shape('X')[1]} dims"]
    inputs += [f"W_{n.lower()} = np.array({s.m(f'W_{n}')})" for n in "QKV"]
    projected = [f"{n} = X @ W_{n.lower()}\nprint({n})\n{output(n)}\n" for n in "QKV"]
    return paragraphs(
        "---\ntitle: Attention in 20 lines of Python\npublished: true\ntags: python, tutorial\n---",
        f"Hey devs 👋 Let's implement attention for `{s.said(' ')}`.",
        code("import numpy as np", "", *inputs),
        "Now the projections:",
        code(*projected),
        "Scores, then scale:",
        code(
            f"scores = Q @ K.T\n{output('scores')}",
            f"scaled = scores / np.sqrt({s.d_k})\n{output('scaled')}",
        ),
        "Then softmax:",
        code(f"weights = softmax(scaled)\n{output('A')}", "", f"output = weights @ V\n{output('Z')}"),
        "That's all folks! Drop a 🦄 if this helped.",
    )


def variables(s: Sheet) -> str:
    """A list of variables with long names, row by row, counted from 0 or 1."""
    base, language = s.pick(0, 1), s.pick("", "python", "yaml")
    names = {"Q": "query", "K": "key", "V": "value"}

    def rows(said: str, name: str) -> list[str]:
        return [f"{said}_{i + base} = {s.v(name, i)}" for i in range(s.n)]

    told = [f"token_{i + base} = {s.v('X', i)}  # {token}" for i, token in enumerate(s.tokens)]
    told += [f"{said}_weight = {s.m(f'W_{n}')}" for n, said in names.items()]
    told += ["", *(line for n, said in names.items() for line in rows(said, n)), ""]
    told += [*rows("attention_logits", "scores"), f"# divide by sqrt(d_k) = sqrt({s.d_k})"]
    told += [*rows("scaled_logits", "scaled"), *rows("attention_weights", "A"), *rows("context_vector", "Z")]
    return lines("## Variables", "", f"```{language}", *told, "```")


def one_query_in_torch(s: Sheet) -> str:
    """A post in PyTorch that follows one query, and whose scaled scores are never printed."""
    i = s.rng.randrange(s.n)
    number = i + 1
    s.spell = str

    def tensor(rows: Rows) -> str:
        return "tensor(" + ",\n        ".join(vector(row) for row in rows) + ")"

    def dotted(name: str, only: int | None = None) -> str:
        s.spell = pointed if whole(s, name) else str
        if only is not None:
            return tensor([s.row(name, only)])
        rows = s.rows(name)
        return "tensor([" + ",\n        ".join(vector(row) for row in rows) + "])"

    inputs = [f"inputs = torch.tensor({nested(s.rows('X'))}, dtype=torch.float32)"]
    for n, said in zip("QKV", ("query", "key", "value"), strict=True):
        inputs.append(f"W_{said} = torch.tensor({nested(s.rows(f'W_{n}'))}, dtype=torch.float32)")
    steps = {
        f"x_{number} = inputs[{i}]\nquery_{number} = x_{number} @ W_query\nprint(query_{number})": dotted(
            "Q", i
        ),
        "keys = inputs @ W_key\nvalues = inputs @ W_value\nprint(keys)\nprint(values)": (
            f"{dotted('K')}\n{dotted('V')}"
        ),
        f"attn_scores_{number} = query_{number} @ keys.T\nprint(attn_scores_{number})": dotted("scores", i),
        f"attn_weights_{number} = torch.softmax(attn_scores_{number} / {s.d_k}**0.5, dim=-1)\n"
        f"print(attn_weights_{number})": dotted("A", i),
        f"context_vec_{number} = attn_weights_{number} @ values\nprint(context_vec_{number})": dotted("Z", i),
    }
    told = [f"```python\n{code}\n```\n\n```\n{output}\n```" for code, output in steps.items()]
    return paragraphs(
        "# Self-attention with trainable weights",
        f"```python\nimport torch\n{NEWLINE.join(inputs)}\n```",
        *told,
    )


STYLES = (
    Style(julia, Task(places=(3, 4), authors=KEPT), ("md", "txt")),
    Style(doctests, Task(places=(2, 4), authors=KEPT), ("md", "txt")),
    Style(quarto_r, Task(places=(3, 4), authors=KEPT)),
    Style(quarto_py, Task(places=(3, 4), authors=KEPT)),
    Style(printed_below, Task(places=(2, 4))),
    Style(variables, Task(n=(2, 3))),
    Style(one_query_in_torch, Task(n=(3,), places=(4,), authors=KEPT, silent=("scaled",))),
)
