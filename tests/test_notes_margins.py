"""What stands before every line of a listing is none of its numbers, and hides no row of a matrix."""

from __future__ import annotations

import pytest

from symattn.reading.notes.layout.margins import without_margins
from tests.linked import linked

LISTING = """the trace
X  = [[1, 2], [3, 4]]
Wq = [[1, 0],
      [1, 1]]

Q = X.Wq
  = [[3, 2],
     [7, 4]]
"""


@pytest.mark.parametrize(
    "margin",
    ["{n:3d}  ", "{n}: ", "{n:2d} | ", "{n:6d}\t", "L{n}: ", "// ", "# ", "-- ", "[12:10:{n:02d}] INFO "],
)
def test_a_listing_is_read_without_its_margin_and_every_offset_stays(margin: str) -> None:
    lines = [f"{margin.format(n=n)}{line}".rstrip() for n, line in enumerate(LISTING.split("\n"), 1)]
    text = "\n".join(lines)
    assert len(without_margins(text)) == len(text)
    assert linked(text) == linked(LISTING)
    assert [name for name, *_ in linked(text)] == ["Q"]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{n}  word{n}  0.{n}  1.{n}" for n in range(10)),  # the rows of a table
        "\n".join(f"{n}: q = [{n}, 1]" for n in range(10)),  # tokens by their positions
        "1. Take Q = [1].\n2. Take K.\n" * 5,
        "# Title\n\nQ = [[1]]\n\n## Part\n\nK = [[1]]\n\n",
    ],
)
def test_numbers_that_tell_something_are_no_margin(text: str) -> None:
    assert without_margins(text) == text


def test_the_dashes_before_rows_in_yaml_are_a_margin() -> None:
    text = "X:\n  - [1, 2]\n  - [3, 4]\nW_Q:\n  - [1, 0]\n  - [1, 1]\nQ:\n  - [3, 2]\n  - [7, 4]\n"
    assert linked(text) == [("Q", 0, (("3", "2"), ("7", "4")))]
