"""HTML: MathML that parses, user text that stays text, a page that needs nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from sample_documents import CHINESE, ENGLISH, dot, exp, grid
from strategies import formulas

from symattn.text.document import (
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
    Absolute,
    Call,
    Chain,
    Entry,
    Formula,
    Grid,
    Inverse,
    Marked,
    Negative,
    Number,
    Power,
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
from symattn.typeset.html import html, prose_html
from symattn.typeset.mathml import mathml, presentation
from symattn.typeset.mathml_lines import display

VOID = {"meta", "br", "hr", "img", "link", "input"}
MATHML = "{http://www.w3.org/1998/Math/MathML}"


class Balance(HTMLParser):
    """Checks that every element that opens closes in order, and gathers the text outside `<style>`."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words += data


def read(page: str) -> Balance:
    reader = Balance()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def words(formula: Formula) -> str:
    """What a reader sees, element by element, without the elements."""
    return "".join(ElementTree.fromstring(mathml(formula)).itertext())


@pytest.mark.parametrize(
    ("formula", "element"),
    [
        (Symbol("theta"), "<mi>θ</mi>"),
        (Symbol("Sigma"), '<mi mathvariant="normal">Σ</mi>'),
        (Symbol("S'"), '<mrow><mi>S</mi><mo lspace="0" rspace="0">′</mo></mrow>'),
        (Symbol("X+PE"), "<mrow><mi>X</mi><mo>+</mo><mi>PE</mi></mrow>"),
        (named("W_Q"), "<msub><mi>W</mi><mi>Q</mi></msub>"),
        (named("head1.A"), "<msup><mi>A</mi><mtext>(1)</mtext></msup>"),
        (Number("0.50"), "<mn>0.50</mn>"),
        (Number("-3"), '<mrow><mo form="prefix">−</mo><mn>3</mn></mrow>'),
        (Quotient(Number("1"), Number("2")), "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (exp("1.5"), "<msup><mi>e</mi><mn>1.5</mn></msup>"),
        (Root(Number("2")), "<msqrt><mn>2</mn></msqrt>"),
        (Root(Number("2"), 3), "<mroot><mn>2</mn><mn>3</mn></mroot>"),
        (Transpose(Symbol("K")), '<msup><mi>K</mi><mi mathvariant="normal">⊤</mi></msup>'),
        (Entry(Symbol("Q"), 1, 2), "<msub><mi>Q</mi><mrow><mn>1</mn><mn>2</mn></mrow></msub>"),
        (
            Entry(named("head1.A"), 1, 2),
            "<msubsup><mi>A</mi><mrow><mn>1</mn><mn>2</mn></mrow><mtext>(1)</mtext></msubsup>",
        ),
        (Text("if <b>"), "<mtext>if\u00a0&lt;b&gt;</mtext>"),
        (
            Series("max", Symbol("j"), None, None, Symbol("s")),
            '<mrow><munder><mi>max</mi><mi>j</mi></munder><mspace width="0.167em"/><mi>s</mi></mrow>',
        ),
    ],
)
def test_notation_in_core_elements(formula: Formula, element: str) -> None:
    """Each notation becomes the element of MathML Core that means it."""
    assert presentation(formula) == element


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (dot(("1.5", "-2"), ("0.5", "3")), "1.5⋅(−2)+0.5⋅3"),
        (Sum((Number("1"), Number("-2"), Negative(Sum((Symbol("a"), Symbol("b")))))), "1−2−(a+b)"),
        (Sum((Number("2"), Number("-3")), spelled=True), "2+(−3)"),
        (Quotient(Sum((Symbol("a"), Symbol("b"))), Number("2"), flat=True), "(a+b)/2"),
        (Power(Quotient(Number("1"), Number("2")), Number("2")), "(12)2"),
        (Entry(Symbol("Q"), 1, 12), "Q1,12"),
        (Entry(named("W_Q"), 1, 2), "(WQ)12"),
        (Inverse(Symbol("Q")), "Q−1"),
        (Absolute(Number("-2")), "|−2|"),
        (Call("max", (Symbol("a"), Symbol("b"))), "max\u2061(a,b)"),
        (Number("2.61e-17"), "2.61×10−17"),
        (Chain(Symbol("a"), (("<", Symbol("b")), ("≈", Number("0.5")))), "a<b≈0.5"),
        (Series("sum", Symbol("j"), Number("1"), Symbol("n"), Symbol("s")), "∑j=1ns"),
        (named("dgamma_1"), "dγ1"),
    ],
)
def test_parentheses_and_signs(formula: Formula, shown: str) -> None:
    """A negative factor is put into parentheses, a negative term turns its plus into a minus."""
    assert words(formula) == shown


