"""Why an entry has its value: every printed chain is true, fits on a screen, and leads back to the givens."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from mpmath import mpf
from once import CASES, FOLDER, work, work_text
from printed_chains import false_links

import symattn
from symattn.attention.entry_names import place_of
from symattn.cli import cli
from symattn.exact.decimal import Undecided, significant
from symattn.exact.enclosure import HasSymbols
from symattn.narrate.close_up import close_up
from symattn.narrate.narrate import page_of
from symattn.narrate.why import LINES, Why, spoken
from symattn.result import Worked
from symattn.text.errors import UnusableValue
from symattn.typeset.text import text_formula

DRAWN = 4
SMALL = """
title = "Small"
tokens = ["a", "b"]
[given]
Q = [[1, 0], [0, 2]]
K = [[1, 1], [1, 0]]
V = [[3, 0], ["1/2", 1]]
"""


def _values(worked: Worked, text: str) -> dict[str, mpf]:
    """The exact values of all entries whose names are in a text, to 42 digits."""
    close = close_up(page_of(worked.case, worked.derivation))
    found = {}
    for name, matrix in worked.derivation.items():
        for i, j in product(*map(range, matrix.shape)):
            written = text_formula(close.named(name, i, j))
            if written in text:
                try:
                    found[written] = mpf(significant(matrix[i, j], 42).digits)
                except (HasSymbols, Undecided, ValueError):
                    continue
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_chains_of_drawn_entries_are_true_and_fit_on_a_screen(path: Path) -> None:
    worked, draw = work(path), random.Random(51)
    names = [name for name, _ in worked.derivation.items()]
    for name in draw.sample(names, min(DRAWN, len(names))):
        row, col = (draw.randrange(n) for n in worked[name].shape)
        text = worked.why(name, row, col).text(lang=draw.choice(("en", "zh")))
        assert false_links(text, _values(worked, text))[1] == [], (name, row, col)
        assert len(text.splitlines()) <= LINES
        assert "…………" not in text


def test_every_entry_of_a_small_case_ends_in_its_value() -> None:
    worked = work_text(SMALL)
    for name, matrix in worked.derivation.items():
        for i, j in product(*map(range, matrix.shape)):
            text = worked.why(name, i, j).text()
            checked, wrong = false_links(text, _values(worked, text))
            assert (checked > 0, wrong) == (True, [])


def test_the_first_lines_lead_through_the_largest_operands_to_the_givens() -> None:
    text = work_text(SMALL).why("Z", 0, 0).text()
    names = re.findall(r"^ +(\S+) = ", text, re.MULTILINE)
    assert names[:5] == ["Z₁₁", "A₁₁", "E₁₁", "S'₁₁", "S₁₁"]
    assert "Given: Q, K and V." in text
    assert "row 1 (a), column 1; rows and columns count from 1" in text


def test_what_does_not_fit_is_named_with_its_command() -> None:
    why = work_text(SMALL).why("Z", 0, 0, steps=2, command="symattn why small.toml")
    assert '`symattn why small.toml "A[1,2]"`' in why.text(width=200)
    assert "Not worked out" not in work_text(SMALL).why("Z", 0, 0).text()


def test_a_hint_keeps_the_result_back() -> None:
    why = work_text(SMALL).why("scores", 1, 0, hint=True)
    text = why.text()
    assert "S₂₁ = Q₂₁·K₁₁ + Q₂₂·K₁₂\n" in text
    assert "Q₂₂ = 2" in text
    assert "exact" not in why.data()["entry"]
    assert not re.search(r"= 2$", text.split("The numbers")[0], re.MULTILINE)


def test_a_norm_is_worked_with_its_mean_and_its_deviation() -> None:
    worked = work(FOLDER / "variants" / "encoder_post_norm.toml")
    text = worked.why("norm_1", 0, 0, steps=1).text()
    assert re.findall(r"^ +(\S+) = ", text, re.MULTILINE) == ["Y₁₁", "μ₁", "σ₁"]


def test_a_long_sum_far_down_a_large_matrix_keeps_its_largest_terms() -> None:
    rows = [[k % 5 if k % 7 == i % 7 else 1 for k in range(20)] for i in range(20)]
    rows[18][9] = 100
    worked = symattn.work({"given": {"Q": rows, "K": rows, "V": rows}})
    text = " ".join(worked.why("scores", 18, 16, steps=1).text().split())
    assert "⋯ + Q_(19,10)·K_(17,10) + ⋯" in text
    assert "⋯ + 100·4 + ⋯" in text
    assert worked.why("scores", 18, 16, hint=True).text().count("K_(17,") == 2 * 5
    assert f"= {sum(a * b for a, b in zip(rows[18], rows[16], strict=True))} " in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("Z[1,1]",), "    Z₁₁ = A₁₁·V₁₁ + A₁₂·V₂₁ = "),
        (("scaled[1,1]", "--set", "scale=1", "--lang", "zh"), "    S'₁₁ = S₁₁ = 1\n"),
        (("Z[1,1]", "--latex"), r"A_{11} \cdot V_{11}"),
        (("Z[1,1]", "--markdown"), r"A_{11} \cdot V_{11}"),
        (("Z[1,1]", "--html"), "<math"),
        (("Z[1,1]", "--json"), '"schema": "symattn/why/1"'),
    ],
)
def test_the_command_prints_every_format(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    case = tmp_path / "small.toml"
    case.write_text(SMALL, "utf-8")
    result = CliRunner().invoke(cli, ["why", str(case), *options], catch_exceptions=False)
    assert (result.exit_code, said in result.stdout) == (0, True)


def test_data_count_from_one_and_say_what_each_entry_was_made_of() -> None:
    data = json.loads(work_text(SMALL).why("A", 0, 1).json())
    assert data["schema"] == "symattn/why/1"
    assert data["counted_from"] == 1
    assert data["entry"]["decimal"] == "0.5000"
    assert data["steps"][0]["made_of"][0] == {"name": "exp", "row": 1, "col": 2}


def test_python_counts_from_zero_and_refuses_what_is_not_there() -> None:
    worked = symattn.work(SMALL)
    assert "Z₂₂ = " in worked.why("Z", 1, 1).text()
    assert worked.why("Z", -1, -1).text() == worked.why("Z", 1, 1).text()
    assert isinstance(worked.why("Z"), Why)
    with pytest.raises(KeyError, match="there is no 'Zed'"):
        worked.why("Zed")
    with pytest.raises(IndexError):
        worked.why("Z", 2, 0)


@pytest.mark.parametrize(
    ("entry", "meant"),
    [
        ("Z[1,2]", ("Z", 0, 1)),
        (" S'[ 2 , 1 ] ", ("scaled", 1, 0)),
        ("P[2,2]", ("A", 1, 1)),
        ("D[2]", ("sum", 1, 0)),
    ],
)
def test_an_entry_is_read_by_name_or_by_symbol(entry: str, meant: tuple[str, int, int]) -> None:
    assert place_of(work_text(SMALL).derivation, entry) == meant


@pytest.mark.parametrize(
    ("entry", "remedy"),
    [
        ("Z[0,1]", '"Z[1,1]" to "Z[2,2]"'),
        ("Z[1,3]", "2 rows and 2 columns"),
        ("Z[1]", "2 rows and 2 columns"),
        ("Z", "2 rows and 2 columns"),
        ("Zz[1,1]", "did you mean Z?"),
        ("Z[1;2]", 'such as "Z[1,2]"'),
        ("", 'such as "Z[1,2]"'),
    ],
)
def test_what_is_no_entry_is_answered_with_what_would_be_one(entry: str, remedy: str) -> None:
    with pytest.raises(UnusableValue) as caught:
        place_of(work_text(SMALL).derivation, entry)
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("case", ["two_heads", "variants/backward_layers", "variants/online_softmax"])
def test_what_a_command_calls_a_quantity_means_it(case: str) -> None:
    derivation = work(FOLDER / f"{case}.toml").derivation
    for name, matrix in derivation.items():
        n, m = matrix.shape
        assert place_of(derivation, f"{spoken(derivation, name)}[{n},{m}]") == (name, n - 1, m - 1)
