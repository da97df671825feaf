"""A document that begins in the middle of its inputs: what stands of the later tokens is not of the first."""

from __future__ import annotations

from tests.linked import accused

TOKENS = (
    "- a: $q_1=[1, 0]$, $k_1=[2, 1]$, $v_1=[2, 1]$\n",
    "- b: $q_2=[1, 1]$, $k_2=[1, 0]$, $v_2=[0, 1]$\n",
    "- c: $q_3=[2, 1]$, $k_3=[1, 1]$, $v_3=[1, 3]$\n",
)
WORKED = """
### a

$$q_1\\cdot k_1=2,\\quad q_1\\cdot k_2=1,\\quad q_1\\cdot k_3=1$$

Divided by $\\sqrt{2}$: $1.41,\\ 0.71,\\ 0.71$; softmax gives $0.50,\\ 0.25,\\ 0.25$.

### b

$$q_2\\cdot k_1=3,\\quad q_2\\cdot k_2=1,\\quad q_2\\cdot k_3=2$$

Divided by $\\sqrt{2}$: $2.12,\\ 0.71,\\ 1.41$; softmax gives $0.58,\\ 0.14,\\ 0.28$.

### c

$$q_3\\cdot k_1=5,\\quad q_3\\cdot k_2=2,\\quad q_3\\cdot k_3=3$$

Divided by $\\sqrt{2}$: $3.54,\\ 1.41,\\ 2.12$; softmax gives $0.73,\\ 0.09,\\ 0.18$.
"""


def test_scores_of_more_queries_than_are_given_are_of_them_all() -> None:
    assert accused(f"{''.join(TOKENS[1:])}{WORKED}") == []
    assert accused(f"{''.join(TOKENS)}{WORKED}") == []


def test_the_only_query_that_is_left_is_not_the_first() -> None:
    text = "$q_2 = (0, 2)$, $k_2 = (1, 0)$, $v_2 = (1, 0)$.\n\n"
    root = "Divided by $\\sqrt{2}$"
    text += f"**Token 1.** $q_1\\cdot k_1 = 1$ and $q_1\\cdot k_2 = 2$. {root}: $0.707$ and $1.414$.\n\n"
    text += f"**Token 2.** $q_2\\cdot k_1 = 2$ and $q_2\\cdot k_2 = 0$. {root}: $1.414$ and $0.000$.\n"
    assert accused(text) == []
