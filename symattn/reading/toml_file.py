"""The characters of a file and what they say as TOML, within limits and with places for what is wrong."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symattn.errors import SymattnError, UnreadableFile
from symattn.reading.tables import Typed
from symattn.reading.toml_text import hold_to_limits

LARGEST_FILE = 2_000_000


def text_of(path: Path) -> str:
    """The characters of a file. Raises UnreadableFile where it is missing, too large or no UTF-8 text."""
    try:
        with path.open("rb") as stream:
            kind = os.fstat(stream.fileno())
            if stat.S_ISREG(kind.st_mode) and kind.st_size > LARGEST_FILE:
                raise _too_large(f"{kind.st_size:,} bytes")
            read_bytes = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        inside = isinstance(problem, IsADirectoryError)
        remedy = "name a single file in it" if inside else "check the name and the folder"
        raise UnreadableFile(_reason(problem), remedy) from None
    if len(read_bytes) > LARGEST_FILE:
        raise _too_large(f"more than {LARGEST_FILE:,} bytes")
    if b"\0" in read_bytes:
        raise UnreadableFile(
            "zero bytes, as UTF-16 and files that are no text have them", "save the file as UTF-8 text"
        ).at(line=read_bytes.count(b"\n", 0, read_bytes.index(b"\0")) + 1)
    try:
        return read_bytes.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = read_bytes[: problem.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        raise UnreadableFile(
            f"the byte 0x{read_bytes[problem.start]:02X}, which is not UTF-8", "save the file as UTF-8 text"
        ).at(line=before.count(b"\n") + 1, column=column) from None


def _too_large(size: str) -> UnreadableFile:
    return UnreadableFile(f"the file has {size}", f"at most {LARGEST_FILE:,} bytes are read")


def _reason(problem: OSError | ValueError) -> str:
    match problem:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "this is a directory"
        case PermissionError():
            return "the file may not be read"
        case OSError():
            return f"the file cannot be read: {problem.strerror}"
    return "the path is not one that a file can have"


_SAID_BY_TOMLLIB = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_REMEDIES: Mapping[str, str] = {
    "Invalid value": 'numbers stand plain; words and expressions stand in quotes: scale = "1/sqrt(d_k)"',
    "Expected newline or end of document after a statement": 'expressions stand in quotes: "1/3", "sqrt(2)"',
    "Unclosed array": 'commas stand between entries, quotes around expressions: ["1/3", 2]',
    "Invalid value at the end": "the file ends before the value does: is a ] or a quotation mark missing?",
    "Cannot overwrite a value": "a key may be given once",
    "Expected '=' after a key in a key/value pair": 'a line is a key, = and a value: title = "..."',
}
_TWICE = re.compile(r"Cannot declare \((.*)\) twice")
_QUOTED = re.compile(r"'([^']*)'")
_FULL_WIDTH = "“”‘’「」『』，、：；＝［］｛｝（）"


def content_of(text: str) -> dict[str, Any]:
    """What the TOML says, floats as `Typed` characters. Raises UnreadableFile or OutOfBounds at a place."""
    hold_to_limits(text)
    try:
        return tomllib.loads(text, parse_float=Typed)
    except tomllib.TOMLDecodeError as problem:
        raise _refused(str(problem), text) from None
    except (RecursionError, ValueError) as problem:
        raise UnreadableFile(f"not TOML that can be read: {problem}") from None


def _refused(problem: str, text: str) -> SymattnError:
    """What `tomllib` says, with its place and with what would have worked."""
    lines = text.split("\n")
    found = _SAID_BY_TOMLLIB.fullmatch(problem)
    said = found.group(1) if found else problem
    line, column = len(lines), len(lines[-1]) + 1
    if found and found.group(2):
        line, column = int(found.group(2)), int(found.group(3))
    sign = lines[line - 1][column - 1 : column]
    ended = " at the end" if line == len(lines) and not sign else ""
    remedy = _REMEDIES.get(said + ended, _REMEDIES.get(said, ""))
    if twice := _TWICE.fullmatch(said):
        said = f"the table [{'.'.join(_QUOTED.findall(twice.group(1)))}] once more"
        remedy = "a table may be given once"
    if sign and sign in _FULL_WIDTH:
        remedy = f"{sign} is no sign of TOML: write \" ' , = [ ] in their plain forms"
    return UnreadableFile(f"not TOML: {said[:1].lower()}{said[1:]}", remedy).at(line=line, column=column)
