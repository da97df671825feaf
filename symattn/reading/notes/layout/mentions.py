"""Rows of tokens as words name them: `the second token`, `第二行`, `猫的注意力`, `token 1 → token 2`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from symattn.reading.notes.layout.sentences import sentences

_BELOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2}
_ENGLISH = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_ORDINAL = re.compile(
    r"第 ?([一二三四五六七八九十]|\d{1,3}) ?(?:行|个 ?(?:词|[Tt]oken|单词|位置|字))"
    r"|\b(?:[Rr]ow|[Tt]oken|[Pp]osition|[Qq]uery|[Ii]nput"
    r"|Zeile|[Ff]ila|[Ll]igne|[Ll]inha|[Rr]iga|[Сс]трок[аи]|행) #?(\d{1,3})\b"
    r"|\b((?i:first|second|third|fourth|fifth)|1st|2nd|3rd|4th) (?:row|token|word|query|position)\b",
)
_POSITION = re.compile(r"(?:位置|\bpos ?=) ?(\d{1,3})(?![\d.])")
_FROM_ZERO = re.compile(r"(?:位置|\bpos ?=|从) ?0(?![\d.])")
_ZEROTH = re.compile(r"\b(?:[Rr]ow|[Tt]oken|[Pp]osition|[Qq]uery) #?0\b|第 ?0 ?(?:行|个)")
_SUBSCRIPT = re.compile(r"(?<![\w^])[zqZ]_?\{?([1-9])\}?(?!(?!K)\w|\])")
MOST_ROWS = 8
"""Rows that a line names before nobody asks for more of them."""
_QUOTES = frozenset("\"“‘'「«„")
_AMOUNT = r"[-−]?\d+(?:\.\d+)? ?%?"
_JOINS = re.compile(
    rf"[\"”」'’*_ ]*(?:[=:≈(]? ?{_AMOUNT}\)?)? ?(?:,|and|、|，|和|, and|\|) ?"
    rf"(?:{_AMOUNT} ?(?:for|on|to|from)? ?(?:the )?)?[\"“「'‘*_ ]*"
)
"""Between two tokens of a list of them: `cat and dog`, `cat 0.2, dog 0.8`, `20% for cat, 80% for dog`."""
_SHARED = re.compile(
    rf"(?<![\w.]){_AMOUNT} (?:for|on|onto|to|with|from|towards?) (?:the )?(?:word |token )?[*_]*$"
)
"""Before a token that has a number of another row: `gives 0.6 for "cat"`."""
_APART = r"(?:(?<![\w\"“])|(?<=计算)|(?<=对于)|(?<=所以)|(?<=因此))"
"""Before a word that stands by itself: Chinese has no blanks around it."""
_COUNTED = re.compile(r"第 ?([一二三四五六七八九十]|\d{1,2}) ?行,? ?第 ?([一二三四五六七八九十]|\d{1,2}) ?列")
_NUMBERED = re.compile(r"([A-Za-z]{1,9}|[\u4e00-\u9fff]{1,3}) ?(\d{1,2})\W{1,4}\1 ?(\d{1,2})(?![\d.])")
_BECOMES = r"(?: is| are| equals| becomes| as| (?:comes|works) out (?:as|at|to)| comes to)?"
_OWNED = (
    r"(?<![与和跟对·×])[\"“「'‘]({token})[\"”」'’]的[^\W\d_]{{1,6}}(?: ?[是为:=：≈])*[\s$`(\[]*$"
    r"|\b(?:query|key|value|output|embedding)(?: vector)? (?:of|for) [\"“'‘]?({token})[\"”'’]?"
    rf"{_BECOMES}[\s:=≈$`(\[]*$"
    r"|(?<!\w)[\"“]?({token})[\"”]?['’]s (?:query|key|value|output|embedding)(?: vector)?"
    rf"{_BECOMES}[\s:=≈$`(\[]*$"
)
"""Words that say directly before a list whose it is."""
_KINDS = (
    r"(?:[Qq]uery|[Kk]ey|[Vv]alue|[Oo]utput|[Ee]mbedding|[Ii]nput|[Cc]ontext|[QKV])(?: (?:vector|embedding))?"
)
_NTH = r"(?:(?:first|second|third|fourth|fifth) (?:token|word|position)|[Tt]oken \d{1,2})"
_OWNED_BY_NUMBER = re.compile(
    r"(?:(?<![与和跟对·×])第 ?(?:[一二三四五六七八九十]|\d{1,2}) ?个 ?(?:词|[Tt]oken|单词|位置|字) ?的 ?"
    rf"(?:查询|键|值|输出|嵌入|输入|词|上下文|{_KINDS})(?:嵌入)?(?:向量|表示)?(?: ?[是为:=：≈])*"
    rf"|\b(?:{_NTH}['’]s {_KINDS}|{_KINDS} (?:of|for) (?:the )?{_NTH}){_BECOMES})"
    r"[\s:=≈$`(\[]*$"
)
"""The same where tokens are counted: `the second token's key is`, `第2个词的键为`."""
_PRONOUN = r"(?:[它他她]|其|自己)?(?:[再又先去]|首先|然后)?"
_WITH = re.compile(rf"(?:^|[^\w\"”」』]){_PRONOUN}[与和跟同] ?$")
"""Before a token that is no query, at the beginning of a clause."""
_BY_OTHER = re.compile(r"([^\W\d_\u4e00-\u9fff]{2,}|[“\"「][^”\"」\n]{1,16}[”\"」]) ?对 ?[“\"「]?$")
"""Before the keys of a query by another name: `Good 对 猫、狗 的分数`."""
_KEYED = (
    rf"(?:^|[^\w\"”」』]){_PRONOUN}"
    r"[与和跟同对] ?[\"“「]?({token})[\"”」]? ?的?"
    r"(?:点积|内积|得分|分数|打分|相似度|匹配度|注意力|权重)"
)
"""A key beside the query that a heading names."""
_UNJOINED = r"(?<![A-Za-zÀ-ɏЀ-ӿ])({token})(?![A-Za-zÀ-ɏЀ-ӿ])"
"""A token that is no part of a longer word."""
_TWO = rf"{_UNJOINED}[^\d\n=]{{{{1,8}}}}?{_UNJOINED}"
_LABEL = (
    r"[\"“‘'「(（«„] ?({token})(?:的?[QKV])? ?[\"”’'」)）»“]"
    rf"|{_APART}({{token}})(?:(?![\w\"”])|(?=[的对]))"
)


_EVERYWHERE = (
    "a an and are as at be by do for from has he i in is it my no not of on or she so that the they this to"
    " was we with you der die das ein eine und ist im in le la les un une et est el los las y es en que"
    " 的 是 在 和 有 了 不 与"
)
_FUNCTION_WORDS = frozenset(_EVERYWHERE.split())
"""Words that stand in every sentence."""
_GOES_ON = r"(?! {0,3}[\w\\$(\[+−≈-]| {1,3}`)"
"""Behind a word that goes with the one after it: `the weights`, `is 0.5`."""


_PRONOUNS = frozenset({"he", "i", "it", "she", "they", "we", "you"})
_SPEAKS_ON = r"(?! {0,3}[^\W\d])"
"""Behind a pronoun that is no token: a number behind it is its own, `he 0.5`."""


class Mentions:
    """Which rows the words of a line mean, by the labels of the rows and by how the document counts."""

    def __init__(self, told: str, tokens: Sequence[str], base: int) -> None:
        self.told = told
        self.tokens = tuple(tokens)
        self.base = base
        self.firsts: dict[str, int] = {}
        longest_first = sorted(filter(None, tokens), key=len, reverse=True)
        self.quoted = "|".join(map(_pattern, longest_first))

    @cached_property
    def counted(self) -> int:
        """What the document calls the first row by number."""
        return 0 if counts_from_zero(self.told) else 1

    @cached_property
    def position(self) -> int:
        """What it calls the first position."""
        return 0 if _FROM_ZERO.search(self.told) else 1

    @cached_property
    def numbered(self) -> bool:
        """Whether it tells of two rows by number anywhere: `token 1 → token 2`."""
        return _NUMBERED.search(self.told) is not None

    @cached_property
    def label(self) -> re.Pattern[str] | None:
        """A token in quotes or by itself; this and the next are compiled where they are asked for."""
        return self._compiled(_LABEL)

    @cached_property
    def owned(self) -> re.Pattern[str] | None:
        """A token that what follows is said to be of."""
        return self._compiled(_OWNED)

    @cached_property
    def keyed(self) -> re.Pattern[str] | None:
        """A token that is the key of a score."""
        return self._compiled(_KEYED)

    @cached_property
    def two(self) -> re.Pattern[str] | None:
        """Two tokens close to one another."""
        return self._compiled(_TWO)

    def _names_one(self, said: str) -> bool:
        """Whether a token is in the words at all, without which no pattern of them can be."""
        return any(token in said for token in self.tokens if token)

    def _compiled(self, pattern: str) -> re.Pattern[str] | None:
        """A pattern with the tokens in it; None without any."""
        return re.compile(pattern.format(token=self.quoted)) if self.quoted else None

    def rows(self, said: str) -> list[tuple[int, int]]:
        """Where words mean a row, and the row."""
        said = said.translate(_BELOW)
        rows = [(m.start(), _ordinal(m, self.counted)) for m in _ORDINAL.finditer(said)]
        rows += [(m.start(), int(m[1]) - self.base) for m in _SUBSCRIPT.finditer(said)]
        rows += [(m.start(), int(m[1]) - self.position) for m in _POSITION.finditer(said)]
        if self._names_one(said) and self.label is not None:
            rows += [(m.start(), self.tokens.index(m[1] or m[2])) for m in self._named(self.label, said)]
        return sorted((at, row) for at, row in rows if row >= 0)

    def _named(self, label: re.Pattern[str], said: str) -> Iterator[re.Match[str]]:
        """The tokens in words, but for the keys of a query that is none of them."""
        end = None
        for found in label.finditer(said):
            other = _BY_OTHER.search(said, 0, found.start())
            joined = end is not None and _JOINS.fullmatch(said, end, found.start()) is not None
            shared = _SHARED.search(said, max(found.start() - 40, 0), found.start())
            if joined or shared or (other is not None and other[1].strip('“”"「」') not in self.tokens):
                end = found.end()
            elif not _WITH.search(said, 0, found.start()):
                end = None
                yield found

    def without_token(self, said: str) -> tuple[str, int] | None:
        """Words that name a single token without it, and that token."""
        label = self.label if self._names_one(said) else None
        named = list(islice(label.finditer(said), 2)) if label is not None else []
        if len(named) != 1:
            return None
        (found,) = named
        return f"{said[: found.start()]}…{said[found.end() :]}", self.tokens.index(found[1] or found[2])

    def key(self, said: str) -> int | None:
        """The key of the last score that words are about, with no word on its query: 与“猫”的点积为."""
        found = list(self.keyed.finditer(said)) if self._names_one(said) and self.keyed is not None else []
        return self.tokens.index(found[-1][1]) if found else None

    def owner(self, said: str) -> int | None:
        """The row of the token that what follows is said to be of: `“sat”的键向量是`, `the key of sat is`."""
        found = self.owned.search(said) if self._names_one(said) and self.owned is not None else None
        if found is not None:
            return self.tokens.index(found[1] or found[2] or found[3])
        counts = _OWNED_BY_NUMBER.search(said)
        return numbered(counts[0], self.counted) if counts is not None else None

    def pair(self, said: str) -> tuple[int, int] | None:
        """The two tokens that are named last, close to one another; a third behind them is the second."""
        pairs = list(self.two.finditer(said)) if self._names_one(said) and self.two is not None else []
        if not pairs:
            return _counted_pair(said) or self._numbered_pair(said)
        row, col = (self.tokens.index(token) for token in pairs[-1].groups())
        behind = [at for where, at in self.rows(said) if pairs[-1].end() <= where]
        return row, behind[-1] if behind else col

    def _numbered_pair(self, said: str) -> tuple[int, int] | None:
        """`token 1 → token 2`, and `token 3` behind it."""
        pair = _NUMBERED.search(said) if self.numbered else None
        if pair is None:
            return None
        word, row, col = pair.groups()
        *_, last = col, *re.findall(rf"{re.escape(word)} ?(\d{{1,2}})", said[pair.end() :])
        if word not in self.firsts:
            self.firsts[word] = 0 if re.search(rf"{re.escape(word)} ?0(?![\d.])", self.told) else 1
        return int(row) - self.firsts[word], int(last) - self.firsts[word]

    def names_several(self, said: str) -> bool:
        """Whether a line lists tokens, and speaks of none before these, or lists rows by their numbers."""
        if len({m[1] for m in islice(_SUBSCRIPT.finditer(said.translate(_BELOW)), MOST_ROWS)}) > 1:
            return True
        label = self.label if self._names_one(said) else None
        named = list(islice(label.finditer(said), 2)) if label is not None else []
        return len(named) > 1 and _JOINS.fullmatch(said, named[0].end(), named[1].start()) is not None


def _pattern(token: str) -> str:
    """The pattern of a token; a function word is one only where no phrase goes on with it."""
    word = token.lower()
    goes_on = _SPEAKS_ON if word in _PRONOUNS else _GOES_ON if word in _FUNCTION_WORDS else ""
    return f"{re.escape(token)}{goes_on}"


def counts_from_zero(told: str) -> bool:
    """Whether words speak of a row 0."""
    return _ZEROTH.search(told) is not None


def subject(text: str, rows: Sequence[tuple[int, int]]) -> int | None:
    """The row that words speak of: the first that they name, from the last sentence on with a clear one.

    That is one in quotes, or counted: `the second token`.

    So does a semicolon begin anew that one in quotes follows.
    """
    quoted = [at for at, _ in rows if text[at] in _QUOTES or _ORDINAL.match(text, at)]
    if not quoted:
        return rows[0][1] if rows else None
    first = rows[0][0]
    *_, (begun, _) = sentences(text[first : quoted[-1]])
    anew = (at for at in quoted if text[max(at - 2, 0) : at].rstrip().endswith((";", "；")))
    begin = max((first + begun, *anew))
    return next(row for at, row in rows if at >= begin)


def _counted_pair(said: str) -> tuple[int, int] | None:
    """`第1行第2列`: a row and a column."""
    at = _COUNTED.search(said)
    return (counted(at[1]) - 1, counted(at[2]) - 1) if at is not None else None


def counted(said: str) -> int:
    """The number that a word or digits say: `二` and `2` are 2."""
    return _DIGITS[said] if said in _DIGITS else int(said)


def numbered(said: str, first: int) -> int | None:
    """The row that words mean by a number, `the third token`; `first` is what the first row is called."""
    found = _ORDINAL.search(said)
    return _ordinal(found, first) if found is not None else None


def _ordinal(match: re.Match[str], first: int) -> int:
    """The row that an ordinal means; `first` is what the document calls the first row by number."""
    chinese, digits, english = match.groups()
    if chinese:
        return counted(chinese) - (first if chinese.isascii() else 1)
    return int(digits) - first if digits else _ENGLISH[english.lower()] - 1
