r"""What TeX and other programs put around numbers: comments, packages, matrices without an environment."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.comments import without_comments
from tests.linked import accused, given, linked

WALK = r"""
\[ Q = \begin{bmatrix} 1 & 0 \\ 0 & 2 \end{bmatrix},\quad K = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix} \]
\[ V = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix} \]
"""


@pytest.mark.parametrize(
    "left_out",
    [
        r"%\[ Q = \begin{bmatrix} 9 & 9 \\ 8 & 8 \end{bmatrix} \]",
        "\\begin{align}\n% Q &= \\begin{bmatrix} 9 & 9 \\\\ 8 & 8 \\end{bmatrix}\n\\end{align}",
        "\\begin{comment}\n$Q = [[9, 9], [8, 8]]$\n\\end{comment}",
        "\\iffalse $q_1 = [9, 9]$ \\fi",
    ],
)
def test_what_tex_leaves_out_is_not_read(left_out: str) -> None:
    text = f"{left_out}\n{WALK}{left_out}\n\\end{{document}}\n$q_1 = [9, 9]$\n"
    assert given(text, "Q", "latex") == (("1", "0"), ("0", "2"))
    assert not read_notes(text, "a", "latex").unread


def test_a_comment_behind_a_row_ends_no_row_and_percentages_stay() -> None:
    text = "1 & 2 \\\\% first [5, 5]\n50\\% and 84%. % old: 7\n\\begin{comment} open"
    made = without_comments(text)
    assert len(made) == len(text)
    assert made.split() == ["1", "&", "2", "\\\\", "50\\%", "and", "84%.", "\\begin{comment}", "open"]


@pytest.mark.parametrize(
    "row",
    [
        r"(\num{1}, \num{2})",
        r"[\textcolor{red}{1}, \mathbf{2}]",
        r"\alert{[1, 2]}",
        r"\colorbox{yellow}{[1, 2]}",
        r"\ensuremath{[1, {\color{blue} 2}]}",
    ],
)
def test_what_only_looks_different_is_the_same_number(row: str) -> None:
    assert ("Z", 0, (("1", "2"),)) in linked(f"{WALK}\n$A = [[1, 0], [0, 1]]$\n\n$z_1 = {row}$\n", "latex")


@pytest.mark.parametrize(
    "matrix",
    [
        r"\pmatrix{1 & 2 \cr 3 & 4}",
        r"\left[\matrix{1 & 2 \cr 3 & 4 \cr}\right]",
        r"\bordermatrix{ & 1 & 2 \cr \text{cat} & 1 & 2 \cr \text{dog} & 3 & 4 \cr }",
        "[■(1&2@3&4)]",
        "(■(1 & 2 @ 3 & 4))",
    ],
)
def test_a_matrix_needs_no_environment(matrix: str) -> None:
    text = f"$Q = {matrix}$\n\n$K = [[1, 0], [0, 1]]$\n\n$V = [[1], [0]]$\n\n$QK^T = [[1, 2], [3, 4]]$\n"
    assert given(text, "Q") == (("1", "2"), ("3", "4"))


def test_cells_that_are_not_closed_are_left() -> None:
    assert not read_notes("Q = [■(1&2@3&4\n\n\\bordermatrix{ & 1 \\cr", "a", "latex").cases


SOFTMAXED = r"""
$Q = [[1, 0], [0, 2]]$, $K = [[1, 0], [0, 1]]$

Softmax of the dot products divided by $\sqrt{2}$:

| | a | b |
|---|---|---|
| a | 0.67 | 0.33 |
| b | 0.20 | 0.80 |
"""


def test_the_softmax_of_what_is_divided_is_the_weights() -> None:
    assert accused(SOFTMAXED) == []
    assert linked(SOFTMAXED) == [("A", 0, (("0.67", "0.33"), ("0.20", "0.80")))]


def test_tokens_may_be_letters_beside_the_vectors() -> None:
    text = r"""
$q_a = (1, 0)$, $q_b = (0, 2)$, $k_a = (1, 0)$, $k_b = (0, 1)$, $v_a = (1, 2)$, $v_b = (3, 4)$

Dot products:

| | $k_a$ | $k_b$ |
|---|---|---|
| $q_a$ | 1 | 0 |
| $q_b$ | 0 | 2 |

The weights of $a$ are (0.67, 0.33), so $z_a = 0.67\,v_a + 0.33\,v_b = (1.66, 2.66)$.
"""
    assert ("scores", 0, (("1", "0"), ("0", "2"))) in linked(text)
    assert ("Z", 0, (("1.66", "2.66"),)) in linked(text)


def test_raw_beside_scaled_is_a_column_of_scores() -> None:
    text = """
$Q = [[1, 0], [0, 2]]$, $K = [[1, 0], [0, 1]]$

| pair | raw | scaled |
|---|---|---|
| a → a | 1 | 0.71 |
| a → b | 0 | 0.00 |
| b → a | 0 | 0.00 |
| b → b | 2 | 1.41 |
"""
    assert {(name, row) for name, row, _ in linked(text)} >= {("scores", 0), ("scores", 1)}


def test_what_a_block_is_called_by_raises_nothing() -> None:
    text = "$X = [[1, 0], [0, 1]]$\n\n$W_V = [[1, 2], [3, 4]]$ ^weights\n\n$V = [[1, 2], [3, 4]]$\n"
    assert given(text, "W_V") == (("1", "2"), ("3", "4"))


def test_heads_in_brackets_are_put_together() -> None:
    text = r"""
$X = [[1, 0], [0, 1]]$

### Head 1
$W_Q^1 = [[1], [0]]$, $W_K^1 = [[1], [0]]$, $W_V^1 = [[1], [2]]$
$head_1 = [[1.27], [1.50]]$

