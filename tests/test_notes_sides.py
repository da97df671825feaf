"""On which side of the inputs weights stand: written, or told by the numbers."""

from __future__ import annotations

from symattn.auditor.audit import audit
from symattn.reading.case_file import parse_case
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from symattn.reading.notes.cases.extract import extract
from tests.linked import SQUARE, accused, conventions, remarks, verdicts

UNDEFINED = """\
X = [[1, 0, 1], [0, 1, 0]]
W_Q = [[1, 2, 3], [0, 1, 0]]
Q = X W_Q = [[4, 0], [2, 1]]
"""


def test_numbers_that_plainly_follow_another_product_than_the_text_writes_are_one_finding() -> None:
    found = conventions(SQUARE)["weights"]
    assert (found.value, found.declared, found.explains, found.of) == ("transposed", "right", 8, 8)
    assert remarks(SQUARE) == [("SA601", "; X W; 8")]
    assert verdicts(SQUARE) == {"correct"}


def test_a_slip_or_two_do_not_overrule_the_product_that_the_text_writes() -> None:
    text = SQUARE.replace("[[3, 2], [7, 4]]", "[[1, 3], [3, 8]]").replace(
        "[[5, 2], [11, 4]]", "[[1, 4], [3, 9]]"
    )
    found = conventions(text)["weights"]
    assert (found.value, found.inferred, found.contradicted) == ("right", False, 0)


def test_an_undefined_product_is_reported_where_the_text_writes_it() -> None:
    (report,) = document_reports(UNDEFINED, "notes.md", "markdown")
    [undefined] = [remark for remark in report.remarks if remark.code == "SA401"]
    assert undefined.place is not None
    assert (undefined.place.line, undefined.place.column) == (3, 5)
    assert undefined.values["fits"] == "X W_Q^T"
    again = audit(parse_case(extract(read_notes(UNDEFINED))))
    assert [remark.code for remark in again.remarks] == ["SA401"]


def test_queries_that_no_side_of_the_weights_explains_turn_none_of_them() -> None:
    """Q is X W_V by mistake, by chance nearer to X W_Q^T than to X W_Q."""
    text = "X = [[1, 2]]\n\nW_Q = [[1, 9], [3, 1]]\n\nW_V = [[8, 1], [5, 1]]\n\nQ = [[18, 3]]\n"
    assert [case.settings.weights for case in read_notes(text).cases] == ["right"]


LAST = """\
Scores are divided by sqrt(d_k).

Q = [[1, 0], [0, 2]]

K = [[1, 1], [0, 1]]

V = [[2, 1], [1, 3]]

W_O = [[0.4, 0.4], [0.3, 0.9]]

A = [[0.90, 0.10], [0.10, 0.90]]

Z = [[1.90, 1.20], [1.10, 2.80]]

output = {product} = [[1.24, 1.65], [1.56, 2.85]]
"""


def test_the_side_of_the_last_weights_is_the_one_of_their_product() -> None:
    """Wrong weights leave no output that a walk from the inputs explains."""
    assert conventions(LAST.format(product="Z W_O^T"))["weights"].value == "transposed"


COLUMNS = """\
The vectors are written as columns, S = K^T Q.

X = [[   0, 1.40, 0.97],
     [1.43, 0.09,    0]]

W_Q = [[0.58, 1.17], [0.95, 1.54]]

W_K = [[0, 1.29], [0.14, 0.40]]

W_V = [[0.64, 1.13], [1.02, 0.56]]

K = [[0.20, 0.01, 0.00], [0.57, 1.84, 1.25]]

V = [[1.62, 1.00, 0.62], [0.80, 1.48, 0.99]]

S / √d_k = [[1.13, 0.72, 0.45], [2.88, 1.92, 1.21], [1.95, 1.30, 0.82]]
"""


def test_of_two_sides_that_explain_a_matrix_each_the_scores_tell_the_right_one() -> None:
    """K is W_K^T X, V is W_V X, and the scores are those of that K and of W_Q X, which is not printed."""
    assert {number.partition(" ")[0] for number in accused(COLUMNS)} == {"K", "scaled"}
