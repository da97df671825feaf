"""Habits of an author: `symattn.toml`, or `[tool.symattn]` in `pyproject.toml`, above the audited file.

The nearest folder that has one decides; in one folder `symattn.toml` wins. The search ends at the root of the
repository; outside of one at the working directory, or at the folder of a file that is not in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Never

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.attention.case import Place
from symattn.auditor.catalogue import checked_selectors
from symattn.casefile.file_kinds import HABITS as OWN
from symattn.casefile.locate import Places, joined
from symattn.casefile.overrides import overrides
from symattn.casefile.tables import Typed, described
from symattn.casefile.toml_file import content_of, text_of
from symattn.exact.literal import quote
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnknownKey, UnusableValue
from symattn.text.suggest import instead

SHARED = "pyproject.toml"
TABLE = ("tool", "symattn")


class Habits(Struct, frozen=True):
    """What a file of habits says; None and empty where it says nothing.

    Paths and patterns are those of `folder`. `places` has the place of each key, under the name it has in the
    file; `conventions` are `KEY=VALUE`, as `--set` takes them.
    """

    file: str | None = None
    folder: str = ""
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    lang: str | None = None
    strict: bool | None = None
    conventions: tuple[str, ...] = ()
    baseline: str | None = None
    places: Mapping[str, Place] = field(default_factory=lambda: MappingProxyType({}))


def habits_of(path: str) -> Habits:
    """The habits for a file or a folder. Raises SymattnError for a file of habits that cannot be used."""
    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path) or ".")
    return _above(folder, os.getcwd())


def forget() -> None:
    """Read files of habits again when they are next asked for."""
    _above.cache_clear()


@cache
def _above(folder: str, here: str) -> Habits:
    above = [Path(folder), *Path(folder).parents]
    root = next((each for each in above if (each / ".git").exists()), None)
    last = root or (Path(here) if Path(here) in above else Path(folder))
    for each in above[: above.index(last) + 1]:
        found = _in(each, here)
        if found is not None:
            return found
    return Habits()


def _in(folder: Path, here: str) -> Habits | None:
    """The habits that one folder holds."""
    for name, table in ((OWN, ()), (SHARED, TABLE)):
        path = folder / name
        if not path.is_file():
            continue
        shown = os.path.relpath(path, here) if path.is_relative_to(here) else str(path)
        try:
            text = text_of(path)
            content: Any = content_of(text)
        except SymattnError as problem:
            raise in_one_line(problem).at(file=shown) from None
        for key in table:
            content = content.get(key) if isinstance(content, dict) else None
        if content is not None:
            return _Reader(shown, Places(text), ".".join(table)).read(content, str(folder))
    return None


def in_one_line(problem: SymattnError) -> SymattnError:
    """The same problem with what would have worked on the same line."""
    found, advice = problem.reason, problem.advice
    if advice.en:
        found = Bilingual(f"{found.en}; {advice.en}", f"{found.zh}；{advice.zh}")
    return type(problem)(found).at(
        file=problem.file, key=problem.key, line=problem.line, column=problem.column
    )


class _Reader(Struct):
    """Reads one table of habits, and refuses with its place what is none."""

    file: str
    places: Places
    table: str

    def read(self, content: object, folder: str) -> Habits:
        if not isinstance(content, dict):
            self._refuse("", content, Bilingual("a table belongs here", "此处应为表"))
        found = Habits(self.file, folder)
        for name, value in content.items():
            reader = KEYS.get(name)
            if reader is None:
                unknown = Bilingual(f"the unknown key {quote(name)}", f"没有 {quote(name)} 这个键")
                self._raise(UnknownKey(unknown, instead(name, KEYS, KNOWN)), name)
            found = replace(found, **{name.replace("-", "_"): reader(self, name, value)})
        places = {name: place for name in content if (place := self._place(name)) is not None}
        return replace(found, places=MappingProxyType(places))

    def texts(self, name: str, value: object) -> tuple[str, ...]:
        """A list of strings, such as patterns."""
        if not isinstance(value, list) or not all(type(each) is str and each for each in value):
            self._refuse(
                name,
                value,
                Bilingual(
                    f'a list of strings belongs here, {name} = ["..."]',
                    f'此处应为字符串的列表，{name} = ["..."]',
                ),
            )
        return tuple(value)

    def path(self, name: str, value: object) -> str:
        """The name of a file."""
        if type(value) is not str or not value:
            self._refuse(name, value, Bilingual("the name of a file belongs here", "此处应为文件名"))
        return value

    def codes(self, name: str, value: object) -> tuple[str, ...]:
        """A list of codes of findings, or of their beginnings."""
        try:
            return checked_selectors(self.texts(name, value), name)
        except SymattnError as problem:
            self._raise(problem, name)

    def codes_by_path(self, name: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """A table of patterns of paths, with the codes that are ignored there."""
        if not isinstance(value, dict):
            self._refuse(
                name,
                value,
                Bilingual(
                    'a table belongs here: {"drafts/*" = ["SA1"]}', '此处应为表：{"drafts/*" = ["SA1"]}'
                ),
            )
        return tuple((pattern, self.codes(joined(name, pattern), codes)) for pattern, codes in value.items())

    def language(self, name: str, value: object) -> str:
        """One of the two languages."""
        if value not in ("en", "zh"):
            self._refuse(name, value, Bilingual('"en" or "zh" belongs here', '此处应为 "en" 或 "zh"'))
        return str(value)

    def switch(self, name: str, value: object) -> bool:
        """true or false."""
        if not isinstance(value, bool):
            self._refuse(name, value, Bilingual("true or false belongs here", "此处应为 true 或 false"))
        return value

    def settings(self, name: str, value: object) -> tuple[str, ...]:
        """A table of conventions, the keys of `[attention]`."""
        if not isinstance(value, dict):
            self._refuse(
                name, value, Bilingual('a table belongs here: {scale = "1"}', '此处应为表：{scale = "1"}')
            )
        said = tuple(f"{key}={_characters(each)}" for key, each in value.items())
        for key, one in zip(value, said, strict=True):
            try:
                overrides([one])
            except SymattnError as problem:
                self._raise(type(problem)(problem.reason, problem.advice), joined(name, key))
        return said

    def _place(self, name: str) -> Place | None:
        path = f"{self.table}.{name}" if self.table and name else name or self.table
        return self.places.of_key(path)

    def _refuse(self, name: str, value: object, wanted: Bilingual) -> Never:
        found = described(value)
        both = Bilingual(f"{wanted.en}, and not {found.en}", f"{wanted.zh}，而不是{found.zh}")
        self._raise(UnusableValue(both), name)

    def _raise(self, problem: SymattnError, name: str) -> Never:
        place = self._place(name)
        line, column = (place.line, place.column) if place else (None, None)
        raise in_one_line(problem).at(file=self.file, key=name or None, line=line, column=column) from None


def _characters(value: object) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(_characters(each) if type(each) is not str else quote(each) for each in value)}]"
    return str(value) if isinstance(value, str | int | Typed) else quote(str(value))


KNOWN = Bilingual("`symattn audit --show-settings` lists them", "`symattn audit --show-settings` 列出全部")
KEYS: Mapping[str, Callable[[_Reader, str, object], Any]] = MappingProxyType(
    {
        "paths": _Reader.texts,
        "exclude": _Reader.texts,
        "ignore": _Reader.codes,
        "per-file-ignores": _Reader.codes_by_path,
        "lang": _Reader.language,
        "strict": _Reader.switch,
        "conventions": _Reader.settings,
        "baseline": _Reader.path,
    }
)
"""How the value of each key is read."""
