"""`--watch`: a case is rendered again whenever it, or a file that it reads, is saved."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import click

from symattn.casefile.case_file import files_of
from symattn.casefile.file_kinds import STANDARD_INPUT
from symattn.cli.boundary import explained
from symattn.cli.language import language
from symattn.cli.output import say
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.file_names import shown

EVERY = 0.2
"""Seconds between two looks at the files."""
Stamp = tuple[int, int, int] | None
"""By which a change of a file is known; None where there is no file."""


def watch(case: str, output: str | None, render: Callable[[], None]) -> None:
    """Render at once, and again after every change of what the case consists of, until it is interrupted.

    What goes wrong is one message, and the next change is waited for. Raises UnusableValue where there is no
    file to watch or to write.
    """
    if output is None or case == STANDARD_INPUT:
        raise _no_file(output is None)
    try:
        while True:
            seen = _stamps(case)
            try:
                render()
            except click.exceptions.Exit:
                pass  # what was found is on the page and on standard error
            except Exception as error:
                say(f"symattn: {explained(error)[language()]}")
            else:
                words = Bilingual(
                    f"symattn: {shown(output)} written; waiting for changes (Ctrl-C ends)",
                    f"symattn: 已写入 {shown(output)}；等待改动（按 Ctrl-C 结束）",
                )
                say(words)
            _wait(case, seen)
    except KeyboardInterrupt:
        return


def _no_file(to_write: bool) -> UnusableValue:
    if to_write:
        found = Bilingual("it writes the page repeatedly", "它会反复写出页面")
        remedy = Bilingual("name its file: -o FILE", "请指定文件：-o FILE")
    else:
        found = Bilingual("standard input is not a file that can be watched", "标准输入不是可以监视的文件")
        remedy = Bilingual("name the file of the case", "请写出算例的文件名")
    return UnusableValue(found, remedy).at(key="--watch")


def _wait(case: str, seen: dict[Path, Stamp]) -> None:
    """Until a file is another than it was, and whoever writes it is done."""
    found = seen
    while found == seen:
        time.sleep(EVERY)
        found = _stamps(case)
    before: dict[Path, Stamp] = {}
    while found != before:
        time.sleep(EVERY)
        before, found = found, _stamps(case)


def _stamps(case: str) -> dict[Path, Stamp]:
    return {path: _stamp(path) for path in files_of(Path(case))}


def _stamp(path: Path) -> Stamp:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
