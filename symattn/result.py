"""A case worked out: the derivation with its facts and its cross-check, and every way to print it.

    >>> import symattn
    >>> worked = symattn.work("cases/thinking_machines.toml")
    >>> worked["A"][0, 0].to_sympy()
    1/(1 + exp(sqrt(2)/2))

The page, its typesetters, SymPy and NumPy are imported when they are used.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.recipes.attention import attention, values
from symattn.attention.recipes.columns import as_columns, in_rows
from symattn.attention.recipes.misfits import fitting, misfit
from symattn.attention.runnable import asked
from symattn.exact.matrix import Matrix
from symattn.exact.work import PROOFS, at_most
from symattn.plans.derive import Derivation, Watch, derive
from symattn.plans.plan import base_name
from symattn.text.errors import SymattnError

if TYPE_CHECKING:
    from symattn.attention.recipes.cautions import Caution
    from symattn.attention.recipes.leftover import Leftover
    from symattn.checks.crosscheck import CrossCheck
    from symattn.checks.facts import Fact
    from symattn.checks.proofs import Proof
    from symattn.narrate.why import Why
    from symattn.text.document import Document
    from symattn.typeset.engines import Engine


FIXED = frozenset({"detail", "every_entry", "elide"})
"""Options that say what a page works out and how, which a page that answers leaves to its reader."""
MOST_ENTRIES = 60_000
"""Entries up to which a page answers; a head of 64 tokens and 64 dimensions has 53 000, and 2 megabytes."""


class Worked(Struct, frozen=True, dict=True):
    """A case and its exact derivation. `worked["A"]` is the exact matrix of that name."""

    case: Case
    derivation: Derivation

    def __getitem__(self, name: str) -> Matrix:
        return self.derivation[name]

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """What was proved about the matrices."""
        from symattn.checks.facts import facts

        return facts(self.derivation)

    @cached_property
    def leftover(self) -> Leftover:
        """The result that was not reached, with what it needs, and the givens that nothing uses."""
        from symattn.attention.recipes.leftover import leftover

        return leftover(self.case, self.derivation.plan)

    @cached_property
    def cautions(self) -> tuple[Caution, ...]:
        """How keys are read that may have been meant otherwise."""
        from symattn.attention.recipes.cautions import cautions

        return cautions(self.case, self.derivation.plan)

    @cached_property
    def check(self) -> CrossCheck:
        """The independent NumPy computation."""
        from symattn.checks.crosscheck import crosscheck

        return crosscheck(self.derivation, self.case)

    @cached_property
    def proofs(self) -> tuple[Proof, ...]:
        """That an evaluation by steps, by blocks or on columns gives what the direct one on rows gives, and
        that gradients are derivatives.
        """
        with at_most(PROOFS):
            return self._proofs()

    def _proofs(self) -> tuple[Proof, ...]:
        from symattn.checks.proofs import (
            attempt,
            gradient_proofs,
            jacobian_proofs,
            prove_equal,
            prove_transposed,
        )

        case, plan, given = self.case, self.derivation.plan, self.derivation.given
        evaluation = case.settings.evaluation
        found = [*gradient_proofs(self.derivation), *jacobian_proofs(self.derivation)]
        if evaluation == "direct" and not as_columns(case):
            return tuple(found)
        direct = attention(replace(case, settings=replace(case.settings, evaluation="direct")))
        made = {line.name for line in plan}
        names = [line.name for line in direct if base_name(line.name) == "Z" and line.name in made]
        if evaluation != "direct":
            found += [
                attempt(name, evaluation, partial(prove_equal, plan, direct, given, name)) for name in names
            ]
        if as_columns(case):
            rows = attention(in_rows(case))
            found += [
                attempt(name, "columns", partial(prove_transposed, plan, rows, given, name)) for name in names
            ]
        return tuple(found)

    def document(self, **options: Any) -> Document:
        """The neutral page; the options are those of `symattn.narrate.narrate`."""
        from symattn.narrate.narrate import narrate

        if options.pop("every_entry", False):
            options["detail"] = "entries"
        return narrate(
            self.case,
            self.derivation,
            facts=self.facts,
            check=self.check,
            proofs=self.proofs,
            leftover=self.leftover,
            cautions=self.cautions,
            **options,
        )

    def latex(
        self,
        *,
        standalone: bool = False,
        article: bool = False,
        width: float = 170.0,
        label: str = "",
        **options: Any,
    ) -> str:
        """The page as LaTeX: a fragment for lines of `width` mm, or a document that xelatex compiles.

        That of an `article` has numbered equations with labels, in the type of the document around it; the
        labels begin with `eq:` and `label`, or the words of the case's title.
        """
        from symattn.typeset.latex import latex
        from symattn.typeset.latex_article import latex_article

        if article:
            document = self.document(sequence=True, **options)
            return latex_article(document, width=width, label=label or self.case.title.lower())
        return latex(self.document(**options), standalone=standalone, width=width)

    def slides(self, **options: Any) -> str:
        """The steps as slides, a document for xelatex with beamer."""
        from symattn.typeset.latex_slides import slides

        return slides(self.document(sequence=True, **options))

    def typst(self, **options: Any) -> str:
        """The page as source for typst, a whole document."""
        from symattn.typeset.typst import typst

        return typst(self.document(**options))

    def pdf(self, *, engine: Engine | None = None, slides: bool = False, **options: Any) -> bytes:
        """The page as PDF, by `xelatex`, by `typst`, or by the first of the two that is installed.

        `slides` are made by xelatex.
        """
        from symattn.typeset.pdf import pdf, slides_pdf

        return (
            slides_pdf(self.document(sequence=True, **options))
            if slides
            else pdf(self.document(**options), engine)
        )

    def markdown(self, **options: Any) -> str:
        """The page as Markdown with `$` and `$$` mathematics."""
        from symattn.typeset.markdown import markdown

        return markdown(self.document(**options))

    def html(self, *, standalone: bool = True, static: bool = False, **options: Any) -> str:
        """The page as HTML with MathML, on which every entry answers what it was made of.

        A `static` page has no script. Nor has one for which options say what is worked out and how, or one
        with more than `MOST_ENTRIES` entries.
        """
        if static or self._large or any(map(options.get, FIXED)):
            from symattn.typeset.html import html

            return html(self.document(**options), standalone=standalone)
        from symattn.narrate.explained import explained
        from symattn.narrate.narrate import page_of
        from symattn.typeset.answers import answers

        options = {key: value for key, value in options.items() if key not in FIXED}
        lang = options.pop("lang", None) or self.case.lang
        first = [self.document(lang=one, detail="result", **options) for one in ("en", "zh")]
        pages = [
            page_of(self.case, self.derivation, lang=one, detail="steps", **options) for one in ("en", "zh")
        ]
        made = explained((pages[0], pages[1]), (first[0], first[1]), lang, self._misprints)
        return answers(made, standalone=standalone)

    @cached_property
    def _misprints(self) -> dict[tuple[str, int, int], str]:
        """What the source printed wrongly, by name, row and column, if it follows what the case declares."""
        if not self.case.stated:
            return {}
        from symattn.auditor.audit import audit

        report = audit(self.case)
        return {
            (each.printed.name, each.printed.row, each.printed.col): each.printed.numeral.text
            for each in (report.judgements if report.declared is None else ())
            if each.verdict in ("slip", "carried") and each.printed.key is None
        }

    @property
    def _large(self) -> bool:
        return sum(n * m for n, m in (matrix.shape for _, matrix in self.derivation.items())) > MOST_ENTRIES

    def text(self, *, width: int = 100, colour: bool = False, **options: Any) -> str:
        """The page for a terminal."""
        from symattn.typeset.text import text

        return text(self.document(**options), width=width, colour=colour)

    def data(
        self, *, digits: int = 4, significant: int | None = None, only: Collection[str] = ()
    ) -> dict[str, Any]:
        """The JSON contract `symattn/derivation/1` as plain values."""
        from symattn.narrate.export import derivation_data

        return derivation_data(
            self.case,
            self.derivation,
            self.facts,
            self.check,
            digits=digits,
            significant_digits=significant,
            only=asked(self.derivation.plan, only),
            proofs=self.proofs,
            leftover=self.leftover,
            cautions=self.cautions,
        )

    def json(self, **options: Any) -> str:
        """`data` as JSON text."""
        return json.dumps(self.data(**options), ensure_ascii=False, indent=1) + "\n"

    def why(
        self,
        name: str,
        row: int,
        col: int,
        *,
        steps: int | None = None,
        hint: bool = False,
        command: str = "",
    ) -> Why:
        """Why entry (row, col) of a matrix, from 0, has its value; the options are those of `Why`."""
        from symattn.narrate.why import Why

        return Why(self.case, self.derivation, name, row, col, steps, hint, command)

    def _repr_html_(self) -> str:
        return self.html(standalone=False)

    def _repr_latex_(self) -> str:
        return self.latex()


def work(case: Case | str | Path, watch: Watch = iter) -> Worked:
    """Work a case out, from a Case or the path of a case file; `watch` sees each step before it is computed.

    Raises SymattnError for bad input, and for what a case says without an effect.
    """
    from symattn.casefile.idle import refuse_idle

    if not isinstance(case, Case):
        from symattn.casefile.case_file import read_case

        case = read_case(Path(case))
    plan = attention(case)
    given = values(case)
    refuse_idle(case)
    fitting(case, plan, given, attention)
    try:
        return Worked(case, derive(plan, given, watch=watch))
    except SymattnError as error:
        raise misfit(case, plan, given, error, attention) from None
