"""A TOML table read against its keys: unknown keys, wrong kinds and missing ones are refused by path."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Never

from symattn.errors import SymattnError, UnknownKey, UnusableValue
from symattn.exact.literal import quote
from symattn.keys import Key
from symattn.reading.locate import joined
from symattn.suggest import instead

LONGEST_WORDS = 10_000


class Typed(str):
    """The characters of a TOML float, so that `1.10` keeps its two decimals."""

    __slots__ = ()


class Table:
    """One table: its content, its path in the file, and what it may hold."""

    def __init__(self, content: object, path: str, keys: Sequence[Key]) -> None:
        if not isinstance(content, dict):
            refuse(path, f"{told(content)} where a table belongs", f"write it as a table, [{path}]")
        self.content = content
        self.path = path
        self.keys = {key.name: key for key in keys}
        for name in content:
            if name not in self.keys:
                raise self._unknown(name)
        for key in keys:
            if key.required and key.name not in content:
                refuse(path, f"{key.name} is missing", f"add {key.name}: {key.meaning}")

    def __contains__(self, name: str) -> bool:
        return name in self.content

    def __getitem__(self, name: str) -> object:
        return self.content[name]

    def path_of(self, name: str) -> str:
        """The path of a key, as messages and places know it."""
        return joined(self.path, name)

    def words(self, name: str) -> str | None:
        """A string on one line; `lines` allow several. None where the key is absent."""
        if name not in self.content:
            return None
        return plain_words(self.content[name], self.path_of(name), self.keys[name].kind == "lines")

    def choice(self, name: str, default: str) -> str:
        """One of the words that the key knows."""
        if name not in self.content:
            return default
        return chosen(self.content[name], self.keys[name], self.path_of(name))

    def integer(self, name: str) -> int | None:
        """A whole number within what the key allows. None where the key is absent."""
        if name not in self.content:
            return None
        value, least, most = self.content[name], self.keys[name].least, self.keys[name].most
        if isinstance(value, bool) or not isinstance(value, int):
            refuse(
                self.path_of(name),
                f"{told(value)} where a whole number belongs",
                f"write digits alone, such as {name} = {least}",
            )
        if not least <= value <= most:
            refuse(
                self.path_of(name),
                f"{told(value)} is out of range",
                f"{name} is a whole number from {least} to {most:,}",
            )
        return value

    def switch(self, name: str) -> bool:
        """true or false; false where the key is absent."""
        value = self.content.get(name, False)
        if not isinstance(value, bool):
            refuse(self.path_of(name), f"{told(value)} where true or false belongs", f"write {name} = true")
        return value

    def _unknown(self, name: str) -> SymattnError:
        remedy = instead(name, self.keys, "`symattn schema` lists all keys")
        return UnknownKey(f"the unknown key {quote(name)}", remedy).at(key=self.path_of(name))


def plain_words(value: object, path: str, several_lines: bool = False) -> str:
    """A string without control characters. Raises UnusableValue."""
    if not isinstance(value, str) or isinstance(value, Typed):
        refuse(path, f"{told(value)} where words belong", "put them between quotation marks")
    if len(value) > LONGEST_WORDS:
        refuse(path, f"{len(value):,} characters", f"at most {LONGEST_WORDS:,} are read")
    for character in value:
        if unicodedata.category(character) in ("Cc", "Zl", "Zp") and not (
            several_lines and character in "\n\t"
        ):
            refuse(
                path,
                f"the control character U+{ord(character):04X}",
                "write the words on one line, without it",
            )
    return value


def chosen(value: object, key: Key, path: str) -> str:
    """One of the words of a key with choices. Raises UnusableValue."""
    if not isinstance(value, str):
        matrix = ", or a matrix of 0 and 1" if key.kind == "mask" else ""
        refuse(path, f"{told(value)} where one word belongs", f"one of: {', '.join(key.choices)}{matrix}")
    if value not in key.choices:
        remedy = instead(value, key.choices, "`symattn schema` lists all values")
        refuse(path, f"the value {quote(value)} is unknown", remedy)
    return value


def listed(value: object, path: str, remedy: str) -> list[object]:
    """A list. Raises UnusableValue."""
    if not isinstance(value, list):
        refuse(path, f"{told(value)} where a list belongs", remedy)
    return value


def told(value: object) -> str:
    """What a value is, for a message: `the number 3`, `a list of 2 entries`, `the words "abc"`."""
    match value:
        case bool():
            return str(value).lower()
        case Typed() | int():
            text = str(value) if isinstance(value, str) or abs(value) < 10**40 else "with too many digits"
            return f"the number {text[:60]}"
        case str():
            return f"the words {quote(value)}" if value else "an empty string"
        case list():
            return (
                f"a list of {len(value)} {'entry' if len(value) == 1 else 'entries'}"
                if value
                else "an empty list"
            )
        case dict():
            return "a table"
        case _:
            return f"the date or time {value}"


def refuse(path: str, found: str, remedy: str) -> Never:
    """Raises UnusableValue at the path."""
    raise UnusableValue(found, remedy).at(key=path)
