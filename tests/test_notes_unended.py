"""Decimals with dots behind them are numbers whose digits go on, and not the end of what was left out."""

from __future__ import annotations

import pytest

from symattn.reading.notes.layout.unended import without_unended
from tests.linked import accused

TEXT = """\
q = [1, 0], k_1 = [1, 1], k_2 = [0, 2], v_1 = [2, 0], v_2 = [0, 1]

The scores are 1 and 0. With √2 = 1.414… we have 1/√2 = 0.707…, and 0/√2 = 0.

e^0.707… = 2.028..., e^0 = 1, sum = 2.028... + 1 = 3.028...

a_1 = 2.028.../3.028... = 0.6698..., a_2 = 1/3.028... = 0.3302...

z = 0.6698... · [2, 0] + 0.3302... · [0, 1] = [1.3396…, 0.3302…]
"""


def test_digits_that_go_on_are_cut_off_and_nothing_else() -> None:
    assert accused(TEXT) == []
    assert accused(TEXT.replace("= 3.028...", "= 3.208...")) != []


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("1.414… and 2.8...", "1.414  and 2.8   "),
        (r"\sqrt{2} = 1.414\ldots", r"\sqrt{2} = 1.414      "),
        ("[0.1, …, 0.9] and 0.1…0.9", "[0.1, …, 0.9] and 0.1…0.9"),
        ("1, 2, 3...", "1, 2, 3..."),
    ],
)
def test_dots_that_leave_out_numbers_stay(said: str, read: str) -> None:
    assert without_unended(said) == read
