"""Where positions enter: added to X, as a rotation of queries and keys, or as a bias of the scores."""

from __future__ import annotations

import numpy as np

from symattn.attention.case import Given
from symattn.checks.textbook.conventions import Conventions
from symattn.checks.textbook.steps import Array, Steps


def sinusoids(n: int, d: int, c: Conventions) -> Array:
    """sin(pos / 10000^(2i/d)) in column 2i, cos of the same in 2i + 1. Vaswani et al. 2017, section 3.5.

    The case may have all sines before all cosines, and other exponents, as common code has.
    """
    column, halved = np.arange(d), c.settings.pairs == "half"
    pair = column % (d // 2) if halved else column // 2
    match c.settings.exponents:
        case "column":
            exponent = column / d
        case "twice-column":
            exponent = 2 * column / d
        case "full-range":
            exponent = 2 * pair / max(d - 2, 1)
        case _:
            exponent = 2 * pair / d
    angle = (c.settings.start + np.arange(n)[:, None]) / c.number("10000") ** exponent[None]
    return np.where(column >= d // 2 if halved else column % 2 == 1, np.cos(angle), np.sin(angle))


def rotated(x: Array, first: int, c: Conventions) -> Array:
    """Each pair of columns (a, b) as a + b i, times e^(i theta pos), from position `first` on.

    A column of the result is cos times itself plus or minus sin times the other of its pair. Su et al. 2021,
    eq. (34).
    """
    s, (n, width) = c.settings, x.shape
    turned = width if s.rotary is None else s.rotary
    if isinstance(s.angles, Given):
        angles = c.row(s.angles)
    else:
        angles = c.number(s.rotary_base) ** (-2 * np.arange(turned // 2) / turned)
    pair = np.arange(angles.shape[0])
    a, b = (pair, pair + len(pair)) if s.pairs == "half" else (2 * pair, 2 * pair + 1)
    other, of_pair, sign = np.arange(width), np.zeros(width, dtype=int), np.zeros(width)
    other[a], of_pair[a], sign[a] = b, pair, -1
    other[b], of_pair[b], sign[b] = a, pair, 1
    angle = (first + np.arange(n))[:, None] * angles[of_pair][None] * np.abs(sign)
    return x * np.cos(angle) + x[:, other] * (np.sin(angle) * sign)


def rotated_after(past: int, x: Array, first: int, c: Conventions) -> Array:
    """The same, but for the first rows, of a cache, which are rotated already."""
    return np.concatenate([x[:past], rotated(x[past:], first + past, c)]) if past else rotated(x, first, c)


def biases(m: Steps, scores: Array, head: int, c: Conventions) -> Array:
    """What is added to the scores: Press et al. 2022 (alibi), Raffel et al. 2020 (relative)."""
    distance, s = c.distances(scores), c.settings
    if s.positions == "alibi":
        slope = 2.0 ** (-8 * (head + 1) / s.heads) if s.slopes is None else c.of_head(s.slopes, head)
        return -slope * np.abs(distance)
    far = m["relative"].shape[1] // 2
    return m["relative"][0][np.clip(distance, -far, far) + far]
