"""How long `symattn --help` takes beside a click program that does nothing.

    python benchmarks/startup.py [--runs 21]

Both run in fresh interpreters of this environment, by turns, so that a busy machine slows both alike.
Printed: the median of each in milliseconds, and their ratio.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

EMPTY = """
import click

@click.command()
def main():
    pass

main()
"""
PROGRAMS = {
    "empty click program": [sys.executable, "-c", EMPTY, "--help"],
    "symattn --help": [sys.executable, "-m", "symattn", "--help"],
}


def milliseconds(command: list[str]) -> float:
    """The wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=21)
    runs = parser.parse_args().runs
    for command in PROGRAMS.values():
        milliseconds(command)  # once for the bytecode
    times = [{name: milliseconds(command) for name, command in PROGRAMS.items()} for _ in range(runs)]
    empty, ours = (statistics.median(run[name] for run in times) for name in PROGRAMS)
    for name, median in zip(PROGRAMS, (empty, ours), strict=True):
        print(f"{name:22}{median:8.1f} ms")
    print(f"{'ratio':22}{ours / empty:8.2f}")


if __name__ == "__main__":
    main()
