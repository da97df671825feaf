"""Slides: each step is a frame with its worked entry first, and nothing is off a frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command import symattn
from once import work

from symattn.text.document import Display, Document, Paragraph
from symattn.text.notation import Chain, Number, Quotient, Symbol
from symattn.typeset import pdf as making
from symattn.typeset.latex_slides import slides

CASES = Path(__file__).parent.parent / "cases"
CASE = CASES / "thinking_machines.toml"


def frames(source: str) -> list[str]:
    return source.split(r"\begin{frame}")[1:]


def test_each_step_is_a_frame_with_the_worked_entry_before_the_matrices() -> None:
    (scores,) = (frame for frame in frames(work(CASE).slides()) if "Scores" in frame.splitlines()[0])
    assert scores.index(r"\saworked{") < scores.index(r"\samaths{") < scores.index("dot product")


def test_the_result_and_what_was_proved_come_last() -> None:
    *_, last = frames(work(CASE).slides())
    assert r"\saresult{" in last
    assert "identical" in last


def test_the_result_alone_and_some_steps_are_fewer_frames() -> None:
    worked = work(CASE)
    assert len(frames(worked.slides(detail="result"))) == 3
    assert ["Weights" in frame.splitlines()[0] for frame in frames(worked.slides(only=("A",)))] == [
        False,
        True,
        False,
    ]


def test_a_display_that_is_too_high_for_a_frame_is_taken_apart() -> None:
    half = Quotient(Number("1"), Number("2"))
    display = Display(tuple(Chain(Symbol("x"), (("=", half),)) for _ in range(20)), "worked")
    assert slides(Document("long", (Paragraph(("a",)), display))).count(r"\saworked{") == 4


def test_slides_are_written_by_the_command_and_refuse_what_they_cannot_follow(tmp_path: Path) -> None:
    file = tmp_path / "slides.tex"
    assert symattn("derive", CASE, "--slides", "-o", file).returncode == 0
    assert file.read_text(encoding="utf-8") == work(CASE).slides()
    for options in (["--html"], ["--pdf", "--engine", "typst"], ["--detail", "entries"]):
        refused = symattn("derive", CASE, "--slides", *options)
        assert refused.returncode == 2
        assert "--slides: " in refused.stderr


def test_a_missing_beamer_is_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "need_program", lambda engine: None)
    monkeypatch.setattr(making, "_in_tex", lambda *files: [])
    refused = symattn("derive", CASE, "--slides", "--pdf", "-o", tmp_path / "x.pdf")
    assert refused.returncode == 2
    assert "texlive-fonts-recommended" in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["thinking_machines", "wo_ai_mao", "variants/backward", "variants/jacobian_symbolic"]
)
def test_nothing_is_off_a_frame(name: str, xelatex: Callable[[str], str]) -> None:
    log = xelatex(work(CASES / f"{name}.toml").slides())
    assert "Output written" in log


@pytest.mark.slow
@pytest.mark.needs("xelatex")
def test_slides_become_a_pdf(tmp_path: Path) -> None:
    assert symattn("derive", CASE, "--slides", "--pdf", "-o", tmp_path / "x.pdf").returncode == 0
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
