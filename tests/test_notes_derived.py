"""Outside of every walk, lists, sums and percentages are held against the lists that they follow from."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports


def verdicts(text: str) -> dict[str, str]:
    """The characters of every judged number, and its verdict."""
    return {
        number.printed.numeral.text: number.verdict
        for report in document_reports(text, "notes.md", "markdown")
        for number in report.judgements
    }


LOGITS = "The logits are 2.0, 1.0 and 0.1.\n\n"


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        (LOGITS + "The probabilities are 0.659, 0.242 and 0.099.\n", set()),
        (LOGITS + "The probabilities are 0.659, 0.252 and 0.099.\n", {"0.252"}),
        (
            "- cat: 2.0\n- dog: 1.0\n- bird: 0.1\n\nAs exp:\n\n- cat: 7.389\n- dog: 2.718\n- bird: 1.205\n",
            {"1.205"},
        ),
        (
            "| | logit | exp | probability |\n|-|-|-|-|\n| a | 2.0 | 7.39 | 0.66 |\n"
            "| b | 1.0 | 2.72 | 0.24 |\n| c | 0.1 | 1.11 | 0.19 |\n| sum | | 11.21 | 1.00 |\n",
            {"0.19"},
        ),
        ("The vector is 1, 2, 3 and 6:\n\nx = [1, 2, 3, 6]\n\nSquared: [1, 4, 9, 35]\n", {"35"}),
        ("Take [3.1, 4.2].\n\nTheir sum is 7.5\n", {"7.5"}),
        ("Take [1, 2, 3, 6]. The mean is 3, the variance 3.5 and the standard deviation 1.78.\n", {"1.78"}),
        ("| word | vector | norm |\n|-|-|-|\n| a | (3, 4) | 5.0 |\n| b | (1, 2) | 2.42 |\n", {"2.42"}),
        (LOGITS + "Divided by 2 they are 1.0, 0.5 and 0.15.\n", {"0.15"}),
        (LOGITS + "At T = 2 the probabilities are 0.502, 0.304 and 0.149.\n", {"0.149"}),
        (
            "| pos | cos |\n|-|-|\n| 1 | 0.540 |\n| 2 | -0.416 |\n| 3 | -0.909 |\n",
            {"-0.909"},
        ),
    ],
)
def test_a_list_is_held_against_the_one_that_its_numbers_follow(text: str, slips: set[str]) -> None:
    assert {said for said, verdict in verdicts(text).items() if verdict == "slip"} == slips


@pytest.mark.parametrize(
    "text",
    [
        LOGITS + "Another model has 7.389, 2.718 and 1.205.\n",
        LOGITS + "Of 1.5, 0.5 and 0.7 the probabilities are 0.659, 0.242 and 0.101.\n",
        "Our scores are 2, 8, 8\n\nThey do not sum to 1\n",
        "x = (3, 4)\n\nMean of squares: 12.500\n",
        "[0.1, 0.2, 0.3]\n[0.2, 0.4, 0.7]\n\nweights:\n\n[0.17, 0.33, 0.51]\n[0.15, 0.31, 0.44]\n",
    ],
)
def test_without_words_that_say_how_it_was_made_no_list_is_accused(text: str) -> None:
    assert "slip" not in verdicts(text).values()


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("So 7.389/11.213 = 0.659, i.e. 65.9 %.\n", set()),
        ("So 7.389/11.213 = 0.659, i.e. 69.5 %.\n", {"69.5%"}),
        ("So 7.389/11.213 = 0.659, against 24.2 % for dogs.\n", set()),
    ],
)
def test_a_percentage_says_the_number_before_it_again(text: str, slips: set[str]) -> None:
    assert {said for said, verdict in verdicts(text).items() if verdict == "slip"} == slips


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The score is 2, which divided by 1.414 gives 1.414.", {"1.414": "correct"}),
        ("Dividing 5 by √2 gives 3.635.", {"3.635": "slip"}),
        ("The square root of 5 is 2.236.", {"2.236": "correct"}),
        ("The score is 3·1 + 4·2, which is 12.", {"12": "slip"}),
        (
            "Softmax of [2, 1, 0.1] is [0.66, 0.24, 0.99].",
            {"0.66": "correct", "0.24": "correct", "0.99": "slip"},
        ),
        ("Dividing the scores by √2 gives 3.54.", {}),
        ("The score of token 2 divided by 1.414 gives 3.54.", {}),
        ("Then 3/2 is 2 times 0.75.", {}),
    ],
)
def test_words_join_numbers_as_signs_do(text: str, found: dict[str, str]) -> None:
    assert verdicts(text + "\n") == found


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("h = [0.75, -0.4]\n\n$\\max(0, h) = [0.75, 0]$\n", set()),
        ("x = [1, 2, 3, 6]\n\nμ = 12/4 = 3\n\nx - μ = [-2, -1, 1, 3]\n", {"1"}),
        ("g = [1, 0.5, 2]\n\nh = [3, 4, 5]\n\nb = [0, 1, -1]\n\ny = g * h + b = [3, 3, 8]\n", {"8"}),
    ],
)
def test_ramps_shifts_and_products_of_entries_are_worked_out(text: str, slips: set[str]) -> None:
    assert {said for said, verdict in verdicts(text).items() if verdict == "slip"} == slips


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("Then $3 \\cdot 2 + 1 = \\mathbf{8}$.\n", {"8"}),
        (
            "So $0.5 [2, 2] + 0.5 [2, 0] = \\mathbf{[2.0, 1.5]}$ and $1/4 = \\textbf{0.26}$.\n",
            {"1.5", "0.26"},
        ),
    ],
)
def test_numbers_in_bold_are_numbers(text: str, slips: set[str]) -> None:
    assert {said for said, verdict in verdicts(text).items() if verdict == "slip"} == slips


def test_the_rows_of_a_table_may_follow_from_one_another() -> None:
    head = "| | red | blue | green |\n|-|-|-|-|\n| Score | 4 | 6 | 1 |\n"
    table = "| Divide by √2 | 2.83 | 4.24 | 0.71 |\n| Softmax | 0.19 | 0.88 | 0.02 |\n"
    assert verdicts(head + table) == {
        **dict.fromkeys(("2.83", "4.24", "0.71", "0.19", "0.02"), "correct"),
        "0.88": "slip",
    }


def test_a_wrong_number_leaves_those_alone_that_follow_from_the_right_one() -> None:
    table = "| x | exp |\n|-|-|\n| 2 | 7.389 |\n| 1 | 2.918 |\n| 0 | 1.000 |\n| total | 11.107 |\n"
    assert [said for said, verdict in verdicts(table).items() if verdict == "slip"] == ["2.918"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("e^12 = 162,754.79\n", {"162754.79": "correct"}),
        ("Take e^2 = 7.39, [1,234.5] and (2,718.3).\n", {"7.39": "correct"}),
    ],
)
def test_commas_part_thousands_where_a_point_is_behind_them(text: str, found: dict[str, str]) -> None:
    assert verdicts(text) == found


STEP = "## Step {n}\n\nq = {q}\n\nK = {K}\n\nV = {K}\n\nscores = q K^T = {scores}\n\n"


def test_a_query_with_keys_of_its_own_is_a_step_of_its_own() -> None:
    first = STEP.format(n=1, q="[2, 1]", K="[[1, 0], [0, 1]]", scores="[2, 1]")
    second = STEP.format(n=2, q="[1, 3]", K="[[1, 0], [0, 1], [1, 1]]", scores="[1, 3, 5]")
    found = [
        (number.printed.name, number.printed.numeral.text, number.verdict)
        for report in document_reports(first + second, "notes.md", "markdown")
        for number in report.judgements
        if number.printed.name == "scores"
    ]
    assert found == [
        *(("scores", said, "correct") for said in "21"),
        *(("scores", said, "slip" if said == "5" else "correct") for said in "135"),
    ]


def test_zeros_alone_do_not_tie_a_list_to_the_one_before_it() -> None:
    text = "The probabilities are 0.401, 0.198 and 0.401.\n\nSubtract the maximum first: [0, -0.707, 0]\n"
    assert "slip" not in verdicts(text).values()


def test_the_rows_of_a_matrix_are_lists() -> None:
    text = "Residual: $[[1.5, 0.5, 4.0], [2.0, -1.0, 0.5]]$\n\n"
    text += "After LayerNorm: $[[-0.34, -1.02, 1.36], [1.22, -1.22, 0.00]]$\n"
    assert verdicts(text) == dict.fromkeys(("-0.34", "-1.02", "1.36", "1.22", "-1.22", "0.00"), "correct")


@pytest.mark.parametrize(
    "said",
    [
        r". Sum $\approx 3.527$",
        ", sum $= 3.527$",
        r", 和为 \(3.527\)",
        ", somme $\\approx 3.527$",
        ", 합은 3.527",
    ],
)
def test_the_sum_of_the_powers_before_it_is_known_by_its_word(said: str) -> None:
    powers = r"$e^{0.707} \approx 2.028$, $e^{0} = 1$, $e^{-0.707} \approx 0.493$"
    assert verdicts(f"Exponentiate: {powers}{said}.\n")["3.527"] == "slip"
    assert verdicts(f"Exponentiate: {powers}{said.replace('7', '1')}.\n")["3.521"] == "correct"


@pytest.mark.parametrize("said", ["Apply softmax to [2, 6]:", "对 [2, 6] 做 softmax："])
def test_shares_of_numbers_are_no_softmax_of_theirs(said: str) -> None:
    assert verdicts(f"{said}\n\n- w1 = 0.25\n- w2 = 0.75\n") == {}
    assert verdicts(f"{said}\n\n- w1 = 0.02\n- w2 = 0.98\n") == {"0.02": "correct", "0.98": "correct"}
    assert verdicts("Normalise [2, 6]:\n\n- w1 = 0.25\n- w2 = 0.75\n") == {
        "0.25": "correct",
        "0.75": "correct",
    }
