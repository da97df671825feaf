"""Documents in the forms that real notes use, each linked to the walk. Small numbers of our own."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, entries, linked, only_case

FENCES = """\
词元 ["甲", "乙"]，d_k = 2，所以 √d_k = 1.414

```
X = [[1, 0],    # "甲"
     [1, 2]]    # "乙"
W_Q = [[1, 1],
       [0, 1]]
W_K = [[2, 0],
       [1, 1]]
W_V = [[1, 0],
       [0, 3]]
Q[0] = X[0] × W_Q = [1, 0] × W_Q = [1, 1]
Q = [[1, 1],
     [1, 3]]
```

K = [[2, 0], [4, 2]]，V = [[1, 0], [1, 6]]

```
QK^T[0,1] = Q[0] · K[1] = [1,1] · [4,2]
          = 1×4 + 1×2 = 6
```

**第1行 (甲)：**

输入: 2
exp值: [4.11, 69.41]
总和: 4.11 + 69.41 = 73.52
softmax: [4.11/73.52, 69.41/73.52] = [0.06, 0.94]

```
Output[0] = 0.06×V[0] + 0.94×V[1]
          = [0.06,0.00] + [0.94,5.64]
          = [1.00, 5.64]
```
"""


def test_nested_lists_and_worked_lines_in_fences() -> None:
    case = only_case(read_notes(FENCES, None, "markdown"))
    assert case.tokens == ("甲", "乙")
    assert case.given["X"].typed == (("1", "0"), ("1", "2"))
    assert entries(case) == [
        ("sqrt(d_k)", 0, 0, None, "1.414", None, 1),
        ("Q", 0, 0, None, "1", None, 12),
        ("Q", 0, 1, None, "1", None, 12),
        ("Q", 0, 0, None, "1", None, 13),
        ("Q", 0, 1, None, "1", None, 13),
        ("Q", 1, 0, None, "1", None, 14),
        ("Q", 1, 1, None, "3", None, 14),
        ("K", 0, 0, None, "2", None, 17),
        ("K", 0, 1, None, "0", None, 17),
        ("K", 1, 0, None, "4", None, 17),
        ("K", 1, 1, None, "2", None, 17),
        ("V", 0, 0, None, "1", None, 17),
        ("V", 0, 1, None, "0", None, 17),
        ("V", 1, 0, None, "1", None, 17),
        ("V", 1, 1, None, "6", None, 17),
        ("Q", 0, 0, None, "1", None, 20),
        ("Q", 0, 1, None, "1", None, 20),
        ("K", 1, 0, None, "4", None, 20),
        ("K", 1, 1, None, "2", None, 20),
        ("scores", 0, 1, None, "6", "1*4 + 1*2", 21),
        ("exp", 0, 0, None, "4.11", None, 27),
        ("exp", 0, 1, None, "69.41", None, 27),
        ("sum", 0, 0, None, "73.52", "4.11 + 69.41", 28),
        ("A", 0, 0, None, "0.06", "4.11/73.52", 29),
        ("A", 0, 1, None, "0.94", "69.41/73.52", 29),
        ("A", 0, 0, None, "0.06", None, 32),
        ("A", 0, 1, None, "0.94", None, 32),
        ("Z.term", 0, 0, 0, "0.06", None, 33),
        ("Z.term", 0, 1, 0, "0.00", None, 33),
        ("Z.term", 0, 0, 1, "0.94", None, 33),
        ("Z.term", 0, 1, 1, "5.64", None, 33),
        ("Z", 0, 0, None, "1.00", "0.06 + 0.94", 34),
        ("Z", 0, 1, None, "5.64", "0.00 + 5.64", 34),
    ]


MATRICES = r"""
$$
Q = \begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix}, \quad
K = \begin{pmatrix} 3 & 1 \\ 0 & 1 \end{pmatrix}, \quad V = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}
$$
$$
\text{Scores} = \frac{Q K^T}{\sqrt{d_k}} = \frac{1}{\sqrt{2}} \begin{pmatrix}
1\cdot3 + 0\cdot1 & 0 \\ 0\cdot3 + 2\cdot1 & 2 \end{pmatrix} = \frac{1}{\sqrt{2}} \begin{pmatrix}
3 & 0 \\ 2 & 2 \end{pmatrix}
$$
$$ \text{Scores} = \begin{pmatrix} 2.12 & 0 \\ 1.41 & 1.41 \end{pmatrix} $$
$$ \text{Softmax}(\text{Scores}) \approx \begin{pmatrix} 0.89 & 0.11 \\ 0.50 & 0.50 \end{pmatrix} $$
$z_1 = 0.89 \cdot [1, 2] + 0.11 \cdot [3, 4] = [1.22, 2.22]$
"""


def test_matrices_and_chains_in_displays_with_scores_that_are_scaled_later() -> None:
    case = only_case(read_notes(MATRICES, None, "markdown"))
    found = entries(case)
    assert ("scores", 0, 0, None, "3", "1*3 + 0*1", 9) in found
    assert ("scores", 1, 0, None, "2", "0*3 + 2*1", 9) in found
    assert ("scaled", 0, 0, None, "2.12", None, 11) in found
    assert ("A", 0, 0, None, "0.89", None, 12) in found
    assert ("A", 0, 1, None, "0.11", None, 13) in found
    assert ("V", 1, 1, None, "4", None, 13) in found
    assert ("Z", 0, 0, None, "1.22", "0.89*1 + 0.11*3", 13) in found


LABELS = r"""句子 **"猫 坐"**，设 \( d_k = 2 \)。
\[
X = \begin{bmatrix} \text{猫} & 1 & 0 & 2 \\ \text{坐} & 0 & 1 & 1 \\ \end{bmatrix}
\]
\[
W^Q = \begin{bmatrix} 1 & 0 & 1 \\ 0 & 2 & 1 \end{bmatrix}
\]
\[
Q = X \cdot W^Q = \begin{bmatrix}
1×1 + 0×0 + 2×1 = 3 \\
1×0 + 0×2 + 2×1 = 2 \\
\vdots \\
\end{bmatrix}
\]
以“猫”（第1个词）为例：
\[
\frac{QK^T}{\sqrt{2}} = \frac{[6.0, 5.0]}{1.414} ≈ [4.24, 3.54]
\]
"""


def test_labels_beside_rows_worked_cells_and_a_vector_over_a_number() -> None:
    reading = read_notes(LABELS, None, "markdown")
    case = only_case(reading)
    assert case.tokens == ("猫", "坐")
    assert case.settings.weights == "transposed"
    assert [e for e in entries(case) if e[0] == "Q"] == [
        ("Q", 0, 0, None, "3", "1*1 + 0*0 + 2*1", 10),
        ("Q", 0, 1, None, "2", "1*0 + 0*2 + 2*1", 11),
    ]
    assert [e for e in entries(case) if e[0] in ("sqrt(d_k)", "scaled")] == [
        ("sqrt(d_k)", 0, 0, None, "1.414", None, 17),
        ("scaled", 0, 0, None, "4.24", "6.0/1.414", 17),
        ("scaled", 0, 1, None, "3.54", "5.0/1.414", 17),
    ]


ENGLISH = """\
Take "cats nap": $x_1 = (1, 0)$ and $x_2 = (1, 1)$, with
$q_1 = (1, 2)$, $k_1 = (0, 1)$, $k_2 = (1, 1)$, $v_1 = (1, 0)$ and $v_2 = (0, 1)$.

