"""Marks: full points for right working on wrong inputs, and feedback that names the slip."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from command import Done, symattn

from symattn.attention.case import Case
from symattn.attention.recipes.attention import attention
from symattn.casefile.case_file import parse_case
from symattn.classroom.answers import Answer, read_answers
from symattn.classroom.exercise import exercise
from symattn.classroom.levels import LEVELS
from symattn.classroom.marking import Mark, key_of, mark
from symattn.classroom.marks import schema
from symattn.classroom.written_answers import Entry
from symattn.exact.decimal import printed
from symattn.exact.matrix import Matrix
from symattn.plans.derive import derive

KEY = """
[given]
Q = [[1, 1]]
K = [[1, 0], [3, 2]]
V = [[5, 0], [0, 5]]
[attention]
scale = "1/2"
base = "4"
[[stated]]
name = "S"
values = [[1, 5]]
points = 4
[[stated]]
name = "S'"
values = [[0.5, 2.5]]
points = 2
[[stated]]
name = "A"
values = [["1/17", "16/17"]]
points = 2
[[stated]]
name = "Z"
values = [["5/17", "80/17"]]
points = 2
"""
RIGHT = 'S = [[1, 5]]\n"S\'" = [["1/2", "5/2"]]\nA = [[0.059, 0.941]]\nZ = [["5/17", "80/17"]]\n'


def case() -> Case:
    return parse_case(KEY)


def marked(tmp_path: Path, text: str, name: str = "ada.toml") -> Mark:
    """The mark of one answer with this text."""
    key = key_of(case())
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    (answer,) = read_answers(str(file), key.derivation)
    return mark(key, answer)


def command(tmp_path: Path, *arguments: str | Path) -> Done:
    """`symattn mark` with the key above."""
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    return symattn("mark", tmp_path / "key.toml", *arguments)


def test_a_right_answer_in_any_notation_has_full_points(tmp_path: Path) -> None:
    assert (marked(tmp_path, RIGHT).points, marked(tmp_path, RIGHT).of) == (10, 10)


def test_what_follows_rightly_from_a_slip_has_full_points(tmp_path: Path) -> None:
    wrong = 'S = [[1, 3]]\n"S\'" = [["1/2", "3/2"]]\nA = [["1/5", "4/5"]]\nZ = [[1, 4]]\n'
    found = marked(tmp_path, wrong)
    assert [each.points for each in found.blanks] == [2, 2, 2, 2]
    assert found.feedback[0].en.startswith("S[1,2] is 5, not 3")
    assert found.feedback[-1].en == "5 numbers follow correctly from that: full points"


def test_a_slip_is_named_although_all_that_follows_agrees_with_it(tmp_path: Path) -> None:
    unscaled = RIGHT.replace('"1/2", "5/2"', "1, 5").replace("0.059, 0.941", '"1/257", "256/257"')
    found = marked(tmp_path, unscaled.replace('"5/17", "80/17"', '"5/257", "1280/257"'))
    assert [each.points for each in found.blanks] == [4, 0, 2, 2]
    assert "left the scores unscaled" in found.feedback[0].en
    assert "没有缩放" in found.feedback[0].zh


def test_a_whole_number_is_no_rounded_weight(tmp_path: Path) -> None:
    found = marked(tmp_path, RIGHT.replace("0.059, 0.941", "0, 1"))
    assert found.blanks[2].outcomes == {"slip": 2}


def test_a_matrix_of_another_shape_costs_only_its_own_points(tmp_path: Path) -> None:
    found = marked(tmp_path, RIGHT.replace("[[0.059, 0.941]]", "[[1], [2]]"))
    assert found.points == 8
    assert found.feedback[0].en == "not read: A: A is 2×1 here; it is 1×2"


def test_notes_are_marked_by_the_names_on_the_page(tmp_path: Path) -> None:
    notes = r"""# My answers

S_{11} = 1·1 + 1·0 = 1 and then $S_{12} = 5$

$$S' = \begin{pmatrix} \frac{1}{2} & \frac{5}{2} \end{pmatrix}$$

A = [[1/17, 16/17]]

