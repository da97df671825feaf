"""Right numbers that stand among others, are of a variant, or come before their inputs: none is accused."""

from __future__ import annotations

import json

import pytest

from symattn.auditor.report import WRONG
from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind
from tests.linked import accused

GROUPED = """\
Group A: keys [1, 2] and [0, 0], values [1, 3] and [3, 0].

Group B: keys [2, 2] and [0, 1], values [1, 0] and [1, 1].

* head 1: q = [1, 1], scores / √2 = [2.12, 0.00], weights = [0.89, 0.11], output = [1.21, 2.68]
* head 3: q = [-0.5, -0.3], scores / √2 = [-1.13, -0.21], weights = [0.29, 0.71], output = [1.00, 0.71]
* head 4: q = [1, 1], scores / √2 = [2.83, 0.71], weights = [0.89, 0.11], output = [1.00, 0.11]
"""
LUONG = """\
Encoder states: h_1 = [1, 1], h_2 = [2, 0], h_3 = [2, 1]. The decoder state is s_2 = [1, 2].

s_2 against all h: [3, 2, 4]

alpha = [0.2447, 0.0900, 0.6652]
"""
MERGED = """\
Raw scores (already divided by √d_k):

[[2.1, 2.4, 1.1],
 [2, 1.4, 1.3],
 [1.1, 0.5, 2.9]]

# Another one

|  | q_1 | q_2 | k_1 | k_2 |
|---|---|---|---|---|
| t1 | 0 | 0 | 0 | 2 |
| t2 | 0 | 1 | 0 | 2 |
| t3 | 2 | 1 | 1 | 2 |
"""
AGAIN = """\
Q = [[0, 2], [2, 2], [0, 1]]
K = [[1, 0], [1, 0], [1, 2]]

weights = [[0.053, 0.053, 0.894], [0.053, 0.053, 0.894], [0.164, 0.164, 0.673]]

Other numbers now.

Q = [[2, 2], [2, 1], [0, 1]]
K = [[0, 1], [2, 0], [0, 2]]
"""
LARGE = """\
Q = [[1, 2]]
K = [[2, 2], [1, 1]]

scores = [6, 3]
scaled = [4.24, 2.12]

In GPT-2 (124M),
d_k = 64 and √64 = 8;
in GPT-3 it is 128.
"""
COUNTED = """\
q = (-0.4, 0.3); k_1 = (2, 0.4); k_2 = (1.7, 0.8); k_3 = (0.1, -0.4)

1. scores: (-0.68, -0.44, -0.16) 2. divide by √2 ≈ 1.41: (-0.48, -0.31, -0.11) 3. exp: (0.62, 0.73, 0.90) \
4. sum: 2.25 5. weights: (0.28, 0.32, 0.40)
"""
BATCHED = """\
Q.shape = (2, 2, 4, 4)

query = [2, 3, 2]

| key | vector | dot |
|---|---|---|
| A | [2, 3, 1] | 15 |
| B | [4, 3, 3] | 23 |

weights = [0.000, 1.000]
"""
PRODUCTS = """\
Q[0] = [[1.0, 1.0], [2.0, 0.0]]
K[0] = [[0.0, 1.0], [1.0, 0.0]]
V[0] = [[2.0, 2.0], [0.0, 2.0]]
scores[0] = [[0.7071, 0.7071], [0.0000, 1.4142]]
Q[1] = [[1.0, 2.0], [0.0, 0.0]]
K[1] = [[2.0, 0.0], [0.0, 2.0]]
V[1] = [[2.0, 1.0], [1.0, 2.0]]
scores[1] = [[1.4142, 2.8284], [0.0000, 0.0000]]
"""
TORN_HEAD = """\
K = [[0, 2], [0, 0]]
V = [[3, 0], [1, 3]]

Head 1: Q_1 = [[0, 0], [2, 2]]

Q_1 K^T = [[0, 0], [4, 0]]

scaled = [[0.0, 0.0], [2.8, 0.0]]

Head 2: Q_2 = [[1, 1], ...]

Q_2 K^T = [[2, 0], [2, 0]]

scaled = [[1.4, 0.0], [1.4, 0.0]]
"""
SUMS = "softmax([0, 0]) = [0.5, 0.5].\n\nThe entries of the gradient sum to 0.\n"
ROUNDED = """\
scores [1, 5, 1]; the maximum is 5; subtract it: [-4, 0, -4].

exp: [0.0183, 1.0000, 0.0183]; sum = 1.0366; alpha: [0.0177, 0.9647, 0.0177]

Without subtracting: exp gives [2.72, 148.41, 2.72], sum 153.85, the same alpha [0.02, 0.96, 0.02].
"""
GRADIENT = """\
> | word | logit | probability | log-probability |
> |---|---|---|---|
> | mat | 0.5 | 0.1487 | -1.9060 |
> | dog | 0.7 | 0.1816 | -1.7060 |
> | moon | 1.9 | 0.6029 | -0.5060 |
> | sofa | -0.3 | 0.0668 | -2.7060 |
>
> The loss is -log(0.0668) = 2.706, and the perplexity is exp(2.706) = 14.97.
>
> Gradient with respect to the logits, p - y: (0.1487, 0.1816, 0.6029, -0.9332)
"""


