"""The `[[step]]` tables of a case: a computation that the case says itself, line by line.

    [[step]]
    name = "scores"
    operation = "scores"
    of = ["Q", "K"]
    with = {divisor = "sqrt(2)"}

Each line is an operation of the package over what is given or was computed before; `with` holds its
parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import fields

from symattn.attention.recipes.named import NAMES, OPERATIONS
from symattn.casefile import keys
from symattn.casefile.tables import Table, listed, plain_words, refuse
from symattn.exact.literal import quote, read
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.shapes import Shape
from symattn.exact.spell import spell
from symattn.exact.work import LONGEST
from symattn.plans.kinds import Scaling
from symattn.plans.operation import Operation
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import SymattnError, UnusableValue
from symattn.text.suggest import instead

NO_CONVENTIONS = (
    Bilingual(
        "[attention] beside [[step]] tables, which say the whole computation",
        "[[step]] 已写明全部计算，[attention] 不起作用",
    ),
    Bilingual("leave one of the two out", "请删去其中之一"),
)


def step(content: object, path: str) -> Line:
    """One `[[step]]` table. Raises a SymattnError that names the key."""
    table = Table(content, path, keys.STEP)
    name = table.words("name") or ""
    kind = table.words("operation") or ""
    if kind not in OPERATIONS:
        remedy = Bilingual(f"one of {', '.join(OPERATIONS)}", f"可用：{'、'.join(OPERATIONS)}")
        refuse(
            table.path_of("operation"),
            Bilingual(f"{quote(kind)} as an operation", f"没有运算 {quote(kind)}"),
            instead(kind, tuple(OPERATIONS), remedy),
        )
    listing = Bilingual('a list of names: ["Q", "K"]', '应为名称的列表：["Q", "K"]')
    of = listed(table["of"], table.path_of("of"), listing) if table["of"] else []
    args = tuple(plain_words(each, f"{table.path_of('of')}[{i}]") for i, each in enumerate(of))
    parameters = table.content.get("with", {})
    return Line(name, _operation(OPERATIONS[kind], parameters, table.path_of("with")), args, LONGEST)


def carried_out(steps: Plan, given: Mapping[str, Shape]) -> None:
    """Raises a SymattnError, with the key, for a step that cannot be carried out in its place."""
    shapes = dict(given)
    for i, line in enumerate(steps):
        missing = next((name for name in line.args if name not in shapes), None)
        if missing is not None or line.name in shapes:
            refuse(f"step[{i}].{'name' if missing is None else 'of'}", *_out_of_place(line.name, missing))
        try:
            shapes[line.name] = line.op.shape(*(shapes[name] for name in line.args))
        except SymattnError as problem:
            raise problem.at(key=f"step[{i}].of") from None
        except (ValueError, IndexError):  # its shapes are not as many as it unpacks
            refuse(f"step[{i}].of", *_too_few_or_many(line))


def _too_few_or_many(line: Line) -> tuple[Bilingual, Bilingual]:
    """What is wrong with the number of names that a step is computed from."""
    kind, needed = NAMES[type(line.op)], len(line.op.example()[1])
    found = len(line.args)
    return (
        Bilingual(
            f"{found} where {kind} takes {Count(needed):name}",
            f"写了 {found} 个名称，{kind} 需要 {needed} 个",
        ),
        Bilingual(
            f"give {Count(needed):name} of what is given or computed before",
            f"请写 {needed} 个已给出或已算出的名称",
        ),
    )


def _out_of_place(name: str, missing: str | None) -> tuple[Bilingual, Bilingual]:
    """What is wrong with a step that needs what is not there, or that computes what is there already."""
    if missing is None:
        return (
            Bilingual(f"{quote(name)} for the second time", f"{quote(name)} 出现了两次"),
            Bilingual("give and compute each name once", "每个名称只给出或计算一次"),
        )
    return (
        Bilingual(
            f"{quote(missing)}, neither given nor computed before",
            f"{quote(missing)} 既未给出，也未在此前算出",
        ),
        Bilingual(
            f"give {missing} under [given], or compute it in a step before",
            f"请在 [given] 中给出 {missing}，或先写一步算出它",
        ),
    )


def step_table(line: Line) -> dict[str, Any]:
    """The table that `step` reads back to the same line. Raises KeyError for another operation."""
    content: dict[str, Any] = {"name": line.name, "operation": NAMES[type(line.op)], "of": list(line.args)}
    parameters = {
        field.name: _written(value)
        for field in fields(line.op)
        if field.name in _parameters(type(line.op))
        and (value := getattr(line.op, field.name)) != field.default
    }
    if isinstance(line.op, Scaling) and not line.op.rooted:
        parameters["spelled"] = "value"
    return content | ({"with": parameters} if parameters else {})


def _parameters(kind: type[Operation]) -> Mapping[str, Any]:
    """The parameters that a step can say, with a field's default."""
    return {field.name: field for field in fields(kind) if _readers(field.type) is not None}


