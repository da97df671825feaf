"""Lists of lists side by side with signs between them, remarks behind arrows, exponents that are zero."""

from __future__ import annotations

import pytest

from benchmarks.notes.judging import judged
from tests.linked import accused, linked

PROBLEM = """
```
Q = [[2, 0],                  K = [[0, 2],                  V = [[2, 0],
     [0, 2],                       [2, 0],                       [0, 2],
     [1, 1]]                       [1, 1]]                       [1, 1]]
```

**Step 2: Attention Scores (Q @ K^T / sqrt(dk))**

```
Q @ K^T = [[2,0],      [[0, 2],      [[0, 4, 2],
           [0,2],   @   [2, 0],   =   [4, 0, 2],
           [1,1]]       [1, 1]]       [2, 2, 2]]

scores = [[0, 4, 2],     / sqrt(2)  =  [[0.00, 2.83, 1.41],
          [4, 0, 2],                     [2.83, 0.00, 1.41],
          [2, 2, 2]]                     [1.41, 1.41, 1.41]]
```
"""


def test_lists_side_by_side_are_a_chain_by_the_signs_between_them() -> None:
    assert accused(PROBLEM) == []
    assert {name for name, *_ in linked(PROBLEM)} >= {"scores", "scaled"}


@pytest.mark.parametrize(
    ("right", "wrong", "found"),
    [
        ("[4, 0, 2],\n           [1,1]]", "[4, 1, 2],\n           [1,1]]", "scores 1"),
        ("[2.83, 0", "[2.33, 0", "scaled 2.33"),
    ],
)
def test_a_wrong_entry_of_one_of_them_is_found(right: str, wrong: str, found: str) -> None:
    assert accused(PROBLEM.replace(right, wrong))[:1] == [found]


WORKED = """
```
Q = [[1, 0],
     [0, 1]]
K = [[1, 0],
     [0, 1],
     [1, 1]]

Step 1: QK^T:
  [[1×1+0×0, 1×0+0×1, 1×1+0×1],   [[1, 0, 1],
   [0×1+1×0, 0×0+1×1, 0×1+1×1]] =  [0, 1, 1]]
```
"""


def test_cells_that_are_worked_out_stand_beside_what_they_come_to() -> None:
    assert len(judged(WORKED, "a.md", "markdown").said) >= 6
    assert accused(WORKED) == []
    assert len(accused(WORKED.replace("[0, 1, 1]]\n```", "[0, 1, 2]]\n```"))) == 1


REMARKS = """
```
Scores = [[0.0, 1.0],
          [1.0, 0.0]]

Attention Weights:
  [[0.269, 0.731],    <- "the": 73% on cat
   [0.731, 0.269]]    <- "cat": 73% on the
```
"""


def test_an_arrow_behind_a_row_begins_a_remark() -> None:
    assert [(name, row) for name, row, _ in linked(REMARKS)] == [("A", 0)]


def test_an_exponent_says_the_scaled_score_again_and_not_the_given_one() -> None:
    text = (
        "$S = \\begin{bmatrix} 0 & 1 \\end{bmatrix}$\n\n"
        "$\\hat{S} = \\frac{S}{\\sqrt{2}} = \\begin{bmatrix} 0 & 0.707 \\end{bmatrix}$\n\n"
        "$e^{0} = 1$, $e^{0.707} = 2.028$, sum $= 3.028$.\n"
    )
    said = judged(text, "a.md", "markdown").said
    assert said[5, 5].verdict == "correct"


TWICE = """
Scaled logits S = (Q K^T) / sqrt(d_k), where sqrt(d_k) = sqrt(2):

```text
S ≈
[ 0.7071   0.7071   0      ]
[ 0        0        0.7071 ]
```

**S (plain table):**

| row | col1 | col2 | col3 |
|-----|------|------|------|
| 1 | 0.7071 | 0.7071 | 0 |
| 2 | 0 | 0 | 0.7071 |

- Row 1: exp(0.7071) ≈ 2.028 twice, exp(0) = 1 → sum ≈ 5.056 → A_1 ≈ [0.401, 0.401, 0.198].
- Row 2: logits [0, 0, 0.7071] → sum ≈ 4.028 → A_2 ≈ [0.248, 0.248, 0.503].
"""


def test_a_table_of_the_letter_of_scores_that_prints_the_scaled_ones_again_is_these() -> None:
    assert accused(TWICE) == []
    assert accused(TWICE.replace("0.248, 0.503", "0.248, 0.583")) == ["A 0.583"]


HEADED = """\
X = [[1, 0], [0, 2]]

```
Wq (query)          Wk (key)
[[1, 2],            [[2, 1],
 [0, 1]]             [1, 1]]
```

```
Q = X @ Wq              K = X @ Wk
[[1, 2],            [[2, 1],
 [0, 2]]             [2, 2]]
```
"""


def test_lists_side_by_side_are_what_the_line_above_calls_them() -> None:
    assert [(name, rows) for name, _, rows in linked(HEADED)] == [
        ("Q", (("1", "2"), ("0", "2"))),
        ("K", (("2", "1"), ("2", "2"))),
    ]
    assert accused(HEADED) == []
    assert accused(HEADED.replace("[2, 2]]", "[2, 3]]")) == ["K 3"]