def test_a_labelled_matrix_is_one_table() -> None:
    """Label, bracket, entries, bracket: the cells of one row share one table row."""
    table = ElementTree.fromstring(mathml(grid("1 2.5; 3 4", ("我", "b<"), ("x", "y"))))[0]
    assert [["".join(cell.itertext()) for cell in row] for row in table] == [
        ["", "", "x", "y", ""],
        ["我", "", "1", "2.5", ""],
        ["b<", "", "3", "4.0", ""],
        ["", "", "x", "y", ""],
    ]
    # the decimal that only fills the column is unseen, and so is the second row of names
    assert [node.text for node in table.iterfind(f".//{MATHML}mphantom/{MATHML}mn")] == [".0"]
    assert [row.get("style") for row in table] == [None, None, None, "visibility:hidden"]


def test_numerals_below_a_name_are_equally_wide_and_stand_in_its_middle() -> None:
    table = ElementTree.fromstring(mathml(grid("1 2; 30 4", (), ("x", "y"))))[0]
    assert ["".join(cell.itertext()) for row in table for cell in row if cell.get("class") == "numeral"] == [
        "01",
        "2",
        "30",
        "4",
    ]
    assert [node.text for node in table.iterfind(f".//{MATHML}mphantom/{MATHML}mn")] == ["0"]


def test_a_prime_is_no_script_for_fonts_raise_it_and_indices_follow_it() -> None:
    assert '<msub><mrow><mi>S</mi><mo lspace="0" rspace="0">′</mo></mrow>' in mathml(
        Entry(Symbol("S'"), 1, 2)
    )


def test_a_heatmap_writes_tiny_weights_as_powers_of_ten() -> None:
    page = html(Document("", (Heatmap(((0.0,),), (("9.36e-14",),)),)))
    assert ">9.36 × 10<sup>−14</sup></td>" in page


def test_a_wide_display_knows_its_width_for_paper() -> None:
    """A matrix cannot be broken: on paper it is set smaller, by the width that stands in its style."""
    wide = Grid(((Number("1.2345"),) * 20,))
    assert '<div class="display" tabindex="0" style="--wide: 160">' in html(Document("", (Display((wide,)),)))
    assert "--wide" not in html(Document("", (Display((Number("1"),)),))).partition("<main")[2]


@pytest.mark.parametrize(
    ("role", "shown"),
    [
        ("slip", "1.14→1.09"),
        ("carried", "↪1.14→1.09"),
        ("rounding", "1.14±→1.09"),
        ("undecided", "1.14?→1.09"),
    ],
)
def test_a_mark_shows_by_class_and_by_sign(role: str, shown: str) -> None:
    """Every verdict has a class for its colour and line; the right value follows it."""
    marked = Marked(Number("1.14"), role, Number("1.09"))  # type: ignore[arg-type]
    assert words(marked) == shown
    assert f'<mrow class="{role}">' in mathml(marked)


def test_a_struck_fraction_gets_another_line_than_its_bar() -> None:
    """A tall body has a class of its own, because a level line would hide in the fraction bar."""
    half = Marked(Quotient(Number("1"), Number("2")), "slip")
    assert '<mrow class="tall body"><mfrac>' in mathml(half)
    assert '<mrow class="body"><mn>' in mathml(Marked(Number("1"), "slip"))


