"""The givens of a case, its symbols and settings, from the tables that have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from symattn.attention.case import Given, Settings
from symattn.attention.keys import Key
from symattn.attention.recipes.limits import within_limits
from symattn.casefile import cells, keys
from symattn.casefile.conventions import settings
from symattn.casefile.given_files import Files
from symattn.casefile.identity import IDENTITY, identity
from symattn.casefile.locate import joined
from symattn.casefile.symbols import declared_symbols
from symattn.casefile.tables import Table
from symattn.exact.functions import symbol
from symattn.exact.literal import quote
from symattn.exact.number import Exact
from symattn.plans.plan import Plan, base_name
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import ShapeMismatch, UnknownKey


def inputs(
    content: Mapping[str, object], files: Files, conventions: Settings | None, program: Plan | None
) -> dict[str, Any]:
    """The `symbols`, `settings` and `given` of a case in its tables; what is a `Given` stays as it is.

    `conventions` are those of the case, where no table has them; a `program` has givens of any name. Raises
    a SymattnError with the key.
    """
    table = Table(content, "", keys.CASE)
    names = symbols(table)
    conventions = conventions or conventions_of(table, names)
    found = tagged(content.get("given", {}))
    given = matrices(found, names, files) if program else givens(found, names, conventions, files)
    return {"symbols": tuple(names), "settings": conventions, "given": given}


def symbols(table: Table) -> dict[str, Exact]:
    return {name: symbol(name) for name in declared_symbols(table)}


def conventions_of(table: Table, names: Mapping[str, Exact]) -> Settings:
    """The settings; the keys that [given] may have are one for each head of each layer, so these are few."""
    found = settings(Table(table.content.get("attention", {}), "attention", keys.ATTENTION), names)
    within_limits(found, {})
    return found


def matrices(content: object, names: Mapping[str, Exact], files: Files) -> dict[str, Given]:
    """Givens of any name."""
    known = tuple(Key(name, "matrix", "") for name in content) if isinstance(content, dict) else ()
    given = {}
    for name, value in Table(content, "given", known).content.items():
        if isinstance(value, Given):
            given[name] = value
            continue
        with files.rows(name, value) as typed:
            given[name] = cells.matrix(typed, joined("given", name), names, infinite=True)
    return given


_TAG = re.compile(r"(head|layer)[0-9]+")


def tagged(content: object) -> object:
    """`head1.A = ...` and `[given.layer2]`, which TOML reads as tables, under names such as "head1.A"."""
    if not isinstance(content, dict):
        return content
    flat: dict[str, object] = {}
    for name, value in content.items():
        if _TAG.fullmatch(name) and isinstance(value, dict):
            inner = tagged(value)
            assert isinstance(inner, dict)
            flat |= {f"{name}.{part}": matrix for part, matrix in inner.items()}
        else:
            flat[name] = value
    return flat


def givens(
    content: object, names: Mapping[str, Exact], conventions: Settings, files: Files
) -> Mapping[str, Given]:
    """The givens as they stand; a flat vector is a row, or a column where the tokens are columns."""
    _counted(content, {"head": conventions.heads, "layer": conventions.layers})
    table = Table(content, "given", keys.given_keys(conventions.heads, conventions.layers))
    columns = conventions.tokens_as == "columns"
    line = Bilingual("column", "列") if columns else Bilingual("row", "行")
    brackets = "[[1], [2]]" if columns else "[[1, 2]]"
    given = {}
    squares = []
    for name in table.content:
        key = table.keys[name]
        path = joined("given", name)
        typed = table[name]
        if isinstance(typed, Given):
            given[name] = typed
            continue
        if key.kind == "expression":
            given[name] = cells.number(typed, path, names)
            continue
        if typed == IDENTITY and base_name(name) in keys.WEIGHTS:
            squares.append(name)
            continue
        with files.rows(name, typed) as rows:
            found = cells.matrix(rows, path, names, infinite=key.infinite, flat=key.kind == "vector")
        flat = isinstance(rows, list) and not isinstance(rows[0], list)
        if columns and key.kind == "vector" and flat:
            found = found.T
        if key.kind == "vector" and found.shape[columns] != 1:
            raise ShapeMismatch(
                Bilingual(
                    f"a bias of {Count(found.shape[columns]):{line.en}}",
                    f"偏置有 {found.shape[columns]} {line.zh}",
                ),
                Bilingual(
                    f"a bias is one {line.en}, added to every {line.en}: [1, 2], or {brackets}",
                    f"偏置是一{line.zh}，加到每一{line.zh}上：[1, 2]，或 {brackets}",
                ),
            ).at(key=path)
        given[name] = found
    square = {name: identity(name, joined("given", name), given, conventions) for name in squares}
    return {name: square.get(name) or given[name] for name in table.content}


def _counted(content: object, counts: Mapping[str, int]) -> None:
    """Raises UnknownKey for what is given of a head or a layer that the case does not have."""
    for name in content if isinstance(content, dict) else ():
        for tag, number in re.findall(r"(head|layer)([1-9][0-9]*)(?=\.)", name):
            count = counts[tag]
            if count == 1 or len(number) > len(str(count)) or int(number) > count:
                found = Bilingual(
                    f"{quote(name)}, while the case has {Count(count):{tag}}",
                    f"{quote(name)}，而这个算例只有 {count} {'个头' if tag == 'head' else '层'}",
                )
                remedy = Bilingual(
                    f"{tag}s under [attention] says how many it has", f"数目由 [attention] 下的 {tag}s 给出"
                )
                raise UnknownKey(found, remedy).at(key=joined("given", name))
        tag, _, base = name.rpartition(".")
        if tag.startswith("layer") and base in keys.OF_ALL_LAYERS:
            raise UnknownKey(
                Bilingual(
                    f"{quote(name)}: no layer has its own {base}", f"{quote(name)}：各层没有自己的 {base}"
                ),
                Bilingual(f"give {base} under [given]", f"请在 [given] 中给出 {base}"),
            ).at(key=joined("given", name))
