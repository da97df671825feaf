"""Formulas as notes write them, read into trees."""

from __future__ import annotations

import pytest

from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Dots,
    Grid,
    Index,
    Name,
    Negate,
    Node,
    Num,
    Row,
    Transpose,
    Words,
)
from symattn.reading.notes.formulas.tokens import tokens


def shown(node: Node) -> str:
    """A tree as one line, every operation in brackets."""
    match node:
        case Num(text=text):
            return text
        case Name(text=text, subs=subs):
            return "_".join((text, *subs))
        case Index(of=inner, at=at):
            return f"{shown(inner)}@{','.join(map(str, at))}"
        case Row(items=cells):
            return f"[{' '.join(map(shown, cells))}]"
        case Grid(rows=rows):
            return "{" + "; ".join(" ".join(map(shown, row)) for row in rows) + "}"
        case Binary(op=op, left=left, right=right):
            return f"({shown(left)}{op}{shown(right)})"
        case Negate(of=inner):
            return f"-{shown(inner)}"
        case Call(function=function, argument=argument):
            return f"{function}({shown(argument)})"
        case Transpose(of=inner):
            return f"{shown(inner)}'"
        case Words(text=text):
            return f'"{text}"'
        case Dots():
            return "..."
        case Chain(members=members, relations=relations):
            ends = (*relations, "")
            return " ".join(f"{shown(m)} {r}".strip() for m, r in zip(members, ends, strict=True))


def read(text: str) -> list[str]:
    return [shown(item.node) for item in items(tokens(text, "markdown"))]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("`q_1 = [0.5, -1]`", "q_1 = [0.5 -1]"),
        ("Q[0] = X[0] × W_Q = [2, 3]", "Q@0 = (X@0*W_Q) = [2 3]"),
        ("QK^T[0,1] = 2.5", "QK'@0,1 = 2.5"),
        (r"$\frac{Q K^T}{\sqrt{d_k}} \approx 1.41$", "((Q*K')/sqrt(d_k)) ≈ 1.41"),
        ("z₁ = 0.4(2,1) + 0.6(0,3)", "z_1 = ((0.4*[2 1])+(0.6*[0 3]))"),
        (r"$$A = \begin{bmatrix} 0.3 & 0.7 \\ 1 & 0 \end{bmatrix}$$", "A = {0.3 0.7; 1 0}"),
        (r"$$\frac{1}{\sqrt{2}} \begin{pmatrix} 3 & 4 \end{pmatrix} = Z$$", "((1/sqrt(2))*{3 4}) = Z"),
        (r"$e^{0.5} \approx 1.65$", "exp(0.5) ≈ 1.65"),
        ("softmax([1, 2]) → [27%, 73%]", "softmax([1 2]) → [27% 73%]"),
        ("总和： 3 + 4 = 7", "总和 : (3+4) = 7"),
        ("[３／４， −∞]", "[(3/4) -inf]"),
        ("[[1. 2.]\n [3. 4.]]", "[[1. 2.] [3. 4.]]"),
        ("scores = tensor([[1., 2.]], dtype=torch.float64)", "scores = [[1. 2.]]"),
        ("w_q = tf.constant([[1, 2]], dtype=tf.float32)", "w_q = [[1 2]]"),
        ("s = np.dot(Q, K.T) / np.sqrt(2)", "s = ((Q*K')/sqrt(2))"),
        ("Q = X.values @ W_q.values.T", "Q = (X*W_q')"),
        ("s = tf.matmul(q, k, transpose_b=True)", "s = (q*k')"),
        (
            r"$W^Q = \underset{\text{(b)}}{\overset{\text{(a)}}{\begin{pmatrix}1\\2\end{pmatrix}}}$",
            "W_Q = {1; 2}",
        ),
        ("qᵀk = 3", "(q'*k) = 3"),
        ("y = γ ⊙ x + β = [1]", "y = ((γ⊙x)+β) = [1]"),
        (r"$K^{(1)\top} = Z$", "(K^1)' = Z"),
        ("1/√2 = 0.71", "(1/sqrt(2)) = 0.71"),
        (r"$\frac12\left([1,3]+[3,1]\right)=[2,2]$", "((1/2)*([1 3]+[3 1])) = [2 2]"),
        (
            "```\nz = 0.5 × [2, 4] +\n    0.5 × [0, 2]\n\n  = [1, 3]\n```",
            "z = ((0.5*[2 4])+(0.5*[0 2])) = [1 3]",
        ),
        ('"cat" Query · "sat" Key = 1·1 + 0·2 = 1', "(Query*Key) = ((1*1)+(0*2)) = 1"),
    ],
)
def test_a_form_is_read_into_its_tree(text: str, tree: str) -> None:
    assert read(text) == [tree]


