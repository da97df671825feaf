"""Comments that keep findings quiet: `symattn: ignore[SA201] reason` for a line, `off` and `on` for a region.

    <!-- symattn: ignore[SA201] quoted from the first edition -->       Markdown and HTML
    % symattn: ignore[SA2,SA301] quoted from the first edition          LaTeX, plain text
    # symattn: off the wrong table, quoted in order to correct it       TOML, plain text

A comment that stands alone on its line means the next line, any other its own. Without a reason it has no
effect and is itself a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Place
from symattn.auditor.catalogue import CATALOGUE, covers
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import Judgement, Remark, Report

Kind = Literal["markdown", "notebook", "latex", "text", "rst", "org", "asciidoc", "typst", "html", "case"]
"""How a text is written, which decides what a comment looks like in it."""

_HTML, _TEX, _TOML = "<!--", r"(?<!\\)%", r"\#"
_ANY = f"{_HTML}|{_TEX}|{_TOML}"
_MARKS: Mapping[str, str] = MappingProxyType(
    {"markdown": _HTML, "notebook": _HTML, "html": _HTML, "latex": _TEX, "text": _ANY, "case": _TOML}
    | {"rst": rf"{_ANY}|\.\.", "org": _ANY, "asciidoc": f"{_ANY}|//", "typst": f"{_ANY}|//"}
)
_AROUND = re.compile(r'\\n|[\s",>]')
"""What may stand around a comment that is alone on its line, in the JSON of a notebook too."""


class Comment(Struct, frozen=True):
    """One comment: its verb, its codes in capitals, its reason, where it stands and which lines it means."""

    verb: str
    codes: tuple[str, ...]
    reason: str
    place: Place
    lines: range
    said: str

    @property
    def problem(self) -> str | None:
        """Why it has no effect: `reason`, `codes`, `unknown`, or None."""
        if self.verb == "on":
            return None
        if self.verb == "ignore" and not self.codes:
            return "codes"
        if not all(any(covers(code, known) for known in CATALOGUE) for code in self.codes):
            return "unknown"
        return None if re.search(r"\w", self.reason) else "reason"


@cache
def _comment(kind: Kind) -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_MARKS[kind]})[ \t]*symattn[ ]?[:：][ \t]*(?P<verb>ignore|off|on)\b[ \t]*"
        r"(?:\[(?P<codes>[^\]\n]*)\])?[ \t:：]*(?P<reason>(?:(?!-->)[^\n])*)(?:-->)?",
        re.IGNORECASE,
    )


def comments(text: str, kind: Kind) -> Iterator[Comment]:
    """The comments of a text, in order; a region from `off` without `on` goes on to the end of the text."""
    text = text.removeprefix("\ufeff")
    opened: Comment | None = None
    last = text.count("\n") + 1
    line, counted = 1, 0
    for found in _comment(kind).finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        begin = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        around = text[begin : found.start()] + text[found.end() : end if end >= 0 else len(text)]
        codes = tuple(
            code.strip().upper()
            for code in (found["codes"] or "").replace("，", ",").split(",")
            if code.strip()
        )
        verb = found["verb"].lower()
        place = Place(line, found.start() - begin + 1)
        lines = range(line, line + (1 if _AROUND.sub("", around) else 2))
        made = Comment(verb, codes, found["reason"].strip(), place, lines, found[0].strip())
        if verb == "ignore":
            yield made
        elif verb == "off" and opened is None:
            opened = made
        elif verb == "on" and opened is not None:
            yield replace(opened, lines=range(opened.place.line, line + 1))
            opened = None
    if opened is not None:
        yield replace(opened, lines=range(opened.place.line, last + 1))


def blanked(text: str, kind: Kind) -> str:
    """The text as it is to be read: regions that are off, and the comments themselves, are spaces."""
    off = [range_ for comment in comments(text, kind) if (range_ := _region(comment)) is not None]
    if off:
        lines = text.split("\n")
        for region in off:
            for k in region:
                lines[k - 1] = re.sub(r"[^\r\ufeff]", " ", lines[k - 1])
        text = "\n".join(lines)
    return _comment(kind).sub(lambda found: " " * len(found[0]), text)


def _region(comment: Comment) -> range | None:
    return comment.lines if comment.verb == "off" and comment.problem is None else None


def suppressed(text: str, kind: Kind, reports: Sequence[Report], unseen: int = 0) -> tuple[Report, ...]:
    """The reports without the findings that comments of the text keep quiet, and with what these lack.

    `unseen` counts the findings of regions that are off, which were not read at all.
    """
    found = list(comments(text, kind))
    if not found or not reports:
        return tuple(reports)
    used: set[Place] = set()
    told = [_quiet(report, found, used) for report in reports]
    own = [remark for comment in found if (remark := _own(comment, used)) is not None]
    first = told[0]
    told[0] = replace(first, remarks=(*first.remarks, *own), suppressed=first.suppressed + unseen)
    return tuple(told)


def _quiet(report: Report, found: Sequence[Comment], used: set[Place]) -> Report:
    judgements = tuple(_hushed(judged, found, used) for judged in report.judgements)
    remarks = tuple(
        remark for remark in report.remarks if _reason(remark.code, remark.place, found, used) is None
    )
    count = sum(judged.suppressed is not None for judged in judgements)
    count += len(report.remarks) - len(remarks)
    declared = None if report.declared is None else _quiet(report.declared, found, set())
    suppressed = report.suppressed + count
    return replace(report, judgements=judgements, remarks=remarks, suppressed=suppressed, declared=declared)


def _hushed(judged: Judgement, found: Sequence[Comment], used: set[Place]) -> Judgement:
    reason = _reason(judged.code, judged.printed.place, found, used)
    return judged if reason is None else replace(judged, code=None, fix=None, suppressed=reason)


def _reason(code: str | None, place: Place | None, found: Sequence[Comment], used: set[Place]) -> str | None:
    """The reason of the first comment that means this finding."""
    if code is None or place is None:
        return None
    for comment in found:
        if place.line not in comment.lines or comment.problem is not None:
            continue
        if comment.verb == "off" or any(covers(each, code) for each in comment.codes):
            used.add(comment.place)
            return comment.reason
    return None


def _own(comment: Comment, used: set[Place]) -> Remark | None:
    """What is to be said of a comment itself."""
    problem = comment.problem
    if problem is not None:
        return Remark(
            Finding.SUPPRESSION_WITHOUT_REASON,
            "undecided",
            {"comment": comment.said, "why": problem},
            place=comment.place,
        )
    if comment.verb == "ignore" and comment.place not in used:
        return Remark(Finding.UNUSED_SUPPRESSION, "correct", {"comment": comment.said}, place=comment.place)
    return None
