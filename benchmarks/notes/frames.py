"""What is done to a finished text: front matter, block quotes, full-width signs, another language."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from benchmarks.notes.paper import Mark

Told = tuple[str, list[Mark]]
Frame = Callable[[Random, Told, str], Told]

_FULL_WIDTH = str.maketrans({c: chr(ord(c) + 0xFEE0) for c in "0123456789.=()+"})
_HEADER = (
    "---\ntitle: 注意力\ndate: 2024-03-17\ntags: [attention]\n---\n\n",
    "---\ntitle: Attention by hand\nweight: 25\ndraft: false\n---\n\n",
)


def bare(rng: Random, told: Told, lang: str) -> Told:
    """The text as it is."""
    return told


def rewritten(told: Told, pattern: str, other: Callable[[re.Match[str]], str]) -> Told:
    """The text with every match exchanged, and its numerals where they stand then."""
    text, marks = told
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    shifts: list[tuple[int, int]] = []
    parts: list[str] = []
    at = shift = 0
    for match in re.finditer(pattern, text, re.MULTILINE):
        said = other(match)
        parts += [text[at : match.start()], said]
        at = match.end()
        shift += len(said) - len(match[0])
        shifts.append((match.end(), shift))
    new = "".join([*parts, text[at:]])
    moved = []
    for mark in marks:
        offset = starts[mark.line - 1] + mark.column - 1
        offset += next((by for end, by in reversed(shifts) if end <= offset), 0)
        line = new.count("\n", 0, offset) + 1
        moved.append(replace(mark, line=line, column=offset - new.rfind("\n", 0, offset)))
    return new, moved


def wrapped(rng: Random, told: Told, lang: str) -> Told:
    """Front matter, and now and then the whole text as a block quote."""
    header = rng.choice(_HEADER)
    quoted = rng.random() < 0.4
    if quoted:
        told = rewritten(told, "^", lambda _: "> ")
    return rewritten(told, r"\A", lambda _: header) if rng.random() < 0.7 or not quoted else told


def full_width(rng: Random, told: Told, lang: str) -> Told:
    """Digits, points, brackets and signs of equality in full width."""
    text, marks = told
    wide = [replace(mark.num, text=mark.num.text.translate(_FULL_WIDTH)) for mark in marks]
    return text.translate(_FULL_WIDTH), [replace(m, num=n) for m, n in zip(marks, wide, strict=True)]


_PHRASES: dict[str, dict[str, str]] = {
    "de": {
        r"A worked example of self-attention|Self-attention by hand|Attention step by step": "Ein Beispiel",
        r"Input embeddings|The input matrix|Setup": "Eingaben",
        r"Weight matrices|Projection matrices": "Gewichtsmatrizen",
        r"Step (?=\d)": "Schritt ",
        r"Row (?=\d)": "Zeile ",
        r'For (?=")': "Für ",
        r"Scale by (?=.)|Scaling|Divide by ": "Skalierung ",
        r"With (?=\$?d_k)": "Mit ",
        r" we divide by ": " teilen wir durch ",
        r"The tokens are": "Die Wörter sind",
        r"with the tokens": "mit den Wörtern",
        r"The sentence is": "Der Satz ist",
        r"Token (?=\d)": "Wort ",
        r"Each row sums to one\.|The softmax is taken row by row\.": "Jede Zeile ergibt eins.",
        r"Let us work the whole thing out\.|No magic, only sums and products\.|Nothing but arithmetic\.": "",
    },
    "es": {
        r"A worked example of self-attention|Self-attention by hand|Attention step by step": "Un ejemplo",
        r"Input embeddings|The input matrix|Setup": "Entradas",
        r"Weight matrices|Projection matrices": "Matrices de pesos",
        r"Step (?=\d)": "Paso ",
        r"Row (?=\d)": "Fila ",
        r'For (?=")': "Para ",
        r"Scale by (?=.)|Scaling|Divide by ": "Escalado ",
        r"With (?=\$?d_k)": "Con ",
        r" we divide by ": " dividimos por ",
        r"The tokens are": "Las palabras son",
        r"with the tokens": "con las palabras",
        r"The sentence is": "La frase es",
        r"Token (?=\d)": "Palabra ",
        r"Each row sums to one\.|The softmax is taken row by row\.": "Cada fila suma uno.",
        r"Let us work the whole thing out\.|No magic, only sums and products\.|Nothing but arithmetic\.": "",
    },
}


def translated(rng: Random, told: Told, lang: str) -> Told:
    """German or Spanish between the formulas of an English document."""
    phrases = _PHRASES[rng.choice(tuple(_PHRASES))]
    for said, other in phrases.items():
        told = rewritten(told, said, lambda _, other=other: other)
    return told
