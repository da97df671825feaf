"""The `[[stated]]` and `[[statement]]` tables of a case: what the source printed and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symattn.attention.case import Claim, Place, Statement, Word
from symattn.auditor.ranges.working import operands
from symattn.casefile import keys
from symattn.casefile.cells import Names, characters, printed
from symattn.casefile.tables import WHOLE_NUMBER, Table, misplaced, refuse
from symattn.exact.literal import CONSTANTS, INFINITIES, names_in, parse, quote, read, undeclared
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import SymattnError
from symattn.text.suggest import instead


def claim(content: object, path: str, names: Names, places: Mapping[str, Place]) -> Claim:
    """One `[[stated]]` table. Every number is readable; a working belongs to a single value."""
    table = Table(content, path, keys.STATED)
    name = named(table)
    at = table.path_of("values")
    values, paths = printed(table["values"], at, names)
    work = table.words("work")
    if work is not None:
        _worked(work, table.path_of("work"), names)
        if (len(values), len(values[0])) != (1, 1):
            count = sum(map(len, values))
            refuse(
                table.path_of("work"),
                Bilingual(f"a working for {count} values", f"一个算式对应 {count} 个数"),
                Bilingual(
                    "a working belongs to a single value: give that one its own table",
                    "一个算式只对应一个数：请为这个数单独写一个表",
                ),
            )
    return Claim(
        name=name,
        values=values,
        row=table.integer("row") or 0,
        col=table.integer("col") or 0,
        work=work,
        line=table.integer("line"),
        key=table.integer("key"),
        example=table.switch("example"),
        points=table.integer("points"),
        place=places.get(at),
        places=tuple(tuple(places.get(cell) for cell in row) for row in paths),
        work_places=_operand_places(work, places.get(table.path_of("work"))) if work is not None else (),
    )


def _operand_places(work: str, quote: Place | None) -> tuple[Place, ...]:
    """Where the operands of a working stand, behind the quotation mark of their string."""
    if quote is None:
        return ()
    return tuple(Place(quote.line, quote.column + operand.column) for operand in operands(work))


def statement(
    content: object, path: str, names: Names, tokens: Sequence[str], places: Mapping[str, Place]
) -> Statement:
    """One `[[statement]]` table, its value held against what the kind of statement needs."""
    table = Table(content, path, keys.STATEMENT)
    kind, name, picks = table.choice("kind", ""), named(table), _picks(table)
    said = Statement(
        kind=kind,
        name=name,
        value=tuple(pick for _, pick in picks),
        row=table.integer("row"),
        col=table.integer("col"),
        line=table.integer("line"),
        place=places.get(path),
        words=tuple(Word(places[at], pick) for at, pick in picks if at in places),
    )
    _fits(said, table, names, tokens)
    return said


def named(table: Table) -> str:
    """The name of a quantity: not empty, without spaces around it."""
    name = table.words("name") or ""
    if not name or name != name.strip():
        refuse(
            table.path_of("name"),
            Bilingual(f"{quote(name)} as the name of a quantity", f"{quote(name)} 不能作为量的名称"),
            Bilingual('write for example name = "Q"', '例如写 name = "Q"'),
        )
    return name


def _picks(table: Table) -> Sequence[tuple[str, str]]:
    """The parts of the value, each behind its path in the file."""
    if "value" not in table:
        return ()
    value, path = table["value"], table.path_of("value")
    if isinstance(value, list):
        paths = [f"{path}[{j}]" for j in range(len(value))]
        return [(at, characters(pick, at)) for at, pick in zip(paths, value, strict=True)]
    return [(path, characters(value, path))]


NEEDS: Mapping[str, tuple[int, int, Bilingual]] = {  # least and most entries of `value`, and what would work
    "order": (
        2,
        10_000,
        Bilingual(
            'the labels or columns, the largest first: value = ["b", "a"] or [1, 0]',
            '标签或列号，最大的在前：value = ["b", "a"] 或 [1, 0]',
        ),
    ),
    "argmax": (
        1,
        1,
        Bilingual(
            'the label or column of the largest entry: value = "b" or 1',
            '最大元素的标签或列号：value = "b" 或 1',
        ),
    ),
    "equal-rows": (
        2,
        10_000,
        Bilingual("the rows that are equal, from 0: value = [0, 1]", "相等的行，从 0 数起：value = [0, 1]"),
    ),
    "equal-columns": (
        2,
        10_000,
        Bilingual(
            "the columns that are equal, from 0: value = [0, 1]", "相等的列，从 0 数起：value = [0, 1]"
        ),
    ),
    "sums-to-one": (
        0,
        0,
        Bilingual(
            "this kind of statement has no value; row = 0 picks a row", "这种语句没有 value；row = 0 指定一行"
        ),
    ),
    "shape": (2, 2, Bilingual("the rows and the columns: value = [3, 4]", "行数和列数：value = [3, 4]")),
    "equal": (1, 1, Bilingual('an exact expression: value = "1/2"', '一个精确的式子：value = "1/2"')),
}
NEEDS_ENTRY = ("equal",)
NEEDS_LINE = ("order", "argmax")


def _fits(said: Statement, table: Table, names: Names, tokens: Sequence[str]) -> None:
    least, most, remedy = NEEDS[said.kind]
    at = table.path_of("value")
    if not least <= len(said.value) <= most:
        count = len(said.value)
        found = Bilingual(
            f'{Count(count):entry/entries} in the value of a statement of the kind "{said.kind}"',
            f"“{said.kind}”语句的 value 有 {count} 个元素",
        )
        refuse(at, found, remedy)
    for key, given in (("row", said.row), ("col", said.col)):
        alone = said.kind in NEEDS_LINE and said.row is None and said.col is None
        if given is None and (said.kind in NEEDS_ENTRY or alone):
            refuse(
                table.path,
                Bilingual(
                    f'a statement of the kind "{said.kind}" without {key}', f"“{said.kind}”语句缺少 {key}"
                ),
                Bilingual(f"add {key} = 0 (from 0)", f"请补上 {key} = 0（从 0 数起）"),
            )
    if said.kind in NEEDS_LINE and said.row is not None and said.col is not None:
        refuse(
            table.path,
            Bilingual(
                f'a statement of the kind "{said.kind}" with a row and a column',
                f"“{said.kind}”语句同时有 row 和 col",
            ),
            Bilingual(
                "row = 0 means along that row, col = 0 down that column",
                "row = 0 指沿这一行，col = 0 指沿这一列",
            ),
        )
    several = isinstance(table["value"], list) if "value" in table else False
    for j, pick in enumerate(said.value):
        cell = f"{at}[{j}]" if several else at
        if said.kind == "equal":
            _evaluated(pick, cell, names)
        elif said.kind in ("order", "argmax"):
            _known(pick, cell, tokens, remedy)
        elif not _whole(pick):
            refuse(cell, misplaced(pick, WHOLE_NUMBER), remedy)


def _known(pick: str, path: str, tokens: Sequence[str], remedy: Bilingual) -> None:
    if not _whole(pick) and pick not in tokens:
        every = Bilingual("tokens lists all labels", "全部标签见 tokens")
        none = Bilingual("the case has no tokens", "这个算例没有 tokens")
        labels = instead(pick, tokens, every) if tokens else none
        refuse(
            path,
            Bilingual(
                f"{quote(pick)}, which is neither a label nor a column number",
                f"{quote(pick)} 既不是标签也不是列号",
            ),
            Bilingual(f"{remedy.en}; {labels.en}", f"{remedy.zh}；{labels.zh}"),
        )


def _whole(pick: str) -> bool:
    return pick.isascii() and pick.isdigit()


def _evaluated(text: str, path: str, names: Names) -> None:
    try:
        read(text, names)
    except SymattnError as problem:
        raise problem.at(key=path) from None


def _worked(work: str, path: str, names: Names) -> None:
    """The working is readable and uses declared names; whether it is right is the audit's question."""
    try:
        for name in names_in(parse(work)):
            if name.name not in (*names, *CONSTANTS, *INFINITIES):
                raise undeclared(name, names)
    except SymattnError as problem:
        raise problem.at(key=path) from None
