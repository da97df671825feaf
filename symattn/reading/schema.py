"""The JSON Schema of a case, made from the same table of keys that the reader follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symattn.exact.literal import LONGEST
from symattn.reading import keys
from symattn.reading.keys import Key, Kind

_TABLES: Mapping[str, Sequence[Key]] = {
    "given": keys.GIVEN,
    "attention": keys.ATTENTION,
    "stated": keys.STATED,
    "statement": keys.STATEMENT,
}

_EXPRESSION = {
    "description": 'a number, or a string with an exact expression such as "1/3", "sqrt(2)", "50%"',
    "anyOf": [{"type": "number"}, {"type": "string", "minLength": 1, "maxLength": LONGEST}],
}
_ROW = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/expression"}}
_MATRIX = {
    "description": "a list of rows of equal length",
    "type": "array",
    "minItems": 1,
    "items": {"$ref": "#/$defs/row"},
}
_MASK_ROW = {
    "type": "array",
    "minItems": 1,
    "items": {"anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/expression"}]},
}
_DEFINITIONS: Mapping[str, Mapping[str, Any]] = {
    "expression": _EXPRESSION,
    "row": _ROW,
    "matrix": _MATRIX,
    "mask_row": _MASK_ROW,
}

_REF_EXPRESSION = {"$ref": "#/$defs/expression"}
_REF_ROW = {"$ref": "#/$defs/row"}
_REF_MATRIX = {"$ref": "#/$defs/matrix"}
_STRINGS = {"type": "array", "items": {"type": "string"}}

_HEADS = {
    rf"^head[1-9][0-9]*\.({'|'.join(keys.OF_A_HEAD)})$": _REF_MATRIX,
    "^head[1-9][0-9]*$": {"type": "object", "additionalProperties": _REF_MATRIX},
}

_BY_KIND: Mapping[Kind, Mapping[str, Any]] = {
    "words": {"type": "string"},
    "lines": {"type": "string"},
    "choice": {"type": "string"},
    "integer": {"type": "integer"},
    "switch": {"type": "boolean"},
    "expression": _REF_EXPRESSION,
    "matrix": _REF_MATRIX,
    "vector": {"anyOf": [_REF_ROW, {**_REF_MATRIX, "maxItems": 1}]},
    "mask": {"anyOf": [{"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/mask_row"}}]},
    "printed": {"anyOf": [_REF_EXPRESSION, _REF_ROW, _REF_MATRIX]},
    "labels": _STRINGS,
    "names": {
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "string", "pattern": r"^[^\s0-9_]\S{0,39}$"},
    },
    "picks": {"anyOf": [_REF_EXPRESSION, {"type": "array", "items": _REF_EXPRESSION}]},
    "table": {"type": "object"},
    "tables": {"type": "array"},
}


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a case file, for editors: what the reader accepts, key by key."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A case of symattn",
        **_table(keys.CASE),
        "$defs": {name: dict(definition) for name, definition in _DEFINITIONS.items()},
    }


def _table(table: Sequence[Key]) -> dict[str, Any]:
    required = [key.name for key in table if key.required]
    return {
        "type": "object",
        "additionalProperties": False,
        **({"required": required} if required else {}),
        "properties": {key.name: _key(key) for key in table},
    }


def _layers() -> dict[str, Any]:
    """What one layer has of its own: `[given.layer2]`, or `"layer2.W_Q"`."""
    own = [key for key in keys.GIVEN if key.name not in keys.OF_ALL_LAYERS]
    names = "|".join(key.name for key in own)
    return {
        "^layer[1-9][0-9]*$": _table(own) | {"patternProperties": _HEADS},
        rf"^layer[1-9][0-9]*\.({names})$": {"anyOf": [_REF_ROW, _REF_MATRIX]},
    }


def _key(key: Key) -> dict[str, Any]:
    said: dict[str, Any] = {"description": key.meaning, **_BY_KIND[key.kind]}
    if key.name == "given":
        return said | _table(keys.GIVEN) | {"patternProperties": {**_HEADS, **_layers()}}
    if key.kind == "table":
        return said | _table(_TABLES[key.name])
    if key.kind == "tables":
        return said | {"items": _table(_TABLES[key.name])}
    if key.kind == "choice":
        return said | {"enum": list(key.choices)}
    if key.kind == "mask":
        return said | {"anyOf": [{"enum": list(key.choices)}, *said["anyOf"]]}
    if key.kind == "integer":
        return said | {"minimum": key.least}
    return said
