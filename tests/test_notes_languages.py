"""Notes in other languages are read by their mathematics, and by few words: rows, and lists of tokens."""

from __future__ import annotations

import pytest

from symattn.reading.notes.reader import read_notes

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
