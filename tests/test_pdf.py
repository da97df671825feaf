"""A page as PDF: which program makes it, what is refused, and what is said where something is missing."""

from __future__ import annotations

import os
import pty
import sys
from pathlib import Path

import pytest
from command import symattn
from command_process import symattn as process
from sample_documents import CHINESE, ENGLISH

from symattn import audit_file
from symattn.cli.output import goes_to_terminal
from symattn.result import work
from symattn.text.document import Document, Paragraph
from symattn.text.errors import NotInstalled, NotTypeset
from symattn.typeset import pdf as making
from symattn.typeset.pdf import pdf

PLAIN = Document("A page", (Paragraph(("x",)),))
CASE = """\
tokens = ["a", "b"]
[given]
X = [[1, 0], [0, 1]]
W_Q = [[1, 0], [0, 2]]
W_K = [[1, 1], [0, 1]]
W_V = [[2, 0], [0, 3]]
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    file = tmp_path / "case.toml"
    file.write_text(CASE, encoding="utf-8")
    return file


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, **programs: str) -> None:
    """Have these programs, shell scripts, on the path, and no others but those of a shell."""
    for name, script in programs.items():
        file = folder / name
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def hide_typst(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.typeset.engines.find_spec", lambda name: None)


def test_typst_makes_the_page_where_there_is_no_xelatex(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    assert pdf(ENGLISH).startswith(b"%PDF")


def test_xelatex_is_taken_first_without_shell_escape_in_a_folder_that_is_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"echo $PWD $@ > {tmp_path}/said; echo made > page.pdf; echo fine > page.log"
    install(tmp_path, monkeypatch, xelatex=script)
    assert pdf(PLAIN) == b"made\n"
    folder, *arguments = (tmp_path / "said").read_text(encoding="utf-8").split()
    assert "-no-shell-escape" in arguments
    assert not Path(folder).exists()


def test_an_error_of_xelatex_is_one_line_with_its_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = r"This is XeTeX\n(file)\n! Undefined control sequence.\nl.12 \\\\nosuch\n"
    install(tmp_path, monkeypatch, xelatex=f"printf '{log}' > page.log; exit 1")
    with pytest.raises(NotTypeset) as error:
        pdf(PLAIN)
    wanted = (
        "xelatex cannot make the page: Undefined control sequence. (line 12 of the source, line 3 of the log)"
    )
    assert error.value.found == wanted
    assert "--engine typst" in error.value.remedy


def test_xelatex_is_ended_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, xelatex="exec /bin/sleep 30")
    monkeypatch.setattr(making, "SECONDS", 0.2)
    with pytest.raises(NotTypeset, match=r"not finished after 0\.2 seconds"):
        pdf(PLAIN)


def test_what_is_missing_is_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    with pytest.raises(NotInstalled, match="texlive-xetex"):
        pdf(PLAIN, "xelatex")
    hide_typst(monkeypatch)
    with pytest.raises(NotInstalled, match=r"(?s)xelatex is not .*typst .*texlive-xetex.*; or `pip install"):
        pdf(PLAIN)


def test_a_page_with_chinese_wants_a_font_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A xelatex without ctex leaves the page to typst."""
    install(tmp_path, monkeypatch, xelatex="exit 1", kpsewhich="exit 1")
    monkeypatch.setattr(making, "_FONTS", ())
    with pytest.raises(NotInstalled) as error:
        pdf(CHINESE)
    assert "texlive-lang-chinese" in error.value.remedy
    assert "fonts-noto-cjk" in error.value.remedy
    monkeypatch.setattr(making, "_FONTS", ("A font that nobody has", "Libertinus Serif"))
    assert pdf(CHINESE).startswith(b"%PDF")


def test_derive_writes_a_pdf_to_a_file_and_to_a_pipe(case: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.pdf"
    assert symattn("derive", case, "--pdf", "--engine", "typst", "-o", file).returncode == 0
    assert file.read_bytes().startswith(b"%PDF")
    piped = process("derive", case, "--pdf", "--engine", "typst")
    assert piped.stdout.startswith(b"%PDF")
    assert piped.stdout.rstrip().endswith(b"%%EOF")


def test_a_pdf_that_cannot_be_made_leaves_the_old_file(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "page.pdf"
    file.write_text("old", encoding="utf-8")
    install(tmp_path, monkeypatch, xelatex="exit 3")
    done = symattn("derive", case, "--pdf", "--engine", "xelatex", "-o", file)
    assert done.returncode == 2
    assert done.stderr.startswith("symattn: xelatex cannot make the page: exit status 3")
    assert file.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("command", [("derive", "--pdf"), ("audit", "--format", "pdf")])
def test_a_terminal_gets_no_pdf(
    command: tuple[str, ...], case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symattn.cli.engine.goes_to_terminal", lambda output: output is None)
    for lang, said in (("en", "a PDF cannot be shown in a terminal"), ("zh", "PDF 不能输出到终端")):
        done = symattn(command[0], case, *command[1:], "--lang", lang)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stdout == ""


def test_a_terminal_is_known_by_its_device_too(tmp_path: Path) -> None:
    _, theirs = pty.openpty()
    assert goes_to_terminal(os.ttyname(theirs))
    assert not goes_to_terminal(os.devnull)
    assert not goes_to_terminal(str(tmp_path / "new.pdf"))
    assert goes_to_terminal(None) == sys.stdout.isatty()


def test_an_engine_without_a_pdf_is_refused(case: Path) -> None:
    for command in (("derive", "--latex"), ("audit", "--format", "html")):
        done = symattn(command[0], case, *command[1:], "--engine", "typst")
        assert done.returncode == 2
        assert "--engine: it chooses what makes a PDF" in done.stderr


def test_an_audit_becomes_a_pdf(tmp_path: Path) -> None:
    note = tmp_path / "note.toml"
    note.write_text(CASE + '[[stated]]\nname = "Q"\nvalues = [["1", "0"], ["0", "3"]]\n', encoding="utf-8")
    file = tmp_path / "audit.pdf"
    done = symattn("audit", note, "--format", "pdf", "--engine", "typst", "-o", file)
    assert done.returncode == 1, done.stderr
    assert file.read_bytes().startswith(b"%PDF")
    assert audit_file(note).pdf(engine="typst").startswith(b"%PDF")


def test_derive_gives_the_source_for_typst(case: Path) -> None:
    source = symattn("derive", case, "--typst").stdout
    assert source == work(case).typst()
    assert "$Q = X W_Q$" in source


@pytest.mark.slow
@pytest.mark.needs("xelatex")
def test_xelatex_makes_pages_in_both_languages() -> None:
    for document in (ENGLISH, CHINESE):
        assert pdf(document, "xelatex").startswith(b"%PDF")


@pytest.mark.slow
@pytest.mark.needs("xelatex")
def test_typst_makes_a_chinese_page_with_the_fonts_that_are_there() -> None:
    assert pdf(CHINESE, "typst").startswith(b"%PDF")
