"""Every chain on the pages of every case is true, read back as a reader reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import printed_latex
import printed_mathml
import printed_text
import printed_typst
import pytest
from once import CASES, FOLDER, page, work
from printed_chains import chains, false_links
from printed_latex import equations_of
from printed_matrices import Equation, chains_of, false_equations

from symattn.narrate.page import Detail
from symattn.text.document import Document
from symattn.typeset.html import html
from symattn.typeset.latex import latex
from symattn.typeset.markdown import markdown
from symattn.typeset.text import text
from symattn.typeset.typst import typst

ONE_IN = 5
"""Of so many links at least one is checked; others have an entry that the page does not work out."""


UNREAD = 4
"""So many links or equations of a page at most are read in one format and not in another: those inside of a
sentence, or names that only the typesetting tells apart."""


def readings(document: Document) -> Iterator[tuple[str, list[Equation]]]:
    """The chains and the equations of matrices on a page, as each format has them."""
    words = text(document)
    yield words, list(printed_text.equations_of(words))
    for reader, source in (
        (printed_latex, markdown(document)),
        (printed_latex, latex(document)),
        (printed_mathml, html(document)),
        (printed_typst, typst(document)),
    ):
        equations = list(reader.equations_of(source))
        yield chains_of(equations), equations


def symbolic(path: Path) -> bool:
    return "free symbols" in work(path).text(lang="en")


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_every_chain_and_every_equation_of_matrices_on_a_page_is_true(path: Path) -> None:
    links, matrices = [], []
    for words, equations in readings(page(path)):
        checked, wrong = false_links(words)
        assert wrong == []
        links.append(checked)
        printed = sum(len(links) for _, links in chains(words))
        assert checked * ONE_IN >= printed or symbolic(path)
        checked, wrong = false_equations(equations)
        assert wrong == []
        assert checked > 1 or symbolic(path) or path.stem == "sinusoidal_positions"  # it has no product
        matrices.append(checked)
    assert max(links) - min(links) <= UNREAD
    assert max(matrices) - min(matrices) <= UNREAD


SAMPLED = (
    "backward_loss",
    "biases_everywhere",
    "differential",
    "encoder_post_norm",
    "online_sinks",
    "rope_half",
    "sigmoid_attention",
    "two_heads",
)
"""Cases that have kinds of lines of their own, whose pages with every entry are read without `-m slow`."""


@pytest.mark.parametrize("path", [path for path in CASES if path.stem in SAMPLED], ids=lambda path: path.stem)
def test_every_equation_on_a_page_with_every_entry_is_true(path: Path) -> None:
    assert false_on(path, "en", "entries") == []


@pytest.mark.slow
@pytest.mark.parametrize("detail", ["result", "steps", "some", "entries"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_equation_in_every_detail_and_language_is_true(lang: str, detail: Detail) -> None:
    assert [wrong for path in CASES for wrong in false_on(path, lang, detail)] == []


def false_on(path: Path, lang: str, detail: Detail) -> list[str]:
    """The false links and equations on the pages of a case in every format."""
    return [
        wrong
        for words, equations in readings(page(path, lang, detail))
        for wrong in (*false_links(words)[1], *false_equations(equations)[1])
    ]


FALSE: tuple[str, ...] = (
    "A₁₁ = 1/(1 + e^(-√2/2)) ≈ 0.6699",
    "S'₁₁ = 3/√2 = 3√2 ≈ 4.2426",
    "(Q_N)₁₁ = 7/5 = 1.41",
    "Z₁₁ = A₁₁·1 + A₁₂·2 ≈ 0.3302·1 + 0.6698·2 ≈ 1.6699",
    "D₁ = 1 + e^2 ≈ 8.3891\n  A₁₁ = 1/D₁ ≈ 0.1182",
    "x = e^17 ≈ 24155000",
    "Z₁₁ = 1 + 3\n     ≈ 5",
)


@pytest.mark.parametrize("line", FALSE)
def test_a_false_link_is_found(line: str) -> None:
    assert len(false_links(f"    {line}\n")[1]) == 1


TRUE: tuple[str, ...] = (
    "A₁₁ = 1/(1 + e^(-√2/2)) ≈ 0.6698",
    "(Q_N)₁₁ = 7/5 = 1.4",
    "S'⁽²⁾₁₁ = 2(3 - √5)²/7 ≈ 0.1667",
    "Z₁₁ = max(0, -1)·3 + ln(2) ≈ 0.6931",
    "w = 2e^(1 - 3) = 2/e^2 ≈ 2.71e-1",
)


@pytest.mark.parametrize("line", TRUE)
def test_a_true_chain_is_read_and_passes(line: str) -> None:
    checked, wrong = false_links(line)
    assert checked
    assert wrong == []


def grid(cells: str) -> str:
    return rf"\begin{{bmatrix}} {cells} \end{{bmatrix}}"


TWO, EYE = grid(r"1 & 2 \\ 0 & \frac{1}{2}"), grid(r"1 & 0 \\ 0 & 1")
HALF, WEIGHTS, VALUES = grid(r"0.5 & 1 \\ 0 & 0.25"), grid("0.33 & 0.67"), grid(r"1 \\ 4")
LABELLED = (
    r"\begin{array}{r} {\scriptstyle\textcolor{gray}{\text{a}}} \\ {\scriptstyle\textcolor{gray}{\text{b}}}"
    r" \end{array} \overset{\rule{0pt}{0.8em}}{ \begin{bmatrix} \smash{\overset{\text{a}}{\overset{\rule{0pt}"
    r"{0.4em}}{0.5000}}}\vphantom{0.5000} & 1.0000 \\ 0 & %s \end{bmatrix} }"
)


@pytest.mark.parametrize(
    ("display", "checked", "wrong"),
    [
        (f"{TWO} {EYE} = {TWO}", 1, 0),
        (f"{TWO} + {EYE} = {TWO}", 1, 1),
        (rf"\frac{{{TWO}}}{{2}} = {HALF} \approx {LABELLED % '0.2500'}", 2, 0),
        (rf"\frac{{{TWO}}}{{2}} = {HALF} \approx {LABELLED % '0.2501'}", 2, 1),
        (rf"{WEIGHTS} {VALUES} \approx {grid('3.00')}", 1, 0),
        (rf"{WEIGHTS} {VALUES} \approx {grid('3.05')}", 1, 1),
    ],
)
def test_matrices_are_compared_entry_by_entry(display: str, checked: int, wrong: int) -> None:
    found = false_equations(equations_of(f"$$\n{display}\n$$"))
    assert (found[0], len(found[1])) == (checked, wrong)


def test_labels_and_marks_of_latex_are_taken_off() -> None:
    display = r"""
      \begin{array}{@{\,}r@{\,}}
        \rowlabel{a}
      \end{array}
      \overset{\rule{0pt}{0.8em}}{
        \left[\begin{array}{@{}cc@{}}
          \columnlabel{a}{\saused{\frac{1}{4}}} & \columnlabel{b}{2\phantom{.00}}
        \end{array}\right]
      } \approx
      \left[\begin{array}{rr}
        0.25 & %s
      \end{array}\right]"""
    assert false_equations(equations_of(f"\\[\n{display % '2.00'}\n\\]")) == (1, [])
    assert len(false_equations(equations_of(f"\\[\n{display % '2.10'}\n\\]"))[1]) == 1


BOXES = """
                       甲      the
    ⎡1  2⎤        甲  ⎡0.7071  1.4142⎤                  ⎡ 1⎤
    ⎣3  4⎦ / √2 ≈ the ⎣2.1213  2.8284⎦    C = a [1  2]  ⎣-1⎦ = [%s]

        ⎡1  0⎤                ⎡1 + √2  -∞⎤
    D = ⎣0  1⎦ + b [√2  -∞] = ⎣  √2    %s⎦
