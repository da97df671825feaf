"""The JSON Schema of a case, made from the same tables of keys that the reader follows.

It holds a case to its structure: the keys, the kinds of their values, how deep lists go, what a statement of
each kind needs. What no schema can express is left to the reader, and said in `BEYOND`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symattn.attention.keys import Key, Kind
from symattn.casefile import keys
from symattn.casefile.claims import NEEDS, NEEDS_ENTRY, NEEDS_LINE
from symattn.casefile.given_files import KINDS
from symattn.casefile.identity import IDENTITY
from symattn.casefile.symbols import TAKEN
from symattn.casefile.tables import LONGEST_WORDS
from symattn.exact.literal import LONGEST

BEYOND = (
    "Not expressed here, and refused by the reader: rows of unequal length; labels, heads and layers in "
    "other numbers than the matrices or `heads` and `layers` ask for; the syntax and the names of "
    "expressions, and values that they may not have (0 as a scale, infinity outside of masks and scores); a "
    "bias as a column without tokens as columns, or as a row with them; labels that a statement names and "
    "the case has not; files that are not there; names of symbols with signs beyond ASCII; 2.0 where "
    "a whole number belongs."
)

Schema = Mapping[str, Any]

_EXPRESSION = {
    "description": 'a number, or a string with an exact expression such as "1/3", "sqrt(2)", "50%"',
    "anyOf": [{"type": "number"}, {"type": "string", "pattern": r"\S", "maxLength": LONGEST}],
}
_REF_EXPRESSION = {"$ref": "#/$defs/expression"}
_REF_ROW = {"$ref": "#/$defs/row"}
_REF_MATRIX = {"$ref": "#/$defs/matrix"}
_REF_FILE = {"$ref": "#/$defs/file"}


def _listed(items: Schema, **more: Any) -> dict[str, Any]:
    """A list of at least one."""
    return {"type": "array", "minItems": 1, "items": items, **more}


def _exactly(count: int, items: Schema) -> dict[str, Any]:
    return {"type": "array", "minItems": count, "maxItems": count, "items": items}


_WEIGHTS = {"anyOf": [_REF_MATRIX, _REF_FILE, {"const": IDENTITY}]}
_FLAG = {"anyOf": [{"type": "boolean"}, _REF_EXPRESSION]}
_ONE_ROW = _exactly(1, _REF_ROW)
_ONE_COLUMN = _listed(_exactly(1, _REF_EXPRESSION))
_DEFINITIONS: Mapping[str, Schema] = {
    "expression": _EXPRESSION,
    "row": _listed(_REF_EXPRESSION),
    "matrix": {"description": "a list of rows of equal length", **_listed(_REF_ROW)},
    "file": {
        "description": 'a file in the folder of the case: "x.csv", "x.npy", "w.npz:W_Q", "w.safetensors:wq"',
        "type": "string",
        "pattern": rf"^[^\n]+\.({'|'.join(KINDS)})(:[^\n]*)?$",
    },
}

_CONTROL = r"[\u0000-\u001f\u007f-\u009f\u2028\u2029]"
_CONTROL_BUT_BREAKS = r"[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]"
_WORDS = {"type": "string", "maxLength": LONGEST_WORDS, "not": {"pattern": _CONTROL}}
_NAME = {**_WORDS, "pattern": r"^\S(.*\S)?$"}
_SIGNS = r"\s\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007f"
"""What is neither letter, digit nor _; beyond ASCII not every dialect of patterns can tell."""
_SYMBOL = {
    "type": "string",
    "pattern": rf"^[^0-9_{_SIGNS}][^{_SIGNS}]{{0,39}}$",
    "not": {"enum": sorted({*TAKEN, *keyword.kwlist})},
}
_PICK = {"type": ["number", "string"]}
_WHOLE = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}]}

_BY_KIND: Mapping[Kind, Schema] = {
    "words": _WORDS,
    "name": _NAME,
    "lines": {"type": "string", "maxLength": LONGEST_WORDS, "not": {"pattern": _CONTROL_BUT_BREAKS}},
    "choice": {"type": "string"},
    "integer": {"type": "integer"},
    "switch": {"type": "boolean"},
    "expression": _REF_EXPRESSION,
    "per head": {"anyOf": [_REF_EXPRESSION, _REF_ROW]},
    "matrix": {"anyOf": [_REF_MATRIX, _REF_FILE]},
    "vector": {"anyOf": [_REF_ROW, _ONE_ROW, _ONE_COLUMN, _REF_FILE]},
    "row": {"anyOf": [_REF_ROW, _ONE_ROW]},
    "flags": {"anyOf": [_listed(_FLAG), _ONE_ROW]},
    "mask": _listed(_listed(_FLAG)),
    "printed": {"anyOf": [_REF_EXPRESSION, _REF_ROW, _REF_MATRIX]},
    "labels": {"type": "array", "items": _WORDS},
    "names": {"type": "array", "uniqueItems": True, "items": _SYMBOL},
    "picks": {"anyOf": [_PICK, {"type": "array", "items": _PICK}]},
    "table": {"type": "object"},
    "tables": {"type": "array"},
}


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a case file, for editors: what the reader accepts, key by key."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A case of symattn",
        "$comment": BEYOND,
        **_table(keys.CASE),
        "anyOf": [_with("given", {"minProperties": 1}), _with("attention", _with("positions", _not("none")))],
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


def _key(key: Key) -> dict[str, Any]:
    said: dict[str, Any] = {"description": key.meaning, **_BY_KIND[key.kind]}
    match key.name, key.kind:
        case "given", _:
            return said | _table(keys.GIVEN) | {"patternProperties": {**_HEADS, **_layers()}}
        case "attention", _:
            return said | _table(keys.ATTENTION)
        case "stated", _:
            return said | {"items": _table(keys.STATED) | _if(_with("work"), _with("values", _SINGLE))}
        case "statement", _:
            kinds = [_if(_with("kind", {"const": kind}), _needed(kind)) for kind in NEEDS]
            return said | {"items": _table(keys.STATEMENT) | {"allOf": kinds}}
        case _, "choice":
            return said | {"enum": list(key.choices)}
        case _, "mask":
            return {"description": key.meaning, "anyOf": [{"enum": list(key.choices)}, _BY_KIND["mask"]]}
        case name, _ if name in keys.WEIGHTS:
            return {"description": key.meaning, **_WEIGHTS}
        case _, "integer":
            return said | {"minimum": key.least, "maximum": key.most}
    return said


_SINGLE = {
    "anyOf": [_REF_EXPRESSION, _exactly(1, _REF_EXPRESSION), _exactly(1, _exactly(1, _REF_EXPRESSION))]
}
"""The one value beside which a working may be printed."""


def _needed(kind: str) -> Schema:
    """The value, row and column of a statement of this kind."""
    least, most, _ = NEEDS[kind]
    pick = _PICK if kind in (*NEEDS_ENTRY, *NEEDS_LINE) else _WHOLE
    several = {"type": "array", "minItems": least, "maxItems": most, "items": pick}
    value = {"anyOf": [several, pick]} if least <= 1 <= most else several
    needed = _with("value", value) if least else {"properties": {"value": value}}
    if kind in NEEDS_ENTRY:
        return {"allOf": [needed, _with("row"), _with("col")]}
    return {**needed, "oneOf": [_with("row"), _with("col")]} if kind in NEEDS_LINE else needed


def _with(name: str, said: Schema | None = None) -> dict[str, Any]:
    """A table that has this key, of which so much holds."""
    return {"required": [name], **({"properties": {name: said}} if said else {})}


def _not(word: str) -> Schema:
    return {"not": {"const": word}}


def _if(condition: Schema, then: Schema) -> dict[str, Any]:
    return {"if": condition, "then": then}


def _dotted(before: str, table: Iterable[Key]) -> dict[str, Any]:
    """The keys of a table behind a tag: `"layer2.W_Q"`."""
    plain = [key for key in table if key.name not in keys.WEIGHTS]
    by_kind: dict[Kind, list[str]] = {}
    for key in plain:
        by_kind.setdefault(key.kind, []).append(re.escape(key.name))
    found = {rf"^{before}\.({'|'.join(names)})$": _BY_KIND[kind] for kind, names in by_kind.items()}
    return found | {rf"^{before}\.({'|'.join(keys.WEIGHTS)})$": _WEIGHTS}


_OF_A_HEAD = tuple(key for key in keys.GIVEN if key.name in keys.OF_A_HEAD)
_HEAD, _LAYER = "head[1-9][0-9]*", "layer[1-9][0-9]*"
_HEADS = {f"^{_HEAD}$": _table(_OF_A_HEAD), **_dotted(_HEAD, _OF_A_HEAD)}


def _layers() -> dict[str, Any]:
    """What one layer has of its own: `[given.layer2]`, or `"layer2.W_Q"`."""
    own = [key for key in keys.GIVEN if key.name not in keys.OF_ALL_LAYERS]
    return {
        f"^{_LAYER}$": _table(own) | {"patternProperties": _HEADS},
        **_dotted(_LAYER, own),
        **_dotted(rf"{_LAYER}\.{_HEAD}", _OF_A_HEAD),
    }
