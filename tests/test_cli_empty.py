"""What is asked for without saying what, or of the wrong kind: one message each, and nothing done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import symattn as run

import symattn

CASE = """
[given]
X = [[1]]
W_Q = [[1]]
W_K = [[1]]
W_V = [[1]]
"""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("derive", "--only", ""), "--only: no step is named"),
        (("derive", "--only", " , "), "--only: no step is named"),
        (("audit", "--select", ""), "--select: no finding is named"),
    ],
)
def test_an_option_that_selects_nothing_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "a.toml").write_text(CASE, encoding="utf-8")
    done = run(*arguments, tmp_path / "a.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_an_empty_ignore_ignores_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(CASE, encoding="utf-8")
    assert run("audit", "--ignore", "", tmp_path / "a.toml").returncode == 0


def test_a_new_case_replaces_a_file_only_where_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    assert run("new", "a", "-o", path).returncode == 0
    path.write_text("mine", encoding="utf-8")
    refused = run("new", "a", "-o", path)
    assert (refused.returncode, path.read_text(encoding="utf-8")) == (2, "mine")
    assert "the file already exists" in refused.stderr
    assert run("new", "a", "-o", path, "--force").returncode == 0
    assert path.read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize("layer", ['"layer2.target" = [[1]]', "[given.layer2]\ntarget = [[1]]"])
def test_a_target_of_one_layer_is_refused_with_what_would_work(tmp_path: Path, layer: str) -> None:
    text = f'{CASE}{layer}\n[attention]\nlayers = 2\nloss = "squared"\n'
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    done = run("derive", tmp_path / "a.toml")
    assert done.returncode == 2
    assert "no layer has its own target\n  give target under [given]" in done.stderr


def test_the_audit_of_a_path_says_what_takes_paths() -> None:
    with pytest.raises(TypeError, match=r"symattn\.audit_file\(path\)"):
        symattn.audit("a.toml")  # type: ignore[arg-type]


def test_an_interrupt_while_the_command_is_loaded_ends_in_one_line() -> None:
    program = (
        "import sys\n"
        "class Interrupted:\n"
        "    @staticmethod\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        if name == 'symattn.cli': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted)\n"
        "from symattn.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "symattn: interrupted\n")
