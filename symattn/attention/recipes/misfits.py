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

MOST = 10
"""So many misfits are listed."""
Planned = Callable[[Case], Plan]


def fitting(case: Case, plan: Plan, given: Mapping[str, Matrix], planned: Planned) -> None:
    """Raises the first misfit of a plan, with those that no other one causes and no other remedy mends."""
    known = {name: matrix.shape for name, matrix in given.items()}
    found: dict[Bilingual, SymattnError] = {}
    fine: list[Line] = []
    for line in plan:
        if not all(name in known for name in line.args):
            continue
        try:
            known[line.name] = line.op.shape(*(known[name] for name in line.args))
            fine.append(line)
        except SymattnError as problem:
            error = misfit(case, (*fine, line), given, problem.at(step=line.name), planned)
            found.setdefault(error.advice, error)
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
    en, zh = (("rows", "行"), ("columns", "列"))[_side(case)]
    of_en, of_zh = ("row", "行") if as_columns(case) else ("column", "列")
    return Bilingual(
        f"{weights} needs {inner} {en}, one for each {of_en} of {inputs}",
        f"{weights} 应有 {inner} {zh}，与 {inputs} 的{of_zh}数相同",
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
