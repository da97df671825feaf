"""Entropy and log-sum-exp of the rows of a softmax, as facts."""

from __future__ import annotations

from symattn.casefile.case_file import parse_case
from symattn.checks.facts import Fact
from symattn.exact.decision import equal
from symattn.exact.literal import read
from symattn.exact.number import Exact
from symattn.result import work

ROWS = """
[given]
scores = [["log(3)", 0], [2, 2], [1, 3]]
V = [[1], [2]]
[attention]
scale = 1
mask = [[1, 1], [1, 1], [1, 0]]
"""


def measured(text: str, kind: str) -> list[Fact]:
    return [fact for fact in work(parse_case(text)).facts if fact.kind == kind]


def value(fact: Fact) -> Exact:
    assert fact.value is not None
    return fact.value


def test_the_log_sum_exp_of_a_row_is_the_logarithm_of_its_denominator() -> None:
    """3 + 1 = 4; twice e^2; and e^1 alone."""
    facts = measured(ROWS, "log-sum-exp")
    assert [fact.rows for fact in facts] == [(0,), (1,), (2,)]
    for fact, expected in zip(facts, ("log(4)", "2 + log(2)", "1"), strict=True):
        assert equal(value(fact), read(expected, {})) is True


def test_a_single_visible_key_has_its_logit_and_the_entropy_zero_in_closed_form() -> None:
    """The logarithm of e^(log 2 log 7 / 2 + 3 log 5) need not show that it is that exponent."""
    one = "[given]\nscores = [['log(2)*log(7)/2+3*log(5)']]\nV = [[1]]\n[attention]\nscale = 1"
    assert [value(fact).rational for fact in measured(one, "entropy")] == [0]
    assert value(*measured(one, "log-sum-exp")) == read("log(2)*log(7)/2+3*log(5)", {})


def test_the_entropy_of_a_row_in_nats() -> None:
    """Weights 3/4 and 1/4: log 4 - 3/4 log 3; even weights: log 2; a single key: nothing is uncertain."""
    facts = measured(ROWS, "entropy")
    for fact, expected in zip(facts, ("log(4) - 3*log(3)/4", "log(2)", "0"), strict=True):
        assert equal(value(fact), read(expected, {})) is True


def test_rows_with_symbols_and_rows_without_a_visible_key_are_not_measured() -> None:
    symbols = 'symbols = ["a"]\n' + ROWS.replace('["log(3)", 0]', '["a", 0]')
    assert [fact.rows for fact in measured(symbols, "entropy")] == [(1,), (2,)]
    assert measured(ROWS.replace("[1, 0]]", "[0, 0]]"), "entropy") == []


def test_measures_have_decimals_in_the_data() -> None:
    facts = work(parse_case(ROWS)).data(digits=3)["facts"]
    said = [fact["decimal"] for fact in facts if fact["kind"] == "entropy"]
    assert said == ["0.562", "0.693", "0.000"]


def test_the_measures_are_told_in_a_table_in_both_languages() -> None:
    worked = work(parse_case('tokens = ["a", "b", "c"]\n' + ROWS))
    for lang, header, sentence in (
        ("en", "| row | log-sum-exp | entropy |", "in nats"),
        ("zh", "| 行 | log-sum-exp | 熵 |", "单位为奈特"),
    ):
        page = worked.markdown(lang=lang, digits=2, detail="some")
        assert header in page
        assert sentence in page
        assert r"| b | $\ln(D_2) = \ln(2) + 2 \approx 2.69$ | $H_2 = \ln(2) \approx 0.69$ |" in page
        assert r"| c | $\ln(D_3) = 1$ | $H_3 = 0$ |" in page


def test_queries_that_see_one_key_each_have_no_table() -> None:
    one = ROWS.replace("[[1, 1], [1, 1], [1, 0]]", "[[1, 0], [0, 1], [1, 0]]")
    assert "entropy" not in work(parse_case(one)).markdown()


def test_the_measures_of_a_single_row_are_one_sentence() -> None:
    one = ROWS.replace(", [2, 2], [1, 3]]", "]").replace("[[1, 1], [1, 1], [1, 0]]", "[[1, 1]]")
    page = work(parse_case(one)).markdown(lang="en", digits=2)
    assert "$ is the log-sum-exp of the scores and $H_1 = " in page
    assert r"\approx 0.56$ is the entropy of the weights, in nats." in page
