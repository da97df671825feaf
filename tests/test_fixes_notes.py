"""Fixing whole documents: other conventions than declared, flattened matrices, workings, and what is left."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.auditor.fixing.rewriting import edits
from symattn.auditor.formats.items import Options
from symattn.cli import cli
from symattn.cli.fixing import Fixed, Fixing, fixed
from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind
from tests.linked import SQUARE, UNSCALED

WITH_OUTPUT = f"{UNSCALED}Z = [[1.731], [1.119]]\n"
FLAT = """\
x1 = [1, 0]
x2 = [1, 1]

X = (1101)
W_Q = (1021)
W_K = (1011)
"""


def repaired(text: str, kind: Kind = "markdown", *, unsafe: bool = True) -> Fixed:
    """A document after its fixes."""
    judge = partial(document_reports, file=None, kind=kind)
    return fixed(text, judge, Fixing(unsafe), Options())


def codes(found: Fixed) -> set[str | None]:
    return {finding.code for report in found.reports for finding in report.findings()} - {"SA603"}


def test_numbers_that_follow_another_scale_are_computed_by_the_declared_one() -> None:
    found = repaired(WITH_OUTPUT)
    assert found.text == WITH_OUTPUT.replace(
        "[[0.269, 0.731], [0.881, 0.119]]", "[[0.330, 0.670], [0.804, 0.196]]"
    ).replace("[[1.731], [1.119]]", "[[1.670], [1.196]]")
    assert codes(found) == set()


def test_numbers_of_another_product_are_computed_by_the_one_that_the_text_writes() -> None:
    found = repaired(SQUARE)
    assert found.text == SQUARE.replace("[[3, 2], [7, 4]]", "[[1, 3], [3, 7]]").replace(
        "[[5, 2], [11, 4]]", "[[1, 4], [3, 10]]"
    )
    assert codes(found) == set()


@pytest.mark.parametrize("unsafe", [False, True])
def test_another_convention_is_left_alone_without_unsafe_fixes_and_where_a_comment_explains_it(
    unsafe: bool,
) -> None:
    comment = "<!-- symattn: ignore[SA601] the weights are those of the first edition -->\n"
    text = WITH_OUTPUT.replace("A =", f"{comment if unsafe else ''}A =")
    assert repaired(text, unsafe=unsafe).text == text


def test_a_slip_beside_another_convention_is_put_right_too() -> None:
    text = WITH_OUTPUT.replace("scores = [[1, 2]", "scores = [[1, 3]")
    assert repaired(text).text == repaired(WITH_OUTPUT).text


def test_a_row_that_a_comment_explains_keeps_its_numbers_where_the_others_are_computed_as_declared() -> None:
    comment = "<!-- symattn: ignore[SA2,SA3] quoted -->\n"
    text = WITH_OUTPUT.replace("Z =", f"{comment}Z =")
    assert "Z = [[1.731], [1.119]]" in repaired(text).text
    assert "A = [[0.330, 0.670]" in repaired(text).text


def test_a_flattened_matrix_is_written_anew_as_a_whole() -> None:
    text = FLAT + "Q = X*W_Q = ((1*1+0*0)(1*1+1*0)(1*2+0*1)(1*2+1*1)) = (1124)\n"
    assert repaired(text).text == text.replace("(1124)", "(1123)")
    assert codes(repaired(text)) == set()


def test_flattened_decimals_keep_their_places() -> None:
    text = FLAT + "Q = (1123)\nK = (1112)\nscaled = (2.122.833.545.59)\n"
    assert repaired(text).text == text.replace("5.59", "4.95")


@pytest.mark.parametrize(
    ("lead", "why"),
    [
        ("", "no fix: its digits touch others, so the right value would be misread there"),
        (
            "注意力的计算：先求查询、键和值，再求得分，最后求输出。\n\n",
            "无法改正：与相邻数字连写，改正后会被读成别的数",
        ),
    ],
)
def test_a_run_that_would_be_read_otherwise_is_left_and_the_report_says_why(
    lead: str, why: str, tmp_path: Path
) -> None:
    text = lead + FLAT.replace("(1021)", "(1091)") + "Q = (1199)\n"
    path = tmp_path / "notes.md"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["audit", str(path), "--unsafe-fixes"])
    assert why in result.output
    assert path.read_text(encoding="utf-8") == text


def test_safe_fixes_say_what_unsafe_ones_would_write(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(UNSCALED, encoding="utf-8")
    result = CliRunner().invoke(cli, ["audit", str(path), "--fix"])
    assert "; --unsafe-fixes would rewrite it" in result.output
    assert "no fix" not in CliRunner().invoke(cli, ["audit", str(path)]).output


ATTENDING = """\
X = [[1, 0], [0, 1], [2, 0]], the tokens are "cat", "sat", "mat". Q, K and V are X itself.