"""


@pytest.mark.parametrize(("one", "infinite", "wrong"), [("-1", "-∞", 0), ("3", "-∞", 1), ("-1", " 1", 1)])
def test_matrices_in_boxes_are_read_without_labels(one: str, infinite: str, wrong: int) -> None:
    checked, false = false_equations(printed_text.equations_of(BOXES % (one, infinite)))
    assert (checked, len(false)) == (3, wrong)


def test_chains_of_scalars_are_read_in_latex_and_markdown() -> None:
    root = r"{S'}_{11}^{(1)} &= \frac{2 \sqrt{2}}{2}"
    page = f"$$\n\\begin{{aligned}}\n {root} \\\\\n &\\approx %s\n\\end{{aligned}}\n$$"
    assert false_links(chains_of(equations_of(page % "1.4142"))) == (1, [])
    assert len(false_links(chains_of(equations_of(page % "1.4143")))[1]) == 1


MATHML = """<p>So <math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mtable class="aligned">
<mtr><mtd><mrow><msub><mrow><mi>S</mi><mo>′</mo></mrow><mrow><mn>1</mn><mn>2</mn></mrow></msub></mrow></mtd>
<mtd><mrow><mo>=</mo><mfrac><mrow><mo form="prefix">−</mo><mn>1</mn></mrow><msqrt><mn>2</mn></msqrt></mfrac>
<mo>=</mo><mrow><mo form="prefix">−</mo><msup><mn>2</mn><mn>%s</mn></msup></mrow></mrow></mtd></mtr>
<mtr><mtd><mrow></mrow></mtd><mtd><mo>≈</mo><mo form="prefix">−</mo><mn>%s</mn></mtd></mtr></mtable></math>,
<math><mi>C</mi><mo>=</mo><mtable><mtr><mtd><mn>2</mn></mtd></mtr></mtable><mo>⋅</mo>
<mtable class="grid"><mtr class="names"><mtd></mtd><mtd><mtext>7</mtext></mtd></mtr>
<mtr><mtd class="label"><mtext>9</mtext></mtd><mtd class="bracket"></mtd>
<mtd class="numeral"><mrow class="used">
<mtext>↪</mtext><mrow class="body"><mn>3</mn></mrow></mrow></mtd></mtr>
</mtable><mo>≈</mo><mtable><mtr><mtd><mrow><mn>%s</mn><mphantom><mn>00</mn></mphantom></mrow></mtd></mtr></mtable></math></p>"""


TYPST = r"""So $S'_12 = frac(-1, sqrt(2)) = -2^%s \
  &approx -%s $, and $x$:
