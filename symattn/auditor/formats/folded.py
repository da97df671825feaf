"""The findings of a report folded: a slip, its further prints, and what follows from it, as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.groups import same
from symattn.auditor.formats.items import Item
from symattn.auditor.formats.labels import label
from symattn.auditor.messages import LONGEST_CLOSED_FORM, quantity, unread_message
from symattn.auditor.report import EQUATION, Judgement, Report, Unread
from symattn.text.bilingual import Count

MOST_NAMED = 6
"""So many quantities, lines or numbers are named; more are dots."""


class Folded(Struct):
    """A finding that stands by itself, the same number printed again, and the numbers that follow from it."""

    lead: Item
    again: list[Item] = field(default_factory=list)
    follows: list[Item] = field(default_factory=list)

    @property
    def name(self) -> str | None:
        """The quantity that it is about."""
        finding = self.lead.finding
        return finding.printed.name if isinstance(finding, Judgement) else finding.name


def folded(report: Report, found: Iterable[Item]) -> list[Folded]:
    """The findings `found` of a report, each in exactly one group, in the order of their leads.

    A carried number belongs to the slip that it goes back to; where that is no finding, numbers that go back
    to one slip are a group with the first of them in the lead.
    """
    index = {id(judged): at for at, judged in enumerate(report.judgements)}
    groups: list[Folded] = []
    by_number: dict[tuple[object, ...], Folded] = {}
    by_index: dict[int, Folded] = {}
    carried: list[tuple[int, Item]] = []
    for item in found:
        judged = item.finding
        if not isinstance(judged, Judgement):
            groups.append(Folded(item))
        elif judged.verdict == "carried" and judged.root is not None:
            carried.append((judged.root, item))
        else:
            known = by_number.get(same(judged))
            if known is None:
                known = by_number[same(judged)] = Folded(item)
                groups.append(known)
            else:
                known.again.append(item)
            by_index[index.get(id(judged), -1)] = known
    for root, item in carried:
        if root in by_index:
            by_index[root].follows.append(item)
        else:
            by_index[root] = Folded(item)
            groups.append(by_index[root])
    return groups


def followers(groups: Iterable[Folded]) -> dict[str, int]:
    """How many different numbers of each quantity follow from the leads of these groups."""
    entries: dict[str, set[object]] = {}
    for group in groups:
        for item in group.follows:
            if isinstance(item.finding, Judgement):
                entries.setdefault(item.finding.printed.name, set()).add(same(item.finding)[:6])
    return {name: len(of) for name, of in entries.items()}


def follow_words(counts: dict[str, int], lang: Lang) -> str:
    """`21 numbers follow from it: scores 3, A 9, Z 9`."""
    total = sum(counts.values())
    names = [f"{named(name, lang)} {count}" for name, count in counts.items()]
    if lang == "zh":
        return f"{total} 个数由此而错：{shortened(names, lang)}"
    return f"{Count(total):number follows/numbers follow} from this: {shortened(names, lang)}"


def named(name: str, lang: Lang) -> str:
    """A quantity in a list; numbers beside their own working are arithmetic."""
    return label(EQUATION, lang) if name == EQUATION else quantity(name, lang)


def shortened(words: Sequence[str], lang: Lang) -> str:
    """The first few of a list, and dots for the others."""
    comma = "，" if lang == "zh" else ", "
    return comma.join([*words[:MOST_NAMED], *(["…"] if len(words) > MOST_NAMED else [])])


class UnreadTogether(Struct, frozen=True):
    """Numerals that are unread for one reason: the first, the last, and the sentence that says why."""

    first: Unread
    last: Unread
    words: str


def unread_together(found: Iterable[Unread], lang: Lang) -> Iterator[UnreadTogether]:
    """The numerals without a verdict, those that have one reason as one."""
    by_reason: dict[tuple[Finding, str], list[Unread]] = {}
    for unread in found:
        by_reason.setdefault((unread.code, unread.why[lang].replace(unread.text, "")), []).append(unread)
    for several in by_reason.values():
        first, *_, last = [*several, several[0]] if len(several) == 1 else several
        if len(several) == 1:
            yield UnreadTogether(first, first, unread_message(first, lang))
            continue
        texts = [each.text[:LONGEST_CLOSED_FORM] for each in several]
        listed = ("、" if lang == "zh" else ", ").join(
            texts if len(texts) <= MOST_NAMED else [*texts[:2], "…", texts[-1]]
        )
        why = first.why[lang].replace(first.text, "…")
        if lang == "zh":
            words = f"{len(several)} 个数无结论（{listed}），原因都是：{why}"
        else:
            words = f"{len(several)} numbers have no verdict ({listed}), each for this reason: {why}"
        yield UnreadTogether(first, last, words)
