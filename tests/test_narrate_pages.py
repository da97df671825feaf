"""Whole pages: which steps stand on them, in which order, and what is shown of large matrices."""

from __future__ import annotations

from pathlib import Path

import once
import pytest
from narrated import TWO, headings, lines, page, paragraphs

from symattn.casefile.case_file import parse_case
from symattn.result import work
from symattn.text.document import Block, Display, Heatmap, Remark
from symattn.text.errors import UnusableValue
from symattn.text.notation import Chain, Dots, Formula, Grid
from symattn.typeset.plain import plain_formula

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*.toml"))


def test_only_keeps_the_named_steps_with_their_numbers() -> None:
    document = page(TWO, only=("A",))
    assert headings(document) == ["3  Weights A = softmax(S')"]
    assert lines(document, "D[") == []
    assert len(lines(document, "A[")) == 4


def test_only_refuses_a_name_that_the_walk_does_not_have() -> None:
    with pytest.raises(UnusableValue, match='no step named "B"') as problem:
        page(TWO, only=("B",))
    assert "such as scores, scaled, exp, sum, A; `symattn check CASE` lists" in problem.value.remedy


def test_heads_are_chapters_with_numbered_parts() -> None:
    path = next(path for path in CASES if path.stem == "two_heads")
    found = headings(once.page(path, "en"))
    assert "4  Head 1" in found
    assert "4.1  Columns 1–2 of Q, K and V" in found
    assert "5.5  Output Z^(2) = A^(2) V^(2)" in found
    assert found[-1] == "7  Output projection O = C W_O"


def test_a_head_with_other_columns_of_the_values_names_each() -> None:
    text = "[given]\nQ = [[1, 2, 3, 4]]\nK = [[4, 3, 2, 1]]\nV = [[1, 2]]\n[attention]\nheads = 2\n"
    worked = work(parse_case(text))
    assert "1.1  Columns 1–2 of Q and K; column 1 of V" in worked.text(detail="some")
    assert "Q 和 K 的第 1–2 列；V 的第 1 列" in worked.text(lang="zh", detail="some")


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
    document = once.page(path, lang)
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
    for block in once.page(path).blocks:
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


def test_d_v_of_shared_keys_and_values_is_their_width_over_the_heads_that_they_have() -> None:
    path = CASES[0].parent / "variants" / "grouped_query.toml"
    assert "; d_k = 1, d_v = 2; " in paragraphs(page(path.read_text(encoding="utf-8")))


def test_a_part_of_a_matrix_is_called_by_its_columns() -> None:
    text = TWO + '[attention]\nevaluation = "online"\nblock = 1\n'
    document = page(text)
    assert "3.1  Scores of the block: column 1 of S'" in headings(document)
    assert lines(document, "S^(1)")[0].startswith("S^(1) = [[")


def test_rotary_positions_have_their_matrix_their_columns_and_their_base() -> None:
    text = TWO.replace("[[1, 1], [2, 1]]", "[[1, 1, 0, 2, 3], [2, 1, 1, 0, 3]]")
    text = text.replace("[[1, 1], [1, 2]]", "[[1, 1, 0, 2, 3], [1, 2, 1, 0, 3]]")
    document = page(text + '[attention]\npositions = "rope"\npairs = "half"\nrotary = 4\n')
    assert "RoPE rotates the first 4 of 5 columns, column j paired with column j + 2" in paragraphs(document)
    assert "theta_p = 10000^((-2 (p - 1)) / 4): theta_1 = 1 and theta_2 = 1 / 100" in paragraphs(document)
    turned = [line for line in lines(document) if "sin(m theta_p)" in line]
    assert len(turned) == 1
    assert turned[0].startswith("[[x'_p], [x'_p + 2]] = [[cos(m theta_p), -sin(m theta_p)], ")


def test_each_head_has_the_slope_of_its_bias_by_its_number() -> None:
    text = TWO.replace("[[1, 1, 2], [2, 1, 1]]", "[[1, 1], [2, 1]]")
    document = page(text + '[attention]\npositions = "alibi"\nheads = 2\n')
    assert "m^(1) = 1 / 16 and m^(2) = 1 / 256" in paragraphs(document)
    assert "2.4  Scores with a position bias B^(2) = S'^(2) - (m^(2) |i - j|)" in headings(document)
