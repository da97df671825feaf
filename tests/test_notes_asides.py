"""What a worked example says in passing of other numbers, of what would be or of what is wrong is no slip."""

from __future__ import annotations

import pytest

from symattn.reading.notes.layout.otherwise import Otherwise
from tests.linked import accused

EXAMPLE = """\
# Attention by hand

$q_1 = (1, 2)$, $q_2 = (0, 3)$, $k_1 = (2, 1)$, $k_2 = (1, 3)$, $v_1 = (1, 0)$, $v_2 = (0, 1)$.
"""
WORKED = """
The scores are $q_1 \\cdot k_1 = 4$, $q_1 \\cdot k_2 = 7$, $q_2 \\cdot k_1 = 3$, $q_2 \\cdot k_2 = 9$.

After division by $\\sqrt{2}$: [2.83, 4.95] and [2.12, 6.36].

| weights | w1 | w2 |
|---|---|---|
| w1 | 0.11 | 0.89 |
| w2 | 0.01 | 0.99 |
"""
SUPPOSED = (
    "Now suppose instead that q = [2, 0] and the keys are k_1 = [1, 1], k_2 = [0, 3]. "
    "Then the scores are 2 and 0, and after dividing by √2 we get 1.41 and 0."
)


@pytest.mark.parametrize(
    "aside",
    [
        SUPPOSED,
        "Reminder: for q = [1, 4] and k = [3, 4] the dot product is q·k = 1·3 + 4·4 = 19.",
        "Try it with another query: q = [3, 1]; scores = [4, 2], weights = [0.88, 0.12].",
        "In cross-attention the query is of elsewhere, say q = [0.5, -1.0]; the scores are [0.3, 0.9].",
        "**Exercise.** Let Q = [[1, 1], [0, 1]], K = [[1, 1], [2, 0]], V = [[5, 1], [2, 3]]. Compute Z.",
        "A second head with other weights might give\n\nweights = [[0.20, 0.80], [0.65, 0.35]]",
        "A student wrote scores = [[3, 1], [2, 2]] (without the transpose). That is wrong.",
        "Common mistake: no scaling. Then the first row of weights would be [0.05, 0.95].",
        "With temperature T = 2 the first row would become [0.26, 0.74], with T = 0.5 [0.01, 0.99].",
        "错误做法：不除以 √d_k，这样第一行权重是 [0.05, 0.95]，这是错的。",
        "温度 T = 2 时第一行变成 [0.26, 0.74]，T = 0.5 时为 [0.01, 0.99]。",
    ],
)
def test_asides_are_not_accused_wherever_they_stand(aside: str) -> None:
    for text in (f"{EXAMPLE}\n{aside}\n{WORKED}", f"{EXAMPLE}{WORKED}\n{aside}\n"):
        assert accused(text) == []


def test_a_common_mistake_in_chinese_is_no_other_print_of_what_is_right() -> None:
    right = (
        "Q = [[1, 0], [0, 2]], K = [[1, 1], [0, 1]], V = [[2], [4]]\n\nA = [[0.67, 0.33], [0.50, 0.50]]\n\n"
    )
    table = "$\\begin{{pmatrix}} {} & {} \\\\ {} & 0.50 \\end{{pmatrix}}$。\n"
    mistakes = (
        "**常见错误一**：忘记除以 $\\sqrt{d_k}$，得到 " + table.format("0.73", "0.27", "0.50"),
        "**误区二**：沿列做 softmax，得到 " + table.format("0.67", "0.33", "0.33"),
    )
    assert [accused(right + mistake) for mistake in mistakes] == [[], []]
    assert accused(right.replace("0.67", "0.76") + mistakes[0]) == ["A 0.76"]


def test_a_slip_beside_an_aside_is_found() -> None:
    text = f"{EXAMPLE}{WORKED}\n{SUPPOSED}\n".replace("4.95", "4.59")
    assert "4.59" in str(accused(text))


def test_the_arithmetic_of_an_aside_is_checked() -> None:
    text = f"{EXAMPLE}{WORKED}\nReminder: for q = [1, 4] and k = [3, 4] we have q·k = 1·3 + 4·4 = 29.\n"
    assert "29" in str(accused(text))


@pytest.mark.parametrize(
    "said",
    [
        "Common mistake: 1·3 + 4·4 = 29. It is 1·3 + 4·4 = 19.",
        "A chip is doing sums wrong (say 2 + 2 = 5).",
        "An integer overflow, 250 + 6 = 0, is silent.",
        "八位整数溢出时 250 + 6 = 0。",
    ],
)
def test_arithmetic_that_is_called_wrong_is_not_accused(said: str) -> None:
    assert accused(f"{said}\n") == []


@pytest.mark.parametrize(
    "several", ["2 and 0, and after dividing by √2 we get 1.41 and 0.", "2 和 0，除以 √2 得 1.41 和 0。"]
)
def test_several_numbers_are_divided_one_by_one(several: str) -> None:
    assert accused(f"The scores are {several}\n") == []
    assert "1.41" in str(accused(f"The scores are {several.replace('2 ', '1 ', 1)}\n"))


@pytest.mark.parametrize(
    ("said", "stretch"),
    [
        (
            "It is 0.5. If we forgot it, it would be 0.7. Then 0.9. It is 0.5.",
            "If we forgot it, it would be 0.7. Then 0.9.",
        ),
        ("It is 0.5. Here 0.7 stands. That is wrong. Go on.", " Here 0.7 stands. That is wrong."),
        ("Another head may have\n\n| 0.1 | 0.9 |\n\nIt is 0.5.", "Another head may have\n\n| 0.1 | 0.9 |"),
        ("It is 0.5. Deduct a point for each wrong entry.", ""),
    ],
)
def test_a_stretch_of_other_numbers_ends_where_the_text_goes_on(said: str, stretch: str) -> None:
    stretches = Otherwise.of(said).stretches
    assert "".join(said[each.start : each.end] for each in stretches).strip() == stretch.strip()


def test_inputs_that_training_gave_are_inputs() -> None:
    assert not any(
        each.sure for each in Otherwise.of("After training the tokens are:\n\nx = [1, 0]\n").stretches
    )
