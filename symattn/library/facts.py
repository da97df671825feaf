"""What was proved about the matrices of a result, as values that read as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from symattn.checks.facts import Fact as Proved
from symattn.checks.facts import Kind
from symattn.library.number import Exact
from symattn.text.bilingual import Bilingual, both


class Fact(Struct, frozen=True):
    """Something proved about the matrix `name`; rows and columns count from 0, in sentences from 1.

    >>> import symattn
    >>> for fact in symattn.work("cases/thinking_machines.toml").facts[:3]:
    ...     print(fact)
    Every row of A sums to exactly 1.
    In row 1 of A, from the largest: column 2 > column 1.
    In row 2 of A, from the largest: column 2 > column 1.

    `kind` says what it is about: "equal-rows", "constant", "sums-to-one", "order", ...; the other fields are
    those of `symattn.checks.facts.Fact`. Where `decided` is False the question could not be settled.
    """

    kind: Kind
    name: str
    rows: tuple[int, ...] = ()
    col: int | None = None
    value: Exact | None = None
    order: tuple[tuple[int, ...], ...] = ()
    decided: bool = True
    columns: tuple[int, ...] = ()

    @classmethod
    def of(cls, fact: Proved) -> Fact:
        """The fact with its number as one for programs."""
        parts = {name: getattr(fact, name) for name in fact.__struct_fields__}
        return cls(**{**parts, "value": None if fact.value is None else Exact.of(fact.value)})

    def sentence(self, lang: Literal["en", "zh"] = "en") -> str:
        """The fact in words."""
        if self.decided or self.kind in ("nonzero", "positive"):
            return self._stated()[lang]
        words = Bilingual(
            f"{self.kind} of {self.name}{self._where().en} could not be decided.",
            f"{self.name}{self._where().zh}的 {self.kind} 未能判定。",
        )
        return words[lang]

    def __str__(self) -> str:
        return self.sentence()

    def _where(self) -> Bilingual:
        lines = self.columns or self.rows
        if not lines:
            return both("")
        line = _lines("column", "列", lines) if self.columns else _lines("row", "行", lines)
        return Bilingual(f", {line.en}", f"{line.zh}")

    def _stated(self) -> Bilingual:
        name, x, lines = self.name, self._number(), self.columns or self.rows
        line, zh = ("column", "列") if self.columns else ("row", "行")
        across, across_zh = ("row", "行") if self.columns else ("column", "列")
        which = _lines(line, zh, lines)
        match self.kind:
            case "equal-rows" | "equal-columns":
                return Bilingual(
                    f"{which.en.capitalize()} of {name} are equal.", f"{name} 的{which.zh}相同。"
                )
            case "constant":
                return Bilingual(
                    f"Row {self.rows[0] + 1}, column {(self.col or 0) + 1} of {name} is exactly {x}.",
                    f"{name} 第 {self.rows[0] + 1} 行第 {(self.col or 0) + 1} 列恰为 {x}。",
                )
            case "sums-to-one":
                return Bilingual(
                    f"Every {line} of {name} sums to exactly 1.", f"{name} 的每一{zh}之和恰为 1。"
                )
            case "row-sums":
                return Bilingual(
                    f"Every {line} of {name} sums to exactly {x}.", f"{name} 的每一{zh}之和恰为 {x}。"
                )
            case "relative-positions":
                return Bilingual(
                    f"{name} depends on the positions m of a query and n of a key only by n - m.",
                    f"{name} 只通过差 n - m 依赖查询位置 m 和键位置 n。",
                )
            case "order":
                return Bilingual(
                    f"In {which.en} of {name}, from the largest: {self._ordered(f'{across} {{}}')}.",
                    f"{name} 的{which.zh}从大到小：{self._ordered(f'第 {{}} {across_zh}')}。",
                )
            case "masked-row" | "masked-column":
                return Bilingual(
                    f"No key is visible in {which.en} of {name}.", f"{name} 的{which.zh}没有可见的键。"
                )
            case "log-sum-exp":
                return Bilingual(
                    f"The log-sum-exp of the scores in {which.en} of {name} is {x}.",
                    f"{name} 的{which.zh}得分的 log-sum-exp 是 {x}。",
                )
            case "entropy":
                return Bilingual(
                    f"The entropy of {which.en} of {name} is {x} nats.",
                    f"{name} 的{which.zh}的熵是 {x} 奈特。",
                )
            case "nonzero":
                return Bilingual(
                    f"{name} is right if {x} is not 0, which could not be decided.",
                    f"{name} 成立的前提是 {x} 不等于 0，这一点未能判定。",
                )
            case "positive":
                return Bilingual(
                    f"{name} is right if {x} is positive, which could not be decided.",
                    f"{name} 成立的前提是 {x} 为正数，这一点未能判定。",
                )

    def _number(self) -> str:
        """The value in closed form where that is short, and its decimal where that is another."""
        if self.value is None:
            return ""
        shown = repr(self.value).removeprefix("Exact(")[:-1]
        if self.value.is_rational or shown.startswith(("≈", "…")):
            return shown
        try:
            return f"{shown} ≈ {self.value.decimal()}"
        except TypeError:  # with symbols
            return shown

    def _ordered(self, column: str) -> str:
        return " > ".join(" = ".join(column.format(k + 1) for k in group) for group in self.order)


def _lines(en: str, zh: str, numbers: Sequence[int]) -> Bilingual:
    """`rows 1 and 2`."""
    shown = [str(k + 1) for k in numbers]
    joined = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
    return Bilingual(f"{en}{'s' if len(shown) > 1 else ''} {joined}", f"第 {'、'.join(shown)} {zh}")