def test_marked_entries_keep_their_column_aligned() -> None:
    """What an audit writes after an entry has a table cell of its own, in every row of the column."""
    rows = ((Marked(Number("1.14"), "slip", Number("1.09")),), (Number("10.5"),), (Symbol("a"),))
    table = ElementTree.fromstring(mathml(Grid(rows, col_labels=("我",))))[0]
    assert [["".join(cell.itertext()) for cell in row] for row in table][:-1] == [
        ["", "我", ""],
        ["", "1.14", "→1.09", ""],
        ["", "10.50", "", ""],
        ["", "a", ""],
    ]
    assert [[cell.get("columnspan") for cell in table[at]] for at in (0, 3)] == [[None, "2", None]] * 2


def test_a_power_of_ten_leaves_its_column_alone() -> None:
    """2.61e-17 is centred, and no other entry is filled up to its seven characters."""
    assert words(grid("2.61e-17; 0.5")) == "2.61×10−170.5"


def test_chains_align_and_long_ones_go_on_in_new_rows() -> None:
    """The left side and the rest are two columns; a chain too long for the page breaks at a relation."""
    long = dot(*[("1.25", "3.75")] * 6)
    table = ElementTree.fromstring(
        display((equation(Symbol("Q"), Number("1")), equation(Symbol("K"), long, long)))
    )[0]
    rows = [["".join(cell.itertext()) for cell in row] for row in table]
    products = "+".join(["1.25⋅3.75"] * 6)
    assert rows == [["Q", "=1"], ["K", f"={products}"], ["", f"={products}"]]


def test_a_sum_too_long_for_the_page_breaks_between_terms() -> None:
    """The next row starts with the sign of its first term."""
    table = ElementTree.fromstring(display((equation(Symbol("K"), dot(*[("1.25", "3.75")] * 9)),)))[0]
    left, right = table[1]
    assert (list(left.itertext()), "".join(right.itertext())[:10]) == ([], "+1.25⋅3.75")
    assert "".join(table.itertext()).count("1.25⋅3.75") == 9


@pytest.mark.parametrize("document", [ENGLISH, CHINESE])
def test_a_page_is_balanced_titled_and_in_its_language(document: Document) -> None:
    """The page names its language and title, closes what it opens, and every formula in it parses as XML."""
    page = html(document)
    read(page)
    assert page.startswith(f'<!DOCTYPE html>\n<html lang="{document.lang}">')
    assert f"<title>{document.title}</title>" in page
    found = re.findall(r"<math .*?</math>", page)
    assert len(found) > 5
    assert all(ElementTree.fromstring(formula).tag == f"{MATHML}math" for formula in found)


def test_a_page_fetches_nothing_and_runs_nothing() -> None:
    """No script, no link, no address but the name of MathML; the font is inside."""
    page = html(ENGLISH)
    assert not {"script", "link", "img", "iframe"} & set(read(page).tags)
    assert set(re.findall(r"https?://[^\"' )]+", page)) == {"http://www.w3.org/1998/Math/MathML"}
    assert "url(data:font/woff2;base64,d09GMk9U" in page
    assert len(page) < 120_000
    for feature in ("@media print", "prefers-color-scheme: dark", "overflow-x: auto", 'name="viewport"'):
        assert feature in page


def test_a_fragment_fits_into_a_page_of_somebody_else() -> None:
    """Without standalone there is no page around it, no font, and no style rule outside `.symattn`."""
    fragment = html(CHINESE, standalone=False)
    reader = read(fragment)
    assert not {"html", "body", "head", "main"} & set(reader.tags)
    assert '<div class="symattn" lang="zh">' in fragment
    rules = re.sub(r"@media[^{]*\{", "", fragment.partition("<style>")[2].partition("</style>")[0])
    selectors = [each.strip() for rule in re.findall(r"([^{}]+)\{", rules) for each in rule.split(",")]
    assert len(selectors) > 40
    assert all(selector.startswith(".symattn") for selector in selectors)
    assert "@font-face" not in fragment


