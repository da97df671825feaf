"""Which files are audited: folders, what is passed over or left out, names and files that are no UTF-8."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symattn.casefile.toml_file import text_of
from symattn.cli import cli
from symattn.cli.audit import FORMATS
from symattn.cli.files import find
from symattn.text.errors import UnreadableFile

CASE = "[given]\nQ = [[1]]\nK = [[1]]\n"


def audit(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["audit", *arguments])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with an audited file and one in a folder within."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("3 + 4 = 7\n")
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "b.md").write_text("3 + 4 = 8\n")
    return tmp_path


def files(*paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    return find(paths, exclude).files


def test_a_folder_stands_for_its_files_and_each_is_audited_once(folder: Path) -> None:
    (folder / "link.md").symlink_to("a.md")
    assert files("drafts", ".", "a.md", "../" + folder.name) == ["drafts/b.md", "./a.md"]


@pytest.mark.parametrize("name", [".git", "node_modules", "__pycache__", "_build", "environment"])
def test_folders_without_notes_of_their_author_are_left_out(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "c.md").write_text("")
    (folder / "environment" / "pyvenv.cfg").write_text("") if name == "environment" else None
    assert files(".") == ["./a.md", "./drafts/b.md"]
    assert files(name) == [f"{name}/c.md"]


@pytest.mark.parametrize("pattern", ["drafts", "drafts/", "./drafts", "b.md", "drafts/*.md", "[b-d]*"])
def test_what_a_pattern_names_is_excluded(folder: Path, pattern: str) -> None:
    assert files(".", "drafts/b.md", exclude=(pattern,)) == ["./a.md"]
    assert audit(".", "--exclude", pattern).exit_code == 0


def test_toml_that_is_no_case_is_passed_over_with_a_note(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[project]\nname = 'given'\n")
    (folder / "truth.toml").write_text("[[document]]\ngiven = 3\n")
    (folder / "one.toml").write_text(CASE)
    (folder / "two.toml").write_text("given.Q = [[1]]\n")
    (folder / "positions.toml").write_text("[attention]\npositions = 'sinusoidal'\n")
    (folder / "broken.toml").write_text("title = ")
    found = find(["."])
    assert found.files == [
        *("./a.md", "./broken.toml", "./one.toml", "./positions.toml", "./two.toml", "./drafts/b.md")
    ]
    assert found.no_case == ["./pyproject.toml", "./truth.toml"]
    for name in ("broken", "positions", "two"):
        (folder / f"{name}.toml").unlink()
    done = audit(".")
    assert done.exit_code == 1
    assert done.stderr == "symattn: skipped (no [given], so not a case): ./pyproject.toml, ./truth.toml\n"
    assert "略过（没有 [given]，不是算例）：./pyproject.toml、" in audit(".", "--lang", "zh").stderr
    assert audit("truth.toml").exit_code != 0  # what is named is to be audited


def test_a_pipe_in_a_folder_is_passed_over_with_a_note(folder: Path) -> None:
    os.mkfifo(folder / "p.md")
    (folder / "gone.md").symlink_to("nowhere")
    done = audit(".", "--exclude", "drafts")
    assert (done.exit_code, done.stderr) == (0, "symattn: skipped (not a regular file): ./gone.md, ./p.md\n")


def test_a_folder_that_cannot_be_listed_is_an_unusable_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("drafts"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr("os.scandir", scandir)
    done = audit(".")
    assert (done.exit_code, done.stderr) == (2, "symattn: ./drafts: Permission denied\n")
    assert done.stdout.startswith("./a.md: ")


def test_a_folder_with_nothing_to_audit_is_refused(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "empty" / "pyproject.toml").write_text("")
    with pytest.raises(UnreadableFile, match="empty contains no file that can be read"):
        find(["empty"])


@pytest.mark.parametrize("form", FORMATS)
def test_one_name_that_is_no_utf_8_loses_no_report(folder: Path, form: str) -> None:
    (folder / os.fsdecode(b"\xff.md")).write_text("1 + 1 = 3\n")
    (folder / os.fsdecode(b"\xfe.toml")).write_text("title = ")
    done = audit(".", "--format", form)
    assert done.exit_code == 2
    assert done.stderr.startswith("symattn: ./\\xfe.toml:1:9: ")
    if form == "sarif":
        results = json.loads(done.stdout)["runs"][0]["results"]
        uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
        assert uris == {"drafts/b.md", "%FF.md"}
    elif form == "json":
        paths = [file["path"] for file in json.loads(done.stdout)["files"]]
        assert paths == ["./a.md", "./\\xff.md", "./drafts/b.md"]
    elif form == "pdf":
        assert done.stdout_bytes.startswith(b"%PDF")
    else:
        assert "xff" in done.stdout


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-16", "utf-32-le"])
def test_text_in_utf_16_is_refused_with_or_without_a_mark(tmp_path: Path, codec: str) -> None:
    (tmp_path / "a.md").write_bytes("3 + 4 = 8 猫\n".encode(codec))
    with pytest.raises(UnreadableFile, match="zero bytes, as UTF-16 and files that are no text have them"):
        text_of(tmp_path / "a.md")


def test_a_file_that_is_no_text_is_reported_and_the_others_are_audited(folder: Path) -> None:
    (folder / "c.txt").write_bytes(b"\x7fELF\n\x02\x00\x00")
    done = audit(".")
    assert (done.exit_code, done.stderr.split("\n")[0]) == (
        *(2, "symattn: ./c.txt:2: zero bytes, as UTF-16 and files that are no text have them"),
    )
    assert "drafts/b.md" in done.stdout
