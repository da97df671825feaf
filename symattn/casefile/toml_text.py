"""TOML as a stream of tokens, in linear time: for the limits before parsing and for positions after.

Only strings, comments and punctuation are told apart. The limits are there because `tomllib` recurses
on nesting, builds every prefix of a dotted key and hands long digits to `int`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, SymattnError, UnreadableFile

MOST_CHARACTERS = 2_000_000
LONGEST_LINE = 1_000_000
DEEPEST = 16
MOST_DOTS = 16
LONGEST_WORD = 200

_TOKEN = re.compile(
    r"""(?P<space>[\x20\t\r]+)
    |(?P<newline>\n)
    |(?P<comment>\#[^\n]*)
    |(?P<string>["'])
    |(?P<punctuation>[][{}=,.])
    |(?P<word>[^\s\[\]{}=,.\#"']+)""",
    re.VERBOSE,
)
# What may end a string, or hide its end. No possessive quantifiers here: before Python 3.11.5 they fail
# on patterns with branches inside.
_STOPS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        '"""': re.compile(r'\\.|"{3}', re.DOTALL),
        "'''": re.compile(r"'{3}"),
        '"': re.compile(r'\\[^\n]|["\n]'),
        "'": re.compile(r"['\n]"),
    }
)


class Token(NamedTuple):
    """A piece of the text; `kind` is newline, string, word, or the punctuation character itself."""

    kind: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """Every token but spaces and comments. Raises UnreadableFile at a string that never ends."""
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise place(_stray(text, position), text, position)
        kind, end = found.lastgroup or "", found.end()
        if kind == "string":
            end = _end_of_string(text, position)
        if kind not in ("space", "comment"):
            yield Token(text[position] if kind == "punctuation" else kind, position, end)
        position = end


def hold_to_limits(text: str) -> None:
    """Raises OutOfBounds, with line and column, for a text that no case needs to be."""
    if len(text) > MOST_CHARACTERS:
        raise UnreadableFile(
            Bilingual(f"the file has {len(text):,} characters", f"文件有 {len(text):,} 个字符"),
            Bilingual(
                f"a case has at most {MOST_CHARACTERS:,} characters", f"算例最多 {MOST_CHARACTERS:,} 个字符"
            ),
        )
    longest = max((len(part) for part in text.split("\n")), default=0)
    if longest > LONGEST_LINE:
        raise OutOfBounds(
            Bilingual(f"a line of {longest:,} characters", f"有一行长达 {longest:,} 个字符"),
            Bilingual(f"at most {LONGEST_LINE:,} are read", f"每行最多读 {LONGEST_LINE:,} 个"),
        )
    depth, dots = 0, 0
    for token in tokens(text):
        if token.kind in ("newline", "=", ","):
            dots = 0
        elif token.kind in "[{":
            depth, dots = depth + 1, 0
            if depth > DEEPEST:
                said = Bilingual(f"brackets nested more than {DEEPEST} deep", f"括号嵌套超过 {DEEPEST} 层")
                raise place(
                    OutOfBounds(
                        said,
                        Bilingual(
                            "a matrix is a list of rows: [[1, 2], [3, 4]]",
                            "矩阵是由行组成的列表：[[1, 2], [3, 4]]",
                        ),
                    ),
                    text,
                    token.start,
                )
        elif token.kind in "]}":
            depth -= 1
        elif token.kind == ".":
            dots += 1
            if dots > MOST_DOTS:
                said = Bilingual(f"a key with more than {MOST_DOTS} dots", f"键中的点超过 {MOST_DOTS} 个")
                raise place(
                    OutOfBounds(
                        said, Bilingual("the keys of a case have at most one", "算例的键最多有一个点")
                    ),
                    text,
                    token.start,
                )
        elif token.kind == "word" and token.end - token.start > LONGEST_WORD:
            said = Bilingual(
                f"a number or key of {token.end - token.start:,} characters",
                f"有一个数或键长达 {token.end - token.start:,} 个字符",
            )
            raise place(
                OutOfBounds(said, Bilingual(f"at most {LONGEST_WORD} are read", f"最多读 {LONGEST_WORD} 个")),
                text,
                token.start,
            )


def place(problem: SymattnError, text: str, position: int) -> SymattnError:
    """The problem with the line and the column of a position, both from 1."""
    line = text.count("\n", 0, position) + 1
    return problem.at(line=line, column=position - text.rfind("\n", 0, position))


def _end_of_string(text: str, start: int) -> int:
    """The position after the closing mark. Raises UnreadableFile at a string that never ends."""
    quote = text[start]
    mark = quote * 3 if text.startswith(quote * 3, start) else quote
    for stop in _STOPS[mark].finditer(text, start + len(mark)):
        if stop.group() == mark:
            end = stop.end()
            for _ in range(2 if len(mark) == 3 else 0):  # up to two quotes may stand before the mark
                end += text.startswith(quote, end)
            return end
        if stop.group() == "\n":
            break
    problem = UnreadableFile(
        Bilingual("a string that never ends", "字符串没有结束"),
        Bilingual(f"close it with {mark}", f"请用 {mark} 结束它"),
    )
    raise place(problem, text, start)


def _stray(text: str, position: int) -> UnreadableFile:
    return UnreadableFile(
        Bilingual(
            f"the character U+{ord(text[position]):04X}, which TOML does not have there",
            f"TOML 在此处不允许字符 U+{ord(text[position]):04X}",
        ),
        Bilingual("remove it", "请删去"),
    )
