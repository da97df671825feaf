"""Positional encodings entry by entry, in tables and by position, from the position that a document says."""

from __future__ import annotations

import pytest

from symattn.case import Case
from symattn.reading.notes import read_notes
from tests.linked import accused


def encoding(text: str) -> Case:
    (case,) = read_notes(text).cases
    return case


def entries(case: Case) -> list[tuple[int, int, str]]:
    return [
        (claim.row + i, claim.col + j, number)
        for claim in case.stated
        for i, row in enumerate(claim.values)
        for j, number in enumerate(row)
    ]


FROM_ONE = [(0, 0, "0.84"), (0, 1, "0.54"), (1, 0, "0.91"), (1, 1, "-0.42")]


@pytest.mark.parametrize("name", ["PE_{{({0},{1})}}", "PE({0},{1})", "PE(pos={0}, i={1})", "PE_{{{0},{1}}}"])
def test_entries_are_named_by_position_and_dimension(name: str) -> None:
    cells = [(row + 1, col, number) for row, col, number in FROM_ONE]
    case = encoding("".join(f"- {name.format(row, col)} = {number}\n" for row, col, number in cells))
    assert (entries(case), case.settings.start) == (FROM_ONE, 1)


def test_a_table_of_positions_and_tokens_is_an_encoding() -> None:
    table = "| 位置 | 词 | 0 | 1 |\n|---|---|---|---|\n| 1 | 猫 | 0.84 | 0.54 |\n| 2 | 狗 | 0.91 | -0.42 |\n"
    case = encoding(f"# 位置编码\n\n{table}")
    assert (entries(case), case.settings.start) == (FROM_ONE, 1)


def test_rows_stand_behind_their_positions() -> None:
    case = encoding("- pos=1：PE = [0.84, 0.54]\n- pos=2：PE = [0.91, -0.42]\n")
    assert (entries(case), case.settings.start) == (FROM_ONE, 1)


@pytest.mark.parametrize("words", ["位置从 0 开始。", "Positions start at 0."])
def test_a_start_in_words_wins_over_the_numbers(words: str) -> None:
    """Else numbers from position 1 would pass for an encoding that begins there."""
    assert encoding(f"{words}\n\nPE = [[0.84, 0.54], [0.91, -0.42]]\n").settings.start == 0


def test_an_encoding_that_is_added_from_another_position_than_the_words_say_is_no_input() -> None:
    added = "PE = [[0.84, 0.54], [0.91, -0.42]]\nX + PE = [[1.84, 1.54], [2.91, 0.58]]\n"
    case = encoding(f"位置从 0 开始。\n\nX = [[1, 1], [2, 1]]\n{added}")
    assert (case.settings.positions, case.settings.start) == ("sinusoidal", 0)


def test_queries_tell_where_an_encoding_that_is_not_printed_starts() -> None:
    """Row 1 of X + PE is (0.84, 0.54) from position 1, and (0, 1) from position 0."""
    text = "X = [[0, 0]]\nW_Q = [[1, 0], [0, 2]]\nX' = X + PE\nQ = X' W_Q = [[{}]]\n"
    starts = [read_notes(text.format(queries)).cases[0].settings.start for queries in ("0.84, 1.08", "0, 2")]
    assert starts == [1, 0]


def test_encodings_of_whole_numbers_are_given_and_added_token_by_token() -> None:
    text = (
        "词嵌入：\n\n- 猫：[1, 0]\n- 狗：[2, 1]\n\n"
        "位置编码（可学习）：\n\n- 位置0：[0, 1]\n- 位置1：[3, 0]\n\n"
        "- 猫：[1, 0] + [0, 1] = [1, 1]\n- 狗：[2, 1] + [3, 0] = [5, 1]\n"
    )
    case = encoding(text)
    assert case.given["PE"].typed == (("0", "1"), ("3", "0"))
    assert {claim.name for claim in case.stated} == {"X+PE"}
    assert entries(case) == [(0, 0, "1"), (0, 1, "1"), (1, 0, "5"), (1, 1, "1")]


def test_rows_of_inputs_and_encodings_that_are_added_up_are_the_sum_of_both() -> None:
    text = (
        "Token embeddings:\n\n- good: [1, 1]\n- morning: [0, 1]\n\nSinusoidal encodings:\n\n"
        "| pos | dim 0 | dim 1 |\n|---|---|---|\n| 0 | 0.00 | 1.00 |\n| 1 | 0.84 | 0.54 |\n\n"
        "The input X':\n\n"
        "- good: [1, 1] + [0.00, 1.00] = [1.00, 2.00]\n- morning: [0, 1] + [0.84, 0.54] = [0.84, 1.54]\n\n"
        "W_Q = [[0, 0], [0, 2]]\n\nQ = [[0.00, 4.00], [0.00, 3.08]]\n"
    )
    case = encoding(text)
    assert case.settings.positions == "sinusoidal"
    assert {claim.name for claim in case.stated} == {"PE", "X+PE", "Q"}


