"""The textbook formulas, without the plan: they agree with every derivation, and find a wrong plan."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from once import CASES, work
from test_packages import imported

import symattn.checks.textbook
from symattn.attention.case import Case, Settings
from symattn.attention.recipes.attention import attention, values
from symattn.attention.registry import CONVENTION_KEYS
from symattn.casefile.case_file import parse_case
from symattn.checks.crosscheck import crosscheck
from symattn.checks.textbook import Conventions, evaluate
from symattn.checks.textbook.coverage import KEYS, OTHER_KEYS
from symattn.exact.number import Exact
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.derive import derive
from symattn.plans.ops.scale import Scale

HEADS = """
title = "Q, K and V of each of two heads"
given.head1 = {Q = [[1, 2]], K = [[3, 1], [1, 1]], V = [[1], [2]]}
given.head2 = {Q = [[2, 1]], K = [[1, 1], [0, 1]], V = [[3], [5]]}
attention.heads = 2
"""
SPARSE = """
given = {Q = [[1, 2]], K = [[3, 1], [1, 1]], V = [[1], [2]]}
[attention]
normaliser = "sparsemax"
"""
INDEPENDENT = (
    "symattn.exact",
    "symattn.floats",
    "symattn.text.errors",
    "symattn.attention.case",
    "symattn.checks.textbook",
)


def covered(case: Case) -> tuple[str, ...]:
    """What of a case the textbook formulas cover; they agree."""
    check = crosscheck(derive(attention(case), values(case)), case)
    assert check.agrees
    assert check.textbook is not None
    return check.textbook.covers


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_agrees_with_the_textbook_formulas_up_to_its_last_step(path: Path) -> None:
    worked = work(path)
    check = worked.check.textbook
    assert check is not None
    assert check.wrong == check.not_understood == ()
    if worked.case.settings.evaluation == "direct":
        own = ("d", "J", "row", "loss", "error", "prediction")
        assert set(check.covers) >= {
            name for name in worked.derivation.values if not name.rpartition(".")[2].startswith(own)
        }
    assert any(name.rpartition(".")[2] in ("Z", "PE", "scores", "A") for name in check.covers)


@pytest.mark.parametrize("pairs", ["interleaved", "half"])
@pytest.mark.parametrize("exponents", ["pair", "column", "twice-column", "full-range"])
def test_sinusoids_of_every_convention_agree(pairs: str, exponents: str) -> None:
    text = f'positions = "sinusoidal"\npairs = "{pairs}"\nexponents = "{exponents}"'
    case = parse_case(f'tokens = ["a", "b", "c"]\n[given]\n[attention]\nd_model = 4\n{text}\n')
    assert covered(case) == ("PE",)


@pytest.mark.parametrize("ones", ["visible", "hidden", "added"])
def test_a_mask_of_ones_and_zeros_agrees_whatever_its_ones_are(ones: str) -> None:
    mask = f'attention = {{mask = [[1, 0, 1]], mask_ones = "{ones}"}}\n'
    case = parse_case(f"given = {{Q = [[1, 2]], K = [[3, 1], [1, 1], [0, 2]], V = [[1], [2], [4]]}}\n{mask}")
    assert "masked" in covered(case)


def test_every_key_and_each_of_its_choices_has_a_formula() -> None:
    assert set(Settings.__struct_fields__) == KEYS.keys() | OTHER_KEYS
    choices = {key.name: set(key.choices) for key in CONVENTION_KEYS if key.kind == "choice"}
    missing = {name: chosen - KEYS[name] for name, chosen in choices.items() if name in KEYS}
    assert {name: chosen for name, chosen in missing.items() if chosen} == {}


def test_a_key_without_a_formula_is_named_on_the_page_and_nothing_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(KEYS, "normaliser", {"softmax"})
    worked = symattn.work(parse_case(SPARSE))
    assert (
        "There is no second computation from the textbook formulas alone: none is known "
        "for attention.normaliser" in worked.markdown()
    )
    assert worked.data()["crosscheck"]["textbook"] == {
        "agrees": True,
        "covers": [],
        "not_understood": ["attention.normaliser"],
    }


def test_the_page_says_which_steps_were_computed_a_second_time() -> None:
    def last(text: str, **options: str) -> str:
        return symattn.work(parse_case(text)).markdown(detail="some", **options).strip().splitlines()[-1]

    sentence = "A second computation, from the textbook formulas alone, "
    some = "covers 4 of 12 quantities and agrees in all of them; it does not cover $"
    assert last(SPARSE).endswith(f"{sentence}agrees too.")
    assert f"{sentence}{some}" in last(SPARSE + 'loss = "sum"\n')
    assert last(SPARSE, lang="zh").endswith("只按教科书公式再算一遍，也都一致。")


def test_scores_beyond_the_range_of_exponentials_and_hidden_rows_are_covered() -> None:
    scores = 'given = {scores = [["1e6", "999999"], ["-inf", "-inf"]], V = [[1], [2]]}\n'
    assert covered(parse_case(scores + 'attention.scale = "1"')) == ("scaled", "A", "Z")
    shifted = covered(parse_case(scores + 'attention = {scale = "1", shift = "max"}'))
    assert shifted == ("scaled", "shifted", "exp", "sum", "A", "Z")


def test_the_textbook_formulas_do_not_use_the_plan_or_its_operations() -> None:
    files = Path(symattn.checks.textbook.__file__).parent.glob("*.py")
    used = {name for path in files for _, name in imported(path.read_text(encoding="utf-8"))}
    assert not [name for name in used if not name.startswith(INDEPENDENT)]


def test_queries_and_keys_given_for_each_head_are_scaled_by_the_width_of_a_head() -> None:
    case = parse_case(HEADS)
    given = {name: matrix_to_floats(matrix) for name, matrix in values(case).items()}
    made = evaluate(given, Conventions(case, {}, with_bounds=False))
    assert (made["head1.scaled"] * np.sqrt(2)).round(12).tolist() == [[5, 3]]
    assert made["concat"].shape == (1, 2)


def test_a_plan_that_does_not_scale_the_scores_is_found_though_its_own_floats_agree() -> None:
    case = parse_case("given = {Q = [[1, 2]], K = [[3, 1], [1, 1]], V = [[1], [2]]}\n")
    plan = tuple(
        replace(line, op=Scale(Exact.of(1))) if line.name == "scaled" else line for line in attention(case)
    )
    check = crosscheck(derive(plan, values(case)), case)
    assert all(step.agrees for step in check.steps)
    assert check.wrong == ("scaled", "exp", "sum", "A", "Z")
    assert not check.agrees


def test_tokens_as_columns_are_what_products_of_columns_give() -> None:
    made = symattn.work(next(path for path in CASES if path.stem == "column_convention"))
    given = {name: matrix_to_floats(matrix) for name, matrix in made.derivation.given.items()}
    q = given["W_Q"] @ given["X"] + given["b_Q"]
    powers = np.exp((given["W_K"] @ given["X"]).T @ q / np.sqrt(2))
    weights = powers / powers.sum(axis=0)
    z = given["W_V"] @ given["X"] @ weights
    assert np.allclose(made["Z"].to_numpy(), z, rtol=1e-12)
    assert "Z" in covered(made.case)
