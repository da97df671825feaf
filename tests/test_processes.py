"""Processes that share work: one that is lost, interrupts, and a run that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from command_process import COMMAND

from symattn.many.processes import by_processes
from symattn.many.workers import FEWEST, shared
from tests.lost_work import half, once_lost

CASE = Path(__file__).parent.parent / "cases" / "softmax_saturation.toml"


def test_what_a_lost_process_did_is_none_and_the_others_go_on() -> None:
    assert list(by_processes(half, [0, 2, 1, 4, 6], 2)) == [0, 1, None, 2, 3]


@pytest.mark.parametrize("count", [1, 2])
def test_what_a_lost_process_did_is_done_again_once(tmp_path: Path, count: int) -> None:
    work = partial(once_lost, tmp_path / "lost")
    assert list(by_processes(work, range(20), count)) == list(range(20))
    assert (tmp_path / "lost").exists()


def test_after_three_losses_in_a_row_the_rest_is_given_up() -> None:
    assert list(by_processes(half, [0, 1, 3, 5, 2], 1)) == [0, None, None, None, None]


def test_where_no_process_can_begin_this_one_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError("no locks here")

    monkeypatch.setattr("symattn.many.processes.ProcessPoolExecutor", refused)
    assert list(by_processes(half, [0, 2], 2)) == [0, 1]


def test_the_examples_of_a_lost_process_are_audited_in_turn() -> None:
    ours = os.getpid()

    def work(thing: int) -> int:
        if thing == 3 and os.getpid() != ours:
            os.kill(os.getpid(), signal.SIGKILL)
        return thing

    assert list(shared(2)(work, range(FEWEST))) == list(range(FEWEST))


@pytest.fixture
def audit(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The audit of a folder by two processes, in a session of its own, of which a result has come."""
    for k in range(200):
        (tmp_path / f"{k}.toml").write_bytes(CASE.read_bytes())
    run = subprocess.Popen(
        [*COMMAND, "audit", tmp_path, "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert run.stdout is not None
    run.stdout.readline()
    yield run
    run.kill()
    run.communicate(timeout=60)


def left(session: int) -> list[str]:
    """The processes of a session that still run, but for those that nobody has waited for."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its, *_ = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(its) == session and state != "Z":
            found.append(path.parent.name)
    return found


def wait_until_none_is_left(session: int) -> None:
    for _ in range(100):
        if not left(session):
            return
        time.sleep(0.1)
    assert left(session) == []


def test_interrupts_end_every_process_with_one_line_and_exit_status_130(
    audit: subprocess.Popen[bytes],
) -> None:
    assert len(left(audit.pid)) > 2
    for _ in range(3):
        os.killpg(audit.pid, signal.SIGINT)
        time.sleep(0.05)
    _, said = audit.communicate(timeout=60)
    assert (audit.returncode, said.strip()) == (130, b"symattn: interrupted")
    wait_until_none_is_left(audit.pid)


def test_processes_do_not_outlive_a_run_that_is_killed(audit: subprocess.Popen[bytes]) -> None:
    audit.kill()
    wait_until_none_is_left(audit.pid)
