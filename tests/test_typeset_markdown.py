r"""The Markdown typesetter: mathematics that GitHub, Obsidian and KaTeX read, text that prints as itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from sample_documents import CHINESE, ENGLISH
from strategies import any_words, formulas

from symattn.text.document import (
    Block,
    Bullets,
    Code,
    Display,
    Document,
    Heading,
    Heatmap,
    Maths,
    Paragraph,
    Remark,
    Strong,
    Table,
    Verdict,
)
from symattn.text.notation import (
    Call,
    Entry,
    Formula,
    Grid,
    Marked,
    Number,
    Product,
    Symbol,
    Text,
    equation,
    named,
)
from symattn.typeset.markdown import markdown

X, Q, x, y = (Symbol(name) for name in "XQxy")


def page(*blocks: Block, lang: str = "en") -> str:
    return markdown(Document("", blocks, lang))


def inline(formula: Formula) -> str:
    return page(Paragraph((Maths(formula),))).strip()


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (
            Heading(
                ("1  查询 ", Maths(equation(Q, Product((X, named("W_Q")))))),
            ),
            "## 1  查询 $Q = X W_Q$",
        ),
        (Heading(("part",), 2), "### part"),
        (
            Paragraph((Strong("so"), " ", Code("a`b"), " ", Verdict("1.14", "slip"))),
            "**so** ``a`b`` ✗ **1.14**",
        ),
        (Bullets((("- x",), ("1. y",))), "- \\- x\n- 1\\. y"),
        (Remark("Order", ("why",), "check"), "> ✓ **Order.** why"),
        (
            Table((("a",), ("b",)), (((Maths(x),), (Code("p|q"),)), (("c",),)), "rc"),
            "| a | b |\n| --: | :-: |\n| $x$ | `p\\|q` |\n| c |  |",
        ),
        (
            Heatmap(((0.05, 0.95),), (("0.05", "0.95"),), ("我",), ("a", "b")),
            "|  | a | b |\n| --: | --: | --: |\n| **我** | · 0.05 | █ 0.95 |",
        ),
        (
            Heatmap(((0.0, 1.0),), (("9.36e-14", "1.0000"),)),
            "|  |  |  |\n| --: | --: | --: |\n|  | · $9.36 \\times 10^{-14}$ | █ 1.0000 |",
        ),
        (Display((equation(Q, x),)), "$$\nQ = x\n$$"),
        (
            Display((equation(Q, x), equation(Entry(Q, 1, 2), y))),
            "$$\n\\begin{aligned}\n  Q &= x \\\\\n  Q_{12} &= y\n\\end{aligned}\n$$",
        ),
    ],
)
def test_each_block_has_its_markdown(block: Block, expected: str) -> None:
    assert page(block) == expected + "\n"


def test_user_text_prints_as_itself() -> None:
    assert page(Paragraph(("100%_\\input{x}#$&~^{} <b>*[a](b)`|",))) == (
        "100%\\_\\\\input{x}\\#<span>$</span>&amp;\\~^{} &lt;b&gt;\\*\\[a\\](b)\\`\\|\n"
    )


def test_github_gets_a_space_before_each_dollar_and_before_a_letter_after_one() -> None:
    prose = ("除以", Maths(x), "。令", Maths(y), "为", Maths(x), Maths(y), "(", Maths(x), ")")
    assert page(Paragraph(prose)) == "除以 $x$。令 $y$ 为 $x$ $y$( $x$)\n"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (Symbol("head", Number("1")), r"$\mathrm{head} _ 1$"),
        (Call("softmax", (x,)), r"$\mathrm{softmax}(x)$"),
        (Grid(((x,), (y,))), r"$\begin{bmatrix} x \cr y \end{bmatrix}$"),
        (Text("50%_{a}"), r"${\text{50}\%\_\lbrace \text{a}\rbrace }$"),
        (Text("x\u0323\u0302"), r"$\text{xU+0323U+0302}$"),
        (Text("\u1ecd\u0300"), "$\\text{\u1ecd\u0300}$"),  # KaTeX sets a grave accent on any letter
        (Text("\u0300a"), r"$\text{U+0300a}$"),
        (Text("बिल्ली แม่ שָׁ"), r"$\text{बिल्ली แม่ שָׁ}$"),
        (Marked(Number("1.14"), "slip", Number("1.09")), r"$\textcolor{red}{\cancel{1.14}}\thinspace{1.09}$"),
    ],
)
def test_inline_mathematics_avoids_what_markdown_would_read_first(formula: Formula, expected: str) -> None:
    assert inline(formula) == expected


def test_a_labelled_matrix_has_its_labels_in_an_array_of_their_own_with_rows_of_the_same_height() -> None:
    half = Grid(((Number("1"), Number("-2")), (Number("3"), Number("4"))), ("我", "爱"))
    assert page(Display((half,))) == "\n".join(
        (
            "$$",
            r"\begin{array}{r}",
            r"  {\scriptstyle\textcolor{gray}{\text{我}}} \\",
            r"  {\scriptstyle\textcolor{gray}{\text{爱}}}",
            r"\end{array}",
            r"\begin{bmatrix}",
            r"  1 &           -2 \\",
            r"  3 & \phantom{-}4",
            r"\end{bmatrix}",
            "$$",
            "",
        )
    )


def test_column_labels_stand_above_the_bracket() -> None:
    source = page(Display((Grid(((Number("1"),),), ("a",), ("b",)),)))
    assert r"\begin{bmatrix}" in source
    assert r"{\text{b}}}}{\overset{\rule{0pt}{0.4em}}{1}}}\vphantom{1}" in source


def test_displays_stand_alone_and_hold_nothing_that_only_latex_knows() -> None:
    for document in (ENGLISH, CHINESE):
        source = markdown(document)
        lines = source.split("\n")
        marks = [i for i, line in enumerate(lines) if line == "$$"]
        assert len(marks) % 2 == 0
        for opened, closed in zip(marks[::2], marks[1::2], strict=True):
            assert lines[opened - 1] == lines[closed + 1] == ""
            assert "" not in lines[opened:closed]
            assert not any(re.match(r"\s*(=+$|-+$|[-+*#] |>)", line) for line in lines[opened:closed])
        assert not re.search(r"blkarray|operatorname|rowlabel|columnlabel|\\text\{[^}]*\\", source)


@given(any_words)
def test_no_user_text_opens_mathematics_html_or_a_table_cell(words: str) -> None:
    source = page(Paragraph((words + "x",))).replace("<span>$</span>", "")
    assert not re.search(r"(?<!\\)(?:\\\\)*[$<>|`]", source)
    assert source.count("\n") == 1


@given(formulas)
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_inline_mathematics_of_any_formula_is_one_line_without_an_emphasis_trap(formula: Formula) -> None:
    source = inline(formula)
    assert "\n" not in source
    assert not re.search(r"[^A-Za-z0-9\\ ]_", source)
