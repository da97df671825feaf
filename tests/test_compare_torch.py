"""The comparison with PyTorch, as far as it goes without PyTorch: its cases, its measure, its table."""

from __future__ import annotations

import builtins
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HOME = Path(__file__).parent.parent
sys.path.append(str(HOME / "tools"))

import compare_torch  # noqa: E402

from symattn.attention.recipes.attention import attention  # noqa: E402
from symattn.exact.matrix import Matrix  # noqa: E402
from symattn.plans.plan import Plan  # noqa: E402


def plan(comparison: compare_torch.Comparison) -> Plan:
    return attention(comparison.case)


@pytest.mark.parametrize("comparison", compare_torch.COMPARISONS, ids=lambda each: each.name)
def test_every_case_is_walked_and_its_inputs_are_floats_without_rounding(
    comparison: compare_torch.Comparison,
) -> None:
    case = comparison.case
    entries = [x for given in case.given.values() for row in given.values.rows() for x in row]
    assert all(x.rational is not None and int(x.rational.q).bit_count() == 1 for x in entries)
    made = {line.name for line in plan(comparison)}
    slopes = [name for name in case.given if name.startswith("d")]
    assert all(name[1:] in made for name in slopes)
    assert not slopes or made & {"dQ", "dX"}


def test_what_torch_is_compared_with_has_a_name_of_the_walk() -> None:
    last = {comparison.name: plan(comparison) for comparison in compare_torch.COMPARISONS}
    assert any(line.name == "concat" for line in last["… grouped-query"])
    assert any(line.name == "dmemory" for line in last["… two heads, cross-attention"])
    assert any(line.name == "dgamma_1" for line in last["… pre-norm, relu"])


def test_the_distance_counts_epsilons_of_the_largest_entry() -> None:
    exact = Matrix.rational([[4, 1]])
    assert compare_torch.distance(exact, np.array([[4.0, 1.0]])) == 0
    assert compare_torch.distance(exact, np.array([[4.0, 1.0 + 2.0**-50]])) == 1


def test_the_table_seen_stands_in_the_documentation_and_is_within_a_few_epsilons() -> None:
    seen = json.loads(compare_torch.SEEN.read_text(encoding="utf-8"))
    assert compare_torch.section(seen) in (HOME / "docs" / "conformance.md").read_text(encoding="utf-8")
    assert [row["name"] for row in seen["rows"]] == [each.name for each in compare_torch.COMPARISONS]
    assert max(float(row["distance"]) for row in seen["rows"]) <= compare_torch.FEW


def test_without_torch_the_script_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = builtins.__import__

    def without_torch(name: str, *rest: Any, **more: Any) -> Any:
        if name == "torch":
            raise ImportError(name)
        return genuine(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_torch)
    monkeypatch.setattr(sys, "argv", ["compare_torch.py"])
    with pytest.raises(SystemExit, match="pip install torch"):
        compare_torch.main()
