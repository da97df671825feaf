"""A case in Python: its matrices and conventions in all the forms that `symattn.attention` takes."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict, force_setattr

from symattn.attention import case as inner
from symattn.attention.case import Claim, Given, Place, Settings, Statement
from symattn.casefile import case_file
from symattn.casefile.given_files import Access, Files
from symattn.casefile.givens import inputs
from symattn.library.inputs import Floats, Quantity, raw
from symattn.many.workers import packed
from symattn.plans.plan import Plan


class Case(inner.Case, frozen=True, kw_only=True):
    """What a source gives, the conventions in force, and what it printed. Immutable, compares, and pickles.

    >>> import symattn
    >>> given = {"Q": [[1]], "K": [[1], [2]], "V": [[3], ["1/2"]]}
    >>> symattn.work(symattn.Case("Two keys", given, settings={"base": 2}))["Z"]
    Matrix([[4/3]])

    `given` has the keys of `[given]` and `settings` those of `[attention]`, with values as
    `symattn.attention` takes them; both are kept as `Given` and `Settings`, which may be passed too. A float
    needs `floats`, and a given in a file (`X="x.npz:X"`) the `folder` of the file; neither is kept.
    Raises SymattnError with the key, `given.X[0][1]`.
    """

    floats: Floats | None = None
    folder: str | os.PathLike[str] | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            title: str,
            given: Mapping[str, Quantity],
            lang: str = "en",
            source: str | None = None,
            tokens: Sequence[str] = (),
            memory_tokens: Sequence[str] = (),
            symbols: Sequence[str] = (),
            settings: Settings | Mapping[str, Quantity] = ...,
            stated: Sequence[Claim] = (),
            statements: Sequence[Statement] = (),
            file: str | None = None,
            places: Mapping[str, Place] = ...,
            program: Plan | None = None,
            author: str | None = None,
            date: str | None = None,
            note: str | None = None,
            files: Mapping[str, str] = ...,
            *,
            floats: Floats | None = None,
            folder: str | os.PathLike[str] | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in ("tokens", "memory_tokens", "symbols", "stated", "statements"):
            force_setattr(self, name, tuple(getattr(self, name)))
        if not self._is_read():
            self._read()
        force_setattr(self, "given", MappingProxyType(dict(self.given)))
        force_setattr(self, "floats", None)
        force_setattr(self, "folder", None)

    def _is_read(self) -> bool:
        given = self.given.values() if isinstance(self.given, Mapping) else (self.given,)
        return isinstance(self.settings, Settings) and all(isinstance(each, Given) for each in given)

    def _read(self) -> None:
        """The givens and settings from what was passed for them."""
        declared = isinstance(self.settings, Settings)
        content = raw(
            {
                "symbols": self.symbols,
                "given": self.given,
                "attention": {} if declared else self.settings,
            },
            self.floats,
        )
        files = Files(Access.to(self.folder), self.floats)
        read = inputs(content, files, self.settings if declared else None, self.program)
        for name, value in {**read, "files": {**self.files, **files.read}}.items():
            force_setattr(self, name, value)

    @classmethod
    def of(cls, case: inner.Case) -> Case:
        """A case of the computation as one for programs."""
        return case if isinstance(case, Case) else cls(**asdict(case))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (packed(asdict(self)),)


def read_case(path: str | os.PathLike[str], *, allow_files: bool = False) -> Case:
    """The case in a file, with the givens that it has in files.

    >>> import symattn
    >>> symattn.read_case("cases/two_heads.toml").settings.heads
    2

    These are in its folder, or with `allow_files` anywhere. Raises a SymattnError that names the file and
    the place in it.
    """
    return Case.of(case_file.read_case(path, allow_files=allow_files))


def parse_case(text: str, file: str | None = None, *, folder: str | os.PathLike[str] | None = None) -> Case:
    """The case in a text; `file` is its name in messages, `folder` has the files that it may read.

    >>> import symattn
    >>> symattn.parse_case("given = {Q = [[1, 2]]}").given["Q"].typed
    (('1', '2'),)

    Raises a SymattnError with the place.
    """
    return Case.of(case_file.parse_case(text, file, folder=folder))


def _unpickled(data: bytes) -> Case:
    return Case(**pickle.loads(data))
