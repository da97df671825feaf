"""Exercises and short retellings: what a column is, where a question begins, what a root comes to."""

from __future__ import annotations

import pytest

from tests.linked import accused, links

COLUMNS = r"""
$$ \mathbf{q} = \begin{bmatrix} 1 \\ 0 \end{bmatrix}; \quad
\mathbf{k}_1 = \begin{bmatrix} 1 \\ 1 \end{bmatrix}, \;
\mathbf{k}_2 = \begin{bmatrix} 0 \\ 1 \end{bmatrix}; \quad
\mathbf{v}_1 = \begin{bmatrix} 1 \\ 2 \end{bmatrix}, \;
\mathbf{v}_2 = \begin{bmatrix} 3 \\ 4 \end{bmatrix} $$

$$ s_1 = \frac{1}{\sqrt{2}} \approx 0.707, \qquad s_2 = 0 $$

$$ \alpha_1 \approx 0.670, \qquad \alpha_2 \approx 0.330 $$

$$ \mathbf{o} = 0.670\begin{bmatrix} 1 \\ 2 \end{bmatrix} + 0.330\begin{bmatrix} 3 \\ 4 \end{bmatrix}
= \begin{bmatrix} 0.670 + 0.990 \\ 1.340 + 1.320 \end{bmatrix} = \begin{bmatrix} 1.66 \\ 2.66 \end{bmatrix} $$
"""


def test_the_output_of_a_single_query_may_be_a_column() -> None:
    assert accused(COLUMNS) == []
    assert ("Z", 0, 1, (("2.66",),)) in links(COLUMNS)


def test_a_wrong_number_of_that_column_is_found() -> None:
    assert accused(COLUMNS.replace(r"\\ 2.66", r"\\ 2.86")) == ["Z 2.86"]


BANK = r"""
### Q16. Scaled attention
$$Q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}, \quad K = \begin{pmatrix} 1 & 0 \\ 1 & 0 \end{pmatrix}$$

* $q_1 \cdot k_1 = 1$
* $q_1 \cdot k_2 = 1$

### Q17. Two rows
$$Q = \begin{pmatrix} 1 & 1 \\ 0 & 2 \end{pmatrix}, \quad K = \begin{pmatrix} 1 & 0 \\ 1 & 1 \end{pmatrix}$$

* $q_1 \cdot k_1 = 1$
* $q_1 \cdot k_2 = 2$
* $q_2 \cdot k_2 = 2$
"""


@pytest.mark.parametrize("heading", ["Q{}.", "Question {}:"])
def test_each_question_of_a_bank_is_an_example_of_its_own(heading: str) -> None:
    bank = BANK.replace("Q16.", heading.format(16)).replace("Q17.", heading.format(17))
    assert accused(bank) == []
    assert accused(bank.replace(r"q_2 \cdot k_2 = 2", r"q_2 \cdot k_2 = 3")) == ["scores 3"]


COUNTED = r"""
$$Q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}, \quad K = \begin{pmatrix} 1 & 0 \\ 1 & 0 \end{pmatrix}$$

* $\text{score}_1 = q_1 \cdot k_1 = [1, 0] \cdot [1, 0] = 1$
* $\text{score}_2 = q_1 \cdot k_2 = [1, 0] \cdot [1, 0] = 1$
"""


def test_a_score_counted_by_its_key_is_that_of_the_query_in_its_product() -> None:
    assert accused(COUNTED) == []
    assert ("scores", 0, 1, (("1",),)) in links(COUNTED)


ONE_HEAD = r"""
**Dot product (Head 1):**
$$
S_1 = Q_1^T K_1 = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix} \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}
= \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}
$$
Scale by $\sqrt{2} \approx 1.414$ and apply the softmax:
$$
\text{softmax}(S_1) = \begin{bmatrix} 0.67 & 0.33 \\ 0.33 & 0.67 \end{bmatrix}
$$

**Head 2 output ($A_2$):**
$$
A_2 = \dots = \begin{bmatrix} 1 & 1 \\ 0 & 0 \end{bmatrix}
$$
"""


def test_the_queries_of_a_single_head_are_not_cut_up_for_all_of_them() -> None:
    assert accused(ONE_HEAD) == []


WEIGHED = r"""
- **Row 1**:
  1. **Exponentiate**: $e^{0.707} \approx 2.028$, $e^0 = 1$.
  2. **Sum**: $2.028 + 1 = 3.028$.
  3. **Result**: $[0.67, 0.33]$ ("The" attends 67% to itself, 33% to "cat").
- **Row 2**:
  1. **Exponentiate**: $e^0 = 1$, $e^{0.707} \approx 2.028$.
  2. **Sum**: $1 + 2.028 = 3.028$.
  3. **Result**: $[0.33, 0.67]$ ("cat" attends 33% to "The", 67% to itself).
- **Attention Scores**: $\begin{bmatrix} 0.67 & 0.33 \\ 0.33 & 0.67 \end{bmatrix}$.
"""


def test_what_is_called_attention_scores_behind_the_softmax_are_the_weights() -> None:
    assert accused(WEIGHED) == []


ILLUSTRATED = (
    "The scores are $q_1 \\cdot k_1 = 112$ and $q_1 \\cdot k_2 = 96$. {}, so the scores become 14 and 12."
    " The softmax gives 0.88 and 0.12."
)


@pytest.mark.parametrize(
    "said",
    ["We divide them by 8 (the square root of 64)", r"We divide by \sqrt{d_{k}}=8", "We divide by √d_k = 8"],
)
def test_what_a_root_comes_to_is_what_scores_are_divided_by(said: str) -> None:
    assert accused(ILLUSTRATED.format(said)) == []


def test_a_wrong_weight_behind_such_a_scale_is_found() -> None:
    wrong = ILLUSTRATED.format("We divide them by 8 (the square root of 64)").replace("0.88", "0.78")
    assert accused(wrong) == ["A 0.78"]


MARKED = r"""
$$S = \begin{bmatrix} 2 & 1 & 1 \\ 1 & 0 & 1 \\ 1 & 1 & 0 \end{bmatrix}$$

**Step 3: scale by $\sqrt{2}$**

$$\hat{S} = \frac{S}{1.414}
= \begin{bmatrix} 1.414 & 0.707 & 0.707 \\ 0.707 & 0 & 0.707 \\ 0.707 & 0.707 & 0 \end{bmatrix}$$

**Step 4: row-wise softmax**

$$A = \begin{bmatrix} 0.503 & 0.248 & 0.248 \\ 0.401 & 0.198 & 0.401 \\ 0.401 & 0.401 & 0.198 \end{bmatrix}$$

> * Division by $\sqrt{d_k}$: **1 Mark**
> * Row-wise softmax: **2 Marks**
"""


def test_of_two_divisors_that_a_text_tells_the_numbers_take_theirs() -> None:
    assert accused(MARKED) == []
    assert [claim[0] for claim in links(MARKED)].count("A") == 1
    assert accused(MARKED.replace("0.503", "0.533")) == ["A 0.533"]
