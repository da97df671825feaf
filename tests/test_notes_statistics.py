"""Mean, variance and deviation of a list, with workings between them, outside of every walk."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from tests.linked import accused


def verdicts(text: str) -> dict[str, str]:
    """The verdict on each number by its text; `unread` where it has none."""
    reports = document_reports(text, "a.md", "markdown")
    found = {each.text: "unread" for report in reports for each in report.unread}
    return found | {j.printed.numeral.text: j.verdict for report in reports for j in report.judgements}


LISTED = "x = [1.5, -0.5, -0.25, 1.75]\n\n"
WORKING = "(1.5 - 0.5 - 0.25 + 1.75)/4"


@pytest.mark.parametrize(
    "told",
    [
        f"LayerNorm: mean = {WORKING} = 0.625; var = {{}}\n",
        "- mean = 0.625\n- var = {}\n",
        f"Mean: $\\mu = {WORKING} = 0.625$\n\nVariance: {{}}\n",
    ],
)
@pytest.mark.parametrize(("variance", "verdict"), [("1.0156", "correct"), ("1.0165", "slip")])
def test_a_variance_stands_behind_the_working_of_the_mean(told: str, variance: str, verdict: str) -> None:
    assert verdicts(LISTED + told.format(variance))[variance] == verdict


@pytest.mark.parametrize(
    ("told", "verdict"), [("var = 1.3542", "correct"), ("var = 1.3452", "slip"), ("std = 1.0078", "correct")]
)
def test_a_variance_is_that_of_all_or_of_a_sample(told: str, verdict: str) -> None:
    assert verdicts(f"{LISTED}mean = 0.625\n{told}\n")[told[6:]] == verdict


def test_a_variance_far_below_another_mean_is_of_something_else() -> None:
    text = LISTED + "mean = 0.625\n" + "Words of something else.\n" * 9
    assert verdicts(text + "var = 0.2\n")["0.2"] == "unread"


def test_the_first_list_is_an_input_where_a_working_takes_its_numbers() -> None:
    text = "Take $x = [1.0, 2.0, 6.0]$.\n\nMean: $\\mu = \\frac{1+2+6}{3} = 3.0$\n"
    assert verdicts(text) == {"3.0": "correct"}
    assert verdicts(text.replace("1+2+6", "1+2+5+1"))["6.0"] == "unread"


def test_a_list_behind_a_word_for_a_sum_is_no_sum_of_the_list_before_it() -> None:
    text = (
        "The weighted values are (0.14, 0), (0, 0.628) and (0.462, 0.462).\n\nSum of these: (0.602, 1.09).\n"
    )
    assert set(verdicts(text).values()) <= {"unread", "correct"}


BLOCK = """X = [[0.0, 0.4], [0.6, -0.2]]

- first: [0.0, 0.4] + [-0.01, 0.34] = [-0.01, 0.74]
- second: [0.6, -0.2] + [-0.01, 0.34] = [0.59, 0.14]

first:

- mean μ = (-0.01 + 0.74) / 2 = 0.37
- variance σ² = {}
- normalised = [-1.01, 0.99]
"""


@pytest.mark.parametrize(("variance", "verdict"), [("0.14", "correct"), ("0.41", "slip")])
def test_a_mean_is_of_the_list_that_its_working_adds_up(variance: str, verdict: str) -> None:
    """The list right above has the same mean, and another variance."""
    assert verdicts(BLOCK.format(variance))[variance] == verdict


@pytest.mark.parametrize("said", ["Sum → {}", "4. **Sum** -> {}", "Denominator ⇒ {}", "求和 → {}"])
def test_an_arrow_leads_to_a_sum_as_a_verb_does(said: str) -> None:
    text = f"1. Scores: [3, 2, 0.5]\n2. Exponentiate → [20.0855, 7.3891, 1.6487]\n{said}\n"
    assert accused(text.format("29.1233")) == []
    assert [number.split()[-1] for number in accused(text.format("29.2123"))] == ["29.2123"]
