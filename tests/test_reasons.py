"""Why a numeral got no verdict is said in the language of the report."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from contract import marks

from symattn.attention.recipes.attention import attention
from symattn.auditor.messages import unread_message
from symattn.exact.literal import read
from symattn.notes.documents import document_reports
from symattn.text.errors import SymattnError
from tests.audit_cases import case

PACKAGE = Path(__file__).parent.parent / "symattn"


def written_pairs(source: str) -> list[tuple[str, str]]:
    """The English and the Chinese of every `Bilingual` whose texts are written where it is made."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    pairs = [
        call.args for call in calls if getattr(call.func, "id", None) == "Bilingual" and len(call.args) == 2
    ]
    return [
        (ast.literal_eval(en), ast.literal_eval(zh))
        for en, zh in pairs
        if isinstance(en, ast.Constant) and isinstance(zh, ast.Constant)
    ]


WRITTEN = [
    pair for path in sorted(PACKAGE.rglob("*.py")) for pair in written_pairs(path.read_text(encoding="utf-8"))
]
ENGLISH = re.compile(r"[a-z]{3,} [a-z]{3,}")  # names such as TeX Live are no words


def is_chinese(words: str) -> bool:
    """Whether words are Chinese, apart from what is quoted as typed, or marks between Chinese signs."""
    plain = re.sub(r"`[^`]*`", "", words)
    if re.fullmatch(r"(\{\w*\}|[：，。（）])+", plain):
        return True
    return bool(re.search("[\u4e00-\u9fff]", plain)) and not ENGLISH.search(plain)


def test_what_is_written_in_both_languages_is_chinese_in_the_second_with_the_same_values() -> None:
    assert len(WRITTEN) > 100
    assert [zh for _, zh in WRITTEN if not is_chinese(zh)] == []
    assert [(en, zh) for en, zh in WRITTEN if not set(marks(zh)) <= set(marks(en))] == []


@pytest.mark.parametrize(
    ("typed", "zh"),
    [
        ("1 + 1/0", '"1 + 1/0"：第 6 列：除数为 0'),
        ("2 * sqrt(0 - 1)", '"2 * sqrt(0 - 1)"：第 5 列：负数的平方根'),
    ],
)
def test_an_error_within_an_expression_has_its_column_once_in_either_language(typed: str, zh: str) -> None:
    with pytest.raises(SymattnError) as caught:
        read(typed, {})
    assert caught.value.reason.zh == zh
    assert caught.value.found.count("at column") == 1


@pytest.mark.parametrize(
    "text",
    [
        "他把 70% 的精力用于关注远处。\n",
        "权重是 0.37。\n",
        "A = [[0.25, 0.75]]\n",
        "X = [[1, 2, 3]]\nW_Q = [[1, 2]]\nQ = [[1.5, 2.5]]\n",
        "10^(1/4097) = 1.0007\n",
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
    from symattn.attention.recipes.attention import values
    from symattn.plans.derive import shapes

    wrong = case(matrices)
    with pytest.raises(SymattnError) as caught:
        shapes(attention(wrong), values(wrong))
    assert not ENGLISH.search(caught.value.reason.zh)
