"""What a case says without an effect is refused: a setting or a given matrix that no step depends on.

Nothing here lists what goes with what. A setting has an effect where another value of it makes another plan,
or none at all, in the case itself or in one with more tokens or columns: a base of the angles of RoPE is not
refused because there is one angle only. A given matrix has a role where a step of the forward computation,
the loss or the backward pass makes or takes it. What is in the way or missing is found by trying.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from symattn.attention.case import Case, Given, Settings
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.attention import attention, forward
from symattn.attention.recipes.columns import in_rows
from symattn.attention.recipes.loss import loss
from symattn.attention.runnable import runnable
from symattn.casefile import keys
from symattn.casefile.larger import larger
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.plan import Plan, base_name, downstream
from symattn.text.bilingual import Bilingual, both
from symattn.text.errors import SymattnError, UnusableValue

DESCRIBING = ("tokens_as", "weights", "undeclared")
"""Settings that say how the source writes its matrices and numbers: they need not concern any of them."""
OTHER = "7/3"
"""A number that is tried in place of another one."""
ONE_ENTRY = Given((("1",),), Matrix.of([[Exact.of(1)]]))
"""A matrix that is tried where none is given."""
Problem = tuple[Bilingual, Bilingual]
"""What is wrong, and what would work."""
TRIED = {"heads": (1, 2), "layers": (1, 2)}
"""The values that are tried of whole numbers to find out what a key goes with."""


def refuse_idle(case: Case) -> None:
    """Raises UnusableValue, with the place, for settings and givens without an effect.

    A case without a plan passes: what is wrong with it is said where it is planned.
    """
    try:
        whole = attention(case)
    except SymattnError:
        return
    if case.program is not None:
        _refuse_unused(case, case.program)
        return
    roles = _roles(case)
    idle = [name for name in case.given if name not in roles and not _replaced(case, name)]
    if idle:
        raise _refusal(case, f"given.{idle[0]}", *_of_givens(case, idle))
    steps = runnable(forward(case), case.given)
    without_effect = [
        key
        for key in _changed(case)
        if not _effective(case, key, whole, steps)
        and not any(_comes_to_matter(other, key) for other in larger(_shallow(case)))
    ]
    for key in without_effect:
        # a causal mask and a window of no later key say the same: neither is said in vain
        same = (_reset(case, other) for other in without_effect if other != key)
        if not any(_comes_to_matter(other, key) for other in same):
            problem = _of_setting(case, key)
            if problem is not None:
                raise _refusal(case, f"attention.{key}", *problem)


def _refuse_unused(case: Case, steps: Plan) -> None:
    """Raises UnusableValue for a given that no `[[step]]` takes, and of which nothing is said."""
    said = {*(name for line in steps for name in line.args), *(claim.name for claim in case.stated)}
    said |= {word for statement in case.statements for word in statement.name.split()}
    unused = next((name for name in case.given if name not in said), None)
    if unused is not None:
        found = Bilingual(f"{unused} is given, and no step takes it", f"给出了 {unused}，而没有一步用到它")
        remedy = Bilingual("leave it out, or name it in the `of` of a step", "请删去，或写入某一步的 `of`")
        raise _refusal(case, f"given.{unused}", found, remedy)


def _changed(case: Case) -> Iterator[str]:
    default = Settings()
    for key in keys.ATTENTION:
        if key.name not in DESCRIBING and getattr(case.settings, key.name) != getattr(default, key.name):
            yield key.name


def _with(case: Case, key: str, value: object) -> Case:
    return replace(case, settings=replace(case.settings, **{key: value}))


def _reset(case: Case, key: str) -> Case:
    return _with(case, key, getattr(Settings(), key))


def _without(case: Case, name: str) -> Case:
    return replace(case, given={other: given for other, given in case.given.items() if other != name})


def _effective(case: Case, key: str, whole: Plan, steps: Plan) -> bool:
    """Whether some other value of a setting makes another plan, or is refused.

    Another value than the default too: eight heads of keys for eight heads are said in vain and rightly.
    """
    for value in _others(key, getattr(case.settings, key)):
        other = _with(case, key, value)
        try:
            if runnable(forward(other), case.given) != steps or attention(other) != whole:
                return True
        except SymattnError:
            return True
    return False


def _others(name: str, value: object) -> Iterator[object]:
    """The default of a setting, and values that are neither it nor `value`."""
    default = getattr(Settings(), name)
    key = next(key for key in keys.ATTENTION if key.name == name)
    yield default
    match key.kind:
        case "choice" | "mask":
            yield from (choice for choice in key.choices if choice not in (value, default))
        case "integer" if isinstance(value, int):
            yield from (other for other in (key.least, value + 1) if other not in (value, default))
        case "expression" | "per head" if not isinstance(value, Given):
            yield OTHER
        case "row" | "flags" | "per head" if isinstance(value, Given):
            ones = value.values.map(lambda entry: Exact.of(1) - entry)
            yield replace(value, values=ones)


def _roles(case: Case) -> frozenset[str]:
    """What a step of the forward computation, the loss or the backward pass makes or takes.

    A gradient to start from has one: `attention/recipes/backward.py` refuses it where there is no
    such value.
    """
    steps = forward(case)
    lines = (*steps, *loss(in_rows(case), steps[-1].name))
    seeds = (name for name in case.given if base_name(name) in QUANTITIES.seeds)
    return frozenset(
        (*(line.name for line in lines), *(name for line in lines for name in line.args), *seeds)
    )


def _has_role(case: Case, name: str) -> bool:
    """Whether a step makes or takes what is given under a name, or the case is refused because of it."""
    try:
        return name in _roles(case)
    except SymattnError:
        return _planned(_without(case, name)) and not _planned(case)


def _planned(case: Case) -> bool:
    try:
        forward(case)
    except SymattnError:
        return False
    return True


def _replaced(case: Case, name: str) -> bool:
    """Whether a given has a role that a value made from it takes, which is given too."""
    return any(
        _has_role(without, name) and other in downstream(forward(without), {name})
        for other, without in ((other, _without(case, other)) for other in case.given if other != name)
        if _planned(without)
    )


def _of_givens(case: Case, names: list[str]) -> Problem:
    """What is wrong with givens that have no role, and what would give one to the first of them."""
    first = names[0]
    alone = _shallow(
        replace(case, given={name: case.given[name] for name in case.given if name not in names[1:]})
    )
    settings = [(key, value) for key, value in _tried(alone) if _has_role(_with(alone, key, value), first)]
    givens = [
        key.name
        for key in keys.GIVEN
        if key.name not in alone.given
        and _has_role(replace(alone, given={**alone.given, key.name: ONE_ENTRY}), first)
    ]
    known = keys.given_keys(case.settings.heads, case.settings.layers)
    meaning = next(key.meaning for key in known if key.name == first)
    listed = first if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    is_given, takes = ("is given", "it") if len(names) == 1 else ("are given", "them")
    found = Bilingual(
        f"{listed} {is_given}, and no step of this case takes {takes}",
        f"给出了 {'、'.join(names)}，而这个算例没有一步用到{'它' if len(names) == 1 else '它们'}",
    )
    under = [Bilingual(f"{name} under [given]", f"[given] 中的 {name}") for name in givens]
    return found, _remedy(first, meaning, [*_choices(settings), *under])


def _tried(case: Case) -> Iterator[tuple[str, object]]:
    """Every setting that is one of a few words or small numbers, with each of its other values."""
    for key in keys.ATTENTION:
        for value in TRIED.get(key.name, key.choices if key.kind in ("choice", "mask") else ()):
            if key.name not in DESCRIBING and value != getattr(case.settings, key.name):
                yield key.name, value


def _of_setting(case: Case, key: str) -> Problem | None:
    """What is wrong with a setting that has no effect, and what would work.

    None where it concerns a step that is only not reached yet: more may be given.
    """
    case = _shallow(case)
    said = _said(case, key)
    beside = {
        Bilingual(f"{name} given", f"给出的 {name}"): name
        for name in case.given
        if _comes_to_matter(_without(case, name), key)
    }
    for other in _changed(case):
        if other != key and _comes_to_matter(_reset(case, other), key):
            beside[both(_said(case, other))] = other
    if beside:
        found = Bilingual(
            f"{said} has no effect with {' and '.join(each.en for each in beside)}",
            f"{said} 与 {' 和 '.join(each.zh for each in beside)} 同时使用时不起作用",
        )
        others = beside.values()
        return found, Bilingual(
            f"leave out {key}, or else {' or '.join(others)}", f"请去掉 {key}，或者去掉 {' 或 '.join(others)}"
        )
    step = _step_of(case, key)
    if step is not None:
        if not downstream(forward(case), {step}).intersection(case.given):
            return None
        found = Bilingual(
            f"{said} has no effect: it changes {step}, which is not computed from what is given",
            f"{said} 不起作用：它只影响 {step}，而由所给的量不会算到 {step}",
        )
        return found, Bilingual(
            f"leave it out, or give what comes before {step}", f"请去掉它，或给出 {step} 之前的量"
        )
    meaning = next(known.meaning for known in keys.ATTENTION if known.name == key)
    needed = [
        (other, choice)
        for other, choice in _tried(case)
        if other != key and _plans_apart(_with(case, other, choice), key)
    ]
    if not needed and _may_come_to_matter(case, key):
        return None
    found = Bilingual(f"{said} has no effect on this case", f"{said} 对这个算例不起作用")
    return found, _remedy(key, meaning, _choices(needed))


def _may_come_to_matter(case: Case, key: str) -> bool:
    """Whether a setting would change a step if one more matrix were given."""
    more = (replace(case, given={**case.given, known.name: ONE_ENTRY}) for known in keys.GIVEN)
    return any(_plans_apart(other, key) for other in more if len(other.given) > len(case.given))


def _said(case: Case, key: str) -> str:
    value = getattr(case.settings, key)
    return key if isinstance(value, Given) else f"{key} = {_typed(value)}"


def _shallow(case: Case) -> Case:
    """The case with two of its layers where all are alike: what goes with what is the same there."""
    alike = not any(name.startswith("layer") for name in case.given)
    return _with(case, "layers", 2) if alike and case.settings.layers > 2 else case


def _step_of(case: Case, key: str) -> str | None:
    """The first step of the whole forward computation that a setting changes, if there is one."""
    after = {line.name: line for line in forward(_reset(case, key))}
    return next((line.name for line in forward(case) if after.get(line.name) != line), None)


def _choices(settings: Sequence[tuple[str, object]]) -> list[Bilingual]:
    """Settings as they are written, the values of each together: `layer = "post-norm" or "pre-norm"`."""
    by_key: dict[str, list[str]] = {}
    for key, value in settings:
        by_key.setdefault(key, []).append(_typed(value))
    return [
        Bilingual(f"{key} = {' or '.join(values)}", f"{key} = {' 或 '.join(values)}")
        for key, values in by_key.items()
    ]


def _comes_to_matter(case: Case, key: str) -> bool:
    try:
        return _effective(case, key, attention(case), runnable(forward(case), case.given))
    except SymattnError:
        return False


def _plans_apart(case: Case, key: str) -> bool:
    """Whether some value makes another forward computation, whatever of it is given, or is refused."""
    try:
        whole = forward(case)
    except SymattnError:
        return False
    try:
        return any(
            forward(_with(case, key, other)) != whole for other in _others(key, getattr(case.settings, key))
        )
    except SymattnError:
        return True


def _remedy(name: str, meaning: str, missing: Sequence[Bilingual]) -> Bilingual:
    more = f", or add {', or '.join(each.en for each in missing)}" if missing else ""
    more_zh = f"，或补上 {'，或 '.join(each.zh for each in missing)}" if missing else ""
    return Bilingual(f"leave it out{more} ({name}: {meaning})", f"请去掉 {name}{more_zh}")


def _typed(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _refusal(case: Case, key: str, found: Bilingual, remedy: Bilingual) -> UnusableValue:
    return UnusableValue(found, remedy).at(**case.at(key))
