"""What a person can do wrong: one exception a mistake, context added once, at the edge.

Code inside the library raises the bare mistake (`RaggedRows("row 2 has 3 entries, row 1 has 4")`);
the place that knows the file, the key and the cell adds them with :meth:`SymattnError.at`.
"""

from __future__ import annotations

from typing import Self

from symattn.text.bilingual import Bilingual, both, placed
from symattn.text.file_names import shown


class SymattnError(Exception):
    """A problem that the person who wrote the input can mend. Never a defect of the program.

    `reason` is what was found and `advice` what would have worked, in both languages; `found`, `remedy` and
    `str(error)` are the English ones. The place is filled in by :meth:`at`. `others` are the further
    problems of the same file, which the message lists too.
    """

    usual_remedy = both("")
    """What would have worked, where the place that raises knows nothing better."""

    def __init__(self, found: Bilingual, remedy: Bilingual | None = None) -> None:
        self.reason = found
        self.advice = remedy or self.usual_remedy
        super().__init__(self.found)
        self.file: str | None = None
        self.key: str | None = None
        self.step: str | None = None
        self.line: int | None = None
        self.column: int | None = None
        self.others: tuple[SymattnError, ...] = ()

    def at(
        self,
        *,
        file: str | None = None,
        key: str | None = None,
        step: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> Self:
        """Add the parts of the place that are not known yet, and return the error itself.

        A step of the derivation is a place as good as a key: what has the one gets no other.
        """
        self.file = self.file or file
        if not self.key and not self.step:
            self.key, self.step = key, step
        if self.line is None:
            self.line, self.column = line, column
        return self

    @property
    def found(self) -> str:
        """What is there, in English."""
        return self.reason.en

    @property
    def remedy(self) -> str:
        """What would have worked, in English; "" where nothing is known."""
        return self.advice.en

    @property
    def message(self) -> Bilingual:
        """`file:line:column: key: found`, the place as far as it is known, and what would have worked.

        The messages of the `others` follow, each on its lines.
        """
        found = self.reason
        if self.step:
            found = Bilingual(f"step {self.step}: {found.en}", f"步骤 {self.step}：{found.zh}")
        file = None if self.file is None else shown(self.file)
        spot = ":".join(str(part) for part in (file, self.line, self.column) if part is not None)
        for place in (self.key, spot):
            found = placed(place, found) if place else found
        if self.remedy:
            found = Bilingual(f"{found.en}\n  {self.advice.en}", f"{found.zh}\n  {self.advice.zh}")
        for other in (each.message for each in self.others):
            found = Bilingual(f"{found.en}\n{other.en}", f"{found.zh}\n{other.zh}")
        return found

    def __str__(self) -> str:
        return self.message.en


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
    """The computation needs a matrix that is neither given nor computable."""


class UnreadableExpression(SymattnError):
    """An expression that the expression language does not have."""


class UndefinedSymbol(SymattnError):
    """A name that is not declared under `symbols`."""


class OutOfBounds(SymattnError):
    """An input of an absurd size: more would be refused than computed."""


class OutOfMemory(SymattnError):
    """A process that shared the work is gone, most often because the system had no memory left for it."""

    usual_remedy = Bilingual(
        "most often for lack of memory: --jobs 1 needs the least", "多半是内存不足：--jobs 1 占用最少"
    )


class NotInstalled(SymattnError):
    """A program or a font that a page needs is not there."""


class NotTypeset(SymattnError):
    """A program could not make a page."""


DIVISION_BY_ZERO = Bilingual("a division by zero", "除数为 0")


class UndefinedValue(SymattnError):
    """Mathematics has no such value: a division by zero, the root of a negative number."""

    usual_remedy = Bilingual(
        "only real numbers are computed: no division by 0, roots and logarithms of positive numbers",
        "只计算实数：除数不为 0，只对正数开方、取对数",
    )
