"""`symattn derive --watch` in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import command
from command_process import COMMAND

LONGEST = 60.0
CASE = '[given]\nX = "x.csv"\nW_Q = "identity"\n'


def until(holds: Callable[[], bool], run: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + LONGEST
    while not holds():
        assert run.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_page_follows_its_case_and_its_files_until_an_interrupt(tmp_path: Path) -> None:
    case, numbers, page, said = (tmp_path / name for name in ("c.toml", "x.csv", "page.md", "said"))
    numbers.write_text("71,72\n", encoding="utf-8")
    case.write_text(CASE, encoding="utf-8")
    with said.open("wb") as errors:
        run = subprocess.Popen(
            [*COMMAND, "derive", "c.toml", "--markdown", "-o", "page.md", "--watch", "--lang", "en"],
            cwd=tmp_path,
            stderr=errors,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
    try:
        until(lambda: page.exists() and "72" in page.read_text(encoding="utf-8"), run)
        numbers.write_text("73,74\n", encoding="utf-8")
        until(lambda: "74" in page.read_text(encoding="utf-8"), run)
        case.write_text(CASE + "W_K = 1\n", encoding="utf-8")
        until(lambda: b"c.toml:4:7: given.W_K" in said.read_bytes(), run)
        case.write_text('title = "Mended"\n' + CASE, encoding="utf-8")
        until(lambda: "Mended" in page.read_text(encoding="utf-8"), run)
        run.send_signal(signal.SIGINT)
        assert run.wait(LONGEST) == 0
        assert b"Traceback" not in said.read_bytes()
        assert sorted(each.name for each in tmp_path.iterdir()) == ["c.toml", "page.md", "said", "x.csv"]
    finally:
        run.kill()
        run.wait()


def test_watching_needs_a_file_to_write_and_one_to_watch(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("[given]\nX = [[1]]\n", encoding="utf-8")
    done = command.symattn("derive", "c.toml", "--watch", "--lang", "en", folder=tmp_path)
    assert done.returncode == 2
    assert "-o FILE" in done.stderr
    done = command.symattn("derive", "-", "--watch", "-o", "page", "--lang", "en", folder=tmp_path)
    assert done.returncode == 2
    assert "name the file of the case" in done.stderr
