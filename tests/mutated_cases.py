"""Cases with one thing changed, for holding the JSON Schema and the reader of cases together."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

Content = dict[str, Any]

VALUES: tuple[Any, ...] = (
    True,
    3,
    0,
    -1,
    2**31,
    1.5,
    "",
    " ",
    "words",
    "1/2",
    "a\nb",
    "-inf",
    [],
    [[]],
    [1, 2],
    [[1, 2]],
    [[1], [2]],
    [[1, 2], [3]],
    [[[1]]],
    [True, False],
    [[True, False]],
    ["a", "a"],
    {},
    {"foo": [[1]]},
    {"A": [[1]]},
    {"head1": {"A": [[1]]}},
)
KEYS = (
    *("foo", "W_Q", "b_Q", "sink", "X", "heads", "layers", "padding", "angles", "mask", "base", "align"),
    *("evaluation", "tokens", "symbols", "title", "lang", "kind", "name", "values", "value", "row", "col"),
    *("work", "head1", "head1.A", "head1.foo", "head1.W_Q", "head2.Z", "layer2", "layer2.W_1", "layer2.b_1"),
    *("layer2.X", "layer1.head2.A"),
)


def mutated(content: Content, seed: int) -> Content:
    """The case with a value, key or entry changed somewhere."""
    chance = random.Random(seed)
    made = copy.deepcopy(content)
    where = chance.choice(list(_containers(made)))
    if isinstance(where, dict):
        name = chance.choice(list(where) or ["foo"])
        match chance.randrange(4 if where else 1):
            case 0:
                where[chance.choice(KEYS)] = copy.deepcopy(chance.choice(VALUES))
            case 1:
                where[name] = copy.deepcopy(chance.choice(VALUES))
            case 2:
                del where[name]
            case _:
                where[name] = [where[name]]
    else:
        at = chance.randrange(len(where))
        match chance.randrange(3):
            case 0:
                where[at] = copy.deepcopy(chance.choice(VALUES))
            case 1:
                del where[at]
            case _:
                where[at] = [where[at]]
    return made


def _containers(value: Any) -> Iterator[Any]:
    """Every table and every list that is not empty, a matrix as often as any one of its rows."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _containers(inner)
    elif isinstance(value, list) and value:
        yield value
        yield from _containers(value[0])


def toml(content: Content) -> str:
    """The case as TOML, its tables on a line each."""
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in content.items())


def _key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{_key(name)} = {_value(inner)}' for name, inner in value.items())}}}"
    return repr(value)