### Head 2
$W_Q^2 = [[1], [0]]$, $W_K^2 = [[0], [1]]$, $W_V^2 = [[1], [1]]$
$head_2 = [[1.00], [1.00]]$

### Concatenation
$[\mathrm{head}_1; \mathrm{head}_2] = [[1.27, 1.00], [1.50, 1.00]]$
"""
    assert any(name == "concat" for name, _, _ in linked(text))


SCORED = r"\[ QK^T = \begin{bmatrix} 1 & 0 \\ 0 & 2 \end{bmatrix}"
DIVIDED = r"\begin{bmatrix} 0.75 & 0 \\ 0 & 1.41 \end{bmatrix}"
WEIGHED = r"\begin{bmatrix} 0.67 & 0.33 \\ 0.21 & 0.80 \end{bmatrix} \]"


@pytest.mark.parametrize(
    ("root", "softmax"),
    [
        (r"\xrightarrow{\div\sqrt{2}}", r"\xrightarrow{\text{softmax}}"),
        (r"\;\overset{/\sqrt{d_k}}{\longrightarrow}\;", r"\overset{\text{softmax}}{\to}"),
    ],
)
def test_an_arrow_says_what_it_makes_of_a_matrix(root: str, softmax: str) -> None:
    text = f"{WALK}{SCORED} {root} {DIVIDED} {softmax} {WEIGHED}"
    assert accused(text) == ["scaled 0.75", "A 0.21"]
    printed = [claim for claim in linked(text) if claim[0] == "scaled"]
    assert sum(len(row) for _, _, rows in printed for row in rows) == 4


def test_an_arrow_between_lists_is_an_equation() -> None:
    assert accused(r"A list $[1, 0] \xrightarrow{\text{softmax}} [0.75, 0.27]$.") == ["= 0.75"]


@pytest.mark.parametrize(
    "rows",
    [
        "Row 1 gives [0.67, 0.33], row 2 gives [0.20, 0.81].",
        "The first row gives (0.67, 0.33) and the second row gives (0.20, 0.81).",
        "第 1 行得到 $[0.67, 0.33]$ ，第 2 行得到 $[0.20, 0.81]$ 。",
    ],
)
def test_rows_below_a_heading_are_those_of_its_quantity(rows: str) -> None:
    assert accused(f"{WALK}\n**4. Softmax**\n\n{rows}\n") == ["A 0.81"]


def test_the_softmax_of_a_row_by_its_number_is_a_row_of_weights() -> None:
    text = WALK + r"$\text{softmax}(\text{row }2) = [0.20, 0.81]$"
    assert linked(text) == [("A", 1, (("0.20", "0.81"),))]


@pytest.mark.parametrize("function", [r"\mathrm{Att}", "SDPA"])
def test_what_a_function_makes_of_queries_keys_and_values_is_the_output(function: str) -> None:
    text = f"{WALK}$${function}(Q, K, V) = [[1.66, 2.66], [2.61, 3.61]]$$\n"
    assert linked(text) == [("Z", 0, (("1.66", "2.66"), ("2.61", "3.61")))]


def test_words_say_that_a_letter_is_a_context_vector() -> None:
    text = WALK + "The context vectors are $c_1 = (1.66, 2.66)$ and $c_2 = (2.61, 3.71)$.\n"
    assert accused(text) == ["Z 3.71"]


def test_scores_over_a_root_in_tex_are_scaled_whatever_their_numbers() -> None:
    text = WALK + "\nScaled scores $QK^T/\\sqrt{d_k}$:\n\n$$[[0.45, 0.00], [0.00, 0.89]]$$\n"
    assert accused(text) == ["scaled 0.45", "scaled 0.89"]


SWAPPED = """
$x = [0.5, 0.2]$, $W = [[1, 2, 3, 4], [5, 6, 7, 8]]$, $b = [0.1, 0.1, 0.1, 0.1]$

$x W + b = [1.6, 2.3, {}]$
"""


def test_two_swapped_numbers_of_four_do_not_make_a_formula_another() -> None:
    assert accused(SWAPPED.format("3.0, 3.7")) == []
    assert accused(SWAPPED.format("3.7, 3.0")) == ["= 3.7", "= 3.0"]


def test_an_encoding_of_more_positions_than_there_are_tokens_is_judged_by_its_working() -> None:
    text = r"""
$e_0 = [0.1, 0.2]$, $e_1 = [0.3, 0.4]$

\begin{align*}
x_0 &= e_0 + PE_0 = [0.1000, 1.2000] \\
x_1 &= e_1 + PE_1 = [1.1415, 0.9403]
\end{align*}

\begin{align*}
PE_0 &= [\sin 0, \cos 0] = [0.0000, 1.0000] \\
PE_1 &= [\sin 1, \cos 1] = [0.8415, 0.5403] \\
PE_2 &= [\sin 2, \cos 2] = [0.9093, -0.4461]
\end{align*}
"""
    assert accused(text) == ["= -0.4461"]


def test_a_line_that_divides_all_scores_goes_through_them_in_order() -> None:
    text = r"""
$Q = [[1, 0], [-1, 2]]$, $K = [[0, 1], [2, 1]]$, $V = [[1, -1], [0, -1]]$, $d_k = 2$

$q_1 k_1 = 0$, $q_1 k_2 = 2$

$q_2 k_1 = 2$, $q_2 k_2 = 0$

Scale: $0/\sqrt{2} = 0.00$, $2/\sqrt{2} = 1.41$; $2/\sqrt{2} = 1.41$, $0/\sqrt{2} = 0.00$.
"""
    assert [(row, said[0][0]) for name, row, said in linked(text) if name == "scaled"] == [
        (0, "0.00"),
        (0, "1.41"),
        (1, "1.41"),
        (1, "0.00"),
    ]
