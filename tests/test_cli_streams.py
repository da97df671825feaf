"""Standard output that is closed, full, gone or in another encoding; how a run ends."""

from __future__ import annotations

import os
import pty
import re
import resource
import subprocess
from pathlib import Path

import click
import pytest
from command_process import ASCII, COMMAND, symattn

from symattn.cli.boundary import run

CASE = Path(__file__).parent.parent / "cases" / "thinking_machines.toml"


@pytest.mark.parametrize("arguments", ["explain SA202", "--help"])
@pytest.mark.parametrize(
    ("where", "why"),
    [
        (">&-", "it is closed"),
        (">/dev/full", "No space left on device"),
        ("| sleep 0", "Broken pipe"),
    ],
)
def test_what_cannot_be_printed_is_one_line_and_exit_status_2(arguments: str, where: str, why: str) -> None:
    late = "sleep 0.2; " if "|" in where else ""  # until nobody reads any more
    line = f"{{ {late}{' '.join(COMMAND)} {arguments}; }} {where}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, f"symattn: cannot write to standard output: {why}\n")


def test_nothing_is_needed_of_a_stream_that_is_not_used(tmp_path: Path) -> None:
    line = f"{' '.join(COMMAND)} new a -o {tmp_path}/a.toml >&- 2>&-"
    assert subprocess.run(["bash", "-c", line], check=False, timeout=60).returncode == 0
    assert (tmp_path / "a.toml").exists()


@pytest.mark.parametrize(
    ("raised", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "symattn: interrupted\n"),
        (MemoryError(), 2, "symattn: there is not enough memory\n"),
        (OSError(5, "Input/output error", "a.toml"), 2, "symattn: a.toml: Input/output error\n"),
        (ImportError("a.so: failed to map segment"), 2, "symattn: there is not enough memory\n"),
    ],
)
def test_whatever_ends_a_run_is_one_line_and_never_exit_status_1(
    raised: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ended_by(raised, monkeypatch) == status
    assert capsys.readouterr().err.lstrip("\n") == said


def test_a_defect_is_one_line_that_says_where_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended_by(KeyError("a\nb"), monkeypatch) == 2
    assert re.fullmatch(
        r"symattn: internal error, please report it: KeyError: 'a\\nb' \(test_cli_streams.py:\d+; "
        r"SYMATTN_TRACEBACK=1 shows more\)\n",
        capsys.readouterr().err,
    )
    monkeypatch.setenv("SYMATTN_TRACEBACK", "1")
    assert ended_by(KeyError("a"), monkeypatch) == 2
    assert "Traceback" in capsys.readouterr().err


def ended_by(raised: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit status of a command that raises this."""

    def command() -> None:
        raise raised

    monkeypatch.setattr("sys.argv", ["symattn"])
    return run(click.Command("command", callback=command))


def test_text_has_ascii_forms_of_what_the_encoding_of_its_stream_lacks() -> None:
    done = symattn("derive", CASE, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "S_11 = 1·1 + 1·1 = 2" in done.stdout.decode("latin-1")
    chinese = symattn("explain", "SA202", "--lang", "zh", PYTHONIOENCODING="gbk")
    assert "差错" in chinese.stdout.decode("gbk")


def test_documents_and_files_are_utf_8_in_every_locale(tmp_path: Path) -> None:
    printed = symattn("new", "例子", **ASCII)
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert 'title = "例子"' in printed.stdout.decode("utf-8")
    (tmp_path / "讲义.md").write_text("3 + 4 = 8\n", "utf-8")
    done = symattn("audit", "讲义.md", "--format", "json", "-o", "报告.json", folder=tmp_path, **ASCII)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    assert '"path": "讲义.md"' in (tmp_path / "报告.json").read_text("utf-8")


def on_terminal(*arguments: str, **changes: str) -> bytes:
    """What a run prints on a terminal."""
    ours, theirs = pty.openpty()
    with open(ours, "rb", buffering=0) as shown:
        assert symattn(*arguments, stdout=theirs, **changes).returncode == 0
        os.close(theirs)
        printed = b""
        try:
            while read := shown.read(4096):
                printed += read
        except OSError:  # so Linux says that the other side is closed
            pass
    return printed


def test_a_terminal_shows_a_document_in_its_own_encoding() -> None:
    assert 'title = "例√"' in on_terminal("new", "例√", PYTHONIOENCODING="utf-8").decode("utf-8")
    assert b'title = "\\u{4f8b}sqrt"' in on_terminal("new", "例√", PYTHONIOENCODING="ascii")


def test_little_memory_is_said_before_anything_crashes() -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (150 << 20, 150 << 20))

    done = symattn("derive", CASE, before=limit)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"symattn: not enough memory: 200 MB are needed, and the limit is 150 MB")
    assert b"Traceback" not in done.stderr


def test_a_completion_for_the_shell_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"SYMATTN": "bash_complete", "WORDS": "symattn de", "CWORD": "1"}.items():
        monkeypatch.setenv(f"_{name}_COMPLETE" if name == "SYMATTN" else f"COMP_{name}", text)
    done = symattn()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"plain,derive\n", b"")