def _readers(annotation: Any) -> Callable[[Any], Any] | None:
    return _BY_TYPE.get(annotation)


def _exact(value: Any) -> Exact:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return read(str(value), {})


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    return value


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _matrix(value: Any) -> Matrix:
    return Matrix.of([[_entry(cell) for cell in row] for row in value])


def _entry(cell: Any) -> Any:
    return MINUS_INFINITY if cell == "-oo" else _exact(cell)


def _pair(value: Any) -> tuple[Any, Any]:
    first, second = value
    return first, second


_BY_TYPE: Mapping[Any, Callable[[Any], Any]] = MappingProxyType(
    {
        int: _whole,
        bool: _switch,
        Exact: _exact,
        Matrix: _matrix,
        tuple[int, int]: _pair,
        tuple[bool, bool]: _pair,
        tuple[int, int, int] | None: tuple,
    }
)


def _written(value: Any) -> Any:
    if isinstance(value, Matrix):
        return [["-oo" if x == MINUS_INFINITY else _written(x) for x in row] for row in value.rows()]
    if isinstance(value, Exact):
        q = value.rational
        if q is not None:
            return int(q.p) if q.q == 1 else f"{q.p}/{q.q}"
        return str(value.to_sympy())
    return list(value) if isinstance(value, tuple) else value


def _operation(kind: type[Operation], parameters: object, path: str) -> Operation:
    """The operation with its parameters. Raises a SymattnError for those that it does not have."""
    known = _parameters(kind)
    if not isinstance(parameters, dict):
        refuse(
            path,
            Bilingual("no table", "不是表"),
            Bilingual("write with = {start = 0}", "写 with = {start = 0}"),
        )
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if issubclass(kind, Scaling) and name == "spelled":
            continue
        if name not in known:
            refuse(
                f"{path}.{name}",
                Bilingual(
                    f"{quote(name)} as a parameter of {NAMES[kind]}",
                    f"{NAMES[kind]} 没有参数 {quote(name)}",
                ),
                instead(name, tuple(known), _listing(tuple(known))),
            )
        try:
            found[name] = _BY_TYPE[known[name].type](value)
        except SymattnError as problem:
            raise problem.at(key=f"{path}.{name}") from None
        except (TypeError, ValueError):
            wanted = getattr(known[name].type, "__name__", str(known[name].type))
            raise UnusableValue(
                Bilingual(f"{quote(str(value))} as {name}", f"{name} 不能是 {quote(str(value))}"),
                Bilingual(f"it takes {wanted}", f"应为 {wanted}"),
            ).at(key=f"{path}.{name}") from None
    absent = [n for n, field in known.items() if field.required and n not in found]
    if absent:
        refuse(path, Bilingual(f"{absent[0]} is missing", f"缺少 {absent[0]}"), _listing(tuple(known)))
    if issubclass(kind, Scaling) and parameters.get("spelled") == "value":
        found["spelled"] = spell(found["divisor"])
    return kind(**found)


def _listing(names: Sequence[str]) -> Bilingual:
    if not names:
        return Bilingual("it takes no parameters", "它没有参数")
    return Bilingual(f"its parameters are {', '.join(names)}", f"参数有 {'、'.join(names)}")
