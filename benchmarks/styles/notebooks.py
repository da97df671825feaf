"""Notebooks as JSON: NumPy with printed arrays, PyTorch with tensors that may carry their gradient."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import KEPT, Task
from benchmarks.styles.text import NEWLINE, Rows, nested, shown

SOFTMAX = """def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

weights = softmax(scaled)
"""


def numpy_notebook(s: Sheet) -> str:
    """Arrays as NumPy prints them, rounded by a call, with names before them."""
    floats, places = s.maybe(0.5), max(s.draft.author.places.values())
    on_the_line = s.maybe(0.7)

    def typed(name: str) -> str:
        s.spell = pointed if floats else str
        return f"np.array({s.m(name)})"

    def printed(said: str, variable: str, name: str) -> tuple[str, str]:
        """The call that prints, and what it printed."""
        rounded = variable if whole(s, name) else f"np.round({variable}, {places})"
        call = f'print("{said}:\\n", {rounded})' if on_the_line else f'print("{said}:")\nprint({rounded})'
        return call, f"{said}:\n{array(s, name, floats)}"

    def code(before: str, *calls: tuple[str, str]) -> Cell:
        return cell(
            before + NEWLINE.join(call for call, _ in calls), NEWLINE.join(out for _, out in calls) + "\n"
        )

    names = s.pick(("Q", "K", "V"), ("Queries", "Keys", "Values"))
    inputs = ["import numpy as np\n", f"X = {typed('X')}", *(f"W_{n} = {typed(f'W_{n}')}" for n in "QKV")]
    raw = printed(s.pick("Scores", "Raw scores", "QK^T"), "scores", "scores")
    cells = [
        text(
            "# Self-attention from scratch in NumPy\n\n"
            f"Sentence: *{s.said(' ')}*. Each row of `X` is one token."
        ),
        cell(NEWLINE.join(inputs)),
        text("## Project to queries, keys and values"),
        code(
            "".join(f"{n} = X @ W_{n}\n" for n in "QKV"),
            *(printed(said, n, n) for said, n in zip(names, "QKV", strict=True)),
        ),
        text("## Scaled scores\n\nWe divide by $\\sqrt{d_k}$."),
        code(
            "d_k = K.shape[1]\nscores = Q @ K.T\nscaled = scores / np.sqrt(d_k)\n",
            raw,
            printed("Scaled scores", "scaled", "scaled"),
        ),
        text("## Softmax"),
        code(SOFTMAX, printed(s.pick("Attention weights", "weights"), "weights", "A")),
        text("## Output"),
    ]
    if s.maybe(0.5):
        called = f"output = weights @ V\nnp.round(output, {places})"
        cells.append(cell(called, array(s, "Z", floats, "array(", ", ") + ")", result=True))
    else:
        cells.append(code("output = weights @ V\n", printed("Output", "output", "Z")))
    return notebook(cells)


def torch_notebook(s: Sheet) -> str:
    """Tensors as results of cells, some printed, with `grad_fn` where the weights are parameters."""
    gradient = s.maybe(0.6)
    s.spell = pointed

    def typed(name: str) -> str:
        told = f"torch.tensor({nested(s.rows(name))})"
        return f"nn.Parameter({told})" if gradient and name != "X" else told

    def tensor(name: str, made_by: str = "Mm", before: str = "tensor(") -> str:
        behind = f", grad_fn=<{made_by}Backward0>)" if gradient else ")"
        return array(s, name, True, before, ", ") + behind

    imports = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
    inputs = [imports, f"x = {typed('X')}", *(f"W_{n.lower()} = {typed(f'W_{n}')}" for n in "QKV")]
    scaling = s.pick(
        f"scaled = scores / {s.d_k} ** 0.5\nscaled",
        "import math\nscaled = scores / math.sqrt(K.size(-1))\nscaled",
    )
    return notebook(
        [
            text("# Attention in PyTorch"),
            cell(NEWLINE.join(inputs)),
            *(cell(f"{n} = x @ W_{n.lower()}\n{n}", tensor(n), result=True) for n in "QKV"),
            text("Raw attention scores:"),
            cell("scores = Q @ K.transpose(-2, -1)\nscores", tensor("scores"), result=True),
            cell(scaling, tensor("scaled", "Div"), result=True),
            cell("attn = F.softmax(scaled, dim=-1)\nattn", tensor("A", "Softmax"), result=True),
            cell("out = attn @ V\nprint('output:', out)", f"{tensor('Z', before='output: tensor(')}\n"),
        ]
    )


def whole(s: Sheet, name: str) -> bool:
    """Whether all entries are printed without a decimal point."""
    return not any("." in num.text for row in s.draft.grid(name) for num in row)


def pointed(number: str) -> str:
    """A float as these programs print it: `1.`."""
    return number if "." in number else f"{number}."


def array(s: Sheet, name: str, floats: bool, before: str = "", comma: str = " ") -> str:
    """A matrix as NumPy and PyTorch print it: points below each other, rows behind what stands `before`."""
    s.spell = pointed if floats or not whole(s, name) else str
    glue = ("," if comma != " " else "") + "\n" + " " * (len(before) + 1)
    return f"{before}[{glue.join(f'[{comma.join(row)}]' for row in straight(s.rows(name)))}]"


def straight(rows: Rows) -> list[list[str]]:
    """The cells with blanks around them, so that their points stand below each other."""
    parts = [[shown(cell).partition(".") for cell in row] for row in rows]
    units = max(len(unit) for row in parts for unit, _, _ in row)
    decimals = max(len(rest) for row in parts for _, _, rest in row)
    return [
        [
            " " * (units - len(unit)) + cell + " " * (decimals - len(rest))
            for cell, (unit, _, rest) in zip(row, split, strict=True)
        ]
        for row, split in zip(rows, parts, strict=True)
    ]


Cell = dict[str, Any]


def text(words: str) -> Cell:
    """A cell of Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": words.splitlines(keepends=True)}


def cell(code: str, output: str = "", result: bool = False) -> Cell:
    """A cell of code with what it printed, or with the value of its last line as its result."""
    made: Cell = {"output_type": "stream", "name": "stdout", "text": output.splitlines(keepends=True)}
    if result:
        data = {"text/plain": output.splitlines(keepends=True)}
        made = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}
    source = code.splitlines(keepends=True)
    outputs = [made] if output else []
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": outputs, "source": source}


def notebook(cells: list[Cell]) -> str:
    """The JSON of a notebook."""
    for number, each in enumerate(one for one in cells if one["cell_type"] == "code"):
        each["execution_count"] = number + 1
        for output in each["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = number + 1
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    meta = {"kernelspec": kernel, "language_info": {"name": "python"}}
    made = {"cells": cells, "metadata": meta, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


STYLES = (
    Style(numpy_notebook, Task(places=(2, 3, 4), authors=KEPT, stripped=(True,)), ("ipynb",)),
    Style(torch_notebook, Task(places=(4,), authors=KEPT), ("ipynb",)),
)
