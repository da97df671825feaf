"""`python -m symattn`, and the console script."""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130
COLLECTED_AFTER = 100_000
"""New objects after which Python looks for cycles, not 700; short runs were 2 to 10 % faster with it."""


def main() -> None:
    """Run the command line; an interrupt while it is still being loaded ends in one line as well."""
    gc.set_threshold(COLLECTED_AFTER)
    try:
        from symattn.cli import main as command
        from symattn.cli.ending import leave
    except KeyboardInterrupt:
        sys.stderr.write("symattn: interrupted\n")
        sys.exit(INTERRUPTED)
    try:
        command()
    except SystemExit as ended:
        leave(ended.code)


if __name__ == "__main__":
    main()
