"""Fixing whole documents: chains from an example into what follows, notebooks, and what is left."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from click.testing import CliRunner

from symattn.auditor.fixing.rewriting import edits
from symattn.auditor.formats.items import Options, failing
from symattn.casefile.file_kinds import Kind
from symattn.cli import cli
from symattn.cli.fixing import Fixed, Fixing, fixed
from symattn.notes.documents import document_reports

FOLLOWED = """\
Q = [[1.1, 2.3]]
K = [[1, 0], [0, 1]]
scores = Q K^T = [[1.10, 2.50]]

Note that 2.50 / 1.10 = 2.27.
"""


def repaired(text: str, kind: Kind = "markdown", *, unsafe: bool = True) -> Fixed:
    """A document after its fixes."""
    judge = partial(document_reports, file=None, kind=kind)
    return fixed(text, judge, Fixing(unsafe), Options())


def test_a_stray_equation_goes_on_from_the_row_that_an_example_prints() -> None:
    assert repaired(FOLLOWED).text == FOLLOWED.replace("2.50", "2.30").replace("2.27", "2.09")


def test_a_number_that_is_repeated_is_not_put_right_without_its_chain(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(FOLLOWED, encoding="utf-8")
    result = CliRunner().invoke(cli, ["audit", str(path), "--fix"])
    assert "; --unsafe-fixes would rewrite it" in result.output
    assert path.read_text(encoding="utf-8") == FOLLOWED
    assert "no fix" not in CliRunner().invoke(cli, ["audit", str(path)]).output


def test_a_number_that_a_comment_explains_is_left_alone() -> None:
    comment = "<!-- symattn: ignore[SA2] the numbers of the first edition -->\n"
    text = FOLLOWED.replace("scores =", f"{comment}scores =")
    assert repaired(text).text == text


def test_operands_of_a_document_without_slips_stay_as_they_are() -> None:
    text = """\
X = [[0.5], [1.0]], W_Q = [[0.9]], W_K = [[1.1]]. There is no scaling.

Q = X W_Q = [[0.5], [0.9]], K = X W_K = [[0.6], [1.1]]

Scores = Q K^T = [[0.3, 0.6], [0.5, 1.0]]

e^{0.3} = 1.3, e^{0.6} = 1.8
"""
    found = repaired(text)
    assert [finding for report in found.reports for finding in failing(report, Options())] == []
    assert edits(found.reports, unsafe=True) == ()


def test_a_percentage_in_the_json_of_a_notebook_keeps_its_backslashes() -> None:
    text = """\
{"cells": [{
 "cell_type": "markdown", "metadata": {},
 "source": [
  "$\\\\frac{1}{2} = 60\\\\%$ and $60\\\\% \\\\cdot 4 = 2.40$\\n"
 ]}], "nbformat": 4}
"""
    assert repaired(text, "notebook").text == text.replace("60", "50").replace("2.40", "2.00")
