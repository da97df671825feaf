"""The site: `python -m sphinx -W docs site`, with the extra [docs].

The gallery is written to `gallery/` before the build: for each shipped case a page, on which the extension
renders it, and a picture of its first page, made again only where the case or the package is newer.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from sphinx.application import Sphinx

import symattn
from symattn.casefile.case_file import read_case
from symattn.cli import FILTER
from symattn.result import work
from symattn.typeset.pdf import picture

project = "symattn"
version = release = symattn.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "symattn.sphinx"]
exclude_patterns = ["first_steps.ipynb", "examples"]
html_extra_path = ["_pandoc"]
html_theme = "furo"
html_title = "symattn"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
myst_heading_anchors = 3
default_role = "code"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"

DOCS = Path(__file__).parent
CASES = DOCS.parent / "cases"
GALLERY = DOCS / "gallery"
PANDOC = DOCS / "_pandoc"
PANDOC.mkdir(exist_ok=True)  # Sphinx looks for it before anything is written
SHELVES = {"Cases": CASES, "Variants": CASES / "variants"}


def write_gallery(_app: Sphinx) -> None:
    """The pages and pictures of the gallery."""
    GALLERY.mkdir(exist_ok=True)
    newest = max(path.stat().st_mtime for path in Path(symattn.__file__).parent.rglob("*.py"))
    index = [underlined("Gallery", "="), "Every case that the package brings, worked out.\n"]
    pages = []
    for title, folder in SHELVES.items():
        index += [underlined(title, "-"), ".. container:: gallery\n"]
        for path in sorted(folder.glob("*.toml")):
            index.append(figure(path, read_case(path).title))
            pages.append(path.stem)
            write(GALLERY / f"{path.stem}.rst", page(path))
            png = GALLERY / f"{path.stem}.png"
            if not png.exists() or png.stat().st_mtime < max(newest, path.stat().st_mtime):
                png.write_bytes(picture(work(path).document(detail="result")))
    index += [".. toctree::\n   :hidden:\n", "".join(f"   {name}\n" for name in pages)]
    write(GALLERY / "index.rst", "\n".join(index))
    for old in {each.stem for each in GALLERY.glob("*.*")} - {*pages, "index"}:
        for ending in (".rst", ".png"):
            (GALLERY / f"{old}{ending}").unlink(missing_ok=True)


def write_pandoc_example(_app: Sphinx) -> None:
    """The example of sites.md as Pandoc builds it, beside the pages; without Pandoc a page that says so."""
    target = PANDOC / "pandoc_example.html"
    pandoc = shutil.which("pandoc")
    if pandoc is None:
        target.write_text("<p>Pandoc is not installed where this site was built.</p>\n", encoding="utf-8")
        return
    folder = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    subprocess.run(
        [pandoc, "pandoc.md", "-L", str(FILTER), "-s", "-o", str(target)],
        check=True,
        cwd=DOCS / "examples",
        env={**os.environ, "PATH": folder},
    )


def underlined(title: str, line: str) -> str:
    return f"{title}\n{line * len(title)}\n"


def figure(path: Path, title: str) -> str:
    words = re.sub(r"([\\`*|_])", r"\\\1", title)
    return f"""\
   .. figure:: {path.stem}.png
      :target: {path.stem}.html
      :alt: {title}

      {words}
"""


def page(path: Path) -> str:
    """The page of a case: its file, and what comes out."""
    name = path.relative_to(CASES.parent).as_posix()
    there = Path("../..", name).as_posix()
    return f"""{underlined(path.stem, "=")}
The case, ``{name}``:

.. literalinclude:: {there}
   :language: toml

``symattn derive {name}``:

.. symattn:: {there}
"""


def write(path: Path, text: str) -> None:
    """Write a file unless it says this already, so that Sphinx reads only what changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write the gallery and the example of Pandoc before Sphinx looks for pages."""
    app.connect("builder-inited", write_gallery)
    app.connect("builder-inited", write_pandoc_example)
