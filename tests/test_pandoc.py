"""The filter for Pandoc: what each format gets, and the place of what goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.cli import cli

CASE = "[given]\nscaled = [[0, 1]]\nV = [[1], [2]]\n"
BLOCK = "```{.symattn file=case.toml only=A}\n```\n"
NESTED = f"Notes\n\n````markdown\n{BLOCK}````\n\n"
"""A block within a block is no case."""

Pandoc = Callable[..., subprocess.CompletedProcess[str]]


def printed(option: str) -> Path:
    return Path(CliRunner().invoke(cli, [option]).output.strip())


@pytest.fixture
def pandoc(tmp_path: Path) -> Pandoc:
    """Convert a page with the filter to a format."""
    command = tmp_path / "bin" / "symattn"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m symattn "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "case.toml").write_text(CASE, encoding="utf-8")
    found = {"PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(sys.path)}

    def converted(page: str, form: str = "html") -> subprocess.CompletedProcess[str]:
        (tmp_path / "notes.md").write_text(page, encoding="utf-8")
        line = ["pandoc", "notes.md", "-L", str(printed("--pandoc-filter")), "-s", "-t", form]
        line += ["-M", "title=Notes"]
        return subprocess.run(
            line, cwd=tmp_path, env={**os.environ, **found}, capture_output=True, text=True, check=False
        )

    return converted


def test_the_filter_is_in_the_folder_that_is_the_extension() -> None:
    folder = printed("--quarto-extension")
    assert printed("--pandoc-filter").read_text(encoding="utf-8").startswith("--[[ A filter for Pandoc")
    assert "    - symattn.lua\n" in (folder / "_extensions/symattn/_extension.yml").read_text(
        encoding="utf-8"
    )


@pytest.mark.needs("pandoc")
def test_html_has_mathml_and_one_style_for_all_cases(pandoc: Pandoc) -> None:
    body = CASE.replace("\n", "\n  ")
    ran = pandoc(f"{NESTED}{BLOCK}\n- item\n\n  ```{{.symattn .no-head}}\n  {body}```\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count('<div class="symattn"') == 2
    assert ran.stdout.count("@media (prefers-color-scheme: dark)") == 1
    assert '<h1 class="level-0">case</h1>' in ran.stdout
    assert "<mn>1.7311</mn>" in ran.stdout


@pytest.mark.needs("pandoc")
def test_latex_has_its_packages_and_compiles(pandoc: Pandoc, xelatex: Callable[[str], str]) -> None:
    source = pandoc(BLOCK.replace("only=A", "detail=result"), "latex").stdout
    preamble, _, body = source.partition(r"\begin{document}")
    assert r"\usepackage{colortbl}" in preamble
    assert r"\section*{case}" in body
    xelatex(source)


@pytest.mark.needs("pandoc")
def test_other_formats_get_what_pandoc_reads_of_the_markdown(pandoc: Pandoc) -> None:
    assert "0.7311" in pandoc(BLOCK, "plain").stdout


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize(
    ("block", "line", "message"),
    [
        ("```{.symattn file=no.toml}\n```\n", 8, "no.toml: there is no such file"),
        ("```{.symattn}\n\ngiven = 3\n```\n", 8, ":10:9: given: the number 3"),
        ("```{.symattn file=case.toml detial=result}\n```\n", 8, "no attribute detial"),
        ("```{.symattn file=case.toml detail=lots}\n```\n", 8, "lots"),
        ("```{.symattn}\n```\n", 8, "write file=case.toml, or the case in the block"),
    ],
)
def test_what_is_wrong_has_its_place(pandoc: Pandoc, block: str, line: int, message: str) -> None:
    ran = pandoc(NESTED + block)
    assert ran.returncode != 0
    assert f"notes.md:{line}: " in ran.stderr
    assert message in ran.stderr
