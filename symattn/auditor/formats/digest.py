"""What an audit comes to, before its findings: what was read, how, and what became of each quantity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.folded import MOST_NAMED, named, shortened
from symattn.auditor.formats.groups import Step, steps
from symattn.auditor.formats.labels import label
from symattn.auditor.messages import VERDICT_WORDS
from symattn.auditor.report import Report
from symattn.text.document import Block, Paragraph, Prose, Table

GRAVEST = ("slip", "carried", "undecided", "rounding", "suppressed", "correct")
"""The verdicts on one number that is printed several times: the first that it has counts."""

TOLD = GRAVEST[:4]


class Row(Struct, frozen=True):
    """One quantity: how many different numbers are printed of it, and what became of them."""

    name: str
    numbers: int
    verdicts: Mapping[str, int]
    roots: tuple[str, ...]
    """The quantities that what is carried goes back to, in the order in which they are met."""

    def words(self, lang: Lang) -> str:
        """`12 of 12 wrong`, `9 of 9 follow from scores`."""
        zh = lang == "zh"
        said = []
        for verdict in TOLD:
            count = self.verdicts.get(verdict, 0)
            if not count:
                continue
            of = f"{self.numbers} 个中 {count} 个" if zh else f"{count} of {self.numbers} "
            said.append(of + self._outcome(verdict, count, lang))
        return ("；" if zh else "; ").join(said)

    def _outcome(self, verdict: str, count: int, lang: Lang) -> str:
        zh = lang == "zh"
        if verdict == "slip":
            return "有误" if zh else "wrong"
        if verdict == "carried":
            roots = shortened([named(root, lang) for root in self.roots], lang)
            return f"是 {roots} 的连带错误" if zh else f"follow{'s' if count == 1 else ''} from {roots}"
        if verdict == "rounding":
            return "只差在舍入" if zh else "off by rounding only"
        return VERDICT_WORDS[verdict][lang]


def rows(report: Report) -> Iterator[Row]:
    """A row for each quantity that was printed, in the order of the evaluation."""
    for step in steps(report):
        yield _row(report, step)


def _row(report: Report, step: Step) -> Row:
    entries: dict[object, set[str]] = {}
    roots: dict[str, None] = {}
    for group in step.groups:
        for judged in (group.first, *group.copies):
            place = (judged.printed.at, judged.printed.work) if step.name == "=" else judged.printed.at
            quiet = judged.suppressed is not None
            entries.setdefault(place, set()).add("suppressed" if quiet else judged.verdict)
            if judged.verdict == "carried" and judged.root is not None and not quiet:
                roots[report.judgements[judged.root].printed.name] = None
    gravest = [next(each for each in GRAVEST if each in found) for found in entries.values()]
    return Row(step.name, len(gravest), {each: gravest.count(each) for each in GRAVEST}, tuple(roots))


def read(report: Report, lang: Lang) -> Prose:
    """`Read: X (3×4), W_Q (4×4).` and the conventions; nothing where numbers have no computation."""
    from symattn.narrate.conventions import conventions

    given = [
        f"{name} ({', '.join(['×'.join(map(str, matrix.shape)), *_file(report, name)])})"
        for name, matrix in report.derivation.given.items()
    ]
    if not given:
        return ()
    listed = shortened(given, lang)
    if len(given) > MOST_NAMED:
        listed += f" ({len(given)})"
    lead = f"读到：{listed}。" if lang == "zh" else f"Read: {listed}. "
    return (lead, *conventions(report.case, report.derivation, lang))


def _file(report: Report, name: str) -> tuple[str, ...]:
    return (report.case.files[name],) if name in report.case.files else ()


def digest(report: Report, lang: Lang) -> Iterator[Block]:
    """What was read, under which conventions, and a row for each quantity; the right ones share one."""
    words = read(report, lang)
    if words:
        yield Paragraph(words)
    table = [((named(row.name, lang),), (said,)) for row in rows(report) if (said := row.words(lang))]
    right = right_ones(report, lang)
    if table:
        table += [((right,), (VERDICT_WORDS["correct"][lang],))] if right else []
        yield Table(((label("quantity", lang),), (label("outcome", lang),)), tuple(table), "ll")


def right_ones(report: Report, lang: Lang) -> str:
    """The quantities of which every number is right, in a list."""
    right = [row for row in rows(report) if row.verdicts["correct"] == row.numbers]
    return shortened([named(row.name, lang) for row in right], lang)


def lines(report: Report, lang: Lang) -> Sequence[str]:
    """The rows as sentences: `Q: 12 of 12 wrong`."""
    colon = "：" if lang == "zh" else ": "
    return [f"{named(row.name, lang)}{colon}{said}" for row in rows(report) if (said := row.words(lang))]
