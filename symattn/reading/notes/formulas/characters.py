"""The characters of notes, exchanged one for one so that every offset stays true.

Full-width digits and punctuation, the many signs of multiplication and minus, Greek look-alikes and decimal
commas become the characters that the tokenizer knows. NFKC would change lengths, so it is not used.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from symattn.reading.notes.formulas.commas import with_points
from symattn.reading.notes.formulas.consoles import answered, pieced
from symattn.reading.notes.formulas.markup import undressed
from symattn.reading.notes.formulas.numbering import unnumbered

_DOT = re.compile(r"(?<=[A-Za-z\d₀-₉]) ?・ ?(?=[A-Za-z])")
"""The dot of a product in Japanese, where letters stand on both sides."""
HATS = "\u0302\u0303\u0304"
"""What may stand above a letter, as a character of its own."""
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx", strict=True))
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹ᵀᵗˣ⁻⁺", "0123456789TTx-+", strict=True))

_LETTERS = {
    letter: plain
    for letter in map(chr, range(0x1D400, 0x1D800))
    if len(plain := unicodedata.normalize("NFKC", letter)) == 1
}
"""Bold, italic and other letters and digits of mathematics, `𝐐` and `𝑞`, with those that they are."""
_TABLE = str.maketrans(
    _LETTERS
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys("−﹣‐‑‒–", "-")
    | {"∑": "Σ"}
    | dict.fromkeys("×·⋅∗∙✕⨯•", "*")
    | dict.fromkeys("÷∕⁄", "/")
    | dict.fromkeys("≒≃≅∼≐", "≈")
    | dict.fromkeys("⟶⇒⟹➜➔", "→")
    | dict.fromkeys("\u3000\u00a0\u2002\u2003\u2009\u202f\u200b\ufeff\t\r", " ")
    | dict.fromkeys("。", "\u3002")
    | dict.fromkeys("【〔⎡⎢⎣⎛⎜⎝", "[")
    | dict.fromkeys("】〕⎤⎥⎦⎞⎟⎠", "]")
    | dict.fromkeys("⟨〈", "(")
    | dict.fromkeys("⟩〉", ")")
    | dict.fromkeys("、", "、")
    | {"｡": "\u3002", "〜": "~"}
    | dict.fromkeys((chr(code) for code in (*range(0x2460, 0x249C), *range(0x2776, 0x2794))), " ")
)

_WORDS: Mapping[str, str] = dict(
    zip(
        [
            "權重",
            "矩陣",
            "輸入",
            "輸出",
            "詞嵌入",
            "詞向量",
            "查詢",
            "鍵",
            "縮放",
            "分數",
            "總和",
            "點積",
            "內積",
            "歸一化",
            "指數",
            "加權",
            "轉置",
            "機率",
            "對",
            "與",
            "為",
            "約",
            "個詞",
            "編碼",
            "掩碼",
            "遮罩",
            "個位置",
            "維度",
            "計算",
            "結果",
            "後",
        ],
        [
            "权重",
            "矩阵",
            "输入",
            "输出",
            "词嵌入",
            "词向量",
            "查询",
            "键",
            "缩放",
            "分数",
            "总和",
            "点积",
            "内积",
            "归一化",
            "指数",
            "加权",
            "转置",
            "概率",
            "对",
            "与",
            "为",
            "约",
            "个词",
            "编码",
            "掩码",
            "掩码",
            "个位置",
            "维度",
            "计算",
            "结果",
            "后",
        ],
        strict=True,
    )
)
"""Words of the field in traditional characters, and in simplified ones; other words stay as they are."""
_TRADITIONAL = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)))
_COUNTED = re.compile(r"(?<=第)( ?[\d一二三四五六七八九十]{1,3} ?)([行列])")
"""Rows and columns by number: in traditional characters a row is `列`, in simplified ones `行`."""
_CHINESE, _KANA = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[\u3040-\u30ff]")
_WORD = re.compile(r"(?<![\\\w])[A-Za-z]{3,}(?!\w)")
_INNER = re.compile(r"<( ?[qQ][_\w]{0,8} ?, ?[kK][_\w]{0,8} ?)>")
"""An inner product, `<q1, k2>`."""
FEW, MANY = 4, 20
"""Characters that a few tokens in a text of another language have, and that no such text has."""
_QUOTE = re.compile(r"^ {0,3}>(?: {0,3}>)*", re.MULTILINE)
"""The marks of a block quote, which stand before the lines of its fences and displays too."""


@lru_cache(maxsize=4)
def normalise(text: str) -> str:
    """The text with look-alikes and decimal commas exchanged and the marks of quotes and tags blank.

    It is exactly as long as before.
    """
    plain = with_points(pieced(text)).translate(_TABLE)
    if "・" in plain:
        plain = _DOT.sub(lambda dot: dot[0].replace("・", "*"), plain)
    if _TRADITIONAL.search(plain) is not None:
        plain = _rows_simplified(_TRADITIONAL.sub(lambda said: _WORDS[said[0]], plain))
    return undressed(answered(unnumbered(unquoted(_INNER.sub(r"(\1)", plain)))))


def _rows_simplified(text: str) -> str:
    """A text in traditional characters with `第二列` as `第二行`, where it never says `第二行` itself."""
    if any(said[2] == "行" for said in _COUNTED.finditer(text)):
        return text
    return _COUNTED.sub(r"\1行", text)


def unquoted(text: str) -> str:
    """The text with the marks of block quotes blank."""
    return _QUOTE.sub(lambda marks: " " * len(marks[0]), text)


@lru_cache(maxsize=4)
def language_of(text: str) -> Literal["en", "zh"]:
    """`zh` for a text with Chinese sentences, or a short one with more of them than of English words.

    A token or two in an English text make it no Chinese one, and kana are Japanese.
    """
    beginning = text[:4_000]
    chinese = len(_CHINESE.findall(beginning))
    japanese = 5 * len(_KANA.findall(beginning)) > chinese
    words = len(_WORD.findall(beginning))
    return "zh" if not japanese and chinese > max(FEW, min(words, MANY)) else "en"


def lines_of(text: str) -> tuple[int, ...]:
    """The offset at which each line begins."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return tuple(starts)


def unhatted(letter: str) -> str:
    """A letter without what stands above it: E of Ê."""
    return unicodedata.normalize("NFD", letter).rstrip(HATS) if not letter.isascii() else letter
