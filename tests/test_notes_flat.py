"""Matrices that a copied page has flattened to runs of digits, read beside their workings."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from tests.linked import entries, linked, only_case

FLAT = """\
- `x1` = `[1, 0]`
- `x2` = `[2, 3]`

X=(1203)

WQ=![](data:image/svg+xml;utf8,<svg%20d="M8,9c0,-2"></svg>)1011![](data:image/svg+xml;utf8,<svg></svg>)

Q=(1203)×![](data:a)1011![](data:b)=((1∗1+0∗0)(2∗1+3∗0)(1∗1+0∗1)(2∗1+3∗1))=(1215)

A=(0.330.500.670.50)
"""


def test_matrices_that_were_flattened_column_by_column() -> None:
    reading = read_notes(FLAT, None, "markdown")
    case = only_case(reading)
    assert case.given["X"].typed == (("1", "0"), ("2", "3"))
    assert case.given["W_Q"].typed == (("1", "1"), ("0", "1"))
    assert sorted(e[:6] for e in entries(case)) == [
        ("Q", 0, 0, None, "1", "1*1 + 0*0"),
        ("Q", 0, 1, None, "1", "1*1 + 0*1"),
        ("Q", 1, 0, None, "2", "2*1 + 3*0"),
        ("Q", 1, 1, None, "5", "2*1 + 3*1"),
    ]
    assert {u.code for u in reading.unread} == {"SA905"}  # K is nowhere, so A cannot be recomputed


def test_a_flattened_matrix_is_called_by_its_word_as_any_other_is() -> None:
    """`output` is Z W_O here, as the factors beside it say."""
    text = (
        "x_1 = (1, 0)\n\nx_2 = (0, 1)\n\nW_Q=(1001)\n\nW_K=(1001)\n\nW_V=(1001)\n\nW_O=(2002)\n\n"
        "Z=(0.670.330.330.67)\n\noutput=Z·W_O=(1.340.660.661.34)\n"
    )
    assert {claim.name for claim in only_case(read_notes(text, None, "markdown")).stated} == {"Z", "output"}


RUN_BY_ROWS = """\
- `x1` = `[1, 0]`
- `x2` = `[2, 3]`

X=(1023)

WQ=(1310)

Q=(1023)×(1310)=((1∗1+0∗1)(1∗3+0∗0)(2∗1+3∗1)(2∗3+3∗0))=({result})
"""


def test_a_page_that_runs_rows_together_is_told_by_the_rows_of_x() -> None:
    reading = read_notes(RUN_BY_ROWS.format(result="1356"), None, "markdown")
    case = only_case(reading)
    assert case.given["W_Q"].typed == (("1", "3"), ("1", "0"))
    assert sorted(e[:5] for e in entries(case)) == [
        ("Q", 0, 0, None, "1"),
        ("Q", 0, 1, None, "3"),
        ("Q", 1, 0, None, "5"),
        ("Q", 1, 1, None, "6"),
    ]


def test_integers_of_two_digits_are_told_apart_by_their_workings() -> None:
    text = RUN_BY_ROWS.format(result="13518").replace("(1310)", "(1910)").replace("1∗3", "1∗9")
    case = only_case(read_notes(text.replace("13518", "19518").replace("2∗3", "2∗9"), None, "markdown"))
    assert sorted(e[:5] for e in entries(case))[-1] == ("Q", 1, 1, None, "18")


def test_a_run_of_as_many_digits_as_fit_no_shape_is_not_read() -> None:
    reading = read_notes(RUN_BY_ROWS.format(result="135611"), None, "markdown")
    assert all(not case.stated for case in reading.cases)


def test_workings_tell_whether_rows_or_columns_run_together_where_the_inputs_do_not() -> None:
    """X is the same either way; the second working multiplies its first row with the second of 1 1, 0 2."""
    text = "- `x1` = `[0, 1]`\n- `x2` = `[1, 0]`\n\nX=(0110)\n\nWQ=(1102)\n\n"
    text += "Q=(0110)×(1102)=((0∗1+1∗0)(0∗1+1∗2)(1∗1+0∗0)(1∗1+0∗2))=(0211)\n"
    case = only_case(read_notes(text, None, "markdown"))
    assert case.given["W_Q"].typed == (("1", "1"), ("0", "2"))


def test_rows_of_other_matrices_tell_what_those_of_x_do_not() -> None:
    text = """\
x1 = `[2, 0, 0]`

x2 = `[0, 0, 2]`

X=(200002)

W_Q = `[[0, 1], [1, 0], [2, 1]]`

Q=X×WQ=(0242)

q2 = [4, 2]
"""
    assert ("Q", 0, (("0", "2"), ("4", "2"))) in linked(text)
