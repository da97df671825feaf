"""The outermost edge of the command line: how a run ends, as one line on standard error and an exit status.

0: done; 1: there are findings, or a cross-check or a proof disagrees; 2: something could not be read,
computed or written; 130: interrupted. Nothing else ends with 1, and nothing ends with a traceback.
"""

from __future__ import annotations

import errno
import math
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from symattn.cli.language import language
from symattn.cli.output import say, standard_output_failed, use_standard_output
from symattn.cli.usage import complaint
from symattn.text.bilingual import Bilingual, placed
from symattn.text.errors import SymattnError
from symattn.text.system_errors import why

FINDINGS = 1
FAILED = 2
INTERRUPTED = 130
PATIENCE = 2.0
"""For how many seconds after an interrupt another one is taken for the same, while processes are ended."""
NO_MEMORY = Bilingual("there is not enough memory", "内存不足")
LONGEST = 300
"""So many characters of an internal error are shown."""
TRACEBACK = "SYMATTN_TRACEBACK"
"""The environment variable that shows where an internal error came from."""
_NOT_LOADED = re.compile("failed to map segment|[Cc]annot allocate memory")
"""What the loader of libraries says where there is no memory for one."""


def run(command: click.Command) -> int:
    """Carry out what the command line asks for, and return the exit status."""
    use_standard_output()
    with _interrupted_once():
        try:
            status = command.main(prog_name="symattn", standalone_mode=False)
            return status if isinstance(status, int) else 0
        except (click.Abort, KeyboardInterrupt):
            _end_processes()
            say(Bilingual("symattn: interrupted", "symattn: 已中断"))
            return INTERRUPTED
        except click.ClickException as error:
            say(complaint(error))
        except SystemExit as left:  # so click leaves after a completion, and where nobody reads its help
            if left.code == 0:
                return 0
            closed = standard_output_failed(OSError(errno.EPIPE, os.strerror(errno.EPIPE)))
            say(f"symattn: {closed.message[language()]}")
        except Exception as error:
            say(f"symattn: {explained(_of_standard_output(error))[language()]}")
        _end_processes()
        return FAILED


def explained(error: Exception) -> Bilingual:
    """What ended a piece of work: the message of bad input, or else one line."""
    match error:
        case SymattnError():
            return error.message
        case MemoryError():
            return NO_MEMORY
        case ImportError() if _NOT_LOADED.search(str(error)):
            return NO_MEMORY
        case OSError(strerror=str(), filename=name):
            return why(error) if name is None else placed(name, why(error))
    import traceback

    if os.environ.get(TRACEBACK):
        say("".join(traceback.format_exception(error)))
    spot = traceback.extract_tb(error.__traceback__)[-1]
    said = " ".join([f"{type(error).__name__}:", *str(error).split()])[:LONGEST]
    place = f"{os.path.basename(spot.filename)}:{spot.lineno}"
    return Bilingual(
        f"internal error, please report it: {said} ({place}; {TRACEBACK}=1 shows more)",
        f"内部错误，请报告：{said}（{place}；设 {TRACEBACK}=1 可看到更多）",
    )


def _of_standard_output(error: Exception) -> Exception:
    """The error, or what is wrong with standard output, to which click writes its help."""
    if isinstance(error, OSError) and error.filename is None:
        try:
            sys.stdout.write("")
            sys.stdout.flush()
        except (OSError, ValueError) as problem:
            return standard_output_failed(problem)
    return error


@contextmanager
def _interrupted_once() -> Iterator[None]:
    """The first interrupt is raised; another one soon after would only leave half of the end undone."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    last = -math.inf

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal last
        if time.monotonic() - last >= PATIENCE:
            last = time.monotonic()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    yield
    # the end of Python is not interrupted a second time either
    signal.signal(signal.SIGINT, signal.default_int_handler if last == -math.inf else signal.SIG_IGN)


def _end_processes() -> None:
    """No process outlives the run."""
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for process in active_children():
            process.kill()
