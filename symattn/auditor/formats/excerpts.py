"""A document's findings for a terminal: `file:line:column: code message`, then its line with carets.

Findings on one line share the line; a caret stands under each number, and CJK characters take two columns.
Numbers that are off by rounding only are counted, and listed where they fail (`--strict`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from symattn.attention.case import Place
from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.digest import lines as lines_of
from symattn.auditor.formats.digest import read
from symattn.auditor.formats.folded import (
    Folded,
    UnreadTogether,
    folded,
    follow_words,
    followers,
    shortened,
    unread_together,
)
from symattn.auditor.formats.items import Item, Options, doubts, items
from symattn.auditor.formats.labels import summary
from symattn.auditor.formats.listing import ROLES, causes
from symattn.auditor.formats.objects import reading_lines
from symattn.auditor.formats.stream import total
from symattn.auditor.report import Report
from symattn.text.bilingual import Bilingual
from symattn.text.document import Code, Prose, Verdict
from symattn.text.file_names import shown
from symattn.typeset.ansi import paint, styled
from symattn.typeset.cjk import display_width, plain, visible
from symattn.typeset.text_words import inline as in_a_line

QUIET = (
    Finding.INTERMEDIATE_ROUNDING,
    Finding.HIDDEN_DIGITS,
    Finding.TRUNCATED,
    Finding.EXACT_TIE,
    Finding.TOO_WIDE_TO_DECIDE,
)
"""Findings on single numbers that are counted and not listed, unless they make the audit fail."""
_HOW = {
    False: Bilingual("--strict lists what is off by rounding", "--strict 时列出舍入"),
    True: Bilingual("--doubts lists what is in doubt", "--doubts 时列出存疑的数"),
}
NARROWEST = 40


def excerpts(path: str, reports: Sequence[Report], options: Options) -> str:
    """The findings of one document in the order of its lines, and its count."""
    path = shown(path)
    lines = (reports[0].text or "").split("\n") if reports else []
    found = [(report, list(items(report, options))) for report in reports]
    silent = {code for code in QUIET if not options.fails(code)}
    quiet = Counter(item.rule.code for _, several in found for item in several if item.rule.code in silent)
    doubted = [item for report in reports for item in doubts(report, options)]
    if doubted and not options.doubts:
        quiet[Finding.DOUBT] = len(doubted)
    together = [
        one
        for report, several in found
        for one in folded(report, (item for item in several if item.rule.code not in silent))
    ]
    together += [Folded(item) for item in doubted if options.doubts]
    lang = options.language(reports[0]) if reports else options.lang or "en"
    read_as = (line for report in reports for line in reading_lines(report.objects, lang))
    out = [f"{plain(path)}{line}" for line in read_as] if options.explain else []
    out += [f"{plain(path)}: {line}" for report in reports for line in _digest(report, lang)]
    placed = sorted((one for one in together if one.lead.place), key=lambda one: _at(one.lead))
    for number, on_line in groupby(placed, key=lambda one: _at(one.lead)[0]):
        out += _line(path, number, list(on_line), lines, options, lang)
    out += [f"{plain(path)}: {_headline(one.lead)}" for one in together if one.lead.place is None]
    for report in reports:
        out += [f"{plain(path)}: {_words(sentence)}" for sentence in causes(report, options)]
    unread = [one for report in reports for one in report.unread if one.code != Finding.DOUBT]
    for each in unread_together(unread, lang):
        out.append(f"{plain(path)}{_range(each)}: {styled(each.first.code, 'code')} {plain(each.words)}")
    if quiet:
        out.append(_counted(path, quiet, lang))
    out.append(f"{plain(path)}: {_summary(reports, lang)}")
    return "".join(f"{paint(line, options.colour)}\n" for line in out)


def _digest(report: Report, lang: Lang) -> Iterator[str]:
    """What was read, what became of each quantity, and which are right, where anything is wrong."""
    became = lines_of(report, lang)
    words = read(report, lang)
    if not became or not (words or len(became) > 1):
        return
    if words:
        yield in_a_line(words)
    yield from map(plain, became)


def _range(unread: UnreadTogether) -> str:
    """`:9:52`, or `:5-11` for several."""
    first, last = unread.first.place, unread.last.place
    if first is None or last is None:
        return ""
    return f":{first.line}:{first.column}" if unread.first is unread.last else f":{first.line}-{last.line}"


def _at(item: Item) -> tuple[int, int]:
    assert item.place is not None
    return item.place.line, item.place.column


def _headline(item: Item) -> str:
    role = ROLES[item.finding.verdict]
    return f"{styled(item.rule.code, role)} {plain(item.message)}"


def _line(
    path: str, number: int, several: Sequence[Folded], lines: Sequence[str], options: Options, lang: Lang
) -> Iterator[str]:
    for one in several:
        yield f"{plain(path)}:{number}:{_at(one.lead)[1]}: {_headline(one.lead)}"
    if not 1 <= number <= len(lines):
        return
    gutter = f"{number:>5} | "
    room = max(options.width - len(gutter), NARROWEST)
    line = lines[number - 1].rstrip("\r")
    marks = [(one.lead.place, one.lead.length) for one in several if one.lead.place is not None]
    for part, carets in _windows(line, marks, room):
        yield f"{styled(gutter.rstrip(), 'label')} {part}"
        yield f"{' ' * (len(gutter) - 2)}{styled('|', 'label')} {carets}"
    for words in (words for one in several for words in _more(one, lang)):
        yield f"{' ' * (len(gutter) - 2)}{styled('=', 'label')} {plain(words)}"


def _more(one: Folded, lang: Lang) -> Iterator[str]:
    """On which lines the same number is printed again, and what follows from it."""
    again = [str(line) for line in dict.fromkeys(item.place.line for item in one.again if item.place)]
    if again:
        listed = shortened(again, lang)
        if lang == "zh":
            yield f"又印于第 {listed} 行"
        else:
            yield f"printed again on line{'s' if len(again) > 1 else ''} {listed}"
    if one.follows:
        yield follow_words(followers([one]), lang)


def _windows(line: str, marks: Sequence[tuple[Place, int]], room: int) -> Iterator[tuple[str, str]]:
    """The line with carets under the marked characters; of a long line a part around each cluster of them."""
    longest: dict[int, int] = {}
    for place, length in marks:
        longest[place.column - 1] = max(length, longest.get(place.column - 1, 0))
    waiting = sorted(longest.items())
    while waiting:
        start, end = _window(line, waiting[0], room)
        here = [(at, length) for at, length in waiting if at + length <= end or at == waiting[0][0]]
        waiting = [mark for mark in waiting if mark not in here]
        cut, more = ("…" if start else ""), ("…" if end < len(line) else "")
        carets = ""
        for at, length in here:
            before = display_width(cut + visible(line[start:at]))
            width = display_width(visible(line[at : at + length])) or 1
            if before >= len(carets):
                carets += " " * (before - len(carets)) + "^" * width
        yield f"{cut}{visible(line[start:end])}{more}", carets


def _window(line: str, mark: tuple[int, int], room: int) -> tuple[int, int]:
    """Which characters of a line fit into the room, so that the mark is among them."""
    if display_width(visible(line)) <= room:
        return 0, len(line)
    at, length = mark
    start, end = max(at - 1, 0), min(at + length, len(line))
    width = display_width(visible(line[start:end])) + 2
    while start > 0 and width + display_width(visible(line[start - 1])) <= room // 3:
        start -= 1
        width += display_width(visible(line[start]))
    while end < len(line) and width + display_width(visible(line[end])) <= room:
        width += display_width(visible(line[end]))
        end += 1
    return start, end


def _words(prose: Prose) -> str:
    return "".join(
        part if isinstance(part, str) else _said(part)
        for part in prose
        if isinstance(part, str | Verdict | Code)
    )


def _said(part: Verdict | Code) -> str:
    return styled(plain(part.words), part.role) if isinstance(part, Verdict) else plain(part.words)


def _counted(path: str, quiet: Mapping[Finding, int], lang: Lang) -> str:
    several = [f"{CATALOGUE[code].title[lang]} {code} × {count}" for code, count in sorted(quiet.items())]
    said = [_HOW[code == Finding.DOUBT] for code in sorted(quiet, key=lambda code: code == Finding.DOUBT)]
    options = ("，" if lang == "zh" else ", ").join(dict.fromkeys(each[lang] for each in said))
    if lang == "zh":
        return f"{plain(path)}: 未逐一列出：{'，'.join(several)}（{options}）"
    return f"{plain(path)}: not listed: {', '.join(several)} ({options})"


def _summary(reports: Sequence[Report], lang: Lang) -> str:
    counts: dict[str, int] = {}
    for report in reports:
        counts = total(counts, report.counts)
    printed = sum(report.printed for report in reports)
    return summary(printed, sum(len(report.unread) for report in reports), counts, lang)
