"""Every node test of ONNX `Attention`, computed exactly: tests that others wrote.

Each expected output lies within half an epsilon of its dtype from the exact value, relative to the
largest magnitude of its matrix: no more than rounding alone would do.
"""

from __future__ import annotations

from pathlib import Path

import onnx_attention
import pytest
from msgspec.structs import replace

PAGE = Path(__file__).parent.parent / "docs" / "conformance.md"
NAMES = onnx_attention.names()
HALF = 0.5


@pytest.mark.parametrize("name", NAMES)
def test_the_expected_output_is_within_half_an_epsilon_of_the_exact_value(name: str) -> None:
    test = onnx_attention.load(name)
    found = onnx_attention.compared(test)
    assert set(found) == set(test.outputs)
    assert max(found.values()) <= HALF


def test_no_node_test_is_left_out() -> None:
    """What is no single Attention node is the same test with its graph written out in other operators."""
    assert len(NAMES) >= 64
    assert sorted(name.removesuffix("_expanded") for name in onnx_attention.expanded()) == NAMES


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("test_attention_4d_causal", {"align": "bottom-right"}),
        ("test_attention_4d_causal", {"mask": "none"}),
        ("test_attention_3d_scaled", {"scale": "1"}),
        ("test_attention_4d_softcap", {"softcap": "3"}),
    ],
)
def test_a_wrong_convention_is_far_off(name: str, wrong: dict[str, str]) -> None:
    test = onnx_attention.load(name)
    _, part, case = next(onnx_attention.cases(test))
    y = onnx_attention.side_by_side(onnx_attention.by_head(test.outputs["Y"], test.heads[0])[0][part])
    told = replace(case, settings=replace(case.settings, **wrong))
    assert onnx_attention.distance(onnx_attention.walk(told)["concat"], y, test.dtype) > 1000


def test_the_table_of_the_documentation_names_every_node_test() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in page] == []
