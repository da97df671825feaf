"""A comparison as text in both languages and as data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from symattn.golden.compare import Comparison, Entry
from symattn.text.bilingual import Bilingual

SCHEMA = "symattn/golden/1"
BAR = 40


def lines(comparisons: Sequence[Comparison], lang: str) -> Iterator[str]:
    """The lines of a report."""
    for each in comparisons:
        yield _HEAD.format(
            name=each.name,
            format=each.format,
            largest=_number(each.largest),
            mean=_number(each.mean),
            right=each.correctly_rounded,
            entries=each.entries,
        )[lang]
        if each.not_finite:
            yield _NOT_FINITE.format(count=each.not_finite)[lang]
        most = max((count for _, count in each.histogram), default=0)
        before = 0.0
        for edge, count in each.histogram:
            if count:
                span = f"> {before:g}" if math.isinf(edge) else f"{before:g} – {edge:g}"
                yield f"  {span:>12} ulp  {count:>9}  {'█' * max(1, round(BAR * count / most))}"
            before = edge
        for entry in each.worst:
            yield _entry(entry)[lang]


def _entry(entry: Entry) -> Bilingual:
    position = f"[{', '.join(map(str, entry.position))}]"
    scores = ", ".join(f"{score:.6g} ({key})" for key, score in entry.scores)
    found = _ENTRY.format(
        position=position, ulps=_number(entry.ulps), actual=repr(entry.actual), rounded=repr(entry.rounded)
    )
    return _SCORES.format(entry=found, scores=scores) if scores else found


def data(comparisons: Sequence[Comparison], settings: Mapping[str, str]) -> dict[str, object]:
    """The same as JSON has it; what is not finite is a string."""
    return {
        "schema": SCHEMA,
        "settings": dict(settings),
        "results": [
            {
                "name": each.name,
                "format": each.format,
                "entries": each.entries,
                "correctly_rounded": each.correctly_rounded,
                "not_finite": each.not_finite,
                "largest_ulps": _json(each.largest),
                "mean_ulps": _json(each.mean),
                "histogram": [{"upto": _json(edge), "count": count} for edge, count in each.histogram],
                "worst": [
                    {
                        "position": list(entry.position),
                        "actual": _json(entry.actual),
                        "golden": _json(entry.rounded),
                        "exact": _json(entry.exact),
                        "ulps": _json(entry.ulps),
                        "scores": [{"key": key, "score": _json(score)} for key, score in entry.scores],
                    }
                    for entry in each.worst
                ],
            }
            for each in comparisons
        ],
    }


def _json(x: float) -> float | str:
    return x if math.isfinite(x) else str(x)


def _number(x: float) -> str:
    return f"{x:.4g}"


_HEAD = Bilingual(
    "{name} ({format}): largest error {largest} ulp, mean {mean} ulp, {right} of {entries} correctly rounded",
    "{name}（{format}）：最大误差 {largest} ulp，平均 {mean} ulp，{entries} 个数中有 {right} 个舍入正确",
)
_NOT_FINITE = Bilingual(
    "  {count} entries are NaN or infinite and should not be, or the other way round",
    "  有 {count} 个数为 NaN 或无穷大而不应如此，或正好相反",
)
_ENTRY = Bilingual(
    "  {position}: {ulps} ulp, {actual} for {rounded}",
    "  {position}：误差 {ulps} ulp，得 {actual}，应为 {rounded}",
)
_SCORES = Bilingual("{entry}; largest scores (key): {scores}", "{entry}；最大的分数（键）：{scores}")
