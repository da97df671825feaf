"""Exercises for course systems: Moodle XML with fields of the type cloze, packages of QTI 2.1."""

from __future__ import annotations

import io
import re
import zipfile
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from command import symattn

from symattn.classroom.exercise import exercise
from symattn.classroom.levels import LEVELS
from symattn.classroom.moodle import moodle_xml
from symattn.classroom.qti import QTI, qti_package

LEVEL = pytest.mark.parametrize("level", LEVELS)
NAMES = {"q": QTI}


def answers(level: int) -> list[Fraction]:
    """The right numbers in the order of the sheet."""
    return [Fraction(x) for each in exercise(5, level).case.stated for row in each.values for x in row]


def near(found: list[str], level: int) -> bool:
    """Whether these are the right numbers to six decimals."""
    pairs = zip(found, answers(level), strict=True)
    return all(abs(Fraction(text) - right) < Fraction(1, 10**6) for text, right in pairs)


@LEVEL
def test_moodle_has_a_numerical_field_with_a_tolerance_for_each_blank(level: int) -> None:
    root = fromstring(moodle_xml(exercise(5, level)))
    assert root.find("question[@type='cloze']/name/text") is not None
    page = root.findtext("question/questiontext/text") or ""
    assert near(re.findall(r"<td class=\"l\">\{1:NUMERICAL:=(-?[0-9.]+):0\.001\}</td>", page), level)
    assert "⟦" not in page


@LEVEL
def test_an_item_of_qti_declares_shows_and_scores_each_blank(level: int) -> None:
    with zipfile.ZipFile(io.BytesIO(qti_package(exercise(5, level)))) as package:
        manifest, item = (fromstring(package.read(name)) for name in ("imsmanifest.xml", "item.xml"))
    resource = next(each for each in manifest.iter() if each.tag.endswith("}resource"))
    assert (resource.get("type"), resource.get("href")) == ("imsqti_item_xmlv2p1", "item.xml")
    declared = item.findall("q:responseDeclaration", NAMES)
    assert near([each.findtext("q:correctResponse/q:value", "", NAMES) for each in declared], level)
    names = [each.get("identifier") for each in declared]
    shown = item.findall("q:itemBody//q:textEntryInteraction", NAMES)
    scored = item.findall("q:responseProcessing//q:equal/q:correct", NAMES)
    assert [each.get("responseIdentifier") for each in shown] == names
    assert [each.get("identifier") for each in scored] == names
    most = item.findtext("q:outcomeDeclaration[@identifier='MAXSCORE']//q:value", "", NAMES)
    assert int(most) == len(names)


def test_the_body_of_an_item_has_only_elements_that_items_have() -> None:
    with zipfile.ZipFile(io.BytesIO(qti_package(exercise(5, 3)))) as package:
        body = fromstring(package.read("item.xml")).find("q:itemBody", NAMES)
    assert body is not None
    ours = [each for each in body.iter() if each.tag.startswith(f"{{{QTI}}}")]
    known = [
        "itemBody",
        "p",
        "h2",
        "h3",
        "div",
        "span",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "strong",
        "textEntryInteraction",
    ]
    assert {each.tag.partition("}")[2] for each in ours} <= set(known)
    assert {name for each in ours for name in each.attrib} <= {
        "class",
        "responseIdentifier",
        "expectedLength",
    }


def test_equal_seeds_give_equal_packages(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        done = symattn("exercise", "--seed", "5", "--level", "2", "-o", tmp_path / name)
        assert done.returncode == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert (tmp_path / "one.key.toml").exists()
