"""The kinds of files: Markdown, LaTeX, plain text, a notebook whose code has printed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random

from benchmarks.documents.forms import Block
from benchmarks.documents.style import Style

LATEX = """\\documentclass{{article}}
\\usepackage{{amsmath}}
{}\\begin{{document}}

{}
\\end{{document}}
"""


def framed(style: Style, blocks: Sequence[Block], rng: Random) -> str:
    """The blocks as a file of their kind."""
    numbered, level, rule = rng.random() < 0.5, rng.choice(("##", "##", "###", "**")), rng.choice("-=")
    cells: list[tuple[str, list[str]]] = []
    step = 0
    for kind, text in blocks:
        if kind == "heading":
            step += 1
            text = (f"第{step}步：{text}" if style.zh else f"Step {step}: {text}") if numbered else text
        match style.frame, kind:
            case "latex", "title" | "heading":
                text = f"\\section{'' if kind == 'title' else '*'}{{{text}}}"
            case "text", "title" | "heading":
                text = f"{text}\n{rule * len(text)}"
            case _, "title":
                text = f"# {text}"
            case _, "heading":
                text = f"**{text}**" if level == "**" else f"{level} {text}"
            case "latex", "code":
                text = f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"
            case "markdown", "code":
                text = f"```{rng.choice(('', 'text', 'python'))}\n{text}\n```"
            case "text", "code":
                text = "\n".join(f"    {line}" for line in text.split("\n"))
        code = style.frame == "notebook" and kind == "code"
        if cells and cells[-1][0] == "markdown" and not code and kind != "heading":
            cells[-1][1].append(text)
        else:
            cells.append(("code" if code else "markdown", [text]))
    whole = "\n\n".join(part for _, parts in cells for part in parts) + "\n"
    if style.frame == "latex":
        return LATEX.format("\\usepackage{ctex}\n" if style.zh else "", whole)
    if style.frame != "notebook":
        return whole
    notebook = {"cells": [_cell(kind, "\n\n".join(parts)) for kind, parts in cells], "metadata": {}}
    return json.dumps({**notebook, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False)


def _cell(kind: str, text: str) -> dict[str, object]:
    """A cell of a notebook; code is a program that prints, and its output."""
    lines = [f"{line}\n" for line in text.split("\n")]
    name = "_".join(re.findall(r"[A-Za-z]+", text.partition("\n")[0].partition("=")[0])) or "x"
    if kind == "markdown":
        return {"cell_type": kind, "metadata": {}, "source": lines}
    output = {"output_type": "stream", "name": "stdout", "text": lines}
    return {
        "cell_type": kind,
        "metadata": {},
        "execution_count": None,
        "source": [f"print({name})"],
        "outputs": [output],
    }
