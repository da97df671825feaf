"""From the account of one example to its cases: what is given, which conventions, what is claimed.

What cannot be recomputed at all is unread (SA905), never correct.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symattn.bilingual import Bilingual
from symattn.case import Case, Given, Place, Settings
from symattn.derive import shapes
from symattn.errors import SymattnError
from symattn.reading.notes.cases.around import inputs_of, surroundings, ungained
from symattn.reading.notes.cases.encodings import added, alone, of_any_width
from symattn.reading.notes.cases.evidence import Evidence
from symattn.reading.notes.cases.infer import inferred
from symattn.reading.notes.cases.sentences import undefined
from symattn.reading.notes.cases.stated import claims
from symattn.reading.notes.cases.unscaled import OTHERWISE, unscaled
from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.denote import ROOT
from symattn.reading.notes.linking.ledger import Ledger, Print
from symattn.reading.notes.linking.start import NO_SOURCE, ONE_HEAD, Start, full, given_of, head_number
from symattn.reading.notes.result import Convention
from symattn.recipes.attention import attention, values

Built = tuple[Case, tuple[Convention, ...]]
NO_HEAD = Bilingual("there is no walk for this head", "这个头没有可走的推导")
NO_WEIGHTS = Bilingual("the weights of some of these heads are not printed", "其中有些头的权重没有印出")
UNEVEN = Bilingual("{count} heads do not share the columns evenly", "{count} 个头无法平分各列")
TURNED = re.compile(
    r"\b(?:(?:rotated?|rotating) (?:(?:the|each|every|all|both|its|our) )?"
    r"(?:quer(?:y|ies)|keys?|[qk]|vectors?|them|by)"
    r"|(?:apply|applying|after) (?:the )?(?:RoPE|rotary|rotation))\b"
    r"|旋转后|旋转(?:查询|键)|(?:应用|加上?|经过) ?(?:RoPE|旋转)",
    re.IGNORECASE,
)
"""What says that queries and keys are rotated by their positions, a step that is not read."""


def build(
    ledger: Ledger,
    context: Context,
    title: str,
    lang: str,
    file: str | None,
    tokens: tuple[str, ...],
    evidence: Evidence,
    position: int | None = None,
    heads: int = 1,
) -> tuple[list[Built], list[tuple[Print, Bilingual]]]:
    """The cases of one example, and the prints that belong to no walk, with the reason.

    `heads` is how many heads the inputs are given for, side by side.
    """
    prints = ungained(sorted(ledger.prints, key=lambda made: made.num.start), ledger)
    positions = [made for made in prints if made.name == "PE"]
    heads = max([heads, *(head_number(made.name) for made in prints)])
    apart = heads > 1 and any(made.name in ONE_HEAD for made in prints)
    of_heads = [made for made in prints if head_number(made.name) or made.name == ROOT] if apart else []
    left_out = {id(made) for made in (*positions, *of_heads)}
    built: list[Built] = []
    unread: list[tuple[Print, Bilingual]] = []
    given, rows = inputs_of(ledger)
    encoding = added(prints, given, position, evidence.said("positions") is not None)
    if encoding is not None:
        left_out -= {id(made) for made in positions}
        positions = []
    base = surroundings(prints, given, evidence, encoding, 1 if apart else heads)
    core = [made for made in prints if id(made) not in left_out]
    masked = context.causal or bool(evidence.hidden) or base.mask != "none" or base.padding is not None
    known = frozenset({"PE"} if encoding is not None and encoding.known else ())
    turned = TURNED.search(context.told) is not None
    if turned and evidence.d_k is None:  # known no longer, where the walk begins at the scores
        evidence = replace(
            evidence, d_k=max((made.col + 1 for made in core if made.name == "K"), default=None)
        )
    start = Start(core, given, masked, rows, known, evidence.foreign, evidence.hidden, turned=turned)
    if start.given and (start.claims or start.given.keys() & {"X", "Q"}):
        labels = _labels(tokens, start)
        base = replace(base, kv_heads=_shared_heads(start.given, base.heads))
        settings, conventions = inferred(start.given, start.claims, evidence, base)
        apart_of_it = unscaled(start.claims, settings.scale)
        kept = [made for made in start.claims if not any(made is other for other in apart_of_it)]
        case = _case(title, lang, file, start.given, settings, kept, labels, context)
        case = replace(case, places=_rows_at(start, ledger, core, context))
        case = replace(case, statements=undefined(case, conventions, evidence, context))
        problem = _unwalkable(case)
        if problem is None:
            built.append((case, conventions))
            unread += [(made, OTHERWISE) for made in apart_of_it]
        else:
            unread += [(made, problem) for made in start.claims]
    unread += start.left
    if of_heads:
        built += _heads(of_heads, built, context, unread, ledger.beside)
    if positions:
        computed = of_any_width(positions, context.told)
        unread += [
            (made, NO_SOURCE.format(name="PE"))
            for made in positions
            if not any(made is other for other in computed)
        ]
        positions = computed
    if positions:
        built.append(
            alone(positions, Case(title, {}, lang, file=file, stated=claims(positions, context)), position)
        )
    return built, unread


def _rows_at(start: Start, ledger: Ledger, prints: Sequence[Print], context: Context) -> Mapping[str, Place]:
    """Where the rows of the inputs stand, by the keys of a case: `given.K[1][0]`."""
    found: dict[str, Place] = {}
    for name in start.given:
        cells = ledger.given.get(name) or {
            (made.row, made.col): made.num
            for made in reversed(prints)
            if made.name == name and made.key is None
        }
        rows: dict[int, int] = {}
        for (row, _), num in cells.items():
            rows[row] = min(num.start, rows.get(row, num.start))
        for k, (_, offset) in enumerate(sorted(rows.items())):
            found[f"given.{name}[{k}][0]"] = Place(*context.place(offset))
    return MappingProxyType(found)


def _shared_heads(given: Mapping[str, Given], heads: int) -> int | None:
    """How many heads of keys and values the heads of queries share, by their widths; None for their own."""
    for queries, keys in (("Q", "K"), ("W_Q", "W_K")):
        if heads > 1 and queries in given and keys in given:
            wide, narrow = given[queries].shape[1], given[keys].shape[1]
            shared = heads * narrow // wide
            return shared if 0 < shared < heads and heads % shared == 0 else None
    return None


def _labels(tokens: tuple[str, ...], start: Start) -> tuple[str, ...]:
    rows = [start.given[name].shape[0] for name in ("X", "Q") if name in start.given]
    return tokens if rows and len(tokens) == rows[0] and len(set(tokens)) == len(tokens) else ()


def _unwalkable(case: Case) -> Bilingual | None:
    """Why no walk goes through these matrices, or None. An undefined X W is the auditor's to report."""
    turned = "right" if case.settings.weights == "transposed" else "transposed"
    problem = None
    for weights in (case.settings.weights, turned):
        try:
            shapes(attention(replace(case, settings=replace(case.settings, weights=weights))), values(case))
            return None
        except SymattnError as error:
            problem = problem or error.reason
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
    prints: Sequence[Print],
    built: Sequence[Built],
    context: Context,
    unread: list[tuple[Print, Bilingual]],
    beside: Mapping[str, Mapping[tuple[int, int], Num]] | None,
) -> list[Built]:
    """The claims about single heads, on the givens of the first case or with weights of their own."""
    count = max(head_number(made.name) for made in prints)
    if not built:
        unread += [(made, NO_HEAD) for made in prints]
        return []
    case, conventions = built[0]
    if beside is not None:
        weights = {name: given_of(table) for name, cells in beside.items() if (table := full(cells))}
        if not weights:
            unread += [(made, NO_WEIGHTS) for made in prints]
            return []
        case = replace(case, given=MappingProxyType({**case.given, **weights}))
    widths = [
        given.shape[0 if case.settings.weights == "transposed" else 1]
        for name, given in case.given.items()
        if name in ("W_Q", "Q")
    ]
    if not widths or widths[0] % count or count > 64:
        unread += [(made, UNEVEN.format(count=count)) for made in prints]
        return []
    settings = replace(case.settings, heads=count)
    stated = claims(prints, context)
    return [
        (
            replace(case, settings=settings, stated=stated),
            (*conventions, Convention("heads", str(count), inferred=True)),
        )
    ]
