"""A TOML case becomes a `Case`: `read_case("cases/cat.toml")`.

Whatever is wrong is one message with file, line, column and key; the place is added here, at the edge.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from symattn.case import Case, Given, Settings
from symattn.errors import MissingGiven, ShapeMismatch, SymattnError, UnknownKey
from symattn.exact.functions import symbol
from symattn.exact.literal import CONSTANTS, FUNCTIONS, INFINITIES, quote
from symattn.exact.number import Exact
from symattn.file_names import shown
from symattn.quantities import QUANTITIES
from symattn.reading import cells, keys
from symattn.reading.claims import claim, statement
from symattn.reading.conventions import settings
from symattn.reading.locate import Places, joined
from symattn.reading.tables import Table, listed, plain_words, refuse
from symattn.reading.toml_file import content_of, text_of
from symattn.recipes.limits import within_limits


def read_case(path: str | os.PathLike[str]) -> Case:
    """The case in a file. Raises a SymattnError that names the file and the place in it."""
    try:
        return parse_case(text_of(Path(path)), shown(os.fspath(path)))
    except SymattnError as problem:
        raise problem.at(file=os.fspath(path)) from None


def parse_case(text: str, file: str | None = None) -> Case:
    """The case in a text; `file` is its name in messages. Raises a SymattnError with the place."""
    text = text.removeprefix("\ufeff")
    try:
        content = content_of(text)
        return _case(content, Places(text), file)
    except SymattnError as problem:
        if problem.line is None and problem.key is not None:
            places = Places(text)
            place = (places.of_key if isinstance(problem, UnknownKey) else places.nearest)(problem.key)
            if place is not None:
                problem.at(line=place.line, column=place.column)
        raise problem.at(file=file) from None


def _case(content: Mapping[str, object], places: Places, file: str | None) -> Case:
    table = Table(content, "", keys.CASE)
    names = {name: symbol(name) for name in _symbols(table)}
    conventions = settings(Table(content.get("attention", {}), "attention", keys.ATTENTION), names)
    within_limits(conventions, {})  # the keys that [given] may have are one for each head of each layer
    columns = conventions.tokens_as == "columns"
    given = _given(_tagged(content.get("given", {})), names, conventions)
    if not given and conventions.positions == "none":
        raise _nothing_given().at(key="given")
    tokens, memory_tokens = _labels(table, "tokens"), _labels(table, "memory_tokens")
    _labelled("tokens", tokens, _sides(given, "X", columns, of_keys=False))
    _labelled("memory_tokens", memory_tokens, _sides(given, "memory", columns, of_keys=True))
    return Case(
        title=table.words("title") or (Path(file).stem if file else "untitled"),
        given=given,
        lang=table.choice("lang", "en"),
        source=table.words("source"),
        tokens=tokens,
        memory_tokens=memory_tokens,
        symbols=tuple(names),
        settings=conventions,
        stated=tuple(claim(each, path, names, places) for path, each in _tables(table, "stated")),
        statements=tuple(
            statement(each, path, names, (*tokens, *memory_tokens), places)
            for path, each in _tables(table, "statement")
        ),
        file=file,
        places=places,
    )


def _tables(table: Table, name: str) -> list[tuple[str, object]]:
    """The tables of an array of tables beside their paths."""
    if name not in table:
        return []
    entries = listed(table[name], name, f"head each one with double brackets, [[{name}]]")
    return [(f"{name}[{i}]", entry) for i, entry in enumerate(entries)]


def _labels(table: Table, name: str) -> tuple[str, ...]:
    if name not in table:
        return ()
    labels = listed(table[name], name, f'a list of labels, one for each row: {name} = ["the", "cat"]')
    return tuple(plain_words(label, f"{name}[{i}]") for i, label in enumerate(labels))


TAKEN = {
    **dict.fromkeys(FUNCTIONS, "a function"),
    **dict.fromkeys(CONSTANTS, "a constant"),
    **dict.fromkeys((*INFINITIES, "nan"), "no number"),
    **dict.fromkeys(keys.SIZES, "a size of the case"),
}


def _symbols(table: Table) -> tuple[str, ...]:
    if "symbols" not in table:
        return ()
    names: list[str] = []
    for i, entry in enumerate(listed(table["symbols"], "symbols", 'a list of names: ["a", "theta"]')):
        path, name = f"symbols[{i}]", plain_words(entry, f"symbols[{i}]")
        remedy = "a symbol is a letter, then letters, digits and _: a, theta, x_1"
        if name in TAKEN:
            refuse(path, f"{quote(name)}, which is {TAKEN[name]} already", "choose another name")
        if not name.isidentifier() or name.startswith("_") or len(name) > 40:
            refuse(path, f"{quote(name)} as the name of a symbol", remedy)
        if keyword.iskeyword(name):
            refuse(
                path,
                f"{quote(name)}, which SymPy cannot read back",
                f"choose another name, such as {name}_1",
            )
        if name in names:
            refuse(path, f"{quote(name)} for the second time", "declare a symbol once")
        names.append(name)
    return tuple(names)


_TAG = re.compile(r"(head|layer)[0-9]+")


def _tagged(content: object) -> object:
    """`head1.A = ...` and `[given.layer2]`, which TOML reads as tables, under names such as "head1.A"."""
    if not isinstance(content, dict):
        return content
    flat: dict[str, object] = {}
    for name, value in content.items():
        if _TAG.fullmatch(name) and isinstance(value, dict):
            inner = _tagged(value)
            assert isinstance(inner, dict)
            flat |= {f"{name}.{part}": matrix for part, matrix in inner.items()}
        else:
            flat[name] = value
    return flat


def _given(content: object, names: Mapping[str, Exact], conventions: Settings) -> Mapping[str, Given]:
    """The givens as they stand; a flat vector is a row, or a column where the tokens are columns."""
    _counted(content, {"head": conventions.heads, "layer": conventions.layers})
    table = Table(content, "given", keys.given_keys(conventions.heads, conventions.layers))
    columns = conventions.tokens_as == "columns"
    line, brackets = ("column", "[[1], [2]]") if columns else ("row", "[[1, 2]]")
    given = {}
    for name in table.content:
        key = table.keys[name]
        path = joined("given", name)
        typed = table[name]
        if key.kind == "expression":
            given[name] = cells.number(typed, path, names)
            continue
        found = cells.matrix(typed, path, names, infinite=key.infinite, flat=key.kind == "vector")
        flat = isinstance(typed, list) and not isinstance(typed[0], list)
        if columns and key.kind == "vector" and flat:
            found = found.T
        if key.kind == "vector" and found.shape[columns] != 1:
            raise ShapeMismatch(
                f"a bias of {found.shape[columns]} {line}s",
                f"a bias is one {line}, added to every {line}: [1, 2], or {brackets}",
            ).at(key=path)
        given[name] = found
    return given


def _counted(content: object, counts: Mapping[str, int]) -> None:
    """Raises UnknownKey for what is given of a head or a layer that the case does not have."""
    for name in content if isinstance(content, dict) else ():
        for tag, number in re.findall(r"(head|layer)([1-9][0-9]*)(?=\.)", name):
            count = counts[tag]
            if count == 1 or len(number) > len(str(count)) or int(number) > count:
                many = f"the case has {count} {tag}{'s' if count > 1 else ''}"
                remedy = f"{tag}s under [attention] says how many it has"
                raise UnknownKey(f"{quote(name)}, while {many}", remedy).at(key=joined("given", name))
        tag, _, base = name.rpartition(".")
        if tag.startswith("layer") and base in keys.OF_ALL_LAYERS:
            raise UnknownKey(f"{quote(name)}: no layer has its own {base}", f"give {base} under [given]").at(
                key=joined("given", name)
            )


def _nothing_given() -> MissingGiven:
    return MissingGiven("nothing is given", "a walk starts from [given]: X, W_Q, W_K, W_V, or Q, K, V")


def _sides(given: Mapping[str, Given], inputs: str, columns: bool, *, of_keys: bool) -> Mapping[str, int]:
    """The sizes that labels may have: that of the inputs, or else those of what is given instead.

    `columns` says that the tokens are columns; keys stand the other way in scores and weights.
    """

    def along(names: Iterable[str], axis: int) -> Mapping[str, int]:
        sizes = {name: given[name].shape[axis] for name in names if name in given}
        return {f"{name} has {size} {('rows', 'columns')[axis]}": size for name, size in sizes.items()}

    projected = [each.name for each in QUANTITIES.projected if each.per_key == of_keys]
    squares = [each.name for each in QUANTITIES.givens if each.square]
    return along((inputs,), int(columns)) or {
        **along(projected, int(columns)),
        **along(squares, int(columns != of_keys)),
    }


def _labelled(name: str, labels: tuple[str, ...], sides: Mapping[str, int]) -> None:
    """As many labels as there are rows to label. Raises ShapeMismatch."""
    if labels and sides and len(labels) not in sides.values():
        count = f"{len(labels)} {'label' if len(labels) == 1 else 'labels'}"
        raise ShapeMismatch(f"{count}, while {' and '.join(sides)}", "one label for each").at(key=name)
