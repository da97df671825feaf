"""The audited text as a page for a browser: every printed number marked in place, with its right value on
demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.document import blocks_around, merged
from symattn.auditor.formats.document import piece as documents
from symattn.auditor.formats.items import Options
from symattn.auditor.formats.labels import label
from symattn.auditor.formats.marked import legend, lines, marks_of
from symattn.auditor.formats.stream import Outcome
from symattn.auditor.report import Report
from symattn.text.bilingual import Bilingual
from symattn.text.file_names import shown
from symattn.typeset.html import blocks_html, heading_html
from symattn.typeset.html_page import page
from symattn.typeset.mathml import escaped
from symattn.typeset.source_page import HEAD, SCRIPT

_TITLE = Bilingual("Audit: {title}", "审校：{title}")


class Piece(NamedTuple):
    """One file: its title and what is beneath it."""

    title: str
    lang: Lang
    body: str


def piece(path: str, reports: Sequence[Report], options: Options) -> Piece:
    """One audited file: its text with the verdicts in place, else its matrices."""
    lang = next(map(options.language, reports), options.lang or "en")
    text = next((report.text for report in reports if report.text is not None), None)
    if text is None:
        whole = merged([Outcome(path, documents(path, reports, options))], options)
        return Piece(whole.title, lang, blocks_html(whole.blocks, lang))
    before, after = blocks_around(reports, options, lang)
    file = f"f{crc32(path.encode('utf-8', 'replace')):x}"
    source = "\n".join(lines(text, marks_of(reports, options, file), file, lang))
    body = "\n".join(
        (
            blocks_html(before, lang),
            legend(lang),
            f'<div class="source" id="{file}">\n{source}\n</div>',
            blocks_html(after, lang),
        )
    )
    return Piece(_TITLE.format(title=shown(path).replace("\\", "/").rpartition("/")[2])[lang], lang, body)


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """One self-contained page; of several files each has a part."""
    pieces: list[Piece] = [outcome.piece for outcome in outcomes if outcome.piece is not None]
    lang = options.lang or (pieces[0].lang if pieces else "en")
    alone = len(pieces) == 1
    title = escaped(pieces[0].title if alone else label("audit", lang))
    parts = [heading_html(title, 0)]
    for each in pieces:
        heading = "" if alone else heading_html(escaped(each.title), 1) + "\n"
        parts.append(f'<section lang="{each.lang}">\n{heading}{each.body}\n</section>')
    yield page(title, lang, "\n".join((*parts, SCRIPT)), HEAD)
