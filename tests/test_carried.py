"""Where closed forms are beyond the budget of a line, entries are carried as definitions with enclosures."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sympy
from flint import fmpq

import symattn
from symattn.exact.carried import Carried, as_carried
from symattn.exact.decimal import rounded
from symattn.exact.decision import equal, is_zero
from symattn.exact.functions import cos, erf, exp, log, power, sqrt, tanh
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.exact.plain import plain
from symattn.exact.surd import Surd
from symattn.exact.symbolic import coefficient
from symattn.exact.whole import Whole
from symattn.exact.work import TooMuchWork, at_most, spend
from symattn.floats.from_exact import matrix_to_bounded, matrix_to_floats, to_float
from symattn.many.workers import packed
from symattn.plans.plan import Line

CASES = Path(__file__).parent.parent / "cases"
ROOT = Exact.of(Surd.root(fmpq(2)))
E2 = as_carried(exp(ROOT))
FUNCTIONS: list[Callable[[Exact], Exact]] = [
    exp,
    log,
    sqrt,
    tanh,
    cos,
    erf,
    lambda x: x.inverse(),
    lambda x: -x,
    lambda x: x * x - ROOT,
    lambda x: ROOT - x * exp(x),
    lambda x: power(x, Exact.of(fmpq(1, 3))),
]


@pytest.mark.parametrize("how", FUNCTIONS)
def test_a_function_of_a_carried_number_is_carried_and_is_that_of_its_closed_form(
    how: Callable[[Exact], Exact],
) -> None:
    found = how(E2)
    assert found.carried
    assert rounded(found, 20) == rounded(how(exp(ROOT)), 20)
    read = sympy.sympify(plain(found)).evalf(30)
    assert abs(read - how(exp(ROOT)).to_sympy().evalf(30)) < 1e-20


def test_carried_sums_and_products_are_equal_where_they_are_proved_to_be() -> None:
    assert equal((E2 + ROOT) * (E2 - ROOT), E2 * E2 - Exact.of(2)) is True
    assert equal(E2, exp(ROOT)) is True
    assert equal(E2, ROOT) is False
    assert is_zero(E2 - E2) is True


def test_a_product_with_a_carried_matrix_is_one_sum_an_entry() -> None:
    row, column = Matrix.of([[E2, ROOT, E2]]), Matrix.of([[ROOT], [ROOT], [Exact.of(3)]])
    found = (row @ column)[0, 0]
    assert isinstance(found.algebraic, Carried)
    assert equal(found, E2 * ROOT + Exact.of(2) + E2 * Exact.of(3)) is True


def test_a_carried_number_cannot_change_and_reaches_another_process() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        E2.algebraic.node = None  # type: ignore[union-attr, misc]
    assert pickle.loads(packed(E2)) == E2


@pytest.mark.parametrize("name", ["stacked_pre_norm", "differential", "backward_loss"])
def test_carried_entries_have_the_decimals_of_the_closed_forms(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = CASES / "variants" / f"{name}.toml"
    written = symattn.work(path)
    monkeypatch.setattr("symattn.plans.derive.LINE", -1)
    found = symattn.work(path)
    assert any(line.carries for line in found.derivation)
    one, other = (json.loads(worked.json(digits=15))["steps"] for worked in (written, found))
    assert [step["decimal"] for step in one] == [step["decimal"] for step in other]
    assert found.text()


def test_the_json_of_carried_entries_is_a_program_for_their_decimals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.plans.derive.LINE", -1)
    data = json.loads(symattn.work(CASES / "variants/stacked_pre_norm.toml").json(digits=12))
    known: dict[str, sympy.Expr] = {}
    for label, text in data["definitions"].items():
        known[label] = sympy.sympify(text, locals=known).evalf(30)
    last = data["steps"][-1]
    for forms, decimals in zip(last["exact"], last["decimal"], strict=True):
        for form, decimal in zip(forms, decimals, strict=True):
            assert abs(sympy.sympify(form, locals=known).evalf(30) - sympy.Float(decimal, 30)) < 6e-13


def test_a_line_of_free_symbols_is_written_out_at_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.plans.derive.LINE", -1)
    found = symattn.work(CASES / "two_heads_symbolic_wo.toml")
    assert not next(line for line in found.derivation if line.name == "output").carries


def test_a_bound_within_another_is_part_of_it() -> None:
    with at_most(10):
        with at_most(8):
            spend(8)
        with pytest.raises(TooMuchWork):
            spend(3)
    with at_most(10), pytest.raises(TooMuchWork), at_most(20):
        spend(11)


def test_a_page_says_which_sums_would_take_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.checks.facts.FACT", 0)
    worked = symattn.work(CASES / "variants/differential.toml")
    assert "have the same sum would take too many steps to decide" in " ".join(worked.text().split())
    assert "判定所需步骤过多" in worked.text(lang="zh")


def test_a_page_says_that_positions_would_take_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.checks.relative.FACT", 0)
    worked = symattn.work(CASES / "variants/rope_half.toml")
    assert "only by their difference would take too many steps to decide" in " ".join(worked.text().split())
    assert "是否只通过位置之差依赖于位置" in worked.text(lang="zh").replace("\n", "").replace(" ", "")


def test_a_page_says_in_one_note_which_proofs_its_budgets_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.checks.proofs.GRADIENTS", 1)
    worked = symattn.work(CASES / "variants/backward.toml")
    assert [proof.decided for proof in worked.proofs] == [False] * 4
    assert " ".join(worked.text().split()).count("reason: the proof is estimated to take too many steps") == 1


def test_all_proofs_of_a_page_have_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.result.PROOFS", 90_000)
    found = symattn.work(CASES / "variants/backward.toml").proofs
    assert {proof.decided for proof in found} == {True, False}
    assert "too many steps" in " ".join(str(proof.reason) for proof in found if not proof.decided)


def test_an_audit_of_carried_lines_has_the_findings_of_the_closed_forms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = Path(__file__).parent / "documents" / "en_add_norm.tex"
    written = symattn.audit_file(path).json()
    made: list[bool] = []
    value = Line.value

    def counted(line: Line, *seen: Any) -> Matrix:
        made.append(line.carries)
        return value(line, *seen)

    monkeypatch.setattr("symattn.plans.derive.LINE", -1)
    monkeypatch.setattr(Line, "value", counted)
    assert symattn.audit_file(path).json() == written
    assert any(made)


def test_a_product_is_carried_whole_and_an_entry_is_made_once_it_is_looked_at() -> None:
    values = [[as_carried(exp(Exact.of(i + k))) for k in range(8)] for i in (0, 1, 0)]
    weights = Matrix.rational([[k - 3, 0 if k else 1] for k in range(8)])
    names = Names()
    left = names.seen("X", Matrix.of(values), 0, carry=True)
    made = left @ weights
    assert isinstance(made, Whole)
    seen = names.seen("Y", made, 0, carry=True)
    assert seen[0, 0] == seen[2, 0] != seen[1, 0]
    assert [rounded(x, 20) for x in next(seen.rows())] == [
        rounded(sum((x * w for x, w in zip(values[0], column, strict=True)), Exact.of(0)), 20)
        for column in weights.T.rows()
    ]
    assert set(made._made) == {(0, 1)}, "only the plain number"
    assert is_zero(made[0, 0] - (left @ weights)[2, 0])
    assert len(made._made) == 2


def test_a_transposed_product_is_carried_whole_and_its_floats_make_no_entry() -> None:
    values = Matrix.of([[as_carried(exp(Exact.of(i * k))) for k in range(1, 3)] for i in range(1, 9)])
    factors = Matrix.rational([[i, 1 - i] for i in range(8)])
    left = Names().seen("X", values, 0, carry=True)
    made = left.T @ factors
    assert isinstance(made, Whole)
    floats = matrix_to_floats(made)
    assert matrix_to_bounded(made).value.tolist() == floats.tolist()
    assert not made._made
    assert floats.tolist() == [[to_float(x) for x in row] for row in made.rows()]
    assert left == left.T.T


def test_what_sympy_multiplies_out_costs_what_its_nodes_do() -> None:
    deep = sympy.Symbol("x", real=True)
    for _ in range(60):
        deep = sympy.sin(deep) + 1
    with at_most(400), pytest.raises(TooMuchWork):
        coefficient(deep)
    with at_most(1_000):
        coefficient(deep)
