"""The pages of the site: the tutorial is true, and every page is reached. `.ci/run` builds them."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.cli import cli

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_tutorial_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are saved, its commands run, and what it shows between `…` is what they print."""
    monkeypatch.setenv("COLUMNS", "100")
    text, printed, shown = (DOCS / "tutorial.md").read_text(encoding="utf-8"), "", 0
    with contextlib.chdir(tmp_path):
        for kind, block in FENCE.findall(text):
            match kind:
                case "toml":
                    Path("fox.toml").write_text(block, encoding="utf-8")
                case "markdown":
                    Path("notes.md").write_text(block, encoding="utf-8")
                case "pycon":
                    check = doctest.DocTestParser().get_doctest(block, {}, "tutorial.md", None, 0)
                    said = io.StringIO()
                    assert doctest.DocTestRunner().run(check, out=said.write).failed == 0, said.getvalue()
                case "sh":
                    for line in block.splitlines():
                        program, *arguments = shlex.split(line)
                        ran = CliRunner().invoke(cli, arguments)
                        assert program == "symattn"
                        assert ran.exit_code == (arguments[0] == "audit"), ran.output
                        printed = ran.stdout
                case _:
                    for part in filter(str.strip, re.split("^…$", block, flags=re.MULTILINE)):
                        _, found, printed = f"\n{printed}".partition("\n" + part.strip("\n") + "\n")
                        assert found, part
                        shown += 1
    assert shown == 8


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = "\n".join((DOCS / name).read_text(encoding="utf-8") for name in ("index.md", "decisions.md"))
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.glob("*.md")} - {"index"}
    assert sorted(pages - set(listed.splitlines())) == []
