"""The characters of a file and what they say as TOML, within limits and with places for what is wrong."""

from __future__ import annotations

import os
import re
import stat
import sys
import tomllib
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from symattn.casefile.every_problem import MOST
from symattn.casefile.file_kinds import STANDARD_INPUT
from symattn.casefile.plain_values import Rewritten, rewritten
from symattn.casefile.tables import Typed
from symattn.casefile.toml_text import hold_to_limits
from symattn.exact.literal import quote
from symattn.text.bilingual import Bilingual, both
from symattn.text.errors import SymattnError, UnreadableFile
from symattn.text.system_errors import why

LARGEST_FILE = 2_000_000
LONGEST_SHOWN = 200
"""So many characters of a line are shown as it should be; of a longer one, only its first value."""


def text_of(path: Path) -> str:
    """The characters of a file, of standard input where it is `-`.

    Raises UnreadableFile where it is missing, too large or no UTF-8 text.
    """
    try:
        piped = str(path) == STANDARD_INPUT
        with nullcontext(sys.stdin.buffer) if piped else path.open("rb") as stream:
            kind = None if piped else os.fstat(stream.fileno())
            if kind is not None and stat.S_ISREG(kind.st_mode) and kind.st_size > LARGEST_FILE:
                raise _too_large(Bilingual(f"{kind.st_size:,} bytes", f"有 {kind.st_size:,} 字节"))
            read_bytes = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        inside = isinstance(problem, IsADirectoryError)
        remedy = (
            Bilingual("name a single file in it", "请指定其中的一个文件")
            if inside
            else Bilingual("check the name and the folder", "请检查文件名和目录")
        )
        raise UnreadableFile(_reason(problem), remedy) from None
    if len(read_bytes) > LARGEST_FILE:
        raise _too_large(Bilingual(f"more than {LARGEST_FILE:,} bytes", f"超过 {LARGEST_FILE:,} 字节"))
    if b"\0" in read_bytes:
        raise UnreadableFile(
            Bilingual(
                "zero bytes, as UTF-16 and files that are no text have them",
                "含有零字节：这是 UTF-16，或者不是文本文件",
            ),
            Bilingual("save the file as UTF-8 text", "请把文件存为 UTF-8 文本"),
        ).at(line=read_bytes.count(b"\n", 0, read_bytes.index(b"\0")) + 1)
    try:
        return read_bytes.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = read_bytes[: problem.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        raise UnreadableFile(
            Bilingual(
                f"the byte 0x{read_bytes[problem.start]:02X}, which is not UTF-8",
                f"字节 0x{read_bytes[problem.start]:02X} 不是 UTF-8",
            ),
            Bilingual("save the file as UTF-8 text", "请把文件存为 UTF-8 文本"),
        ).at(line=before.count(b"\n") + 1, column=column) from None


def _too_large(size: Bilingual) -> UnreadableFile:
    return UnreadableFile(
        Bilingual(f"the file has {size.en}", f"文件{size.zh}"),
        Bilingual(f"at most {LARGEST_FILE:,} bytes are read", f"最多读 {LARGEST_FILE:,} 字节"),
    )


def _reason(problem: OSError | ValueError) -> Bilingual:
    match problem:
        case FileNotFoundError():
            return Bilingual("there is no such file", "没有这个文件")
        case IsADirectoryError():
            return Bilingual("this is a directory", "这是一个目录")
        case PermissionError():
            return Bilingual("the file may not be read", "没有读取这个文件的权限")
        case OSError():
            return Bilingual("the file cannot be read: {why}", "无法读取文件：{why}").format(why=why(problem))
    return Bilingual("the path is not one that a file can have", "文件不可能有这样的路径")


_SAID_BY_TOMLLIB = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_INVALID = Bilingual(
    'numbers are written plainly; words and expressions in quotes: scale = "1/sqrt(d_k)"',
    '数直接写，文字和式子放在引号里：scale = "1/sqrt(d_k)"',
)
_NOTHING = both("")
_CHINESE: Mapping[str, tuple[str, Bilingual]] = {
    "Invalid statement": ("这一行不是键或表", _NOTHING),
    "Invalid value": ("值无效", _INVALID),
    "Invalid value at the end": (
        "值没有写完",
        Bilingual(
            "the file ends before the value does: is a ] or a quotation mark missing?",
            "值还没有写完，文件就结束了：是否缺少 ] 或引号？",
        ),
    ),
    "Invalid date or datetime": ("日期或时间无效", _NOTHING),
    "Invalid hex value": ("十六进制数无效", _NOTHING),
    "Expected newline or end of document after a statement": (
        "一个键值之后还有别的内容",
        Bilingual('expressions are written in quotes: "1/3", "sqrt(2)"', '式子放在引号里："1/3"、"sqrt(2)"'),
    ),
    "Unclosed array": (
        "数组没有结束",
        Bilingual(
            'commas separate entries, and quotes enclose expressions: ["1/3", 2]',
            '元素之间用逗号，式子放在引号里：["1/3", 2]',
        ),
    ),
    "Unclosed inline table": ("行内表没有结束", _NOTHING),
    "Unterminated string": ("字符串没有结束", _NOTHING),
    "Unescaped '\\' in a string": ("字符串中的 \\ 没有转义", _NOTHING),
    "Cannot overwrite a value": ("键重复", Bilingual("a key may be given once", "每个键只能写一次")),
    "Expected '=' after a key in a key/value pair": (
        "键后面应为 =",
        Bilingual('a line is a key, = and a value: title = "..."', '一行由键、= 和值组成：title = "..."'),
    ),
    "Expected ']' at the end of a table declaration": ("表名后面应为 ]", _NOTHING),
    "Expected ']]' at the end of an array declaration": ("表名后面应为 ]]", _NOTHING),
    "Invalid initial character for a key part": ("键不能以这个字符开头", _NOTHING),
}
"""What `tomllib` says, in Chinese, and what would have worked."""
_TWICE = re.compile(r"Cannot declare \((.*)\) twice")
_QUOTED = re.compile(r"'([^']*)'")
_FULL_WIDTH = "“”‘’「」『』，、：；＝［］｛｝（）"


_GIVEN = re.compile(r"^[ \t]*\[[ \t]*given[ \t]*[.\]]", re.MULTILINE)


def is_case(text: str, broken: bool = False) -> bool:
    """Whether TOML names `[given]`, or `[attention]` (positions may be all); `broken` for no TOML."""
    try:
        text = text.removeprefix("\ufeff")
        return _GIVEN.search(text) is not None or not {"given", "attention"}.isdisjoint(content_of(text))
    except SymattnError:
        return broken


def content_of(text: str) -> dict[str, Any]:
    """What the TOML says, floats as `Typed` characters. Raises UnreadableFile or OutOfBounds at a place.

    The error of a line whose values only want quotes has those of later ones as `others`, up to ten in all.
    """
    hold_to_limits(text)
    try:
        return tomllib.loads(text, parse_float=Typed)
    except tomllib.TOMLDecodeError as problem:
        first, *rest = _refusals(problem, text)
        first.others = tuple(rest)
        raise first from None
    except (RecursionError, ValueError) as problem:
        raise UnreadableFile(
            Bilingual(f"not TOML that can be read: {problem}", "无法读取的 TOML：嵌套过深或数过长")
        ) from None


def _refusals(problem: tomllib.TOMLDecodeError, text: str) -> list[SymattnError]:
    """What is wrong with the first line that TOML refuses, and with those after it."""
    found: list[SymattnError] = []
    while len(found) < MOST:
        lines = text.split("\n")
        line, column, said = _place(problem, lines)
        good = rewritten(lines[line - 1])
        after: tomllib.TOMLDecodeError | None = None
        if good is not None:
            lines[line - 1] = good.line
            text = "\n".join(lines)
            try:
                tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                after = error
        if good is None or (after is not None and _place(after, lines)[0] <= line):
            return found or [_refused(said, lines, line, column)]
        found.append(_to_rewrite(good).at(line=line, column=good.column))
        if after is None:
            break
        problem = after
    return found


def _place(problem: tomllib.TOMLDecodeError, lines: list[str]) -> tuple[int, int, str]:
    """The line and the column of which `tomllib` complains, and what it says."""
    placed = _SAID_BY_TOMLLIB.fullmatch(str(problem))
    if placed and placed.group(2):
        return int(placed.group(2)), int(placed.group(3)), placed.group(1)
    return len(lines), len(lines[-1]) + 1, placed.group(1) if placed else str(problem)


def _to_rewrite(good: Rewritten) -> UnreadableFile:
    value = quote(good.before)[1:-1]
    found = Bilingual(f"not TOML: {value} as a value", f"不是有效的 TOML：值 {value}")
    line = good.line.strip()
    if len(line) > LONGEST_SHOWN:
        line = good.after
    return UnreadableFile(found, Bilingual(f"write {line}", f"请写成 {line}"))


def _refused(said: str, lines: list[str], line: int, column: int) -> SymattnError:
    """What `tomllib` says, with its place and with what would have worked."""
    sign = lines[line - 1][column - 1 : column]
    ended = " at the end" if line == len(lines) and not sign else ""
    chinese, remedy = _CHINESE.get(said + ended, _CHINESE.get(said, ("写法有误", _NOTHING)))
    found = Bilingual(f"not TOML: {said[:1].lower()}{said[1:]}", f"不是有效的 TOML：{chinese}")
    if twice := _TWICE.fullmatch(said):
        table = f"[{'.'.join(_QUOTED.findall(twice.group(1)))}]"
        found = Bilingual(f"not TOML: the table {table} once more", f"不是有效的 TOML：表 {table} 重复出现")
        remedy = Bilingual("a table may be given once", "每个表只能写一次")
    if sign and sign in _FULL_WIDTH:
        remedy = Bilingual(
            f"{sign} is no sign of TOML: write \" ' , = [ ] in their plain forms",
            f"TOML 不认识 {sign}：请用半角的 \" ' , = [ ]",
        )
    return UnreadableFile(found, remedy).at(line=line, column=column)
