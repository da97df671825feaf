"""`symattn audit` and `symattn explain`: exit status, several files, directories, choosing findings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import symattn

from symattn.cli.many import processes

CASES = Path(__file__).parent.parent / "cases"
CASE = """\
title = "two"
[given]
X = [[1, 2], [3, 4]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[1, 0], [1, 1]]

[[stated]]
name = "K"
values = [[1, {k}], [3, 7]]
"""
CLEAN, SLIP = CASE.format(k=3), CASE.format(k=4)
ROUNDED = """\
title = "thirds"
[given]
Q = [[1]]
K = [[1], [1]]
V = [["1/3"], ["1/3"]]

[[stated]]
name = "V"
values = [[0.33], [0.33]]

[[stated]]
name = "Z.term"
row = 0
key = 0
values = [[0.165]]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "clean.toml").write_text(CLEAN, "utf-8")
    (tmp_path / "slip.toml").write_text(SLIP, "utf-8")
    return tmp_path


def test_a_clean_case_is_exit_status_0(folder: Path) -> None:
    done = symattn("audit", folder / "clean.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("4 printed numbers: 4 right.\n")


def test_a_slip_is_exit_status_1_unless_told_otherwise(folder: Path) -> None:
    assert symattn("audit", folder / "slip.toml").returncode == 1
    assert symattn("audit", folder / "slip.toml", "--exit-zero").returncode == 0
    assert symattn("audit", folder / "slip.toml", "--ignore", "SA2").returncode == 0
    assert (
        symattn("audit", folder / "slip.toml", "--ignore", "SA2", "--select", "sa201,SA202").returncode == 1
    )


def test_rounding_fails_only_when_strict(tmp_path: Path) -> None:
    (tmp_path / "thirds.toml").write_text(ROUNDED, "utf-8")
    assert symattn("audit", tmp_path).returncode == 0
    strict = symattn("audit", tmp_path, "--strict")
    assert strict.returncode == 1
    assert "SA101" in strict.stdout


def test_a_directory_stands_for_its_cases_in_order(folder: Path) -> None:
    (folder / "deeper").mkdir()
    (folder / "deeper" / "third.toml").write_text(CLEAN, "utf-8")
    (folder / "pyproject.toml").write_text("[project]", "utf-8")
    done = symattn("audit", folder, folder / "clean.toml", "--format", "json")
    data = json.loads(done.stdout)
    assert [Path(file["path"]).name for file in data["files"]] == ["clean.toml", "slip.toml", "third.toml"]
    assert (data["unusable"], done.returncode) == ([], 1)


def test_one_bad_file_does_not_stop_the_others(folder: Path) -> None:
    (folder / "broken.toml").write_text("title = ", "utf-8")
    done = symattn("audit", folder, "--format", "json")
    assert done.returncode == 2
    assert "broken.toml:1" in done.stderr
    assert "Traceback" not in done.stderr
    data = json.loads(done.stdout)
    assert [Path(file["path"]).name for file in data["files"]] == ["clean.toml", "slip.toml"]
    assert len(data["unusable"]) == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.toml", "missing.toml"),
        ("notes.pdf", "not of a kind that audit reads"),
        ("empty", "no file that can be read"),
    ],
)
def test_unusable_paths_are_one_message_and_exit_status_2(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "notes.pdf").write_bytes(b"%PDF")
    (tmp_path / "empty").mkdir()
    done = symattn("audit", tmp_path / name)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_code_is_refused_before_anything_is_read() -> None:
    done = symattn("audit", "nowhere.toml", "--select", "E501")
    assert done.returncode == 2
    assert '--select: no finding begins with "E501"' in done.stderr


def test_several_processes_print_the_same(folder: Path) -> None:
    words = ["audit", str(folder), "--format", "json", "--jobs"]
    alone = symattn(*words, "1")
    together = subprocess.run(
        [sys.executable, "-m", "symattn", *words, "2"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert alone.stdout == together.stdout
    assert (alone.returncode, together.returncode) == (1, 1)


def test_many_files_are_audited_by_all_processors_and_few_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)
    assert [processes(files) for files in (0, 1, 15, 16, 400)] == [1, 1, 1, 2, 4]
    assert [processes(files, 3) for files in (1, 2, 400)] == [1, 2, 3]


def test_results_go_to_a_file_whole(folder: Path) -> None:
    done = symattn("audit", folder, "--format", "html", "--lang", "zh", "-o", folder / "page.html")
    assert (done.returncode, done.stdout) == (1, "")
    page = (folder / "page.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "审校" in page


def test_no_progress_bar_where_standard_error_is_no_terminal(tmp_path: Path) -> None:
    for k in range(21):
        (tmp_path / f"{k:02}.toml").write_text(CLEAN, "utf-8")
    done = symattn("audit", tmp_path, "--jobs", "1")
    assert done.stderr == ""
    assert done.stdout.endswith("21 files, 84 printed numbers: 84 right.\n")


def test_the_worked_example_without_slips_passes() -> None:
    done = symattn("audit", CASES / "thinking_machines.toml", "--lang", "en")
    assert done.returncode == 0
    assert "12.45 (row 1; exact 12.46)" in done.stdout


def test_the_worked_example_with_slips_names_their_cause() -> None:
    done = symattn("audit", CASES / "softmax_saturation.toml", "--lang", "en", "--format", "markdown")
    assert done.returncode == 1
    assert "you have multiplied Q by K instead of K^T" in done.stdout.replace("\\", "")


def test_explain_lists_tells_and_refuses() -> None:
    assert "  SA201  slip\n" in symattn("explain").stdout
    assert symattn("explain", "SA301", "--lang", "zh").stdout.startswith("SA301 carried-forward：连带错误\n")
    unknown = symattn("explain", "SA000")
    assert unknown.returncode == 2
    assert 'there is no finding "SA000"' in unknown.stderr
