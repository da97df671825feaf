"""Documents of other things: what only looks like a sum, a length or a share of a list is none."""

from __future__ import annotations

import pytest

from tests.linked import accused

COUNTED = """\
05D0..05EA ; Hebrew_Letter # Lo [27] HEBREW LETTER ALEF..HEBREW LETTER TAV
FB1D       ; Hebrew_Letter # Lo      HEBREW LETTER YOD WITH HIRIQ
FB40..FB41 ; Hebrew_Letter # Lo  [2] HEBREW LETTER NUN WITH DAGESH
FB43..FB44 ; Hebrew_Letter # Lo  [2] HEBREW LETTER FINAL PE WITH DAGESH
FB46..FB4F ; Hebrew_Letter # Lo [10] HEBREW LETTER TSADI WITH DAGESH

# Total code points: 75
"""
KEYS = "drop shadow={xshift=0.2cm, yshift=-0.2cm, opacity=0.3}, %\n  decoration={segment length=1.5cm}\n"
DUMP = """\
\t0000010: 4b2c 8660 eb9c ecac c462 eb94 345e 2e30  K,.`.....b..4^.0 ~
\t0000020: 373b 2731 0b22 0ca6 c1a2 d669 1035 39d9  7;'1.".....i.59. ~
"""
KEYED = "[0.4772, 0.1063], [0.5891, 0.3257], [0.6202, 0.3860], [0.5478, 0.3589], [0.53, 0.34], [0.51, 0.35]"
MASK = (
    f"tensor([{KEYED}])\n\ntensor(["
    + ", ".join(f"[{', '.join(['0.'] * (i + 1) + ['1.'] * (5 - i))}]" for i in range(6))
    + "])\n"
)
WHOLE = "Ports: [73, 1, 1, 46, 12]\n\nWeights: [1, 5, 0, 3, 0]\n"


@pytest.mark.parametrize("text", [COUNTED, KEYS, DUMP, WHOLE, MASK])
def test_nothing_is_accused(text: str) -> None:
    assert accused(text) == []


def test_a_length_that_may_be_one_is_held_against_its_list() -> None:
    assert accused("The vector is [0.15, 0.3].\n\nIts length is 0.43.\n") == ["= 0.43"]


def test_shares_of_whole_numbers_are_held_against_them() -> None:
    assert accused("Scores: [2, 1, 0]\n\nSoftmax weights: [0.665, 0.245, 0.095]\n") == ["= 0.095"]


@pytest.mark.parametrize(
    "text",
    [
        "Is 72 + (98 - 72) = 104? No.\n",
        "So total: 1296 + 1764 + 7056 = 1296 + 1764 = 3060 + 7056 = 10116\n",
        "三位十六进制数最大可以表示163−1=4095>1999。\n",
        "The length is √(32 + 42) = 5.\n",
        "Stage 2: 28×28, windows of 7×7 → 16 windows\n\nPatch merging (2×2 → 1, twice the channels)\n",
        "Might exclude “maybe” if 0+1=75% < p.\n",
        "FP16 下 = 8192×8192×2 = 128 MB（每层）\n",
        "| **LoRA** | 0.1~1% | low |\n",
        "The comparison (113.8 → 140.4, **+23.4%**) was an artifact.\n",
    ],
)
def test_no_result_is_accused_that_nobody_claims_or_that_a_copy_garbled(text: str) -> None:
    assert accused(text) == []


def test_a_result_that_is_claimed_is_accused() -> None:
    assert accused("We get 72 + (98 - 72) = 104.\n") == ["= 104"]
    assert accused("The length is √(32 + 42) = 6.\n") == ["= 6"]


def test_shares_that_are_off_by_a_whole_unit_are_of_something_else() -> None:
    """2 of 10 shares would be 0.5, and not 0.4 cut off."""
    calls = "".join(
        f"{name} = estimate_win_prob(5, 10, p_head=0.4, {name})\n" for name in ("first", "second")
    )
    assert accused(f"# Estimate win probabilities for start=5, goal=10, p=0.4\n{calls}") == []


ROOTS = """\
Scores = [0.36, 0.74, 0.41]

**Scaling (÷√d_k)**: we divide by √4 = 2

Scaled = [0.18, 0.37, 0.205]

Weights = [0.31, 0.37, 0.32]

Without scaling (d_k = 512) the softmax is peaked. With it (÷√512 ≈ 22.6) the scores are small.
"""
CHAIN = "P = [[0.6, 0.3, 0.1], [0.4, 0.4, 0.2], [0.2, 0.3, 0.5]]\n\n"


def test_of_several_roots_scores_are_divided_by_the_one_that_their_numbers_tell() -> None:
    assert accused(ROOTS) == []
    assert accused(ROOTS.replace("0.32]", "0.42]")) == ["= 0.42"]


def test_a_matrix_that_is_printed_again_is_no_product_of_others() -> None:
    squared = "[[0.50, 0.33, 0.17], [0.44, 0.34, 0.22], [0.34, 0.33, 0.33]]"
    assert accused(f"{CHAIN}{squared}\n\n{CHAIN.replace('P', 'T')}") == []
