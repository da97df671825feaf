"""The Sphinx extension: what each builder gets, warnings with their places, and what is built again."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

CASE = "[given]\nscaled = [[0, 1]]\nV = [[1], [2]]\n"
Build = Callable[..., tuple[str, str]]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Build a document, and return what the builder made of it and its warnings."""

    def built(
        page: str, builder: str = "html", name: str = "index.md", made: str = "index.html"
    ) -> tuple[str, str]:
        (tmp_path / name).write_text(page, encoding="utf-8")
        warnings, out = io.StringIO(), tmp_path / "out" / builder
        settings = {
            "extensions": ["myst_parser", "symattn.sphinx"],
            "latex_documents": [("index", "notes.tex", "Notes", "", "howto")],
        }
        with patch_docutils(str(tmp_path)), docutils_namespace():
            app = Sphinx(
                tmp_path, None, out, tmp_path / "trees", builder, settings, status=None, warning=warnings
            )
            app.build()
        return (out / made).read_text(encoding="utf-8"), re.sub(r"\x1b.*?m", "", warnings.getvalue())

    (tmp_path / "case.toml").write_text(CASE, encoding="utf-8")
    return built


def test_html_has_mathml_under_the_heading_of_its_section(build: Build, tmp_path: Path) -> None:
    page, warnings = build("# Notes\n\n## Part\n\n```{symattn} case.toml\n:only: A\n```\n")
    assert warnings == ""
    assert '<h3 class="level-0">case</h3>' in page
    assert "<mn>0.7311</mn>" in page
    assert "<mn>1.7311</mn>" not in page
    assert '<link rel="stylesheet" type="text/css" href="_static/symattn.css' in page
    assert "@font-face" in (tmp_path / "out/html/_static/symattn.css").read_text(encoding="utf-8")


def test_latex_is_a_fragment_and_other_builders_get_text(build: Build) -> None:
    page = "# Notes\n\n```{symattn} case.toml\n:detail: result\n:digits: 2\n```\n"
    source, _ = build(page, "latex", made="notes.tex")
    assert r"\subsection*{case}" in source
    assert r"Z \approx" in source
    assert r"\usepackage{colortbl}" in source
    text, warnings = build(page, "text", made="index.txt")
    assert "Z ≈ [1.73]" in text
    assert warnings == ""


def test_a_case_can_be_the_body_in_restructuredtext_too(build: Build) -> None:
    body = "".join(f"   {line}\n" for line in CASE.splitlines())
    page, warnings = build(f"Notes\n=====\n\n.. symattn::\n   :no-head:\n\n{body}", name="index.rst")
    assert "<mn>1.7311</mn>" in page
    assert "level-0" not in page
    assert warnings == ""


@pytest.mark.parametrize(
    ("page", "name", "line", "message"),
    [
        ("# Notes\n\n```{symattn} no.toml\n```\n", "index.md", 3, "no.toml: there is no such file"),
        ("# Notes\n\n```{symattn} case.toml\n:only: B\n```\n", "index.md", 3, "B"),
        ("# Notes\n\n```{symattn}\n:digits: 2\n\ngiven = 3\n```\n", "index.md", 6, "given: the number 3"),
        ("# Notes\n\n- a\n\n  ```{symattn}\n  given = 3\n  ```\n", "index.md", 6, "given: the number 3"),
        ("N\n=\n\n.. symattn::\n\n   given = 3\n", "index.rst", 6, "given: the number 3"),
        ("# Notes\n\n```{symattn}\n```\n", "index.md", 3, "neither a file nor a body"),
        ("# Notes\n\n```{symattn} case.toml\ngiven = 3\n```\n", "index.md", 3, "a file and a body"),
    ],
)
def test_a_bad_case_is_a_warning_at_its_line(
    build: Build, page: str, name: str, line: int, message: str
) -> None:
    _, warnings = build(page, name=name)
    assert re.search(rf"/{name}:{line}: WARNING: .*{message}", warnings), warnings


def test_a_changed_case_and_a_changed_file_of_its_givens_are_built_again(
    build: Build, tmp_path: Path
) -> None:
    page = "# Notes\n\n```{symattn} case.toml\n```\n"
    (tmp_path / "case.toml").write_text('[given]\nscaled = [[0, 1]]\nV = "v.csv"\n', encoding="utf-8")
    for changed, text, shown in (
        ("v.csv", "1\n2\n", "1.7311"),
        ("v.csv", "1\n3\n", "2.4621"),
        ("case.toml", CASE, "1.7311"),
    ):
        path = tmp_path / changed
        before = path.stat().st_mtime_ns if path.exists() else 0
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(before + 10**10 or 10**18, before + 10**10))
        built, _ = build(page)
        assert f"<mn>{shown}</mn>" in built
