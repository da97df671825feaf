"""The terminal: two-dimensional matrices, aligned chains, Chinese columns, and nothing that acts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sample_documents import CHINESE, ENGLISH, dot, exp, grid
from strategies import formulas

from symattn.text.document import (
    Bullets,
    Display,
    Document,
    Heatmap,
    Maths,
    Paragraph,
    Remark,
    Table,
    Verdict,
)
from symattn.text.notation import (
    Absolute,
    Call,
    Chain,
    Dots,
    Entry,
    Formula,
    Grid,
    Infinity,
    Inverse,
    Marked,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Sum,
    Symbol,
    Text,
    Transpose,
    equation,
    named,
)
from symattn.typeset.cjk import display_width, pad, visible
from symattn.typeset.text import text, text_formula
from symattn.typeset.text_maths import Setter

Q, K, e, a, b = (Symbol(name) for name in "QKeab")
ONE, TWO = Number("1"), Number("2")


def page(*blocks: object, width: int = 100, colour: bool = False, lang: str = "en") -> str:
    return text(Document("", tuple(blocks), lang), width=width, colour=colour)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (equation(Q, Product((Symbol("X"), named("W_Q")))), "Q = X W_Q"),
        (Quotient(Product((Q, Transpose(K))), Root(Symbol("d", Symbol("k")))), "Q Kᵀ / √d_k"),
        (Transpose(Product((Q, K))), "(Q K)ᵀ"),
        (Sum((ONE, Number("-2"), Negative(Sum((a, b))))), "1 - 2 - (a + b)"),
        (Sum((TWO, Number("-3")), spelled=True), "2 + (-3)"),
        (dot(("1.5", "-2"), ("0.5", "3")), "1.5·(-2) + 0.5·3"),
        (Product((a, b), "times"), "a × b"),
        (Product((a, b), "circle"), "a ⊙ b"),
        (Product((TWO, Symbol("theta"))), "2θ"),
        (Product((Symbol("S'"), Symbol("theta'"))), "S' θ'"),
        (Product((TWO, Quotient(ONE, Number("3"))), "dot"), "2·(1/3)"),
        (Quotient(Sum((a, b)), Product((TWO, a))), "(a + b)/(2a)"),
        (Power(Quotient(ONE, TWO), TWO), "(1/2)²"),
        (exp("1.0302"), "e^1.0302"),
        (exp("2"), "e^2"),
        (exp("-1.2"), "e^(-1.2)"),
        (Power(e, Symbol("s", Symbol("ij"))), "e^(s_ij)"),
        (Power(e, Quotient(Root(TWO), TWO, flat=True)), "e^(√2/2)"),
        (Root(Sum((a, b))), "√(a + b)"),
        (Root(TWO, 3), "∛2"),
        (Root(TWO, 5), "⁵√2"),
        (Product((Number("5"), Root(TWO, 6))), "5·⁶√2"),
        (Product((a, Root(TWO, 6))), "a·⁶√2"),
        (Product((Number("5"), Root(TWO))), "5√2"),
        (Call("softmax", (Q, K)), "softmax(Q, K)"),
        (Inverse(Q), "Q⁻¹"),
        (Entry(Q, 1, 2), "Q₁₂"),
        (Entry(Q, 3), "Q₃"),
        (Entry(Q, 1, 12), "Q_(1,12)"),
        (Entry(named("head1.A"), 1, 2), "A⁽¹⁾₁₂"),
        (Entry(named("W_Q"), 1, 2), "(W_Q)₁₂"),
        (named("dgamma_1"), "dγ₁"),
        (Negative(Infinity()), "-∞"),
        (Absolute(Sum((a, Negative(b)))), "|a - b|"),
        (Sum((a, Dots(), b)), "a + ⋯ + b"),
        (Series("sum", Symbol("j"), ONE, Symbol("n"), Entry(Q, 1)), "∑_(j=1..n) Q₁"),
        (Series("max", Symbol("j"), None, None, a), "max_j a"),
        (Chain(a, (("≈", Number("0.3302")), ("≠", b))), "a ≈ 0.3302 ≠ b"),
        (Text("if 我"), "if 我"),
        (Marked(Number("1.14"), "slip", Number("1.09")), "~1.14~ → 1.09"),
        (Marked(Number("1.14"), "carried", Number("1.09")), "↪1.14 → 1.09"),
        (Marked(Number("1.14"), "rounding"), "1.14±"),
        (Marked(Number("1.14"), "undecided"), "1.14?"),
        (Marked(Number("1.14"), "right"), "1.14"),
    ],
)
def test_formula_on_one_line(formula: Formula, shown: str) -> None:
    """Every notation has its form on one line, with the parentheses that this line needs."""
    assert text_formula(formula) == shown


def test_columns_align_on_the_decimal_point_and_rows_carry_their_tokens() -> None:
    """A matrix stands in brackets, its points below one another, a wide token taking two columns."""
    matrix = grid("1.0 0.55; -0.3 12", ("我", "cat"), ("a", "第一"))
    assert text_formula(matrix).split("\n") == [
        "      a    第一",
        "我  ⎡ 1.0   0.55⎤",
        "cat ⎣-0.3  12   ⎦",
    ]


def test_a_product_of_matrices_stands_on_one_baseline() -> None:
    """Matrices of different height are centred on the line of the multiplication sign."""
    formula = equation(Q, Product((grid("1 2"), grid("3; 4; 5")), "dot"), Transpose(grid("6; 7")))
    assert text_formula(formula).split("\n") == [
        "             ⎡3⎤   ⎡6⎤ᵀ",
        "Q = [1  2] · ⎢4⎥ = ⎣7⎦",
        "             ⎣5⎦",
    ]


def test_a_tall_argument_gets_tall_parentheses() -> None:
    """Parentheses grow with the matrix between them."""
    assert text_formula(Call("softmax", (grid("1; 2"),))).split("\n") == ["       ⎛⎡1⎤⎞", "softmax⎝⎣2⎦⎠"]


def test_a_matrix_in_a_sentence_stays_on_the_line() -> None:
    """Inside prose a matrix is written with semicolons."""
    assert page(Paragraph(("so ", Maths(equation(Q, grid("1 2; 3 4"))), "."))) == "so Q = [1  2; 3  4].\n"


def test_marked_cells_keep_their_column_aligned() -> None:
    """Struck and carried numbers line up with the others on their decimal points."""
    rows = ((Marked(Number("1.14"), "slip", Number("1.09")),), (Number("10.5"),))
    assert text_formula(Grid(rows)).split("\n") == ["⎡~1.14~ → 1.09⎤", "⎣10.5         ⎦"]


def test_chains_align_at_their_relation_signs() -> None:
    """The equations of a display stand below one another at the first relation sign."""
    block = Display((equation(Entry(Q, 1, 1), ONE), Chain(Sum((a, b)), (("≈", Number("0.5")),))))
    assert page(block) == "      Q₁₁ = 1\n    a + b ≈ 0.5\n"


def test_a_long_chain_breaks_at_relation_signs_then_between_terms() -> None:
    """Too long a chain goes on below its relation sign; a link too long for that breaks before a plus."""
    block = Display((equation(Q, dot(("1.5", "2.5"), ("1.5", "3.5"), ("1.5", "4.5")), Number("15.75")),))
    assert page(block, width=44) == "    Q = 1.5·2.5 + 1.5·3.5 + 1.5·4.5 = 15.75\n"
    assert page(block, width=40) == "    Q = 1.5·2.5 + 1.5·3.5 + 1.5·4.5\n      = 15.75\n"
    assert page(block, width=30) == "    Q = 1.5·2.5 + 1.5·3.5\n          + 1.5·4.5\n      = 15.75\n"


def test_a_wide_matrix_is_split_into_blocks_of_columns() -> None:
    """Each block repeats the row labels; dots lead over from one block to the next."""
    block = Display((equation(Q, grid("1.1 1.2 1.3 1.4; 2.1 2.2 2.3 2.4", ("我", "x"))),))
    assert page(block, width=26).split("\n") == [
        "        我 ⎡1.1  1.2 ⋯",
        "    Q = x  ⎣2.1  2.2 ⋯",
        "",
        "        我 ⋯ 1.3  1.4⎤",
        "        x  ⋯ 2.3  2.4⎦",
        "",
    ]


def test_a_wide_product_of_matrices_goes_on_below() -> None:
    """Factors that do not fit beside each other stand below one another, the sign with the second."""
    block = Display((Product((grid("1.1 1.2; 1.3 1.4"), grid("2.1 2.2; 2.3 2.4")), "dot"),))
    assert page(block, width=29).count("\n") == 2
    assert page(block, width=25).split("\n") == [
        "    ⎡1.1  1.2⎤",
        "    ⎣1.3  1.4⎦",
        "",
        "       ⎡2.1  2.2⎤",
        "     · ⎣2.3  2.4⎦",
        "",
    ]


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("document", [ENGLISH, CHINESE])
def test_a_whole_derivation_stays_within_the_width(document: Document, width: int) -> None:
    """No line of a real page is wider than the terminal."""
    lines = text(document, width=width).split("\n")
    assert max(map(display_width, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


def test_headings_and_title_are_underlined_to_their_width() -> None:
    """A Chinese title is underlined twice as far as it has characters."""
    assert text(CHINESE).startswith("我爱猫咪\n════════\n")
    assert "\n1  查询 Q = X W_Q\n─────────────────\n" in text(CHINESE)


def test_table_columns_align_with_chinese_cells() -> None:
    """Wide characters count two columns in a table, and align r pushes to the right."""
    table = Table((("token",), ("值",)), ((("猫咪",), ("1.5",)), (("x",), ("10",))), "lr")
    assert page(table) == "token   值\n─────  ───\n猫咪   1.5\nx       10\n"


def test_a_wide_table_wraps_its_widest_column() -> None:
    """The widest column gives way and its words go on in the next line."""
    table = Table((("n",), ("why",)), ((("1",), ("one two three four five",)),))
    assert page(table, width=20) == "n  why\n─  ─────────────────\n1  one two three\n   four five\n"


def test_heatmap_is_shaded_in_five_steps() -> None:
    """Each weight has its shade and its decimals below the label of its column."""
    heat = Heatmap(((0.0, 0.3), (0.6, 1.0)), (("0.0", "0.3"), ("0.6", "1.0")), ("我", "b"), ("我", "b"))
    assert page(heat) == "          我      b\n    我     0.0  ░░ 0.3\n    b   ▒▒ 0.6  ██ 1.0\n"


def test_remarks_and_bullets_hang_from_their_signs() -> None:
    """A remark is led by its sign and label, in Chinese with a Chinese colon; later lines are set in."""
    blocks = Remark("Order", ("so it is proved",)), Bullets((("one two three four",),))
    assert page(*blocks, width=20) == "  ∎ Order: so it is\n    proved\n\n  • one two three\n    four\n"
    assert page(Remark("核对", ("一致。",), "check"), lang="zh") == "  ✓ 核对：一致。\n"


def test_chinese_breaks_between_characters_but_not_before_a_full_stop() -> None:
    """Twenty columns hold ten characters; a line never starts with a full stop."""
    assert page(Paragraph(("一二三四五六七八九十。完",)), width=20) == "一二三四五六七八九\n十。完\n"


def test_a_formula_is_set_off_from_chinese_letters_but_not_from_punctuation() -> None:
    """A blank stands between a character and a formula, none before a comma."""
    assert page(Paragraph(("除以", Maths(Root(TWO)), "。"))) == "除以 √2。\n"


def test_verdicts_read_without_colour() -> None:
    """Each role has a sign of its own, and escape sequences appear only on request."""
    words = Paragraph(
        (Verdict("slip", "slip"), ", ", Verdict("later", "carried"), ", ", Verdict("ok", "right"))
    )
    assert page(words) == "✗ slip, ↪ later, ✓ ok\n"
    assert "\x1b" not in text(ENGLISH)
    assert page(Paragraph((Verdict("bad", "slip"),)), colour=True) == "\x1b[31m✗\x1b[0m \x1b[31mbad\x1b[0m\n"


def test_colour_changes_no_column() -> None:
    """Without its escape sequences the coloured page is the plain page."""
    coloured = text(ENGLISH, colour=True)
    for code in {part.partition("m")[0] for part in coloured.split("\x1b[")[1:]}:
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured.rstrip() == text(ENGLISH).rstrip()


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("\x1b[31m", "␛[31m"),
        ("\x9b31m", "\\u009b31m"),
        ("a\nb\tc\x7f", "a␊b␉c␡"),
        ("abc\u202edef\u2066", "abc\\u202edef\\u2066"),
        ("\u2028\ufeff\u200b", "\\u2028\\ufeff\\u200b"),
        ("\ufdd1\uffff", "\\ufdd1\\uffff"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("猫 é 👩\u200d🔬", "猫 é 👩\u200d🔬"),
    ],
)
def test_characters_that_act_are_shown(words: str, shown: str) -> None:
    """Escape sequences, bidirectional overrides and our own marks in user text print visibly."""
    assert visible(words) == shown


def test_no_user_text_reaches_the_terminal_raw() -> None:
    """An escape sequence or an override is neutralised wherever a document takes user text."""
    evil = "\x1b[31m\u202e\ufdd1"
    document = Document(
        evil,
        (
            Paragraph((evil, Maths(Symbol(evil, sub=Text(evil))), Verdict(evil, "token"))),
            Display((Grid(((Number(evil),),), (evil,), (evil,)), Call(evil, ()))),
            Heatmap(((0.5,),), ((evil,),), (evil,), (evil,)),
            Table(((evil,),), (((evil,),),)),
            Remark(evil, (evil,)),
        ),
    )
    shown = text(document)
    assert not set(shown) & set(evil.replace("[31m", ""))
    assert shown.count("␛[31m") >= 13


@pytest.mark.parametrize(
    ("words", "columns"),
    [("abc", 3), ("猫", 2), ("Ａ", 2), ("é", 1), ("e\u0301", 1), ("", 0), ("한", 2), ("\u1112\u1161", 2)],
)
def test_display_width(words: str, columns: int) -> None:
    """Wide and full-width characters take two columns, combining ones none."""
    assert display_width(words) == columns
    assert display_width(pad(words, 5, "c")) == 5


@settings(deadline=None)
@given(formulas)
def test_every_box_is_a_rectangle(formula: Formula) -> None:
    """All lines of a formula have the same display width, and its baseline is one of them."""
    box = Setter().box(formula)
    assert {display_width(line) for line in box.lines} == {box.width}
    assert 0 <= box.baseline < box.height


@settings(deadline=None)
@given(formulas)
def test_a_formula_in_a_sentence_is_one_line(formula: Formula) -> None:
    """Whatever the formula, prose keeps it on the line."""
    assert Setter(tall=False).box(formula).height == 1


@settings(deadline=None)
@given(formulas)
def test_breaking_a_formula_loses_nothing(formula: Formula) -> None:
    """A narrow display of a one-line formula has the characters of the wide one, in order."""
    if Setter().box(formula).height == 1:
        wide, narrow = (page(Display((formula,)), width=width) for width in (10_000, 40))
        assert "".join(narrow.split()) == "".join(wide.split())
