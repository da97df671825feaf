"""`symattn exercise`: a sheet with blanks and its key, from a seed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from symattn.cli.commands import Command, lang_option, option, output_option
from symattn.cli.engine import engine_option, ready_for_pdf
from symattn.cli.language import language
from symattn.cli.memory import need_memory
from symattn.cli.output import emit, encoding, write_file
from symattn.cli.progress import Progress
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.system_errors import why
from symattn.typeset.engines import Engine

if TYPE_CHECKING:
    from symattn.classroom.exercise import Exercise

ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "markdown": ".md",
        "latex": ".tex",
        "pdf": ".pdf",
        "html": ".html",
        "text": ".txt",
        "moodle": ".xml",
        "qti": ".zip",
    }
)
"""How the names of sheets end."""
KEY, FORM = ".key.toml", ".answers.toml"
"""How the names of keys end, and of files to write the answers in."""


@click.command(
    "exercise",
    cls=Command,
    help=Bilingual(
        "Write an exercise with blanks, and its key, from a seed; all answers are short fractions.\n\n"
        "Levels: 1 one dot product and its softmax, 2 one query over three keys, 3 a whole head, 4 a mask or "
        "positions, 5 two heads with W_O or a backward step. With -o FILE or FOLDER the key (a case file) "
        "and a file for the answers are written beside the sheet; `symattn mark` marks with that key.",
        "由种子生成一道带空格的练习及其答案；所有答案都是简单的分数。\n\n"
        "难度：1 一个点积及其 softmax，2 一个查询与三个键，3 一个完整的头，4 掩码或位置，"
        "5 两个头与 W_O 或反向一步。用 -o 指定文件或文件夹时，答案（算例文件）和填写答案的文件"
        "写在练习旁边；`symattn mark` 用这份答案评分。",
    ),
)
@option(
    "--seed",
    type=click.IntRange(0),
    required=True,
    help=Bilingual("A whole number; the same one gives the same exercise.", "整数；同一种子得到同一道练习。"),
)
@option(
    "--level",
    type=click.IntRange(1, 5),
    required=True,
    help=Bilingual("How difficult the exercise is.", "难度。"),
)
@option(
    "--markdown", "form", flag_value="markdown", help=Bilingual("The sheet as Markdown.", "练习为 Markdown。")
)
@option(
    "--latex",
    "form",
    flag_value="latex",
    help=Bilingual("The sheet as a LaTeX document.", "练习为完整的 LaTeX 文档。"),
)
@option("--pdf", "form", flag_value="pdf", help=Bilingual("The sheet as PDF.", "练习为 PDF。"))
@option("--html", "form", flag_value="html", help=Bilingual("The sheet as a web page.", "练习为网页。"))
@option(
    "--text",
    "form",
    flag_value="text",
    help=Bilingual("The sheet as text (the default on a terminal).", "练习为文本（终端上的默认格式）。"),
)
@option(
    "--moodle",
    "form",
    flag_value="moodle",
    help=Bilingual("Moodle XML, with a field for each blank.", "Moodle XML，每个空一个输入框。"),
)
@option(
    "--qti",
    "form",
    flag_value="qti",
    help=Bilingual("A package of QTI 2.1 (zip), likewise.", "QTI 2.1 的 zip 包，每个空一个输入框。"),
)
@option(
    "--key",
    "form",
    flag_value="key",
    help=Bilingual("The key alone, a case file.", "只输出答案（算例文件）。"),
)
@engine_option
@option(
    "--students",
    type=click.Path(),
    metavar="LIST.csv",
    help=Bilingual(
        "A sheet, with other numbers, for each name of the list, into the folder of -o.",
        "为名单上的每个人生成一份数字不同的练习，写入 -o 指定的文件夹。",
    ),
)
@lang_option(Bilingual("The language of the sheet and of messages.", "练习和提示信息的语言。"))
@output_option
def command(
    seed: int,
    level: int,
    form: str | None,
    engine: Engine | None,
    students: str | None,
    lang: str | None,
    output: str | None,
) -> None:
    """`symattn exercise --seed N --level L`."""
    need_memory()
    from symattn.classroom.exercise import exercise
    from symattn.classroom.students import read_students

    ending = Path(output or "").suffix
    into_folder = output is not None and (output.endswith(os.sep) or not ending or Path(output).is_dir())
    by_ending = {end: name for name, end in ENDINGS.items()}
    form = form or ("markdown" if into_folder else by_ending.get(ending, "text"))
    ready_for_pdf(form == "pdf", "--pdf", engine, output)
    make = partial(exercise, seed, level, lang=lang or language())
    if students is None and not into_folder:
        made = make()
        emit(_printed(made, form, engine, output), output, document=form != "text")
        if output is not None and form != "key":
            _write_key(made, str(Path(output).with_suffix("")))
        return
    if not into_folder or output is None:
        raise UnusableValue(
            Bilingual("the sheets of several students need a folder", "多个学生的练习需要一个文件夹"),
            Bilingual("name one: -o FOLDER", "请指定：-o FOLDER"),
        ).at(key="--students")
    named = [("exercise", "")]
    if students is not None:
        named = [(each.stem, each.name) for each in read_students(students)]
    _make_folder(output)
    with Progress() as progress:
        sheets = ((stem, make(name)) for stem, name in named)
        for stem, made in progress.over(sheets, len(named)):
            path = os.path.join(output, stem)
            if form != "key":
                write_file(path + ENDINGS[form], [_printed(made, form, engine, output)])
            _write_key(made, path)


def _write_key(made: Exercise, path: str) -> None:
    write_file(path + KEY, [made.key()])
    write_file(path + FORM, [made.form()])


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        found = Bilingual("cannot make the folder: {why}", "无法建立文件夹：{why}").format(why=why(error))
        raise UnusableValue(found).at(file=path) from None


def _printed(made: Exercise, form: str, engine: Engine | None, output: str | None) -> str | bytes:
    """The sheet, or the key, in its form."""
    from symattn.classroom.sheet import sheet
    from symattn.typeset.cjk import laid_out_for

    match form:
        case "key":
            return made.key()
        case "pdf":
            from symattn.typeset.pdf import pdf

            return pdf(sheet(made), engine)
        case "latex":
            from symattn.typeset.latex import latex

            return latex(sheet(made), standalone=True)
        case "markdown":
            from symattn.typeset.markdown import markdown

            return markdown(sheet(made))
        case "moodle":
            from symattn.classroom.moodle import moodle_xml

            return moodle_xml(made)
        case "qti":
            from symattn.classroom.qti import qti_package

            return qti_package(made)
        case "html":
            from symattn.typeset.html import html

            return html(sheet(made))
    from symattn.typeset.text import text

    with laid_out_for(encoding(output)):
        return text(sheet(made), width=shutil.get_terminal_size((100, 24)).columns)
