"""The exact calculator and proofreader of Transformer attention.

    >>> import symattn
    >>> worked = symattn.work("cases/thinking_machines.toml")
    >>> print(worked.latex(standalone=True))

Public names are imported when they are first used, so that `import symattn` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symattn.case import Case
    from symattn.errors import SymattnError
    from symattn.exact.matrix import Matrix
    from symattn.exact.number import Exact
    from symattn.notebook import Report, audit
    from symattn.reading.case_file import parse_case, read_case
    from symattn.worked import Worked, work

_HOME = {
    "audit": "symattn.notebook",
    "Case": "symattn.case",
    "Exact": "symattn.exact.number",
    "Matrix": "symattn.exact.matrix",
    "Report": "symattn.notebook",
    "SymattnError": "symattn.errors",
    "Worked": "symattn.worked",
    "parse_case": "symattn.reading.case_file",
    "read_case": "symattn.reading.case_file",
    "work": "symattn.worked",
}

__all__ = [
    "Case",
    "Exact",
    "Matrix",
    "Report",
    "SymattnError",
    "Worked",
    "audit",
    "parse_case",
    "read_case",
    "work",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'symattn' has no attribute '{name}'")
