"""A comparison as a picture (SVG): how many errors are how large, and where the largest ones are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from symattn.golden.compare import Comparison
from symattn.golden.report import head, span
from symattn.text.bilingual import Bilingual

WIDTH, HEIGHT = 860, 250
LEFT, TOP, PLOT = 100, 62, 130
BARS, TOKENS = 300, 340
"""Widths of both diagrams."""
SECOND = LEFT + BARS + 100
INK, PALE, RED = "#1f3a5f", "#8da9c4", "#b3261e"
LEAST, MOST = 2.0**-4, 2.0**20
"""Errors from the lower to the upper edge of the diagram by tokens."""


def picture(comparisons: Sequence[Comparison], lang: str) -> str:
    """An SVG with a panel for each result."""
    height = HEIGHT * max(1, len(comparisons))
    panels = "".join(
        f'<g transform="translate(0 {HEIGHT * at})">\n'
        + "".join(f"{x}\n" for x in _panel(each, lang))
        + "</g>\n"
        for at, each in enumerate(comparisons)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12" fill="{INK}">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n{panels}</svg>\n'
    )


def _panel(each: Comparison, lang: str) -> Iterator[str]:
    yield _text(20, 24, head(each)[lang], size=14)
    yield _text(LEFT, TOP - 14, _HOW_MANY[lang])
    yield _text(SECOND, TOP - 14, _WHERE[lang])
    yield from _bars(each)
    yield from _tokens(each)
    yield _text(
        SECOND + TOKENS / 2, TOP + PLOT + 32, (_OF_HEADS if each.name == "dsinks" else _TOKEN)[lang], "middle"
    )


def _bars(each: Comparison) -> Iterator[str]:
    """The histogram; the last bar is for what is not finite."""
    before, rows = 0.0, []
    for edge, count in each.histogram:
        rows.append((span(before, edge), count, INK))
        before = edge
    rows.append(("NaN, inf", each.not_finite, RED))
    most = max(1, *(count for _, count, _ in rows))
    step = PLOT / len(rows)
    for at, (label, count, colour) in enumerate(rows):
        y = TOP + at * step
        yield _text(LEFT - 8, y + step / 2 + 4, label, "end", 11)
        if count:
            length = max(1.0, BARS * 0.75 * count / most)
            size = f'width="{length:.1f}" height="{step - 4:.1f}"'
            yield f'<rect x="{LEFT}" y="{y + 2:.1f}" {size} fill="{colour}"/>'
            yield _text(LEFT + length + 6, y + step / 2 + 4, f"{count}", size=11)


def _tokens(each: Comparison) -> Iterator[str]:
    """The largest error of some tokens at a time, on a logarithmic scale."""
    for exponent in range(-4, 21, 4):
        y = _height(2.0**exponent)
        label = f"{2.0**exponent:g}" if exponent <= 8 else f"2<tspan dy='-4' font-size='8'>{exponent}</tspan>"
        yield f'<line x1="{SECOND}" x2="{SECOND + TOKENS}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{SECOND - 6}" y="{y + 4:.1f}" text-anchor="end" font-size="11">{label}</text>'
    step = TOKENS / max(1, len(each.by_token))
    for at, error in enumerate(each.by_token):
        y = _height(error)
        colour = PALE if error < math.inf else RED
        yield (
            f'<rect x="{SECOND + at * step:.2f}" y="{y:.1f}" width="{max(step - 0.3, 0.5):.2f}" '
            f'height="{TOP + PLOT - y:.1f}" fill="{colour}"/>'
        )
    yield _text(SECOND, TOP + PLOT + 16, "0", "middle", 11)
    yield _text(SECOND + TOKENS, TOP + PLOT + 16, f"{each.tokens - 1}", "middle", 11)


def _height(error: float) -> float:
    place = math.log2(min(max(error, LEAST), MOST) / LEAST) / math.log2(MOST / LEAST)
    return TOP + PLOT * (1 - place)


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'


_HOW_MANY = Bilingual("entries by their error in ulps", "各误差范围（ulp）的个数")
_WHERE = Bilingual("largest error in ulps", "最大误差（ulp）")
_TOKEN = Bilingual("token", "词元")
_OF_HEADS = Bilingual("head", "头")
