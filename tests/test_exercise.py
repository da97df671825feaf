"""Exercises: the same for a seed, with short answers, and a key that the tool derives and audits itself."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from command import symattn

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.classroom.exercise import exercise
from symattn.classroom.levels import LEVELS
from symattn.classroom.sheet import sheet
from symattn.classroom.students import file_stem
from symattn.typeset.text import text

PINNED = [
    ("scores", (("0", "0", "2"),)),
    ("scaled", (("0", "0", "1"),)),
    ("A", (("1/5", "1/5", "3/5"),)),
    ("Z", (("11/5", "-1/5"),)),
]
EVERY = [(level, seed) for level in LEVELS for seed in range(8)]


@pytest.mark.parametrize(("level", "seed"), EVERY)
def test_the_audit_finds_every_number_of_a_key_right(level: int, seed: int) -> None:
    case = parse_case(exercise(seed, level).key())
    report = audit(case)
    assert report.counts["correct"] == report.printed == sum(each.points or 0 for each in case.stated)


@pytest.mark.parametrize(("level", "seed"), EVERY)
def test_every_answer_is_a_short_fraction(level: int, seed: int) -> None:
    answers = [Fraction(x) for each in exercise(seed, level).case.stated for row in each.values for x in row]
    assert all(x.denominator <= 30 and abs(x.numerator) <= 30 for x in answers)


def test_a_seed_gives_the_same_numbers_in_both_languages_and_for_ever() -> None:
    english, chinese = exercise(7, 2), exercise(7, 2, lang="zh")
    assert english.case.stated == chinese.case.stated
    assert chinese.case.title == "练习 7（难度 2）：一个查询与三个键"
    assert [(each.name, each.values) for each in english.case.stated] == PINNED


def test_students_have_numbers_of_their_own() -> None:
    assert exercise(7, 3, "Ada").case.given != exercise(7, 3, "Bob").case.given


def test_a_blank_has_room_for_the_longest_number_of_its_matrix_and_two_digits() -> None:
    made = exercise(7, 2)
    assert "Z = [" + "  ".join(["_" * 6] * 2) + "]" in text(sheet(made))


def test_a_backward_step_starts_from_scores_that_are_logarithms() -> None:
    made = next(e for e in (exercise(seed, 5) for seed in range(9)) if "dZ" in e.case.given)
    assert any("log(" in cell for row in made.case.given["scores"].typed for cell in row)


def test_names_of_files_are_safe_in_every_script() -> None:
    assert [*map(file_stem, ("../O'Brien, Ann", "王 小明", "con", "..."))] == [
        "O_Brien_Ann",
        "王_小明",
        "con_",
        "",
    ]


def test_two_students_with_one_file_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text("id,Name\n1,Ada L.\n2,ada l\n", encoding="utf-8")
    done = symattn("exercise", "--seed", "1", "--level", "1", "--students", listed, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert 'list.csv:3: "ada l" would have the file of "Ada L." on line 2' in done.stderr
    assert not (tmp_path / "out").exists()


def test_each_student_has_a_sheet_a_key_and_a_file_for_answers(tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text("姓名\n王小明\nAda\n", encoding="utf-8")
    out = tmp_path / "out"
    done = symattn("exercise", "--seed", "1", "--level", "1", "--lang", "zh", "--students", listed, "-o", out)
    assert done.returncode == 0
    ends = (".answers.toml", ".key.toml", ".md")
    assert sorted(each.name for each in out.iterdir()) == [
        f"{n}{end}" for n in ("Ada", "王小明") for end in ends
    ]
    assert "姓名：王小明" in (out / "王小明.md").read_text(encoding="utf-8")


def test_several_students_need_a_folder(tmp_path: Path) -> None:
    done = symattn("exercise", "--seed", "1", "--level", "1", "--students", tmp_path / "no.csv")
    assert done.returncode == 2
    assert "-o FOLDER" in done.stderr


def test_scores_differ_from_their_transpose_so_that_q_and_k_exchanged_are_seen() -> None:
    for seed in range(8):
        scores = exercise(seed, 3).derivation["scores"]
        assert scores[0, 1] != scores[1, 0]
