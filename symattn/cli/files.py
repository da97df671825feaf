"""Which files are read: those that are named, and what the folders that are named hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from symattn.casefile.file_kinds import HABITS as OWN
from symattn.casefile.file_kinds import KINDS
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnreadableFile
from symattn.text.system_errors import why

ENDS = (".toml", *KINDS)
"""How the names of files end that audit reads: cases and documents."""
NEVER = (".*", "node_modules", "__pycache__", "__pypackages__", "site-packages", "_build")
"""Folders that hold no notes of their author, and are left out wherever they are found."""
VIRTUAL = "pyvenv.cfg"
"""The file that makes a folder a virtual environment (PEP 405), whatever its name."""


class Found(Struct):
    """What paths come to: files to read, folders that cannot be listed, and files passed over, by reason."""

    files: list[str] = field(default_factory=list)
    unlisted: list[tuple[str, Bilingual]] = field(default_factory=list)
    no_case: list[str] = field(default_factory=list)
    no_file: list[str] = field(default_factory=list)


def find(paths: Iterable[str], exclude: Sequence[str] = (), ends: Sequence[str] = ENDS) -> Found:
    """The files, each once: a folder stands for the files in it with these ends, sorted.

    `exclude` are patterns for the names or paths of what is left out. In a folder, what is not a regular file
    and what is TOML but no case is passed over. Raises UnreadableFile for a folder without any such file.
    """
    found, seen = Found(), set()
    for path in paths:
        if excluded(path, exclude):
            continue
        inside = [path]
        if os.path.isdir(path):
            inside = list(_inside(path, exclude, ends, found))
            if not inside and path not in [folder for folder, _ in found.unlisted]:
                raise UnreadableFile(
                    Bilingual(f"{path} contains no file that can be read", f"{path} 中没有可以读的文件"),
                    Bilingual(
                        f"in a folder, files that end in {', '.join(ends)} are read",
                        f"文件夹中可读的文件后缀是 {'、'.join(ends)}",
                    ),
                ).at(file=path)
        for file in inside:
            real = os.path.realpath(file)
            if real not in seen:
                seen.add(real)
                found.files.append(file)
    return found


def _inside(folder: str, exclude: Sequence[str], ends: Sequence[str], found: Found) -> Iterator[str]:
    def unlisted(error: OSError) -> None:
        found.unlisted.append((str(error.filename), why(error)))

    for here, folders, names in os.walk(folder, onerror=unlisted):
        folders[:] = sorted(
            name
            for name in folders
            if not _matches(name, NEVER)
            and not excluded(os.path.join(here, name), exclude, folder)
            and not os.path.isfile(os.path.join(here, name, VIRTUAL))
        )
        for name in sorted(names):
            path = os.path.join(here, name)
            if Path(name).suffix.lower() not in ends or name == OWN or excluded(path, exclude, folder):
                continue
            if not os.path.isfile(path):
                found.no_file.append(path)
            elif name.lower().endswith(".toml") and not _is_case(path):
                found.no_case.append(path)
            else:
                yield path


def excluded(path: str, exclude: Sequence[str], folder: str = "") -> bool:
    """Whether a pattern names a path, its last part, or one of the folders in it."""
    if not exclude:
        return False
    patterns = [_plain(pattern) for pattern in exclude]
    plain = _plain(path)
    above = [] if os.path.isabs(path) or folder else [*map(str, PurePosixPath(plain).parents)]
    inside = [_plain(os.path.relpath(path, folder))] if folder else []
    names = [each for whole in (plain, *above, *inside) for each in (whole, whole.rpartition("/")[2])]
    return any(_matches(name, patterns) for name in names)


def _plain(path: str) -> str:
    return os.path.normpath(path).replace(os.sep, "/")


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _is_case(path: str) -> bool:
    """Whether TOML is a case; what is broken may be."""
    from symattn.casefile.toml_file import is_case, text_of

    try:
        return is_case(text_of(Path(path)), broken=True)
    except SymattnError:
        return True
