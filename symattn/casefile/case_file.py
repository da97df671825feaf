"""A TOML case becomes a `Case`: `read_case("cases/cat.toml")`.

Whatever is wrong is one message with file, line, column and key; the place is added here, at the edge.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from symattn.attention.case import Case, Given, Place
from symattn.attention.quantities import QUANTITIES
from symattn.casefile import keys
from symattn.casefile.claims import claim, statement
from symattn.casefile.every_problem import read_all
from symattn.casefile.given_files import NO_FILES, Access, Files, names_arrays, references
from symattn.casefile.givens import conventions_of, givens, matrices, symbols, tagged
from symattn.casefile.locate import Places
from symattn.casefile.steps import NO_CONVENTIONS, carried_out, step
from symattn.casefile.tables import Table, listed, plain_words, refuse
from symattn.casefile.toml_file import content_of, text_of
from symattn.exact.number import Exact
from symattn.plans.plan import Plan, base_name
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import MissingGiven, ShapeMismatch, SymattnError, UnknownKey
from symattn.text.file_names import shown

NOWHERE: Mapping[str, Place] = MappingProxyType({})


def read_case(path: str | os.PathLike[str], *, allow_files: bool = False) -> Case:
    """The case in a file, with the givens that it has in files.

    These are in its folder, or with `allow_files` anywhere. Raises a SymattnError that names the file and
    the place in it.
    """
    try:
        access = Access(Path(path).parent, allow_files)
        return parsed(text_of(Path(path)), shown(os.fspath(path)), access)
    except SymattnError as problem:
        raise problem.at(file=os.fspath(path)) from None


def parse_case(text: str, file: str | None = None, *, folder: str | os.PathLike[str] | None = None) -> Case:
    """The case in a text; `file` is its name in messages, `folder` has the files that it may read.

    Raises a SymattnError with the place.
    """
    return parsed(text, file, Access.to(folder))


def parsed(text: str, file: str | None, access: Access) -> Case:
    """The case in a text that may read these files. Raises a SymattnError with the place."""
    text = text.removeprefix("\ufeff")
    places = Places(text)
    try:
        content = content_of(text)
        has_arrays = names_arrays(content)
        return read_all(content, lambda mended: _case(mended, places, file, access, has_arrays))
    except SymattnError as problem:
        every = [_placed(each, places).at(file=file) for each in (problem, *problem.others)]
        every.sort(key=lambda each: (each.line or 0, each.column or 0))
        problem.others, first = (), every[0]
        first.others = tuple(every[1:])
        raise first from None


def files_of(path: Path) -> list[Path]:
    """The file of a case, and those that its givens are in as far as it can be read."""
    try:
        given = content_of(text_of(path)).get("given")
    except SymattnError:
        given = None
    return [path, *(path.parent / each.path for each in references(given))]


def _placed(problem: SymattnError, places: Places) -> SymattnError:
    """The problem with the line and the column of its key."""
    if problem.line is None and problem.key is not None:
        place = (places.of_key if isinstance(problem, UnknownKey) else places.nearest)(problem.key)
        if place is not None:
            return problem.at(line=place.line, column=place.column)
    return problem


def case_of(content: Mapping[str, object], access: Access = NO_FILES) -> Case:
    """The case in tables of strings, integers, switches and lists, as TOML would give them.

    Raises a SymattnError with the key.
    """
    return _case(content, NOWHERE, None, access, names_arrays(content))


def _case(
    content: Mapping[str, object],
    places: Mapping[str, Place],
    file: str | None,
    access: Access,
    has_arrays: bool,
) -> Case:
    table = Table(content, "", keys.CASE)
    files = Files(access, table.choice("floats", "") or None)
    found = _case_with(files, table, content, places, file)
    if files.floats and not has_arrays:
        refuse("floats", *_NO_ARRAYS)
    return found


def _case_with(
    files: Files,
    table: Table,
    content: Mapping[str, object],
    places: Mapping[str, Place],
    file: str | None,
) -> Case:
    names = symbols(table)
    conventions = conventions_of(table, names)
    columns = conventions.tokens_as == "columns"
    if "step" in table:
        steps = tuple(step(each, path) for path, each in _tables(table, "step"))
        return _program(table, content, steps, names, places, file, files)
    given = givens(tagged(content.get("given", {})), names, conventions, files)
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
        author=table.words("author"),
        date=table.words("date"),
        note=table.words("note"),
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
        files=MappingProxyType(files.read),
        places=places,
    )


def _program(
    table: Table,
    content: Mapping[str, object],
    steps: Plan,
    names: Mapping[str, Exact],
    places: Mapping[str, Place],
    file: str | None,
    files: Files,
) -> Case:
    """A case that says its computation itself: its givens have the names that its steps ask for."""
    given = matrices(content.get("given", {}), names, files)
    if "attention" in content:
        refuse("attention", *NO_CONVENTIONS)
    carried_out(steps, {name: each.shape for name, each in given.items()})
    return Case(
        title=table.words("title") or (Path(file).stem if file else "untitled"),
        given=given,
        lang=table.choice("lang", "en"),
        source=table.words("source"),
        author=table.words("author"),
        date=table.words("date"),
        note=table.words("note"),
        tokens=_labels(table, "tokens"),
        symbols=tuple(names),
        stated=tuple(claim(each, path, names, places) for path, each in _tables(table, "stated")),
        statements=tuple(
            statement(each, path, names, _labels(table, "tokens"), places)
            for path, each in _tables(table, "statement")
        ),
        file=file,
        files=MappingProxyType(files.read),
        places=places,
        program=steps,
    )


def _tables(table: Table, name: str) -> list[tuple[str, object]]:
    """The tables of an array of tables beside their paths, but for those that were taken out."""
    if name not in table:
        return []
    entries = listed(
        table[name],
        name,
        Bilingual(f"head each one with double brackets, [[{name}]]", f"每个表前用双方括号：[[{name}]]"),
    )
    return [(f"{name}[{i}]", entry) for i, entry in enumerate(entries) if entry is not None]


def _labels(table: Table, name: str) -> tuple[str, ...]:
    if name not in table:
        return ()
    labels = listed(
        table[name],
        name,
        Bilingual(
            f'a list of labels, one for each row: {name} = ["the", "cat"]',
            f'应为标签的列表，每行一个：{name} = ["小", "猫"]',
        ),
    )
    return tuple(plain_words(label, f"{name}[{i}]", several_lines=True) for i, label in enumerate(labels))


_NO_ARRAYS = (
    Bilingual("no given is in a file with floats", "没有给定的量来自含浮点数的文件"),
    Bilingual(
        "leave it out: numbers of a case, and of a .csv, are exact", "请删去：算例和 .csv 中的数都是准确的"
    ),
)


def _nothing_given() -> MissingGiven:
    return MissingGiven(
        Bilingual("nothing is given", "什么也没有给出"),
        Bilingual(
            "a computation starts from [given]: X, W_Q, W_K, W_V, or Q, K, V",
            "推导从 [given] 开始：X、W_Q、W_K、W_V，或 Q、K、V",
        ),
    )


Sides = Mapping[Bilingual, int]
"""Sizes, each with the words that say it."""


def _sides(given: Mapping[str, Given], inputs: str, columns: bool, *, of_keys: bool) -> Sides:
    """The sizes that labels may have: that of the inputs, or else those of what is given instead.

    `columns` says that the tokens are columns; keys stand the other way in scores and weights.
    """

    def along(bases: Collection[str], axis: int) -> dict[Bilingual, int]:
        sizes = {name: given[name].shape[axis] for name in given if base_name(name) in bases}
        return {
            Bilingual(
                f"{name} has {Count(size):{('row', 'column')[axis]}}", f"{name} 有 {size} {'行列'[axis]}"
            ): size
            for name, size in sizes.items()
        }

    projected = [each.name for each in QUANTITIES.projected if each.per_key == of_keys]
    squares = [each.name for each in QUANTITIES.givens if each.square]
    return along((inputs,), int(columns)) or {
        **along(projected, int(columns)),
        **along(squares, int(columns != of_keys)),
    }


def _labelled(name: str, labels: tuple[str, ...], sides: Sides) -> None:
    """As many labels as there are rows to label. Raises ShapeMismatch."""
    if labels and sides and len(labels) not in sides.values():
        count = len(labels)
        found = Bilingual(
            f"{Count(count):label}, while {' and '.join(side.en for side in sides)}",
            f"有 {count} 个标签，而 {'，'.join(side.zh for side in sides)}",
        )
        raise ShapeMismatch(found, Bilingual("one label for each", "每个应有一个标签")).at(key=name)
