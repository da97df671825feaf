"""What a list of numbers makes, and what it comes to: each way once, to be written down or to be worked out.

Beside each stand the words that tell of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from symattn.reading.notes.formulas.works import Maths

T = TypeVar("T")


class Make(Protocol):
    """What a list makes entry by entry, of `cells` that are about so large as `sizes`."""

    def __call__(self, by: Maths[T], cells: Sequence[T], sizes: Sequence[float], /) -> Sequence[T]: ...

    def __hash__(self) -> int: ...


class Statistic(Protocol):
    """A number that a list comes to."""

    def __call__(self, by: Maths[T], cells: Sequence[T], /) -> T: ...


def softmax(by: Maths[T], cells: Sequence[T], sizes: Sequence[float]) -> Sequence[T]:
    """The shares of the exponentials."""
    powers = by.each("exp", cells)
    return by.over(powers, by.summed(powers))


def shares(by: Maths[T], cells: Sequence[T], sizes: Sequence[float]) -> Sequence[T]:
    """The list over its sum."""
    return by.over(cells, by.summed(cells))


def same(by: Maths[T], cells: Sequence[T], sizes: Sequence[float]) -> Sequence[T]:
    """The list itself."""
    return cells


def _mean_square(by: Maths[T], cells: Sequence[T]) -> T:
    return by.mean(by.squares(cells))


def _length(by: Maths[T], cells: Sequence[T]) -> T:
    return by.applied("sqrt", by.summed(by.squares(cells)))


def total(by: Maths[T], cells: Sequence[T]) -> T:
    """The sum."""
    return by.summed(cells)


def positive(by: Maths[T], cells: Sequence[T], sizes: Sequence[float]) -> Sequence[T]:
    """The list with 0 for what is below it, each as a product: only numerals are told so."""
    return [by.joined("*", by.number(int(x >= 0)), cell) for cell, x in zip(cells, sizes, strict=True)]


def worded(words: str) -> re.Pattern[str]:
    """What finds words, in capitals or not."""
    return re.compile(words, re.IGNORECASE)


SHARES = worded(r"softmax|prob|weight|percent|normali|divid|%|(?:\\alpha|\b[aαpw])_?\{?\d|概率|权重|归一")
WAYS: tuple[tuple[Make, re.Pattern[str]], ...] = (
    (lambda by, cells, _: by.each("exp", cells), worded(r"\bexp(?:s|onent\w*)?(?![a-z])|\be ?\^|指数")),
    (softmax, SHARES),
    (shares, SHARES),
    (
        lambda by, cells, sizes: by.less(cells, cells[sizes.index(max(sizes))]),
        worded(r"\bmax|shift|subtract|最大"),
    ),
    (
        lambda by, cells, _: by.centred(cells),
        worded(r"deviation|cent|subtract|mean|[-−] ?(?:μ|\\mu)|均值"),
    ),
    (lambda by, cells, _: by.squares(cells), worded(r"squar|\^ ?\{?2|²|平方")),
    (lambda by, cells, _: by.normalised(cells), worded(r"norm|归一")),
    (lambda by, cells, _: by.over(cells, by.applied("sqrt", _mean_square(by, cells))), worded(r"\bRMS")),
    (lambda by, cells, _: by.over(cells, _length(by, cells)), worded(r"\bunit\b|normali|单位")),
    (lambda by, cells, _: by.each("cos", cells), worded(r"\bcos")),
    (lambda by, cells, _: by.each("sin", cells), worded(r"\bsin")),
    (positive, worded(r"relu|\bmax")),
    (
        lambda by, cells, _: [by.negated(by.applied("ln", cell)) for cell in cells],
        worded(r"\bln|\blog|loss|entropy|损失"),
    ),
)
"""The ways of making a list of another one, and the words that speak of them."""
_IS = (
    r"(?: (?:of|for) [^.\d]{1,40})?(?: \w+){0,2}[ $*`]{0,12}"
    r"(?:\b(?:is|are|equals?|comes? to|to|gives?)|\\approx\b|[=:≈为是到為]|(?<=[합계])[은는])"
    r"(?:[\s$*`]|\\\()*$"
)
_TOTAL = (
    r"\b(?:sums?|total|add(?:s|ing)? (?:\w+ )?up|denominator|somme|suma|soma|summe|сумма|tổng)\b"
    r"|总和|總和|之和|合计|合計|加起来|求和|(?<=[, ，、])和(?=[为是為]|[ $]{0,3}[=≈])"
    r"|^[\])）][\s$*`]*[,，;；]?[\s$*`]*和(?=[\s$*`]*(?:is$|$|[为是=:]))|합계?(?=[은는]| ?[=≈:])"
)
_CALLED: tuple[tuple[Statistic, str], ...] = (
    (total, _TOTAL),
    (lambda by, cells: by.mean(cells), r"\b(?:mean|average)\b(?! (?:of (?:the )?)?squares?\b)|均值|平均值?"),
    (lambda by, cells: _mean_square(by, by.centred(cells)), r"\bvariance\b|方差"),
    (lambda by, cells: by.deviation(cells), r"\b(?:standard deviation|std)\b|标准差"),
    (_length, r"\b(?:norm|length|magnitude)\b|范数|模长"),
)
"""What one number may be of a list, and what it is called."""
STATISTICS = tuple((make, worded(f"(?:{words}){_IS}")) for make, words in _CALLED)
"""What one number may be of a list, and the words that end before it."""
GREATEST = worded(rf"(?:\b(?:max(?:imum)?|largest|greatest)\b|最大(?:值|的数)?)(?:{_IS}|[\s$*`]*$)")
"""The words that end before the greatest number of a list."""
SPOKEN = worded("|".join(words for _, words in _CALLED))
"""A word for any of them: seldom between two numbers."""
