"""The narrator: what a page says about small cases, in the plain spelling of formulas."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symattn.document import Block, Display, Document, Heading, Heatmap, Maths, Paragraph, Prose, Remark
from symattn.errors import UnusableValue
from symattn.exact.decimal import Undecided
from symattn.exact.number import Exact
from symattn.narrate import numbers as narrate_numbers
from symattn.narrate.numbers import Numbers, length
from symattn.narrate.words import SENTENCES, Voice
from symattn.notation import Chain, Dots, Formula, Grid, Number, Quotient
from symattn.reading.case_file import parse_case
from symattn.typeset.plain import plain_formula
from symattn.worked import work

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*.toml"))
TWO = """
title = "two"
tokens = ["a", "b"]
[given]
Q = [[1, 1], [2, 1]]
K = [[1, 1], [1, 2]]
V = [[1, 1, 2], [2, 1, 1]]
"""


def page(text: str, **options: Any) -> Document:
    return work(parse_case(text)).document(**options)


def words(prose: Prose) -> str:
    return "".join(
        part if isinstance(part, str) else plain_formula(part.formula)
        for part in prose
        if isinstance(part, str | Maths)
    )


def lines(document: Document, start: str = "") -> list[str]:
    """Every displayed formula that begins with `start`, on one line."""
    shown = [plain_formula(f) for block in document.blocks if isinstance(block, Display) for f in block.lines]
    return [re.sub(r" +", " ", line) for line in shown if line.startswith(start)]


def headings(document: Document) -> list[str]:
    return [words(block.words) for block in document.blocks if isinstance(block, Heading)]


def remarks(document: Document) -> list[str]:
    return [f"{b.label}: {words(b.words)}" for b in document.blocks if isinstance(b, Remark)]


def paragraphs(document: Document) -> str:
    return " ".join(words(block.words) for block in document.blocks if isinstance(block, Paragraph))


def test_every_sentence_has_the_same_marks_in_both_languages() -> None:
    for key, (english, chinese) in SENTENCES.items():
        assert set(re.findall(r"\{(\w+)\}", english)) == set(re.findall(r"\{(\w+)\}", chinese)), key


def test_every_sentence_of_the_table_is_used() -> None:
    package = Path(narrate_numbers.__file__).parent
    code = "".join(path.read_text("utf-8") for path in package.glob("*.py") if path.name != "words.py")
    bases = {"Q", "K", "V", "scores", "scaled", "masked", "Z", "X+PE", "concat", "output"}
    assert [key for key in SENTENCES if key not in bases and f'"{key}"' not in code] == []


def test_a_sentence_takes_formulas_and_words_into_its_marks() -> None:
    assert Voice("zh").say("row-of", i=1, token="猫") == ("第 ", "1", " 行，", "猫")


def test_lists_are_joined_as_each_language_joins_them() -> None:
    assert "".join(map(str, Voice("en").listed(["1", "2", "3"]))) == "1, 2 and 3"
    assert "".join(map(str, Voice("zh").listed(["1", "2", "3"]))) == "1、2、3"
    assert "".join(map(str, Voice("zh").listed(["甲", "乙"]))) == "甲和乙"


def test_worked_products_stand_in_index_order() -> None:
    assert lines(page(TWO), "S[") == [
        "S[1, 1] = 1*1 + 1*1 = 2",
        "S[1, 2] = 1*1 + 1*2 = 3",
        "S[2, 1] = 2*1 + 1*1 = 3",
        "S[2, 2] = 2*1 + 1*2 = 4",
    ]


def test_exact_form_and_decimal_stand_side_by_side() -> None:
    assert lines(page(TWO), "S'[1, 2]") == ["S'[1, 2] = 3 / sqrt(2) = (3 sqrt(2)) / 2 ≈ 2.1213"]


def test_a_zero_is_exact_and_gets_no_decimal() -> None:
    assert lines(page(TWO.replace("[[1, 1], [2, 1]]", "[[1, -1], [2, 1]]")), "S'[1, 1]") == [
        "S'[1, 1] = 0 / sqrt(2) = 0"
    ]


def test_two_keys_get_the_logistic_form_with_the_difference_of_scores() -> None:
    assert lines(page(TWO), "A[1, ") == [
        "A[1, 1] = e^sqrt(2) / D[1] = 1 / (1 + e^(sqrt(2) / 2)) ≈ 0.3302",
        "A[1, 2] = e^((3 sqrt(2)) / 2) / D[1] = 1 / (1 + e^(-sqrt(2) / 2)) ≈ 0.6698",
    ]


def test_the_output_of_two_keys_is_closed_and_a_constant_column_stays_exact() -> None:
    z = lines(page(TWO), "Z[1, ")
    assert z[0].endswith("≈ 1.6698")
    assert z[1].endswith("= 1")
    assert "≈" not in z[1]


def test_three_keys_share_one_denominator_for_each_row() -> None:
    three = TWO.replace("[1, 2]]\nV", "[1, 2], [0, 1]]\nV").replace("[2, 1, 1]]", "[2, 1, 1], [0, 3, 0]]")
    document = page(three)
    assert len(lines(document, "D[")) == 2
    assert all("/ D[1]" in line for line in lines(document, "A[1, "))
    assert all("/ D[1]" in line for line in lines(document, "Z[1, "))


def test_the_output_shows_its_worked_products_before_its_closed_form() -> None:
    assert lines(page(TWO), "Z[1, 1]") == [
        "Z[1, 1] = A[1, 1]*1 + A[1, 2]*2 = (1 + 2 e^(sqrt(2) / 2)) / (1 + e^(sqrt(2) / 2)) ≈ 1.6698"
    ]


def test_a_negative_fraction_stands_in_parentheses_as_a_factor() -> None:
    minus = TWO.replace("[[1, 1], [2, 1]]", '[["-2/7", 1], [2, 1]]')
    assert lines(page(minus), "S[1, 1]")[0].startswith("S[1, 1] = (-2 / 7)*1 + 1*1 = 5 / 7 ≈")


def test_fractions_among_the_values_are_cleared_from_the_output() -> None:
    thirds = TWO.replace("[[1, 1, 2], [2, 1, 1]]", '[["1/3"], ["pi/6"]]')
    assert lines(page(thirds), "Z[1, ")[0].split(" = ")[2].split(" ≈")[0] == (
        "(2 + pi e^(sqrt(2) / 2)) / (6 (1 + e^(sqrt(2) / 2)))"
    )


def test_a_numeral_has_the_same_places_in_its_matrix_and_in_its_working() -> None:
    half = TWO.replace("[[1, 1], [2, 1]]", "[[0.25, 0.5], [2, 1]]")
    assert lines(page(half), "S[1, ") == [
        "S[1, 1] = 0.25*1 + 0.5*1 = 0.75",
        "S[1, 2] = 0.25*1 + 0.5*2 = 1.25",
    ]
    assert lines(page(half), "S[2, ") == ["S[2, 1] = 2*1 + 1*1 = 3.00", "S[2, 2] = 2*1 + 1*2 = 4.00"]
    assert lines(page(half), "S'[2, 1]")[0].startswith("S'[2, 1] = 3.00 / sqrt(2) = ")


def test_the_exact_score_stands_between_the_division_and_the_decimal() -> None:
    scaled = page(TWO.replace("[[1, 1], [2, 1]]", "[[23, 33], [2, 1]]"))
    assert lines(scaled, "S'[1, 1]") == ["S'[1, 1] = 56 / sqrt(2) = 28 sqrt(2) ≈ 39.5980"]


def test_a_score_with_fractions_is_multiplied_and_not_stacked_over_the_divisor() -> None:
    scaled = page(TWO.replace("[[1, 1], [2, 1]]", '[["sqrt(2)/2", "sqrt(6)/2"], [2, 1]]'))
    assert lines(scaled, "S'[1, 1]")[0].startswith(
        "S'[1, 1] = 1 / sqrt(2)*(sqrt(2) / 2 + sqrt(6) / 2) = 1 / 2 + sqrt(3) / 2 ≈"
    )


def test_hidden_keys_have_no_exponential_and_no_weight() -> None:
    masked = page(TWO + '[attention]\nmask = "causal"\n')
    assert lines(masked, "A[1, ")[1] == "A[1, 2] = 0"
    assert "e^(-oo) = 0" in lines(masked, "e^S''[1, 2]")[0]
    assert lines(masked, "D[1]")[0].count("+") == 0


def test_another_base_gives_powers_of_that_base() -> None:
    threes = page(TWO + '[attention]\nscale = "1"\nbase = "3"\n')
    assert lines(threes, "3^S'[1, 1]") == ["3^S'[1, 1] = 3^2 = 9"]
    assert lines(threes, "D[1]") == ["D[1] = 9 + 27 = 36"]
    assert lines(threes, "A[1, 1]") == ["A[1, 1] = 9 / D[1] = 1 / 4 = 0.25"]


def test_a_base_that_is_a_fraction_stays_whole() -> None:
    halves = page(TWO + '[attention]\nscale = "1/3"\nbase = "1/2"\n')
    assert lines(halves, "A[1, 1]")[0].endswith(" = 1 / (1 + (1 / 2)^(1 / 3)) ≈ 0.5575")


def test_a_factor_that_is_no_division_is_written_before_the_scores() -> None:
    twice = page(TWO + '[attention]\nscale = "2"\n')
    assert "1  Scores S = Q K^T" in headings(twice)
    assert "2  Scaled scores S' = 2 S" in headings(twice)
    assert "scores are multiplied by 2" in paragraphs(twice)
    assert lines(twice, "S'[1, 1]") == ["S'[1, 1] = 2*2 = 4"]


def test_a_row_that_sees_no_key_has_weights_of_zero_and_no_order() -> None:
    blind = page(TWO + "[attention]\nmask = [[0, 0], [1, 1]]\n")
    assert lines(blind, "D[1]") == ["D[1] = 0"]
    assert lines(blind, "A[1, ") == ["A[1, 1] = 0", "A[1, 2] = 0"]
    assert [line for line in remarks(blind) if line.startswith("Order")] == [
        "Order: Weights have the order of their scores. From the largest down: for b, b > a."
    ]


def test_facts_stand_after_their_step_with_their_reasons() -> None:
    told = remarks(page(TWO))
    assert (
        "Proved: Rows 1 and 2 of A are identical: their scores differ by the same sqrt(2) / 2 at every key, "
        "and a common summand leaves a softmax as it is." in told
    )
    assert "Proved: Rows 1 and 2 of Z are identical: the same rows of A are." in told
    assert any(
        line.startswith("Proved: Z[1, 2] = 1 and Z[2, 2] = 1 exactly: column 2 of V is constant")
        for line in told
    )
    assert (
        "Order: Weights have the order of their scores. From the largest down: for a, b > a; for b, b > a."
        in told
    )


def test_the_last_line_is_the_cross_check() -> None:
    assert remarks(page(TWO))[-1].startswith(
        "Cross-check: NumPy float64 agrees in all 6 steps; largest error "
    )


def test_chinese_says_the_same_facts() -> None:
    told = remarks(page(TWO, lang="zh"))
    assert "已证: Z 的第 1、2 行完全相同：A 的这几行相同。" in told
    assert "次序: 权重与得分的大小次序相同。从大到小：对“a”，b > a；对“b”，b > a。" in told


def test_givens_print_as_typed_and_later_values_as_decimals() -> None:
    typed = page('title = "t"\n[given]\nX = [[0.50, "sqrt(2)"]]\nW_Q = [[0.5], ["cos(pi/3)"]]\n')
    assert lines(typed, "X = ") == ["X = [[0.50, sqrt(2)]]"]
    assert lines(typed, "Q[1, 1]") == [
        "Q[1, 1] = 0.50*0.5 + sqrt(2)*cos(pi / 3) = 0.25 + 0.5 sqrt(2) ≈ 0.9571"
    ]


def test_fractions_stay_fractions_where_no_decimal_point_was_typed() -> None:
    typed = page('title = "t"\n[given]\nX = [["1/2"]]\nW_Q = [["1/2"]]\n')
    assert lines(typed, "Q[1, 1]") == ["Q[1, 1] = 1 / 2*1 / 2 = 1 / 4 = 0.25"]


@pytest.mark.parametrize(
    ("value", "options", "digits"),
    [
        (Exact.of(Fraction(1, 3)), {}, "0.3333"),
        (Exact.of(Fraction(1, 10**9)), {}, "1.00e-9"),
        (Exact.of(Fraction(1, 3 * 10**9)), {}, "3.33e-10"),
        (Exact.of(Fraction(10**9, 3)), {}, "3.3333e8"),
        (Exact.of(Fraction(2, 3)), {"significant": 2}, "0.67"),
        (Exact.of(Fraction(2, 3)), {"digits": 1}, "0.7"),
    ],
)
def test_decimals_never_show_zero_for_what_is_not(value: Exact, options: Any, digits: str) -> None:
    decimal = Numbers(**options).decimal(value)
    assert decimal is not None
    assert decimal.digits == digits


def test_an_undecided_rounding_is_said_and_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(x: Exact, places: int) -> None:
        raise Undecided("the rounding")

    worked = work(parse_case(TWO))
    facts, check = worked.facts, worked.check
    assert facts
    assert check.agrees
    monkeypatch.setattr(narrate_numbers, "rounded", give_up)
    told = remarks(worked.document(only=("scaled",)))
    assert any(line.startswith("Note: How S'[1, 1], ") and "could not be decided" in line for line in told)


def test_symbols_have_no_decimals_and_the_head_says_so() -> None:
    symbolic = page('title = "t"\nsymbols = ["a"]\n[given]\nX = [["a"]]\nW_Q = [[2]]\n')
    assert "with free symbols there are no decimals" in paragraphs(symbolic)
    assert lines(symbolic, "Q[1, 1]") == ["Q[1, 1] = a*2 = 2 a"]


def test_long_symbolic_scores_enter_the_softmax_as_a_named_difference() -> None:
    path = next(path for path in CASES if path.stem == "all_symbols")
    document = work(path).document()
    assert lines(document, "A[1, 1]")[0].endswith("= 1 / (1 + e^delta_1)")
    assert lines(document, "delta_1 = ") == ["delta_1 = S'[1, 2] - S'[1, 1]"]
    assert any(line.startswith("sqrt(2) delta_1 = S[1, 2] - S[1, 1] = ") for line in lines(document))


def test_only_keeps_the_named_steps_with_their_numbers() -> None:
    document = page(TWO, only=("A",))
    assert headings(document) == ["3  Weights A = softmax(S')"]
    assert lines(document, "D[") == []
    assert len(lines(document, "A[")) == 4


def test_only_refuses_a_name_that_the_walk_does_not_have() -> None:
    with pytest.raises(UnusableValue, match='no step named "B"') as problem:
        page(TWO, only=("B",))
    assert "scores, scaled, exp, sum, A, Z" in problem.value.remedy


def test_heads_are_chapters_with_numbered_parts() -> None:
    path = next(path for path in CASES if path.stem == "two_heads")
    found = headings(work(path).document(lang="en"))
    assert "4  Head 1" in found
    assert "4.1  Its columns of Q, K and V, columns 1 to 2" in found
    assert "5.5  Output Z^(2) = A^(2) V^(2)" in found
    assert found[-1] == "7  Output projection O = C W_O"


def test_rows_carry_tokens_and_scores_carry_them_on_both_sides() -> None:
    chain = next(
        f
        for b in page(TWO).blocks
        if isinstance(b, Display)
        for f in b.lines
        if isinstance(f, Chain) and plain_formula(f).startswith("S = Q")
    )
    last = chain.links[-1][1]
    assert isinstance(last, Grid)
    assert (last.row_labels, last.col_labels) == (("a", "b"), ("a", "b"))


def large(n: int) -> str:
    x = [[(i * j) % 7 for j in range(n)] for i in range(n)]
    return f'title = "large"\n[given]\nX = {x}\nW_Q = {x}\n'


def test_a_large_matrix_is_shown_with_dots_and_its_shape_is_said() -> None:
    document = page(large(13))
    assert "Q is 13 × 13" in paragraphs(document)
    assert "other entries follow by the same rule" in paragraphs(document)
    assert len(lines(document, "Q[")) == 16
    assert "..." in lines(document, "Q[1, 1]")[0]


def test_every_entry_is_worked_on_request() -> None:
    document = page(large(13), every_entry=True)
    assert len(lines(document, "Q[")) == 169
    assert "..." not in "".join(lines(document))


def cells(formula: Formula) -> list[Formula]:
    match formula:
        case Chain(first=first, links=links):
            return [cell for part in (first, *(value for _, value in links)) for cell in cells(part)]
        case Grid(rows=rows):
            return [cell for row in rows for cell in row]
    return []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_shipped_case_becomes_a_page_in_both_languages(path: Path, lang: str) -> None:
    document = work(path).document(lang=lang)
    assert document.lang == lang
    assert isinstance(document.blocks[-1], Remark)
    assert document.blocks[-1].kind == "check"
    assert not any(
        isinstance(c, Dots)
        for b in document.blocks
        if isinstance(b, Display)
        for f in b.lines
        for c in cells(f)
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_nothing_rounded_stands_after_an_equals_sign(path: Path) -> None:
    """A value after ≈ is never followed by one after = : from there on only decimals."""
    for block in work(path).document().blocks:
        for formula in block.lines if isinstance(block, Display) else ():
            assert isinstance(formula, Chain)
            signs = [sign for sign, _ in formula.links]
            assert "=" not in signs[signs.index("≈") :] if "≈" in signs else True


def test_weights_come_with_a_heatmap_of_their_decimals() -> None:
    maps: list[Block] = [block for block in page(TWO).blocks if isinstance(block, Heatmap)]
    assert len(maps) == 1
    assert isinstance(maps[0], Heatmap)
    assert maps[0].printed == (("0.3302", "0.6698"), ("0.3302", "0.6698"))
    assert maps[0].row_labels == ("a", "b")


def test_a_stacked_fraction_is_as_wide_as_its_wider_part() -> None:
    assert length(Quotient(Number("123"), Number("4"))) == 3
    assert length(Quotient(Number("123"), Number("4"), flat=True)) == 5
