"""A step whose matrices do not fit together, in the names of the case, with the place of what was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from symattn.attention.case import Case, Spot
from symattn.attention.recipes.columns import as_columns
from symattn.exact.matrix import Matrix
from symattn.plans.derive import shapes
from symattn.plans.ops.project import Project
from symattn.plans.plan import Line, Plan
from symattn.plans.transposed import on_rows
from symattn.text.bilingual import Bilingual
from symattn.text.errors import ShapeMismatch, SymattnError
from symattn.text.suggest import listed

MOST = 10
"""So many misfits are listed."""
Planned = Callable[[Case], Plan]


def fitting(case: Case, plan: Plan, given: Mapping[str, Matrix], planned: Planned) -> None:
    """Raises the first misfit of a plan, with those that no other one causes and no other remedy mends."""
    known = {name: matrix.shape for name, matrix in given.items()}
    errors: dict[str, SymattnError] = {}
    fine: list[Line] = []
    for line in plan:
        if not all(name in known for name in line.args):
            continue
        try:
            known[line.name] = line.op.shape(*(known[name] for name in line.args))
            fine.append(line)
        except SymattnError as problem:
            errors[line.name] = misfit(case, (*fine, line), given, problem.at(step=line.name), planned)
    for inputs in dict.fromkeys(line.args[0] for line in plan if line.name in errors):
        errors |= _of_inputs(case, plan, inputs, known, errors)
    found = {error.advice: error for error in reversed(errors.values())}
    if found:
        first, *others = sorted(found.values(), key=lambda each: (each.line or 0, each.column or 0))
        first.others = tuple(others[: MOST - 1])
        raise first


def misfit(
    case: Case, plan: Plan, given: Mapping[str, Matrix], error: SymattnError, planned: Planned
) -> SymattnError:
    """The error of a step with the place of the given matrix that it comes from.

    A projection is said in the names of its matrices; another setting of `weights` is suggested where the
    whole case, `planned` so, fits.
    """
    at = next((i for i, line in enumerate(plan) if line.name == error.step), None)
    if at is None:
        return error
    error.at(**_place(case, plan[: at + 1]))
    line = plan[at]
    if isinstance(error, ShapeMismatch) and isinstance(on_rows(line.op), Project):
        known = shapes(plan[:at], given)
        x, w = (known[name] for name in line.args[:2])
        inner = x[not as_columns(case)]
        other = _other(case, given, planned) if inner in w else None
        if inner != w[_side(case)]:
            error.reason, error.advice = _said(case, line, x, w), other or _wanted(case, line, inner)
    return error


def _of_inputs(
    case: Case,
    plan: Plan,
    inputs: str,
    known: Mapping[str, tuple[int, int]],
    errors: Mapping[str, SymattnError],
) -> dict[str, SymattnError]:
    """One error for all projections of these inputs, where their weights agree on another size."""
    lines = [line for line in plan if line.args[:1] == (inputs,) and isinstance(on_rows(line.op), Project)]
    weights = list(dict.fromkeys(line.args[1] for line in lines))
    sizes = {known[name][_side(case)] for name in weights if name in known}
    if len(weights) < 2 or len(sizes) > 1 or not all(line.name in errors for line in lines):
        return {}
    of, side = int(not as_columns(case)), _side(case)
    inner, size = known[inputs][of], sizes.pop()
    if any(errors[line.name].advice != _wanted(case, line, inner) for line in lines):
        return {}
    have, several, wanted = _counted(inner, of), listed(weights), _counted(size, side)
    said = Bilingual(
        f"{inputs} has {have.en}, but {several.en} have {wanted.en}",
        f"{inputs} 有 {have.zh}，而 {several.zh} 有 {wanted.zh}",
    )
    mended = _counted(size, of), _counted(inner, side)
    advice = Bilingual(
        f"{inputs} needs {mended[0].en}, or each of the weights {mended[1].en}",
        f"{inputs} 应有 {mended[0].zh}，或各权重应有 {mended[1].zh}",
    )
    made = next((i for i, line in enumerate(plan) if line.name == inputs), None)
    spot = case.at(f"given.{inputs}") if made is None else _place(case, plan[: made + 1])
    return dict.fromkeys((line.name for line in lines), ShapeMismatch(said, advice).at(**spot))


def _counted(count: int, axis: int) -> Bilingual:
    """So many rows (axis 0) or columns."""
    en, zh = (("row", "行"), ("column", "列"))[axis]
    return Bilingual(f"{count} {en}{'s' if count > 1 else ''}", f"{count} {zh}")


def _place(case: Case, plan: Plan) -> Spot:
    """Where the last given matrix that the last step comes from is written."""
    lines = {line.name: line for line in plan}
    nearest = [plan[-1].name]
    for name in nearest:
        if f"given.{name}" in case.places and name != plan[-1].name:
            return case.at(f"given.{name}")
        if name in lines:
            nearest += [each for each in reversed(lines[name].args) if each not in nearest]
    return case.at(None)


def _said(case: Case, line: Line, x: tuple[int, int], w: tuple[int, int]) -> Bilingual:
    inputs, weights = line.args[:2]
    sizes = f"{x[0]}×{x[1]}", f"{w[0]}×{w[1]}"
    product = [inputs, weights + ("^T" if _is_transposed(case) else "")]
    shown = " ".join(reversed(product) if as_columns(case) else product)
    return Bilingual(
        f"{inputs} is {sizes[0]} and {weights} is {sizes[1]}, so {shown} is undefined",
        f"{inputs} 是 {sizes[0]}，{weights} 是 {sizes[1]}，{shown} 没有定义",
    )


def _is_transposed(case: Case) -> bool:
    """Whether the product has the transpose of the weights."""
    if as_columns(case):
        return case.settings.weights == "transposed"
    return case.settings.transposes_weights


def _side(case: Case) -> int:
    """The axis of the weights that meets the inputs: 0 for their rows, 1 for their columns."""
    return int(_is_transposed(case) != as_columns(case))


def _wanted(case: Case, line: Line, inner: int) -> Bilingual:
    inputs, weights = line.args[:2]
    needed = _counted(inner, _side(case))
    of_en, of_zh = ("row", "行") if as_columns(case) else ("column", "列")
    return Bilingual(
        f"{weights} needs {needed.en}, one for each {of_en} of {inputs}",
        f"{weights} 应有 {needed.zh}，与 {inputs} 的{of_zh}数相同",
    )


def _other(case: Case, given: Mapping[str, Matrix], planned: Planned) -> Bilingual | None:
    """The other setting of `weights`, where the whole case fits under it."""
    plain = "left" if as_columns(case) else "right"
    other = plain if case.settings.weights != plain else "transposed"
    turned = replace(case, settings=replace(case.settings, weights=other))
    try:
        shapes(planned(turned), given)
    except SymattnError:
        return None
    return Bilingual(
        f'weights = "{other}" under [attention] would fit', f'在 [attention] 下写 weights = "{other}" 就相合'
    )
