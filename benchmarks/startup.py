"""How long `symattn --help` and a small derivation take beside a click program that does nothing.

    python benchmarks/startup.py [--runs 21]

All run in fresh interpreters of this environment, by turns, so that a busy machine slows all alike.
Printed: the median of each in milliseconds, and its ratio to the empty one; and of each what its imports take
by package, in one more run that says it (-X importtime, which takes time itself).
"""

from __future__ import annotations

import argparse
import os
import re
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
PACKAGES = ("click", "flint", "msgspec", "numpy", "symattn", "sympy")
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


def imports(command: list[str], cache: str) -> dict[str, tuple[int, float]]:
    """The modules of each package that a run imports, and the milliseconds that they take by themselves."""
    traced = [command[0], "-X", "importtime", *command[1:]]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
    said = subprocess.run(traced, check=True, capture_output=True, text=True, env=environment).stderr
    found: dict[str, tuple[int, float]] = {}
    for own, name in re.findall(r"^import time: +([0-9]+) \| +[0-9]+ \| +(\S+)$", said, re.MULTILINE):
        package = name.split(".")[0]
        package = package if package in PACKAGES else "the standard library"
        count, milliseconds = found.get(package, (0, 0.0))
        found[package] = count + 1, milliseconds + int(own) / 1000
    return found


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
        made_of = {name: imports(command, cache) for name, command in PROGRAMS.items()}
    medians = {name: statistics.median(run[name] for run in times) for name in PROGRAMS}
    empty = medians["empty click program"]
    for name, median in medians.items():
        print(f"{name:24}{median:8.1f} ms{median / empty:8.2f}")
    for name, found in made_of.items():
        parts = (f"{package} {took:.0f} ms ({count})" for package, (count, took) in sorted(found.items()))
        print(f"imports of {name}: {', '.join(parts)}")


if __name__ == "__main__":
    main()
