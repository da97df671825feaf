"""Numerals as people write them: last points, leading points, powers of ten."""

from __future__ import annotations

from functools import partial

import pytest

from symattn.auditor.formats.items import Options
from symattn.cli.fixing import Fixing, fixed
from symattn.reading.documents import document_reports
from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.formula import Row
from symattn.reading.notes.formulas.powers import with_powers
from symattn.reading.notes.formulas.tokens import tokens

MATRICES = """\
Q = [[1., 2.], [0., 3.]]
K = [[2., 0.], [1., 1.]]

"""


def verdicts(text: str) -> list[tuple[str, str]]:
    return [
        (judged.printed.numeral.text, judged.verdict)
        for report in document_reports(text, "notes.md", "markdown")
        for judged in report.judgements
    ]


def numerals(text: str) -> list[str]:
    return [token.text for token in with_powers(tokens(text, "markdown")) if token.kind == "num"]


@pytest.mark.parametrize(
    "said",
    [
        "2.5 × 10^-3",
        "2.5×10⁻³",
        "`2.5*10^(-3)`",
        "$2.5 \\times 10^{-3}$",
        "$2.5\\cdot10^{-3}$",
        "2.5e-3",
    ],
)
def test_a_power_of_ten_belongs_to_its_numeral(said: str) -> None:
    assert numerals(f"exp = {said}, and 7") == ["2.5e-3", "7"]


@pytest.mark.parametrize("said", ["x^2 * 10^3", "2 * 10 + 3", "2 * 10^k", "2 * 10^{3k}", "2 * 10^0.5"])
def test_what_is_no_power_of_ten_stays_a_product(said: str) -> None:
    assert "10" in numerals(said)


def test_exponentials_with_powers_of_ten_are_judged_and_fixed() -> None:
    text = "scores = [[-7, 1], [2, -6]]\n\nexp = [[9.12×10⁻⁴, 2.72], [7.39, 2.58 × 10^-3]]\n"
    assert verdicts(text) == [
        ("9.12e-4", "correct"),
        ("2.72", "correct"),
        ("7.39", "correct"),
        ("2.58e-3", "slip"),
    ]
    after = fixed(text, partial(document_reports, file=None, kind="markdown"), Fixing(), Options())
    assert after.text == text.replace("2.58 × 10^-3", "2.48 × 10^-3")


@pytest.mark.parametrize(
    "line",
    [
        "S_12 = 1. × 1. + 2. × 1. = 3.",
        "$S_{12} = 1. \\times 1. + 2. \\times 1. = 3.$",
        "$S = \\begin{bmatrix} 2. & 3. \\\\ 0. & 3. \\end{bmatrix}$",
    ],
)
def test_a_last_point_is_part_of_the_number(line: str) -> None:
    found = verdicts(MATRICES + line + "\n")
    assert found
    assert {verdict for _, verdict in found} == {"correct"}


def test_numbers_without_their_zero_are_read_in_columns_of_blanks() -> None:
    text = "Q = [[.4, .2], [1.5, .3]]\nK = [[.5, 0], [0, 2]]\n\nS = [[ .20  .40]\n     [ .75  .60]]\n"
    assert [verdict for _, verdict in verdicts(text)] == ["correct"] * 4
    slip = text.replace(".75", ".85")
    assert "slip" in {verdict for _, verdict in verdicts(slip)}


@pytest.mark.parametrize(
    "said", ["<q1, k2>", "⟨q₁, k₂⟩", "$\\langle q_1, k_2\\rangle$", "〈q_1, k_2〉", "(q_1, k_2)"]
)
def test_an_inner_product_is_a_score(said: str) -> None:
    assert verdicts(f"{MATRICES}{said} = 3\n") == [("3", "correct")]
    assert verdicts(f"{MATRICES}{said} = 4\n") == [("4", "slip")]


def test_vectors_may_stand_in_angle_brackets() -> None:
    text = "q = ⟨1, 2⟩\nk_1 = ⟨2, 0⟩\nk_2 = ⟨1, 1⟩\n\nq·k_1 = 2\n\nq·k_2 = 4\n"
    assert verdicts(text) == [("2", "correct"), ("4", "slip")]


def test_the_minus_behind_a_verb_is_that_of_a_number() -> None:
    text = "Dividing by sqrt(2) gives -0.71 and 1.41.\n"
    assert isinstance(items(tokens(text, "text"))[-1].node, Row)
