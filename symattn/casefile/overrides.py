"""Conventions given by option, over what a case says: `--set scale=1 --set weights=transposed`.

The keys are those of `[attention]` in a case, and their values what a case would say there; why there
is one option and not one a key is told in docs/decisions/0004-one-option-for-conventions.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.attention.case import Case, Settings
from symattn.attention.keys import Key
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import Remark
from symattn.casefile.conventions import settings
from symattn.casefile.keys import ATTENTION
from symattn.casefile.tables import Table
from symattn.casefile.toml_file import content_of
from symattn.exact.literal import quote
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnusableValue

_KEYS = {key.name: key for key in ATTENTION}
_EXAMPLE = Bilingual(
    "write KEY=VALUE, such as scale=1 or weights=transposed",
    "请写成 KEY=VALUE，例如 scale=1 或 weights=transposed",
)


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


class Overrides(Struct, frozen=True):
    """What options say: the characters of each value by its key, and what they mean."""

    said: Mapping[str, str] = field(default_factory=_nothing)
    settings: Settings = field(default_factory=Settings)
    usual: frozenset[str] = frozenset()
    """Those of them that are habits, and yield to what a case declares."""

    @property
    def asked(self) -> bool:
        """Whether any of them is asked for, and no mere habit."""
        return bool(self.said.keys() - self.usual)

    def for_case(self, case: Case) -> Overrides:
        """Without the habits that the case declares otherwise, or that its own steps leave no room for."""
        declared = {
            key for key in self.usual if case.program is not None or f"attention.{key}" in case.places
        }
        said = {key: words for key, words in self.said.items() if key not in declared}
        return replace(self, said=MappingProxyType(said))

    def __contains__(self, key: object) -> bool:
        return key in self.said

    def over(self, found: Settings) -> Settings:
        """The settings of a case, with those that an option gives, which no printed number overrules."""
        settings = replace(found, **{name: getattr(self.settings, name) for name in self.said})
        return settings.leaving_open(self.said.keys())


def by_option(given: Overrides) -> Iterator[Remark]:
    """The conventions that options give, as one remark."""
    if given.said:
        said = "; ".join(f"{key} = {value}" for key, value in given.said.items())
        yield Remark(Finding.CONVENTION_GIVEN, "correct", {"conventions": said})


def overrides(options: Sequence[str], usual: Sequence[str] = ()) -> Overrides:
    """What `--set KEY=VALUE`, given once a key, says, and for other keys what is usual.

    Raises UnknownKey or UnusableValue.
    """
    keys = {option.partition("=")[0].strip() for option in options}
    habits = [each for each in usual if each.partition("=")[0] not in keys]
    found = _overrides([*options, *habits])
    return replace(found, usual=frozenset(each.partition("=")[0] for each in habits))


def _overrides(options: Sequence[str]) -> Overrides:
    said: dict[str, str] = {}
    content: dict[str, object] = {}
    try:
        for option in options:
            name, equals, text = (part.strip() for part in option.partition("="))
            if not equals or not name or not text:
                raise UnusableValue(
                    Bilingual(
                        f"{quote(option)} where a key and a value belong",
                        f"此处应为键和值，却是 {quote(option)}",
                    ),
                    _EXAMPLE,
                )
            if name in said:
                raise UnusableValue(
                    Bilingual(f"{name} for the second time", f"{name} 给了两次"),
                    Bilingual("give each key once", "每个键只给一次"),
                )
            said[name] = text
            content[name] = _typed(_KEYS[name], text) if name in _KEYS else text
        table = Table(content, "", tuple(_KEYS.values()))
        return Overrides(MappingProxyType(said), settings(table, {}))
    except SymattnError as problem:
        problem.line = problem.column = None
        raise problem.at(file="--set") from None


def _typed(key: Key, text: str) -> object:
    """The value as TOML has it: lists and whole numbers bare, everything else a string."""
    if text.startswith("[") or (key.kind == "integer" and text.isdecimal()):
        return content_of(f"value = {text}")["value"]
    return text
