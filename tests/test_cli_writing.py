"""`-o` and `--fix`: files that are written whole or not at all, links, pipes and devices."""

from __future__ import annotations

import os
import pty
import resource
import stat
import threading
from pathlib import Path

import pytest
from command_process import symattn

from symattn.cli.fixing import write
from symattn.cli.output import write_file
from symattn.text.errors import UnusableValue


def test_a_file_is_replaced_with_its_permissions_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    path.chmod(0o604)
    before = path.stat().st_ino
    write_file(str(path), ["é", "\n"])
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"\xc3\xa9\n", 0o604)
    assert path.stat().st_ino != before  # whoever reads the old one goes on reading it whole
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_permissions_of_new_files(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_file(str(tmp_path / "page.html"), ["new"])
    finally:
        os.umask(old)
    assert (tmp_path / "page.html").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_followed(tmp_path: Path, exists: bool) -> None:
    (tmp_path / "there").mkdir()
    path, link = tmp_path / "there" / "page.html", tmp_path / "link"
    link.symlink_to("there/page.html")
    if exists:
        path.write_text("old")
    write_file(str(link), ["new"])
    assert (link.is_symlink(), path.read_text()) == (True, "new")


def test_a_pipe_and_a_device_are_written_to_and_stay_what_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_file, args=(str(pipe), ["a", "b"]))
    writer.start()
    assert pipe.read_text() == "ab"
    writer.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    ours, theirs = pty.openpty()
    write_file(os.ttyname(theirs), ["shown"])
    assert os.read(ours, 100) == b"shown"
    os.close(ours)
    os.close(theirs)


def test_dev_stdout_is_standard_output_wherever_it_goes(tmp_path: Path) -> None:
    """A file to which the shell has redirected is gone on with, and not replaced behind its back."""
    with open(tmp_path / "log", "wb") as log:
        log.write(b"before\n")
        log.flush()
        assert symattn("new", "a", "-o", "/dev/stdout", stdout=log).returncode == 0
        log.seek(0, os.SEEK_END)
        log.write(b"after\n")
    lines = (tmp_path / "log").read_text().splitlines()
    assert (lines[0], 'title = "a"' in lines, lines[-1]) == ("before", True, "after")


def full() -> None:
    """No file may grow beyond 40 bytes, which is as if the disk were full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))


def test_a_full_disk_leaves_the_old_file_and_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("old")
    done = symattn("new", "a", "--force", "-o", "a.toml", folder=tmp_path, before=full)
    said = b"symattn: a.toml: cannot write the file: File too large; the old content is unchanged\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", said)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.toml", "old")]


def test_a_full_disk_leaves_the_file_that_was_to_be_fixed(tmp_path: Path) -> None:
    text = "3 + 4 = 8\n" * 10
    (tmp_path / "a.md").write_text(text)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, before[1]))
    try:
        with pytest.raises(UnusableValue, match="cannot write the file: File too large"):
            write(str(tmp_path / "a.md"), text, text.replace("8", "7"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.md", text)]


@pytest.mark.parametrize(
    ("path", "why"), [("none/a", "No such file or directory"), (".", "Is a directory"), ("loop", "Too many")]
)
def test_what_cannot_be_written_is_one_line(
    tmp_path: Path, path: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnusableValue) as problem:
        write_file(path, ["new"])
    assert str(problem.value).startswith(f"{path}: cannot write the file: {why}")
    assert "\n" not in str(problem.value)


def test_halves_of_characters_become_a_replacement_character(tmp_path: Path) -> None:
    """A notebook may hold one (`"\\ud83d"`), and a file name bytes that are no UTF-8."""
    write_file(str(tmp_path / "a"), ["猫\ud83d", b"\xe7\x8c\xab\xff".decode("ascii", "surrogateescape")])
    assert (tmp_path / "a").read_text("utf-8") == "猫\ufffd猫\ufffd"
