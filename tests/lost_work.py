"""Work for processes that some of them do not survive."""

from __future__ import annotations

import os
import signal


def half(thing: int) -> int:
    """Half of an even number; an odd one ends the process."""
    if thing % 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return thing // 2
