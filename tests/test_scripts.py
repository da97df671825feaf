"""Words in any script: the fonts that they are set in, and that a page has them as they were typed."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ON_CI, need

from symattn.text.document import Display, Document, Paragraph, Strong
from symattn.text.notation import Grid, Number
from symattn.typeset.html import html
from symattn.typeset.latex import latex
from symattn.typeset.latex_text import escape, escape_prose
from symattn.typeset.pdf import by_typst
from symattn.typeset.scripts import clusters, families
from symattn.typeset.typst import typst

CASES = Path(__file__).parents[1] / "cases"
WORDS = {
    "Russian": "кошка и кошке",
    "Ukrainian": "їжак ґанок є",
    "Serbian": "љубав ђак џеп",
    "Bulgarian": "котката ъгъл",
    "Greek": "η γάτα Ελλάδα",
    "Hebrew": "החתול שָׁלוֹם",
    "Yiddish": "קאַץ אױף ייִדיש",
    "Arabic": "القطة السوداء، نعم",
    "Persian": "گربه می‌خواهم ۱۲",
    "Urdu": "بلی ٹھیک ہے",
    "Hindi": "बिल्ली क्षत्रिय।",
    "Marathi": "मांजर ऱ्हस्व",
    "Nepali": "बिरालो छ",
    "Bengali": "বিড়াল ক্ষুধার্ত",
    "Tamil": "பூனை கொக்கு",
    "Thai": "แมวกินปลาน้ำ",
    "Korean": "고양이가 생선을",
    "Japanese": "猫がラーメンを読む気 ｶﾅ 々",
    "Traditional Chinese": "貓在屋裡 𠮷",
    "Cantonese": "嘅 喺 佢哋 冇 攞嚟",
    "Vietnamese": "con mèo được người ở",
    "Turkish": "kedi ğüşiöçİı",
    "Azerbaijani": "pişik Azərbaycan",
    "Polish": "zażółć gęślą jaźń",
    "Czech": "příšerně žluťoučký kůň",
    "Hungarian": "árvíztűrő fúrógép",
    "Romanian": "pisică știință țară",
    "Icelandic": "köttur þú ðað",
    "Yoruba": "ológbò ọ̀rẹ́ ẹ̀ṣọ́",
    "Esperanto": "kato ĉĝĥĵŝŭ",
    "signs": "ǎ ə ḥ № ₩ ▁the Ġthe ␣",
}


def in_fonts() -> None:
    """The fonts of docs/fonts.md are needed."""
    need("fc-list", "pdftotext")
    have = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout
    missing = [
        font for font in ("CMU Serif", "Noto Serif Devanagari", "Noto Serif CJK SC") if font not in have
    ]
    if missing:
        assert not ON_CI
        pytest.skip(f"without {missing}")


def printed(page: Path) -> str:
    return subprocess.run(["pdftotext", page, "-"], capture_output=True, text=True, check=True).stdout


def _tokens(case: dict[str, Any]) -> tuple[str, ...]:
    return (*case.get("tokens", ()), *case.get("memory_tokens", ()))


def sample() -> Document:
    """Every language in a paragraph and as rows, with the tokens and titles of all shipped cases."""
    shipped = [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(CASES.rglob("*.toml"))]
    said = {
        word
        for case in shipped
        for word in (*map(case.get, ("title", "author", "source", "note")), *_tokens(case))
        if word
    }
    grid = Grid(tuple((Number("1"),) for _ in WORDS), tuple(WORDS.values()))
    prose = [Paragraph((words, " ", Strong(words))) for words in (*WORDS.values(), *sorted(said))]
    return Document("Слова, מילים, शब्द", (*prose, Display((grid,))))


@pytest.mark.slow
def test_with_the_fonts_of_the_manual_every_script_is_printed(
    xelatex: Callable[[str], str], tmp_path: Path
) -> None:
    in_fonts()
    xelatex(latex(sample(), standalone=True))
    text = printed(tmp_path / "page.pdf")
    assert "U+" not in text
    assert all(word in text for word in ("кошка", "Ελλάδα", "고양이가", "được", "貓"))


@pytest.mark.slow
def test_typst_prints_every_script_too(tmp_path: Path) -> None:
    in_fonts()
    (tmp_path / "page.pdf").write_bytes(by_typst(sample()))
    text = printed(tmp_path / "page.pdf")
    assert "U+" not in text
    assert all(word in text for word in ("кошка", "Ελλάδα", "고양이가", "được", "貓"))


def test_typst_spells_out_the_scripts_that_no_installed_font_shows() -> None:
    document = Document("кот แมว", ())
    assert "кот U+0E41U+0E21U+0E27" in typst(document, installed=frozenset())
    source = typst(document, installed=frozenset(("Noto Sans Thai",)))
    assert "кот แมว" in source
    assert re.findall(r'name: "([^"]*)"', source.partition("#show")[0]) == ["Noto Sans Thai"]


def test_words_from_the_right_leave_the_direction_of_what_is_behind_them() -> None:
    assert "\u05d2\u200e > \u05d3\u200e" in typst(Document("\u05d2 > \u05d3", ()))
    assert "\u05d2 \u05d2&#8206; &gt; \u05d3&#8206;" in html(
        Document("t", (Paragraph(("\u05d2 \u05d2 > \u05d3",)),))
    )


def test_without_its_font_a_word_is_spelled_out_instead_of_lost(
    xelatex: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    need("pdftotext")
    monkeypatch.setattr("symattn.typeset.latex_scripts.families", lambda script: ("No Such Font",))
    xelatex(latex(Document("t", (Paragraph(("кот",)),)), standalone=True))
    assert "U+043AU+043EU+0442" in printed(tmp_path / "page.pdf")


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("a кот b", r"a \sascript{cyrillic}{кот} b"),
        ("בית ספר!", r"\sascript{hebrew}{בית ספר}!"),
        ("θ und θάλασσα", r"$\theta$ und \sascript{greek}{θάλασσα}"),
        ("可読", r"可\sascript{cjk}{読}"),
        ("ọ\u0300r", "\\sascript{latin}{ọ\u0300}r"),
        ("می\u200cخ", "\\sascript{arabic}{می\u200cخ}"),
        ("a\u202eb", r"a\texttt{U+202E}b"),
        ("قطة 12", r"\sascript{arabic}{قطة} 12"),
    ],
)
def test_each_run_of_a_script_takes_its_font(words: str, source: str) -> None:
    assert escape(words) == source


def test_a_long_word_breaks_only_where_its_letters_do_not_join() -> None:
    assert r"\allowbreak" in escape_prose("кошка" * 5)
    assert r"\allowbreak" not in escape_prose("बिल्ली" * 5)


def test_a_fragment_defines_the_scripts_that_occur_and_no_others() -> None:
    source = latex(Document("घर", ()))
    assert r"\usepackage{fontspec}" in source
    assert source.count(r"\sanewscript{") == 1
    assert "Noto Serif Devanagari" in source
    assert "sascript" not in latex(Document("Haus", ()))


def test_a_script_without_an_entry_has_the_noto_fonts_of_its_name() -> None:
    assert families("telugu")[:2] == ("Noto Serif Telugu", "Noto Sans Telugu")


def test_a_cluster_is_what_a_reader_takes_for_one_character() -> None:
    assert list(clusters("e\u0301x")) == ["e\u0301", "x"]
    assert list(clusters("क्षि!")) == ["क्षि", "!"]
    assert list(clusters("👩\u200d🔬🇩🇪🇫🇷👍🏽")) == ["👩\u200d🔬", "🇩🇪", "🇫🇷", "👍🏽"]
