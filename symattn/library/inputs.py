"""What Python programs give, as the tables of a case: numbers of every kind, lists, arrays and matrices."""

from __future__ import annotations

import decimal
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from keyword import iskeyword
from numbers import Integral, Rational, Real
from typing import Any, Literal, Never, Protocol, TypeAlias

from symattn.attention.given import Given
from symattn.attention.keys import Key
from symattn.casefile import keys
from symattn.casefile.given_files import NAMED, decimal_cell, fraction_cell, names_arrays
from symattn.casefile.given_files import Floats as Floats
from symattn.casefile.locate import joined
from symattn.casefile.tables import Typed, refuse
from symattn.exact.number import Infinite
from symattn.exact.plain import plain
from symattn.exact.substitution import free_symbols
from symattn.library.matrix import Matrix, Vector
from symattn.library.number import Exact, value_of
from symattn.library.table import Table
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError


class Array(Protocol):
    """An array of NumPy, or what becomes one."""

    def __array__(self) -> Any: ...


class Symbolic(Protocol):
    """An expression or matrix of SymPy."""

    @property
    def free_symbols(self) -> Any: ...


Scalar: TypeAlias = Exact | int | float | Fraction | decimal.Decimal | str | Symbolic
MatrixLike: TypeAlias = Matrix | Sequence[Sequence[Scalar]] | Array | Symbolic
VectorLike: TypeAlias = MatrixLike | Vector | Sequence[Scalar]
Quantity: TypeAlias = Given | Matrix | Vector | Sequence[Scalar | Sequence[Scalar]] | Array | Scalar
"""Whatever can be given, one kind of list for all so that a list of lists is inferred to be one."""
Flags: TypeAlias = Sequence[bool] | VectorLike
MaskLike: TypeAlias = Literal["none", "causal"] | Sequence[Sequence[bool]] | MatrixLike

EXACT_NUMBERS = Bilingual(
    'exact numbers are int, Fraction, Decimal, SymPy numbers and strings such as "sqrt(2)"',
    '准确的数有 int、Fraction、Decimal、SymPy 的数和 "sqrt(2)" 这样的字符串',
)


ARGUMENTS_OF: Mapping[str, tuple[Key, ...]] = {
    "given": keys.GIVEN,
    "attention": keys.ATTENTION,
    "": tuple(key for key in keys.CASE if not key.kind.startswith("table") and key.name != "floats"),
}
"""The keys that `symattn.attention` takes, by the table of a case in which they are."""


def argument(key: Key) -> str:
    """The name of the argument for a key: what is no name in Python has `_` for `+`, or after it."""
    name = key.name.replace("+", "_")
    return f"{name}_" if iskeyword(name) else name


def tables(arguments: Mapping[str, Any]) -> dict[str, object]:
    """The tables of a case from the arguments of `symattn.attention`; None is not given.

    Raises SymattnError with the name of the argument.
    """
    parts = {
        table: {key.name: arguments[argument(key)] for key in keys if arguments[argument(key)] is not None}
        for table, keys in ARGUMENTS_OF.items()
    }
    given = {**parts["given"], **(arguments["given"] or {})}
    return raw({**parts[""], "given": given, "attention": parts["attention"]}, arguments["floats"])


def raw(content: Mapping[str, object], floats: Floats | None = None) -> dict[str, object]:
    """The tables with every value as TOML would give it; free symbols of SymPy are declared.

    Raises UnusableValue, with the key, for a float without `floats` and for what is no exact number.
    """
    reader = _Reader(floats)
    tables = {name: reader.value(value, joined("", name)) for name, value in content.items()}
    declared = tables.get("symbols", [])
    if reader.symbols and isinstance(declared, list):
        tables["symbols"] = [*declared, *(name for name in reader.symbols if name not in declared)]
    if floats is not None and names_arrays(tables):
        tables.setdefault("floats", floats)
    return tables


class _Reader:
    """Reads values under one meaning of floats, and collects the free symbols in them."""

    def __init__(self, floats: Floats | None) -> None:
        if floats not in (None, "printed", "exact"):
            refuse("floats", Bilingual(f"the value {floats!r}", f"取值 {floats!r}"), NAMED)
        self.floats = floats
        self.symbols: dict[str, None] = {}

    def value(self, value: Any, path: str) -> object:
        """A value as TOML has it: a table, a list, a string, an integer or a switch."""
        if isinstance(value, bool | str | Given):
            return value
        if isinstance(value, Mapping):
            return {str(name): self.value(each, joined(path, str(name))) for name, each in value.items()}
        if isinstance(value, Table):
            return [self.value(each, f"{path}[{i}]") for i, each in enumerate(value.tolist())]
        if isinstance(value, list | tuple | range):
            return [self.value(each, f"{path}[{i}]") for i, each in enumerate(value)]
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, Rational):
            return str(Fraction(int(value.numerator), int(value.denominator)))
        if isinstance(value, decimal.Decimal):
            return self.finite(value, path) or Typed(f"{value:f}")
        if isinstance(value, Real):
            return self.finite(value, path) or self.of_float(value, path)
        if isinstance(value, Exact) or hasattr(value, "free_symbols"):
            return self.symbolic(value, path)
        if hasattr(value, "__array__"):
            return self.array(value, path)
        self.refused(path, f"{type(value).__name__} {str(value)[:40]}")

    def finite(self, value: Any, path: str) -> str | None:
        """-inf, which masks may have, as a string; None for a finite number."""
        if math.isfinite(value):
            return None
        if value == -math.inf:
            return "-inf"
        self.refused(path, "NaN" if math.isnan(value) else "infinity")

    def of_float(self, value: Any, path: str) -> str:
        """A float under what `floats` says it means."""
        if self.floats == "exact":
            return fraction_cell(float(value))
        if self.floats == "printed":
            return decimal_cell(str(value))
        refuse(path, Bilingual(f"the float {value}", f"浮点数 {value}"), NAMED)

    def symbolic(self, value: Any, path: str) -> object:
        """An exact number, or a number or matrix of SymPy."""
        if hasattr(value, "tolist"):
            return self.value(value.tolist(), path)
        try:
            found = value_of(value)
        except SymattnError as problem:
            raise problem.at(key=path) from None
        if found is None:
            self.refused(path, f"{type(value).__name__} {str(value)[:40]}")
        self.symbols.update(dict.fromkeys(free_symbols(found)))
        return "-inf" if isinstance(found, Infinite) else plain(found)

    def array(self, value: Any, path: str) -> object:
        """An array of integers, switches, floats or expressions."""
        import numpy as np

        if np.ma.is_masked(value):
            self.refused(path, "an array with masked entries")
        array = np.asarray(value)
        if array.dtype.kind not in "iufbU":
            self.refused(path, f"an array of {array.dtype.name}")
        if array.dtype.kind == "f" and self.floats is None:
            refuse(
                path,
                Bilingual(f"an array of {array.dtype.name}", f"{array.dtype.name} 的数组"),
                NAMED,
            )
        if array.ndim == 0:
            return self.value(array[()] if array.dtype.kind == "f" else array.item(), path)
        return [self.value(each, f"{path}[{i}]") for i, each in enumerate(array)]

    def refused(self, path: str, found: str) -> Never:
        refuse(path, Bilingual(f"{found} where a number belongs", f"此处应为数，却是 {found}"), EXACT_NUMBERS)
