"""Keys and values of earlier tokens, given: a decoding step as ONNX Attention has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symattn.errors import MissingGiven, UnusableValue
from symattn.reading.case_file import parse_case, read_case
from symattn.worked import work

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
    with pytest.raises(UnusableValue, match="a causal mask for 1 queries and 3 keys"):
        work(parse_case(text))
