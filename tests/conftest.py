"""Fixtures that several test files share."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def xelatex(tmp_path: Path) -> Callable[[str], str]:
    """Compile a whole LaTeX document in one run and return its log.

    The compilation fails the test on an error, a missing character, or a box wider than the line by
    more than 2 pt. Without xelatex the test is skipped, but on CI it fails.
    """
    if shutil.which("xelatex") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("xelatex is missing on CI")
        pytest.skip("xelatex is not installed")

    def compile_(source: str) -> str:
        (tmp_path / "page.tex").write_text(source, encoding="utf-8")
        command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"]
        wide = {**os.environ, "max_print_line": "10000"}
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, env=wide, check=False)
        log = (tmp_path / "page.log").read_text(encoding="utf-8", errors="replace")
        assert ran.returncode == 0, re.findall(r"^! .*(?:\n.*){0,8}", log, re.MULTILINE)
        assert re.findall("Missing character.*", log) == []
        boxes = re.findall(r"(Overfull \\[hv]box \(([0-9.]+)pt.*\n.*\n.*)", log)
        assert [said for said, points in boxes if float(points) > 2] == []
        return log

    return compile_
