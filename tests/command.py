"""The command line in the process of the test: `python -m symattn` without its second of imports."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from symattn.cli import main


@dataclass(frozen=True)
class Done:
    """What a run of the command left: its exit status and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def symattn(*arguments: str | Path, folder: Path | str = ".") -> Done:
    """Run the command with these arguments, in a folder, and return what it printed as UTF-8.

    An exception that the command lets through reaches the test. What belongs to the process itself
    (signals, encodings, a closed output, imports) needs `subprocess` instead.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    status = 0
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", ["symattn", *map(str, arguments)]))
        stack.callback(os.chdir, os.getcwd())
        os.chdir(folder)
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Done(status, *(_text(stream) for stream in (out, err)))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
