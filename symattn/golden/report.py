"""A comparison as text in both languages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from symattn.golden.compare import Comparison, Entry
from symattn.golden.showing import Showing
from symattn.golden.tolerance import Shown, Tolerance
from symattn.text.bilingual import Bilingual

BAR = 40


def lines(comparisons: Sequence[Comparison], lang: str) -> Iterator[str]:
    """The lines of a report."""
    for each in comparisons:
        yield head(each)[lang]
        if each.not_finite:
            yield _NOT_FINITE.format(count=each.not_finite)[lang]
        most = max((count for _, count in each.histogram), default=0)
        before = 0.0
        for edge, count in each.histogram:
            if count:
                yield f"  {span(before, edge):>12} ulp  {count:>9}  {'█' * max(1, round(BAR * count / most))}"
            before = edge
        for entry in each.worst:
            yield _entry(entry)[lang]


def head(each: Comparison) -> Bilingual:
    """One line on all entries."""
    return _HEAD.format(
        name=each.name,
        format=each.format,
        largest=_number(each.largest),
        mean=_number(each.mean),
        right=each.correctly_rounded,
        entries=each.entries,
    )


def span(before: float, edge: float) -> str:
    """A bin of the histogram."""
    return f"> {before:g}" if math.isinf(edge) else f"{before:g} – {edge:g}"


def tolerance_lines(name: str, found: Tolerance, format: str, lang: str) -> Iterator[str]:
    """What sound implementations and mistakes are off, and what that tells apart."""
    yield _SOUND.format(name=name, format=format)[lang]
    for way in found.ways:
        yield f"  {_number(way.ulps):>10} ulp  {way.share:>6.1%}  {way.name[lang]}"
    yield _MISTAKES.format(entries=found.allowed.size)[lang]
    for each in found.mistakes:
        yield f"  {_number(each.ulps):>10} ulp  {each.beyond:>9}  {each.name[lang]}"
    yield _ALL_SHOWN[lang] if not found.hidden else _HIDDEN.format(count=len(found.hidden))[lang]


def showing_lines(found: Showing | None, lang: str) -> Iterator[str]:
    """Which inputs show what these hide."""
    if found is None:
        yield _NONE_SHOWS[lang]
        return
    yield (_SHOWS_SOME if found.left else _SHOWS_ALL).format(command=found.command)[lang]
    for (result, _), mistake in found.left.items():
        yield f"  {mistake[lang]} ({result})" if lang == "en" else f"  {mistake[lang]}（{result}）"


def judged(name: str, count: int, mistake: Shown | None) -> Bilingual:
    """How many entries of an implementation are beyond the tolerance, and what explains that."""
    if mistake is None:
        return _BEYOND.format(name=name, count=count)
    return _EXPLAINED.format(beyond=_BEYOND.format(name=name, count=count), mistake=mistake.name)


def _entry(entry: Entry) -> Bilingual:
    position = f"[{', '.join(map(str, entry.position))}]"
    scores = ", ".join(f"{score:.6g} ({key})" for key, score in entry.scores)
    found = _ENTRY.format(
        position=position, ulps=_number(entry.ulps), actual=repr(entry.actual), rounded=repr(entry.rounded)
    )
    return _SCORES.format(entry=found, scores=scores) if scores else found


def _number(x: float) -> str:
    return f"{x:.4g}"


_HEAD = Bilingual(
    "{name} ({format}): largest error {largest} ulp, mean {mean} ulp, {right} of {entries} correctly rounded",
    "{name}（{format}）：最大误差 {largest} ulp，平均 {mean} ulp，{entries} 个数中有 {right} 个舍入正确",
)
_NOT_FINITE = Bilingual(
    "  {count:entry is/entries are} NaN or infinite but should not be, or the other way round",
    "  有 {count} 个数为 NaN 或无穷大而不应如此，或正好相反",
)
_SOUND = Bilingual(
    "{name} ({format}): largest errors of sound implementations on these inputs, also as fractions "
    "of what is allowed",
    "{name}（{format}）：正确的实现在这些输入上的最大误差，及其占允许误差的比例",
)
_MISTAKES = Bilingual(
    "mistakes: largest errors, and how many of {entries} entries they move beyond what is allowed",
    "常见错误：最大误差，以及 {entries} 个数中超出允许误差的个数",
)
_ALL_SHOWN = Bilingual("these inputs show each of these mistakes", "这些输入能显示上列每一种错误")
_HIDDEN = Bilingual(
    "{count} of the mistakes cannot be seen on these inputs", "有 {count} 种错误在这些输入上看不出来"
)
_NONE_SHOWS = Bilingual(
    "no other inputs that were tried (seeds, sizes, ranges) show the mistakes that these hide: "
    "change options, mask or sinks",
    "这些输入看不出的错误，试过的其他输入（种子、大小、取值范围）也看不出：请更改选项、掩码或 sink",
)
_SHOWS_ALL = Bilingual(
    "the mistakes that these inputs hide are shown by: {command}",
    "这些输入看不出的错误，可由此全部显示：{command}",
)
_SHOWS_SOME = Bilingual(
    "the mistakes that these inputs hide, except those below, are shown by: {command}",
    "这些输入看不出的错误，除下列几种外，可由此显示：{command}",
)
_BEYOND = Bilingual(
    "{count:entry/entries} of {name} beyond the tolerance", "{name} 中有 {count} 个数超出容差"
)
_EXPLAINED = Bilingual("{beyond}; the mistake that fits best: {mistake}", "{beyond}；最符合的错误：{mistake}")
_ENTRY = Bilingual(
    "  {position}: {ulps} ulp, {actual} instead of {rounded}",
    "  {position}：误差 {ulps} ulp，得 {actual}，应为 {rounded}",
)
_SCORES = Bilingual("{entry}; largest scores (key): {scores}", "{entry}；最大的得分（键）：{scores}")
