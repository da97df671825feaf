"""That gradients are derivatives: proved, refuted, or undecided at kinks and beyond the bounds on work."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import symattn
from once import work

from symattn.casefile.case_file import parse_case
from symattn.checks.proofs import differential
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.derive import derive
from symattn.plans.ops.normalise import Normalise
from symattn.plans.plan import Line
from symattn.text.bilingual import both
from symattn.text.errors import OutOfBounds, UndefinedValue

KINDS = "[given]\nQ = [[1]]\nK = [[{}], [3]]\nV = [[1], [2]]\ndZ = [[1]]\n[attention]\nscale = '1'\n"
LINEAR = """
[given]
X = [[1]]
W_Q = [[-1]]
W_K = [[1]]
W_V = [[2]]
[attention]
kernel = "relu"
loss = "sum"
"""
"""The one query has the feature 0 and looks at nothing, and so do all queries near it."""


def test_where_a_relu_is_off_the_function_is_constant_and_the_gradient_0_is_proved() -> None:
    proofs = {found.name: found for found in work(parse_case(LINEAR)).proofs}
    assert proofs["dX"].equal
    assert not any(found.refuted for found in proofs.values())
    assert "Every visible key has the score 0 in row 1 of" in work(parse_case(LINEAR)).markdown()


def test_a_gradient_at_a_kink_is_undecided_and_the_page_says_why() -> None:
    worked = work(parse_case(KINDS.format(0) + "normaliser = 'relu'\n"))
    proofs = {found.name: found for found in worked.proofs}
    assert (proofs["dQ"].equal, proofs["dV"].equal) == (True, True)
    assert not proofs["dK"].decided
    assert "step A: equal numbers are compared that a step moves apart" in worked.markdown(lang="en")
    assert "步骤 A：" in worked.markdown(lang="zh")
    assert "kink" in next(found for found in worked.data()["proofs"] if found["name"] == "dK")["reason"]["en"]


def test_the_step_of_a_proof_leaves_the_support_of_a_sparsemax_as_it_is() -> None:
    worked = work(parse_case(KINDS.format(1) + "normaliser = 'sparsemax'\n"))
    assert {found.name: found.equal for found in worked.proofs} == {"dQ": True, "dK": True, "dV": True}


def test_a_tie_of_the_running_maximum_is_no_kink() -> None:
    worked = work(parse_case(KINDS.format(3) + "evaluation = 'online'\nblock = 1\n"))
    assert [(found.name, found.equal) for found in worked.proofs] == [
        (name, True) for name in ("dQ", "dK", "dV", "Z")
    ]


def test_gradients_through_a_logarithm_of_entries_by_name_are_proved() -> None:
    given = '[given]\nQ = [["ln(2)"]]\nK = [[1], [0]]\nV = [[3, 0], [0, 3]]\ntarget = [[1, 0]]\n'
    proofs = work(parse_case(given + "[attention]\nscale = '1'\nloss = 'cross-entropy'\n")).proofs
    assert [(found.name, found.equal) for found in proofs] == [("dQ", True), ("dK", True), ("dV", True)]


def test_an_undecided_comparison_is_no_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = work(parse_case(KINDS.format(1))).derivation
    monkeypatch.setattr("symattn.checks.proofs.equal", lambda a, b: None)
    with pytest.raises(UndefinedValue, match="closed forms are equal could not be decided"):
        differential(walk, "Z", "Q", (0, 0))


def test_where_the_computation_jumps_nothing_is_a_derivative() -> None:
    """A row of zeros has no weights, and any other number in it has the weight 1."""
    plan = (Line("A", Normalise(), ("E", "E")),)
    walk = derive(plan, {"E": Matrix.rational([[0]])})
    with pytest.raises(UndefinedValue, match="does not approach"):
        differential(walk, "A", "E", (0, 0))


@pytest.mark.parametrize("error", [OutOfBounds(both("a long product")), RecursionError()])
def test_a_proof_that_cannot_be_made_is_undecided(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> Matrix:
        raise error

    monkeypatch.setattr("symattn.checks.proofs.differential", ended)
    worked = work(parse_case(KINDS.format(1)))
    found = worked.proofs
    assert [(each.name, each.decided) for each in found] == [("dQ", False), ("dK", False), ("dV", False)]
    assert all(each.reason is not None for each in found)
    assert "are the derivatives, entry by entry, could not be decided" in worked.markdown()


def test_a_proof_that_takes_too_many_steps_is_undecided_and_bounds_nothing_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("symattn.checks.proofs.PROOF", 100)
    worked = work(parse_case(KINDS.format(1)))
    assert "could not be decided; reason: the proof takes too many steps" in " ".join(worked.text().split())
    assert "原因是：证明所需步骤过多" in worked.text(lang="zh").replace("\n", "").replace(" ", "")
    monkeypatch.undo()
    assert all(found.equal for found in work(parse_case(KINDS.format(1))).proofs)


def test_a_refuted_gradient_is_exit_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = tmp_path / "case.toml"
    case.write_text(KINDS.format(1), encoding="utf-8")
    assert symattn("derive", case).returncode == 0
    monkeypatch.setattr("symattn.checks.proofs._total", lambda _: Exact.of(5))
    done = symattn("derive", case, "--json")
    assert done.returncode == 1
    assert "refuted by a proof: dQ, dK, dV" in done.stderr