$q_1 \\cdot k_1 = 2$ and $q_1 \\cdot k_2 = (1)(1) + (2)(1) = 3$.
Divided by $\\sqrt{2} \\approx 1.414$, that is [1.41, 2.12].
Then $e^{1.41} \\approx 4.10$ and $e^{2.12} \\approx 8.33$, in total 12.43.
softmax = [0.33, 0.67]
"""


def test_row_vectors_and_single_exponentials_in_sentences() -> None:
    case = only_case(read_notes(ENGLISH, None, "markdown"))
    assert case.given["Q"].typed == (("1", "2"),)
    assert [e[:6] for e in entries(case)] == [
        ("scores", 0, 0, None, "2", None),
        ("scores", 0, 1, None, "3", "1*1 + 2*1"),
        ("sqrt(d_k)", 0, 0, None, "1.414", "sqrt(2)"),
        ("scaled", 0, 0, None, "1.41", None),
        ("scaled", 0, 1, None, "2.12", None),
        ("exp", 0, 0, None, "4.10", "exp(1.41)"),
        ("exp", 0, 1, None, "8.33", "exp(2.12)"),
        ("sum", 0, 0, None, "12.43", None),
        ("A", 0, 0, None, "0.33", None),
        ("A", 0, 1, None, "0.67", None),
    ]


TABLES = """\
| token | Query | Key | Value |
|-------|-------|-----|-------|
| a | [1, 0] | [0, 1] | [1, 2] |
| b | [0, 1] | [1, 1] | [3, 4] |

Scores, without scaling:

