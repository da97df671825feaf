"""Frames around a part of a page are no part of it; what has bars between its cells is a table."""

from __future__ import annotations

import pytest

from symattn.reading.notes.layout.boxes import without_boxes
from tests.linked import ATTENDED, linked

ROUND = """\
┌─ Q K^T ──┐
│ 1 0      │
│ 0 2      │
└────┬─────┘
"""
ASCII = """\
+----------+
| Q K^T    |
|  1 0     |
|  0 2     |
+----------+
"""
TABLE = """\
+---+---+
| 1 | 0 |
+---+---+
| 0 | 2 |
+---+---+
"""


@pytest.mark.parametrize("box", [ROUND, ASCII])
def test_a_matrix_in_a_box_is_what_its_title_says(box: str) -> None:
    assert len(without_boxes(box)) == len(box)
    text = f"{ATTENDED}\n        |\n        v\n{box}\n"
    assert [(name, rows) for name, _, rows in linked(text, "text")] == [("scores", (("1", "0"), ("0", "2")))]


@pytest.mark.parametrize("text", [TABLE, "│ 1 0 │\n│ 0 2 │\n", "+---\n| no box\n", "┌──┐\n└──┘\n"])
def test_what_is_no_box_stays(text: str) -> None:
    assert without_boxes(text) == text
