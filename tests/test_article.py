"""Fragments for articles: labels, the type and colours around them, the packages that lecture notes load."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from command import symattn
from conftest import ON_CI
from once import work

CASES = Path(__file__).parent.parent / "cases"
CASE = CASES / "thinking_machines.toml"
PACKAGES = """\
amsmath amssymb mathtools amsthm bm physics siunitx booktabs tabularx longtable multirow array xcolor graphicx
tikz pgfplots geometry enumitem caption subcaption microtype csquotes listings fancyhdr titlesec tcolorbox
mdframed todonotes algorithm2e setspace parskip multicol wrapfig float biblatex hyperref cleveref"""
PREFIXES = ("thinking-machines", "a-causal-mask", "again", "twice")
PREAMBLE = r"""
\documentclass[a4paper%s]{article}
\PassOptionsToPackage{hmargin=20mm}{geometry}
\usepackage{iftex}
\ifpdftex \usepackage[T1]{fontenc}\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else \usepackage{fontspec}\fi
\usepackage[english]{babel}
"""


def labels(source: str) -> list[str]:
    return re.findall(r"\\label\{eq:thinking-machines-([^}]*)\}", source)


def test_every_equation_has_a_label_and_no_two_have_one() -> None:
    source = work(CASE).latex(article=True)
    found = labels(source)
    assert {"X", "Q", "Q-2-1", "S", "Sprime", "A", "D-1", "Z", "Z-result"} <= {*found}
    assert len(set(found)) == len(found)
    for environment in re.findall(r"\\begin\{equation\}.*?\\end\{equation\}", source, re.DOTALL):
        assert len(labels(environment)) == 1
    for environment in re.findall(r"\\begin\{align\}.*?\\end\{align\}", source, re.DOTALL):
        assert len(re.findall(r"^  \S.* &", environment, re.M)) == len(
            re.findall(r"\\label|\\notag", environment)
        )
    assert not re.search(r"\\begin\{(equation|align|gather)\*\}", source)


def test_a_step_is_one_equation_from_its_formula_to_its_matrices() -> None:
    queries = work(CASE).latex(article=True).split("Queries}")[1]
    assert re.sub(r"\s+", " ", queries)[:200].count("Q = X W_Q = ") == 1


def test_fragments_in_one_document_share_no_label() -> None:
    sources = [
        work(CASES / f"{name}.toml").latex(article=True) for name in ("thinking_machines", "causal_mask")
    ]
    sources += [
        symattn(
            "derive", CASE, "--latex", "--article", "--no-head", "--only", "Q,A", "--label", "again"
        ).stdout,
        work(CASE).latex(article=True, label="twice", only=("Q",)),
    ]
    given = [{*re.findall(r"\\label\{(.*?)\}", source)} for source in sources]
    assert all(f"eq:{prefix}-Q" in found for prefix, found in zip(PREFIXES, given, strict=True))
    assert len(set.union(*given)) == sum(map(len, given))


def test_a_prefix_is_of_an_article_and_of_signs_that_a_label_may_hold() -> None:
    for options in (["--latex", "--label", "a"], ["--latex", "--article", "--label", "a b"]):
        refused = symattn("derive", CASE, *options)
        assert refused.returncode == 2
        assert "--label" in refused.stderr


def test_a_fragment_chooses_no_colour_and_no_font() -> None:
    source = work(CASE).latex(article=True)
    assert r"\usepackage" not in re.sub("(?m)^%.*", "", source)
    assert not re.search(r"blue|gray|\\sffamily|\\rmfamily", source)


def test_an_article_is_a_fragment_of_latex_only() -> None:
    assert symattn("derive", CASE, "--latex", "--article").stdout == work(CASE).latex(article=True)
    for options in (["--html", "--article"], ["--latex", "--standalone", "--article"], ["--article"]):
        refused = symattn("derive", CASE, *options)
        assert refused.returncode == 2
        assert "--latex --article" in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize("program", ["pdflatex", "xelatex", "lualatex"])
@pytest.mark.parametrize(
    ("name", "columns"), [("thinking_machines", ""), ("variants/backward", ",twocolumn")]
)
def test_a_fragment_compiles_among_the_packages_of_lecture_notes(
    program: str, name: str, columns: str, tex: Callable[..., str]
) -> None:
    if program == "lualatex" and not _installed("luaotfload.sty"):
        pytest.skip("lualatex is not installed")
    loaded = "\n".join(rf"\usepackage{{{each}}}" for each in PACKAGES.split() if _installed(f"{each}.sty"))
    latex = partial(work(CASES / f"{name}.toml").latex, article=True, width=80 if columns else 170)
    fragments = f"{latex()}\n{latex(label='again', only=('Z',))}"
    body = rf"\begin{{document}}See \ref{{eq:again-Z}}. {fragments}\end{{document}}"
    log = tex(PREAMBLE % columns + loaded + body, program)
    assert "multiply defined" not in log


def _installed(file: str) -> bool:
    """Whether TeX has the file; on CI it has all."""
    if ON_CI:
        return True
    found = shutil.which("kpsewhich")
    return (
        found is not None and not subprocess.run([found, file], capture_output=True, check=False).returncode
    )
