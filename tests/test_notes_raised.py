"""Vectors whose index stands above the letter, and inputs that are called a, as lectures write them."""

from __future__ import annotations

import pytest

from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.formula import Binary, Chain, Name
from symattn.reading.notes.formulas.raised import with_raised
from symattn.reading.notes.formulas.tokens import tokens
from tests.linked import accused, links

LECTURE = r"""
$$a^1=\begin{bmatrix}1\\0\end{bmatrix},\ a^2=\begin{bmatrix}1\\1\end{bmatrix}$$
$$W^q=\begin{bmatrix}2 & 0\\0 & 1\end{bmatrix}, W^k=\begin{bmatrix}1 & 1\\0 & 1\end{bmatrix},
W^v=\begin{bmatrix}1 & 0\\1 & 1\end{bmatrix}$$

$$q^1=W^qa^1=\begin{bmatrix}2\\0\end{bmatrix},\ q^2=W^qa^2=\begin{bmatrix}2\\1\end{bmatrix}$$
$$k^1=W^ka^1=\begin{bmatrix}1\\0\end{bmatrix},\ k^2=W^ka^2=\begin{bmatrix}2\\1\end{bmatrix}$$
$$v^1=W^va^1=\begin{bmatrix}1\\1\end{bmatrix},\ v^2=W^va^2=\begin{bmatrix}1\\2\end{bmatrix}$$

$$\alpha_{1,1}=\frac{q^1\cdot k^1}{\sqrt{2}}=\frac{2}{\sqrt{2}}=1.41,
\ \alpha_{1,2}=\frac{q^1\cdot k^2}{\sqrt{2}}=\frac{4}{\sqrt{2}}=2.83$$
$$\hat\alpha_{1,1}=0.20,\ \hat{\alpha}_{1,2}=0.80$$
$$b^1=0.20\begin{bmatrix}1\\1\end{bmatrix}+0.80\begin{bmatrix}1\\2\end{bmatrix}=\begin{bmatrix}1.00\\1.80\end{bmatrix}$$
"""


def test_a_lecture_with_indices_above_is_read_to_its_end() -> None:
    assert accused(LECTURE) == []
    assert {name for name, *_ in links(LECTURE)} >= {"Q", "K", "V", "scores", "scaled", "A"}


@pytest.mark.parametrize("last", ["1.80", "1.08"])
def test_a_sum_over_an_index_above_makes_the_output_whatever_its_letter(last: str) -> None:
    told, _, _ = (
        LECTURE.replace(r"\hat\alpha", r"\alpha'").replace(r"\hat{\alpha}", r"\alpha'").partition("$$b^1")
    )
    told += rf"$$b^1=\sum_i\alpha'_{{1,i}}v^i=\begin{{bmatrix}}1.00\\{last}\end{{bmatrix}}$$"
    assert [claim for claim in links(told) if claim[0] == "Z"] == [("Z", 0, 0, (("1.00", last),))]
    assert accused(told) == ([] if last == "1.80" else ["Z 1.08"])


@pytest.mark.parametrize(
    ("right", "wrong", "found"), [(r"k^2=W^ka^2=\begin{bmatrix}2", r"k^2=W^ka^2=\begin{bmatrix}3", "K 3")]
)
def test_a_wrong_entry_of_such_a_vector_is_found(right: str, wrong: str, found: str) -> None:
    assert accused(LECTURE.replace(right, wrong))[:1] == [found]


def test_a_power_stays_a_power_where_no_vectors_are_counted_above() -> None:
    read = items(with_raised(tokens("$y = x^2 + k^2 = 5$", "markdown")))
    assert isinstance(read[0].node, Chain)
    assert isinstance(read[0].node.members[1], Binary)
    assert all(
        isinstance(part, Binary) for part in (read[0].node.members[1].left, read[0].node.members[1].right)
    )


def test_the_script_of_a_projection_is_one_letter() -> None:
    read = items(with_raised(tokens("$q = W^qx_1 = 3$", "markdown")))
    assert isinstance(read[0].node, Chain)
    product = read[0].node.members[1]
    assert isinstance(product, Binary)
    assert isinstance(product.right, Name)
    assert product.right.text == "x_1"
