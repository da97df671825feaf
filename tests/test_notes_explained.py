"""`symattn audit --explain-reading`: what each printed object of notes was taken for."""

from __future__ import annotations

import json
from pathlib import Path

from command import symattn

NOTES = """\
X = [[1.5, 0.25], [0.5, 1.75]]
W_Q = [[1.2, 2.1], [0.4, 1.3]]
Q = X W_Q = [[1.90, 3.58], [1.30, 3.33]]

exp(1) = 2.82
"""


def explained(folder: Path, text: str, *options: str) -> str:
    (folder / "notes.md").write_text(text, "utf-8")
    return symattn("audit", "notes.md", "--explain-reading", *options, folder=folder).stdout


def test_each_object_has_a_line_with_its_formula_evidence_and_operands(tmp_path: Path) -> None:
    lines = explained(tmp_path, NOTES, "--lang", "en").splitlines()
    assert lines[:3] == [
        "notes.md:3:15: Q (2×2) = X·W_Q: sure; its formula on the page; 3 of 4 right; its numbers 25.5 bits; "
        "from X 1:7, W_Q 2:9",
        "notes.md:5:10: = exponential(1): sure; its working; 0 of 1 right",
        "notes.md: given: X (2×2) 1:7, W_Q (2×2) 2:9",
    ]


def test_the_lines_are_in_chinese_too(tmp_path: Path) -> None:
    lines = explained(tmp_path, NOTES, "--lang", "zh").splitlines()
    assert "Q (2×2) = X·W_Q：确定；页上所写的公式；4 个中 3 个正确" in lines[0]
    assert lines[2] == "notes.md: 已知：X (2×2) 1:7、W_Q (2×2) 2:9"


def test_one_bit_is_no_plural(tmp_path: Path) -> None:
    assert explained(tmp_path, "z = 1+1 = 2\n", "--lang", "en").splitlines()[0].endswith("its numbers 1 bit")


def test_json_holds_the_same_under_a_key_that_only_the_option_adds(tmp_path: Path) -> None:
    first = json.loads(explained(tmp_path, NOTES, "--format", "json"))["files"][0]["reading"][0]
    assert (first["name"], first["shape"], first["line"], first["sure"]) == ("Q", [2, 2], 3, True)
    assert first["reading"]["formula"] == "X·W_Q"
    assert first["reading"]["operands"][1] == {"name": "W_Q", "line": 2, "column": 9}
    assert first["reading"]["wrong"] == 1
    plain = symattn("audit", "notes.md", "--format", "json", folder=tmp_path).stdout
    assert "reading" not in json.loads(plain)["files"][0]


def test_the_second_reading_is_named_with_why_it_lost(tmp_path: Path) -> None:
    lines = explained(tmp_path, "z = 2*3 + 4*5 = 6 + 22 = 28\n", "--lang", "en").splitlines()
    assert lines[3] == (
        "notes.md:1:26:   second: 2·3 + 4·5 (its working); with it, more numbers are wrong (1 of 1)"
    )


def test_a_case_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "case.toml").write_text("[given]\nX = [[1]]\n", "utf-8")
    done = symattn("audit", "case.toml", "--explain-reading", "--lang", "en", folder=tmp_path)
    said = "symattn: case.toml: --explain-reading is for notes; a case says itself what everything is\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_other_formats_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(NOTES, "utf-8")
    done = symattn(
        "audit", "notes.md", "--explain-reading", "--format", "html", "--lang", "en", folder=tmp_path
    )
    assert (
        done.returncode,
        "--explain-reading works only with the formats text and json" in done.stderr,
    ) == (2, True)
