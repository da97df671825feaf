"""The settings of an audit: what the command line says, and for the rest the habits of each file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from symattn.cli.baseline import Baseline, read
from symattn.cli.files import excluded

if TYPE_CHECKING:
    from symattn.auditor.formats.items import Options
    from symattn.casefile.habits import Habits


class Said(Struct, frozen=True):
    """Which settings the command line gives, which no file of habits overrules."""

    names: frozenset[str] = frozenset()

    def options(self, options: Options, path: str) -> Options:
        """The options for a file."""
        from symattn.casefile.habits import habits_of

        habits = habits_of(path)
        if habits.file is None:
            return options
        if habits.strict is not None and "strict" not in self.names:
            options = replace(options, strict=habits.strict)
        if habits.lang is not None and "lang" not in self.names:
            options = replace(options, lang="zh" if habits.lang == "zh" else "en")
        ignored = options.ignore if "ignore" in self.names else habits.ignore
        for pattern, codes in habits.per_file_ignores:
            ignored += codes if excluded(_inside(path, habits), (pattern,)) else ()
        return replace(options, ignore=ignored)

    def left(self, files: Iterable[str]) -> list[str]:
        """The files that no habit excludes. Raises SymattnError for habits that cannot be used."""
        from symattn.casefile.habits import habits_of

        each = [(path, habits_of(path)) for path in files]
        if "exclude" in self.names:
            return [path for path, _ in each]
        return [path for path, habits in each if not excluded(_inside(path, habits), habits.exclude)]


def conventions_for(path: str) -> tuple[str, ...]:
    """The usual conventions for a file, as `--set` takes them."""
    from symattn.casefile.habits import habits_of

    return habits_of(path).conventions


def baseline_for(path: str) -> Baseline | None:
    """The usual baseline of a file. Raises SymattnError for one that cannot be used."""
    from symattn.casefile.habits import habits_of

    habits = habits_of(path)
    return _read(os.path.join(habits.folder, habits.baseline)) if habits.baseline else None


_read = cache(read)


def usual_paths() -> tuple[str, ...]:
    """The paths that the habits of the working directory name, as seen from there."""
    from symattn.casefile.habits import forget, habits_of

    forget()
    _read.cache_clear()
    habits = habits_of(".")
    return tuple(os.path.relpath(os.path.join(habits.folder, path)) for path in habits.paths)


def _inside(path: str, habits: Habits) -> str:
    """A path as the file of habits has it."""
    return os.path.relpath(os.path.abspath(path), habits.folder) if habits.folder else path


def shown(
    said: Said,
    options: Options,
    given: Sequence[str],
    paths: Sequence[str],
    exclude: Sequence[str],
    baseline: str | None = None,
) -> str:
    """The settings in force as TOML, each with where it comes from; a part for each file of habits."""
    from symattn.casefile.habits import habits_of

    several: dict[str | None, Habits] = {}
    for path in paths or (".",):
        habits = habits_of(path)
        several.setdefault(habits.file, habits)
    return "\n".join(
        "".join(_lines(said, options, given, exclude, habits, baseline)) for habits in several.values()
    )


def _lines(
    said: Said,
    options: Options,
    given: Sequence[str],
    exclude: Sequence[str],
    habits: Habits,
    baseline: str | None,
) -> Iterator[str]:
    usual = dict(each.split("=", 1) for each in habits.conventions)
    asked = {key.strip(): value.strip() for key, _, value in (each.partition("=") for each in given)}
    table: dict[str, tuple[object, object]] = {  # by habit, by the command line
        "paths": (habits.paths, ()),
        "exclude": (habits.exclude, exclude),
        "ignore": (habits.ignore, options.ignore),
        "per-file-ignores": (dict(habits.per_file_ignores), {}),
        "lang": (habits.lang, options.lang),
        "strict": (bool(habits.strict), options.strict),
        "conventions": (usual, usual | asked),
        "baseline": (habits.baseline, baseline),
    }
    for name, (habit, command) in table.items():
        place = habits.places.get(name)
        sources = [f"{habits.file}:{place.line}"] if place else []
        if name in said.names:
            option = "--set" if name == "conventions" else f"--{name}"
            sources = [option, *sources] if name == "conventions" else [option]
        value = command if name in said.names else habit
        if value is not None:
            source = f"  # {', '.join(sources)}" if sources else ""
            yield f"{name} = {_toml(value)}{source}\n"


def _toml(value: object) -> str:
    """A value as TOML: strings, lists, tables, and true or false."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_toml(key)} = {_toml(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
