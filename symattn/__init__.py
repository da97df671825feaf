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
    from symattn.attention.case import Case
    from symattn.auditor.notebook import Report, audit
    from symattn.casefile.case_file import parse_case, read_case
    from symattn.exact.matrix import Matrix
    from symattn.exact.number import Exact
    from symattn.result import Worked, work
    from symattn.text.errors import SymattnError

_HOME = {
    "audit": "symattn.auditor.notebook",
    "Case": "symattn.attention.case",
    "Exact": "symattn.exact.number",
    "Matrix": "symattn.exact.matrix",
    "Report": "symattn.auditor.notebook",
    "SymattnError": "symattn.text.errors",
    "Worked": "symattn.result",
    "parse_case": "symattn.casefile.case_file",
    "read_case": "symattn.casefile.case_file",
    "work": "symattn.result",
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
