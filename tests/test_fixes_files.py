"""Fixes of files: how they are written, differences, and the exit status."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from command import symattn
from test_fixes import CHAIN, repaired

from symattn.cli.fixing import changed, write
from symattn.cli.patch import difference
from symattn.text.errors import UnusableValue


def test_numbers_are_counted_once_each() -> None:
    assert changed("1.1 + 2 = 3\n- 4", "1.2 + 2 = 4\n- 4") == 2
    assert changed("a -1", "a 1") == 1


def test_a_difference_shows_a_missing_end_of_line() -> None:
    assert difference("a", "x\n1", "x\n2") == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n"
        "-1\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n"
    )


def test_a_file_that_changed_meanwhile_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("new", "utf-8")
    with pytest.raises(UnusableValue, match="was changed while it was audited"):
        write(str(path), "old", "fixed")
    assert path.read_text("utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_writing_that_is_interrupted_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(str(path), "old", "fixed")
    assert [(each.name, each.read_text("utf-8")) for each in tmp_path.iterdir()] == [("a.md", "old")]


@pytest.mark.needs("git")
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_git_applies_the_difference(tmp_path: Path, end: str) -> None:
    before, after = f"a\r\n猫 0.5 {end}", f"a\r\n猫 0.6 {end}"
    (tmp_path / "a.md").write_bytes(before.encode())
    patch = difference(str(tmp_path / "a.md"), before, after, str(tmp_path)).encode()
    subprocess.run(["git", "apply"], input=patch, cwd=tmp_path, check=True)
    assert (tmp_path / "a.md").read_bytes() == after.encode()


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    path, link = tmp_path / "a.md", tmp_path / "b.md"
    path.write_text("old", "utf-8")
    link.symlink_to(path)
    write(str(link), "old", "new")
    assert link.is_symlink()
    assert path.read_text("utf-8") == "new"


def test_fix_writes_and_reports_on_the_fixed_file(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(("\ufeff" + CHAIN.rstrip("\n")).replace("\n", "\r\n").encode())
    path.chmod(0o640)
    found = symattn("audit", path, "--unsafe-fixes")
    assert (found.returncode, found.stderr) == (0, f"fixed 3 places in {path}\n")
    assert "5 printed numbers: 5 right." in found.stdout
    chain = CHAIN.replace("3, 8]", "3, 7]").replace("41", "37").replace("4*8", "4*7")
    assert path.read_bytes() == ("\ufeff" + chain.rstrip("\n")).replace("\n", "\r\n").encode()
    assert os.stat(path).st_mode & 0o777 == 0o640


def test_fix_alone_leaves_chains_and_their_exit_status(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(CHAIN, "utf-8")
    found = symattn("audit", path, "--fix")
    assert (found.returncode, found.stderr, path.read_text("utf-8")) == (1, "", CHAIN)


def test_diff_prints_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(CHAIN, "utf-8")
    found = symattn("audit", path, "--unsafe-fixes", "--diff")
    assert (found.returncode, found.stderr) == (1, f"would fix 3 places in {path}\n")
    assert found.stdout.endswith(
        '-values = [[41]]\n-work = "3*3 + 4*8"\n+values = [[37]]\n+work = "3*3 + 4*7"\n'
    )
    assert path.read_text("utf-8") == CHAIN


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "--unsafe-fixes would fix 3 places in {path}\n"),
        ("zh", "{path}：加上 --unsafe-fixes 可改正 3 处\n"),
    ],
)
def test_a_diff_without_unsafe_fixes_says_how_many_there_are(tmp_path: Path, lang: str, said: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(CHAIN, "utf-8")
    found = symattn("audit", path, "--fix", "--diff", "--lang", lang)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", said.format(path=path))


def test_a_diff_says_how_many_unsafe_fixes_there_are_beside_the_safe_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(CHAIN + '[[stated]]\nname = "Q"\nvalues = [["9"]]\n', "utf-8")
    found = symattn("audit", path, "--diff")
    assert found.stderr == f"would fix 1 place in {path}\n--unsafe-fixes would fix 3 more places in {path}\n"


def test_the_diff_of_a_clean_file_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(repaired(CHAIN, unsafe=True).text, "utf-8")
    found = symattn("audit", path, "--diff")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
