"""Where results go: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click

from symattn.errors import UnusableValue


def emit(text: str, output: str | None) -> None:
    """Print the text, or write it to `output` atomically. Raises UnusableValue where that fails."""
    stream((text,), output)


def stream(chunks: Iterable[str], output: str | None) -> None:
    """Print the chunks as they come, or write them to `output` atomically. Raises UnusableValue."""
    if output is None:
        for chunk in chunks:
            click.echo(chunk, nl=False)
        return
    path = Path(output)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(chunks)
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
            os.chmod(name, mode)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UnusableValue(
            f"cannot write {output}: {error.strerror}", "name a file in a folder that exists and is writable"
        ).at(key="-o") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def colourful() -> bool:
    """Colour only on a terminal, and never under NO_COLOR (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