def test_a_column_of_labels_is_no_column_of_numbers() -> None:
    text = r"\[ X = \begin{bmatrix} \text{猫} & 1 & 0 \\ \text{狗} & 0 & 2 \\ \end{bmatrix} \]"
    [item] = items(tokens(text, "markdown"))
    assert isinstance(item.node, Chain)
    grid = item.node.members[1]
    assert isinstance(grid, Grid)
    assert grid.labels == ("猫", "狗")
    assert shown(grid) == "{1 0; 0 2}"


def test_worked_cells_keep_their_results_and_dots_their_row() -> None:
    text = r"$$Q = \begin{bmatrix} 1×2 + 0×3 = 2 \\ \vdots \\ \end{bmatrix}$$"
    assert read(text) == ["Q = {((1*2)+(0*3)) = 2; ...}"]


def test_a_chain_goes_on_over_the_end_of_a_line() -> None:
    assert read("```\ns = [1,2] · [3,4]\n  = 3 + 8 = 11\n```") == ["s = ([1 2]*[3 4]) = (3+8) = 11"]


def test_a_formula_that_is_cut_short_by_words_is_no_member_of_a_chain() -> None:
    assert read("z = 0.3 · (what is left), w = 2") == ["0.3", "w = 2"]


def test_the_end_of_something_unread_is_marked_as_broken() -> None:
    [item] = items(tokens("(what is left) * 0.5 = 2", "markdown"))
    assert item.broken


def test_the_documents_own_macros_are_read_where_they_are_used() -> None:
    text = "\\newcommand{\\half}{0.5}\n$a = \\half + 1 = 1.5$\n"
    assert read(text)[-1] == "a = (0.5+1) = 1.5"


def test_aligned_equations_are_chains_line_by_line() -> None:
    text = "\\begin{align}\na &= 1 + 2 \\\\\n &= 3 \\\\\nb &= 4\n\\end{align}\n"
    assert read(text) == ["a = (1+2) = 3", "b = 4"]


def test_every_offset_is_that_of_the_text() -> None:
    text = "注意：`q_1 = [０.５, 2]`"
    [item] = items(tokens(text, "markdown"))
    assert isinstance(item.node, Chain)
    row = item.node.members[1]
    assert isinstance(row, Row)
    first = row.items[0]
    assert isinstance(first, Num)
    assert text[first.start : first.end] == "０.５"


@pytest.mark.parametrize(
    "text",
    [
        '![](data:image/svg+xml;utf8,<svg%20d="M1,2c3,4=5"></svg>)',
        "<!-- 1 + 1 = 3 -->",
        "see https://example.org/a=1,2",
        "---\ntitle: x = 3\n---\n",
    ],
)
def test_what_is_no_text_holds_no_numbers(text: str) -> None:
    assert read(text) == []


def test_two_matrices_in_brackets_side_by_side_are_a_product() -> None:
    grid = r"\left[\begin{array}{cc} %s & 2 \end{array}\right]"
    assert read(f"$$Q = {grid % 1}{grid % 3} = 5$$") == ["Q = ({1 2}*{3 2}) = 5"]


def test_matrices_drawn_side_by_side_are_read_one_by_one() -> None:
    from symattn.reading.notes import read_notes

    text = "```\nQ = [[1, 0],    K = [[1, 1],\n     [0, 2]]         [0, 1]]\nQK^T = [[1, 0], [2, 2]]\n```\n"
    [case] = read_notes(text).cases
    assert case.given["Q"].typed == (("1", "0"), ("0", "2"))
    assert case.given["K"].typed == (("1", "1"), ("0", "1"))


def test_a_matrix_drawn_beside_its_name_is_read_as_a_whole() -> None:
    from symattn.reading.notes import read_notes

    text = "    [1  0]\nQ = [0  2]\n\n    [1  1]\nK = [0  1]\n\nQK^T = [[1, 0], [2, 2]]\n"
    [case] = read_notes(text, None, "text").cases
    assert case.given["Q"].typed == (("1", "0"), ("0", "2"))
    assert case.given["K"].typed == (("1", "1"), ("0", "1"))


def test_a_list_and_a_table_of_as_many_rows_side_by_side_are_a_product() -> None:
    assert read("`out = [0.8, 0.2] [[5], [10]] = [6]`") == ["out = ([0.8 0.2]*[[5] [10]]) = [6]"]
    assert "*" not in "".join(read("`a = [0.8, 0.2] [[5], [10], [4]]`"))


def test_a_list_without_brackets_ends_where_a_quantity_is_named() -> None:
    assert read("exp: 2.03, 1.00, sum 3.03")[0] == "exp : [2.03 1.00]"
