"""What the Chinese styles share: their examples, and numerals for counting."""

from __future__ import annotations

from benchmarks.styles.tasks import Task

NUMERALS = "一二三四五六七八九十"
CHINESE = Task(
    n=(2, 3, 3, 4),
    d_model=(2, 3, 3, 4),
    d_k=(2, 2, 3),
    d_v=(0, 0, 2),
    inputs=(0, 1, 1),
    places=(2, 2, 2, 3, 3, 4),
    stripped=(False, False, False, False, False, True),
)
