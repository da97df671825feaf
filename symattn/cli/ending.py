"""The end of a run: the process is left at once, not taken apart object by object."""

from __future__ import annotations

import atexit
import os
import sys
from typing import NoReturn

TOOLS = 6
"""The most tools that may watch a program through `sys.monitoring`, from Python 3.12 on."""


def leave(status: str | int | None) -> NoReturn:
    """End the process with this exit status, as mypy does.

    Freeing every object of NumPy, FLINT and a page took a fifth of a short run. What is registered for the
    end runs and both streams are written out first. Where somebody still needs the process (a thread, a
    profiler, a debugger, `python -i`), Python ends as it always does.
    """
    if isinstance(status, int) and not _needed():
        atexit._run_exitfuncs()
        if _written_out():
            os._exit(status)
    sys.exit(status)


def _needed() -> bool:
    threads = sys.modules.get("threading")
    return (
        (threads is not None and threads.active_count() > 1)
        or sys.getprofile() is not None
        or sys.gettrace() is not None
        or bool(sys.flags.interactive or sys.flags.inspect)
        or _monitored()
    )


def _monitored() -> bool:
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and any(monitoring.get_tool(tool) for tool in range(TOOLS))


def _written_out() -> bool:
    """Whether both streams took all that was written to them."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True
