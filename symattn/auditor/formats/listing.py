"""A report as a list: each wrong number beside the right one, step by step. For terminals and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.digest import digest
from symattn.auditor.formats.folded import Folded, folded, follow_words, followers, unread_together
from symattn.auditor.formats.groups import Group, Step, has_source_lines, reported, steps
from symattn.auditor.formats.items import Options, items, left_because
from symattn.auditor.formats.labels import label, step_title, summary
from symattn.auditor.formats.stream import total
from symattn.auditor.messages import (
    cause_words,
    closed_form,
    distance,
    entry,
    root_words,
    source_line,
    work_words,
)
from symattn.auditor.report import EQUATION, Cause, Judgement, Remark, Report, Unread
from symattn.text.bilingual import Count
from symattn.text.document import Block, Bullets, Code, Document, Heading, Paragraph, Prose, Table, Verdict
from symattn.text.file_names import shown
from symattn.text.notation import Role

ROLES: dict[str, Role] = {
    "correct": "right",
    "rounding": "rounding",
    "carried": "carried",
    "slip": "slip",
    "undecided": "undecided",
    "shape": "slip",
    "claim": "slip",
}
FULL_ROWS = ("slip", "carried", "undecided")
LONGEST_LINES = 4


def listing(path: str, reports: Sequence[Report], options: Options) -> Document:
    """The findings of one file, with its count at the end."""
    lang = options.language(reports[0]) if reports else options.lang or "en"
    titles = [report.case.title for report in reports]
    blocks: list[Block] = []
    for report in reports:
        if len(reports) > 1:
            blocks.append(Heading((report.case.title,)))
        blocks += _report(report, options)
    counts: dict[str, int] = {}
    for report in reports:
        counts = total(counts, report.counts)
    printed, unread = (
        sum(values) for values in zip(*((r.printed, len(r.unread)) for r in reports), strict=True)
    )
    blocks.append(Paragraph((summary(printed, unread, counts, lang),)))
    colon = "：" if lang == "zh" else ": "
    path = shown(path)
    return Document(f"{path}{colon}{titles[0]}" if len(titles) == 1 else path, tuple(blocks), lang)


def _report(report: Report, options: Options) -> Iterator[Block]:
    lang = options.language(report)
    of_source = has_source_lines(report)
    found = list(items(report, options))
    yield from digest(report, lang)
    together = folded(report, found)
    for step in steps(report):
        yield from _step(report, step, options, of_source, [one for one in together if one.name == step.name])
    remarks = [item for item in found if isinstance(item.finding, Remark)]
    if remarks:
        yield Heading((label("others", lang),))
        yield Bullets(
            tuple(
                (
                    *line_of(item.finding, lang),
                    Verdict(item.message, ROLES[item.finding.verdict]),
                    *_code(item.rule.code),
                )
                for item in remarks
                if isinstance(item.finding, Remark)
            )
        )
    if report.unread:
        yield Heading((label("unread", lang),))
        yield Bullets(
            tuple(
                (*line_of(each.first, lang, each.last), each.words, *_code(each.first.code))
                for each in unread_together(report.unread, lang)
            )
        )


def _step(
    report: Report, step: Step, options: Options, of_source: bool, together: Sequence[Folded]
) -> Iterator[Block]:
    """The wrong numbers of a step in a table, the merely rounded ones in a sentence, then the causes.

    What follows from a slip stands with the slip.
    """
    lang = options.language(report)
    leads = {id(one.lead.finding): one for one in together}
    shown = [group for group in step.groups if reported(group, options) and id(group.first) in leads]
    ties = [group for group in step.groups if group.first.note == "tie" and options.chosen(Finding.EXACT_TIE)]
    if not shown and not ties:
        return
    yield Heading((step_title(step.name, lang),))
    wrong = [group for group in shown if group.first.verdict in FULL_ROWS]
    follow = any(one.follows for one in together)
    if wrong:
        header = (
            "source line" if of_source else "line",
            "entry",
            "printed",
            "right",
            "distance",
            "code",
            "finding",
            *(["follow"] if follow else []),
        )
        yield Table(
            tuple((label(key, lang),) for key in header),
            tuple(
                (
                    *_row(report, group, options, of_source),
                    *([_number_of(leads[id(group.first)])] if follow else []),
                )
                for group in wrong
            ),
            "rlrrrllr"[: len(header)],
        )
    if follow:
        yield Paragraph((Verdict(follow_words(followers(together), lang), "carried"), _stop(lang)))
    for code in sorted({group.first.code or "" for group in shown if group not in wrong}):
        several = [group for group in shown if group not in wrong and group.first.code == code]
        yield Paragraph(_in_a_sentence(code, several, lang))
    if ties:
        yield Paragraph(_in_a_sentence(Finding.EXACT_TIE, ties, lang))
    if step.causes:
        yield Bullets(tuple(cause_sentence(report, cause, lang) for cause in step.causes))


def _number_of(together: Folded) -> Prose:
    """How many numbers follow from a slip."""
    return (str(sum(followers([together]).values()) or ""),)


def _stop(lang: Lang) -> str:
    return "。" if lang == "zh" else "."


def _row(report: Report, group: Group, options: Options, of_source: bool) -> tuple[Prose, ...]:
    judged, lang = group.first, options.language(report)
    number = judged.printed
    lines = [str(line) for line in group.lines(of_source)]
    if len(lines) > LONGEST_LINES:
        lines = [*lines[:LONGEST_LINES], "…"]
    return (
        (", ".join(lines),),
        (where_in_step(judged, lang),),
        (number.numeral.text.strip(),),
        (judged.expected or closed_form(judged) or "?",),
        (distance(judged),),
        (judged.code or "",),
        _finding(report, judged, options),
    )


def where_in_step(judged: Judgement, lang: Lang) -> str:
    """The entry inside its step: `row 1, column 2`."""
    number = judged.printed
    if number.name == EQUATION:
        return work_words(number.work or "")
    said = entry("", number.row, number.col, lang).strip().removeprefix(",").strip()
    alone = number.name.rpartition(".")[2] == "sum" and not number.col
    return said.split("，" if lang == "zh" else ",")[0] if alone else said


def _finding(report: Report, judged: Judgement, options: Options) -> Prose:
    role, lang = ROLES[judged.verdict], options.language(report)
    rule = CATALOGUE[judged.code or ""]
    if judged.verdict == "carried" and judged.root is not None:
        root = root_words(report, judged.root, lang)
        words = f"源于 {root}" if lang == "zh" else f"from {root}"
    else:
        words = rule.title[lang]
        if judged.local is not None and judged.local not in (
            judged.expected,
            judged.printed.numeral.text.strip(),
        ):
            before = "；由前面印出的数得 " if lang == "zh" else "; from the numbers before it "
            words += f"{before}{judged.local}"
    return (Verdict(words + left_because(report, judged, options), role),)


def _in_a_sentence(code: str, groups: Sequence[Group], lang: Lang) -> Prose:
    """The numbers that are off by rounding only: `12.45 (row 1, right 12.46), ...`."""
    rule = CATALOGUE[code]
    zh = lang == "zh"
    parts = []
    for group in groups:
        judged = group.first
        form = closed_form(judged) if judged.note == "tie" else None
        right = form or judged.expected or closed_form(judged) or "?"
        where = where_in_step(judged, lang)
        text = judged.printed.numeral.text.strip()
        parts.append(f"{text}（{where}，精确值 {right}）" if zh else f"{text} ({where}; exact {right})")
    listed = ("、" if zh else ", ").join(parts)
    role = ROLES[groups[0].first.verdict]
    return (Verdict(rule.title[lang], role), *_code(code), f"{'：' if zh else ': '}{listed}")


def causes(report: Report, options: Options) -> Iterator[Prose]:
    """Why groups of numbers went wrong, each group led by its quantity."""
    lang = options.language(report)
    told: list[Cause] = []
    for cause in report.causes:
        codes = [report.judgements[index].code for index in cause.numbers]
        if cause not in told and any(code is not None and options.chosen(code) for code in codes):
            told.append(cause)
            yield (f"{cause.name}{'：' if lang == 'zh' else ': '}", *cause_sentence(report, cause, lang))


def cause_sentence(report: Report, cause: Cause, lang: Lang) -> Prose:
    """Why a group of numbers went wrong, in a sentence: what, where, and how many it explains."""
    zh = lang == "zh"
    sure = cause.certain and not cause.rivals
    lead = label("cause" if sure else "possible cause", lang)
    scope = label(cause.scope, lang) if cause.scope == "matrix" else _scope(report, cause, lang)
    count = len(cause.numbers)
    words = cause_words(cause, lang, doubted=not sure)
    tail = f"（{scope}，可解释 {count} 个数）。" if zh else f" ({scope}; explains {Count(count):number})."
    return (Verdict(lead, "slip" if sure else "undecided"), "：" if zh else ": ", words, tail)


def _scope(report: Report, cause: Cause, lang: Lang) -> str:
    if not cause.numbers:
        return label(cause.scope, lang)
    judged = report.judgements[cause.numbers[0]]
    if cause.scope == "cell":
        return where_in_step(judged, lang)
    if cause.scope == "column":
        column = judged.printed.col + 1
        return f"第 {column} 列" if lang == "zh" else f"column {column}"
    row = judged.printed.row + 1
    return f"第 {row} 行" if lang == "zh" else f"row {row}"


def line_of(finding: Remark | Unread, lang: Lang, last: Unread | None = None) -> Prose:
    """`line 47: `, or `lines 47–50: ` up to that of the last, where the line is known."""
    line, end = source_line(finding), source_line(last) if last else None
    if line is None:
        return ()
    if end is not None and end != line:
        return (f"第 {line}–{end} 行：" if lang == "zh" else f"lines {line}–{end}: ",)
    return (f"第 {line} 行：" if lang == "zh" else f"line {line}: ",)


def _code(code: str) -> Prose:
    return (" ", Code(code))
