"""What a student is told: each slip with its cause, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symattn.auditor.messages import cause_words
from symattn.auditor.report import Cause, Judgement, Report
from symattn.classroom.answers import Answer
from symattn.classroom.written_answers import Entry
from symattn.exact.plain import plain
from symattn.narrate.why import spoken
from symattn.plans.derive import Derivation
from symattn.text.bilingual import Bilingual, Count, both

MOST = 8
"""So many slips are named."""
_SLIP = Bilingual("{at} is {right}, not {text}{more}{why}", "{at} 应为 {right}，而不是 {text}{more}{why}")
_BY_YOURS = Bilingual(
    "{at} is {right} with your earlier numbers, not {text}{more}{why}",
    "按你前面写的数，{at} 应为 {right}，而不是 {text}{more}{why}",
)
_UNREAD = Bilingual("not read: {why}", "未能读懂：{why}")


def feedback(
    derivation: Derivation,
    answer: Answer,
    unread: Mapping[Entry, Bilingual],
    report: Report | None,
) -> tuple[Bilingual, ...]:
    """Sentences in the order of the computation: causes, slips without one, what could not be read."""
    said = list(_slips(derivation, answer.numbers, report)) if report is not None else []
    more = len(said) - MOST
    said = said[:MOST]
    if more > 0:
        said.append(Bilingual(f"and {more} more", f"另有 {more} 处"))
    for at, why in unread.items():
        where = Bilingual("{at}: {why}", "{at}：{why}").format(at=_spelled(derivation, at), why=why)
        said.append(_UNREAD.format(why=where))
    said += [_UNREAD.format(why=on_one_line(why)) for why in answer.unread]
    carried = sum(each.verdict == "carried" for each in report.judgements) if report is not None else 0
    if carried:
        said.append(
            Bilingual(
                f"{Count(carried):number follows/numbers follow} correctly from that: full points",
                f"{carried} 个数由此正确推得，得满分",
            )
        )
    return tuple(said)


def _slips(derivation: Derivation, numbers: Mapping[Entry, str], report: Report) -> Iterator[Bilingual]:
    """A cause once, with the entries that it explains; every other slip by itself."""
    slips = [each for each in report.judgements if each.verdict == "slip"]
    groups: dict[tuple[object, ...], list[Judgement]] = {}
    for each in slips:
        cause = each.cause
        together = (each.printed.index,) if cause is None else (cause.slip, cause.name, cause.numbers)
        groups.setdefault(together, []).append(each)
    for group in groups.values():
        first = group[0]
        at = first.printed.name, first.printed.row, first.printed.col
        followed = first.local is not None and first.local != first.expected
        more = Bilingual(f", and {len(group) - 1} more", f"，另有 {len(group) - 1} 个数")
        yield (_BY_YOURS if followed else _SLIP).format(
            at=_spelled(derivation, at),
            right=first.local if followed else plain(derivation[at[0]][at[1], at[2]]),
            text=numbers.get(at, first.printed.numeral.text),
            more=more if len(group) > 1 else both(""),
            why=_because(first.cause),
        )


def _because(cause: Cause | None) -> Bilingual:
    if cause is None:
        return both("")
    return Bilingual(f": {cause_words(cause, 'en')}", f"：{cause_words(cause, 'zh')}")


def on_one_line(words: Bilingual) -> Bilingual:
    """A message of several lines, joined by semicolons."""
    en, zh = ([" ".join(line.split()) for line in words[lang].splitlines()] for lang in ("en", "zh"))
    return Bilingual("; ".join(en), "；".join(zh))


def _spelled(derivation: Derivation, at: Entry) -> str:
    name, row, col = at
    return f"{spoken(derivation, name)}[{row + 1},{col + 1}]"
