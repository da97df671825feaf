"""The lines of an audited text as HTML, each printed number marked by a colour and a sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from symattn.attention.case import Place
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.items import Item, Options, items
from symattn.auditor.formats.listing import ROLES
from symattn.auditor.messages import VERDICT_WORDS, cell, message, right_value, root_words, unread_message
from symattn.auditor.report import Judgement, Remark, Report, Unread
from symattn.text.bilingual import Bilingual
from symattn.typeset.cjk import plain
from symattn.typeset.mathml import escaped
from symattn.typeset.roles import SIGNS

CONTEXT: Final = 3
"""So many lines before and after a mark are shown; longer stretches without one are folded."""
FEWEST_FOLDED: Final = 8
LONGEST: Final = 1000
"""From how many characters on a stretch without a mark is folded, as the images of notebooks are."""

_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "slip": SIGNS["slip"].verdict,
        "carried": SIGNS["carried"].verdict,
        "undecided": SIGNS["undecided"].verdict,
        "rounding": SIGNS["rounding"].verdict,
        "quiet": "–",
        "right": SIGNS["right"].verdict,
        "none": "·",
    }
)
"""The sign of each role, the gravest first."""
_GRAVEST = tuple(_SIGNS)
_WORDS: Mapping[str, Bilingual] = MappingProxyType(
    {
        "slip": VERDICT_WORDS["slip"],
        "carried": VERDICT_WORDS["carried"],
        "undecided": VERDICT_WORDS["undecided"],
        "rounding": VERDICT_WORDS["rounding"],
        "quiet": Bilingual("not reported", "不报告"),
        "right": VERDICT_WORDS["correct"],
        "none": Bilingual("no verdict", "无结论"),
    }
)
_HOW = Bilingual(
    "A marked number opens to its right value; ↪ leads to the slip that a number follows from.",
    "点开有标记的数可看正确值；↪ 指向引起它的差错。",
)
_FROM = Bilingual("from {root}", "源于 {root}")
_LINES = Bilingual("lines {first}–{last}", "第 {first}–{last} 行")
_CHARACTERS = Bilingual("… {count} characters", "…… {count} 个字符")


class Mark(Struct, frozen=True):
    """A printed number or the place of a false statement: its characters, its role, what is said of
    it, and the mark that it leads to."""

    place: Place
    text: str
    role: str
    words: str
    root: str = ""
    root_words: str = ""


def marks_of(reports: Sequence[Report], options: Options, file: str) -> Mapping[Place, Mark]:
    """A mark for each printed number that has a place; of several verdicts on one the gravest."""
    found: dict[Place, Mark] = {}
    for report in reports:
        marks = [_judged(report, one, options, file) for one in report.judgements]
        marks += [_unread(one, options.language(report)) for one in report.unread]
        marks += [_remark(item) for item in items(report, options)]
        for mark in marks:
            if mark is not None:
                other = found.get(mark.place, mark)
                found[mark.place] = min(other, mark, key=lambda each: _GRAVEST.index(each.role))
    return found


def _judged(report: Report, judged: Judgement, options: Options, file: str) -> Mark | None:
    place, lang = judged.printed.place, options.language(report)
    if place is None:
        return None
    text, colon = judged.printed.numeral.text.strip(), "：" if lang == "zh" else ": "
    if judged.code is None and judged.suppressed is None:
        words = f"{cell(judged.printed, lang)}{colon}{VERDICT_WORDS[judged.verdict][lang]}"
        return Mark(place, text, ROLES[judged.verdict], words)
    if judged.code is None or not options.chosen(judged.code):
        why = judged.suppressed or _WORDS["quiet"][lang]
        return Mark(place, text, "quiet", f"{right_value(judged, lang)}{colon}{why}")
    root = report.judgements[judged.root].printed.place if judged.root is not None else None
    if judged.verdict != "carried" or judged.root is None or root is None or root == place:
        return Mark(place, text, ROLES[judged.verdict], f"{judged.code} {message(report, judged, lang)}")
    told = _FROM.format(root=root_words(report, judged.root, lang))[lang]
    words = f"{judged.code} {message(report, judged, lang)}"
    return Mark(place, text, "carried", words, mark_id(file, root), told)


def _unread(unread: Unread, lang: Lang) -> Mark | None:
    if unread.place is None:
        return None
    role = "undecided" if unread.code == Finding.DOUBT else "none"
    return Mark(unread.place, unread.text, role, f"{unread.code} {unread_message(unread, lang)}")


def _remark(item: Item) -> Mark | None:
    """A mark where a sentence or a shape is wrong; it has no characters but those that a fix would change."""
    finding = item.finding
    if not isinstance(finding, Remark) or finding.place is None or ROLES[finding.verdict] == "right":
        return None
    text = next((printed for at, printed, _ in finding.instead if at == finding.place), "")
    return Mark(finding.place, text, ROLES[finding.verdict], f"{finding.code} {item.message}")


def mark_id(file: str, place: Place) -> str:
    """The name of a mark on its page."""
    return f"{file}-{place.line}-{place.column}"


def lines(text: str, marks: Mapping[Place, Mark], file: str, lang: Lang) -> Iterator[str]:
    """The lines of a text; long stretches without a mark are folded."""
    by_line: dict[int, list[Mark]] = {}
    for mark in sorted(marks.values(), key=lambda each: each.place):
        by_line.setdefault(mark.place.line, []).append(mark)
    shown = {at for line in by_line for at in range(line - CONTEXT, line + CONTEXT + 1)}
    source = [line.rstrip("\r") for line in text.split("\n")]
    written = [(at, _line(at, line, by_line.get(at, ()), file, lang)) for at, line in enumerate(source, 1)]
    for near, stretch in groupby(written, key=lambda each: each[0] in shown):
        numbers, parts = zip(*stretch, strict=True)
        if near or len(parts) < FEWEST_FOLDED:
            yield from parts
            continue
        said = _LINES.format(first=numbers[0], last=numbers[-1])[lang]
        yield "\n".join((f'<details class="fold"><summary>{said}</summary>', *parts, "</details>"))


def _line(at: int, line: str, marks: Sequence[Mark], file: str, lang: Lang) -> str:
    parts, end = [], 0
    for mark in marks:
        start, after = _extent(mark, line)
        if end <= start <= after:
            parts += [_words(line[end:start], lang), _mark(mark, line[start:after], file)]
            end = after
    parts.append(_words(line[end:], lang))
    return f'<div class="line"><span class="no">{at}</span><span class="said">{"".join(parts)}</span></div>'


def _extent(mark: Mark, line: str) -> tuple[int, int]:
    """Where a number begins and ends on its line: a sign is before its place, a quote of TOML behind it."""
    at = mark.place.column - 1
    for text in (mark.text, mark.text.lstrip("-−")):
        start = line.find(text, max(at - 1, 0), at + len(text) + 1)
        if text and start >= 0:
            return start, start + len(text)
    return at, min(at + len(mark.text), len(line))


def _mark(mark: Mark, printed: str, file: str) -> str:
    at, words = mark_id(file, mark.place), escaped(plain(mark.words))
    number = f'<span class="printed">{_escaped(printed)}</span>'
    sign = f'<span class="sign">{_SIGNS[mark.role]}</span>'
    if mark.role == "right":
        return f'<span class="n right" id="{at}" title="{words}">{number}{sign}</span>'
    link = ""
    if mark.root:
        title, sign = escaped(plain(mark.root_words)), ""
        said = f'title="{title}" aria-label="{title}"'
        link = f'<a class="sign" href="#{mark.root}" {said}>{_SIGNS[mark.role]}</a>'
    summary = f'<summary title="{words}">{number}{sign}</summary>'
    return (
        f'{link}<details class="n {mark.role}" id="{at}">{summary}<span class="why">{words}</span></details>'
    )


def _words(words: str, lang: Lang) -> str:
    if len(words) <= LONGEST:
        return _escaped(words)
    few, rest = words[: LONGEST // 5], words[LONGEST // 5 :]
    said = _CHARACTERS.format(count=len(rest))[lang]
    return f'{_escaped(few)}<details class="fold"><summary>{said}</summary>{_escaped(rest)}</details>'


def _escaped(words: str) -> str:
    return escaped(words.replace("\t", "    "))


def legend(lang: Lang) -> str:
    """The signs and what they mean."""
    signs = (
        f'<li><span class="verdict {role}"><span>{sign}</span> {escaped(_WORDS[role][lang])}</span></li>'
        for role, sign in _SIGNS.items()
    )
    return f'<ul class="marks">{"".join(signs)}</ul>\n<p>{escaped(_HOW[lang])}</p>'
