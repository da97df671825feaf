r"""The LaTeX typesetter: what the source says, and that xelatex makes a page of it."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import given
from sample_documents import CHINESE, ENGLISH
from strategies import any_words

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
    Call,
    Chain,
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
    Transpose,
    equation,
    named,
)
from symattn.typeset.latex import latex, latex_formula
from symattn.typeset.latex_maths import PAGE, maths
from symattn.typeset.latex_text import escape
from symattn.typeset.latex_width import width

X, Q, K, S, A, e, x, y = (Symbol(name) for name in "XQKSAexy")
HOSTILE = r"100%_\input{x}#$&~^{}"
ODD = (
    "🐱",
    "قطة",
    "\x00\x07",
    "x\u0323\u0302",
    "\u202eabc",
    "愛貓",
    "кот",
    "ねこ",
    "θ≈√2",
    "①",
    "\U00020000",
)


def decimals(rows: int, columns: int, labels: tuple[str, ...] = ()) -> Grid:
    return Grid(
        tuple(
            tuple(Number(f"{((7 * i + 3 * j) % 11 - 4) / 3:.2f}") for j in range(columns))
            for i in range(rows)
        ),
        labels,
    )


def polynomial(terms: int) -> Sum:
    return Sum(tuple(Product((Symbol("x", Number(str(i))), named("w_Q"))) for i in range(terms)))


def test_a_plain_matrix_is_a_bmatrix_and_one_of_eleven_columns_counts_them_out() -> None:
    assert latex_formula(Grid(((x, Number("2")),))) == "\\begin{bmatrix}\n  x & 2\n\\end{bmatrix}"
    assert r"\begin{array}{@{}ccccccccccc@{}}" in latex_formula(Grid(((x,) * 11,)))


def test_a_product_too_wide_for_the_line_puts_its_result_on_the_next_aligned_at_the_relation() -> None:
    wide = equation(Q, Product((decimals(3, 4), decimals(4, 4))), decimals(3, 4))
    source = latex(Document("t", (Display((wide,)),)))
    assert source.count("&=") == 2
    assert r"\begin{align*}" in source


def test_a_matrix_wider_than_the_page_is_split_into_numbered_blocks_of_columns() -> None:
    for lang, first, last in (("en", "columns 1–10", "columns 21–30"), ("zh", "第 1–10 列", "第 21–30 列")):
        source = latex(Document("t", (Display((equation(X, decimals(2, 30)),)),), lang))
        assert rf"\underset{{\rowlabel{{{first}}}}}" in source
        assert rf"\underset{{\rowlabel{{{last}}}}}" in source


def test_a_slightly_too_wide_product_is_set_smaller_instead_of_split() -> None:
    source = latex(Document("t", (Display((equation(Q, Product((decimals(3, 8), decimals(8, 5)))),)),)))
    assert r"{\footnotesize%" in source
    assert "columns" not in source


def test_a_long_sum_breaks_between_terms() -> None:
    source = latex(Document("t", (Display((equation(x, polynomial(30)),)),)))
    assert r"&\quad +" in source


def test_the_fragment_names_exactly_the_packages_that_it_needs() -> None:
    plain = latex(Document("t", (Display((x,)),)))
    assert re.findall(r"\\usepackage.*", plain) == [r"\usepackage{amsmath}"]
    marked = latex(Document("t", (Display((Marked(Text("我"), "slip"),)),)))
    assert re.findall(r"^% +(\\usepackage\S*)", marked, re.MULTILINE) == [
        r"\usepackage{amsmath}",
        r"\usepackage{cancel}",
        r"\usepackage{xcolor}",
        r"\usepackage[fontset=fandol,",
    ]
    assert r"\providecommand{\slip}" in marked


def test_an_english_document_with_chinese_tokens_keeps_english_conventions() -> None:
    assert ",scheme=plain]{ctexart}" in latex(Document("t", (Paragraph(("我",)),)), standalone=True)
    assert "scheme" not in latex(Document("t", (), "zh"), standalone=True)
    assert r"]{article}" in latex(Document("t", ()), standalone=True)


@given(any_words)
def test_escaped_text_holds_no_active_character(words: str) -> None:
    bare = re.sub(
        r"\\[%_#$&{}]|\$\\[A-Za-z]+\$|\$\{\}[_^]\d\$|\$[-']\$|\$\\tfrac\d\d\$|\$\{\}\^\{\\mathsf\{T\}\}\$",
        "",
        escape(words),
    )
    assert not re.search(r"[%_#$&^|<>]", bare)


def test_the_sample_pages_compile(xelatex: Callable[[str], str]) -> None:
    for document in (ENGLISH, CHINESE):
        assert "Output written on page" in xelatex(latex(document, standalone=True))


def test_a_fragment_compiles_in_somebody_elses_document(xelatex: Callable[[str], str]) -> None:
    fragment = latex(CHINESE)
    packages = "\n".join(re.findall(r"^%  +(\\usepackage\S+)", fragment, re.MULTILINE))
    xelatex(f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{fragment}\\end{{document}}\n")


def test_hostile_text_and_odd_characters_compile_everywhere(xelatex: Callable[[str], str]) -> None:
    words = (HOSTILE, " ", *(word + " " for word in ODD))
    labels = (HOSTILE, "🐱" * 40)
    xelatex(
        latex(
            Document(
                HOSTILE,
                (
                    Heading((*words, Maths(Text(HOSTILE)))),
                    Paragraph(
                        (
                            *words,
                            Strong(HOSTILE),
                            " ",
                            Code(HOSTILE),
                            " ",
                            Verdict(HOSTILE, "slip"),
                            "A" * 150,
                        )
                    ),
                    Display((Grid(((x, y), (y, x)), labels, labels), Symbol(HOSTILE), Call(HOSTILE, (x,)))),
                    Bullets((("[option]",), ("*",), words)),
                    Table((("[x]",), (HOSTILE,)), ((("*",), words),)),
                    *(Remark(HOSTILE, words, kind) for kind in ("proved", "note", "check", "warning")),
                    Heatmap(((0.5,),), ((HOSTILE,),), (HOSTILE,), (HOSTILE,)),
                ),
            ),
            standalone=True,
        )
    )


def test_a_heatmap_writes_tiny_weights_as_powers_of_ten() -> None:
    source = latex(Document("", (Heatmap(((0.0, 1.0),), (("9.36e-14", "1.0000"),)),)))
    assert r"\cellcolor{blue!0}$9.36 \times 10^{-14}$ & \cellcolor{blue!60}1.0000 \\" in source


def test_lines_of_fractions_and_of_labelled_matrices_are_set_apart() -> None:
    half = Chain(Symbol("x"), (("=", Quotient(Number("1"), Number("2"))),))
    one = Chain(Symbol("x"), (("=", Number("1")),))
    source = latex(Document("en", (Display((half, half, one)),)))
    assert r"\frac{1}{2} \\*[4pt]" in source
    assert source.count("[4pt]") == 1


def test_labels_over_a_fraction_and_a_digit_are_in_one_line() -> None:
    half = Quotient(Number("1"), Number("2"))
    source = latex_formula(Grid(((Number("3"), half),), (), ("a", "b")))
    assert r"\columnlabel{a}{3 \vphantom{\frac{1}{2}}} & \columnlabel{b}{\frac{1}{2}}" in source


def test_a_row_of_fractions_has_their_height_and_size_and_other_matrices_keep_theirs() -> None:
    half = Quotient(Number("1"), Number("2"))
    matrix = Grid(((Marked(half, "used"), x), (half, x)), ("a", "b"))
    source = latex(Document("", (Display((Product((matrix, decimals(2, 2))),)),)))
    assert r"\saused{\satall{\frac{1}{2}}} & x \\" in source
    assert r"\rowlabel{b} \vphantom{\satall{\frac{1}{2}}}" in source
    assert r"\providecommand{\satall}" in source
    assert "arraystretch" not in source


def test_stacked_fractions_do_not_touch(xelatex: Callable[[str], str]) -> None:
    """The distance of two rows is more than the height of the fraction and its depth together."""
    entry = Quotient(Power(e, x), Sum((Number("1"), Power(e, Quotient(x, y)))))
    one, two = (Grid(((entry,),) * count) for count in (1, 2))
    boxes = "".join(
        f"\\setbox0\\hbox{{$\\displaystyle {maths(part, PAGE)}$}}"
        "\\typeout{HIGH \\the\\dimexpr\\ht0+\\dp0\\relax}\n"
        for part in (entry, one, two)
    )
    page = latex(Document("", (Display((two,)),)), standalone=True)
    log = xelatex(page.replace(r"\begin{document}", "\\begin{document}\n" + boxes))
    alone, single, double = (float(points) for points in re.findall(r"HIGH ([0-9.]+)pt", log))
    assert double - single >= alone + 4


def test_matrices_and_the_entries_worked_from_them_are_not_torn_apart() -> None:
    source = latex(Document("", (Display((equation(Q, X),)), Display((equation(X, x),)))))
    assert source.count(r"\postdisplaypenalty=10000") == 1
    assert source.index(r"\postdisplaypenalty=10000") < source.index("Q =")


def test_a_short_display_stays_on_one_page_and_a_long_one_leaves_no_line_alone() -> None:
    """A star after the end of a line forbids a page break there."""

    def ends(count: int) -> list[bool]:
        source = latex(Document("", (Display((equation(Q, x),) * count),)))
        return [line.endswith(r"\\*") for line in source.splitlines() if "&= x" in line][:-1]

    assert ends(6) == [True] * 5
    assert ends(8) == [True, False, False, False, False, False, True]


def test_nothing_runs_off_the_page(xelatex: Callable[[str], str]) -> None:
    cats = ("我", "爱", "猫咪")
    long = polynomial(40)
    sixteen = Grid(((polynomial(16), polynomial(16)), (Quotient(x, long), Number("1"))), ("我", "爱"))
    xelatex(
        latex(
            Document(
                "",
                (
                    Display((equation(Q, Product((decimals(3, 8, cats), decimals(8, 4))), decimals(3, 4)),)),
                    Display((equation(X, decimals(3, 40, cats), decimals(60, 2)),)),
                    Display(
                        (equation(S, sixteen), equation(A, Quotient(x, long), Root(long), Power(e, long)))
                    ),
                    Display((equation(long, Product((long, long), "dot"), Number("1" * 120)),)),
                    Paragraph(("wide ", Maths(equation(X, decimals(2, 20))), " and ", Maths(long))),
                    Table((("a",),) * 14, ((("1.2345678",),) * 14,) * 40),
                    Table((("a",), ("b",)), ((("words " * 30,), (Maths(long),)),)),
                    Heatmap(((0.5,) * 20,) * 3, (("0.5000",) * 20,) * 3, cats, ("我爱猫",) * 20),
                ),
                "zh",
            ),
            standalone=True,
        )
    )


def test_estimated_widths_are_not_below_those_of_tex(xelatex: Callable[[str], str]) -> None:
    """Each box is measured by TeX; the estimate may be a quarter too large, never too small."""
    samples: tuple[Formula, ...] = (
        polynomial(8),
        decimals(3, 5, ("我", "爱猫", "b")),
        Quotient(polynomial(3), Number("12.5")),
        Grid(((Quotient(polynomial(3), Number("12.5")), x), (x, Quotient(x, y)))),
        Sum(tuple(Power(e, Number(f"{i}.0302")) for i in range(5))),
        Chain(Q, (("=", Product((X, named("W_Q")))), ("≈", Number("-0.25")))),
        Sum(tuple(Product((Number("1.25"), Number("-0.5")), "dot") for _ in range(4)), spelled=True),
        Call("softmax", (Quotient(Product((Q, Transpose(K))), Root(named("d_k"))),)),
    )
    boxes = "".join(
        f"\\setbox0\\hbox{{$\\displaystyle {maths(sample, PAGE)}$}}\\typeout{{WIDTH \\the\\wd0}}\n"
        for sample in samples
    )
    page = latex(Document("", (Display((decimals(1, 1, ("我",)), samples[3])),)), standalone=True)
    log = xelatex(page.replace(r"\begin{document}", "\\begin{document}\n" + boxes))
    measured = [float(points) / 10.95 for points in re.findall(r"WIDTH ([0-9.]+)pt", log)]
    assert len(measured) == len(samples)
    for sample, em in zip(samples, measured, strict=True):
        assert em <= width(sample) <= 1.3 * em + 0.8, latex_formula(sample)


def test_little_room_shrinks_nothing_to_a_speck() -> None:
    """Delimiters, roots and fractions inside each other leave less and less room."""
    deep: Formula = Sum((Power(Sum((Root(named("sigma_1")), named("mu_1"))), Number("2")), x))
    for _ in range(4):
        deep = Quotient(Power(Sum((Root(deep), y)), Number("2")), Number("629"))
    source = latex(Document("", (Display((Chain(x, (("=", deep),)),)),)), width=20)
    assert r"\begin{array}" in source
    assert all(float(room) >= 4 for room in re.findall(r"\\resizebox\{([-0-9.]+)em", source))


STEPS = Table(
    (("",), ("Step",), ("Formula",), ("Shape",), ("Meaning",)),
    (
        (
            ("1.2",),
            ("Scores with a position bias",),
            (Maths(equation(S, Sum((Product((Q, Transpose(K))), X, A)))),),
            ("3×3",),
            ("Adds a bias that depends on the positions of query and key.",),
        ),
    ),
    "lllll",
)


def test_a_table_too_narrow_for_its_columns_has_the_last_one_below_the_others(
    xelatex: Callable[[str], str],
) -> None:
    source = latex(Document("", (STEPS,)), standalone=True, width=60)
    xelatex(source)
    assert re.search(r"1\.2 & Scores with a position bias .*3\$\\times\$3 \\\\\n +& Adds", source)
    assert r"3$\times$3 & Adds" in latex(Document("", (STEPS,)), width=170)
