"""A TOML table read against its keys: unknown keys, wrong kinds and missing ones are refused by path."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Never

from symattn.attention.keys import Key
from symattn.casefile.locate import joined
from symattn.casefile.misplaced_keys import elsewhere
from symattn.exact.literal import quote
from symattn.text.bilingual import Bilingual, Count, both
from symattn.text.errors import SymattnError, UnknownKey, UnusableValue
from symattn.text.suggest import instead

LONGEST_WORDS = 10_000


class Typed(str):
    """The characters of a TOML float, so that `1.10` keeps its two decimals."""

    __slots__ = ()


class Table:
    """One table: its content, its path in the file, and what it may hold."""

    def __init__(self, content: object, path: str, keys: Sequence[Key]) -> None:
        if not isinstance(content, dict):
            refuse(
                path,
                misplaced(content, Bilingual("a table", "表")),
                Bilingual(f"write it as a table, [{path}]", f"请写成表：[{path}]"),
            )
        self.content = content
        self.path = path
        self.keys = {key.name: key for key in keys}
        for name in content:
            if name not in self.keys:
                raise self._unknown(name)
        for key in keys:
            if key.required and key.name not in content:
                refuse(
                    path,
                    Bilingual(f"{key.name} is missing", f"缺少 {key.name}"),
                    Bilingual(f"add {key.name}: {key.meaning}", f"请补上 {key.name}"),
                )

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
                misplaced(value, WHOLE_NUMBER),
                Bilingual(
                    f"write digits alone, such as {name} = {least}", f"请只写数字，例如 {name} = {least}"
                ),
            )
        if not least <= value <= most:
            refuse(
                self.path_of(name),
                Bilingual("{value} is out of range", "{value} 超出范围").format(value=described(value)),
                Bilingual(
                    f"{name} is a whole number from {least} to {most:,}",
                    f"{name} 应为 {least} 到 {most:,} 的整数",
                ),
            )
        return value

    def switch(self, name: str) -> bool:
        """true or false; false where the key is absent."""
        value = self.content.get(name, False)
        if not isinstance(value, bool):
            refuse(
                self.path_of(name),
                misplaced(value, Bilingual("true or false", " true 或 false")),
                Bilingual(f"write {name} = true", f"请写 {name} = true"),
            )
        return value

    def _unknown(self, name: str) -> SymattnError:
        listing = Bilingual("`symattn schema` lists all keys", "`symattn schema` 列出全部键")
        found = Bilingual(f"the unknown key {quote(name)}", f"没有 {quote(name)} 这个键")
        remedy = elsewhere(name, self.path, self.keys) or instead(name, self.keys, listing)
        return UnknownKey(found, remedy).at(key=self.path_of(name))


def plain_words(value: object, path: str, several_lines: bool = False) -> str:
    """A string without control characters. Raises UnusableValue."""
    if not isinstance(value, str) or isinstance(value, Typed):
        refuse(
            path,
            misplaced(value, Bilingual("words", "文字")),
            Bilingual("put them between quotation marks", "请放在引号里"),
        )
    if len(value) > LONGEST_WORDS:
        refuse(
            path,
            Bilingual(f"{len(value):,} characters", f"有 {len(value):,} 个字符"),
            Bilingual(f"at most {LONGEST_WORDS:,} are read", f"最多读 {LONGEST_WORDS:,} 个"),
        )
    for character in value:
        if unicodedata.category(character) in ("Cc", "Zl", "Zp") and not (
            several_lines and character in "\n\t"
        ):
            refuse(
                path,
                Bilingual(
                    f"the control character U+{ord(character):04X}",
                    f"含有控制字符 U+{ord(character):04X}",
                ),
                Bilingual("write the words on one line, without it", "请去掉它，把文字写在一行里"),
            )
    return value


def chosen(value: object, key: Key, path: str) -> str:
    """One of the words of a key with choices. Raises UnusableValue."""
    if not isinstance(value, str):
        mask = Bilingual(", or a matrix of 0 and 1", "，或由 0 和 1 组成的矩阵")
        choices = Bilingual(f"one of: {', '.join(key.choices)}", f"可用：{'、'.join(key.choices)}")
        refuse(
            path,
            misplaced(value, Bilingual("one word", "一个词")),
            Bilingual(choices.en + mask.en, choices.zh + mask.zh) if key.kind == "mask" else choices,
        )
    if value not in key.choices:
        listing = Bilingual("`symattn schema` lists all values", "`symattn schema` 列出全部取值")
        found = Bilingual(f"the value {quote(value)} is unknown", f"没有 {quote(value)} 这个取值")
        refuse(path, found, instead(value, key.choices, listing))
    return value


def listed(value: object, path: str, remedy: Bilingual) -> list[object]:
    """A list. Raises UnusableValue."""
    if not isinstance(value, list):
        refuse(path, misplaced(value, Bilingual("a list", "列表")), remedy)
    return value


WHOLE_NUMBER = Bilingual("a whole number", "整数")


def misplaced(value: object, wanted: Bilingual) -> Bilingual:
    """What a value is, and what belongs in its place."""
    verb = "belong" if wanted.en == "words" else "belongs"
    return Bilingual(f"{{value}} where {{wanted}} {verb}", "此处应为{wanted}，却是{value}").format(
        value=described(value), wanted=wanted
    )


def described(value: object) -> Bilingual:
    """What a value is, for a message: `the number 3`, `a list of 2 entries`, `the words "abc"`."""
    match value:
        case bool():
            return both(str(value).lower())
        case Typed() | int():
            if isinstance(value, int) and abs(value) >= 10**40:
                return Bilingual("the number with too many digits", "位数过多的数")
            return Bilingual(f"the number {str(value)[:60]}", f"数 {str(value)[:60]}")
        case "":
            return Bilingual("an empty string", "空字符串")
        case str():
            return Bilingual(f"the words {quote(value)}", f"文字 {quote(value)}")
        case []:
            return Bilingual("an empty list", "空列表")
        case list():
            return Bilingual(f"a list of {Count(len(value)):entry/entries}", f"有 {len(value)} 个元素的列表")
        case dict():
            return Bilingual("a table", "表")
        case _:
            return Bilingual(f"the date or time {value}", f"日期或时间 {value}")


def refuse(path: str, found: Bilingual, remedy: Bilingual) -> Never:
    """Raises UnusableValue at the path."""
    raise UnusableValue(found, remedy).at(key=path)