def _accused(text: str, kind: Kind = "markdown") -> list[str]:
    reports = document_reports(text, "a.md", kind)
    numbers = [each.printed.numeral.text for r in reports for each in r.judgements if each.verdict in WRONG]
    return numbers + [each.code for r in reports for each in r.remarks if each.verdict in ("slip", "claim")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(GROUPED, id="beside a query, scores and weights of another group"),
        pytest.param(LUONG, id="a decoder's state is no score"),
        pytest.param(MERGED, id="above its inputs"),
        pytest.param(AGAIN, id="other inputs"),
        pytest.param(LARGE, id="a root of a large model"),
        pytest.param(COUNTED, id="steps counted in a line"),
        pytest.param(BATCHED, id="a shape with four sizes"),
        pytest.param(PRODUCTS, id="a product by chance"),
        pytest.param(TORN_HEAD, id="a head whose query is cut short"),
        pytest.param(SUMS, id="a sum of something else"),
        pytest.param(ROUNDED, id="a list again with fewer digits"),
        pytest.param(GRADIENT, id="no exponential is below zero"),
    ],
)
def test_no_right_number_is_accused(text: str) -> None:
    assert _accused(text) == []


def test_the_weights_of_raw_scores_are_no_slip_where_the_scaled_ones_follow() -> None:
    def run(source: str, shown: str) -> dict[str, object]:
        data = {"text/plain": f"tensor({shown})"}
        output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}
        return {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "source": source,
            "outputs": [output],
        }

    inputs = "Q = torch.tensor([[1., 0.], [0., 1.]])\nK = torch.tensor([[0., 1.], [2., 1.]])\n"
    raw = "[[0.1192, 0.8808], [0.5000, 0.5000]]"
    scaled = "[[0.1956, 0.8044], [0.5000, 0.5000]]"
    cells = [
        run(
            inputs + "V = torch.tensor([[1., 0.], [0., 2.]])\nQ @ K.T", "[[0.0000, 2.0000], [1.0000, 1.0000]]"
        ),
        run("torch.softmax(Q @ K.T, -1)", raw),
        {"cell_type": "markdown", "metadata": {}, "source": "Now scaled by $\\sqrt{2}$:"},
        run("W = torch.softmax(Q @ K.T / 2**0.5, -1)\nW", scaled),
        run("W @ V", "[[0.1956, 1.6089], [0.5000, 1.0000]]"),
    ]
    notebook = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    assert _accused(notebook, "notebook") == []


def test_a_slip_among_the_numbers_of_its_walk_is_still_found() -> None:
    text = GROUPED.split("* head 3")[0].replace(
        "Group B: keys [2, 2] and [0, 1], values [1, 0] and [1, 1].\n", ""
    )
    assert _accused(text.replace("0.89, 0.11", "0.79, 0.11")) == ["0.79"]


ABOVE = """\
Each word is a vector:
```
"sun"  = [0.1, 0.9, 0.4]
"rose" = [0.6, 0.2, 0.8]
```
```
Query("rose") = "rose" × W_Q → [0.5, 0.2]
Key("sun")    = "sun" × W_K  → [0.7, 0.3]
Key("rose")   = "rose" × W_K → [0.2, 0.8]
```
```
Score("rose" → "sun") = Query("rose") · Key("sun")
                      = (0.5 × 0.7) + (0.2 × 0.3)
                      = 0.41

Score("rose" → "rose") = Query("rose") · Key("rose")
                       = (0.5 × 0.2) + (0.2 × 0.8)
                       = 0.26
```
Scaled scores:
"sun":  0.41 / 1.414 = 0.290
"rose": 0.26 / 1.414 = 0.184

## The same in Python

```python
W_Q = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
W_K = np.array([[0.7, 0.8], [0.9, 0.1], [0.2, 0.4]])
```
"""


def test_numbers_made_up_above_the_weights_of_a_program_are_none_of_its() -> None:
    assert accused(ABOVE) == []
    assert accused(ABOVE.replace("= 0.290", "= 0.390")) == ["scaled 0.390"]
    assert accused(ABOVE.replace("= 0.41\n", "= 0.47\n")) == []
