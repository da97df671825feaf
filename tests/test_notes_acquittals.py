"""A wrong number is not acquitted by a step that makes nothing, or by chance."""

from __future__ import annotations

import numpy as np

from symattn.notes.documents import document_reports
from symattn.notes.grammar.syntax import Node, literal
from symattn.notes.grammar.tokens import Token
from symattn.notes.interpreter.match import FAR, UNDECIDED, match
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.interpreter.values import Made, Value
from symattn.notes.reader import parsed, understood


def slips(text: str) -> list[str]:
    """The numbers of a text that are accused."""
    reports = document_reports(text, "notes.md", "markdown")
    return [o.printed.numeral.text for r in reports for o in r.judgements if o.verdict == "slip"]


UNNORMALISED = """
S = [[-1.1091, 0.7730, 1.9284], [-0.9953, -0.9757, 0.6632], [-0.3724, -1.7547, 1.1724]]

P = exp(S) = [[0.3299, 2.1663, 6.8785], [0.3696, 0.3769, 1.9410], [0.6891, 0.1730, 3.2297]]

A = softmax(S) = [[0.3299, 2.1663, 6.8785], [0.3696, 0.3769, 1.9410], [0.6891, 0.1730, 3.2297]]
"""


def test_relu_of_numbers_that_are_not_negative_acquits_no_more_than_a_copy():
    assert slips(UNNORMALISED) == [
        "0.3299",
        "2.1663",
        "6.8785",
        "0.3696",
        "0.3769",
        "1.9410",
        "0.6891",
        "0.1730",
        "3.2297",
    ]


def test_only_a_formula_on_the_page_accuses_a_number_far_from_a_wide_range():
    tokens = [
        Token("NUM", text, 1, k, value=float(text), unit=0.1) for k, text in enumerate(["222.9", "9.0"])
    ]
    row = literal(tokens, [1.0, 1.0], (2,))
    middle, away = np.array([2440.6, 20.0]), np.array([12.2, 8.0])
    found = match(row, Value(middle, middle - away, middle + away, Made("exp")))
    assert found is not None
    assert found.status.tolist() == [FAR, UNDECIDED]
    readings = [Reading(rank, row, found, "exp", "", clear=True) for rank in Rank]
    accusing = [r.rank for r in readings if any(claim.accuses for claim in r.claims().values())]
    assert accusing == [Rank.WRITTEN, Rank.WORKING]


CARRIED = """
K = [[1.00, 0.83, 1.69, 0.03], [1.22, 1.64, 0.32, 0.93]]

V = [[1.13, 0.46, 0.24, 0.87], [1.60, 0.26, 0.97, 0.23]]

Q = [[1.9, 1.5, 0.7, 1.6], [0.2, 1.3, 0.6, 0.3]]

Softmax = softmax(QK^T / √d_k)

a_1 = [0.213, 0.613]

a_2 = [0.075, 0.099]

Z = Softmax V = [[1.221, 0.257, 0.645, 0.326], [0.244, 0.060, 0.114, 0.088]]
"""


def test_an_output_that_follows_from_weights_printed_after_the_queries_is_carried():
    assert not {"1.221", "0.257", "0.645", "0.326", "0.244", "0.060"}.intersection(slips(CARRIED))


SCALED = """
V = [[-0.06, -0.9], [-1.59, 0.55], [-1.33, 0.05], [-1.95, -0.45], [-1.66, -0.5]]

√d_k = √2 = 1.41

Scaled scores = [[0.50, -0.89, -0.52, -0.43, -0.23], [-1.17, 1.46, 0.63, 0.35, 0.40],
[-0.74, 0.74, 0.21, 0.02, 0.21], [-0.75, 0.70, 0.18, -0.03, 0.21], [-0.50, 0.82, 0.45, 0.35, 0.22]]

Z = [[-1.01, -0.47], [-1.55, 0.08], [-1.49, -0.05], [-1.49, -0.05], [-1.49, -0.07]]
"""


def test_where_no_formula_is_written_to_leave_out_a_scale_is_no_mistake():
    assert slips(SCALED) == []


BETWEEN = """
Q = [[3.43], [3.352], [0.679], [1.233]]

K = [[-0.96], [-0.924], [0.309], [0.054]]

QK^T / √d_k = E_2 / √d_k = [[-3.29, -3.22, -0.65, -1.18], [-3.17, -3.10, -0.63, -1.14],
[1.06, 1.04, 0.21, 0.38], [0.19, 0.18, 0.04, 0.07]]
"""


def test_what_stands_between_a_formula_and_its_print_and_is_not_understood_leaves_the_print_in_doubt():
    assert slips(BETWEEN) == []
    assert slips(BETWEEN.replace("E_2 / √d_k = ", "")) != []


COLUMNS = """
S = [[0, 2, 1], [3, 4, 0], [1, 0, 4]]

A = softmax(S)
{entries}
A = [[0.0420, 0.1173, 0.0466], [0.8438, 0.8668, 0.0171], [0.1142, 0.0159, 0.9362]]
"""
ENTRIES = """
D_1 = e^0 + e^3 + e^1 = 23.8038

A_21 = e^3/D_1 = 0.8438
"""


def test_an_entry_that_was_worked_out_as_it_is_printed_acquits_its_matrix_of_a_mistake() -> None:
    assert len(slips(COLUMNS.format(entries=""))) == 8
    assert slips(COLUMNS.format(entries=ENTRIES)) == []


def test_a_matrix_that_is_made_of_sizes_alone_takes_the_place_of_the_printed_one() -> None:
    """After `np.eye(2)` what was printed under that name is not meant."""
    printed = "W_Q = np.array([[1.5, 2], [3, 4]])\n"
    known = understood(parsed(printed, "markdown")).interpreter.env
    assert len(known.lookup(Node("name", name="w", index=("q",)), 99)) == 1
    lost = understood(parsed(f"{printed}W_Q = np.eye(2)\n", "markdown")).interpreter.env
    assert lost.lookup(Node("name", name="w", index=("q",)), 99) == []
