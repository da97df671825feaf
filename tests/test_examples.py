"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "symattn").rglob("*.py"))
    if path.name != "__init__.py" and "\n    >>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", ["symattn", *MODULES])
def test_the_examples_of_a_module_print_what_they_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted
    assert not found.failed
