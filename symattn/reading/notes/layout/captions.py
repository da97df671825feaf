"""What the words above a table say that it is: `**Scaled scores:**`, `### Step 4: attention weights`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Grid, Name, Row, numerals, walk
from symattn.reading.notes.formulas.names import FACTORS, Bases, resolve
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.heard import SUPPOSED

CAPTION_LINES = 3
_KANA = r"\u3041-\u30fa\u30fc-\u30ff"
_OPENING = re.compile(r"[\s>]*(?:\$\$|\\\[|\\(?:approx|simeq|cong|quad)|&?[=≈]\s*\\?)?\s*")
"""A line that only opens what stands below it: blank, `$$`, or a sign of relation."""
_WORDS = re.compile(
    rf"[^\W\d_{_KANA}\u4e00-\u9fff\u1d00-\u1d7f\u2070-\u209c]+(?:_+[A-Za-z]+)*(?:_\d)?(?:\^T)?"
    rf"|[{_KANA}\u4e00-\u9fff]+"
)
"""Letters up to a blank, and runs of the signs that stand without any."""
LONGEST_NAME = 5
"""How many words a quantity is called by at most."""
_DRESS = re.compile(r"[\s*`$_{}()^\\:：#=@.>]+")
_ASIDE = re.compile(
    r"(?<![A-Za-z\d_])\([^()]*\)|\$[^$\n]*\$|[“„][^“”„\n]{1,24}[”“]|«[^«»\n]{1,26}»|「[^「」\n]{1,24}」"
)
_PRODUCT = re.compile(r"(?:frac)?Q[\d₀-₉]?[·*]?K[\d₀-₉]?(?:T|ᵀ|⊤|top|')(/?(?:√|sqrt)(?:d_?[kₖ]?|\d))?")
"""`Q K^T` and `Q K^T / √d_k` without their dress."""
_WRITTEN_OUT = re.compile(
    r"(?<![^\W\d_])(?P<left>[A-Z])(?:_?\d)? ?(?P<sign>[*·@]?) ?(?P<right>W_[QKVO]|[A-Z])(?:_?\d)?"
    r"(?P<turned> ?(?:\^ ?\{?\\?(?:T|top|intercal)\b\}?|ᵀ|⊤|\.T\b|T\b|'|的?转置))?(?![^\W\d_]|_)"
)
"""`Q·K^T` and `A × V` in words."""
_MADE: Mapping[tuple[str, str], str] = {factors: name for name, factors in FACTORS.items()}
_DIVIDED = re.compile(
    r"\b(?:[Ss]cal(?:e|ing)|[Dd]ivi(?:de|ding))\b[^.\n]{0,30}(?:√|sqrt|square root)"
    r"|scores? *[/÷] *(?:√|\\?sqrt)"
    r"|(?:除以|^\W*/)[^。\n]{0,12}(?:√|sqrt|根号)|(?:√|sqrt)[^。.\n]{0,8}(?:で割|로 ?나누|ile böl)"
    r"|\b(?:divi[sd]|dividi|teil|tei[lt]|dél|дел|діл|dziel|chia|delen)\w*[^.\n]{0,24}(?:√|sqrt)",
    re.I,
)
_UNDIVIDED = re.compile(r"(?:[未没沒不]|\b(?:not|without|before)\b)[^，。,.;；]{0,6}$", re.I)
"""What says before it that nothing was divided yet: `原始得分（还没有除以 √2）`."""
_YET = re.compile(r"[^，。,.;；]{0,4}之?前")
"""The same behind it: `除以 √2 之前`."""
_MULTIPLIED = re.compile(
    r"\b(?:Q|quer(?:y|ies))\b[^.\n=]{0,24}\b(?:times|by|with|against|meets?|dot)\b[^.\n=]{0,24}\b(?:K|keys?)\b"
    r"|\bdot(?:ted|ting|s)? (?:\w+ ){0,3}?(?:with|against|by|into) (?:\w+ ){0,3}?(?:K|keys?)\b",
    re.IGNORECASE,
)
"""What makes scores, in words: `Q times K transposed`, `every query meets every key`, `dotting it with K`."""
_MIXED = re.compile(
    r"(?:[,:;] ?|\b(?:[Ww]eights|attention|A) |\b[Mm]ultipl\w+ (?:\w+ ){0,3})"
    r"(?:times|by|with) (?:the )?\$?(?:V|values?)[^\w=]*$"
    r"|\b(?:[Ww]eights?|[Ss]oftmax|[Aa]ttention)\b *[*×·⋅@x] *(?:V|[Vv]alues?)[^\w=]*$"
)
"""What makes the output, in words, at the end of a line: `Step 4, times V:`, `Result = Softmax * Values`."""
_SYMBOL = re.compile(r"[ *_`#>-]*\b([A-Za-z](?:_[A-Za-z]|\^[A-Z]|[QKVqkv])?)[*_`]* *(?:\(|[—–:]|-(?= )|$)")
"""A letter, and an aside or a dash behind it: what the words say that it is."""
_CALLED = re.compile(r"[a-z],? (?:(?<=, )(?:now )?|called |named |denoted )[*_`$]*([A-Z])[*_`$]*[ :=]*$")
"""The letter that a caption ends with, behind what it is the name of: `The sum of the two, X:`."""
_OF_FACTORS = re.compile(
    r"(.+?)(?:(?:乘以|点乘|@)(.+?)(?:的转置)?|[和与](.+?)(?:的转置)?的?(?:相乘|点积|做点积|内积|做内积))"
)
"""`Q 乘以 K 的转置`, `权重矩阵与值矩阵相乘`: a quantity by its factors."""
_DIGITS = tuple("0123456789")
_SIZED = re.compile(r"\b(?:dimensions?|size|length|number of)\b", re.I)
"""Of a quantity that is not what a size is told of."""
_SOFTMAXED = re.compile(r"\bsoftmax\b|(?<!层)归一化(?!层)", re.I)
_SOFTMAX_OF = re.compile(
    r"softmax(?: ?(?:\\left|\\[Bb]igl?)? ?[(\[{][^)\]}\n]{0,60}| (?:of|over|on|applied to)\b[^.:;\n]{0,90})$",
    re.I,
)
"""What a softmax is taken of, still within its brackets or behind a preposition."""
_NOT_YET = re.compile(r"(?:\bbefore |\bpre-|\bto )(?:the )?softmax\b", re.I)
"""What is said of the scores that a softmax takes."""
AGAINST = re.compile(
    r"\b(?:with|against|to|over|across) (?:all|every|each)(?: of)?(?: (?:the|its|other))? [a-z]+"
    r"|[与和跟对](?:所有|全部|每一?个|各个)的? ?(?:键|[Kk]eys?|K)(?:向量)?",
    re.I,
)
"""What something else is held against: `cat with all keys: [2, 0]`."""
_OF_TWO_TOKENS = re.compile(r"\b(?:similarity|score|sim|dot)\(\w{2,}, ?\w{2,}\)", re.I)
"""`Similarity(cat, sat)` is a single number, and no name for the vectors below it."""
_SHOWS = re.compile(r" *# *(?:output|result): *", re.I)
"""A comment of code before what a line printed, whatever that is."""
_WEIGHTS = re.compile(r"weights?\b", re.I)
OF_TOKENS = re.compile(
    r"\b(?:tokens?|words?|vectors?|embed(?:s|ded|dings?)?|represent(?:s|ed|ations?)?)\b|词|向量",
    re.IGNORECASE,
)
"""What the first vectors of a document are said to be of: with that they are X."""
_RAISED = re.compile(r"\b([Wb])\^\{?([QKVO])\b\}?")
"""`W^Q` is W_Q, and no Q."""
_TIMES = re.compile(
    r"(?<![\w\\])\$?Q[₀-₉]? *(?:[·*@]|\\cdot)? *K[₀-₉]? *"
    r"(?:\^ *\{? *(?:\\(?:top|intercal|mathsf|mathrm)\b *\{?)?T?\}*|[ᵀ⊤']|\.T\b|T\b)\$?"
)
"""`Q K^T` within a caption."""
_BEHIND_EQUATION = re.compile(r"[^\n]*[=≈][^\n]*[,，;；]([^=≈\d,，;；\n]+)\n?")
"""The last clause of a line that has an equation before it: `√d_k = √2，缩放后得到`."""
_GRADE = re.compile(
    r"(?<![A-Za-z])(?:F1|R2|R²|R\^2|z|t|accuracy|precision|recall|auc|bleu|rouge|brier|silhouette|test|train"
    r"|exam|credit|fitness|reward|quality|risk|benchmark|eval(?:uation)?|cross[- _]val(?:idation)?)"
    r"[- _]?scores?(?![A-Za-z])"
    r"|(?:F1|R2|R²|准确率|精确率|召回率|考试|测试|信用|轮廓|质量|适应度)的?(?:分数|得分)",
    re.I,
)
"""The score of a model or of a student: `f1_score`, `Test scores:`, and none of attention."""
_PREPOSITION = re.compile(r"^(.*?) (?:of|over|before|for|between|from)\b")


def has_vector(item: Item) -> bool:
    """Whether a formula has a list of numbers in it."""
    return any(isinstance(node, Row | Grid) and any(numerals(node)) for node in walk(item.node))


def caption(context: Context, bases: Bases, line: int) -> str | None:
    """The quantity that the words above a line name last: beyond blanks and fences."""
    heard, spare = False, CAPTION_LINES
    for above in range(line - 1, max(line - 1 - 2 * CAPTION_LINES, -1), -1):
        said = context.said(above)
        spare -= heard or _OPENING.fullmatch(said) is None
        if spare < 0 or SUPPOSED.search(said):
            return None
        if not heard and _OPENING.fullmatch(said):
            continue
        if said.lstrip().startswith(("```", "\\begin{")) or (not heard and not _WORDS.search(said)):
            continue
        if not said.strip():
            return None
        heard = True
        if _PRODUCT.fullmatch(_DRESS.sub("", said)) is not None:
            return _product(said)
        name = named(said, bases) or (_product(said) if announces(said) else None)
        if name is not None:
            return name
    return None


def announces(said: str) -> bool:
    """Whether a line points to what stands below it."""
    return said.lstrip().startswith("#") or said.rstrip("*_`$ \n").endswith((":", "=", "≈"))


def product_of(said: str) -> str | None:
    """`scores` or `scaled`, where words are no more than Q K^T, or that divided by a root."""
    return _product(said) if _PRODUCT.fullmatch(_DRESS.sub("", said)) is not None else None


def _product(said: str) -> str | None:
    found = _PRODUCT.search(_DRESS.sub("", said))
    return None if found is None else "scaled" if found[1] else "scores"


@lru_cache(maxsize=1 << 9)
def named(said: str, bases: Bases) -> str | None:
    """The quantity that the words of a line name last."""
    sized = _SIZED.search(said) is not None and said.rstrip(" `*_$|").endswith(_DIGITS)
    if _OF_TWO_TOKENS.search(said) or SUPPOSED.search(said) or _SHOWS.fullmatch(said) or sized:
        return None
    said = _TIMES.sub("scores ", _RAISED.sub(r"\1_\2", _GRADE.sub(" ", said)))
    behind = _BEHIND_EQUATION.fullmatch(said)
    last = named(behind[1], bases) if behind is not None else None
    if last is not None:
        return last
    divided = _DIVIDED.search(said)
    if divided is not None and _is_not_yet(said, *divided.span()):
        said = f"{said[: divided.start()]} {said[divided.end() :]}"
    elif divided is not None:
        weighed = _SOFTMAX_OF.search(said, 0, divided.end()) or _SOFTMAXED.search(said, divided.end())
        return "A" if weighed else "scaled"
    if _MULTIPLIED.search(said):
        return "scores"
    if mixes(said):
        return "Z"
    symbol = _SYMBOL.match(said)
    if symbol is not None and (ref := resolve(Name(symbol[1]), bases)) is not None and ref.row is None:
        return ref.name
    called = _CALLED.search(said)
    ref = resolve(Name(called[1]), bases) if called is not None else None
    if ref is not None and ref.row is None:
        return ref.name
    said = AGAINST.sub(" ", _NOT_YET.sub(" ", said))
    factors = _OF_FACTORS.fullmatch(said.strip(" #*:=>\n"))
    made = _made_of(factors, bases) if factors is not None else None
    if made is not None or (factors is not None and "@" in said):
        return made
    if _SOFTMAXED.search(said):
        return "A"
    before = said.partition("=")[0]
    before = _WRITTEN_OUT.sub(_written_out, before)
    plain = _ASIDE.sub(" ", _WRITTEN_OUT.sub(_written_out, said)).partition("=")[0]
    head = head_of(plain, bases)
    if head is not None:
        return head
    return _last_named(_WORDS.findall(plain), said, bases) or _last_named(_WORDS.findall(before), said, bases)


def _is_not_yet(said: str, start: int, end: int) -> bool:
    """Whether words around a division say that it is still to come."""
    return _UNDIVIDED.search(said, 0, start) is not None or _YET.match(said, end) is not None


def mixes(said: str) -> bool:
    """Whether words end with what makes the output: `Step 4, times V:`."""
    return _MIXED.search(said) is not None


def _written_out(product: re.Match[str]) -> str:
    """A product of letters, by the name of what it makes: Q·K^T says scores, and neither Q nor K."""
    turned = product["turned"] is not None
    itself = turned and product["left"] == product["right"]
    made = "scores" if itself else _MADE.get((product["left"], product["right"]))
    certain = made is not None and (product["sign"] or turned or product["right"].startswith("W"))
    return f" {made} " if certain and turned == (made == "scores") else product[0]


def _made_of(said: re.Match[str], bases: Bases) -> str | None:
    """The quantity that the two make which are said to be multiplied."""
    factors = tuple(_factor(each.strip(), bases) for each in said.groups() if each)
    return next((name for name, of in FACTORS.items() if of == factors), None)


def _factor(said: str, bases: Bases) -> str | None:
    """The quantity that a factor is: a letter alone is no article."""
    ref = resolve(Name(said), bases) if len(said) == 1 else None
    return ref.name if ref is not None else _last_named(_WORDS.findall(said), said, bases)


def head_of(said: str, bases: Bases) -> str | None:
    """The quantity that stands before a preposition: scores, of `Scores of q3 against k1`."""
    head = _PREPOSITION.match(said)
    return _ending(_WORDS.findall(head[1]), said, bases) if head is not None else None


def _last_named(words: Sequence[str], said: str, bases: Bases) -> str | None:
    """The quantity that some of the words name, the last one where there are several."""
    endings = (
        _ending(words[max(count - LONGEST_NAME, 0) : count], said, bases)
        for count in range(len(words), 0, -1)
    )
    return next((name for name in endings if name is not None), None)


def _ending(words: Sequence[str], said: str, bases: Bases) -> str | None:
    """The quantity that the last words name together."""
    for size in range(LONGEST_NAME, 0, -1):
        name = alias(" ".join(words[-size:])) if len(words) >= size else None
        if name is None and size == 1 and words:
            ref = resolve(Name(words[-1]), bases)
            name = ref.name if ref is not None and ref.row is None and ref.name != "d_k" else None
        if name is not None:
            if name == "scores" and _product(said) == "scaled":
                return "scaled"
            return "A" if name == "Z" and words[-1].lower() == "attention" and _WEIGHTS.search(said) else name
    return None
