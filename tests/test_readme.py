"""Every command and example of the READMEs and guides runs in a fresh copy, and prints what is shown."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import symattn
from symattn.casefile.habits import KEYS, habits_of
from symattn.cli import cli

ROOT = Path(__file__).parent.parent
READMES = ("README.md", "README.zh.md")
GUIDES = tuple(
    f"docs/{name}{lang}.md" for name in ("cases", "pages", "audits", "python") for lang in ("", ".zh")
)
PAGES = (*READMES, *GUIDES)
SHOWN = {"README": 2, "docs/pages": 2, "docs/audits": 1}
"""How many outputs a page shows, in both languages."""
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"
"""A line that stands for any number of lines."""

ELSEWHERE = ("python3 -m venv", ".venv/bin/pip install", ".venv/bin/python -m pytest", "xelatex")
"""How the commands begin that `.ci/run` and the tests that typeset carry out."""


def fences(page: str, language: str) -> list[str]:
    found = FENCE.findall((ROOT / page).read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language]


def commands(text: str) -> list[str]:
    """The single commands of a block, without comments."""
    lines = [re.sub(r"\s+# .*", "", line) for line in text.splitlines() if line.strip()]
    return [command.strip() for line in lines for command in line.split("&&")]


CHINESE_FONTS = pytest.mark.needs("xelatex")

COMMANDS = [
    pytest.param(
        page, command, id=f"{page} {command}", marks=[CHINESE_FONTS] * ("--pdf --lang zh" in command)
    )
    for page in PAGES
    for text in fences(page, "sh")
    for command in commands(text)
    if not command.startswith(ELSEWHERE)
]


def bare(page: str) -> str:
    """The name of a page without its language."""
    return page.removesuffix(".md").removesuffix(".zh")


def shown(page: str) -> list[tuple[str, str]]:
    """The last command before each block of output, and that block."""
    found = []
    command = ""
    for kind, text in FENCE.findall((ROOT / page).read_text(encoding="utf-8")):
        if kind == "sh":
            command = commands(text)[-1]
        elif kind == "":
            found.append((command, text))
    return found


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What a fresh clone has of that, as the current folder."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("cases", "examples"):
        shutil.copytree(ROOT / name, folder / name)
    with contextlib.chdir(folder):
        yield folder


def run(command: str) -> str:
    """What a command prints on standard output; findings are no failure."""
    program, *arguments = shlex.split(command)
    assert program == ".venv/bin/symattn"
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code in (0, 1) if arguments[0] == "audit" else result.exit_code == 0, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.stdout


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_every_command_runs_in_a_fresh_clone(page: str, command: str, clone: Path) -> None:
    printed = run(command)
    target = re.search(r" (?:-o|--csv) (\S+)", command)
    made = clone / target[1] if target else None
    assert printed if made is None else list(made.iterdir()) if made.is_dir() else made.read_bytes()


def parts(text: str) -> list[str]:
    """The pieces of a shown output between the lines that stand for what is left out."""
    return [part.strip("\n") for part in re.split(rf"^{LEFT_OUT}$", text, flags=re.MULTILINE) if part.strip()]


@pytest.mark.parametrize("page", [page for page in PAGES if bare(page) in SHOWN])
def test_what_a_page_shows_is_what_the_command_before_it_prints(
    page: str, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    outputs = shown(page)
    assert len(outputs) == SHOWN[bare(page)]
    for command, text in outputs:
        rest = run(command)
        for part in parts(text):
            assert f"\n{part}\n" in f"\n{rest}\n"
            rest = rest.partition(part)[2]


@pytest.mark.parametrize(
    ("page", "values"),
    [(page, 3) for page in READMES] + [(f"docs/python{lang}.md", 7) for lang in ("", ".zh")],
)
def test_the_example_in_python_runs_and_gives_the_values_in_its_comments(
    page: str, values: int, clone: Path
) -> None:
    (text,) = fences(page, "python")
    names: dict[str, object] = {}
    compared = 0
    for statement in ast.parse(text).body:
        comment = text.splitlines()[statement.lineno - 1].partition("  # ")[2]
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), page, "exec"), names)
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            value = eval(compile(ast.Expression(statement.value), page, "eval"), names)
        if re.match(r"[\d{\[(TV]", comment):
            compared += 1
            begin = comment.partition("...")[0].rstrip("}")
            assert str(value).startswith(begin)
    assert compared == values


@pytest.mark.parametrize("page", GUIDES[:2])
def test_the_steps_of_a_page_derive_and_have_the_slip_in_them(page: str) -> None:
    _, text = fences(page, "toml")
    case = symattn.parse_case(text)
    assert [line.name for line in symattn.work(case).derivation.plan] == ["S", "T"]
    assert symattn.audit(case).counts["slip"] == 1


@pytest.mark.parametrize("page", GUIDES[:2])
def test_the_case_of_a_page_derives_and_audits(page: str) -> None:
    text, _ = fences(page, "toml")
    assert symattn.audit(symattn.parse_case(text)).printed == 2
    assert {"A", "Z"} <= {line.name for line in symattn.work(symattn.parse_case(text)).derivation.plan}


@pytest.mark.parametrize("page", GUIDES[4:6])
def test_the_habits_of_a_page_can_be_used_and_hold_every_key(page: str, tmp_path: Path) -> None:
    (tmp_path / "symattn.toml").write_text(fences(page, "toml")[0], "utf-8")
    assert set(habits_of(str(tmp_path)).places) == set(KEYS)


@pytest.mark.parametrize(("name", "left"), [("attention.md", set()), ("attention.zh.md", {"SA502"})])
def test_of_the_notes_of_the_readme_unsafe_fixes_leave_no_number_but_a_sentence(
    clone: Path, name: str, left: set[str]
) -> None:
    shutil.copy(clone / "examples" / name, clone / name)
    before = CliRunner().invoke(cli, ["audit", name])
    after = CliRunner().invoke(cli, ["audit", name, "--unsafe-fixes", "--format", "json"])
    (file,) = json.loads(after.stdout)["files"]
    assert (before.exit_code, after.exit_code) == (1, bool(left)), after.output
    wrong = [each for each in file["findings"] if each["verdict"] in ("slip", "carried", "claim")]
    assert {each["code"] for each in wrong} == left