@pytest.mark.parametrize("sum_of", ["", "E + PE = "])
def test_what_an_encoding_is_added_to_is_where_the_walk_begins_whatever_it_is_called(sum_of: str) -> None:
    text = (
        "E = [[1, 0], [0, 1]]\n\nPE = [[0.00, 1.00], [0.84, 0.54]]\n\n"
        f"X = {sum_of}[[1.00, 1.00], [0.84, 1.54]]\n\nW_Q = [[1, 2], [1, 0]]\n\n"
        "Q = X W_Q = [[2.00, 2.00], [2.38, 1.68]]\n"
    )
    case = encoding(text)
    assert case.given["X"].typed == (("1", "0"), ("0", "1"))
    assert [claim.name for claim in case.stated] == ["PE", "X+PE", "Q"]


def test_without_weights_what_is_attended_to_has_its_positions_whoever_says_so() -> None:
    text = (
        "E = [[1, 0], [0, 1]]\n\nPE = [[0.00, 1.00], [0.84, 0.54]]\n\n"
        "X = E + PE = [[1.00, 4.00], [0.84, 1.54]]\n\n"
        "There are no projections, Q = K = V = X.\n\nS = X X^T = [[2.00, 2.38], [2.38, 3.08]]\n"
    )
    assert accused(text) == ["X+PE 4.00"]


def test_a_list_for_each_position_is_the_next_row_of_the_encoding_that_is_added() -> None:
    case = encoding(
        "位置编码：\n\n- pos=0（猫）：PE = [0.00, 1.00]\n- pos=1（狗）：PE = [0.84, 0.54]\n\n"
        "词嵌入：\n\n- 猫 = [1, 0]\n- 狗 = [0, 1]\n\n"
        "相加：\n\n- x1 = [1.00, 1.00]\n- x2 = [0.84, 1.54]\n\n令 Q=K=V=X\n\n"
        "S = [[2.00, 2.38], [2.38, 3.08]]\n"
    )
    assert case.given["X"].typed == (("1", "0"), ("0", "1"))
    assert "X+PE" in {claim.name for claim in case.stated}


def test_positions_that_are_counted_and_constants_of_a_formula_are_no_results() -> None:
    text = "$PE_{(pos,2i+1)} = \\cos(pos/10000^{2i/d})$\n\n- pos = 1: [sin(1), cos(1)] = [0.841, 0.540]\n"
    reading = read_notes(text)
    assert [unread.text for unread in reading.unread] == []
    assert [equation.printed for equation in reading.equations] == ["0.841", "0.540"]


def test_an_encoding_that_is_said_to_be_wide_is_not_as_wide_as_its_print() -> None:
    text = "d = 512\n\n- PE(1, 1) = cos(1/10000^(0/512)) = cos(1/1) = cos(1) = 0.54\n"
    text += "- PE(1, 3) = cos(1/10000^(2/512)) = cos(1/1.0366) = cos(0.9647) = 0.57\n"
    assert accused(text) == []


def test_what_follows_a_wrong_divisor_is_not_accused_beside_it() -> None:
    text = "- PE(1, 2) = sin(1/10000^(2/512)) = sin(1/1.0027) = sin(0.997) = 0.84\n"
    assert accused(text) == ["= 1.0027"]


SUMS = """\
# Embeddings + positional encoding

X = [[1.000, 1.800], [1.141, 0.740]]
W_Q = [[1.2, 0], [0, 1.2]]
W_K = [[1, 0.2], [0.2, 1]]

Q = X W_Q = [[1.200, 2.160], [1.369, 0.888]]
K = X W_K = [[1.360, 2.000], [1.289, 0.968]]
"""


def test_inputs_that_are_sums_already_have_no_encoding_added_again() -> None:
    assert accused(SUMS) == []
    assert accused(SUMS.replace("2.000]", "2.100]")) == ["K 2.100"]


def test_inputs_of_many_decimals_below_something_unread_may_be_rounded() -> None:
    hidden = SUMS.replace("1.369", "1.370")
    assert accused(hidden) == ["Q 1.370"]
    assert accused(hidden.replace("\nX = ", "\nThe raw ones begin with 0.1415.\n\nX = ")) == []


@pytest.mark.parametrize("said", ["We rotate them by their positions.", "每个位置旋转后再做点积。"])
def test_rotated_queries_and_keys_make_other_scores(said: str) -> None:
    text = (
        "Q = [[1, 1], [0, 1]]\n\nK = [[2, 0], [1, 0]]\n\n{}\n\n"
        "scores = [[2.000, 1.382], [-1.683, 0.000]]\n\nA = [[0.608, 0.392], [0.233, 0.767]]\n"
    )
    assert accused(text.format(""))
    assert accused(text.format(said)) == []
    assert accused(text.format(said).replace("0.392", "0.329")) == ["A 0.329"]
