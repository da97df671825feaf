"""Within a head a name is what is printed there, or the columns of that head of what is printed before."""

from __future__ import annotations

from symattn.casefile.file_kinds import Kind
from symattn.notes.documents import document_reports

GIVEN = """Q = [[1.2, 0.5, 2.1, 0.4], [0.3, 2.0, 1.7, 1.1]]

K = [[0.4, 1.0, 0.9, 0.2], [1.5, 0.2, 0.6, 1.9]]
"""
HEADS = """
## Head 1

S^(1) = Q^(1) (K^(1))^T = [[0.98, 1.90], [2.12, 0.85]]

## Head 2

### Scores

QK^T = [[1.97, 2.02], [1.75, 3.41]]
"""
ROWS = """
## Head 1

q_1 = [1.2, 0.5]
q_2 = [0.3, 2.0]

S^(1) = Q^(1) (K^(1))^T = [[0.98, 1.90], [2.12, 0.85]]

## Head 2

q_1 = [2.1, 0.4]
q_2 = [1.7, 1.1]

QK^T = [[1.97, 2.02], [1.75, 3.41]]
"""


def slips(text: str, kind: Kind = "markdown") -> list[str]:
    """The wrong numbers of a note."""
    judged = [n for r in document_reports(text, "notes", kind) for n in r.judgements]
    return [n.printed.numeral.text for n in judged if n.verdict == "slip"]


def test_names_within_a_head_are_its_columns() -> None:
    assert slips(GIVEN + HEADS) == ["3.41"]


def test_rows_printed_within_a_head_are_those_of_its_matrix() -> None:
    assert slips(GIVEN + ROWS) == ["3.41"]


def test_a_table_with_counted_rows_below_its_columns_heads_is_its_numbers() -> None:
    text = "Q = [[1.2, 0.5], [0.3, 2.0]]\n\n    K:\n        d0  d1\n    k0  0.4  1.0\n    k1  1.5  0.2\n"
    text += "\nS = Q K^T = [[0.98, 1.90], [2.12, 0.95]]\n"
    assert slips(text, "text") == ["0.95"]


def test_rows_printed_one_by_one_are_judged_as_their_matrix() -> None:
    text = "A = [[0.7, 0.3], [0.2, 0.8], [0.4, 0.6]]\n\nV = [[1.53, 2.04], [4.17, 0.51]]\n\n"
    rows = "z_cat = [2.322, 1.581]\n\nz_dog = [3.642, 0.916]\n\nz_sat = [3.114, 1.122]\n"
    assert slips(text + rows) == ["0.916"]


def test_heads_are_joined_by_the_usual_formula_of_their_name() -> None:
    text = "## Head 1\n\nZ_1 = [[2.32, 1.58], [3.64, 0.81]]\n\n"
    text += "## Head 2\n\nZ_2 = [[1.07, 1.46], [2.85, 1.93]]\n\n"
    joined = "C = [[2.32, 1.58, 1.07, 1.46], [3.64, 0.18, 2.85, 1.93]]\n"
    assert slips(text + joined) == ["0.18"]


def test_a_number_of_one_head_is_not_joined_to_a_row_of_another() -> None:
    text = "z^(1) = [0.52, 0.41]\n\n## Head 1\n\nz^(1) = [0.52, 0.41]\n\n## Head 2\n\nz^(2) = 0.37\n"
    assert slips(f"{text}\n## Output\n\nconcat = [0.52, 0.41, 0.37]\n") == []
