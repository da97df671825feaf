"""The formats of `symattn audit`, by name."""

from __future__ import annotations

import importlib

from symattn.auditor.formats.stream import Format

NAMES = ("text", "json", "sarif", "github", "markdown", "latex", "html", "pdf")


def format_named(name: str) -> Format:
    """The format of that name; its module is imported when it is used. Raises KeyError for another name."""
    if name not in NAMES:
        raise KeyError(name)
    module = importlib.import_module(f"symattn.auditor.formats.{name}")
    return Format(module.piece, module.joined)
