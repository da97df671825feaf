"""Workflow commands of GitHub Actions: annotations beside the lines of a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from msgspec import Struct

from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.digest import lines as digest_lines
from symattn.auditor.formats.folded import Folded, folded, follow_words, followers, shortened
from symattn.auditor.formats.items import Item, Options, doubts, items
from symattn.auditor.formats.labels import summary
from symattn.auditor.formats.stream import Outcome, total
from symattn.auditor.report import EQUATION, Judgement, Report
from symattn.text.bilingual import Bilingual
from symattn.text.file_names import shown

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
MOST = 10
"""GitHub shows no more annotations of one step, of each level."""
FIRST = (-(10**9), 0)
"""The rank of a file that could not be used."""
MORE = Bilingual(
    "{shown} of {count} annotations are shown; `symattn audit` lists all findings",
    "{count} 处注解中显示 {shown} 处；`symattn audit` 列出全部结论",
)


class Annotation(Struct, frozen=True):
    """One command and its place in the queue: what more follows from comes first, then what is graver."""

    rank: tuple[int, int]
    command: str


class Piece(Struct, frozen=True):
    """One file: its annotations, the best ones first, how many there are, and its lines of the summary."""

    annotations: tuple[Annotation, ...]
    count: int
    summary: tuple[str, ...]


def piece(path: str, reports: Sequence[Report], options: Options) -> Piece:
    """One annotation for each line, or for each matrix, with what is wrong in it."""
    found: list[Annotation] = []
    lines: list[str] = []
    for report in reports:
        lang = options.language(report)
        several: dict[object, list[Folded]] = {}
        for one in folded(report, items(report, options)):
            several.setdefault(_where(one), []).append(one)
        doubted = [[Folded(item)] for item in doubts(report, options)] if options.doubts else []
        found += [_annotation(path, report, each, lang) for each in (*several.values(), *doubted)]
        lines += [f"{shown(path)}: {line}" for line in digest_lines(report, lang)]
    best = tuple(sorted(found, key=lambda one: one.rank)[:MOST])
    return Piece(best, len(found), tuple(lines))


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """The first annotations of all files, then the summary of them all."""
    lang = options.lang or "en"
    best: list[Annotation] = []
    lines: list[str] = []
    count = printed = unread = 0
    counts: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.problem is not None:
            where = f"file={property_value(shown(PurePath(outcome.path).as_posix()))}"
            command = f"::error {where}::{data_value(outcome.problem[lang])}\n"
            found: Sequence[Annotation] = [Annotation(FIRST, command)]
            count += 1
        else:
            found = outcome.piece.annotations
            count += outcome.piece.count
            lines += outcome.piece.summary
            printed, unread = printed + outcome.printed, unread + outcome.unread
            counts = total(counts, outcome.counts)
        best = sorted([*best, *found], key=lambda one: one.rank)[:MOST]
    yield from (one.command for one in best)
    yield from (f"{_inert(line)}\n" for line in lines)
    if count > len(best):
        yield f"{MORE[lang].format(shown=len(best), count=count)}\n"
    if printed:
        yield f"{summary(printed, unread, counts, 'zh' if lang == 'zh' else 'en')}\n"


def _inert(line: str) -> str:
    """A line that is no workflow command, whatever a file is called."""
    return f" {line}" if line.lstrip().startswith(("::", "##[")) else line


def _where(one: Folded) -> object:
    """The matrix that a number belongs to; the line of what belongs to none."""
    finding, place = one.lead.finding, one.lead.place
    if isinstance(finding, Judgement) and finding.printed.name != EQUATION:
        return finding.printed.name, one.lead.rule.severity
    return place.line if place else one.lead.message, one.lead.rule.severity


def _annotation(path: str, report: Report, several: Sequence[Folded], lang: Lang) -> Annotation:
    first, *more = several
    words = first.lead.message
    if more:
        comma = "；" if lang == "zh" else "; "
        listed = [_short(one.lead, lang) for one in more]
        words += comma + (f"另有 {len(more)} 处：" if lang == "zh" else f"{len(more)} more: ")
        words += shortened(listed, lang)
    following = followers(several)
    if following:
        words += f"{'；' if lang == 'zh' else '; '}{follow_words(following, lang)}"
    level = _LEVELS[first.lead.rule.severity]
    rank = -sum(following.values()), list(_LEVELS).index(first.lead.rule.severity)
    return Annotation(rank, _command(path, first.lead, level, words))


def _short(item: Item, lang: Lang) -> str:
    """`0.57 (0.54)`: the printed number and the right one."""
    if not isinstance(item.finding, Judgement):
        return item.message
    text = item.finding.printed.numeral.text.strip()
    right = item.finding.expected or "?"
    return f"{text}（应为 {right}）" if lang == "zh" else f"{text} (right: {right})"


def _command(path: str, item: Item, level: str, words: str) -> str:
    properties = {"file": shown(PurePath(path).as_posix())}
    if item.place is not None:
        column = item.place.column
        properties |= {"line": str(item.place.line), "col": str(column)}
        properties["endColumn"] = str(column + item.length)
    properties["title"] = f"{item.rule.code} {item.rule.name}"
    listed = ",".join(f"{name}={property_value(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{data_value(words)}\n"


def data_value(words: str) -> str:
    """Words as the data of a command: what would end the line or escape is spelled out."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def property_value(words: str) -> str:
    """Words as a property of a command, where colons and commas separate too."""
    return data_value(words).replace(":", "%3A").replace(",", "%2C")
