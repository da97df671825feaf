"""The cell magic `%%symattn` of IPython and Jupyter: a cell holds a case or notes instead of Python.

`%load_ext symattn` registers it.
"""

from __future__ import annotations

import tomllib
from typing import Any, Protocol

from symattn.casefile.case_file import parse_case
from symattn.library.report import Report, audit_text
from symattn.library.worked import Worked, work
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue

VERBS = ("derive", "audit")
USAGE = Bilingual(
    "%%symattn [derive | audit] [VARIABLE]: a case in TOML, or notes in Markdown to audit",
    "%%symattn [derive | audit] [变量]：单元格里是 TOML 算例；audit 时也可以是 Markdown 讲义",
)


class Shell(Protocol):
    """What the magic needs of IPython."""

    def register_magic_function(
        self, func: Any, magic_kind: str = ..., magic_name: str | None = ...
    ) -> None: ...

    def push(self, variables: dict[str, Any]) -> None: ...


def load_ipython_extension(shell: Shell) -> None:
    """Register `%%symattn`; IPython calls it for `%load_ext symattn`."""

    def cell_magic(line: str, cell: str) -> Worked | Report:
        found, name = solved_cell(line, cell)
        if name is not None:
            shell.push({name: found})
        return found

    shell.register_magic_function(cell_magic, magic_kind="cell", magic_name="symattn")


def solved_cell(line: str, cell: str) -> tuple[Worked | Report, str | None]:
    """What a cell gives, and the variable that its first line asks for.

    Raises SymattnError for a first line that is not as `USAGE` says, and for bad input.
    """
    words = line.split()
    verb = words.pop(0) if words and words[0] in VERBS else "derive"
    if len(words) > 1 or not all(map(str.isidentifier, words)):
        found = repr(line.strip())
        raise UnusableValue(Bilingual(f"{found} after %%symattn", f"%%symattn 后面是 {found}"), USAGE)
    name = words[0] if words else None
    if verb == "derive":
        return work(parse_case(cell, "cell.toml", folder=".")), name
    return audit_text(cell, "cell.toml" if _is_toml(cell) else "cell.md"), name


def _is_toml(cell: str) -> bool:
    """Whether a cell is a case: prose is no TOML."""
    try:
        return bool(tomllib.loads(cell))
    except tomllib.TOMLDecodeError:
        return False
