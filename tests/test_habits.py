"""Habits: `symattn.toml`, and `[tool.symattn]` in `pyproject.toml`, above the audited file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import symattn

WRONG = "3 + 4 = 8\n"
ROUNDED = "exp(1) ≈ 2.71\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A repository with a wrong and a rounded number, and a draft."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "part" / "drafts").mkdir(parents=True)
    (tmp_path / "part" / "a.md").write_text(ROUNDED, "utf-8")
    (tmp_path / "part" / "drafts" / "b.md").write_text(WRONG, "utf-8")
    return tmp_path


def habits(folder: Path, text: str, name: str = "symattn.toml") -> None:
    (folder / name).write_text(text, "utf-8")


def test_habits_are_sought_upwards_to_the_root_of_the_repository_and_no_further(book: Path) -> None:
    assert symattn("audit", "part/a.md", folder=book).returncode == 0
    habits(book, "strict = true\n")
    assert symattn("audit", "a.md", folder=book / "part").returncode == 1
    (book / "part" / ".git").mkdir()
    assert symattn("audit", "a.md", folder=book / "part").returncode == 0


def test_outside_of_a_repository_the_search_ends_at_the_working_directory(book: Path) -> None:
    (book / ".git").rmdir()
    habits(book, "strict = true\n")
    assert symattn("audit", "part/a.md", folder=book).returncode == 1
    assert symattn("audit", "a.md", folder=book / "part").returncode == 0


def test_the_own_file_wins_over_pyproject_and_the_command_line_over_both(book: Path) -> None:
    habits(book, '[project]\nname = "x"\n[tool.symattn]\nstrict = true\n', "pyproject.toml")
    assert symattn("audit", "part/a.md", folder=book).returncode == 1
    assert symattn("audit", "part/a.md", "--no-strict", folder=book).returncode == 0
    habits(book, "strict = false\n")
    assert symattn("audit", "part/a.md", folder=book).returncode == 0
    assert symattn("audit", "part/a.md", "--strict", folder=book).returncode == 1


def test_habits_name_paths_excludes_and_codes_that_are_ignored_by_path_too(book: Path) -> None:
    habits(book, 'paths = ["part"]\n')
    assert "drafts/b.md:1:9: SA205" in symattn("audit", folder=book).stdout
    habits(book, 'paths = ["part"]\nexclude = ["part/drafts"]\n')
    assert symattn("audit", folder=book).returncode == 0
    assert "drafts" not in symattn("audit", folder=book).stdout
    habits(book, 'per-file-ignores = {"part/drafts/*" = ["SA2"]}\n')
    assert symattn("audit", "part", folder=book).returncode == 0
    (book / "part" / "a.md").write_text(WRONG, "utf-8")
    assert symattn("audit", "part", folder=book).returncode == 1
    habits(book, 'ignore = ["SA2"]\nlang = "zh"\n')
    found = symattn("audit", "part/a.md", folder=book)
    assert (found.returncode, "共印出 1 个数" in found.stdout) == (0, True)


def test_usual_conventions_hold_for_cases_that_declare_no_others_and_not_for_notes(book: Path) -> None:
    stated = '[[stated]]\nname = "scaled"\nvalues = [[2]]\n'
    case = "[given]\nQ = [[1, 1]]\nK = [[1, 1]]\n"
    (book / "a.toml").write_text(case + stated, "utf-8")
    (book / "b.toml").write_text(f'{case}[attention]\nscale = "1/2"\n{stated}', "utf-8")
    habits(book, 'conventions = {scale = "1"}\n')
    assert symattn("audit", "a.toml", "part/a.md", folder=book).returncode == 0
    assert symattn("audit", "a.toml", "--set", "scale=1/2", folder=book).returncode == 1
    assert symattn("audit", "b.toml", folder=book).returncode == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "lang = 'en'\nstrikt = true\n",
            'symattn.toml:2:1: strikt: the unknown key "strikt"; did you mean strict?',
        ),
        ("strict = 1\n", "symattn.toml:1:1: strict: true or false belongs here, and not"),
        (
            "exclude = 'drafts'\n",
            'symattn.toml:1:1: exclude: a list of strings belongs here, exclude = ["..."],',
        ),
        ("ignore = ['SA2999']\n", 'symattn.toml:1:1: ignore: no finding begins with "SA2999"'),
        (
            "conventions = {scal = '1'}\n",
            'symattn.toml:1:16: conventions.scal: the unknown key "scal"; did you mean',
        ),
        ("lang = 'de'\n", 'symattn.toml:1:1: lang: "en" or "zh" belongs here'),
        ("strict = \n", "symattn.toml:1:10: not TOML"),
    ],
)
def test_a_habit_that_cannot_be_used_is_one_line_with_its_place(book: Path, text: str, said: str) -> None:
    habits(book, text)
    found = symattn("audit", "part/a.md", "--lang", "en", folder=book)
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert found.stderr.startswith(f"symattn: {said}")


def test_show_settings_says_where_each_comes_from_and_audits_nothing(book: Path) -> None:
    habits(book, 'exclude = ["x"]\nstrict = true\nconventions = {base = 2}\n')
    arguments = ("audit", "part", "--show-settings", "--lang", "zh", "--set", "scale=1")
    found = symattn(*arguments, folder=book)
    assert (found.returncode, found.stderr) == (0, "")
    lines = found.stdout.splitlines()
    assert 'exclude = ["x"]  # symattn.toml:1' in lines
    assert "strict = true  # symattn.toml:2" in lines
    assert 'lang = "zh"  # --lang' in lines
    assert 'conventions = {"base" = "2", "scale" = "1"}  # --set, symattn.toml:3' in lines
    assert "ignore = []" in lines
    assert "SA205" not in found.stdout


def test_without_paths_anywhere_the_command_asks_for_them(book: Path) -> None:
    found = symattn("audit", folder=book)
    assert found.returncode == 2
    assert "PATH..." in found.stderr
