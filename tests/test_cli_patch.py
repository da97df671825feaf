"""What `audit --diff` prints: `git apply` and `patch -p1` take it in the folder where the command ran."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.cli import cli
from symattn.cli.patch import difference, from_folder

WRONG, RIGHT = "3 + 4 = 8\n", "3 + 4 = 7\n"
NAMES = ["notes.md", "sub/deep.md", "na me.md", "ta\tb.md", 'q"uote.md', "back\\slash.md", "例.md", "end.md "]
TOOLS = [["git", "apply"], ["patch", "-p1"]]


@pytest.fixture(params=["alone", "in a repository"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which may be one within a repository: git takes names otherwise there."""
    if request.param != "alone":
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    here = tmp_path / "here"
    (here / "sub").mkdir(parents=True)
    monkeypatch.chdir(here)
    return here


def difference_of(*paths: str) -> str:
    done = CliRunner().invoke(cli, ["audit", *paths, "--fix", "--diff"])
    assert done.exit_code == 1, done.output
    return done.stdout


def apply(patch: str, tool: list[str], folder: Path) -> None:
    if shutil.which(tool[0]) is None and os.environ.get("CI") != "true":
        pytest.skip(f"{tool[0]} is not installed")
    subprocess.run(tool, input=patch.encode(), cwd=folder, check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("tool", TOOLS, ids=" ".join)
@pytest.mark.parametrize(
    "path", ["notes.md", "./notes.md", ".", "../here/notes.md", "{}/notes.md", "link.md"]
)
def test_it_applies_whatever_the_file_was_called(folder: Path, path: str, tool: list[str]) -> None:
    (folder / "notes.md").write_text(WRONG)
    (folder / "link.md").symlink_to("notes.md")
    patch = difference_of(path.format(folder))
    apply(patch, tool, folder)
    assert (folder / "notes.md").read_text() == RIGHT


@pytest.mark.parametrize("tool", TOOLS, ids=" ".join)
def test_it_applies_whatever_the_name_holds(folder: Path, tool: list[str]) -> None:
    names = [*NAMES, "new\nline.md", os.fsdecode(b"\xff.md")]
    for name in names:
        (folder / name).write_text(WRONG)
    apply("".join(difference(f"./{name}", WRONG, RIGHT) for name in names), tool, folder)
    assert {(folder / name).read_text() for name in names} == {RIGHT}


@pytest.mark.parametrize("tool", TOOLS, ids=" ".join)
def test_of_a_file_outside_it_says_where_it_applies(folder: Path, tool: list[str]) -> None:
    (folder.parent / "a.md").write_text(WRONG)
    (folder / "b.md").write_text(WRONG)
    patch = difference_of("../a.md", "b.md")
    assert patch.startswith(f"# to be applied in {folder.parent}: git -C {folder.parent} apply\n--- a/a.md\n")
    apply(patch, tool, folder.parent)
    assert (folder.parent / "a.md").read_text() == (folder / "b.md").read_text() == RIGHT


def test_where_nothing_differs_nothing_is_printed() -> None:
    assert "".join(from_folder("/elsewhere", ["", ""])) == ""


def test_names_are_quoted_as_git_does_it(folder: Path) -> None:
    def header(name: str) -> str:
        return difference(name, WRONG, RIGHT).split("\n")[0]

    assert header("例.md") == "--- a/例.md"
    assert header("na me.md") == "--- a/na me.md\t"
    assert header('ta\tb"\\.md') == '--- "a/ta\\tb\\"\\\\.md"'
    assert header(os.fsdecode("é\x01".encode() + b"\xff")) == '--- "a/\\303\\251\\001\\377"'
