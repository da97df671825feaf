"""Tables whose rows are the steps of one query, and tables whose first column tells the tokens."""

from __future__ import annotations

from tests.linked import accused, links

STEPS = """\
q = [1, 0]

k_北京 = [1, 0], v_北京 = [0, 2]
k_下 = [0, 1], v_下 = [2, 1]
k_雪 = [1, 1], v_雪 = [1, 0]

| 步骤 | 北京 | 下 | 雪 | 合计 |
|---|---|---|---|---|
| 点积 | 1 | 0 | 1 | - |
| ÷√2 | 0.707 | 0.000 | 0.707 | - |
| exp | 2.028 | 1.000 | 2.028 | 5.056 |
| softmax | 0.401 | 0.198 | 0.401 | 1 |
"""
OF_TOKENS = """\
| 词 | 查询 q | 键 k | 值 v |
|---|---|---|---|
| 小明 | [1, 0] | [1, 0] | [0, 2] |
| 苹果 | [0, 2] | [1, 1] | [1, 0] |

#### 苹果

| 目标词 | q·k | ÷√2 | 权重 |
|---|---|---|---|
| 小明 | 0 | 0.000 | 0.196 |
| 苹果 | 2 | 1.414 | 0.804 |
"""


def test_rows_of_a_table_may_be_the_steps_of_one_query() -> None:
    assert [name for name, *_ in links(STEPS)] == ["scores", "scaled", "exp", "sum", "A"]
    assert accused(STEPS) == []


def test_a_wrong_step_of_such_a_table_is_found() -> None:
    assert accused(STEPS.replace("2.028 | 1.000", "2.820 | 1.000"))[:1] == ["exp 2.820"]


def test_the_first_column_of_a_table_of_vectors_tells_the_tokens() -> None:
    assert {(name, row) for name, row, *_ in links(OF_TOKENS)} == {("scores", 1), ("scaled", 1), ("A", 1)}


def test_a_line_may_begin_with_a_token_and_its_query() -> None:
    text = "机器  q=(1,2)  k=(1,1)  v=(0,2)\n学习  q=(1,3)  k=(0,2)  v=(1,2)\n\n"
    text += "机器→机器：3 → 2.12\n机器→学习：4 → 2.83\n学习→机器：4 → 2.83\n学习→学习：6 → 4.24\n"
    assert [name for name, *_ in links(text)].count("scaled") == 4
