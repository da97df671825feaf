"""Enough memory before anything is computed, where a limit is set on it (`ulimit -v`)."""

from __future__ import annotations

import mmap
import os
import sys

from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfMemory

NEEDED = 200 << 20
"""Bytes of address space that NumPy, SymPy and a small case take."""


def need_memory() -> None:
    """Raises OutOfMemory where a limit leaves too little to begin with.

    The libraries below NumPy would end the process then, with exit status 1, or interrupt it (SIGINT) where
    they have no room for a thread.
    """
    if sys.platform == "win32":
        return
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        mmap.mmap(-1, NEEDED).close()
    except OSError:
        raise OutOfMemory(
            Bilingual(
                f"not enough memory: {NEEDED >> 20} MB are needed, and the limit is {limit >> 20} MB in all",
                f"内存不足：需要 {NEEDED >> 20} MB，而上限总共是 {limit >> 20} MB",
            ),
            Bilingual(
                "raise the limit: ulimit -v 400000, or ulimit -v unlimited",
                "请提高上限：ulimit -v 400000，或 ulimit -v unlimited",
            ),
        ) from None
