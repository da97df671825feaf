"""`python -m symattn`, and the console script."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line; an interrupt while it is still being loaded ends in one line as well."""
    try:
        from symattn.cli import main as command
    except KeyboardInterrupt:
        sys.stderr.write("symattn: interrupted\n")
        sys.exit(INTERRUPTED)
    command()


if __name__ == "__main__":
    main()
