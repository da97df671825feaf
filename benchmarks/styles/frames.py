"""More notebooks: f-strings token by token, data frames with named rows, TensorFlow's tensors."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.styles.notebooks import cell, notebook, pointed, text, whole
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import KEPT, Task
from benchmarks.styles.text import NEWLINE, Cells, left, right, shown, width


def f_strings(s: Sheet) -> str:
    """Loops that print a line for each token, named by its word or by its number."""
    words = s.maybe(0.5)
    names = [token if words else f"token {i}" for i, token in enumerate(s.tokens)]

    def vectors(said: str, name: str) -> str:
        return lines_of(f"{said} for {token}: {s.v(name, i, comma=' ')}" for i, token in enumerate(names))

    def loop(said: str, variable: str) -> str:
        return f"for i, a in enumerate(tokens):\n    print(f'{said} for {{a}}: {{{variable}[i]}}')"

    def projected(i: int) -> str:
        query, key, value = (s.v(n, i, comma=" ") for n in "QKV")
        return f"{names[i]}: query = {query}, key = {key}, value = {value}"

    scores = lines_of(
        f"score({a}, {b}) = {s.r('scores', i, j)}" for i, a in enumerate(names) for j, b in enumerate(names)
    )
    inputs = [f"tokens = {list(s.tokens)}", f"X = np.array({s.m('X')}, dtype=float)"]
    inputs += [f"W_{n} = np.array({s.m(f'W_{n}')}, dtype=float)" for n in "QKV"]
    return notebook(
        [
            text("# Self-attention with print statements"),
            cell("import numpy as np\n" + NEWLINE.join(inputs)),
            cell(
                "for t, q, k, v in zip(tokens, X @ W_Q, X @ W_K, X @ W_V):\n"
                "    print(f'{t}: query = {q}, key = {k}, value = {v}')",
                lines_of(map(projected, range(s.n))),
            ),
            cell(
                "for i, a in enumerate(tokens):\n    for j, b in enumerate(tokens):\n"
                "        print(f'score({a}, {b}) = {Q[i] @ K[j]:.0f}')",
                scores,
            ),
            cell(
                f"scaled = scores / np.sqrt({s.d_k})\n{loop('Scaled scores', 'scaled')}",
                vectors("Scaled scores", "scaled"),
            ),
            text("Softmax turns them into weights:"),
            cell(loop("Attention weights", "weights"), vectors("Attention weights", "A")),
            cell(loop("Output", "out"), vectors("Output", "Z")),
        ]
    )


def lines_of(told: Iterable[str]) -> str:
    """Lines that a program printed, the last one ended too."""
    return NEWLINE.join(told) + "\n"


def data_frames(s: Sheet) -> str:
    """Data frames whose rows are tokens and whose columns are dimensions or tokens."""
    letter = s.pick("d", "f", "dim_")

    def frame(name: str, index: Cells, columns: Cells) -> str:
        rows = s.rows(name)
        first = max(map(len, index))
        wide = [max(len(head), *(len(shown(row[j])) for row in rows)) for j, head in enumerate(columns)]
        told = [" " * first + "  " + "  ".join(map(right, columns, wide))]
        for label, row in zip(index, rows, strict=True):
            told.append(f"{left(label, first)}  {'  '.join(map(right, row, wide))}")
        return "\n".join(told)

    def widths(name: str, form: str) -> list[str]:
        return [f"{form}{j}" for j in range(s.shape(name)[1])]

    def numbers(count: int) -> list[str]:
        return [str(i) for i in range(count)]

    cells = [
        text(
            "## 🐼 Attention with pandas\n\nEverything as DataFrames so we can see which row is which token."
        ),
        cell(
            f"X = pd.DataFrame({s.m('X')}, index=tokens)\nX", frame("X", s.tokens, widths("X", letter)), True
        ),
    ]
    for n in "QKV":
        name = f"W_{n}"
        made = frame(name, numbers(s.shape(name)[0]), numbers(s.shape(name)[1]))
        cells.append(cell(f"W_{n.lower()} = pd.DataFrame(w_{n.lower()})\nW_{n.lower()}", made, True))
    for n, said in zip("QKV", ("Queries", "Keys", "Values"), strict=True):
        code = f"{n} = pd.DataFrame(X.values @ W_{n.lower()}.values, index=tokens)\n{n}"
        cells += [text(f"### {said}"), cell(code, frame(n, s.tokens, widths(n, letter)), True)]
    return notebook(
        [
            *cells,
            text("### Scores"),
            cell("scores = Q @ K.T\nscores", frame("scores", s.tokens, s.tokens), True),
            cell(f"scaled = scores / np.sqrt({s.d_k})\nscaled", frame("scaled", s.tokens, s.tokens), True),
            text("### Attention weights"),
            cell("weights = scaled.apply(softmax, axis=1)\nweights", frame("A", s.tokens, s.tokens), True),
            text("### Output"),
            cell("output = weights @ V\noutput", frame("Z", s.tokens, widths("Z", letter)), True),
        ]
    )


def tensorflow(s: Sheet) -> str:
    """Tensors with their shape and type before the array."""

    def tensor(name: str) -> str:
        s.spell = pointed if whole(s, name) else str
        rows, (n, m) = s.rows(name), s.shape(name)
        wide = width(rows)
        told = [f"[{', '.join(right(cell, wide) for cell in row)}]" for row in rows]
        body = ",\n       ".join(told)
        return f"<tf.Tensor: shape=({n}, {m}), dtype=float32, numpy=\narray([{body}], dtype=float32)>"

    inputs = [f"x = tf.constant({s.m('X')}, dtype=tf.float32)"]
    inputs += [f"w_{n.lower()} = tf.constant({s.m(f'W_{n}')}, dtype=tf.float32)" for n in "QKV"]
    steps = {
        **{
            f"{said} = tf.matmul(x, w_{n.lower()})\n{said}": n
            for n, said in zip("QKV", ("query", "key", "value"), strict=True)
        },
        "scores = tf.matmul(query, key, transpose_b=True)\nscores": "scores",
        f"scaled_scores = scores / tf.math.sqrt({s.d_k}.0)\nscaled_scores": "scaled",
        "attention_weights = tf.nn.softmax(scaled_scores, axis=-1)\nattention_weights": "A",
        "context = tf.matmul(attention_weights, value)\ncontext": "Z",
    }
    first = [text("# Attention in TensorFlow"), cell("import tensorflow as tf\n\n" + NEWLINE.join(inputs))]
    return notebook([*first, *(cell(code, tensor(name), True) for code, name in steps.items())])


STYLES = (
    Style(f_strings, Task(n=(2, 3), places=(2, 3, 4), authors=KEPT), ("ipynb",)),
    Style(data_frames, Task(places=(2, 3, 4), authors=KEPT), ("ipynb",)),
    Style(tensorflow, Task(places=(4,), authors=KEPT), ("ipynb",)),
)
