"""The `[attention]` table of a case: the conventions in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symattn.attention.case import Given, Settings
from symattn.attention.keys import Key
from symattn.attention.registry import CONVENTION_KEYS
from symattn.casefile import cells, keys
from symattn.casefile.tables import Table, chosen, refuse
from symattn.exact.literal import CONSTANTS, INFINITIES, names_in, parse, quote, read, undeclared
from symattn.exact.number import Exact, Infinite
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError


def settings(table: Table, names: Mapping[str, Exact]) -> Settings:
    """The conventions of the case, defaults where the table is silent."""
    found: dict[str, Any] = {
        key.name: _value(table, key, names) for key in CONVENTION_KEYS if key.name in table
    }
    if found.get("tokens_as") == "columns":
        found.setdefault("weights", "left")
    return Settings(**found)


def _value(table: Table, key: Key, names: Mapping[str, Exact]) -> str | int | Given | None:
    match key.kind:
        case "choice":
            return table.choice(key.name, "")
        case "integer":
            return table.integer(key.name)
        case "mask":
            content, path = table[key.name], table.path_of(key.name)
            is_matrix = isinstance(content, list)
            return (
                cells.mask(content, path, names, declared="mask_ones" in table)
                if is_matrix
                else chosen(content, table.keys[key.name], path)
            )
        case "row" | "flags":
            return _row(table, key.name, names)
        case "per head" if isinstance(table[key.name], list):
            return _row(table, key.name, names)
    return _factor(table, key.name, names)


def _row(table: Table, name: str, names: Mapping[str, Exact]) -> Given:
    """One row of entries, flat or in brackets; true and false stand for 1 and 0 where the row is of flags."""
    row, path = table[name], table.path_of(name)
    if isinstance(row, list) and table.keys[name].kind == "flags":
        row = [int(cell) if isinstance(cell, bool) else cell for cell in row]
    given = cells.matrix(row, path, names, flat=True)
    if given.shape[0] != 1:
        refuse(
            path,
            Bilingual(f"{given.shape[0]} rows", f"有 {given.shape[0]} 行"),
            Bilingual(f"one row: {name} = [1, 2]", f"应为一行：{name} = [1, 2]"),
        )
    return given


def _factor(table: Table, name: str, names: Mapping[str, Exact]) -> str:
    """A scale or a base as typed: readable, and not zero where that can be seen already."""
    path, sizes = table.path_of(name), keys.SIZES if name == "scale" else ()
    text = cells.characters(table[name], path)
    try:
        used = list(names_in(parse(text)))
        for each in used:
            if each.name not in (*names, *sizes, *CONSTANTS, *INFINITIES):
                raise undeclared(each, (*names, *sizes))
        value = None if any(each.name in sizes for each in used) else read(text, names)
    except SymattnError as problem:
        raise problem.at(key=path) from None
    if value is not None:
        if isinstance(value, Infinite) or (not value and table.keys[name].nonzero):
            refuse(
                path,
                Bilingual(f"{quote(text)} as the {name}", f"{name} 是 {quote(text)}"),
                Bilingual(
                    'a scale or base is a number other than 0; scale = "1" scales nothing',
                    '缩放因子和底应为 0 以外的数；scale = "1" 表示不缩放',
                ),
            )
        if name == "base" and value.rational is not None and value.rational < 0:
            refuse(
                path,
                Bilingual(f"{quote(text)} as the base", f"底是 {quote(text)}"),
                Bilingual("the base of a softmax is positive: e, 2, 10", "softmax 的底应为正数：e、2、10"),
            )
    return text
