"""What `symattn derive` makes of one case: its page, its warnings, and whether something disagrees."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from symattn.cli.boundary import FINDINGS
from symattn.cli.many import Made
from symattn.cli.progress import CROSS_CHECK, Progress
from symattn.cli.warnings import warnings
from symattn.text.bilingual import Bilingual
from symattn.typeset.engines import Engine

STAGES = {
    "facts": Bilingual("facts", "事实"),
    "check": CROSS_CHECK,
    "proofs": Bilingual("proofs", "证明"),
}
"""What is worked out after the steps, and how progress calls it."""


class Page(Struct, frozen=True):
    """How the page is asked for."""

    form: str
    engine: Engine | None
    slides: bool
    static: bool
    standalone: bool
    fragment: bool
    article: bool
    label: str | None
    width: float
    digits: int
    significant: int | None
    lang: str | None
    only: tuple[str, ...]
    detail: str | None
    headed: bool
    elide: bool
    allow_files: bool
    columns: int
    """Of a terminal, for text."""
    colour: bool
    encoding: str

    @property
    def ending(self) -> str:
        """How the name of its file ends."""
        return ENDINGS[self.form]


ENDINGS = {
    "slides": ".tex",
    "latex": ".tex",
    "markdown": ".md",
    "html": ".html",
    "typst": ".typ",
    "pdf": ".pdf",
    "json": ".json",
    "text": ".txt",
}


def page_of(case: str, page: Page, progress: Progress | None = None) -> Made:
    """The page of the case at a path. Raises SymattnError."""
    from symattn.casefile.case_file import read_case
    from symattn.result import work
    from symattn.typeset.cjk import laid_out_for

    progress = progress or Progress(quiet=True)
    worked = work(read_case(case, allow_files=page.allow_files), progress.steps)
    for done, what in STAGES.items():
        progress.say(what)
        getattr(worked, done)
    progress.say(Bilingual("page", "排版"))
    chosen: dict[str, Any] = {
        "digits": page.digits,
        "significant": page.significant,
        "lang": page.lang,
        "only": page.only,
        "headed": page.headed,
        "elide": page.elide,
    }
    if page.detail:
        chosen["detail"] = page.detail
    printed: str | bytes
    match page.form:
        case "slides":
            printed = worked.slides(**chosen)
        case "latex":
            printed = worked.latex(
                standalone=page.standalone,
                article=page.article,
                label=page.label or "",
                width=page.width,
                **chosen,
            )
        case "markdown":
            printed = worked.markdown(**chosen)
        case "html":
            printed = worked.html(standalone=not page.fragment, static=page.static, **chosen)
        case "typst":
            printed = worked.typst(**chosen)
        case "pdf":
            printed = worked.pdf(engine=page.engine, slides=page.slides, **chosen)
        case "json":
            printed = worked.json(digits=page.digits, significant=page.significant, only=page.only)
        case _:
            with laid_out_for(page.encoding):
                printed = worked.text(width=page.columns, colour=page.colour, **chosen)
    found = []
    if not worked.check.agrees:
        wrong = ", ".join(worked.check.wrong)
        found.append(Bilingual(f"NumPy disagrees in {wrong}", f"NumPy 的结果与 {wrong} 不一致"))
    refuted = ", ".join(proof.name for proof in worked.proofs if proof.refuted)
    if refuted:
        found.append(Bilingual(f"refuted by a proof: {refuted}", f"证明否定了 {refuted}"))
    return Made(printed, [*warnings(worked), *found], FINDINGS if found else 0, worked.case.lang)
