"""A reader of the chains on a text page: `S'₁₁ = 3/√2 = 3√2/2 ≈ 2.1213`, each member to 40 digits.

It knows nothing of the formulas that the page was made of, only what a reader sees. A member that has
something else in it (free symbols, a matrix, a sum over indices) has no value and is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mpmath import matrix, mp, mpf

mp.dps = 40
ALIKE = mpf(10) ** -30
ENDLESS = mpf(10) ** 300
"""Infinity; of a number that is added to it nothing is left in 40 digits."""
EMPTY: Mapping[str, mpf] = MappingProxyType({})

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_HEAD = r"(?:⁽[⁰¹²³⁴⁵⁶⁷⁸⁹]+⁾)?"
_NAME = rf"(?:\([A-Za-zΑ-Ωα-ω]+'*_[A-Za-z]+{_HEAD}\)|[A-Za-zΑ-Ωα-ω]+'*){_HEAD}[₀-₉]*{_HEAD}"
_TOKEN = re.compile(
    rf"\s*(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?|∞)|\s*(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    rf"|\s*(?P<name>\(ρ_[A-Z]\)[₀-₉]+|{_NAME})|\s*(?P<sign>[-+·/^()√|,])"
)
_FUNCTIONS = {"ln": mp.log, "cos": mp.cos, "sin": mp.sin, "tanh": mp.tanh, "tan": mp.tan}
_CHAIN = re.compile(rf"^\s*({_NAME}) = (.+)$")
_RELATION = re.compile(r"\s+([=≈])\s+")


class Unreadable(ValueError):
    """Something other than a number is in a member."""


@dataclass
class Reader:
    """Reads one member from left to right; `names` has the exact values of what was defined before."""

    text: str
    names: dict[str, mpf]
    tokens: list[tuple[str, str]] = field(default_factory=list)
    at: int = 0

    def value(self) -> mpf:
        """The value of the member. Raises Unreadable."""
        position = 0
        while self.text[position:].strip():
            match = _TOKEN.match(self.text, position)
            if match is None or match.lastgroup is None:
                raise Unreadable(self.text)
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            position = match.end()
        found = self._sum()
        if self.at != len(self.tokens):
            raise Unreadable(self.text)
        return found

    @property
    def _next(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def _takes(self, sign: str) -> bool:
        if self._next != ("sign", sign):
            return False
        self.at += 1
        return True

    def _closed(self) -> mpf:
        found = self._sum()
        if not self._takes(")"):
            raise Unreadable(self.text)
        return found

    def _sum(self) -> mpf:
        found = -self._product() if self._takes("-") else self._product()
        while self._next in (("sign", "+"), ("sign", "-")):
            minus = self._takes("-") or not self._takes("+")
            term = self._product()
            found = _sum_of(found, -term if minus else term)
        return found

    def _product(self) -> mpf:
        found = self._beside()
        while self._next in (("sign", "·"), ("sign", "/")):
            if self._takes("·"):
                found *= self._beside()
            else:
                self._takes("/")
                under = self._beside()
                if not under:
                    raise Unreadable(self.text)
                found /= under
        return found

    def _beside(self) -> mpf:
        found = self._power()
        while self._next[0] in ("number", "name") or self._next in (("sign", "("), ("sign", "√")):
            found *= self._power()
        return found

    def _power(self) -> mpf:
        found = self._primary()
        while self._next[0] == "power" or self._next == ("sign", "^"):
            if self._takes("^"):
                found = found ** self._primary()
            else:
                found = found ** int(self._next[1].translate(_SUPERSCRIPTS))
                self.at += 1
        return found

    def _primary(self) -> mpf:
        kind, text = self._next
        self.at += 1
        if kind == "number":
            return ENDLESS if text == "∞" else mpf(text)
        if (kind, text) == ("sign", "("):
            return self._closed()
        if (kind, text) == ("sign", "√"):
            return mp.sqrt(self._primary())
        if kind == "name" and text in _FUNCTIONS and self._takes("("):
            return _FUNCTIONS[text](self._closed())
        if kind == "name" and text == "max" and self._takes("("):
            several = [self._sum()]
            while self._takes(","):
                several.append(self._sum())
            if self._takes(")"):
                return max(several)
        if kind == "name" and text in ("e", "π"):
            return mp.e if text == "e" else mp.pi
        if kind == "name" and text in self.names:
            return self.names[text]
        raise Unreadable(self.text)


def _sum_of(one: mpf, other: mpf) -> mpf:
    """A sum, in which a row is added to each row of a matrix."""
    if isinstance(one, matrix) and isinstance(other, matrix) and other.rows == 1 < one.rows:
        other = matrix([list(other) for _ in range(one.rows)])
    return one + other


def false_links(page: str, known: Mapping[str, mpf] = EMPTY) -> tuple[int, list[str]]:
    """How many links of a page were checked, and those that are false.

    `known` are exact values of names, which need not be defined before they are used.
    """
    names = dict(known)
    checked, wrong = 0, []
    for name, links in chains(page):
        exact: mpf | None = known.get(name)
        rounded: mpf | None = None
        for k, (relation, member) in enumerate(links):
            try:
                value = Reader(member, names).value()
            except Unreadable:
                continue
            approximate = "≈" in [before for before, _ in links[: k + 1]]
            right = True
            if not approximate:
                right = exact is None or abs(value - exact) <= ALIKE * max(1, abs(exact))
                checked += exact is not None
                exact = value
            elif k == len(links) - 1:
                half = half_unit(member)
                for before in (exact, rounded):
                    if before is not None and half is not None:
                        checked += 1
                        right = right and abs(value - before) <= half * (1 + ALIKE)
            else:
                rounded = value
            if not right:
                wrong.append(f"{name}: {relation} {member}")
        if exact is not None:
            names[name] = exact
    return checked, wrong


def half_unit(numeral: str) -> mpf | None:
    """Half a unit of the last printed place; None of what is no numeral."""
    match = re.fullmatch(r"-?\d+(?:\.(\d+))?(?:e(-?\d+))?", numeral.strip())
    return None if match is None else mpf(10) ** (int(match[2] or 0) - len(match[1] or "")) / 2


def chains(page: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each chain that has lines to itself: its name, and its members with the relations before them."""
    joined: list[str] = []
    for line in page.splitlines():
        if joined and re.match(r"\s+[=≈] |\s*\\quad [-+] ", line):  # LaTeX goes on with a sign behind \\quad
            joined[-1] += " " + line.replace("\\quad", "").strip()
        else:
            joined.append(line)
    for line in joined:
        match = _CHAIN.match(line)
        if match:
            pieces = _RELATION.split(f" = {match[2]}")[1:]
            yield match[1], list(zip(pieces[::2], pieces[1::2], strict=True))


def greek(name: str) -> str:
    """The letter of a Greek name, capital as the name is; nothing of any other word."""
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {name.replace('lambda', 'lamda')}")
    except KeyError:
        return ""
