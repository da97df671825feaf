"""From text to statements: numerals, matrices in every notation, chains, and what is unknown."""

from __future__ import annotations

import pytest

from symattn.casefile.file_kinds import Kind
from symattn.notes.grammar.syntax import Node
from symattn.notes.reader import parsed


def said(text: str, kind: Kind = "markdown") -> list[str]:
    """The statements of a text; `?` is unknown, and a literal shows its shape."""
    return [
        " ".join(
            part
            for pair in zip([*map(shown, s.chain.args)], [*s.chain.between, ""], strict=True)
            for part in pair
        ).strip()
        for s in parsed(text, kind).statements
    ]


def shown(node: Node) -> str:
    if node.kind == "lit":
        numbers = " ".join(
            f"{sign * token.value:g}" for sign, token in zip(node.signs, node.tokens, strict=True)
        )
        return f"{numbers}{list(node.shape)}" if node.shape else numbers
    if node.kind == "hole":
        return "?"
    if node.kind == "name":
        return node.key()
    return f"{node.name or node.kind}({', '.join(map(shown, node.args))})"


@pytest.mark.parametrize(
    ("text", "numerals"),
    [
        ("x = 1 234,5 + 0,25", ["1234.5", "0.25"]),
        ("a = 1.234,5 und b = 0,75", ["1234.5", "0.75"]),
        ("$2\\,000{,}0$ und $0{,}25$", ["2000.0", "0.25"]),
        ("2'000.0 or 2,000.5", ["2000.0", "2000.5"]),
        ("v = [0,1,2] and 0.5", ["0", "1", "2", "0.5"]),
        ("[1,234,567]", ["1", "234", "567"]),
        (
            "$k = (1,0)$, $v_1 = (3,0)$, $v_2 = (0,12) = 3 (0,12) = (0,36)$",
            ["1", "0", "1", "3", "0", "2", "0", "12", "3", "0", "12", "0", "36"],
        ),
        ("٠٫٢٥ and ०.७५ and ０．５", ["0.25", "0.75", "0.5"]),
        ("1,23; 4,56; 7,89", ["1.23", "4.56", "7.89"]),
        ("12,5 % von 0,25", ["12.5", "0.25"]),
        ("1.5e-3, ∞", ["1.5e-3", "∞"]),
    ],
)
def test_a_numeral_is_read_as_its_document_writes_numerals(text: str, numerals: list[str]) -> None:
    assert [token.text for token in parsed(text, "markdown").numerals] == numerals


def test_a_numeral_knows_what_is_printed() -> None:
    first, second = parsed("1.234,5 + 0,25", "markdown").numerals
    assert (first.raw, first.column, first.value, first.unit) == ("1.234,5", 1, 1234.5, 0.1)
    assert (second.raw, second.column, second.value, second.unit) == ("0,25", 11, 0.25, 0.01)


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("$\\frac13 = \\tfrac{1}3 = 0.33$", ["div(1, 3) = div(1, 3) = 0.33"]),
        ("(3×2)·(2×3) = 3×3", ["? = ?"]),
        ("As in [3], x = 2 \\tag{2}", ["x = 2"]),
        ("(1) z = 4", ["z = 4"]),
        ("q_{11} = 3", ["q_11 = 3"]),
        ("QK^T = 5", ["mul(q, T(k)) = 5"]),
        ("a ⊕ 2 = 3", ["? = 3"]),
        ("softmax([1, 2]) = [0.27, 0.73]", ["softmax(1 2[2]) = 0.27 0.73[2]"]),
        ("权重是 [0.2, 0.8]", ["a : 0.2 0.8[2]"]),
    ],
)
def test_a_statement_is_a_chain_and_what_is_not_understood_is_unknown(
    text: str, statements: list[str]
) -> None:
    assert said(text) == statements


@pytest.mark.parametrize(
    "text",
    [
        "A = [[0.1, 0.2], [0.3, 0.4]]",
        "A = [0.1, 0.2; 0.3, 0.4]",
        "$A = \\begin{pmatrix} 0.1 & 0.2 \\\\ % the first row\n0.3 & 0.4 \\end{pmatrix}$",
        "A = | 0.1 0.2 |\n    | 0.3 0.4 |",
        "A = ⎡0.1 0.2⎤\n    ⎣0.3 0.4⎦",
        "```\nA = np.array([[0.1, 0.2],  # 9\n              [0.3, 0.4]])\n```",
        "A:\n\n0.1 0.2\n0.3 0.4",
    ],
)
def test_a_matrix_is_the_same_in_every_notation(text: str) -> None:
    assert said(text)[0].replace(":", "=") == "a = 0.1 0.2 0.3 0.4[2, 2]"


def test_a_table_is_a_matrix_and_columns_of_rows_are_named_by_their_head() -> None:
    assert said("| | a | b |\n|---|---|---|\n| I | 0.1 | 0.2 |\n| you | 0.3 | 0.4 |\n") == [
        "0.1 0.2 0.3 0.4[2, 2]"
    ]
    assert said("| word | Q |\n|---|---|\n| I | [1, 2] |\n| you | [3, 4] |\n") == ["q = 1 2 3 4[2, 2]"]


@pytest.mark.parametrize("text", ["", "\n\n", "<!-- nothing -->"])
def test_a_text_without_tokens_says_nothing(text: str) -> None:
    assert said(text) == []