| | a | b |
|---|---|---|
| a | 0 | 1 |
| b | 1 | 1 |
"""


def test_pipe_tables_of_vectors_and_of_numbers() -> None:
    case = only_case(read_notes(TABLES, None, "markdown"))
    assert case.given["K"].typed == (("0", "1"), ("1", "1"))
    assert case.settings.scale == "1"
    assert [e[:5] for e in entries(case)] == [
        ("scores", 0, 0, None, "0"),
        ("scores", 0, 1, None, "1"),
        ("scores", 1, 0, None, "1"),
        ("scores", 1, 1, None, "1"),
    ]


COLUMNS = r"""
$x_1 = \begin{bmatrix} 1 \\ 2 \end{bmatrix}$, $x_2 = \begin{bmatrix} 0 \\ 1 \end{bmatrix}$,
$W_Q = \begin{bmatrix} 1 & 1 \\ 0 & 2 \end{bmatrix}$
$q_1 = W_Q x_1 = \begin{bmatrix} 3 \\ 4 \end{bmatrix}$, $q_2 = W_Q x_2 = (1, 2)^T$
"""


QUOTED = """\
> ### Q und K
>
> ```
> Q = [[1, 0],    # "a"
>      [1, 2]]    # "b"
> ```
>
> $$
> K = \\begin{bmatrix} 2 & 0 \\\\
> 4 & 2 \\end{bmatrix}
> $$
>
>> scores = [[2, 4],
>>           [2, 8]]
"""


def test_the_marks_of_a_block_quote_stand_in_no_matrix() -> None:
    case = only_case(read_notes(QUOTED))
    assert {name: given.typed for name, given in case.given.items()} == {
        "Q": (("1", "0"), ("1", "2")),
        "K": (("2", "0"), ("4", "2")),
    }
    assert [entry[:2] + entry[2:3] + entry[4:5] for entry in entries(case)] == [
        ("scores", 0, 0, "2"),
        ("scores", 0, 1, "4"),
        ("scores", 1, 0, "2"),
        ("scores", 1, 1, "8"),
    ]


def test_columns_instead_of_rows_are_recognised_by_what_they_explain() -> None:
    reading = read_notes(COLUMNS, None, "markdown")
    case = only_case(reading)
    assert case.settings.weights == "transposed"
    [weights] = [c for c in reading.conventions[0] if c.key == "weights"]
    assert (weights.declared, weights.inferred) == ("transposed", False)
    assert [e[:5] for e in entries(case)] == [
        ("Q", 0, 0, None, "3"),
        ("Q", 0, 1, None, "4"),
        ("Q", 1, 0, None, "1"),
        ("Q", 1, 1, None, "2"),
    ]


def test_a_positional_encoding_is_a_walk_of_its_own_from_the_position_that_is_named() -> None:
    text = r"$PE_{1,0} = \sin(1) \approx 0.84$, $PE_{1,1} = \cos(1) \approx 0.54$"
    case = only_case(read_notes(text, None, "markdown"))
    assert (case.settings.positions, case.settings.start, case.settings.d_model) == ("sinusoidal", 1, 2)
    assert [e[:6] for e in entries(case)] == [
        ("PE", 0, 0, None, "0.84", "sin(1)"),
        ("PE", 0, 1, None, "0.54", "cos(1)"),
    ]


def test_a_key_with_the_stroke_of_a_transpose_makes_scores() -> None:
    assert linked(f"{ATTENDED}\nQ*K' = [1 0; 0 2]\n") == [("scores", 0, (("1", "0"), ("0", "2")))]


def test_logits_by_the_letter_of_the_output_are_what_their_formula_says() -> None:
    text = "q = [2, 1]\n\nK = [[2, 2], [2, 1]]\n\n$z = qK^T = [6, 5]$\n"
    assert linked(text) == [("scores", 0, (("6", "5"),))]


def test_a_query_in_a_matrix_of_one_row_is_a_single_one() -> None:
    text = (
        "$q = \\begin{pmatrix}2 & 1\\end{pmatrix}$, $k_1 = (2, 2)$, $k_2 = (2, 1)$\n\n"
        "$q^\\top k_1 = 6$ and $q^\\top k_2 = 5$\n"
    )
    assert [name for name, *_ in linked(text)] == ["scores", "scores"]


def test_a_line_behind_a_plus_goes_on_with_the_sum_above_it() -> None:
    work = "  = 0.3*0.5 + 0.2*0.1\n    + 0.4*0.5 + 0.1*0.1\n  = 0.15 + 0.02 + 0.20 + 0.01\n  = 0.38\n"
    found = read_notes(f"score(q, k1)\n{work}", "a", "text").equations
    assert [each.printed for each in found] == ["0.15", "0.02", "0.20", "0.01", "0.38"]
