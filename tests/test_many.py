"""Several inputs in one run: one file each, in any number of processes or on a dask cluster."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from command import symattn

from symattn.cli.progress import Progress

CASE = """title = "{name}"
[given]
Q = [[1, {name}], [1, 0]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]
"""


def written(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:02}.toml").write_text(CASE.format(name=number), "utf-8")
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir())}


def test_each_case_is_one_file_named_after_it_whatever_the_number_of_processes(tmp_path: Path) -> None:
    cases = written(tmp_path / "cases", 3)
    for jobs in "12":
        done = symattn("derive", cases, "--latex", "-o", tmp_path / jobs, "--jobs", jobs)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(contents(tmp_path / "1")) == ["00.tex", "01.tex", "02.tex"]
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    alone = symattn("derive", cases / "01.toml", "--latex").stdout
    assert contents(tmp_path / "1")["01.tex"] == alone


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_case_that_fails_is_reported_and_the_others_are_finished(tmp_path: Path, jobs: str) -> None:
    cases = written(tmp_path / "cases", 3)
    (cases / "01.toml").write_text("[given]\nX = [[1, 2], [1]]\n", "utf-8")
    alone = symattn("derive", cases / "01.toml")
    done = symattn("derive", cases, "-o", tmp_path / "pages", "--jobs", jobs)
    assert (done.returncode, done.stderr) == (2, alone.stderr)
    assert list(contents(tmp_path / "pages")) == ["00.txt", "02.txt"]


def test_two_cases_of_one_name_are_refused_before_any_work(tmp_path: Path) -> None:
    one, other = written(tmp_path / "one", 1), written(tmp_path / "other", 1)
    done = symattn("derive", one, other / "00.toml", "-o", tmp_path / "pages")
    assert done.returncode == 2
    assert "would both be written to" in done.stderr
    assert not (tmp_path / "pages").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("derive cases", "-o: several inputs are written to a folder"),
        ("derive cases -o cases/00.toml", "cases/00.toml: it is a file, and several inputs go to a folder"),
        ("derive cases/00.toml --jobs 2", "--jobs: a single input cannot be divided"),
        ("derive - cases -o pages", "standard input cannot be shared"),
        ("derive cases -o pages --watch", "--watch: it writes the page of one case"),
        ("derive cases -o pages --jobs 2 --scheduler tcp://127.0.0.1:1", "exclude each other"),
        ("audit cases --fix --scheduler tcp://127.0.0.1:1", "--fix: files are fixed only on this machine"),
        ("audit - --scheduler tcp://127.0.0.1:1", "--scheduler: standard input cannot be shared"),
    ],
)
def test_what_cannot_be_shared_or_written_is_one_clear_message(
    tmp_path: Path, arguments: str, said: str
) -> None:
    written(tmp_path / "cases", 2)
    done = symattn(*arguments.split(), folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases"]


def test_golden_results_of_several_inputs_are_one_file_each(tmp_path: Path) -> None:
    inputs = ["seed:1:2x3x4", "seed:2:2x3x4"]
    for jobs in "12":
        done = symattn("golden", *inputs, "-o", tmp_path / jobs, "--jobs", jobs, "--causal")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    names = ["seed-1-2x3x4.npz", "seed-2-2x3x4.npz"]
    assert sorted(path.name for path in (tmp_path / "1").iterdir()) == names
    symattn("golden", inputs[0], "-o", tmp_path / "alone.npz", "--causal")
    alone = (tmp_path / "alone.npz").read_bytes()
    assert alone == (tmp_path / "1" / names[0]).read_bytes() == (tmp_path / "2" / names[0]).read_bytes()
    again = symattn("golden", tmp_path / "1", "-o", tmp_path / "again", "--jobs", "1")
    assert (again.returncode, len(list((tmp_path / "again").iterdir()))) == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("-o .", "00.npz is an input, and would be overwritten"),
        ("-o out --compare 00.npz", "--compare: it is for one input"),
        ("-o out --tolerance", "--tolerance: it is for one input"),
        ("--tolerance", "-o: several inputs are written to a folder"),
    ],
)
def test_golden_refuses_what_several_inputs_cannot_have(tmp_path: Path, arguments: str, said: str) -> None:
    for name in ("00.npz", "01.npz"):
        (tmp_path / name).touch()
    done = symattn("golden", ".", *arguments.split(), folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_effort_holds_for_other_processes_and_what_it_left_open_is_said(tmp_path: Path) -> None:
    scores = '[["sqrt((2^(1/7)+5^(1/11))^2)", "2^(1/7)+5^(1/11)"]]'
    case = f'title = "t"\n[given]\nscores = {scores}\nV = [[1], [2]]\n[attention]\nscale = "1"\n'
    for name in "ab":
        (tmp_path / f"{name}.toml").write_text(case, "utf-8")
    said = [
        symattn("derive", tmp_path, "-o", tmp_path / f"{jobs}/", "--jobs", jobs, "--effort", "64").stderr
        for jobs in "21"
    ]
    assert "an equality is undecided" in said[0]
    assert said[0] == said[1]


def test_a_bar_is_wiped_before_each_result_and_drawn_after_it() -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    screen, now = Terminal(), iter(range(0, 100, 2))
    for result in Progress(screen, lambda: next(now)).over("ab", 2):
        screen.write(f"{result}\n")
    wiped = "\r\x1b[K"
    empty, half = f"{wiped}symattn: [{24 * '.'}] 0/2", f"{wiped}symattn: [{12 * '#'}{12 * '.'}] 1/2"
    assert screen.getvalue() == f"{empty}{wiped}a\n{half}{wiped}b\n"


@pytest.fixture
def cluster() -> Iterator[tuple[str, list[int]]]:
    """The scheduler of two workers, and their processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, scheduler_port=0, silence_logs=50
    ) as local:
        yield local.scheduler_address, [worker.pid for worker in local.workers.values()]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_nothing_is_lost_or_done_twice_where_a_worker_of_a_cluster_is_killed(
    tmp_path: Path, cluster: tuple[str, list[int]]
) -> None:
    address, workers = cluster
    cases = written(tmp_path / "cases", 30)
    (cases / "07.toml").write_text("[given]\nX = [[1, 2], [1]]\n", "utf-8")
    pages = tmp_path / "pages"
    killed_after: list[int] = []

    def kill() -> None:
        while not (pages / "03.txt").exists():
            time.sleep(0.01)
        os.kill(workers[0], signal.SIGKILL)
        killed_after.append(len(list(pages.iterdir())))

    killer = threading.Thread(target=kill)
    killer.start()
    done = symattn("derive", cases, "-o", pages, "--scheduler", address)
    killer.join()
    assert killed_after[0] < 29
    here = symattn("derive", cases, "-o", tmp_path / "here", "--jobs", "1")
    assert (done.returncode, done.stderr) == (here.returncode, here.stderr) == (2, here.stderr)
    assert contents(pages) == contents(tmp_path / "here")
    audits = [symattn("audit", cases, *where) for where in ([], ["--scheduler", address])]
    assert audits[0] == audits[1]


@pytest.mark.slow
def test_an_address_without_a_scheduler_is_one_message() -> None:
    pytest.importorskip("distributed")
    for address in ("nowhere", "foo://127.0.0.1:1"):
        done = symattn("audit", "a.toml", "--scheduler", address)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"symattn: --scheduler: no dask scheduler answers at {address}")
        assert done.stderr.count("\n") == 2
