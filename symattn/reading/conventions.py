"""The `[attention]` table of a case: the conventions in force."""

from __future__ import annotations

from collections.abc import Mapping

from symattn.case import Given, Settings
from symattn.errors import SymattnError
from symattn.exact.literal import CONSTANTS, INFINITIES, names_in, parse, quote, read, undeclared
from symattn.exact.number import Exact, Infinite
from symattn.reading import cells, keys
from symattn.reading.tables import Table, chosen, refuse


def settings(table: Table, names: Mapping[str, Exact]) -> Settings:
    """The conventions of the walk, defaults where the table is silent."""
    default = Settings()
    mask: str | Given = default.mask
    if "mask" in table:
        content, path = table["mask"], table.path_of("mask")
        is_matrix = isinstance(content, list)
        mask = cells.mask(content, path, names) if is_matrix else chosen(content, table.keys["mask"], path)
    heads, start = table.integer("heads"), table.integer("start")
    tokens_as = table.choice("tokens_as", default.tokens_as)
    return Settings(
        tokens_as=tokens_as,
        weights=table.choice("weights", "left" if tokens_as == "columns" else default.weights),
        scale=_factor(table, "scale", names, default.scale),
        mask=mask,
        heads=default.heads if heads is None else heads,
        positions=table.choice("positions", default.positions),
        start=default.start if start is None else start,
        base=_factor(table, "base", names, default.base),
        d_model=table.integer("d_model"),
        temperature=_optional(table, "temperature", names),
        softcap=_optional(table, "softcap", names),
        align=table.choice("align", "") or None,
        window_left=table.integer("window_left"),
        window_right=table.integer("window_right"),
        padding=_row(table, "padding", names),
        kv_heads=table.integer("kv_heads"),
        qk_norm=table.choice("qk_norm", default.qk_norm),
        pairs=table.choice("pairs", default.pairs),
        rotary=table.integer("rotary"),
        rotary_base=_factor(table, "rotary_base", names, default.rotary_base),
        evaluation=table.choice("evaluation", default.evaluation),
        block=table.integer("block") or default.block,
        kernel=table.choice("kernel", default.kernel),
        layer=table.choice("layer", default.layer),
        layers=table.integer("layers") or default.layers,
        norm=table.choice("norm", default.norm),
        epsilon=_optional(table, "epsilon", names),
        activation=table.choice("activation", default.activation),
        jacobians=table.choice("jacobians", default.jacobians),
        loss=table.choice("loss", default.loss),
        angles=_row(table, "angles", names),
        slopes=_row(table, "slopes", names),
        undeclared=table.choice("undeclared", default.undeclared),
        unread=_row(table, "unread", names),
    )


def _optional(table: Table, name: str, names: Mapping[str, Exact]) -> str | None:
    return _factor(table, name, names, "") if name in table else None


def _row(table: Table, name: str, names: Mapping[str, Exact]) -> Given | None:
    """One row of entries, flat or in brackets; true and false stand for 1 and 0 where the row is of flags."""
    if name not in table:
        return None
    row, path = table[name], table.path_of(name)
    if isinstance(row, list) and table.keys[name].kind == "flags":
        row = [int(cell) if isinstance(cell, bool) else cell for cell in row]
    given = cells.matrix(row, path, names, flat=True)
    if given.shape[0] != 1:
        refuse(path, f"{given.shape[0]} rows", f"one row: {name} = [1, 2]")
    return given


def _factor(table: Table, name: str, names: Mapping[str, Exact], default: str) -> str:
    """A scale or a base as typed: readable, and not zero where that can be seen already."""
    if name not in table:
        return default
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
        if isinstance(value, Infinite) or not value:
            refuse(
                path,
                f"{quote(text)} as the {name}",
                'a scale or base is a number other than 0; scale = "1" scales nothing',
            )
        if name == "base" and value.rational is not None and value.rational < 0:
            refuse(path, f"{quote(text)} as the base", "the base of a softmax is positive: e, 2, 10")
    return text