EVIL = "<script>alert('1')</script>&\"\x1b\u202e\x00"
SAFE = "<script>alert('1')</script>&\"␛\\u202e␀"


def test_user_text_is_escaped_everywhere() -> None:
    """Markup, quotes, control characters and overrides in user text show as themselves."""
    blocks = (
        Heading((EVIL,)),
        Paragraph((EVIL, Strong(EVIL), Code(EVIL), Verdict(EVIL, "slip"), Maths(Text(EVIL)))),
        Display((Grid(((Number(EVIL),),), (EVIL,), (EVIL,)), Symbol(EVIL, Text(EVIL)), Call(EVIL, ()))),
        Heatmap(((0.5,),), ((EVIL,),), (EVIL,), (EVIL,)),
        Table(((EVIL,),), (((EVIL,),),)),
        Remark(EVIL, (EVIL,)),
    )
    reader = read(html(Document(EVIL, blocks, lang='"><script>')))
    assert "script" not in reader.tags
    assert reader.words.count(SAFE) == 22
    assert not {"\x1b", "\u202e", "\x00"} & set(reader.words)


def test_weights_tint_their_cells() -> None:
    """The tint follows the weight, kept between 0 and 1, and the decimals stand in the cell."""
    page = html(Document("", (Heatmap(((0.25, 1.5),), (("0.25", "1.50"),), ("我",), ("a", "b")),)))
    assert '<td style="--weight: 0.250">0.25</td><td style="--weight: 1.000">1.50</td>' in page


@settings(deadline=None)
@given(formulas)
def test_mathml_parses_as_xml(formula: Formula) -> None:
    """Whatever the formula, its MathML is well-formed and of MathML's namespace only."""
    root = ElementTree.fromstring(mathml(formula))
    assert {node.tag[: len(MATHML)] for node in root.iter()} == {MATHML}


@settings(deadline=None)
@given(formulas)
def test_elements_with_fixed_children_have_them(formula: Formula) -> None:
    """A fraction, script or root has as many children as MathML asks for, whatever is in it."""
    arity = {
        "mfrac": 2,
        "msup": 2,
        "msub": 2,
        "msubsup": 3,
        "mroot": 2,
        "munder": 2,
        "munderover": 3,
        "msqrt": 1,
    }
    for node in ElementTree.fromstring(mathml(formula)).iter():
        tag = node.tag.removeprefix(MATHML)
        assert len(node) == arity.get(tag, len(node))


@settings(deadline=None)
@given(formulas)
def test_rows_of_a_matrix_fill_the_same_columns(formula: Formula) -> None:
    """Counting spans, every row of every table is as long as the first."""
    for table in ElementTree.fromstring(mathml(formula)).iter(f"{MATHML}mtable"):
        lengths = {sum(int(cell.get("columnspan", "1")) for cell in row) for row in table}
        assert len(lengths) == 1


def test_a_narrow_screen_can_break_a_chain_before_each_of_its_relations() -> None:
    chain = Chain(Symbol("x"), (("=", Number("2")), ("≈", Number("3"))))
    shown = html(Document("t", (Display((chain,)),)))
    assert re.findall(r'<mrow class="link"><mo[^>]*>(.)</mo>', shown) == ["=", "≈"]


def test_no_line_of_prose_begins_with_what_ends_a_formula() -> None:
    said = prose_html((Maths(Symbol("a")), "; b ", Maths(Symbol("c")), " d"))
    assert said.startswith('<span class="whole"><math')
    assert said.count("whole") == 1
    assert "</math>;</span> b <math" in said


def test_only_a_wide_table_of_words_is_stacked_on_a_narrow_screen() -> None:
    def table(words: str, align: str) -> str:
        return html(Document("", (Table((("a",), ("b",), ("c",)), (((words,),) * 3,), align),)))

    assert '<table class="stacks">' in table("as many words as a sentence has", "lll")
    assert "<table>" in table("one", "lll")
    assert "<table>" in table("as many words as a sentence has", "llr")
