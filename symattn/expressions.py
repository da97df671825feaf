"""Exact parameters of a case: what is typed under `[attention]` as an expression."""

from __future__ import annotations

from symattn.case import Case
from symattn.errors import SymattnError, UnusableValue
from symattn.exact.decision import sign
from symattn.exact.functions import symbol
from symattn.exact.literal import read
from symattn.exact.number import Exact
from symattn.sizes import place


def positive(case: Case, key: str, text: str) -> Exact:
    """The number typed under `attention.<key>`. Raises UnusableValue where it is known not to be positive."""
    try:
        value = read(text, {name: symbol(name) for name in case.symbols})
        if sign(value) in (0, -1):
            raise UnusableValue(f"{key} is {text}", f"{key} is a positive number")
    except SymattnError as error:
        raise error.at(file=case.file, key=f"attention.{key}", **place(case, f"attention.{key}")) from None
    return value
