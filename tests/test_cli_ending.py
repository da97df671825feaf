"""A run ends at once, and as usual where somebody still needs the process."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import atexit, sys, threading
from symattn.cli.ending import leave

class Freed:
    def __del__(self):
        print("freed")

held = Freed()
atexit.register(print, "registered")
{setting}
print("printed")
leave(3)
"""
AT_ONCE = "printed\nregistered\n"


def left(setting: str, *flags: str) -> tuple[int, str, str]:
    command = [sys.executable, *flags, "-c", PROGRAM.format(setting=setting)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def test_a_run_ends_without_freeing_what_it_holds() -> None:
    assert left("") == (3, AT_ONCE, "")


@pytest.mark.parametrize(
    "setting",
    [
        "sys.setprofile(getattr)",
        "sys.settrace(getattr)",
        "import time; threading.Thread(target=time.sleep, args=(0.05,)).start()",
        "sys.monitoring.use_tool_id(2, 'x') if hasattr(sys, 'monitoring') else sys.setprofile(getattr)",
    ],
)
def test_python_ends_as_usual_where_somebody_watches_or_still_works(setting: str) -> None:
    status, printed, _ = left(setting)
    assert (status, "freed" in printed) == (3, True)


def test_an_interactive_python_goes_on() -> None:
    assert left("", "-i")[1].startswith("printed\n")
    assert "freed" in left("", "-i")[1]


def test_streams_that_fail_at_the_end_are_left_to_python() -> None:
    status, _, complaint = left("sys.stdout.close(); sys.stdout = open('/dev/full', 'w')")
    assert status == 120
    assert "No space left on device" in complaint
