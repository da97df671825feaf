"""A document of any kind as one text in one alphabet, in which every character knows its place."""

from __future__ import annotations

from symattn.casefile.file_kinds import Kind
from symattn.notes.source import html, typst
from symattn.notes.source.alphabet import IN_ONE_ALPHABET
from symattn.notes.source.comments import without_comments
from symattn.notes.source.macros import without_macros
from symattn.notes.source.marks import as_markdown
from symattn.notes.source.notebook import unpacked
from symattn.notes.source.places import Source, plain


def read_source(text: str, kind: Kind) -> Source:
    """The source of a document: unpacked, without comments, its markup as that of Markdown and LaTeX."""
    source = unpacked(text) if kind == "notebook" else plain(text)
    if kind == "html":
        source = html.as_text(without_comments(text, kind))
    bare = as_markdown(without_comments(source.text, kind), kind)
    source = Source(bare, source.lines, source.columns)
    if kind == "typst":
        source = typst.as_latex(source)
    if "\\newcommand" in bare or "\\renewcommand" in bare:
        source = without_macros(source)
    return Source(source.text.translate(IN_ONE_ALPHABET), source.lines, source.columns)
