"""The page for a browser: the audited text with its verdicts in place."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command import symattn

NOTES = """\
# Notes <script>alert(1)</script>

scores = [0.26, 0.58, 0.74]
weights = softmax(scores) = [0.26, 0.36, 0.43]

exp(1) = 2.82 <img src=x onerror=alert(1)>
exp(1) = 2.718
"""
CASE = """\
[given]
Q = [[1, 2]]
K = [[3, 4]]
V = [[5, 6]]

[[stated]]
name = "scores"
values = [["-12.00"]]

[[stated]]
name = "scaled"
values = [["-8.49"]]
"""


class Elements(HTMLParser):
    """The start tags of a page, and the script in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def page_of(folder: Path, name: str, text: str, lang: str = "en") -> str:
    (folder / name).write_text(text, "utf-8")
    return symattn("audit", name, "--format", "html", "--lang", lang, folder=folder).stdout


def mark(page: str, printed: str) -> str:
    """The mark of a printed number, from its element on to the end of its line."""
    found = re.search(
        rf'<(details|span) class="n [^>]*>(<summary[^>]*>)?<span class="printed">{printed}<.*', page
    )
    assert found is not None, printed
    return found[0]


def test_each_number_has_a_role_a_sign_and_its_right_value(tmp_path: Path) -> None:
    page = page_of(tmp_path, "notes.md", NOTES)
    slip = mark(page, "2.82")
    assert slip.startswith('<details class="n slip"')
    assert '<span class="sign">✗</span></summary>' in slip
    assert '<span class="why">SA205 printed 2.82 for exp(1); the right value is 2.72' in slip
    right = mark(page, "2.718")
    assert right.startswith('<span class="n right"')
    assert '<span class="sign">✓</span>' in right


def test_the_right_values_are_in_chinese_too(tmp_path: Path) -> None:
    assert "正确值是 2.72" in mark(page_of(tmp_path, "notes.md", NOTES, "zh"), "2.82")


def test_a_carried_number_of_a_case_links_to_its_root(tmp_path: Path) -> None:
    page = page_of(tmp_path, "case.toml", CASE)
    link = next(attrs for tag, attrs in Elements(page).tags if tag == "a" and attrs.get("class") == "sign")
    root = next(attrs for tag, attrs in Elements(page).tags if attrs.get("id") == str(link["href"])[1:])
    assert root["class"] == "n slip"
    assert str(root["id"]).endswith("-8-12")
    assert "[&quot;<details" in page  # the quote of TOML is no part of the number
    assert mark(page, "-12.00").startswith("<details")


def test_a_false_statement_is_marked_in_its_sentence() -> None:
    page = symattn("audit", "examples/attention.zh.md", "--format", "html").stdout
    assert '“猫”，<details class="n slip"' in page


def test_what_a_hostile_note_writes_is_text(tmp_path: Path) -> None:
    page = page_of(tmp_path, "notes.md", NOTES)
    tags = Elements(page).tags
    assert [tag for tag, _ in tags].count("script") == 1
    assert "img" not in {tag for tag, _ in tags}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    policy = next(str(attrs["content"]) for tag, attrs in tags if "http-equiv" in attrs)
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy


@pytest.mark.parametrize("name", ["notes.md", "case.toml"])
def test_nothing_is_fetched(name: str, tmp_path: Path) -> None:
    page = page_of(tmp_path, name, NOTES if name == "notes.md" else CASE)
    for _, attrs in Elements(page).tags:
        assert "src" not in attrs
        assert str(attrs.get("href", "#")).startswith("#")
    assert set(re.findall(r"url\(([a-z]*:|[#$])", page)) <= {"data:", "#"}


def test_long_stretches_without_a_number_are_folded(tmp_path: Path) -> None:
    page = page_of(tmp_path, "notes.md", NOTES + "word\n" * 30)
    assert '<details class="fold"><summary>lines 11–38</summary>' in page


def test_what_a_comment_or_an_option_keeps_quiet_is_no_slip(tmp_path: Path) -> None:
    text = NOTES.replace("onerror", "<!-- symattn: ignore[SA2] quoted --> onerror")
    assert mark(page_of(tmp_path, "notes.md", text), "2.82").startswith('<details class="n quiet"')