scores = Q K^T = [[1, 0, 2], [0, 1, 0], [2, 0, 4]]

A = [[0.284, 0.140, 0.576], [0.248, 0.503, 0.248], [0.187, 0.045, 0.768]]

"""


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ('"cat" attends mostly to "sat".', '"cat" attends mostly to "mat".'),
        ('"cat" attends mostly to itself.', '"cat" attends mostly to "mat".'),
        (
            "**cat** attends most to **cat** then to **mat**.",
            "**cat** attends most to **mat** then to **cat**.",
        ),
        ('"cat": "mat" (0.576) > "sat" > "cat".', '"cat": "mat" (0.576) > "cat" > "sat".'),
        ("Q is a 2×3 matrix.", "Q is a 3×2 matrix."),
        ("The shape of Q is (2, 2).", "The shape of Q is (3, 2)."),
        ("“cat”最关注“sat”。", "“cat”最关注“mat”。"),
    ],
)
def test_a_false_sentence_gets_the_words_that_make_it_true(said: str, then: str) -> None:
    found = repaired(ATTENDING + said + "\n")
    assert found.text == ATTENDING + then + "\n"


def test_a_sentence_whose_right_words_are_not_known_is_left_to_its_author(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(f'{ATTENDING}"sat": "sat" > "cat" > "mat".\n', encoding="utf-8")  # cat = mat
    result = CliRunner().invoke(cli, ["audit", str(path), "--unsafe-fixes"])
    assert "no fix: a sentence is left to its author" in result.output


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("Each row of the scores sums to 1.", "Not every row of the scores sums to 1."),
        ("The rows of Q all add up to 1.", "The rows of Q do not all add up to 1."),
        ("Q 的每一行之和都为 1。", "Q 的每一行之和不都为 1。"),
        ("Q 的各行的和=1。", "Q 的各行的和≠1。"),
    ],
)
def test_sums_that_are_not_one_are_denied(said: str, then: str) -> None:
    text = "X = [[1, 0], [0, 1]]\nW_Q = [[1, 2], [0, 1]]\nW_K = [[1, 0], [1, 1]]\nQ = [[1, 2], [0, 1]]\n"
    text += "K = [[1, 0], [1, 1]]\nscores = [[1, 3], [0, 1]]\n\n"
    found = repaired(text + said + "\n")
    assert (found.text, codes(found)) == (text + then + "\n", set())


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("X W_Q", "X W_Q^T"),
        ("$X \\cdot W^{Q}$", "$X \\cdot (W^{Q})^T$"),
        ("X @ W_Q", "X @ W_Q.T"),
        ("XW^Q", "X(W^Q)^T"),
    ],
)
def test_every_undefined_product_gets_its_transpose(first: str, then: str) -> None:
    text = "X = [[1, 0, 1], [0, 1, 0]]\nW_Q = [[1, 2, 3], [0, 1, 0]]\nW_K = [[1, 1, 1], [0, 2, 0]]\n\n"
    text += "Here Q = PRODUCT and K = X W_K.\n\nQ = PRODUCT = [[4, 0], [2, 1]]\n\nK = [[2, 0], [1, 2]]\n"
    found = repaired(text.replace("PRODUCT", first))
    assert found.text == text.replace("PRODUCT", then).replace("X W_K", "X W_K^T")
    assert codes(found) == set()


def test_a_shape_that_is_said_of_unlike_matrices_is_left() -> None:
    text = f"{ATTENDING}Q and A are 3×2 matrices: A has shape 3×2.\nQ and A have shape 3×2.\n"
    assert repaired(text).text == text.replace("A has shape 3×2", "A has shape 3×3")


def test_a_closed_form_keeps_its_root_and_changes_the_number_in_front() -> None:
    text = "Q = [[1, 2]]\nK = [[3, 4], [1, 1]]\nscores = [[11, 4]]\nscaled = [[11/√2, 4/√2]]\n"
    assert repaired(text).text == text.replace("[[11, 4]]", "[[11, 3]]").replace("4/√2", "3/√2")


def test_a_negative_closed_form_keeps_its_root_too() -> None:
    text = "Q = [[-1, 2]]\nK = [[4, 0], [0, 1]]\nscores = [[-4, 2]]\nscaled = [[-3/√2, 2/√2]]\n"
    assert repaired(text).text == text.replace("-3/√2", "-4/√2")


ROUNDED_ON = """\
X = [[0.5], [1.0]], W_Q = [[0.9]], W_K = [[1.1]]. There is no scaling.

