"""The sentences of a page: the same in both languages, all of them used, joined as each language joins."""

from __future__ import annotations

from pathlib import Path

from contract import follows_orientation, marks
from narrated import TWO, page, paragraphs, remarks

from symattn.attention.registry import CONVENTION_KEYS
from symattn.narrate import numbers as narrate_numbers
from symattn.narrate.voice import Voice
from symattn.narrate.words import SENTENCES


def test_every_sentence_has_the_same_marks_in_both_languages() -> None:
    for key, said in SENTENCES.items():
        assert set(marks(said.en)) == set(marks(said.zh)), key


def test_a_sentence_about_rows_reads_differently_where_tokens_are_columns() -> None:
    assert [key for key, said in SENTENCES.items() if not follows_orientation(said)] == []


def test_every_sentence_of_the_table_is_used() -> None:
    package = Path(narrate_numbers.__file__).parent
    code = "".join(path.read_text("utf-8") for path in package.glob("*.py"))
    assert [key for key in SENTENCES if f'"{key.partition("=")[0]}"' not in code] == []


def test_a_sentence_about_a_value_of_a_key_names_one_of_its_choices() -> None:
    choices = {key.name: key.choices for key in CONVENTION_KEYS}
    of_values = [key.partition("=")[::2] for key in SENTENCES if "=" in key]
    assert of_values
    assert all(value in choices[name] for name, value in of_values)


def test_a_sentence_takes_formulas_and_words_into_its_marks() -> None:
    assert Voice("zh").say("row-of", i=1, token="猫") == ("第 ", "1", " 行，", "猫")


def test_lists_are_joined_as_each_language_joins_them() -> None:
    assert "".join(map(str, Voice("en").listed(["1", "2", "3"]))) == "1, 2 and 3"
    assert "".join(map(str, Voice("zh").listed(["1", "2", "3"]))) == "1、2、3"
    assert "".join(map(str, Voice("zh").listed(["甲", "乙"]))) == "甲和乙"


def test_facts_stand_after_their_step_with_their_reasons() -> None:
    told = remarks(page(TWO))
    assert (
        "Proved: Rows 1 and 2 of A are identical: their scores differ by the same sqrt(2) / 2 at every key, "
        "and adding one number to all scores changes no weight." in told
    )
    assert "Proved: Rows 1 and 2 of Z are identical: so are these rows of A." in told
    assert any(
        line.startswith("Proved: Z[1, 2] = 1 and Z[2, 2] = 1 exactly: column 2 of V is constant")
        for line in told
    )
    assert (
        "Order: a attends most to b; b attends most to itself. The weights are in the order of the scores."
        in told
    )


def test_the_last_line_is_the_cross_check() -> None:
    last = remarks(page(TWO))[-1]
    assert last.startswith(
        "Cross-check: An independent computation in floating point (NumPy) agrees in every step; "
    )


def test_a_window_says_how_many_keys_a_query_sees_on_each_side() -> None:
    said = paragraphs(page(f"{TWO}[attention]\nwindow_left = 1\nwindow_right = 0\n"))
    assert "; a query sees at most 1 key before its own; a query sees no key after its own;" in said


def test_equal_weights_of_a_row_that_sees_some_keys_are_those_of_the_visible_keys() -> None:
    text = (
        'tokens = ["a", "b", "c"]\n[given]\nscaled = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\nV = [[1], [2], [3]]\n'
    )
    (order,) = (
        said for said in remarks(page(f'{text}[attention]\nmask = "causal"\n')) if said.startswith("Order")
    )
    assert "b attends to all visible keys equally; c attends to all keys equally" in order


def test_chinese_says_the_same_facts() -> None:
    told = remarks(page(TWO, lang="zh"))
    assert "已证: Z 的第 1、2 行完全相同：A 的这几行相同。" in told
    assert "次序: “a”最关注“b”；“b”最关注自己。权重的大小次序与得分相同。" in told
