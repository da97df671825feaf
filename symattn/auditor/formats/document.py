"""The annotated derivation, for LaTeX, PDF and notebooks: every printed matrix with its verdicts in place.

A wrong number is struck out with the right one beside it, a carried one is marked, right ones stay
quiet; the causes stand under the matrix, the count at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.columns import as_columns
from symattn.auditor.catalogue import CATALOGUE
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.digest import digest
from symattn.auditor.formats.folded import unread_together
from symattn.auditor.formats.groups import Group, Step, is_term, reported, steps
from symattn.auditor.formats.items import Options, items
from symattn.auditor.formats.labels import COUNTED, label, step_title, summary
from symattn.auditor.formats.listing import ROLES, cause_sentence, causes, line_of, where_in_step
from symattn.auditor.formats.stream import Outcome, total
from symattn.auditor.messages import (
    ROOT,
    TERM,
    VERDICT_WORDS,
    message,
    right_value,
    root_words,
    size,
    work_words,
)
from symattn.auditor.report import EQUATION, Judgement, Remark, Report, Unread
from symattn.narrate.labels import labels
from symattn.plans.kinds import Projection
from symattn.plans.transposed import on_rows
from symattn.text.document import (
    Block,
    Bullets,
    Display,
    Document,
    Heading,
    Paragraph,
    Prose,
    Strong,
    Table,
    Verdict,
)
from symattn.text.document import Remark as Boxed
from symattn.text.notation import (
    Chain,
    Dots,
    Formula,
    Grid,
    Marked,
    Number,
    Product,
    Root,
    Symbol,
    Text,
    Transpose,
    equation,
    named,
)

MOST_COLUMNS = 16
"""A printed matrix wider than this is told by its wrong numbers only."""

DEFAULTS = Options()


def document(report: Report, options: Options = DEFAULTS) -> Document:
    """One report as a page that can be handed to the author."""
    lang = options.language(report)
    title = f"审校：{report.case.title}" if lang == "zh" else f"Audit: {report.case.title}"
    return Document(title, tuple(_blocks(report, options)), lang)


def piece(path: str, reports: Sequence[Report], options: Options) -> list[Document]:
    """The pages of one file."""
    return [document(report, options) for report in reports]


def merged(outcomes: Iterable[Outcome], options: Options) -> Document:
    """The pages of all files as one: the only page itself, or a part for each, one level down."""
    pages: list[Document] = [page for outcome in outcomes for page in outcome.piece or ()]
    if len(pages) == 1:
        return pages[0]
    lang = options.lang or (pages[0].lang if pages else "en")
    blocks: list[Block] = []
    for page in pages:
        blocks.append(Heading((page.title,)))
        blocks += [
            Heading(block.words, block.level + 1) if isinstance(block, Heading) else block
            for block in page.blocks
        ]
    return Document(label("audit", "zh" if lang == "zh" else "en"), tuple(blocks), lang)


def blocks_around(reports: Sequence[Report], options: Options, lang: Lang) -> tuple[list[Block], list[Block]]:
    """What comes before the marked text of a file, and after it."""
    printed, unread = (sum(map(of, reports)) for of in (lambda r: r.printed, lambda r: len(r.unread)))
    counts: dict[str, int] = {}
    before: list[Block] = []
    after: list[Block] = []
    for report in reports:
        counts = total(counts, report.counts)
        before += [*digest(report, lang), *_remarks(report, options)]
        reasons = tuple(causes(report, options))
        after += [Bullets(reasons)] if reasons else []
    after += _unread([each for report in reports for each in report.unread], lang)
    return [Paragraph((summary(printed, unread, counts, lang),)), *before], after


def _unread(unread: Sequence[Unread], lang: Lang) -> Iterator[Block]:
    if unread:
        yield Heading((label("unread", lang),))
        together = unread_together(unread, lang)
        yield Bullets(tuple((*line_of(each.first, lang, each.last), each.words) for each in together))


def _blocks(report: Report, options: Options) -> Iterator[Block]:
    lang = options.language(report)
    yield Paragraph((summary(report.printed, len(report.unread), report.counts, lang),))
    yield from digest(report, lang)
    if any(judged.code is not None for judged in report.judgements):
        yield _legend(lang)
    yield from _remarks(report, options)
    for step in steps(report):
        yield from _step(report, step, options)
    yield from _unread(report.unread, lang)
    yield Heading((label("count", lang),))
    yield _count(report, lang)


def _legend(lang: Lang) -> Block:
    stop, between = ("。", "；") if lang == "zh" else (".", "; ")
    return Boxed(
        label("legend", lang),
        (
            Verdict(label("right value", lang), "slip"),
            between,
            Verdict(label("carried value", lang), "carried"),
            between,
            Verdict(label("rounding value", lang), "rounding"),
            stop,
        ),
        "note",
    )


def _remarks(report: Report, options: Options) -> Iterator[Block]:
    lang = options.language(report)
    for item in items(report, options):
        if isinstance(item.finding, Remark):
            stop = "。" if lang == "zh" else "."
            words: Prose = (*line_of(item.finding, lang), item.message, stop)
            yield Boxed(item.rule.title[lang], words, "note" if item.rule.severity == "note" else "warning")


def _step(report: Report, step: Step, options: Options) -> Iterator[Block]:
    """A quantity: its formula, its printed matrix with the verdicts in place, and why."""
    lang = options.language(report)
    yield Heading((step_title(step.name, lang),))
    if step.name == EQUATION:
        told = [_sentence(report, group.first, lang) for group in step.groups if reported(group, options)]
        yield Bullets(tuple(told)) if told else Paragraph((label("nothing", lang),))
        return
    firsts: dict[tuple[int, int], Group] = {}
    others: list[Group] = []
    for group in step.groups:
        cell = group.first.printed.row, group.first.printed.col
        if cell in firsts:
            others.append(group)
        else:
            firsts[cell] = group
    grid = printed_grid(report, firsts)
    if grid.shape[1] <= MOST_COLUMNS:
        yield Display((_equated(report, step.name, grid),))
    notes = [_note(report, group.first, options) for group in firsts.values() if _noteworthy(group, options)]
    notes += [_sentence(report, group.first, lang) for group in others if reported(group, options)]
    if grid.shape[1] > MOST_COLUMNS:
        notes = [_sentence(report, group.first, lang) for group in step.groups if reported(group, options)]
    reasons = [cause_sentence(report, cause, lang) for cause in step.causes]
    reasons += [_roots(report, firsts.values(), options)]
    bullets = tuple(prose for prose in (*reasons, *notes) if prose)
    if bullets:
        yield Bullets(bullets)


def printed_grid(report: Report, firsts: dict[tuple[int, int], Group]) -> Grid:
    """The printed entries as a matrix with their verdicts; rows and columns never printed are left out."""
    rows, columns = (sorted({cell[axis] for cell in firsts}) for axis in (0, 1))
    any_judged = next(iter(firsts.values())).first.printed
    cells = tuple(tuple(_cell(firsts.get((i, j))) for j in columns) for i in rows)
    if any_judged.name == ROOT:
        return Grid(cells)
    labels = _token_labels(report, any_judged.name)
    along = columns if as_columns(report.case) else rows
    names = tuple(labels[i] if i < len(labels) else str(i + 1) for i in along)
    return Grid(cells, (), names) if as_columns(report.case) else Grid(cells, names)


def _token_labels(report: Report, name: str) -> Sequence[str]:
    tokens, memory = report.case.tokens, report.case.memory_tokens
    quantity = QUANTITIES.of(name)
    return labels(memory if quantity is not None and quantity.per_key and memory else tokens)


def _cell(group: Group | None) -> Formula:
    if group is None:
        return Dots()
    judged = group.first
    number = _number(judged.printed.numeral.text.strip())
    if judged.code is None:
        return number
    instead = judged.expected
    beside = judged.verdict in ("slip", "carried") and instead is not None
    return Marked(number, ROLES[judged.verdict], Number(instead) if beside and instead is not None else None)


def _number(text: str) -> Formula:
    return Number(text) if text.replace(".", "").replace("-", "").isdigit() else Text(text)


def _equated(report: Report, name: str, grid: Grid) -> Formula:
    line = report.derivation.line(name)
    whole: Formula = grid.rows[0][0] if grid.shape == (1, 1) and not grid.row_labels else grid
    if is_term(name):
        return equation(_term(name), whole)
    if name == ROOT:
        return equation(Root(Symbol("d", sub=Symbol("k"))), whole)
    if line is None or not isinstance(on_rows(line.op), Projection):
        return equation(named(name), whole)
    formula = line.op.formula(*(named(argument) for argument in line.args))
    return Chain(named(name), (("=", formula), ("=", whole)))


def _term(name: str) -> Formula:
    """A summand of a weighted sum: the column of weights of one key times its value vector."""
    term = TERM.fullmatch(name)
    key = Number(str(int(term[2]) + 1)) if term is not None and term[2] else Symbol("k")
    row = Text(f"·,{key.digits}") if isinstance(key, Number) else Text("·,k")
    return Product((Symbol("A", sub=row), Transpose(Symbol("v", sub=key))))


def _noteworthy(group: Group, options: Options) -> bool:
    """Whether a number needs a sentence of its own beside its mark in the matrix."""
    return reported(group, options) and group.first.code not in (
        Finding.SLIP,
        Finding.SLIP_WITH_CAUSE,
        Finding.CARRIED_FORWARD,
    )


def _note(report: Report, judged: Judgement, options: Options) -> Prose:
    """What the mark alone does not say, in a short sentence led by the entry."""
    lang = options.language(report)
    rule = CATALOGUE[judged.code or ""]
    colon, stop = ("：", "。") if lang == "zh" else (": ", ".")
    comma = "，" if lang == "zh" else ", "
    words: list[str] = [right_value(judged, lang)] if judged.code != Finding.WRONG_WORKING else []
    work = work_words(judged.printed.work or "")
    beside = f"（{work}）" if lang == "zh" else f" ({work})"
    return (
        where_in_step(judged, lang),
        colon,
        Verdict(rule.title[lang], ROLES[judged.verdict]),
        beside if judged.code in (Finding.WRONG_WORKING, Finding.NOT_ITS_WORKING) and work else "",
        *(comma + part for part in words),
        size(judged, lang) if judged.verdict == "slip" else "",
        stop,
    )


def _sentence(report: Report, judged: Judgement, lang: Lang) -> Prose:
    return (message(report, judged, lang), "。" if lang == "zh" else ".")


def _roots(report: Report, groups: Iterable[Group], options: Options) -> Prose:
    """One sentence for all carried numbers of a step: the slips that they go back to."""
    lang = options.language(report)
    roots: list[int] = []
    for group in groups:
        judged = group.first
        if judged.code == Finding.CARRIED_FORWARD and judged.root is not None and reported(group, options):
            roots += [judged.root] if judged.root not in roots else []
    if not roots:
        return ()
    listed = [root_words(report, root, lang) for root in roots[:3]]
    more = len(roots) - len(listed)
    if more:
        listed.append(f"另有 {more} 处" if lang == "zh" else f"{more} more")
    lead = Verdict(VERDICT_WORDS["carried"][lang], "carried")
    if lang == "zh":
        return (lead, "，源于 ", "；".join(listed), "。")
    return (lead, " from ", "; ".join(listed), ".")


def _count(report: Report, lang: Lang) -> Table:
    counts = total({}, report.counts)
    rows: list[tuple[Prose, ...]] = [
        ((Verdict(VERDICT_WORDS[verdict][lang], ROLES[verdict]),), (str(counts[verdict]),))
        for verdict in COUNTED
        if counts[verdict]
    ]
    if report.unread:
        rows.append(((label("unread", lang),), (str(len(report.unread)),)))
    rows.append(((Strong(label("printed", lang)),), (Strong(str(report.printed)),)))
    return Table(((label("verdicts", lang),), (label("numbers", lang),)), tuple(rows), "lr")
