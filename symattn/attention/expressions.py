"""Exact parameters of a case: what is typed under `[attention]` as an expression."""

from __future__ import annotations

from symattn.attention.case import Case, Given
from symattn.exact.decision import sign
from symattn.exact.functions import symbol
from symattn.exact.literal import read
from symattn.exact.number import Exact
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import ShapeMismatch, SymattnError, UnusableValue


def number(case: Case, key: str, text: str) -> Exact:
    """The number typed under `attention.<key>`. Raises what `exact.literal.read` raises, there."""
    try:
        return read(text, {name: symbol(name) for name in case.symbols})
    except SymattnError as error:
        raise error.at(**case.at(f"attention.{key}")) from None


def epsilons(case: Case) -> tuple[Exact, Exact]:
    """What a norm adds to the square under its root, and what to the root itself."""
    text, zero = case.settings.epsilon, Exact.of(0)
    epsilon = zero if text is None else positive(case, "epsilon", text)
    return (zero, epsilon) if case.settings.epsilon_added_to == "deviation" else (epsilon, zero)


def of_head(case: Case, key: str, value: str | Given, head: int) -> Exact:
    """The positive number of one head (from 0): of a row of them, or the one that all heads have.

    Raises ShapeMismatch where the row has not one number for each head, UnusableValue as `positive` does.
    """
    if not isinstance(value, Given):
        return positive(case, key, value)
    count, heads = value.shape[1], case.settings.heads
    if count != heads:
        raise ShapeMismatch(
            Bilingual(
                f"{Count(count):number} for {Count(heads):head}",
                f"{heads} 个头，而有 {count} 个数",
            ),
            Bilingual("one number for each head, or one for all of them", "每头一个数，或各头共用一个数"),
        ).at(**case.at(f"attention.{key}"))
    return positive(case, key, value.typed[0][head])


def positive(case: Case, key: str, text: str) -> Exact:
    """The number typed under `attention.<key>`. Raises UnusableValue where it is known not to be positive."""
    value = number(case, key, text)
    if sign(value) in (0, -1):
        raise UnusableValue(
            Bilingual(f"{key} is {text}", f"{key} 是 {text}"),
            Bilingual(f"{key} is a positive number", f"{key} 应为正数"),
        ).at(**case.at(f"attention.{key}"))
    return value
