"""Worked examples in the words of assistants: bullets of keys, weights one by one, lists against all keys."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.notes.layout.heard import heard

INPUTS = "- cat: [1, 0]\n- sat: [0, 2]\n\nW_Q = [[1, 2], [0, 1]]\n\nW_K = [[1, 1], [0, 1]]\n\n"
ROWS = (
    'Imagine the sentence "dog ran off".\n\n'
    "| Word | Query | Key | Value |\n|---|---|---|---|\n| **dog** | $[1, 0]$ | $[1, 3]$ | $[2, 0]$ |\n"
    "| **ran** | $[0, 1]$ | $[3, 0]$ | $[1, 2]$ |\n| **off** | $[2, 2]$ | $[0, 2]$ | $[4, 2]$ |\n\n"
    'The attention output for the word **"ran"**, with d_k = 2.\n\n**1. Scores**\n\n'
    "*   **Score(ran, dog):** $(0 \\times 1) + (1 \\times 3) = 3$\n"
    "*   **Score(ran, ran):** $(0 \\times 3) + (1 \\times 0) = 0$\n"
    "*   **Score(ran, off):** $(0 \\times 0) + (1 \\times 2) = 2$\n\n"
    "**2. Scale** by $\\sqrt{2} \\approx 1.41$\n\n*   **dog:** $3 / 1.41 \\approx 2.12$\n"
    "*   **ran:** $0 / 1.41 \\approx 0.00$\n*   **off:** $2 / 1.41 \\approx 1.41$\n\n**3. Softmax**\n\n"
    "*   $e^{2.12} \\approx 8.33$\n*   $e^{0.00} \\approx 1.00$\n*   $e^{1.41} \\approx 4.10$\n"
    "*   **Sum:** $8.33 + 1.00 + 4.10 = 13.43$\n\n"
    '*   **Weight for "dog":** $8.33 / 13.43 \\approx 0.62$ (62%)\n'
    '*   **Weight for "ran":** $1.00 / 13.43 \\approx 0.07$ (7%)\n'
    '*   **Weight for "off":** $4.10 / 13.43 \\approx 0.31$ (31%)\n\n**4. Weighted sum**\n\n'
    "$$Z = 0.62 \\cdot [2, 0] + 0.07 \\cdot [1, 2] + 0.31 \\cdot [4, 2]$$\n$$Z = [2.55, 0.76]$$\n"
)


def verdicts(text: str) -> dict[tuple[int, str], str]:
    """What is said of each printed number, by its line and its digits."""
    return {
        (number.printed.place.line, number.printed.numeral.text): number.verdict
        for report in document_reports(text, "a.md", "markdown")
        for number in report.judgements
        if number.printed.place is not None
    }


def test_bullets_of_one_form_with_a_token_each_speak_of_nothing_below_them() -> None:
    said = verdicts(ROWS)
    assert "slip" not in said.values()
    assert "carried" not in said.values()


def test_weights_printed_one_by_one_are_known_again_in_a_sum_and_so_is_the_row_of_its_result() -> None:
    lines = ROWS.split("\n")
    wrong = verdicts(ROWS.replace("Z = [2.55, 0.76]", "Z = [2.95, 0.76]"))
    line = lines.index("$$Z = [2.55, 0.76]$$") + 1
    assert (wrong[line, "2.95"], wrong[line, "0.76"]) == ("slip", "correct")


def test_query_for_a_token_equals_a_list() -> None:
    text = INPUTS + "- Query for `cat` = `[1, 2]`\n- Query for `sat` = `[0, 3]`\n"
    assert verdicts(text)[9, "3"] == "slip"


def test_what_is_held_against_all_keys_is_no_key() -> None:
    text = INPUTS + "- Query for `cat` = `[1, 2]`\n- Query for `sat` = `[0, 2]`\n\n"
    text += "- Key for `cat` = `[1, 1]`\n- Key for `sat` = `[0, 2]`\n\n**Scores**\n\n"
    said = verdicts(text + "- `cat` with all keys: `[3, 4]`\n- `sat` with all keys: `[2, 5]`\n")
    assert [said[16, digit] for digit in "34"] == ["correct", "correct"]
    assert [said[17, digit] for digit in "25"] == ["correct", "slip"]


def test_a_token_behind_its_number_is_no_query() -> None:
    text = (
        "The sentence: *cat sat*.\n\n**cat**: query (1, 0), key (2, 1)\n**sat**: query (0, 3), key (0, 2)\n\n"
    )
    text += 'Take the point of view of "sat". Its query is (0, 3). The dot products are 3.00 for "cat" and'
    said = verdicts(text + ' 6.00 for "sat" itself. Dividing each by √2 we get 2.12 and 4.24.\n')
    assert "slip" not in said.values()
    assert said[6, "2.12"] == said[6, "4.24"] == "correct"


def test_a_last_column_of_remarks_is_none_of_a_matrix() -> None:
    text = (
        "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 2]]\n\n### Raw scores\n\n| | cat | sat |\n|---|---|---|\n"
    )
    text += "| cat | 1 | 0 |\n| sat | 2 | 4 |\n\n### Scaled scores (÷ √2)\n\n| | cat | sat |\n|---|---|---|\n"
    text += "| cat | 0.71 | 0.00 |\n| sat | 1.41 | 2.83 |\n\n### After softmax\n\n| | cat | sat | Check |\n"
    text += "|---|---|---|---|\n| cat | 0.67 | 0.33 | sum = 1 ✓ |\n| sat | 0.20 | 0.90 | sum = 1 ✓ |\n"
    said = verdicts(text)
    assert [said[23, digits] for digits in ("0.67", "0.33")] == ["correct", "correct"]
    assert said[24, "0.90"] == "slip"


def test_bars_without_corners_are_the_brackets_of_a_matrix() -> None:
    text = "```text\n【X】\n│ 2  -1 │\n│ -2  0 │\n\n【WQ】\n│ 0  1 │\n│ 1  3 │\n\n"
    said = verdicts(f"{text}【Q = X·WQ】\n│ -1  -1 │\n│ 0  2 │\n```\n")
    assert (said[11, "-1"], said[12, "2"]) == ("correct", "slip")


def test_tables_without_a_walk_say_what_their_heads_and_workings_make() -> None:
    text = "| 词 | 得分 | exp(得分) |\n|---|---|---|\n| 我 | -0.79 | 0.454 |\n| 爱 | 1.27 | 3.961 |\n"
    text += "| 猫 | 0.42 | 1.822 |\n\n"
    text += "| 词 | 计算 | 权重 | 百分比 |\n|---|---|---|---|\n| 我 | 0.454 / 6.237 | 0.073 | 7.3% |\n"
    said = verdicts(text + "| 爱 | 3.961 / 6.237 | 0.035 | 63.5% |\n| 猫 | 1.822 / 6.237 | 0.692 | 69.2% |\n")
    assert [said[line, digits] for line, digits in ((3, "0.454"), (4, "3.961"), (5, "1.822"))] == [
        "correct",
        "slip",
        "slip",
    ]
    assert [said[line, digits] for line, digits in ((9, "0.073"), (10, "0.035"), (11, "0.692"))] == [
        "correct",
        "slip",
        "slip",
    ]


def test_a_counted_token_in_the_last_sentence_is_the_one_spoken_of() -> None:
    text = "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 2]]\n\nV = [[1, 2], [3, 4]]\n\nd_k = 1\n\n"
    text += "z_1 = 0.73 v_1 + 0.27 v_2 = [1.54, 2.54]。类似地，第二个 token 的权重是 [0.42, 0.88]。\n"
    said = verdicts(text)
    assert (said[9, "0.73"], said[9, "0.42"]) == ("correct", "slip")


def test_dotting_it_with_three_keys_gives_scores_and_no_key() -> None:
    text = "K = [[1, 0, 2], [0, 1, 1], [2, 1, 0]]\n\nThe sentence: *we read notes*.\n\n"
    text += "**we**: query (1, 2, 0)\n**read**: query (0, 3, 1)\n**notes**: query (1, 1, 1)\n\n"
    text += 'Take "read". Its query is (0, 3, 1). Dotting this with the three keys gives 2 for "we", '
    said = verdicts(text + '4 for "read" itself, and 5 for "notes".\n')
    assert [said[9, digit] for digit in "245"] == ["correct", "correct", "slip"]


def test_half_of_the_scores_of_pairs_are_enough_where_words_call_them_so() -> None:
    text = "**cat:**\n- Query = [1.4, 6.0]\n- Key = [1.1, 1.0]\n\n"
    text += "**sat:**\n- Query = [2.5, 1.1]\n- Key = [1.4, 1.0]\n\n"
    text += "**Scores**\n\n- cat → cat: 2.1\n- cat → sat: 2.6\n- sat → cat: 3.9\n- sat → sat: 4.6\n"
    assert set(verdicts(text)) >= {(11, "2.1"), (12, "2.6"), (13, "3.9"), (14, "4.6")}


CODE = (
    "```python\nx = np.array([[1, 2], [0, 1]])\nW_query = np.array([[1, 0], [1, 1]])\n"
    "W_key = np.array([[0, 1], [1, 1]])\n"
)


def test_a_product_as_a_method_makes_no_copy_of_its_first_factor() -> None:
    text = CODE + "q = x.dot(W_query)\nk = x.dot(W_key)\nprint(q)\nprint(k)\n```\n\n"
    text += "```\n[[3 2]\n [1 1]]\n[[2 3]\n [1 2]]\n```\n"
    said = verdicts(text)
    assert (said[12, "3"], said[12, "2"], said[15, "2"]) == ("correct", "correct", "slip")


@pytest.mark.parametrize("root", ["softmax(s / d_k**0.5)", "Divide by the square root of the key dimension."])
def test_scores_that_are_called_unscaled_are_divided_where_a_root_is_taken(root: str) -> None:
    assert heard(f"The unscaled scores:\n\ns = q @ k.T\n\nThe weights:\n\n{root}\n").scale == "1/sqrt(d_k)"
