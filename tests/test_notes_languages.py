"""Notes in other languages are read by their mathematics, and by few words: rows, and lists of tokens."""

from __future__ import annotations

import pytest

from symattn.reading.notes.formulas.names import Bases
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.reader import read_notes
from tests.linked import links

WALK = "Q = [[1, 0], [0, 1]]\n\nK = [[1, 2], [3, 4]]\n\n"


@pytest.mark.parametrize("row", ["Zeile 2", "Fila 2:", "**Ligne 2**", "строка 2", "행 2"])
def test_a_row_is_announced_in_the_language_of_the_notes(row: str) -> None:
    (case,) = read_notes(f"{WALK}{row}\n\nscores = [2, 4]\n").cases
    assert [(claim.name, claim.row) for claim in case.stated] == [("scores", 1)]


@pytest.mark.parametrize(
    "listed",
    [
        'Der Satz mit den Wörtern "Katze", "Hund".',
        'Las palabras: "Katze" y "Hund".',
        "- Wort 1: Katze\n- Wort 2: Hund",
    ],
)
def test_tokens_are_words_in_quotation_marks_one_after_the_other(listed: str) -> None:
    (case,) = read_notes(f'{listed}\n\n{WALK}Für "Hund":\n\nscores = [2, 4]\n').cases
    assert case.tokens == ("Katze", "Hund")
    assert [(claim.name, claim.row) for claim in case.stated] == [("scores", 1)]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Vecteurs d'entrée", "X"),
        ("Eingabevektoren", "X"),
        ("Vecteur requête de « chat »", "Q"),
        ("「猫」のクエリベクトルは", "Q"),
        ("'나는'의 쿼리 벡터:", "Q"),
        ("Scores d'attention (produits scalaires)", "scores"),
        ("スコアの計算", "scores"),
        ("Скалярное произведение «кот» и «спит»:", "scores"),
        ("Division par √3", "scaled"),
        ("√2で割る（スケーリング）", "scaled"),
        ("Делим на √2", "scaled"),
        ("Pesos de atenção", "A"),
        ("「猫」の出力", "Z"),
        ("Vector đầu ra", "Z"),
        ("Vector của câu", None),
    ],
)
def test_words_of_many_languages_name_what_stands_below_them(words: str, name: str | None) -> None:
    assert named(words, Bases()) == name


ROWS = "## Nosso exemplo\n\n- gato: (1; 2)\n- dorme: (0; 1)\n\n"
WEIGHTS = "W_Q = [[1, 0], [0, 1]]\n\n"


def test_the_rows_of_tokens_that_the_weights_can_multiply_are_the_input() -> None:
    (case,) = read_notes(f"{ROWS}{WEIGHTS}Q = [[1, 2], [0, 1]]\n").cases
    assert (case.given["X"].typed, case.tokens) == ((("1", "2"), ("0", "1")), ("gato", "dorme"))


def test_rows_that_no_weights_can_multiply_are_no_input() -> None:
    (case,) = read_notes(f"{ROWS.replace('; ', '; 7; ')}{WEIGHTS}Q = [[1, 2], [0, 1]]\nK = [[1, 2]]\n").cases
    assert "X" not in case.given


@pytest.mark.parametrize(
    ("said", "lang"),
    [
        ("得分如下，缩放后求权重。", "zh"),
        ("The tokens are “我” and “你”, and we compute scores for both of them.", "en"),
        ("各行の重みを計算します。まずスコアを求め、次に正規化して出力を得る。計算例を示す。", "en"),
        ("softmax, scores", "en"),
    ],
)
def test_a_report_is_in_chinese_where_the_notes_are(said: str, lang: str) -> None:
    (case,) = read_notes(f"{said}\n\n{WALK}scores = [[1, 3], [2, 4]]\n").cases
    assert case.lang == lang


def test_the_weighted_total_is_the_output() -> None:
    text = "Q = [[1, 0]], K = [[1, 0], [0, 1]], V = [[1, 2], [3, 4]]\n\n"
    text += "注意力權重：0.67、0.33\n\n加權總和：[1.66, 2.66]\n"
    assert [name for name, *_ in links(text)][-1] == "Z"
