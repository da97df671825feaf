"""How the tests themselves run: in how many processes, and what a missing program means."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import conftest
import pytest

UNSET = {"numprocesses": None, "dist": "no", "tx": [], "usepdb": False, "trace": False, "capture": "fd"}


@pytest.fixture(autouse=True)
def _outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests, too, may run in one of several processes."""
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)


def distributed(*arguments: str, **options: Any) -> tuple[object, str]:
    """How many processes run these arguments, and how tests are dealt out to them."""
    option = SimpleNamespace(**{**UNSET, **options})
    conftest.pytest_cmdline_main(SimpleNamespace(option=option, args=arguments))
    return option.numprocesses, option.dist


def test_a_folder_is_run_by_all_processors_and_a_file_by_one(tmp_path: Path) -> None:
    file = tmp_path / "test_a.py"
    file.touch()
    assert distributed(str(tmp_path)) == ("auto", "worksteal")
    assert distributed(str(file), f"{file}::test_b") == (None, "no")


def test_what_is_asked_for_on_the_command_line_is_done(tmp_path: Path) -> None:
    assert distributed(str(tmp_path), numprocesses=3, dist="load") == (3, "load")
    assert distributed(str(tmp_path), dist="loadfile") == ("auto", "loadfile")


@pytest.mark.parametrize("option", [{"usepdb": True}, {"trace": True}, {"capture": "no"}, {"tx": ["popen"]}])
def test_the_debugger_and_uncaptured_output_stay_in_one_process(
    option: dict[str, Any], tmp_path: Path
) -> None:
    assert distributed(str(tmp_path), **option) == (None, "no")


def test_a_process_of_several_starts_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    assert distributed(str(tmp_path)) == (None, "no")


def test_without_pytest_xdist_there_is_one_process(tmp_path: Path) -> None:
    option = SimpleNamespace()
    conftest.pytest_cmdline_main(SimpleNamespace(option=option, args=[str(tmp_path)]))
    assert vars(option) == {}


@pytest.mark.parametrize(
    ("on_ci", "outcome", "said"),
    [(False, pytest.skip.Exception, "is not installed"), (True, pytest.fail.Exception, "is missing on CI")],
)
def test_a_missing_program_is_a_skip_but_on_ci_a_failure(
    on_ci: bool, outcome: type[BaseException], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "ON_CI", on_ci)
    conftest.need("git")
    with pytest.raises(outcome, match=f"no-such-program {said}"):
        conftest.need("git", "no-such-program")
