"""Queries that meet the same keys one after another, each in a walk of its own."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from tests.linked import accused

WORKED = """
Head 1: q = [0, 2]
  scores  [2, 0]
  scaled  [1.414, 0.000]
  weights [0.804, 0.196]
  output  [2.000, 0.196]

Head 2: q = [1, 2]
  scores  {scores}
  scaled  {scaled}
  weights {weights}
  output  {output}
"""
ONE = "K = [[1, 1], [2, 0]], V = [[2, 0], [2, 1]], d_k = 2\n"
TWO = """\
Group A: K = [[1, 1], [2, 0]]   V = [[2, 0], [2, 1]]
Group B: K = [[1, 1], [1, 2]]   V = [[1, 2], [1, 0]]
"""
OF_ONE = {
    "scores": "[3, 2]",
    "scaled": "[2.121, 1.414]",
    "weights": "[0.670, 0.330]",
    "output": "[2.000, 0.330]",
}
OF_TWO = {
    "scores": "[3, 5]",
    "scaled": "[2.121, 3.536]",
    "weights": "[0.196, 0.804]",
    "output": "[1.000, 0.391]",
}


def test_heads_that_share_keys_and_values_have_a_walk_each() -> None:
    text = ONE + WORKED.format(**OF_ONE)
    reading = read_notes(text)
    assert [case.given["Q"].typed for case in reading.cases] == [(("0", "2"),), (("1", "2"),)]
    assert (accused(text), reading.unread) == ([], ())


def test_a_slip_of_a_later_head_is_one_of_its_own_walk() -> None:
    text = ONE + WORKED.format(**{**OF_ONE, "output": "[2.000, 0.380]"})
    assert accused(text) == ["Z 0.380"]


def test_heads_of_groups_meet_the_keys_that_their_scores_follow() -> None:
    text = TWO + WORKED.format(**OF_TWO)
    keys = [case.given["K"].typed[1] for case in read_notes(text).cases]
    assert (keys, accused(text)) == ([("2", "0"), ("1", "2")], [])
    assert accused(text.replace("0.391", "0.931")) == ["Z 0.931"]


def test_a_query_that_follows_keys_of_two_groups_alike_has_none() -> None:
    text = TWO + WORKED.format(**{**OF_TWO, "scores": "[3, 4]", "output": "[1.000, 0.490]"})
    assert accused(text) == []


def test_two_heads_with_one_query_meet_the_groups_that_they_name() -> None:
    groups = (
        "KV 组 1：K = [[1, 1], [2, 0]]，V = [[1], [3]]\n\nKV 组 2：K = [[1, 1], [1, 2]]，V = [[2], [4]]\n\n"
    )
    heads = [(1, "[3, 2]", "[1.660]"), (2, "[3, 5]", "[{}]")]
    text = groups + "".join(
        f"Query 头 {k}（用 KV 组 {k}）：q = [1, 2]\n\n- 得分：{scores}\n- 输出：{output}\n\n"
        for k, scores, output in heads
    )
    assert accused(text.format("3.609")) == []
    assert accused(text.format("3.906")) == ["Z 3.906"]
