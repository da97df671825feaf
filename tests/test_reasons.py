"""Why a numeral got no verdict is said in the language of the report."""

from __future__ import annotations

import re

import pytest

from symattn.auditor.messages import unread_message
from symattn.auditor.reasons import PHRASES, reason
from symattn.errors import SymattnError
from symattn.reading.documents import document_reports
from symattn.recipes.attention import attention
from tests.audit_cases import case

ENGLISH = re.compile(r"[A-Za-z]{3,} [A-Za-z]{3,}")


@pytest.mark.parametrize("words", PHRASES, ids=[words.en for words in PHRASES])
def test_both_languages_put_in_the_same_values(words: object) -> None:
    said = [sorted(re.findall(r"\{(\w+)\}", text)) for text in (words.en, words.zh)]  # type: ignore[attr-defined]
    assert set(said[1]) <= set(said[0])
    assert not ENGLISH.search(words.zh)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("why", "zh"),
    [
        ("X is 2×3 and W is 2×3, so X W is undefined", "X 是 2×3，W 是 2×3，X W 没有定义"),
        ('"1/0": a division by zero', '"1/0"：除数为 0'),
        ("Q is 2×2, so it has no entry in row 3, column 1", "Q 是 2×2 矩阵，没有第 3 行第 1 列"),
        ("the 7th wonder: unheard of", "the 7th wonder: unheard of"),
    ],
)
def test_a_known_phrase_is_said_in_chinese_and_another_stays(why: str, zh: str) -> None:
    assert reason(why, "zh") == zh
    assert reason(why, "en") == why


@pytest.mark.parametrize(
    "text",
    [
        "他把 70% 的精力用于关注远处。\n",
        "权重是 0.37。\n",
        "A = [[0.25, 0.75]]\n",
        "X = [[1, 2, 3]]\nW_Q = [[1, 2]]\nQ = [[1, 2]]\n",
        "1/0 = 3\n",
        "Q = [[1, 0], [0, 1]]\nK = [[1, 2, 3]]\n分数 = [[1, 2], [3, 4]]\nA = [[0.5, 0.5]]\n",
    ],
)
def test_a_chinese_report_gives_chinese_reasons(text: str) -> None:
    unread = [each for report in document_reports(text, "a.md", "markdown") for each in report.unread]
    assert unread
    assert [each.why for each in unread if ENGLISH.search(unread_message(each, "zh"))] == []


@pytest.mark.parametrize(
    "matrices",
    [
        {"Q": [["1", "2"]], "K": [["1"]]},
        {"A": [["1", "2"]], "V": [["1"]]},
        {"X": [["1", "2"]], "W_Q": [["1"]]},
        {"X": [["1"]], "W_Q": [["1"]], "b_Q": [["1", "2"]]},
        {"V": [["1"]]},
    ],
)
def test_the_errors_of_a_walk_are_known_phrases(matrices: dict[str, list[list[str]]]) -> None:
    from symattn.derive import shapes
    from symattn.recipes.attention import values

    wrong = case(matrices)
    with pytest.raises(SymattnError) as caught:
        shapes(attention(wrong), values(wrong))
    assert not ENGLISH.search(reason(caught.value.found, "zh"))
