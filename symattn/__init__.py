"""The exact calculator and proofreader of Transformer attention.

    >>> import symattn
    >>> worked = symattn.work("cases/thinking_machines.toml")
    >>> worked["A"]
    Matrix([[1/(1 + exp(sqrt(2)/2)), 1/(1 + exp(-sqrt(2)/2))],
            [1/(1 + exp(sqrt(2)/2)), 1/(1 + exp(-sqrt(2)/2))]])
    >>> worked["A"][0] == worked["A"][1], worked["Z"][0, 1] == 1, f"{worked['A'][0, 0]:.6f}"
    (True, True, '0.330238')
    >>> page = worked.latex(standalone=True)

Public names are imported when they are first used, so that `import symattn` costs nothing.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symattn.exact.rounding import Undecided
    from symattn.library.attention import attention
    from symattn.library.case import Case, parse_case, read_case
    from symattn.library.golden import Golden, assert_within_ulps, golden, ulp_error
    from symattn.library.matrix import Matrix, Vector
    from symattn.library.number import Exact
    from symattn.library.report import Report, audit, audit_file, audit_text
    from symattn.library.worked import UnknownName, Worked, work
    from symattn.text.errors import SymattnError

_HOME = {
    "assert_within_ulps": "symattn.library.golden",
    "attention": "symattn.library.attention",
    "audit": "symattn.library.report",
    "audit_file": "symattn.library.report",
    "audit_text": "symattn.library.report",
    "Case": "symattn.library.case",
    "Exact": "symattn.library.number",
    "Matrix": "symattn.library.matrix",
    "Report": "symattn.library.report",
    "SymattnError": "symattn.text.errors",
    "Undecided": "symattn.exact.rounding",
    "UnknownName": "symattn.library.worked",
    "Vector": "symattn.library.matrix",
    "Worked": "symattn.library.worked",
    "Golden": "symattn.library.golden",
    "golden": "symattn.library.golden",
    "load_ipython_extension": "symattn.library.notebook",
    "parse_case": "symattn.library.case",
    "read_case": "symattn.library.case",
    "ulp_error": "symattn.library.golden",
    "work": "symattn.library.worked",
}

__all__ = [
    "Case",
    "Exact",
    "Golden",
    "Matrix",
    "Report",
    "SymattnError",
    "Undecided",
    "UnknownName",
    "Vector",
    "Worked",
    "assert_within_ulps",
    "attention",
    "audit",
    "audit_file",
    "audit_text",
    "golden",
    "parse_case",
    "read_case",
    "ulp_error",
    "work",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'symattn' has no attribute '{name}'")


class _Package(ModuleType):
    """The package, with a function that has the name of a folder in it.

    Importing the folder would put it in the place of the function.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]
