"""The Sphinx extension `symattn.sphinx`: a case is rendered where a document has it.

    extensions = ["symattn.sphinx"]            # in conf.py

    ```{symattn} case.toml                     in MyST; in reStructuredText `.. symattn:: case.toml`
    :only: A, Z
    ```

The path is relative to the document; without a path the body is the case. HTML builders get MathML, the
latex builder LaTeX, all others text. Options are those of `symattn derive`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from msgspec.structs import replace
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger
from sphinx.writers.html5 import HTML5Translator
from sphinx.writers.latex import LaTeXTranslator

from symattn.attention.case import Case
from symattn.casefile.case_file import files_of, parse_case, read_case
from symattn.result import work
from symattn.text.bilingual import Bilingual
from symattn.text.document import Document, Heading
from symattn.text.errors import SymattnError, UnusableValue
from symattn.typeset.html import body_html
from symattn.typeset.html_page import section, site_style
from symattn.typeset.latex import latex
from symattn.typeset.text import text

LINE = 160.0
"""Millimetres of a line of Sphinx's LaTeX documents."""
PACKAGES = ("amssymb", "array", "booktabs", "cancel", "colortbl", "graphicx", "longtable")
"""What the LaTeX needs that Sphinx may not load."""
SHEET = "symattn.css"

_ONE_CASE = Bilingual(
    "name a file, `symattn:: case.toml`, or write the case in the body",
    "请写文件名 `symattn:: case.toml`，或把算例写在正文里",
)
_logger = getLogger(__name__)


def _one_of(*words: str) -> Callable[[str], str]:
    return lambda argument: directives.choice(argument, words)


def _whole(least: int, most: int) -> Callable[[str], int]:
    def number(argument: str) -> int:
        found: int = directives.nonnegative_int(argument)
        if not least <= found <= most:
            raise ValueError(f"{found} is not between {least} and {most}")
        return found

    return number


def _names(argument: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in argument.split(",") if name.strip())


class RenderedCase(nodes.literal_block):
    """A rendered case in a doctree: its `document` for HTML and LaTeX, and the text for other builders."""


class CaseDirective(SphinxDirective):
    """The directive `symattn`."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "detail": _one_of("result", "steps", "some", "entries"),
        "digits": _whole(0, 200),
        "significant": _whole(1, 200),
        "lang": _one_of("en", "zh"),
        "only": _names,
        "no-head": directives.flag,
        "elide": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        try:
            document = self._document()
        except SymattnError as problem:
            self._warn(problem.message, None if self.arguments else problem.line)
            return []
        printed = text(document)
        return [RenderedCase(printed, printed, document=document)]

    def _document(self) -> Document:
        options = dict(self.options)
        headed, elide = "no-head" not in options, "elide" in options
        for flag in ("no-head", "elide"):
            options.pop(flag, None)
        worked = work(self._case())
        if not worked.check.agrees:
            wrong = ", ".join(worked.check.wrong)
            self._warn(Bilingual(f"NumPy disagrees in {wrong}", f"NumPy 的结果与 {wrong} 不一致"))
        return worked.document(headed=headed, elide=elide, **options)

    def _case(self) -> Case:
        """The case that is meant. Raises a SymattnError; in a body it has the line of the document."""
        if bool(self.arguments) == bool(self.content):
            found = Bilingual("a file and a body", "既有文件又有正文")
            none = Bilingual("neither a file nor a body", "既没有文件也没有正文")
            raise UnusableValue(found if self.arguments else none, _ONE_CASE)
        if self.arguments:
            _, path = self.env.relfn2path(self.arguments[0])
            for each in files_of(Path(path)):
                self.env.note_dependency(str(each))
            return read_case(path)
        source, above = self.content.items[0]
        above = above or self.lineno + self.content_offset  # MyST counts from the line of the directive
        return parse_case("\n" * above + "\n".join(self.content), source, folder=Path(source).parent)

    def _warn(self, message: Bilingual, line: int | None = None) -> None:
        source, own = self.get_source_info()
        lang = "zh" if (self.config.language or "").startswith("zh") else "en"
        spot = f"{source}:{line or own}"
        _logger.warning("%s", message[lang], location=spot, type="symattn", subtype="case")


def _depth(node: nodes.Node) -> int:
    """How many sections a node is in, at least the document."""
    found, above = 0, node.parent
    while above is not None:
        found, above = found + isinstance(above, nodes.section), above.parent
    return max(found, 1)


def _visit_html(translator: HTML5Translator, node: RenderedCase) -> None:
    document = node["document"]
    translator.body.append(section(document.lang, body_html(document, _depth(node))))
    raise nodes.SkipNode


def _visit_latex(translator: LaTeXTranslator, node: RenderedCase) -> None:
    document = node["document"]
    title = (Heading((document.title,), _depth(node)),) if document.title else ()
    translator.body.append(latex(replace(document, title="", blocks=(*title, *document.blocks)), width=LINE))
    raise nodes.SkipNode


def _write_sheet(app: Sphinx) -> None:
    if app.builder.format == "html":
        folder = Path(app.outdir, "_static")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SHEET).write_text(site_style(), encoding="utf-8")


def _add_sheet(
    app: Sphinx, _page: str, _template: str, _context: object, doctree: nodes.document | None
) -> None:
    """The style sheet for pages with cases."""
    if doctree is not None and any(doctree.findall(RenderedCase)):
        app.add_css_file(SHEET)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; Sphinx calls it."""
    app.add_node(RenderedCase, html=(_visit_html, None), latex=(_visit_latex, None))
    app.add_directive("symattn", CaseDirective)
    app.connect("builder-inited", _write_sheet)
    app.connect("html-page-context", _add_sheet)
    for package in PACKAGES:
        app.add_latex_package(package)
    return {"env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
