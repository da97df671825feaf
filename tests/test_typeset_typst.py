"""The typst typesetter: what its source says, and that the embedded compiler makes a page of it."""

from __future__ import annotations

import json
import unicodedata

import pytest
import typst as compiler
from hypothesis import example, given
from hypothesis import strategies as st
from sample_documents import CHINESE, ENGLISH
from strategies import any_words, formulas

from symattn.text.document import (
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
    Blank,
    Call,
    Formula,
    Grid,
    Marked,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    Text,
    equation,
    named,
)
from symattn.typeset import latex_text
from symattn.typeset.typst import typst, typst_formula
from symattn.typeset.typst_text import escape, escape_prose

X, Q, S, A, e, x, y = (Symbol(name) for name in "XQSAexy")
HOSTILE = "#let x = 1 // $a$ *b* _c_ `d` <e> @f \\ \"g\" 'h' ~ -- --- ... /* [i] {j} = k"
FLAT = r"""
#let flat(it) = {
  if it.has("text") { it.text } else if it.has("children") { it.children.map(flat).join("") }
  else if it.func() == [ ].func() { " " } else { "\u{e000}" + repr(it.func()) }
}
#metadata(flat([%s])) <said>
"""


def said(markup: str) -> str:
    """The text that the markup prints, with any other element by its name."""
    source = FLAT.replace("%s", markup).encode()
    found = compiler.query(source, "<said>", field="value", one=True, ignore_system_fonts=True)
    return str(json.loads(found))


def page(source: str) -> bytes:
    made = compiler.compile(source.encode(), format="pdf", ignore_system_fonts=True)
    assert isinstance(made, bytes)
    return made


def polynomial(terms: int) -> Sum:
    return Sum(tuple(Product((Symbol("x", Number(str(i))), named("w_Q"))) for i in range(terms)))


def decimals(rows: int, columns: int, labels: tuple[str, ...] = ()) -> Grid:
    return Grid(tuple((Number("0.50"),) * columns for _ in range(rows)), labels)


active = st.text(alphabet="#$*_`<>@~'\"/=+-.[]{}\\;:()1a?我 \n", max_size=12)


@given(any_words | active)
def test_escaped_text_prints_as_it_was_typed_within_a_line_and_alone_on_one(
    words: str,
) -> None:
    shown = unicodedata.normalize("NFC", words)
    inside, alone = said(f"a{escape(words)}b"), said(f"\n\n{escape(words)}\n\n")
    assert "".join(alone.replace("\ue000parbreak", "").split()) == "".join(inside[1:-1].split())
    if "U+" not in inside:
        assert inside.split() == f"a{shown}b".split()


def test_a_long_word_may_break_and_hostile_text_stays_text() -> None:
    assert said(escape(HOSTILE)) == HOSTILE
    assert said(escape_prose("A" * 30)).replace("\u200b", "") == "A" * 30
    assert "\u200b" in said(escape_prose("A" * 30))


def test_a_short_last_number_stays_with_its_noun() -> None:
    for escaped in (escape_prose, latex_text.escape_prose):
        assert "the weight~0" in escaped("and the weight 0.")
        assert "row~12)" in escaped("(row 12)")
        assert "is 0.5" in escaped("is 0.5")
        assert "4 places, 2024" in escaped("4 places, 2024.").replace("\\", "")


@given(formulas)
@example(Grid(((Blank(),), (Blank(),))))
def test_every_formula_compiles(formula: Formula) -> None:
    page(typst(Document("", (Display((formula,)), Paragraph((Maths(formula),))))))


def test_the_source_of_a_formula_reads_as_a_person_would_write_it() -> None:
    scaled = Quotient(Number("1"), Root(Symbol("d", Symbol("k"))))
    assert typst_formula(equation(named("S'"), scaled)) == "S' = frac(1, sqrt(d_k))"
    assert typst_formula(Power(e, Quotient(x, Number("2"), flat=True))) == r"e^(x\/2)"
    assert typst_formula(Grid(((x, Number("2")), (y, Number("1.5"))))) == (
        'matrix(\n  al: #(center, right,),\n  x, 2 unseen(".0");\n  y, 1.5;\n)'
    )