Z = (0.294, 4.706)
"""
    assert marked(tmp_path, notes, "ada.md").points == 10


def test_a_key_without_stated_numbers_asks_for_every_step() -> None:
    key = key_of(parse_case(KEY.partition("[[stated]]")[0]))
    assert [each.label for each in key.blanks] == ["S", "S'", "A", "Z"]


def test_an_empty_answer_has_no_points() -> None:
    found = mark(key_of(case()), Answer("ada", {}))
    assert (found.points, found.blanks[0].outcomes) == (0, {"missing": 2})


def test_a_broken_answer_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "ada.toml").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "bob.toml").write_text("S = [[", encoding="utf-8")
    (tmp_path / "class.csv").write_text('student,"S[1,1]","S[1,2]"\neve,1,5\n=1+1,2\n', encoding="utf-8")
    names = ("ada.toml", "bob.toml", "class.csv")
    done = command(tmp_path, *(tmp_path / name for name in names), "--csv", tmp_path / "marks.csv")
    assert done.returncode == 2
    rows = (tmp_path / "marks.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[:3] for row in rows[1:]] == [
        ["ada", "10", "10"],
        ["bob", "0", "0"],
        ["eve", "4", "10"],
        ["'=1+1", "0", "0"],
    ]
    assert "bob.toml:1:" in rows[2]
    assert "line 3 has 2 cells" in rows[4]


def test_the_json_of_marks_has_its_schema(tmp_path: Path) -> None:
    (tmp_path / "ada.toml").write_text(RIGHT, encoding="utf-8")
    done = command(tmp_path, tmp_path / "ada.toml", tmp_path / "no.toml", "--json")
    data = json.loads(done.stdout)
    jsonschema.validate(data, schema())
    assert [each["points"] for each in data["marks"]] == [10.0, 0.0]
    assert "there is no such file" in data["marks"][1]["problem"]


@pytest.mark.parametrize(("lang", "said"), [("en", "S[1,1] is 1, not 2"), ("zh", "S[1,1] 应为 1，而不是 2")])
def test_feedback_is_in_the_language_that_was_asked_for(tmp_path: Path, lang: str, said: str) -> None:
    (tmp_path / "ada.csv").write_text('entry,value\n"S[1,1]",2\n', encoding="utf-8")
    assert said in command(tmp_path, tmp_path / "ada.csv", "--lang", lang).stdout


def test_each_student_is_marked_by_the_key_of_theirs(tmp_path: Path) -> None:
    listed, sheets = tmp_path / "list.csv", tmp_path / "sheets"
    listed.write_text("Ada\nBob\n", encoding="utf-8")
    symattn("exercise", "--seed", "1", "--level", "1", "--students", listed, "-o", sheets)
    answers = tmp_path / "answers"
    answers.mkdir()
    for name in ("Ada", "Bob"):
        key = (sheets / f"{name}.key.toml").read_text(encoding="utf-8")
        (answers / f"{name}.toml").write_text(key, encoding="utf-8")
    done = symattn("mark", sheets, answers, "--json")
    assert [(each["student"], each["points"]) for each in json.loads(done.stdout)["marks"]] == [
        ("Ada", 4.0),
        ("Bob", 4.0),
    ]


def test_a_key_that_is_none_is_one_message(tmp_path: Path) -> None:
    done = symattn("mark", tmp_path / "no.toml", tmp_path / "ada.toml")
    assert done.returncode == 2
    assert "no.toml: there is no such file" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("level", "seed"), [(level, seed) for level in LEVELS for seed in range(2)])
def test_one_slip_costs_one_point_and_what_follows_from_it_none(level: int, seed: int) -> None:
    """The student goes on from the wrong number, and rounds to three decimals at every step."""
    made = exercise(seed, level)
    plan, numbers, assumed = attention(made.case), dict[Entry, str](), dict[str, Matrix]()
    for at, claim in enumerate(made.case.stated):
        exact = derive(plan, made.derivation.given, assumed)[claim.name]
        n, m = exact.shape
        rows = [[Fraction(printed(exact[i, j], 3).digits) for j in range(m)] for i in range(n)]
        rows[0][0] += at == 0
        assumed[claim.name] = Matrix.rational(rows)
        texts = [[f"{float(x):.3f}" for x in row] for row in rows]
        numbers |= {(claim.name, i, j): text for i, row in enumerate(texts) for j, text in enumerate(row)}
    found = mark(key_of(made.case), Answer("ada", numbers))
    assert found.points == found.of - 1
