"""A right number is not accused because one of several readings makes it wrong."""

from __future__ import annotations

import numpy as np

from symattn.notes.documents import document_reports
from symattn.notes.grammar.syntax import Node, literal
from symattn.notes.grammar.tokens import Token
from symattn.notes.hypotheses.gate import Gate
from symattn.notes.interpreter.environment import Environment
from symattn.notes.interpreter.match import match
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.interpreter.values import constant, printed
from symattn.notes.names.words import letters
from symattn.notes.reader import parsed, understood


def slips(text: str) -> list[str]:
    """The numbers of a text that are accused."""
    reports = document_reports(text, "notes.md", "markdown")
    return [o.printed.numeral.text for r in reports for o in r.judgements if o.verdict == "slip"]


def test_a_number_in_square_brackets_is_the_index_of_a_sum():
    assert slips("Sum[1] = 1.6060  \nSum[2] = 5.5344\n") == []


def test_an_author_goes_on_from_the_right_entry_where_one_is_misprinted():
    text = """p_0 = [0.00, 1.00]
p_1 = [0.84, 0.54]
p_2 = [0.91, -0.42]

x_00 = 0.5 + 0.00 = 0.50
x_01 = 1.0 + 1.00 = 2.00
x_10 = 0.2 + 0.84 = 1.07
x_11 = (-0.1) + 0.54 = 0.44
x_20 = 1.3 + 0.91 = 2.21
x_21 = (-1.0) + (-0.42) = -1.42

W_K = [[0.5, -0.3], [1.5, 0.3]]

K = X W_K^T = [[-0.35, 1.35], [0.39, 1.69], [1.53, 2.89]]
"""
    assert slips(text) == ["1.07"]


def row(*numbers: float) -> Node:
    """A row with two places."""
    tokens = [Token("NUM", f"{a:.2f}", 1, k, value=a, unit=0.01) for k, a in enumerate(numbers)]
    return literal(tokens, [1.0] * len(tokens), (len(tokens),))


def test_a_row_in_which_something_is_hidden_is_not_judged_without_the_mask():
    def verdicts(*numbers: float) -> set[str]:
        node = row(*numbers)
        found = match(node, constant(np.array([0.5, 0.3, 0.2])))  # type: ignore[arg-type]
        assert found is not None
        reading = Reading(Rank.OUTRIGHT, node, found, "a", "softmax", clear=True)
        return {Gate([reading], {}).verdict([claim])[0] for claim in reading.claims().values()}

    assert verdicts(1.0, 0.0, 0.0) == {"undecided"}
    assert verdicts(0.7, 0.1, 0.2) == {"slip", "right"}


def test_rows_printed_in_a_head_come_before_the_columns_of_the_whole():
    env = Environment(heads=("1", "2"))
    env.bind("q", row(1.0, 2.0, 3.0, 4.0), 0)
    env.head = "1"
    env.bind("q_1", row(1.01, 2.01), 1)
    env.bind("q_2", row(5.01, 6.01), 2)
    found = env.lookup(Node("name", name="q"), 3)
    assert found[0].mid.tolist() == [[1.01, 2.01], [5.01, 6.01]]


def test_q_matrix_is_what_q_is():
    assert letters("Q matrix") == (("q", ()),)
    assert letters("K 矩阵") == (("k", ()),)


def test_results_of_an_author_who_cuts_digits_off_leave_a_whole_unit_open():
    text = "a_1 = 9.39 / 17.41 = 0.53\na_2 = 4.33 / 17.41 = 0.24\nb_1 = 4.84 / 17.41 = 0.27\n"
    program = parsed(text, "markdown")
    assert not any(token.cut for token in program.numerals)
    understood(program)
    assert all(token.cut for token in program.numerals)
    open_range = printed(Node("lit", tokens=[*program.numerals[-1:]], signs=[1.0]))
    assert (open_range.low, open_range.high) == (0.27 - 0.005, 0.27 + 0.01)
