"""Sentences of notes: which forms are read as statements, which are not, and what the audit says of them."""

from __future__ import annotations

import pytest

from symattn.case import Statement
from symattn.reading.case_file import parse_case
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from symattn.reading.notes.cases.extract import extract

EXAMPLE = """\
The tokens are "the", "cat", "sat".
X = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 2], [0, 1]]
W_K = [[1, 0], [1, 1]]
W_V = [[1, 0], [0, 1]]
QK^T = [[1, 3, 4], [0, 1, 1], [1, 4, 5]]
We skip the scaling.
A = [[0.04, 0.26, 0.71], [0.16, 0.42, 0.42], [0.01, 0.27, 0.72]]
"""


def said(sentence: str) -> list[tuple[object, ...]]:
    """Kind, name, value and row of every statement that is read from a sentence below the example."""
    [case] = read_notes(EXAMPLE + sentence + "\n").cases
    return [_bare(statement) for statement in case.statements]


def _bare(statement: Statement) -> tuple[object, ...]:
    kept = (statement.kind, statement.name, statement.value, statement.row)
    return tuple(part for part in kept if part not in ((), None))


def codes(sentence: str) -> list[str]:
    """The codes of what is found in a sentence below the example."""
    reports = document_reports(EXAMPLE + sentence + "\n", "a.md", "markdown")
    return [
        str(finding.code) for report in reports for finding in report.findings() if finding.code != "SA603"
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Q is a 3×2 matrix.", [("shape", "Q", ("3", "2"))]),
        ("Here Q is 3 x 2.", [("shape", "Q", ("3", "2"))]),
        ("**Q** and $K$ are $3 \\times 2$.", [("shape", "Q", ("3", "2")), ("shape", "K", ("3", "2"))]),
        ("The shape of A is (3, 3).", [("shape", "A", ("3", "3"))]),
        ("V.shape = (3, 2)", [("shape", "V", ("3", "2"))]),
        ("$W_Q \\in \\mathbb{R}^{2 \\times 2}$", [("shape", "W_Q", ("2", "2"))]),
        ("W^Q 是 2x2 的矩阵", [("shape", "W_Q", ("2", "2"))]),
        ("Q、K 的形状为 (3, 2)。", [("shape", "Q", ("3", "2")), ("shape", "K", ("3", "2"))]),
        ("Each row of A sums to 1.", [("sums-to-one", "A")]),
        ("Every row of the scores adds up to one.", [("sums-to-one", "scores")]),
        ("每行的和都为 100%。", [("sums-to-one", "A")]),
        ('"the" attends mostly to "sat".', [("argmax", "A", ("sat",), 0)]),
        ("The cat pays most attention to itself.", [("argmax", "A", ("cat",), 1)]),
        ('"the" attends most to "sat", then to "cat".', [("order", "A", ("sat", "cat"), 0)]),
        ("“the”最关注“sat”", [("argmax", "A", ("sat",), 0)]),
        ("“sat”对自身关注度最高（权重0.72），其次是“cat”。", [("order", "A", ("sat", "cat"), 2)]),
        ('"the": sat > cat > "the"', [("order", "A", ("sat", "cat", "the"), 0)]),
        ("Indeed 0.71 > 0.26 > 0.04.", [("order", "A", ("2", "1", "0"), 0)]),
    ],
)
def test_a_certain_form_is_read(sentence: str, expected: list[tuple[object, ...]]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "In the original paper W_Q is 512×64.",
        "W_Q is a 512×64 matrix.",  # not of this example
        "Q is (3, 2).",  # a vector, perhaps
        "If Q is 3×4, the product is undefined.",
        "A 3×4 matrix has twelve entries.",
        "The rows sum to 12.",
        "The cat pays most attention to the door.",
        "“狗”最关注“猫”",
        "In practice each row sums to 1.",
        "Not every row of the scores sums to 1.",
        "Indeed 0.9 > 0.8.",
    ],
)
def test_what_leaves_a_doubt_is_not_read(sentence: str) -> None:
    assert said(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("Q is a 3×2 matrix.", None),
        ("Q is a 2×3 matrix.", "SA505"),
        ("Each row of the scores sums to 1.", "SA504"),
        ('"the" attends mostly to "sat".', None),
        ('"the" attends mostly to "cat".', "SA502"),
        ('"the" attends most to "cat", then to "sat".', "SA501"),
        ("“the”对“cat”的关注度最高。", "SA502"),
        ("As 0.26 > 0.71.", "SA501"),
        ('"the" attends 71% to "sat".', None),
        ('"the" attends 55% to "sat".', "SA206"),
    ],
)
def test_a_false_sentence_is_a_finding_and_a_true_one_is_silent(sentence: str, code: str | None) -> None:
    assert codes(sentence) == ([code] if code else [])


def test_a_statement_is_placed_where_the_sentence_begins() -> None:
    [case] = read_notes(EXAMPLE + 'See: $"the"$ attends mostly to "cat".\n').cases
    [statement] = case.statements
    assert statement.place is not None
    assert (statement.place.line, statement.place.column) == (9, 7)


def test_the_sizes_in_a_sentence_are_no_results() -> None:
    assert read_notes(EXAMPLE + "K has shape (3, 2).\n").unread == ()


def test_given_weights_are_rounded_so_their_sums_are_not_held_against_them() -> None:
    text = "A = [[0.33, 0.33, 0.33]]\nV = [[1], [2], [3]]\nZ = [[1.98]]\nEach row sums to 1.\n"
    assert [case.statements for case in read_notes(text).cases] == [()]


def test_an_extracted_case_states_the_same() -> None:
    reading = read_notes(EXAMPLE + 'Q is 2×3.\n"the" attends mostly to "cat".\n')
    again = parse_case(extract(reading))
    assert [_bare(each) for each in again.statements] == [_bare(each) for each in reading.cases[0].statements]


def test_a_sentence_may_say_how_much_a_token_attends_to_several() -> None:
    sentence = '"cat" gives 16% of its attention to "the", 42% to itself and 43% of its attention to "sat".'
    assert codes(sentence) == ["SA206"]


@pytest.mark.parametrize(
    "sentence",
    [
        '"the" attends to "sat" with weight {}.',
        '"the" attends most to "sat" ({}).',
        'The weight from "the" to "sat" is {}.',
        "Token 1 puts {} on token 3.",
        "The first token attends mostly to the third token (weight {}).",
        '"sat" gets {} of the attention from "the".',
        "“the”对“sat”的权重为 {}。",
        "“the”最关注“sat”（{}）。",
        "第1个词对第3个词的注意力权重是 {}。",
        "从“the”到“sat”的权重：{}",
    ],
)
def test_a_sentence_says_the_weight_of_one_token_for_another(sentence: str) -> None:
    assert [codes(sentence.format(said)) for said in ("0.71", "0.51")] == [[], ["SA206"]]


@pytest.mark.parametrize(
    "sentence", ['Without the mask "the" attends to "sat" with weight 0.5.', "Token 1 puts 0.5 on token 4."]
)
def test_a_weight_of_another_way_or_of_no_token_is_no_weight_of_the_example(sentence: str) -> None:
    assert codes(sentence) == []
