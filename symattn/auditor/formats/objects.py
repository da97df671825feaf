"""How a document was read, in lines of text: each printed object with its formula, its evidence and the next
reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from symattn.attention.case import Place
from symattn.auditor.findings.rule import Lang
from symattn.auditor.objects import Explanation, PrintedObject
from symattn.text.bilingual import Bilingual
from symattn.typeset.cjk import plain

LONGEST_FORMULA: Final = 72
MOST_HINTS: Final = 2
MOST_OPERANDS: Final = 6

_SOURCES: Mapping[str, Bilingual] = MappingProxyType(
    {
        "working": Bilingual("its working", "旁边的算式"),
        "written": Bilingual("its formula on the page", "页上所写的公式"),
        "defined": Bilingual("a formula given before", "前文给出的公式"),
        "usual": Bilingual("what the name usually means", "这个名称通常的含义"),
        "step": Bilingual("a step on earlier numbers", "对前文数值的一步运算"),
        "outright": Bilingual(
            "the value that it must have where no step explains it", "没有一步能解释时应有的值"
        ),
        "mistaken": Bilingual("its formula, with a common mistake", "其公式，带有常见错误"),
        "copied": Bilingual("printed before", "前文印过"),
        "passive": Bilingual("the numbers before it", "前面的数"),
    }
)
_HINTS: Mapping[str, Bilingual] = MappingProxyType(
    {
        "numbers": Bilingual("its numbers {bits}", "自身的数 {bits}"),
        "neighbours": Bilingual("others by this formula {bits}", "同一公式的其他结果 {bits}"),
        "followed": Bilingual("what follows from it {bits}", "由它得出的结果 {bits}"),
    }
)
_LOST: Mapping[str, Bilingual] = MappingProxyType(
    {
        "wrong": Bilingual(
            "with it, more numbers are wrong ({wrong} of {numbers})",
            "它使更多的数有误（{numbers} 个中 {wrong} 个）",
        ),
        "unsure": Bilingual("it is not sure", "它不够确定"),
        "source": Bilingual("its formula is from a weaker source", "它的公式来源较弱"),
        "bits": Bilingual("fewer bits support it ({bits})", "支持它的比特较少（{bits}）"),
        "agrees": Bilingual("it gives the same verdicts on these numbers", "它对这些数的结论相同"),
    }
)
_SURE = {True: Bilingual("sure", "确定"), False: Bilingual("not sure", "不确定")}
_GIVEN = {
    True: Bilingual("given: ", "已知："),
    False: Bilingual("not explained by anything before: ", "前文无从解释："),
}
_RIGHT = Bilingual("{right} of {numbers} right", "{numbers} 个中 {right} 个正确")
_SECOND = Bilingual("second: {formula} ({source}); {why}", "次优：{formula}（{source}）；{why}")
_FROM = Bilingual("from {operands}", "用到 {operands}")


def reading_lines(objects: Sequence[PrintedObject], lang: Lang) -> Iterator[str]:
    """One line an object, each after the path of its file, and one for its runner-up; those without a formula
    share one."""
    for each in objects:
        if each.reading is not None:
            yield f":{_at(each.first)}: {_line(each, each.reading, lang)}"
            if each.runner_up is not None and each.lost is not None:
                yield f":{_at(each.first)}:   {_second(each.runner_up, each.lost, lang)}"
    for given in (True, False):
        names = [
            f"{_titled(each)} {_at(each.first)}"
            for each in objects
            if not each.reading and each.given == given
        ]
        if names:
            yield f": {_GIVEN[given][lang]}{_list(names, lang)}"


def _line(each: PrintedObject, reading: Explanation, lang: Lang) -> str:
    """`Q (3×2) = X·W_Q: sure; its formula on the page; 6 of 6 right; its numbers 44 bits; from X 3:7`."""
    hints = [
        _HINTS[name].format(bits=_bits(bits))[lang] for name, bits in [*reading.hints.items()][:MOST_HINTS]
    ]
    operands = [f"{plain(of.name)} {_at(of.place)}" for of in reading.operands if of.name]
    said = [
        _SURE[each.sure][lang],
        _SOURCES[reading.source][lang],
        _RIGHT.format(right=reading.right, numbers=reading.numbers)[lang],
        *hints,
        *([_FROM.format(operands=_list(operands, lang))[lang]] if operands else []),
    ]
    title, semicolon, colon = _titled(each), "；" if lang == "zh" else "; ", "：" if lang == "zh" else ": "
    return f"{title}{' ' if title else ''}= {_shortened(reading.formula)}{colon}{semicolon.join(said)}"


def _second(reading: Explanation, lost: str, lang: Lang) -> str:
    bits = f"{reading.hints.get('numbers', 0.0):g}"
    why = _LOST[lost].format(wrong=reading.wrong, numbers=reading.numbers, bits=bits)
    source = _SOURCES[reading.source]
    return _SECOND.format(formula=_shortened(reading.formula), source=source, why=why)[lang]


def _bits(bits: float) -> Bilingual:
    """`1 bit`, `25.5 bits`."""
    return Bilingual(f"{bits:g} bit{'s' * (bits != 1)}", f"{bits:g} 比特")


def _titled(each: PrintedObject) -> str:
    """`Q (3×2)`; a number is only named."""
    shape = f"({'×'.join(map(str, each.shape))})" if each.shape else ""
    return " ".join(filter(None, (plain(each.name), shape)))


def _at(place: Place) -> str:
    return f"{place.line}:{place.column}"


def _list(words: Sequence[str], lang: Lang) -> str:
    few = [*words[:MOST_OPERANDS], *(["…"] if len(words) > MOST_OPERANDS else [])]
    return ("、" if lang == "zh" else ", ").join(few)


def _shortened(formula: str) -> str:
    return plain(formula if len(formula) <= LONGEST_FORMULA else formula[: LONGEST_FORMULA - 1] + "…")
