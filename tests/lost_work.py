"""Work for processes that some of them do not survive."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def half(thing: int) -> int:
    """Half of an even number; an odd one ends the process."""
    if thing % 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return thing // 2


def once_lost(marker: Path, thing: int) -> int:
    """The number; 3 ends the process where no marker says that it did."""
    if thing == 3 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return thing
