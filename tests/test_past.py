"""Keys and values of earlier tokens, given: a decoding step as ONNX Attention has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from contract import broken_clauses
from msgspec.structs import replace

from symattn.attention.case import Claim
from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case, read_case
from symattn.exact.decimal import rounded_matrix
from symattn.exact.matrix import Matrix
from symattn.plans.ops.rotate import Rotate
from symattn.result import work
from symattn.text.errors import MissingGiven, UnusableValue

STEP = Path(__file__).parent.parent / "cases" / "variants" / "past_keys.toml"
WHOLE = """
[given]
X = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[2, 0], [0, 3]]
[attention]
mask = "causal"
"""


def test_a_step_after_a_cache_is_the_last_row_of_the_whole() -> None:
    step, whole = work(read_case(STEP)), work(parse_case(WHOLE))
    assert step["K"] == whole["K"]
    assert step["V"] == whole["V"]
    assert step["Z"].shape == (1, 2)
    assert [step["Z"][0, j] for j in range(2)] == [whole["Z"][2, j] for j in range(2)]
    assert step.check.agrees


def test_the_new_key_is_told_before_it_joins_the_others() -> None:
    page = work(read_case(STEP)).text()
    assert "Keys of the new tokens k = X W_K" in page
    assert re.search(r"K = Stack\(K_past, k\) = .*cat", page, re.DOTALL)
    assert "新词元的键" in work(read_case(STEP)).text(lang="zh")


def test_two_heads_share_out_what_the_cache_and_the_new_tokens_make_together() -> None:
    text = STEP.read_text(encoding="utf-8") + "heads = 2\n"
    assert work(parse_case(text))["head2.K"].shape == (3, 1)


def test_a_cache_has_keys_and_values() -> None:
    text = STEP.read_text(encoding="utf-8").replace("past_V = [[2, 0], [0, 3]]\n", "")
    with pytest.raises(MissingGiven, match="a cache without past_V"):
        work(parse_case(text))


def test_a_causal_mask_over_a_cache_is_aligned_aloud() -> None:
    text = STEP.read_text(encoding="utf-8").replace('align = "bottom-right"\n', "")
    with pytest.raises(UnusableValue, match="a causal mask with n_q = 1 and n_k = 3"):
        work(parse_case(text))


ROPE = """
[given]
X = {x}
W_Q = [[1, 2], [0, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[2, 0], [0, 3]]
{past}
[attention]
positions = "rope"
angles = ["pi/2"]
align = "bottom-right"
"""
"""Keys (1, 1), (2, 3), (1, 2); turned by 0, pi/2 and pi: (1, 1), (-3, 2), (-1, -2)."""
ALL = ROPE.format(x="[[1, 0], [2, 1], [1, 1]]", past="")
TURNED = ROPE.format(x="[[1, 1]]", past="past_K = [[1, 1], [-3, 2]]\npast_V = [[2, 0], [4, 3]]")
NOT_TURNED = (
    ROPE.format(x="[[1, 1]]", past="past_K = [[1, 1], [2, 3]]\npast_V = [[2, 0], [4, 3]]")
    + 'past_keys = "unrotated"\n'
)


@pytest.mark.parametrize("text", [TURNED, NOT_TURNED])
def test_a_cache_holds_keys_rotated_already_unless_the_case_says_otherwise(text: str) -> None:
    step, whole = work(parse_case(text)), work(parse_case(ALL))
    assert step["K_R"] == whole["K_R"] == Matrix.rational([[1, 1], [-3, 2], [-1, -2]])
    assert [step["Z"][0, j] for j in range(2)] == [whole["Z"][2, j] for j in range(2)]
    assert step.check.textbook is not None
    assert "K_R" in step.check.textbook.covers
    assert step.check.agrees


def test_the_page_says_whether_the_keys_of_the_cache_are_rotated() -> None:
    pages = [work(parse_case(text)) for text in (TURNED, NOT_TURNED, ALL)]
    found = [" ".join(page.text().split()) for page in pages]
    assert "the keys in the cache are taken to be rotated already" in found[0]
    assert "the keys in the cache are rotated too" in found[1]
    assert "in the cache" not in found[2]
    assert "缓存中的键视为已旋转，不再旋转" in pages[0].text(lang="zh").replace("\n", "")


@pytest.mark.parametrize("text", [TURNED, NOT_TURNED])
def test_the_gradient_of_a_key_of_the_cache_is_turned_back_where_the_key_was_turned(text: str) -> None:
    worked = work(parse_case(text + 'loss = "sum"\n'))
    assert {gradient.name for gradient in worked.check.gradients if gradient.agrees} >= {"dpast_K", "dX"}
    assert (worked["dK"][1, 0] == worked["dK_R"][1, 0]) is (text == TURNED)


@pytest.mark.parametrize(("text", "other"), [(TURNED, NOT_TURNED), (NOT_TURNED, TURNED)])
def test_a_cache_that_was_taken_the_other_way_is_a_cause(text: str, other: str) -> None:
    said, printed = (each.replace("pi/2", "1").replace("-3, 2", "2, 3") for each in (text, other))
    keys = rounded_matrix(work(parse_case(printed))["K_R"], 4)
    claim = Claim("K_R", tuple(tuple(entry.digits for entry in row) for row in keys))
    report = audit(replace(parse_case(said), stated=(claim,)))
    assert [cause.slip for cause in report.causes] == ["rotation-of-past-keys"]


def test_rotated_past_keys_keep_the_contract_of_operations() -> None:
    op, arguments = Rotate.example()
    assert isinstance(op, Rotate)
    for turns in (0, 1):
        assert broken_clauses(replace(op, start=1, past=1, turns_past=turns), arguments) == []


def test_how_past_keys_are_held_goes_with_rope() -> None:
    with pytest.raises(UnusableValue, match='or add positions = "rope"'):
        work(parse_case(STEP.read_text(encoding="utf-8") + 'past_keys = "unrotated"\n'))
