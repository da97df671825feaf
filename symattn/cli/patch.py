"""The difference that fixes make, as `git apply` and `patch -p1` take it in the folder where the command ran.

Names are relative to that folder, behind a/ and b/, and quoted as git does it. There is no line
`diff --git`: behind one, git takes names as relative to the top of the repository.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from symattn.cli.language import language
from symattn.text.bilingual import Bilingual

_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_QUOTED = re.compile('[\x00-\x1f"\\\\\x7f\udc80-\udcff]| $')


def difference(path: str, before: str, after: str, base: str = "") -> str:
    """The unified diff of a file named from the folder `base`, line ends and a missing one as they are."""
    name = relative(path, base or os.curdir)
    lines = difflib.unified_diff(
        _lines(before), _lines(after), fromfile=_named("a/", name), tofile=_named("b/", name), lineterm="\n"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def folder_of(paths: Sequence[str]) -> str:
    """The folder from which the diff of these files applies: the current one, or one above that holds all.

    Neither git nor patch goes up from where it runs.
    """
    here = os.path.realpath(os.getcwd())
    try:
        return os.path.commonpath([here, *(os.path.dirname(os.path.realpath(path)) for path in paths)])
    except ValueError:  # on several drives
        return here


def from_folder(base: str, differences: Iterable[str]) -> Iterator[str]:
    """The differences; the first follows a comment on where they apply if that is not the current folder."""
    here = base == os.path.realpath(os.curdir)
    apply = f"git -C {shlex.quote(base)} apply"
    note = Bilingual(f"# to be applied in {base}: {apply}\n", f"# 请在 {base} 中应用：{apply}\n")
    lead = "" if here else note[language()]
    for each in differences:
        if each:
            yield lead + each
            lead = ""


def relative(path: str, base: str) -> str:
    """The name of a file from a folder, with slashes; links are followed, for git does not follow them."""
    return os.path.relpath(os.path.realpath(path), os.path.realpath(base)).replace(os.sep, "/")


def _named(side: str, name: str) -> str:
    r"""The name on a line of the diff: in quotes where git has them, before a tab if it has blanks."""
    held = os.fsencode(name)
    words = held.decode("utf-8", "surrogateescape")
    if not _QUOTED.search(words):
        return f"{side}{words}" + ("\t" if " " in words else "")
    quoted = "".join(
        f"\\{_ESCAPES[byte]}" if byte in _ESCAPES else chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
        for byte in held
    )
    return f'"{side}{quoted}"'


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends; only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