def test_a_page_defines_only_the_functions_that_it_uses() -> None:
    assert "#let" not in typst(Document("t", (Display((x,)),)))
    assert "#let slip(" in typst(Document("t", (Display((Marked(x, "slip"),)),)))


def test_a_wide_chain_a_long_sum_and_a_wide_matrix_break() -> None:
    wide = equation(Q, Product((decimals(3, 4), decimals(4, 4))), decimals(3, 4), decimals(3, 9))
    assert typst(Document("t", (Display((wide,)),))).count("&=") == 2
    assert "&quad +" in typst(Document("t", (Display((equation(x, polynomial(30)),)),)))
    for lang, first in (("en", "columns 1–10"), ("zh", "第 1–10 列")):
        assert f'"{first}"' in typst(Document("t", (Display((equation(X, decimals(2, 30)),)),), lang))


def test_a_row_of_fractions_in_a_matrix_is_as_high_as_in_a_display_with_room_around() -> None:
    half = Marked(Quotient(Number("1"), Number("2")), "used")
    one, two = (typst_formula(Grid(((half,),) * count)) for count in (1, 2))
    head = typst(Document("", (Display((Grid(((half,),)),)),))).partition("$ matrix(")[0]
    heights = ", ".join(
        f"measure($ {each} $).height / 1em.to-absolute()" for each in (one, two, "frac(1, 2)")
    )
    found = compiler.query(
        f"{head}#context [#metadata(({heights})) <said>]".encode(), "<said>", field="value"
    )
    single, double, alone = json.loads(found)[0]
    assert double - single >= alone + 0.5


def test_a_display_stays_on_the_page_of_the_next_one() -> None:
    assert "#lead[$ x $]\n\n$ y $" in typst(Document("", (Display((x,)), Display((y,)))))


def test_a_heatmap_writes_tiny_weights_as_powers_of_ten() -> None:
    source = typst(Document("", (Heatmap(((0.0, 1.0),), (("9.36e-14", "1.0000"),)),)))
    assert "table.cell(fill: rgb(100%, 100%, 100%))[$9.36 times 10^(-14)$]" in source
    assert "table.cell(fill: rgb(40%, 40%, 100%))[1.0000]" in source


@pytest.mark.parametrize("document", [ENGLISH, CHINESE])
def test_the_sample_pages_compile(document: Document) -> None:
    assert page(typst(document)).startswith(b"%PDF")


def test_hostile_text_compiles_everywhere_and_wide_things_are_made_smaller() -> None:
    words = (
        HOSTILE,
        " 🐱 \x00 \u202eabc ",
        Strong(HOSTILE),
        Code(HOSTILE),
        "(x).y[z]",
        Verdict(HOSTILE, "slip"),
    )
    labels = (HOSTILE, "🐱" * 40)
    long = polynomial(40)
    document = Document(
        HOSTILE,
        (
            Heading((*words, Maths(Text(HOSTILE)))),
            Paragraph(words),
            Display((Grid(((x, y), (y, x)), labels, labels), Symbol(HOSTILE), Call(HOSTILE, (x,)))),
            Display((equation(S, Grid(((polynomial(16), long), (Quotient(x, long), x)))),)),
            Display((equation(A, Quotient(x, long), Root(long), Power(e, long)),)),
            Display((equation(X, decimals(60, 2), Number("1" * 120)),)),
            Bullets((("[option]",), ("*",), ("1. x",), words, (Maths(long),))),
            Table((("[x]",), (HOSTILE,)), ((("*",), words),)),
            Table((("a",),) * 14, ((("1.2345678",),) * 14,) * 40),
            *(Remark(HOSTILE, words, kind) for kind in ("proved", "note", "check", "warning")),
            Heatmap(((0.5,),), ((HOSTILE,),), (HOSTILE,), (HOSTILE,)),
            Heatmap(((0.5,) * 20,), (("0.5000",) * 20,), (), ("我爱猫",) * 20),
        ),
    )
    assert page(typst(document)).startswith(b"%PDF")
