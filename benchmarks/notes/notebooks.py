"""Notebooks: Markdown cells, code cells, outputs, and where a numeral stands in their JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from benchmarks.notes.displays import Displays
from benchmarks.notes.layout import nested
from benchmarks.notes.paper import Block, Mark, Num, Pieces

_CODE = {
    "scores": "Q @ K.T",
    "Z": "A @ V",
    "scaled": "scores / d_k**0.5",
    "A": "softmax(scaled)",
    "output": "Z @ W_O",
}

PRINTED = frozenset(
    {"X", "Q", "K", "V", "PE", "concat", *_CODE, *(f"{letter}_{name}" for letter in "Wb" for name in "QKVO")}
)
"""What a program prints under a name that everybody knows."""


class Notebook(Displays):
    """A notebook: Markdown cells with displays, code cells with `tensor([[...]])` or `array` outputs."""

    kind = "notebook"

    def begin(self) -> None:
        super().begin()
        self.torch = self.rng.random() < 0.6
        self.cuts: list[tuple[int, str]] = []  # where a cell begins, and its kind

    def group(self, formulas: Sequence[Pieces]) -> None:
        whole = [piece for formula in formulas for piece in formula if isinstance(piece, Block)]
        simple = (
            len(formulas) == 1
            and len(whole) == 1
            and not any(hasattr(c, "pieces") for r in whole[0].rows for c in r)
        )
        masked = whole and any(isinstance(cell, str) for row in whole[0].rows for cell in row)
        first = whole[0].rows[0][0] if whole and whole[0].rows else None
        if not simple or masked or not isinstance(first, Num) or first.entry[0] not in PRINTED:
            super().group(formulas)
            return
        name, call = first.entry[0], "torch.tensor" if self.torch else "np.array"
        if first.role == "input":
            self._cell("code", f"{name} = {call}(", nested(whole[0], len(f"{name} = {call}("), False), ")\n")
        else:
            turned = ".T" if self.draft.world.weights == "transposed" else ""
            code = f"X @ W_{name}{turned}" if name in ("Q", "K", "V") else _CODE.get(name, name)
            self._cell("code", f"{name} = {code}\n{name}\n", [], "")
            call = "tensor" if self.torch else "array"
            self._cell("output", f"{call}(", nested(whole[0], len(call) + 1, False), ")\n")
        self.cuts.append((self.paper.length, "markdown"))

    def _cell(self, kind: str, before: str, rows: list[str | Num], after: str) -> None:
        self.cuts.append((self.paper.length, kind))
        self.paper.write(before, *rows, after)

    def document(self) -> tuple[str, list[Mark]]:
        return notebook(self.paper.text, self.paper.found, [(0, "markdown"), *self.cuts])


def notebook(text: str, found: list[tuple[int, Num]], cuts: list[tuple[int, str]]) -> tuple[str, list[Mark]]:
    """The JSON of a notebook whose cells are the cuts of the text, and where each numeral stands in it."""
    lines = ["{", ' "cells": [']
    spots: dict[int, tuple[int, int]] = {}
    numbers = sorted(found, key=lambda spot: spot[0])
    ends = [*(start for start, _ in cuts[1:]), len(text)]
    parts = [
        (kind, start, end) for (start, kind), end in zip(cuts, ends, strict=True) if text[start:end].strip()
    ]
    for k, (kind, start, end) in enumerate(parts):
        after = parts[k + 1][0] if k + 1 < len(parts) else ""
        if kind == "output":
            lines += ["   {", '    "data": {', '     "text/plain": [']
        elif kind == "code":
            lines += [
                "  {",
                '   "cell_type": "code",',
                '   "execution_count": 1,',
                '   "metadata": {},',
                '   "source": [',
            ]
        else:
            lines += ["  {", '   "cell_type": "markdown",', '   "metadata": {},', '   "source": [']
        at, indent = start, "    " if kind != "output" else "      "
        for line in text[start:end].splitlines(keepends=True):
            for offset, _ in numbers:
                if at <= offset < at + len(line):
                    before = json.dumps(line[: offset - at], ensure_ascii=False)
                    spots[offset] = (len(lines) + 1, len(indent) + len(before))
            last = at + len(line) >= end
            lines.append(f"{indent}{json.dumps(line, ensure_ascii=False)}{'' if last else ','}")
            at += len(line)
        if kind == "output":
            lines += [
                "     ]",
                "    },",
                '    "execution_count": 1,',
                '    "metadata": {},',
                '    "output_type": "execute_result"',
                "   }",
                "   ]",
            ]
            lines.append("  },")
        elif kind == "code":
            lines.append("   ],")
            lines += ['   "outputs": ['] if after == "output" else ['   "outputs": []', "  },"]
        else:
            lines += ["   ]", "  },"]
    lines[-1] = lines[-1].rstrip(",")
    lines += [" ],", ' "metadata": {},', ' "nbformat": 4,', ' "nbformat_minor": 5', "}", ""]
    return "\n".join(lines), [Mark(num, *spots[offset]) for offset, num in numbers if offset in spots]
