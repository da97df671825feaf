"""Sizes are checked before any work, what is long shows progress on a terminal and ends on an interrupt."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from symattn.attention.recipes.attention import attention
from symattn.attention.recipes.limits import MOST
from symattn.casefile.case_file import parse_case
from symattn.casefile.schema import schema
from symattn.cli.progress import Progress
from symattn.plans.ops.add import PassOn
from symattn.plans.plan import Line
from symattn.text.errors import OutOfBounds, SymattnError

SMALL = (
    "[given]\nX = [[1, 2], [3, 4]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\n"
)
LARGE = 1_000_000_000


@pytest.mark.parametrize("key", MOST)
def test_a_number_beyond_the_limit_is_refused_with_its_place(key: str) -> None:
    with pytest.raises(SymattnError, match="out of range") as refused:
        parse_case(f"{SMALL}[attention]\n{key} = {LARGE + 1}\n")
    assert f"to {MOST[key]:,}" in refused.value.remedy
    assert refused.value.line == 7


@pytest.mark.parametrize("key", MOST)
def test_a_case_that_is_made_in_python_has_the_same_limits(key: str) -> None:
    case = parse_case(SMALL)
    with pytest.raises(OutOfBounds, match=f"{key} = "):
        attention(replace(case, settings=replace(case.settings, **{key: LARGE + 1})))


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("heads = 1000\nlayers = 60", "steps"),
        ('positions = "sinusoidal"\nd_model = 65536', "sines and cosines"),
        ('jacobians = "all"\nheads = 1024\nlayers = 10', "steps"),
    ],
)
def test_settings_that_are_large_together_are_refused(settings: str, found: str) -> None:
    tokens = "tokens = [" + '"a", ' * 8 + "]\n"
    given = SMALL if "sinusoidal" not in settings else tokens
    with pytest.raises(OutOfBounds, match=found):
        attention(parse_case(f"{given}[attention]\n{settings}\n"))


def test_more_weights_than_the_memory_holds_are_refused_before_the_mask_is_made() -> None:
    column = json.dumps([[1]] * 20_000)
    text = f'[given]\nQ = {column}\nK = {column}\nV = {column}\n[attention]\nmask = "causal"\n'
    case = parse_case(text)
    with pytest.raises(OutOfBounds, match="400,000,000 weights of 20,000 queries and 20,000 keys"):
        attention(case)


def test_the_schema_has_the_limits() -> None:
    keys = schema()["properties"]["attention"]["properties"]
    assert {key: keys[key]["maximum"] for key in MOST} == dict(MOST)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress_of(stream: io.StringIO, seconds: float) -> str:
    """What is shown of a plan of two steps, each of which takes so long."""
    now = 0.0
    with Progress(stream, lambda: now) as progress:
        for _ in progress.steps((Line("A", PassOn(), ("B",)), Line("Z", PassOn(), ("A",)))):
            now += seconds
    return stream.getvalue()


def test_progress_is_shown_on_a_terminal_after_a_while_and_wiped() -> None:
    assert progress_of(Terminal(), 2.0) == "\r\x1b[Ksymattn: step 2 of 2: Z\r\x1b[K"
    assert progress_of(Terminal(), 0.1) == ""
    assert progress_of(io.StringIO(), 2.0) == ""


def test_a_long_derivation_ends_promptly_on_an_interrupt(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_text(f"{SMALL}[attention]\nlayers = 64\n", encoding="utf-8")
    program = (  # a shell may have started the tests in the background, with interrupts ignored
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from symattn.__main__ import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, "derive", os.fspath(file)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parent.parent,
    )
    try:
        time.sleep(1.0)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
    finally:
        process.kill()
    assert process.returncode != 0
    assert b"Traceback" not in said
