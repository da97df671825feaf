"""One formula in LaTeX: how it reads, where its parentheses stand, and that its braces are balanced."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import formulas

from symattn.text.document import (
    Display,
    Document,
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
from symattn.typeset import latex_maths
from symattn.typeset.latex import latex, latex_formula
from symattn.typeset.latex_maths import LATEX, MOST_SHARED, maths
from symattn.typeset.latex_plain import sum_of_fractions
from symattn.typeset.markdown import KATEX
from symattn.typeset.precedence import needs_parentheses

X, Q, K, S, A, e, x, y = (Symbol(name) for name in "XQKSAexy")
HOSTILE = r"100%_\input{x}#$&~^{}"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (equation(Q, Product((X, named("W_Q")))), "Q = X W_Q"),
        (Product((Number("1.2"), Number("-0.5")), "dot"), r"1.2 \cdot (-0.5)"),
        (Product((Number("-2"), x)), "-2 x"),
        (Sum((x, Number("-3"), Negative(Sum((x, y))))), "x - 3 - (x + y)"),
        (Sum((Number("2"), Number("-3")), spelled=True), "2 + (-3)"),
        (Product((Sum((x, y)), Quotient(x, Number("2")))), r"(x + y) \frac{x}{2}"),
        (Quotient(Sum((x, y)), Product((Number("2"), x)), flat=True), "(x + y)/(2 x)"),
        (Power(Number("-2"), Number("2")), "(-2)^2"),
        (Power(e, Negative(Quotient(Root(Number("2")), Number("2"), flat=True))), r"e^{-\sqrt{2}/2}"),
        (Power(Quotient(x, y), Symbol("theta")), r"\left( \frac{x}{y} \right)^\theta"),
        (Number("2.61e-17"), r"2.61 \times 10^{-17}"),
        (Transpose(named("W_Q")), r"W_Q^\top"),
        (Transpose(Product((Q, Transpose(K)))), r"(Q K^\top)^\top"),
        (Inverse(named("head1.A")), "(A^{(1)})^{-1}"),
        (Entry(named("head1.A"), 1, 2), "A_{12}^{(1)}"),
        (Entry(S, 1, 12), "S_{1,12}"),
        (Entry(Product((Q, Transpose(K))), 1, 2), r"(Q K^\top)_{12}"),
        (Call("softmax", (S,)), r"\operatorname{softmax}(S)"),
        (Call("exp", (Quotient(x, y),)), r"\exp\left( \frac{x}{y} \right)"),
        (Series("sum", Symbol("j"), Number("1"), Symbol("n"), Entry(A, 1)), r"\sum_{j = 1}^n A_1"),
        (Absolute(Number("-3")), r"\lvert -3 \rvert"),
        (named("dW_Q"), r"\mathrm{d}W_Q"),
        (named("dgamma_1"), r"\mathrm{d}\gamma_1"),
        (named("d_model"), r"d_{\mathrm{model}}"),
        (Symbol("scores"), r"\mathrm{scores}"),
        (Symbol("存钱"), r"\text{存钱}"),
        (Symbol("S'"), "S'"),
        (Negative(Infinity()), r"-\infty"),
        (Sum((x, Dots(), y)), r"x + \cdots + y"),
        (Marked(Number("1.14"), "slip", Number("1.09")), r"\slip{1.14}\;{1.09}"),
        (Marked(Number("0.42"), "carried"), r"\carried{0.42}"),
        (
            Text(HOSTILE),
            r"\text{100\%\_\textbackslash{}input\{x\}\#\$\&\textasciitilde{}\textasciicircum{}\{\}}",
        ),
        (Chain(x, (("≈", Number("0.33")), ("≤", y))), r"x \approx 0.33 \leq y"),
    ],
)
def test_a_formula_reads_as_a_lecturer_would_write_it(formula: Formula, expected: str) -> None:
    assert latex_formula(formula) == expected


def test_a_labelled_matrix_has_one_row_a_line_and_its_labels_outside_the_bracket() -> None:
    grid = Grid(((Number("1.0"), Number("-0.5")), (Number("0.2"), Number("1.25"))), ("我", "爱"))
    assert latex_formula(grid) == "\n".join(
        (
            r"\begin{array}{@{\,}r@{\,}}",
            r"  \rowlabel{我} \\",
            r"  \rowlabel{爱}",
            r"\end{array}",
            r"\left[\begin{array}{@{}rr@{}}",
            r"  1.0 & -0.5\phantom{0} \\",
            r"  0.2 &            1.25",
            r"\end{array}\right]",
        )
    )


@pytest.mark.parametrize(
    ("child", "parent", "position", "expected"),
    [
        (Number("-1"), Product((x, Number("-1")), "dot"), 1, True),
        (Number("-1"), Product((Number("-1"), x), "dot"), 0, True),
        (Number("-1"), Product((Number("-1"), x)), 0, False),
        (Number("3"), Product((Number("2"), Number("3"))), 1, True),
        (Product((K, X)), Product((Q, Product((K, X)))), 1, True),
        (Product((Q, K)), Product((Product((Q, K)), X)), 0, False),
        (Sum((x,)), Product((Sum((x,)), y)), 0, False),
        (Marked(Number("1"), "slip", Number("-1")), Product((x, y), "dot"), 1, True),
        (Quotient(x, y), Power(Quotient(x, y), x), 0, True),
        (Sum((x, y)), Root(Sum((x, y))), 0, False),
        (Series("sum", x, None, None, y), Sum((Series("sum", x, None, None, y), x)), 0, True),
    ],
)
def test_parentheses_stand_where_the_reading_would_change(
    child: Formula, parent: Formula, position: int, expected: bool
) -> None:
    assert needs_parentheses(child, parent, position) is expected


@given(formulas)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_braces_and_environments_of_any_formula_are_balanced(formula: Formula) -> None:
    for source in (latex_formula(formula), latex(Document("", (Display((formula,)),)))):
        depth = 0
        for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", source):
            depth += 1 if brace == "{" else -1
            assert depth >= 0
        assert depth == 0
        open_ones: list[str] = []
        for kind, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", source):
            if kind == "begin":
                open_ones.append(name)
            else:
                assert open_ones.pop() == name
        assert open_ones == []
        assert len(re.findall(r"\\left\b", source)) == len(re.findall(r"\\right\b", source))


def test_the_text_of_a_shared_part_is_never_that_of_another_formula_or_dialect() -> None:
    for k in range(2 * MOST_SHARED):
        power = Power(Symbol("e"), Number(str(k)))  # dropped at once: the next one may get its identity
        assert latex_formula(Quotient(power, Sum((power, power)))).count(f"{k}") >= 3
    word = Power(Text("50%"), Number("2"))
    assert maths(Negative(word), LATEX) != maths(Negative(word), KATEX)


NUMERALS = st.sampled_from(["1", "27"] * 6 + ["-2", "0.5", "²", "2e-7"]).map(Number)
HALVES = st.builds(Quotient, NUMERALS, NUMERALS, st.booleans())
POWERS = st.builds(
    Power,
    st.sampled_from([e, e, e, e, Symbol("x", sup=Text("(1)")), Number("2"), Text("爱"), Symbol("爱")]),
    HALVES | st.builds(Negative, HALVES),
)
FRACTIONS = st.builds(
    Quotient,
    st.builds(Product, st.tuples(NUMERALS, POWERS), st.sampled_from(["", "", "", "dot"])),
    NUMERALS,
    st.sampled_from([False, False, False, True]),
)
SUMS = st.builds(
    Sum, st.lists(FRACTIONS | st.builds(Negative, FRACTIONS), max_size=3).map(tuple), st.booleans()
)


@given(SUMS)
def test_the_way_of_common_sums_writes_what_the_rules_write(formula: Sum) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for way in ("sum_of_fractions", "slash_of_numerals"):
            patch.setattr(latex_maths, way, lambda *_: None)
        text = latex_formula(formula)  # now the dialect knows the powers
    assert latex_formula(formula) == text
    LATEX.shared.clear()
    assert latex_formula(formula) == text


def test_a_sum_of_fractions_is_known_as_one() -> None:
    power = Power(e, Negative(Quotient(Number("3"), Number("4"), flat=True)))
    fraction = Quotient(Product((Number("5"), power)), Number("6"))
    two = Power(Number("2"), Number("3"))
    other = Quotient(Product((Number("5"), two)), Number("6"))
    assert latex_formula(Sum((fraction.over, other.over))) == r"5 e^{-3/4} + 5 (2^3)"
    known = LATEX.shared.letters
    assert known[id(power)] == r"e^{-3/4}"
    assert sum_of_fractions(Sum((Negative(fraction), fraction)), known) == (
        r"-\frac{5 e^{-3/4}}{6} + \frac{5 e^{-3/4}}{6}"
    )
    assert sum_of_fractions(Sum((fraction, other)), known) is None
    assert sum_of_fractions(Sum((fraction, Negative(fraction)), spelled=True), known) is None
