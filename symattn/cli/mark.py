"""`symattn mark KEY ANSWERS...`: answers marked with follow-through."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import click

from symattn.casefile.file_kinds import KINDS
from symattn.classroom.students import student_of
from symattn.cli.boundary import FAILED, explained
from symattn.cli.commands import Command, lang_option, option, output_option
from symattn.cli.exercise import KEY
from symattn.cli.language import language
from symattn.cli.many import LOST, machines, many_options
from symattn.cli.memory import need_memory
from symattn.cli.output import emit, encoding, say, write_file
from symattn.cli.progress import Progress
from symattn.many.machines import results
from symattn.text.bilingual import Bilingual, placed
from symattn.text.errors import SymattnError, UnreadableFile
from symattn.text.file_names import shown

if TYPE_CHECKING:
    from symattn.classroom.answers import Answer
    from symattn.classroom.marking import Key, Mark


@click.command(
    "mark",
    cls=Command,
    help=Bilingual(
        "Mark ANSWERS by KEY, the key of an exercise or any case, with follow-through: what is computed "
        "rightly from an earlier mistake has full points. Feedback names the slip.\n\n"
        "ANSWERS are TOML, CSV (a row for each student under student, A[1,1], ...) or notes, or folders of "
        "them. Where KEY is a folder, NAME.md is marked by NAME.key.toml in it. Exit status 2 where an "
        "answer could not be read; the others are marked all the same.",
        "按 KEY（练习的答案，或任何算例）给 ANSWERS 评分：由前面的错误正确推得的结果仍得满分；"
        "反馈指出错在哪里。\n\n"
        "ANSWERS 可以是 TOML、CSV（首行为 student, A[1,1]…，每个学生一行）、讲义，或含有它们的文件夹。"
        "KEY 是文件夹时，NAME.md 用其中的 NAME.key.toml 评分。有答案读不了时退出状态为 2，其余照常评分。",
    ),
)
@click.argument("key", type=click.Path())
@click.argument("answers", metavar="ANSWERS...", nargs=-1, required=True, type=click.Path())
@option(
    "--csv",
    "table",
    type=click.Path(),
    metavar="FILE",
    help=Bilingual("The table as CSV.", "成绩表（CSV）。"),
)
@option(
    "--html",
    "page",
    type=click.Path(),
    metavar="FILE",
    help=Bilingual("The table as a web page.", "成绩表（网页）。"),
)
@option(
    "--json",
    "as_json",
    is_flag=True,
    help=Bilingual("Data: the contract symattn/marks/1.", "数据，格式为 symattn/marks/1。"),
)
@many_options
@lang_option(Bilingual("The language of the table, feedback and messages.", "成绩表、反馈和提示信息的语言。"))
@output_option
def command(
    key: str,
    answers: tuple[str, ...],
    table: str | None,
    page: str | None,
    as_json: bool,
    jobs: int | None,
    scheduler: str | None,
    lang: str | None,
    output: str | None,
) -> None:
    """`symattn mark KEY ANSWERS...`."""
    need_memory()
    from symattn.classroom.marking import failed
    from symattn.classroom.marks import marks_csv, marks_data, marks_document
    from symattn.typeset.cjk import laid_out_for
    from symattn.typeset.html import html
    from symattn.typeset.text import text

    lang = lang or language()
    files = list(_files(answers))
    things = [thing for file in files for thing in _things(key, file)]
    marks: list[Mark] = []
    with Progress() as progress:
        found = results(partial(_marked, key=key), things, machines(things, jobs, scheduler))
        for (file, _), each in zip(things, progress.over(found, len(things)), strict=True):
            mark = each or failed(student_of(file), LOST)
            marks.append(mark)
            if mark.problem is not None:
                say(f"symattn: {shown(mark.student)}: {mark.problem[language()]}")
    title = _title(key, files)
    if table is not None:
        write_file(table, [marks_csv(marks, lang)])
    if page is not None:
        write_file(page, [html(marks_document(title, marks, lang))])
    if as_json:
        data = json.dumps(marks_data(title, marks, lang), ensure_ascii=False, indent=1) + "\n"
        emit(data, output, document=True)
    elif output is not None or (table is None and page is None):
        width = shutil.get_terminal_size((100, 24)).columns
        with laid_out_for(encoding(output)):
            emit(text(marks_document(title, marks, lang), width=width), output, document=False)
    if any(mark.problem is not None for mark in marks):
        raise click.exceptions.Exit(FAILED)


Thing = tuple[str, "Answer | None"]
"""The file of an answer, and the answer where it was read already, as a row of a table of the class is."""


def _files(paths: Sequence[str]) -> Iterator[str]:
    """The files that are named, and the answers in the folders that are. Raises UnreadableFile for none."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        inside = [name for name in sorted(os.listdir(path)) if _is_answer(name)]
        if not inside:
            found = Bilingual(f"{path} contains no answer file", f"{path} 中没有答案文件")
            raise UnreadableFile(found).at(file=path)
        yield from (os.path.join(path, name) for name in inside)


def _is_answer(name: str) -> bool:
    kinds = (".toml", ".csv", *KINDS)
    return name.lower().endswith(kinds) and not name.endswith(KEY) and not name.startswith(".")


def _key_of(key: str, file: str) -> str:
    """The file of the key for an answer: in a folder that with the same beginning."""
    return os.path.join(key, student_of(file) + KEY) if os.path.isdir(key) else key


@cache
def _read_key(path: str) -> Key:
    from symattn.casefile.case_file import read_case
    from symattn.classroom.marking import key_of

    return key_of(read_case(path))


def _title(key: str, files: Sequence[str]) -> str:
    """The title of the key; of a folder that of the first one that can be read."""
    for file in files:
        try:
            return _read_key(_key_of(key, file)).case.title
        except SymattnError:
            continue
    return os.path.basename(os.path.normpath(key))


def _things(key: str, file: str) -> Iterator[Thing]:
    """A row of a table of the class is a thing of its own. Raises SymattnError for a key that is none."""
    from symattn.classroom.answers import Answer, read_answers

    if not os.path.isdir(key):
        _read_key(key)
    if not file.lower().endswith(".csv"):
        yield file, None
        return
    try:
        for answer in read_answers(file, _read_key(_key_of(key, file)).derivation):
            yield file, answer
    except SymattnError as error:
        yield file, Answer(student_of(file), {}, problem=error.at(file=file).message)


def _marked(thing: Thing, key: str) -> Mark:
    """The mark of an answer; what is wrong with it becomes its problem."""
    from symattn.classroom.answers import read_answers
    from symattn.classroom.marking import failed, mark

    file, answer = thing
    try:
        found = _read_key(_key_of(key, file))
        if answer is None:
            (answer,) = read_answers(file, found.derivation)
        return mark(found, answer)
    except SymattnError as error:
        return failed(student_of(file), error.at(file=file).message)
    except Exception as error:  # a defect, or no memory left: the other answers are marked all the same
        student = student_of(file) if answer is None else answer.student
        return failed(student, placed(shown(file), explained(error)))
