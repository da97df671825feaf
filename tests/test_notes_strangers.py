"""Matrices and numbers of other subjects, whose letters and words are those of attention."""

from __future__ import annotations

import pytest

from tests.linked import accused

MAPS = """\
# Linear maps

```python
S = torch.tensor([[2., 0.], [0., 2.]])
A = torch.tensor([[2., 0.], [0., 3.]])
```

Scaled:

```python
S = torch.tensor([[1.5, 0.], [0., 1.5]])
```
"""
WEIGHED = "scores = [[2.0, 1.0], [0.5, 3.0]]\n\nA = softmax(scores) = [[{}, 0.30], [0.10, 0.90]]\n"


def test_an_example_of_which_nothing_is_right_is_none() -> None:
    assert accused(MAPS) == []


def test_an_example_of_which_something_is_right_is_one() -> None:
    assert accused(WEIGHED.format("0.73")) == ["A 0.30", "A 0.10", "A 0.90"]


@pytest.mark.parametrize(
    "text",
    [
        "nn.init.uniform_(weight, -0.1, 0.1)\nweight.normal_(mean=0, std=0.02)\n",
        "w 的范围在 [-100, 100]，经过处理的数据符合标准正态分布，即均值为 0，标准差为 1。\n",
        "`10^8 * 2 * 10^6 = 2 * 10^14 = 200 Terabytes`.\n",
        "| | h |\n|---|---|\n| 1 | 9-11h |\n| 2 | 2-3h |\n| 3 | 1-2h |\n| **Total** | **12-16h** |\n",
        '- **Measurement:** KPIs ("Reduced response time by 50%," "90% accuracy in data").\n',
        "标签被均值为0，标准差为0.01高斯噪声破坏。\n" + 2 * "    initializer=Normal(mean=0.0, std=1.0))\n",
        "- comms = `3 * 2 * 80 / 212` = 2 sec\n",
        "This takes $1024 \\times 512 = 524{,}288$ extra weights.\n",
    ],
)
def test_arguments_rounded_quotients_and_thousands_are_no_slips(text: str) -> None:
    assert accused(text) == []


def test_statistics_in_brackets_are_claims() -> None:
    assert accused("The vector [1, 2, 3] has (mean = 2, std = 1.82).\n") == ["= 1.82"]


def test_integers_are_equal_or_not() -> None:
    assert accused("So 3 * 2 * 80 = 470, and 481 / 2 = 241.\n") == ["= 470", "= 241"]