$ C = matrix(al: #(right,),
  2;
) dot
matrix(
  al: #(right,),
  rows: #("9, (",),
  columns: #("7)",),
  used(frac(6, 2)) ;
) approx matrix(al: #(right,),
  %s unseen("00");
) $"""


READ = [("-0.5", "0.7071", "6.0", (0, 0)), ("-0.6", "0.7071", "6.0", (2, 0))]
READ += [("-0.5", "0.7072", "6.0", (1, 0)), ("-0.5", "0.7071", "6.1", (0, 1))]


@pytest.mark.parametrize(("exponent", "decimal", "product", "wrong"), READ)
def test_formulas_of_mathml_and_typst_are_read(
    exponent: str, decimal: str, product: str, wrong: tuple[int, int]
) -> None:
    for equations in (
        list(printed_mathml.equations_of(MATHML % (exponent, decimal, product))),
        list(printed_typst.equations_of(TYPST % (f"({exponent})", decimal, product))),
    ):
        links, found = false_links(chains_of(equations)), false_equations(equations)
        assert (links[0], found[0]) == (2, 1)
        assert (len(links[1]), len(found[1])) == wrong


@pytest.mark.parametrize("numeral", ["0.6605", "1.3395"])
@pytest.mark.parametrize(("typeset", "reader"), [(html, printed_mathml), (typst, printed_typst)])
def test_a_false_decimal_on_a_page_of_html_or_typst_is_found(
    typeset: Callable[[Document], str], reader: ModuleType, numeral: str
) -> None:
    planted = typeset(page(FOLDER / "two_heads.toml", "en", "entries")).replace(numeral, numeral[:-1] + "7")
    equations = list(reader.equations_of(planted))
    assert false_links(chains_of(equations))[1]
    assert false_equations(equations)[1]
