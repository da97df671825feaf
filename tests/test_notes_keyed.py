"""Rows told key by key, a line each, below words that say what the numbers are."""

from __future__ import annotations

from tests.linked import accused, links

TOKENS = """\
- 狗：q = [3, 0, 1]，k = [0, 2, 0]，v = [0, 1]
- 追：q = [1, 1, 0]，k = [0, 1, 0]，v = [1, 1]

"""
ROW = """\
{title}：{token}

- 点积得分
  - 狗：{scores[0]}
  - 追：{scores[1]}
- exp值
  - 狗：{powers[0]}
  - 追：{powers[1]}
- 总和：{total}
- 注意力权重
  - 狗：{weights[0]}
  - 追：{weights[1]}
- 输出：{output}

"""
FIRST = ROW.format(
    title="查询词",
    token="狗",
    scores=("0", "0"),
    powers=("1.00", "1.00"),
    total="2.00",
    weights=("50%", "50%"),
    output="[0.5, 1.0]",
)
SECOND = {
    "title": "查询词",
    "token": "追",
    "scores": ("2", "1"),
    "powers": ("3.17", "1.78"),
    "total": "4.95",
    "weights": ("0.64", "0.36"),
    "output": "[0.36, 1.00]",
}


def test_keys_line_by_line_are_the_row_of_the_words_above_all_of_them() -> None:
    text = TOKENS + FIRST + ROW.format(**SECOND)
    said = [(name, row) for name, row, _, _ in links(text)]
    assert {("scores", 0), ("exp", 0), ("A", 0), ("Z", 0)} < set(said)
    assert {("scores", 1), ("exp", 1), ("A", 1), ("Z", 1)} < set(said)
    assert accused(text) == []


def test_a_wrong_number_of_one_key_is_found() -> None:
    text = TOKENS + FIRST + ROW.format(**{**SECOND, "powers": ("3.71", "1.78")})
    assert accused(text)[:1] == ["exp 3.71"]


def test_lines_that_leave_a_token_out_are_no_row() -> None:
    text = TOKENS + "查询词：狗\n\n- 点积得分\n  - 狗：7\n  - 鸟：8\n"
    assert accused(text) == []
