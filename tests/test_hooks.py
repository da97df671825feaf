"""The pre-commit hooks pass the audit what it reads, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symattn.casefile.file_kinds import KINDS
from symattn.reports import READERS

HOOKS = (Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text("utf-8")
EXCLUDES = re.findall(r"(?m)^  exclude: '(.*)'$", HOOKS)


def test_both_hooks_for_notes_say_what_they_exclude() -> None:
    assert re.findall(r"id: (\S+)", HOOKS) == ["symattn-audit", "symattn-fix", "symattn-cases"]
    assert len(EXCLUDES) == 2


@pytest.mark.parametrize("exclude", EXCLUDES)
def test_a_hook_for_notes_takes_every_kind_that_is_read_and_no_other(exclude: str) -> None:
    for suffix in KINDS:
        assert re.search(exclude, f"notes/第 1 讲{suffix}") is None
        assert re.search(exclude, f"notes/LECTURE{suffix.upper()}") is None
    assert all(re.search(exclude, name) for name in ("a.png", "md", "md/a.py", "a.md.bak", "a.toml", "a.svg"))
    (listed,) = re.findall(r"\\\.\((.*)\)\$", exclude)
    assert {f".{name}" for name in listed.split("|")} == set(KINDS)


def test_the_hook_for_cases_takes_the_rest() -> None:
    assert set(READERS) - set(KINDS) == {".toml"}
    assert "types: [toml]" in HOOKS
