"""How long `symattn --help` and a small derivation take beside a click program that does nothing.

    python benchmarks/startup.py [--runs 21]

All run in fresh interpreters of this environment, by turns, so that a busy machine slows all alike.
Printed: the median of each in milliseconds, and its ratio to the empty one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EMPTY = """
import click

@click.command()
def main():
    pass

main()
"""
CASE = str(Path(__file__).parent.parent / "cases" / "thinking_machines.toml")
SYMATTN = [sys.executable, "-m", "symattn"]
PROGRAMS = {
    "empty click program": [sys.executable, "-c", EMPTY, "--help"],
    "symattn --help": [*SYMATTN, "--help"],
    "symattn derive --text": [*SYMATTN, "derive", CASE, "--text"],
    "symattn derive --latex": [*SYMATTN, "derive", CASE, "--latex"],
}


def milliseconds(command: list[str], cache: str) -> float:
    """The wall time of one run, with bytecode from the folder `cache`."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    environment = {**kept, "PYTHONPYCACHEPREFIX": cache}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return 1000 * (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=21)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as cache:
        for command in PROGRAMS.values():
            milliseconds(command, cache)  # once for the bytecode
        times = [
            {name: milliseconds(command, cache) for name, command in PROGRAMS.items()} for _ in range(runs)
        ]
    medians = {name: statistics.median(run[name] for run in times) for name in PROGRAMS}
    empty = medians["empty click program"]
    for name, median in medians.items():
        print(f"{name:24}{median:8.1f} ms{median / empty:8.2f}")


if __name__ == "__main__":
    main()
