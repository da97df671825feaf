"""How a document of notes is written, by the end of its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnreadableFile

Kind = Literal["markdown", "latex", "text", "notebook", "rst", "org", "asciidoc", "typst", "html"]

HABITS = "symattn.toml"
"""The file of settings, which is no case."""

STANDARD_INPUT = "-"
"""The path that stands for standard input."""

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        ".md": "markdown",
        ".markdown": "markdown",
        ".rmd": "markdown",
        ".qmd": "markdown",
        ".tex": "latex",
        ".ipynb": "notebook",
        ".txt": "text",
        ".rst": "rst",
        ".org": "org",
        ".adoc": "asciidoc",
        ".typ": "typst",
        ".html": "html",
        ".htm": "html",
    }
)


def kind_of(path: str) -> Kind:
    """How a document is written, by its name; standard input is Markdown.

    Raises UnreadableFile for a kind that is not read.
    """
    if path == STANDARD_INPUT:
        return "markdown"
    kind = KINDS.get(Path(path).suffix.lower())
    if kind is None:
        raise UnreadableFile(
            Bilingual("not of a kind that is read", "不能读这种文件"),
            Bilingual(
                f"notes are files that end in {', '.join(KINDS)}", f"讲义文件的后缀是 {'、'.join(KINDS)}"
            ),
        ).at(file=path)
    return kind
