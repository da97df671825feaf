"""What the words of an example say of its conventions: scale, mask, temperature, projections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from symattn.reading.notes.layout.sentences import sentences

OMITTED = re.compile(
    r"(?:忽略|省略|跳过|不做|不进行|不|(?<!还)没有|(?<![还尚])未)[“\"'「]?(?:使用|考虑)?[“\"'「]?(?:缩放|除以)"
    r"|(?:without|skip(?:s|ping|ped)?|ignor(?:es?|ed|ing)|omit(?:s|ting|ted)?|no|drop(?:s|ping|ped)?"
    r"|neglect(?:s|ed|ing)?|(?:leav(?:es?|ing)|left) (?:out|away|off)) (?:(?:the|any|usual) ){0,2}"
    r"(?:scal(?:e|ing)\b|divi(?:sion|ding)\b|[$`]{0,2}(?:1 ?/ ?|\\frac\{1\}\{)?\\?(?:√|sqrt))"
    r"|(?:n['’]t|\bnot) (?:(?:bother|with|to|apply|use|do|include|perform|even) ){0,2}"
    r"(?:(?:any|the|usual) ){0,2}(?:scaling\b(?! with)|scale (?:by|the|them|it) |divi(?:de|ding|sion) )"
    r"|(?:leav(?:es?|ing)|left) (?:(?:the|any|usual) ){0,2}scal(?:e|ing)(?: factor)? (?:out|away|off|aside)\b"
    r"|unscaled|\bscal(?:e|ing)(?: factor)?(?: is| was)? (?:omitted|skipped|ignored|dropped|left out)\b"
    r"|\bscale ?= ?1(?:\.0+)?(?![\d.])"
    r"|(?:设|取|令|\b(?:assum|suppos|let|tak|pretend)\w*)[^,;，。；\n\d=≈]{0,30}(?:√|sqrt)[^,;，。；\n=≈]{0,12}"
    r"[=≈] ?1(?:\.0+)?(?![\d.])",
    re.IGNORECASE,
)
"""Words that leave the scale out; the last are those that choose 1 for it, `设除以 √d_k = 1`."""
_ROOT = re.compile(
    r"(?:sqrt\{?|√)\{?\(?\{?(?:d|\d+(?!\.?\d))"
    r"|(?:\b(?:d|d_?k|dim|d_model|head_dim)|(?:shape\[|size\()-?\d[\])]) ?\*\* ?\(?0?\.5\b"
    r"|\bsquare root of (?:the )?(?:(?:key|query|head|embedding)s?(?:['’]s?)? )?(?:dim|width|d_k)",
    re.IGNORECASE,
)
"""The root of a width: that of a decimal is a standard deviation."""
_DIVIDED = re.compile(
    r"(?:\b(?:scal|divi)\w+|÷|/|除以|缩放)[^.\n]{0,30}?"
    r"(?:(?:√|sqrt|square root of)[({ ]{0,2}(\d{1,4})(?!\.?\d)"
    r"|(?:√|sqrt)[({ ]{0,2}d[_{ ]{0,2}k?[)} ]{0,3}(?:=|≈|is) ?(\d{1,2})(?!\.?\d))"
    r"|\bdivi\w+ (?:\w+ ){0,2}(?:scores?|products?|them|it|each|all) by [*$]*(\d{1,2})(?![\w%]|\.\d)",
    re.IGNORECASE,
)
"""What scores are divided by: the root of a number, or of d_k, which is a whole one, or a whole number."""
_DIVIDES = re.compile(
    r"\b(?:divid\w+|scal(?:e|ed|ing))\b(?: \w+){0,3} (?:by|with) [^.\n]{0,12}(?:√|sqrt|square root)",
    re.IGNORECASE,
)
"""What is said to be divided is not left as it is, whatever is called unscaled."""
_ALL_THREE = (
    r"\b(?:Q|quer(?:y|ies))\b[^.\n]{0,12}\b(?:K|keys?)\b[^.\n]{0,14}\b(?:V|values?)\b",
    r"(?:Q|查询|query)[^。\n]{0,6}(?:K|键|key)[^。\n]{0,6}(?:V|值|value)",
)
_UNPROJECTED = re.compile(
    rf"\b(?:embeddings?|inputs?|vectors?|X)\b[^.\n]{{0,40}}\b(?:as|for)\b[^.\n]{{0,30}}{_ALL_THREE[0]}"
    rf"|{_ALL_THREE[0]}[^.\n]{{0,16}}\b(?:are|equals?)\b[^.\n]{{0,24}}\b(?:embeddings?|inputs?|X)\b"
    r"|\b(?:no|without|skip(?:ping)?|omit(?:ting)?)\b (?:the |any )?(?:learned |linear )*"
    r"(?:projection|weight matri)"
    rf"|(?:直接|同时)[^。\n]{{0,20}}(?:作为|当作|充当)[^。\n]{{0,10}}{_ALL_THREE[1]}"
    rf"|{_ALL_THREE[1]}[^。\n]{{0,4}}(?:都|均|就)[^。\n]{{0,6}}(?:等于|是|为|取|用)[^。\n]{{0,8}}"
    r"(?:X|输入|词向量|嵌入)"
    r"|(?:不做|不使用|不用|省略|忽略|没有|不考虑|跳过)[^。\n]{0,8}(?:线性变换|投影|权重矩阵)",
    re.IGNORECASE,
)
"""Q, K and V are said to be the inputs themselves."""
_LABEL = re.compile(r"[*_]* ?[:：]|时|的话")
"""Behind `without scaling` it says so of one formula, in a text that writes a root; so does `不缩放时`."""
_CAUSAL = re.compile(
    r"(?<!no )(?<!without )(?<!without a )(?:causal mask|causally masked|look-ahead mask)"
    r"|(?<![不无没未])(?<![不无没未][加有用带])因果(?:掩码|遮罩)"
    r"|\bonly (?:look|attend|see)s? (?:at |to )?(?:itself|earlier|previous|the past)"
    r"|\b(?:can|may|must|should|do|does|could)(?: ?not|n['’]t) (?:see|look|attend|peek)[^.\n]{0,24}"
    r"\b(?:future|later|ahead)"
    r"|只能看(?:到|见)?(?:自己|前面|之前)",
    re.I,
)
_TEMPERATURE = re.compile(
    r"(?:temperature|温度)[^\d\n=]{0,24}=? ?(\d+(?:\.\d+)?|\.\d+)(?![\d.]*[ ]?°)", re.IGNORECASE
)
PADDING = re.compile(
    r"(?:padding[ _]mask|attention[ _]mask|填充掩码)[^\[\n\d]{0,12}\[([01](?:, ?[01])*)\]", re.IGNORECASE
)
# What a text has that a pattern can be found in: looking for these takes a tenth of the time.
_CAUSAL_SIGNS = (
    *("causal", "look-ahead", "因果", "只能看"),
    *("only look", "only attend", "only see", "future", "later", "ahead"),
)
_ROOT_SIGNS = ("√", "sqrt", "square root", "scores by", "products by")
_OMITTED_SIGNS = ("scal", "divi", "缩放", "除以", *_ROOT_SIGNS)
_UNPROJECTED_SIGNS = (
    *("q", "查询", "projection", "weight matri"),
    *("线性变换", "投影", "权重矩阵"),
)
_WARM_SIGNS = ("temperature", "温度")
_PADDING_SIGNS = ("mask", "掩码")
_T = re.compile(r"(?<![\w\\])(?:T|τ|\\tau) ?= ?[$`]*(\d+(?:\.\d+)?)")
_SUPPOSED = re.compile(r"\b(?:if|would|were|could)\b|如果|假如|若|会变|变成|错误|\bmistakes?\b|\bwrong", re.I)
ELSEWHERE = re.compile(
    r"\b(?:would|in practice|in reality|real[- ]?world|real(?:istic)? models?|typical(?:ly)?|usual(?:ly)?"
    r"|GPT|BERT|LLaMA|Vaswani|original (?:paper|transformer)|et al)\b"
    r"|实际(?:中|上|的)?模型|实践中|原论文|通常|典型|如果|假如",
    re.IGNORECASE,
)
"""What a sentence says that speaks of models elsewhere, or of what is only supposed."""
SUPPOSED = re.compile(
    r"\bwould (?:be|give|have|look|become)\b"
    r"|\b[Ii]f (?:you|we|one|I) (?:forg[eo]t|skip|omit|leave|do not|don't)"
    r"|如果不|若不|假如不|如果忘"
)
"""`Without scaling, the weights would be`: no step of the walk."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Conventions that words declare.

    `scale` is `1` where scaling is said to be left out, the usual factor where a root is written, else None;
    `roots` are what stands under the roots that something is divided by; `unprojected` says that Q, K
    and V are the inputs themselves. `settings` are the offsets of numbers that are no more than a convention,
    `root` that of the first root that is written, `warm` that of the first temperature.
    """

    causal: bool
    scale: str | None
    roots: frozenset[int]
    unprojected: bool
    temperature: str | None
    settings: tuple[int, ...]
    root: int = 0
    warm: int = 0

    @property
    def divided_by(self) -> int | None:
        """What stands under the only such root."""
        return next(iter(self.roots)) if len(self.roots) == 1 else None


@lru_cache(maxsize=1 << 9)
def heard(told: str) -> Heard:
    """The conventions that a text declares; a sentence that supposes something declares nothing."""
    low = told.lower()
    root = _ROOT.search(told)
    usual = "1/sqrt(d_k)" if root else None
    causal = _has(low, _CAUSAL_SIGNS) and _CAUSAL.search(told) is not None
    omits = OMITTED.search(_lines_with(_OMITTED_SIGNS, told)) is not None
    plain = [
        said
        for _, said in sentences(told if causal or omits or _has(low, _ROOT_SIGNS) else "")
        if (causal or omits or _has(said.lower(), _ROOT_SIGNS)) and not _SUPPOSED.search(said)
    ]
    omitted = [said for sentence in plain for said in OMITTED.finditer(sentence)] if omits else []
    if usual is not None:
        omitted = [said for said in omitted if not _of_one_step(said)]
    divisors = [said for sentence in plain for said in _DIVIDED.finditer(sentence)]
    roots = {int(said[1]) if said[1] else int(said[2] or said[3]) ** 2 for said in divisors}
    settings = [*_TEMPERATURE.finditer(told)] if _has(low, _WARM_SIGNS) else []
    warm = _temperatures(told) if settings else set()
    settings += PADDING.finditer(told) if _has(low, _PADDING_SIGNS) else ()
    return Heard(
        causal and any(map(_CAUSAL.search, plain)),
        "1" if omitted and not any(_DIVIDES.search(OMITTED.sub(" ", said)) for said in plain) else usual,
        frozenset(roots),
        _UNPROJECTED.search(_lines_with(_UNPROJECTED_SIGNS, told)) is not None,
        warm.pop() if len(warm) == 1 else None,
        tuple(offset for said in settings for offset in range(said.start(1), said.end(1))),
        root.start() if root else 0,
        settings[0].start() if warm else 0,
    )


def _temperatures(told: str) -> set[str]:
    """The temperatures that a text tells; where it tells several, none is that of its walk."""
    plain = [said for _, said in sentences(told) if not _SUPPOSED.search(said)]
    said = {each[1] for sentence in plain for each in _TEMPERATURE.finditer(sentence)}
    return said | {each[1] for sentence in plain for each in _T.finditer(sentence)} if said else said


def _has(low: str, signs: Sequence[str]) -> bool:
    """Whether a text, in small letters, has one of the signs."""
    return any(sign in low for sign in signs)


def _lines_with(signs: Sequence[str], told: str) -> str:
    """The lines of a text that have one of the signs, if there are any."""
    return "\n".join(line for line in told.split("\n") if _has(line.lower(), signs))


def _of_one_step(said: re.Match[str]) -> bool:
    """Whether `unscaled` or `without scaling:` speaks of scores that are divided after all."""
    return said[0].lower() == "unscaled" or _LABEL.match(said.string, said.end()) is not None
