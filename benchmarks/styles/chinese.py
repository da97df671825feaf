"""What the Chinese styles share: their examples, words, and numerals for counting."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.tasks import Task

KINDS = {"Q": "查询", "K": "键", "V": "值"}
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
SHORT = replace(CHINESE, n=(2, 3))
