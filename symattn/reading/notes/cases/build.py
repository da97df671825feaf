"""From the account of one example to its cases: what is given, which conventions, what is claimed.

What cannot be recomputed at all is unread (SA905), never correct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symattn.case import Case, Given, Settings
from symattn.derive import shapes
from symattn.errors import SymattnError
from symattn.reading.notes.cases.infer import Evidence, explained, inferred
from symattn.reading.notes.cases.sentences import undefined
from symattn.reading.notes.cases.stated import claims
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.ledger import Ledger, Print
from symattn.reading.notes.linking.start import ONE_HEAD, Start, full, given_of, head_number
from symattn.reading.notes.result import Convention
from symattn.recipes.attention import attention, values

Built = tuple[Case, tuple[Convention, ...]]


def build(
    ledger: Ledger,
    context: Context,
    title: str,
    lang: str,
    file: str | None,
    tokens: tuple[str, ...],
    evidence: Evidence,
    position: int | None = None,
) -> tuple[list[Built], list[tuple[Print, str]]]:
    """The cases of one example, and the prints that belong to no walk, with the reason."""
    prints = sorted(ledger.prints, key=lambda made: made.num.start)
    positions = [made for made in prints if made.name == "PE"]
    heads = max((number for made in prints if (number := head_number(made.name))), default=1)
    apart = heads > 1 and any(made.name in ONE_HEAD for made in prints)
    of_heads = [made for made in prints if head_number(made.name)] if apart else []
    left_out = {id(made) for made in (*positions, *of_heads)}
    core = [made for made in prints if id(made) not in left_out]
    built: list[Built] = []
    unread: list[tuple[Print, str]] = []
    given = {name: table for name, cells in ledger.given.items() if (table := full(cells)) is not None}
    matrices = {name: given_of(table) for name, table in given.items()}
    start = Start(core, matrices, context.causal or bool(evidence.hidden))
    if start.given and (start.claims or start.given.keys() & {"X", "Q"}):
        labels = _labels(tokens, start)
        settings, conventions = inferred(start.given, start.claims, evidence, 1 if apart else heads)
        case = _case(title, lang, file, start.given, settings, start.claims, labels, context)
        case = replace(case, statements=undefined(case, conventions, evidence, context))
        problem = _unwalkable(case)
        if problem is None:
            built.append((case, conventions))
        else:
            unread += [(made, problem) for made in start.claims]
    unread += start.left
    if of_heads:
        built += _heads(of_heads, built, context, unread)
    if positions:
        built += _positions(positions, title, lang, file, context, position)
    return built, unread


def _labels(tokens: tuple[str, ...], start: Start) -> tuple[str, ...]:
    rows = [start.given[name].shape[0] for name in ("X", "Q") if name in start.given]
    return tokens if rows and len(tokens) == rows[0] and len(set(tokens)) == len(tokens) else ()


def _unwalkable(case: Case) -> str | None:
    """Why no walk goes through these matrices, or None. An undefined X W is the auditor's to report."""
    turned = "right" if case.settings.weights == "transposed" else "transposed"
    problem = None
    for weights in (case.settings.weights, turned):
        try:
            shapes(attention(replace(case, settings=replace(case.settings, weights=weights))), values(case))
            return None
        except SymattnError as error:
            problem = problem or error.found
    return problem


def _case(
    title: str,
    lang: str,
    file: str | None,
    given: Mapping[str, Given],
    settings: Settings,
    prints: Sequence[Print],
    tokens: tuple[str, ...],
    context: Context,
) -> Case:
    return Case(
        title=title,
        given=MappingProxyType(dict(given)),
        lang=lang,
        tokens=tokens,
        settings=settings,
        stated=claims(prints, context),
        file=file,
    )


def _heads(
    prints: Sequence[Print], built: Sequence[Built], context: Context, unread: list[tuple[Print, str]]
) -> list[Built]:
    """The claims about single heads, on the givens of the first case."""
    count = max(head_number(made.name) for made in prints)
    if not built:
        unread += [(made, "there is no walk for this head") for made in prints]
        return []
    case, conventions = built[0]
    widths = [
        given.shape[0 if case.settings.weights == "transposed" else 1]
        for name, given in case.given.items()
        if name in ("W_Q", "Q")
    ]
    if not widths or widths[0] % count or count > 64:
        unread += [(made, f"{count} heads do not share the columns evenly") for made in prints]
        return []
    settings = replace(case.settings, heads=count)
    stated = claims(prints, context)
    return [
        (
            replace(case, settings=settings, stated=stated),
            (*conventions, Convention("heads", str(count), inferred=True)),
        )
    ]


def _positions(
    prints: Sequence[Print], title: str, lang: str, file: str | None, context: Context, position: int | None
) -> list[Built]:
    """A positional encoding that stands alone, from the position said or the one that explains most."""
    n, m = max(made.row for made in prints) + 1, max(made.col for made in prints) + 1

    def at(start: int) -> Case:
        settings = Settings(positions="sinusoidal", start=start, d_model=m + m % 2)
        tokens = tuple(f"{'位置' if lang == 'zh' else 'position'} {start + i}" for i in range(n))
        return _case(title, lang, file, {}, settings, prints, tokens, context)

    case = max(map(at, (0, 1) if position is None else (position,)), key=lambda case: explained(case, prints))
    return [(case, (Convention("positions", "sinusoidal", inferred=True),))]
