"""How the tests run: in how many processes, with which examples, with which programs; shared fixtures."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ON_CI = os.environ.get("CI") == "true"

# The same examples in every run, whatever the speed of the machine; `--hypothesis-profile=random` looks for
# others.
settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("random", settings.get_profile("same"), derandomize=False)
settings.load_profile("same")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run whole folders on all processors, where pytest-xdist is installed and `-n` does not choose.

    A single file starts sooner without other processes; the debugger and uncaptured output need there be
    none.
    """
    option = config.option
    if "PYTEST_XDIST_WORKER" in os.environ:  # one of those processes, which starts no others
        return
    if getattr(option, "numprocesses", 0) is not None or option.tx or option.usepdb or option.trace:
        return
    if option.capture != "no" and any(Path(each.partition("::")[0]).is_dir() for each in config.args):
        option.numprocesses = "auto"
        option.dist = "worksteal" if option.dist == "no" else option.dist


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the terminal, and nothing that commands of earlier tests left open, shows in a test."""
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name, "").startswith("zh"):
            monkeypatch.delenv(name)
    language = sys.modules.get("symattn.cli.language")
    if language is not None:
        language.use_arguments(())
    algebraic = sys.modules.get("symattn.exact.algebraic")
    if algebraic is not None:
        monkeypatch.setattr(algebraic._Effort, "bits", algebraic._Effort.bits)
        monkeypatch.setattr(algebraic._Effort, "wanted", 0.0)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for the programs that a test needs by its marker."""
    for marker in item.iter_markers("needs"):
        need(*marker.args)


def need(*programs: str) -> None:
    """Skip the test where one of the programs is not installed; on CI it fails."""
    for program in programs:
        if shutil.which(program) is None:
            if ON_CI:
                pytest.fail(f"{program} is missing on CI", pytrace=False)
            pytest.skip(f"{program} is not installed")


@pytest.fixture
def xelatex(tex: Callable[..., str]) -> Callable[[str], str]:
    """Compile a whole LaTeX document with xelatex."""
    need("xelatex")
    return tex


@pytest.fixture
def tex(tmp_path: Path) -> Callable[..., str]:
    """Compile a whole LaTeX document in one run and return its log.

    The compilation fails the test on an error, a missing character, or a box wider than the line by
    more than 2 pt.
    """

    def compile_(source: str, program: str = "xelatex") -> str:
        need(program)
        (tmp_path / "page.tex").write_text(source, encoding="utf-8")
        command = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"]
        wide = {**os.environ, "max_print_line": "10000"}
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, env=wide, check=False)
        log = (tmp_path / "page.log").read_text(encoding="utf-8", errors="replace")
        assert ran.returncode == 0, re.findall(r"^! .*(?:\n.*){0,8}", log, re.MULTILINE)
        assert re.findall("Missing character.*", log) == []
        boxes = re.findall(r"(Overfull \\[hv]box \(([0-9.]+)pt.*\n.*\n.*)", log)
        assert [said for said, points in boxes if float(points) > 2] == []
        return log

    return compile_
