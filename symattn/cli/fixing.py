"""Writing fixes: what a file becomes, and how many of its numbers that changes."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from symattn.cli.output import write_file
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue

if TYPE_CHECKING:
    from symattn.auditor.formats.items import Options
    from symattn.auditor.report import Report

MOST_ROUNDS = 8
"""A fixed number may bring another to light (a typo behind a slip, a number that had the benefit of the
doubt), so the audit is repeated."""


class Fixing(Struct, frozen=True):
    """What `--fix` was asked to do: whole chains too, and whether only to show it.

    `base` is the folder from which the diff names its files; "" for the current one.
    """

    unsafe: bool = False
    diff: bool = False
    base: str = ""


class Fixed(Struct, frozen=True):
    """A text with its fixes made, how many numbers they changed, and the reports on it.

    For a diff without unsafe fixes `unsafe` counts the places that these would write anew besides.
    """

    text: str
    numbers: int
    reports: Sequence[Report]
    unsafe: int = 0


def fixed(text: str, judge: Callable[[str], Sequence[Report]], fixing: Fixing, options: Options) -> Fixed:
    """The text after its fixes, as often as the audit finds more to fix.

    The result is the text with the fewest wrong numbers, and the first one where fixes leave no fewer. What
    brings a finding to a place that had none is taken back. Only findings that `options` selects are fixed.
    Raises SymattnError where the text cannot be audited.
    """
    from symattn.auditor.fixing.edits import applied
    from symattn.auditor.fixing.rewriting import edits
    from symattn.auditor.fixing.takeback import Audited, without_new
    from symattn.auditor.formats.items import failing

    def audited(said: str) -> Audited:
        reports = judge(said)
        return Audited(said, reports, [one for each in reports for one in failing(each, options)])

    def rewritten(found: Audited, *, unsafe: bool) -> tuple[str, int]:
        return applied(found.text, edits(found.reports, unsafe=unsafe, chosen=options.chosen))

    first = best = now = audited(text)
    seen = {text}
    for _ in range(MOST_ROUNDS):
        said, made = rewritten(now, unsafe=fixing.unsafe)
        if not made or said in seen:
            break
        seen.add(said)
        now = audited(said)
        if now.left < best.left:
            best = now
    best = without_new(first, best, audited)
    _, unsafe = rewritten(best, unsafe=True) if fixing.diff and not fixing.unsafe else ("", 0)
    return Fixed(best.text, changed(text, best.text), best.reports, unsafe)


def changed(before: str, after: str) -> int:
    """How many numerals differ; a fix exchanges numerals one for one."""
    numeral = re.compile(r"[0-9０-９][0-9０-９.．_]*|[-−－]")
    lines = zip(before.split("\n"), after.split("\n"), strict=True)
    return sum(_differing(numeral.findall(a), numeral.findall(b)) for a, b in lines if a != b)


def _differing(a: Sequence[str], b: Sequence[str]) -> int:
    matcher = difflib.SequenceMatcher(None, _signed(a), _signed(b), autojunk=False)
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal")


def _signed(tokens: Sequence[str]) -> list[str]:
    """The numerals, each with a sign that stands before it."""
    found: list[str] = []
    sign = ""
    for token in tokens:
        if token in "-−－":
            sign = token
        else:
            found.append(sign + token)
            sign = ""
    return found


def write(path: str, before: str, after: str) -> None:
    """Replace the text of a file by another, whole and with its permissions.

    Nothing is written to a file that no longer holds `before`, or that may not be written. Raises
    UnusableValue.
    """

    def unchanged(real: Path) -> None:
        if real.read_bytes() != before.encode("utf-8"):
            raise UnusableValue(
                Bilingual(
                    "the file was changed while it was audited, so nothing was written to it",
                    "审校期间文件有改动，所以没有写入",
                ),
                Bilingual("run the audit again", "请重新审校"),
            )

    if not os.path.isfile(path):
        raise UnusableValue(
            Bilingual("cannot write fixes: this is not a regular file", "不能写入改正：这不是普通文件"),
            Bilingual("copy it to a regular file and fix that", "请复制成普通文件再改正"),
        )
    write_file(path, (after,), unchanged)
