"""Every chain on the text page of every case is true, read back as a reader reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from once import CASES, FOLDER, work
from printed_chains import false_links
from printed_matrices import false_equations


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_every_chain_on_a_page_is_true(path: Path) -> None:
    for lang in ("en", "zh"):
        checked, wrong = false_links(work(path).text(lang=lang))
        assert wrong == []
    assert checked or "free symbols" in work(path).text(lang="en")


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


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_every_equation_of_matrices_on_a_markdown_page_is_true(path: Path) -> None:
    assert false_equations(work(path).markdown())[1] == []


def test_products_and_sums_of_matrices_are_compared_entry_by_entry() -> None:
    two, eye = (
        rf"\begin{{bmatrix}} {cells} \end{{bmatrix}}"
        for cells in ("1 & 2 \\\\ 0 & \\frac{1}{2}", "1 & 0 \\\\ 0 & 1")
    )
    assert false_equations(f"$$\n{two} {eye} = {two}\n$$") == (1, [])
    assert len(false_equations(f"$$\n{two} + {eye} = {two}\n$$")[1]) == 1