Q = X W_Q = [[0.5], [0.9]], K = X W_K = [[0.6], [1.1]]

Scores = Q K^T = [[0.3, 0.6], [0.5, 1.0]]

M = [[0, 0], [-inf, 0]]

Masked = Scores + M = [[0.3, 0.6], [-inf, 1.0]]

e^{0.3} = 1.3, e^{0.6} = 1.8
"""


def test_operands_of_a_document_without_slips_stay_as_they_are() -> None:
    found = repaired(ROUNDED_ON)
    assert codes(found) == {"SA101"}
    assert edits(found.reports, unsafe=True) == ()
    assert [each.text for report in found.reports for each in report.unread] == []


def test_operands_that_are_printed_nowhere_else_follow_their_chain() -> None:
    text = """\
Q = [[1, 0], [0, 1]]
K = [[1, 1], [2, 0]]
We divide by sqrt(2). scores = [[1, 3], [1, 0]]

A[0,0] = 2.03/10.37 = 0.20
A[0,1] = 8.34/10.37 = 0.80
"""
    found = repaired(text).text
    assert "A[0,0] = 2.03/6.14 = 0.33" in found
    assert "A[0,1] = 4.11/6.14 = 0.67" in found


def test_a_stray_equation_goes_on_from_the_row_that_a_walk_prints() -> None:
    text = """\
Q = [[1.1, 2.3]]
K = [[1, 0], [0, 1]]
V = [[2.5], [1.1]]
scores = [[1.1, 2.5]]

Note that 2.5 / 1.1 = 2.27.
"""
    assert repaired(text).text.endswith("scores = [[1.1, 2.3]]\n\nNote that 2.3 / 1.1 = 2.09.\n")


def test_an_operand_in_per_cent_stays_one_although_the_weight_is_printed_as_a_decimal() -> None:
    text = """\
Q = [[0]]
K = [[1], [2]]
V = [[3], [5]]
A = [[0.40, 0.60]]
z1 = 40% * [3] + 60% * [5] = [4.20]
"""
    then = text.replace("[[0.40, 0.60]]", "[[0.50, 0.50]]")
    assert repaired(text).text == then.replace(
        "40% * [3] + 60% * [5] = [4.20]", "50% * [3] + 50% * [5] = [4.00]"
    )


def test_a_percentage_in_the_json_of_a_notebook_keeps_its_backslashes() -> None:
    cell = r'"$A = \\begin{pmatrix} 50\\% & 60\\% \\end{pmatrix}$"'
    text = (
        '{"cells": [{"cell_type": "markdown", "id": "a1", "metadata": {}, "source": ["Q = [[0]]\\n", "\\n",'
        f' "K = [[1], [2]]\\n", "\\n", {cell}]}}], "nbformat": 4}}\n'
    )
    assert repaired(text, "notebook").text == text.replace("60", "50")
