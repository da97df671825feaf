"""Reading takes a time that grows as the document does, whatever it repeats, and no nesting is too deep."""

from __future__ import annotations

import sys
from time import process_time
from types import FrameType

import pytest

from symattn.notes.grammar.lexer import tokens
from symattn.notes.reader import parsed
from symattn.notes.source.text import read_source

SHORT = (
    *(
        " ",
        "*",
        "_",
        "$",
        "`",
        "[",
        "{",
        "|",
        "=",
        "\n",
        "1",
        "(",
        "1 ",
        "a=",
        "-",
        "#",
        "\\",
        ".",
        "a_",
        "a^",
    ),
    *(
        "\\begin{pmatrix}",
        "\\\\ ",
        "\\hat",
        "exp ",
        "](./",
        "\\xrightarrow{",
        "1+",
        "a(1)",
        "<",
        "权",
        "'",
        "1,",
    ),
    *("[1]\n", "a=\n", "1\n", "| 1 ", "[1, 2] [3\n", "\\newcommand", "\\frac", "√", "ᵀ", "1\\,", "1.", "0,1"),
)


def steps(text: str) -> int:
    """How many functions reading a text calls."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        parsed(text, "markdown")
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("pattern", SHORT)
def test_twice_the_text_takes_twice_the_steps(pattern: str) -> None:
    once, twice = (steps(pattern * (size // len(pattern))) for size in (1500, 3000))
    assert twice < 2.4 * once + 100


def test_no_rule_searches_a_long_line_again_from_every_character() -> None:
    for pattern in SHORT:
        start = process_time()
        tokens(read_source(pattern * (25_000 // len(pattern)), "markdown"))
        assert process_time() - start < 1.5, pattern


@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ("(", ")"), ("{1,", "}"), ("a(", ")"), ("\\sqrt{", "}")]
)
def test_brackets_may_be_nested_without_end(opening: str, closing: str) -> None:
    text = opening * 3_000 + "1" + closing * 3_000 + "\n\n0.5 + 0.25 = 0.75"
    assert parsed(text, "markdown").statements[-1].chain.between == ["="]


@pytest.mark.parametrize("pattern", ["1\n", "a=\n", "\n", "0.5\na = 1\n\n", "\\begin{x}\n"])
def test_lines_that_repeat_without_end_are_not_read(pattern: str) -> None:
    found = tokens(read_source(pattern * 5_000 + "\n0.5 + 0.25 = 0.75\n", "markdown"))
    assert len(found) < 1_500
    assert ("0.75", 5_000 * pattern.count("\n") + 2) in {(token.text, token.line) for token in found}
