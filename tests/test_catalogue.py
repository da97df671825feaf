"""The catalogue says of every finding what it is, why it matters and what to do, in two languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from contract import marks

from symattn.auditor.catalogue import CATALOGUE, checked_selectors, explain, listing, manual, selected
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang, Rule
from symattn.text.errors import UnusableValue

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("rule", CATALOGUE.values(), ids=list(CATALOGUE))
def test_a_rule_says_everything_in_both_languages(rule: Rule) -> None:
    assert re.fullmatch(r"SA[1-9]\d\d", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    for words in (rule.title, rule.what, rule.why, rule.example, rule.fix, rule.message):
        assert words.en.strip()
        assert words.zh.strip()
    assert not re.search("[\u4e00-\u9fff]", rule.what.en + rule.why.en + rule.fix.en)
    assert re.search("[\u4e00-\u9fff]", rule.what.zh)


@pytest.mark.parametrize("rule", CATALOGUE.values(), ids=list(CATALOGUE))
def test_both_messages_put_in_the_same_values(rule: Rule) -> None:
    assert marks(rule.message.en) == marks(rule.message.zh)


def test_a_message_counts_with_its_noun() -> None:
    said = [CATALOGUE[Finding.DOCUMENT_TRUNCATES].say("en", {"count": count}) for count in ("1", "12")]
    assert [words.rpartition("explains ")[2] for words in said] == ["1 number", "12 numbers"]


def test_codes_and_names_are_unique_and_in_order() -> None:
    assert list(CATALOGUE) == sorted(CATALOGUE)
    assert len({rule.name for rule in CATALOGUE.values()}) == len(CATALOGUE)


def written_codes(source: str) -> list[str]:
    """The string literals of a source that are the code of a finding, or the beginning of one."""
    constants = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return [text for text in constants if isinstance(text, str) and re.fullmatch(r"SA\d+", text)]


def test_every_finding_has_a_rule() -> None:
    assert set(CATALOGUE) == set(Finding)


def test_findings_are_spoken_of_by_name_outside_of_their_table() -> None:
    found = {path for path in (ROOT / "symattn").rglob("*.py") if written_codes(path.read_text("utf-8"))}
    assert found == {ROOT / "symattn/auditor/findings/codes.py"}


def test_a_code_that_is_written_out_is_found_and_one_within_a_text_is_not() -> None:
    assert written_codes('codes = ("SA201", "of SA202", f"{x} SA203", "SA2")') == ["SA201", "SA2"]


@pytest.mark.parametrize(("lang", "file"), [("en", "findings.md"), ("zh", "findings.zh.md")])
def test_the_manual_is_fresh(lang: Lang, file: str) -> None:
    """To mend it: `python -m symattn.auditor.catalogue > docs/findings.md`, with `zh` for the other."""
    assert (ROOT / "docs" / file).read_text("utf-8") == manual(lang)


def test_explain_takes_a_code_in_any_case() -> None:
    told = explain("sa204")
    assert told.startswith("SA204 typo: typo: what follows uses the right value\n(error, exit status 1)\n")
    assert "\n\nWhat to do: Print the right value; nothing else changes.\n" in told
    assert "如何处理：改为正确值，其余不变。" in explain("SA204", "zh")


def test_explain_of_an_unknown_code_says_what_lists_the_codes() -> None:
    with pytest.raises(UnusableValue, match='there is no finding "SA999"') as caught:
        explain("SA999")
    assert caught.value.remedy.endswith("SA904 or SA905? (`symattn explain` lists all codes)")


def test_the_listing_has_every_code_once() -> None:
    assert re.findall(r"SA\d{3}", listing()) == list(CATALOGUE)


@pytest.mark.parametrize(
    ("select", "ignore", "chosen"),
    [
        ((), (), True),
        (("SA2",), (), True),
        (("SA3",), (), False),
        ((), ("SA2",), False),
        (("SA201",), ("SA2",), True),  # the longer one wins
        (("SA2",), ("SA201",), False),
        (("SA201",), ("SA201",), False),  # a tie is ignored
        (("ALL",), ("SA3",), True),
        (("SA201",), ("ALL",), True),
        ((), ("ALL",), False),
    ],
)
def test_the_longest_selector_decides(select: tuple[str, ...], ignore: tuple[str, ...], chosen: bool) -> None:
    assert selected("SA201", select, ignore) is chosen


def test_selectors_are_split_at_commas_and_read_in_any_case() -> None:
    assert checked_selectors(["sa2, SA301", "sa9"], "--select") == ("SA2", "SA301", "SA9")
    with pytest.raises(UnusableValue, match="no finding begins with"):
        checked_selectors(["E501"], "--select")
