"""The command line in a process of its own, as bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

COMMAND = (sys.executable, "-m", "symattn")
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale without any character beyond ASCII, as `LC_ALL=C` was before Python 3.7."""


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONIOENCODING", "PYTHONUTF8")
    }
    return {**kept, **changes}


def symattn(
    *arguments: str | bytes | Path,
    folder: Path | None = None,
    stdout: int | IO[bytes] = subprocess.PIPE,
    before: Callable[[], None] | None = None,
    **changes: str,
) -> subprocess.CompletedProcess[bytes]:
    """A run with these changes to the environment; `before` is called in the process before it begins."""
    return subprocess.run(
        [*COMMAND, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
        cwd=folder,
        env=environment(changes),
        preexec_fn=before,
    )
