"""`--engine`, and what is refused before a PDF is worked out."""

from __future__ import annotations

import click

from symattn.cli.commands import option
from symattn.cli.output import goes_to_terminal
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.typeset.engines import ENGINES, Engine, need_engine

engine_option = option(
    "--engine",
    type=click.Choice(ENGINES),
    help=Bilingual(
        "The program that makes the PDF: by default xelatex if it is installed, otherwise typst.",
        "生成 PDF 的程序：默认为 xelatex，没有安装时用 typst。",
    ),
)


def ready_for_pdf(asked: bool, how: str, engine: Engine | None, output: str | None) -> None:
    """Refuse what cannot become a PDF; `how` is the option that asks for one.

    Raises UnusableValue for an engine without a PDF and for a PDF on a terminal, NotInstalled for a missing
    program.
    """
    if not asked:
        if engine is not None:
            raise UnusableValue(
                Bilingual(
                    "it chooses what makes a PDF, and none is asked for",
                    "它选择生成 PDF 的程序，但没有要求 PDF",
                ),
                Bilingual(f"write {how} --engine {engine}", f"请写 {how} --engine {engine}"),
            ).at(key="--engine")
        return
    if goes_to_terminal(output):
        raise UnusableValue(
            Bilingual("a PDF cannot be shown in a terminal", "PDF 不能输出到终端"),
            Bilingual(
                "name a file: -o FILE.pdf, or send it to a pipe", "请指定文件：-o FILE.pdf，或输出到管道"
            ),
        ).at(key=how)
    need_engine(engine)
