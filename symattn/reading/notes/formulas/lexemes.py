"""What the pieces of notes look like: one pattern for them all, and what words and verbs stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

NUMERAL = (
    r"\d+\{\.\}\d+"
    r"|\d+\.(?=[ ]*(?:[,\])&|+/⊙=≈→]|\*(?!\*)|\\(?:\\|times|cdot|end|approx)|-[ ]*\d)|[ ]+-?\d+\.[ \d\]])"
    r"|\d+(?:_(?:__)?\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?|(?<![:%])\.\d+(?![A-Za-z])"
)
"""A last point belongs to the numeral before what goes on with numbers: `[1., 0.]`, `2. × 0.5`, `1. & 0.`."""

TOKEN = re.compile(
    rf"""(?P<space>\ +|\\\ )
    |(?P<nl>\n)
    |(?P<num>{NUMERAL})
    |(?P<open>[(\[{{])
    |(?P<close>[)\]}}])
    |(?P<comma>[,，、])
    |(?P<amp>&)
    |(?P<over>\\(?:overset|stackrel)\ *\{{(?:[^{{}}\n]|\{{[^{{}}\n]*\}}){{0,60}}\}}
        \ *\{{?\ *:?(?:=|\\approx|\\(?:[Ll]ong)?[Rr]ightarrow\b|\\to\b|\\mapsto\b)\ *\}}?
        |\\x(?:rightarrow|longequal|mapsto)\ *(?:\[[^\]\n]{{0,60}}\]\ *)?
         \{{(?:[^{{}}\n]|\{{(?:[^{{}}\n]|\{{[^{{}}\n]*\}})*\}}){{0,60}}\}})
    |(?P<env>\\begin\ *\{{[A-Za-z]+\*?\}}(?:(?<=\*\}})\[[lrc]\])?)
    |(?P<endenv>\\end\ *\{{[A-Za-z]+\*?\}})
    |(?P<row>\\\\(?:\[[^\]\n]{{0,12}}\])?|\\(?=[ \t]*\n)|\\cr\b|\\tabularnewline)
    |(?P<percent>\\?%)
    |(?P<accent>\\(?:wide)?(?P<mark_above>hat|tilde)
         \ *\{{?\ *(?P<letter>[A-Za-z]|\\alpha)(?![A-Za-z])(?:\ *\}})?)
    |(?P<text>\\(?:text(?:bf|rm|it|tt)?|mbox|hbox|operatorname\*?|math(?:rm|bf|it|sf)|boldsymbol|bm
        |vec|bar|tilde)\ *\{{(?!\ *[(\[]*[-+]?\d+(?:\.\d+)?[,%\]}}])[^{{}}\n]{{0,200}}\}})
    |(?P<nothing>\\(?:[hv]?phantom|label|tag\*?|eqref|ref)\ *\{{[^{{}}\n]{{0,60}}\}})
    |(?P<command>\\[A-Za-z]+|\\[^A-Za-z\s])
    |(?P<dots>\.\.\.+|…+|⋮|⋯|⋱)
    |(?P<label>"[^"\n\d,=]{{1,24}}"|“[^”\n\d,=]{{1,24}}”|‘[^’\n\d]{{1,24}}’|「[^」\n\d]{{1,24}}」|„[^“”"\n\d,=]{{1,24}}[“”"]|(?<!\w)'[^'\n\d,=\s]{{1,24}}'(?!\w)|'[^'\n\d,=\s]{{2,24}}')
    |(?P<cjk>[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+)
    |(?P<module>(?:np|numpy|torch|nn|math|F|tf|jnp)\.(?=[A-Za-z]))
    |(?P<method>(?<=[\w)\]])\.(?:values|(?:to_)?numpy\(\)|detach\(\)|float\(\)|double\(\)|cpu\(\))(?!\w))
    |(?P<contraction>[A-Za-z]+['’](?:s|re|ll|ve|m|d|t)\b(?!['’]))
    |(?P<word>[^\W\d_]\u0302|[^\W\d_\u00b2\u00b3\u00b9\u1d00-\u1d7f\u2070-\u209c](?:[^\W_\u1d00-\u1d7f\u2c7c\u3040-\u9fff\u00b2\u00b3\u00b9\u2070-\u209c]|_(?=[A-Za-z\d]))*)
    |(?P<subs>[₀-₉ₐ-ₜᵢ-ᵥⱼ]+)
    |(?P<sup>[⁰¹²³⁴-⁹⁻⁺ᵀᵗ]+)
    |(?P<hash>\#+|(?<=\ \ )<--?(?=\ *["“'A-Za-z]))
    |(?P<rel><-(?=\ )|==+|->|=>|:=|<=|>=|[=≈<>≤≥→≠∝]|~(?!\())
    |(?P<emphasis>\*\*+|__+)
    |(?P<attribute>\.m?T(?![A-Za-z])|\.t\(\)|\.transpose\([^()\n]{{0,12}}\))
    |(?P<op>[-+*/^_√∞'ᵀ@⊙])
    |(?P<colon>::?)
    |(?P<mark>[`$"“”‘’「」])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)

_COPULA = re.compile(
    r"(?:(?P<equal>(?:[大]?约|近似)?等于|[大]?约为|[大]?约是|约|得到|得出|可得|得)|(?:分别|依次|就|即)?[为是]|即)$"
)
"""The end of a run of Chinese that says what a value behind it belongs to: 输出为 [1, 2], 总和等于 3.4."""
_VALUE = re.compile(r" *(?:\\left)?[`$* ]*(?:\\begin|[-+]?(?:\d|\.\d)|[-+]?[\[(][-+ \[(\d.])")
SHOWN = re.compile(
    r"\#+ *(?:(?:->|=>|→|≈|=|(?P<said>[Oo]utput:|[Rr]esult:|[Pp]rints:?|(?:输出|结果|得到|打印)[:=]?)) *)?"
    r"(?P<result>(?:(?:array|tensor)\()?(?P<first>\[(?=\[|(?(said)\ *[-\d]|[^\n]*\.\d)))?"
    r"[-+\d.,eE \[\]]*\)?,?) *(?:(?:←|<-)[^\n]*)?"
)
"""A comment of code with nothing but a matrix or a list, of decimals where no word announces it.

`# [[1, 0],`, `# -> [0.5, 0.5]`, `# Output: [7 5]`, `# [0.5, 0.5]]  ← evenly`
"""
_FACTOR = re.compile(r"[A-Za-z]_?\d{1,2}|W_?[QKVOqkvo]|[KVW]")
_FACTORS = re.compile(r"(?:[A-Za-z]_\d{1,2}){2,}|[a-z]_\d{1,2}(?:[KVW]|W_?[QKVOqkvo])|[qQ]\d{1,2}[kK]\d{1,2}")
"""`Q_1K_1`, `q_1K` and `q1k1`, two names and no word."""
_PROJECTION = re.compile(r"([A-Z])(W(?:_?[QKVOqkvo]|_[12])?)")
"""`YW_Q` and `HW_2`, or the `YW` before `_{Q}`: a letter times weights."""
_RAISED = re.compile(r"([TQKVOqkvo])([A-Z](?:_?\d{1,2})?)")
"""What stands behind `^` in `K^TQ` and `W^qX`: TeX raises one letter, and the next one is a factor."""
_TURNED = re.compile(r"(W_[QKVOqkvo])([XIH]|[xah]_?\d{1,2})|(V)(A)|(X)(X)|(A)(X)")
"""`W_QX`, `W_qx_1` and `VA`, products where tokens are columns; `XX^T` and `AX`, without weights."""
BULLET = re.compile(r" {0,60}(?:[-*+•] +(?:\[[ xX]\] )?|\d{1,3}[.)、] ?(?=[^\d,;:])|\(\d{1,2}\) )? {0,20}")
LISTED = re.compile(r" {0,60}[-*•] +(?=[^\W\d_][^\n=≈:]{0,40}[=≈:])")
"""A bullet of text laid out in a fence: an equation of its own stands behind it, no summand."""
_SUMMAND = re.compile(r" *\+ +[-−\d.(\[][^A-Za-z:]*$")
"""A line of numbers and signs behind a plus."""
_ENDS_TERM = tuple("0123456789)]")
RULE = re.compile(r" *(?:[-=*_] ?){3,}$")
_SPOKEN = {"times": "*", "plus": "+"}
_MULTIPLIED = re.compile(r" ?(?:[(\[] ?[-+]?)?\.?\d")
_BRACKETED = re.compile(r"\( ?[-+]?\.?\d[\d.]* ?\) *$")
"""Factors behind and before the letter x: `2 x 3`, `(-0.5) x (-0.2)`, `0.5 x [1, 2]`."""
_LONGEST_FACTOR = 24


def adds(text: str, start: int, end: int) -> bool:
    """Whether a line goes on with the sum above it, `+ 0.3*0.5` below `= 0.2*0.1`, and is no bullet."""
    above = text[max(start - 2, 0) : max(start - 1, 0)]
    return above in _ENDS_TERM and _SUMMAND.match(text, start, end) is not None


def copula_of(said: str, text: str, after: int) -> re.Match[str] | None:
    """The verb at the end of a run of Chinese, where a value stands behind it and no colon between them.

    What begins by counting, as in `第1个词的权重是`, is a sentence and no name.
    """
    copula = _COPULA.search(said) if _VALUE.match(text, after) else None
    return None if text[after : after + 1] == ":" or said.startswith("个") else copula


_SUM = re.compile(r"(Σ|sum(?=_[a-z]$))(?:_(\w+))?")
"""The sign of a sum, and the index that it runs over."""


def pieces(
    match: re.Match[str], spot: tuple[int, int], tight: bool, previous: str | None
) -> Iterator[tuple[str, str, int, int, bool]]:
    """The tokens that a word is: names without a sign between them are several, and a word may be a sign.

    `previous` is the kind of the token before it.
    """
    said, (start, end) = match[0], spot
    if said in _SPOKEN and _product(match, previous):
        yield "op", _SPOKEN[said], start, end, tight
    elif said[0] in "xX" and said[1:].isdigit() and tight and previous == "num":
        yield "op", "*", start, start + 1, True
        yield "num", said[1:], start + 1, end, True
    elif sum_sign := _SUM.fullmatch(said):
        yield "command", "sum", start, start + len(sum_sign[1]), tight
        if sum_sign[2]:
            yield "op", "_", end - len(sum_sign[2]), end - len(sum_sign[2]), True
            yield "word", sum_sign[2], end - len(sum_sign[2]), end, True
    elif _FACTORS.fullmatch(said):
        for factor in _FACTOR.finditer(said):
            yield "word", factor[0], start + factor.start(), start + factor.end(), tight
    elif parts := (_raised(match) or _TURNED.fullmatch(said)):
        first, second = filter(None, parts.groups())
        yield "word", first, start, start + len(first), tight
        yield "word", second, start + len(first), end, True
    elif (parts := _PROJECTION.fullmatch(said)) and (len(parts[2]) > 1 or _indexed(match)):
        yield "word", parts[1], start, start + 1, tight
        yield "word", parts[2], start + 1, end, True
    elif said in ("x", "X") and _product(match, previous):
        yield "op", "*", start, end, tight
    else:
        yield "word", said, start, end, tight


def _product(match: re.Match[str], previous: str | None) -> bool:
    """Whether a word between two values joins them: 3x4, 2 x 3, `0.5 times [1, 2] plus ...`."""
    if match[0] in "xX":
        before = match.string[max(match.start() - _LONGEST_FACTOR, 0) : match.start()]
        behind = previous == "num" or (previous == "close" and _BRACKETED.search(before) is not None)
        return behind and _MULTIPLIED.match(match.string, match.end()) is not None
    after = match.string[match.end() : match.end() + 3].lstrip()
    if previous == "close":
        return after[:1].isdigit() or after[:1] in ("[", "(")
    return previous == "num" and after[:1] in ("[", "(")


def _raised(match: re.Match[str]) -> re.Match[str] | None:
    """The letter that is raised and the factor behind it, where a word stands behind `^` without braces."""
    return _RAISED.fullmatch(match[0]) if match.string[match.start() - 1 : match.start()] == "^" else None


def _indexed(match: re.Match[str]) -> bool:
    """Whether a subscript or a superscript stands behind a word."""
    return match.string[match.end() : match.end() + 1] in ("_", "^")
