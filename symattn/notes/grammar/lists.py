"""Lists of labelled rows under what they make: `K = X W_K:` and a line `cat: [1.2, 0.3]` for each token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symattn.notes.grammar.pairs import matches
from symattn.notes.grammar.rows import lines, numbers
from symattn.notes.grammar.syntax import Node, drawn, matrix_of
from symattn.notes.grammar.tables import behind_lead
from symattn.notes.grammar.tokens import Token
from symattn.notes.names.words import is_quantity

MOST_OF_LABEL: Final = 8
"""How many tokens a label has."""
Entry = tuple[int, int, tuple[str, ...], Node]
"""Where the line of a row begins and ends, the words before the colon, and the row."""


def with_lists(tokens: list[Token]) -> list[Token]:
    """The tokens with every such list replaced by one token for its matrix."""
    pairs = matches(tokens)
    out: list[Token] = []
    done, leads = 0, False
    run: list[Entry] = []
    for start, end in [*lines(tokens, pairs), (len(tokens), len(tokens))]:
        row = _entry(tokens, pairs, start, end) if leads else None
        if row is not None and (not run or run[-1][3].shape == row[3].shape):
            run.append(row)
            continue
        if (made := _matrix(run)) is not None:
            first, last = behind_lead(tokens, run[0][0]), run[-1][1]
            out += [*tokens[done:first], drawn(made, tokens[first])]
            done = last
        run = []
        if any(t.kind not in ("SEP", "NL") for t in tokens[start:end]):
            leads = announces(tokens[start:end])
    return [*out, *tokens[done:]]


def announces(line: Sequence[Token]) -> bool:
    """Whether a line names a quantity and ends with a colon."""
    return line[-1].text == ":" and any(t.kind == "NAME" and is_quantity(t.text) for t in line)


def _entry(tokens: Sequence[Token], pairs: dict[int, int], start: int, end: int) -> Entry | None:
    """A line that is a label, a colon and a row of numbers in brackets."""
    for i in range(start, min(end, start + MOST_OF_LABEL)):
        if tokens[i].text == ":":
            break
        if tokens[i].kind in ("REL", "MUL", "OPEN", "BEGIN"):
            return None
    else:
        return None
    opening = i + 1
    if tokens[opening].kind not in ("OPEN", "BEGIN") or pairs.get(opening) != end - 1:
        return None
    node = numbers(tokens[opening + 1 : end - 1])
    words = tuple(t.text.lower() for t in tokens[start:i] if t.kind in ("NAME", "NUM"))
    return None if node is None or not words else (start, end, words, node)


def _matrix(run: Sequence[Entry]) -> Node | None:
    """The rows as a matrix, unless their labels are quantities that have nothing in common."""
    if len(run) < 2:
        return None
    labels = [words for _, _, words, _ in run]
    while all(len(words) > 1 for words in labels) and len({words[0] for words in labels}) == 1:
        labels = [words[1:] for words in labels]
    if len(set(labels)) < len(labels) or any(is_quantity(words[0]) for words in labels):
        return None
    return matrix_of([node for *_, node in run], tuple(" ".join(words) for words in labels))
