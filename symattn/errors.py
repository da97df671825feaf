"""What a person can do wrong: one exception a mistake, context added once, at the edge.

Code inside the library raises the bare mistake (`RaggedRows("row 2 has 3 entries, row 1 has 4")`);
the place that knows the file, the key and the cell adds them with :meth:`SymattnError.at`.
"""

from __future__ import annotations

from typing import Self

from symattn.bilingual import Bilingual
from symattn.file_names import shown


class SymattnError(Exception):
    """A problem that the person who wrote the input can mend. Never a defect of the program.

    `reason` says what is there, in both languages where the place that raises has both; `remedy` says what
    would have worked. The place is filled in by :meth:`at`.
    """

    usual_remedy = ""
    """What would have worked, where the place that raises knows nothing better."""

    def __init__(self, found: str | Bilingual, remedy: str = "") -> None:
        self.reason = found if isinstance(found, Bilingual) else Bilingual(found, found)
        super().__init__(self.found)
        self.remedy = remedy or self.usual_remedy
        self.file: str | None = None
        self.key: str | None = None
        self.line: int | None = None
        self.column: int | None = None

    def at(
        self,
        *,
        file: str | None = None,
        key: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> Self:
        """Add the parts of the place that are not known yet, and return the error itself."""
        self.file = self.file or file
        self.key = self.key or key
        if self.line is None:
            self.line, self.column = line, column
        return self

    @property
    def found(self) -> str:
        """What is there, in English."""
        return self.reason.en

    @property
    def place(self) -> str:
        """`file:line:column: key`, as far as it is known."""
        file = None if self.file is None else shown(self.file)
        spot = ":".join(str(part) for part in (file, self.line, self.column) if part is not None)
        return ": ".join(part for part in (spot, self.key) if part)

    def __str__(self) -> str:
        said = f"{self.place}: {self.found}" if self.place else self.found
        return f"{said}\n  {self.remedy}" if self.remedy else said


class UnreadableFile(SymattnError):
    """The file is missing, too large, not text, or not TOML."""


class UnknownKey(SymattnError):
    """A key that the case format does not have."""


class UnusableValue(SymattnError):
    """A value of the wrong kind: a word where a number belongs, a scale of zero."""


class RaggedRows(SymattnError):
    """The rows of a matrix differ in length."""


class ShapeMismatch(SymattnError):
    """Two matrices that do not fit together."""


class MissingGiven(SymattnError):
    """The walk needs a matrix that is neither given nor computable."""


class UnreadableExpression(SymattnError):
    """An expression that the expression language does not have."""


class UndefinedSymbol(SymattnError):
    """A name that is not declared under `symbols`."""


class OutOfBounds(SymattnError):
    """An input of an absurd size: more would be refused than computed."""


class OutOfMemory(SymattnError):
    """A process that shared the work is gone, most often because the system had no memory left for it."""

    usual_remedy = "most often for want of memory: --jobs 1 takes the least"


DIVISION_BY_ZERO = Bilingual("a division by zero", "除数为 0")


class UndefinedValue(SymattnError):
    """Mathematics has no such value: a division by zero, the root of a negative number."""

    usual_remedy = (
        "only real numbers are computed: no division by 0, roots and logarithms of positive numbers"
    )
