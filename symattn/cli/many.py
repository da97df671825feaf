"""Several inputs in one run: `--jobs`, `--scheduler`, and one file an input in `-o FOLDER`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from symattn.casefile.file_kinds import STANDARD_INPUT
from symattn.cli.boundary import FAILED, explained
from symattn.cli.commands import option
from symattn.cli.language import language
from symattn.cli.output import say, write_file
from symattn.cli.progress import Progress
from symattn.cli.usage import Mistake
from symattn.many.machines import Machines, results
from symattn.text.bilingual import Bilingual, both, placed
from symattn.text.errors import OutOfMemory, SymattnError, UnreadableFile, UnusableValue
from symattn.text.file_names import shown
from symattn.text.system_errors import why

if TYPE_CHECKING:
    from symattn.cli.files import Found

F = TypeVar("F", bound=Callable[..., Any])

LOST = Bilingual(
    "the process that worked on it ended before it was finished, twice", "处理它的进程两次都没有做完就结束了"
)
FEWEST = 8
"""For how many files a process pays that has to begin first."""
MOST_NAMED = 5
"""So many files that are passed over are named."""


class Made(Struct, frozen=True):
    """What became of one input: what is to be written, if anything, messages, and an exit status."""

    content: str | bytes | None = None
    messages: Sequence[Bilingual] = ()
    status: int = 0
    lang: str = "en"
    """That of the input: messages are in it where the user chose none."""

    def tell(self) -> None:
        """The messages on standard error."""
        for words in self.messages:
            say(f"symattn: {words[language(self.lang)]}")


def many_options(command: F) -> F:
    """Adds `--jobs` and `--scheduler` to a verb that takes several inputs."""
    jobs = option(
        "--jobs",
        type=click.IntRange(1, 256),
        help=Bilingual(
            "Number of parallel processes; chosen automatically by default.",
            "同时运行的进程数；默认由程序选择。",
        ),
    )
    scheduler = option(
        "--scheduler",
        metavar="ADDRESS",
        help=Bilingual(
            "Work on the dask cluster of this scheduler (tcp://HOST:8786), which sees the same files.",
            "在这个调度器（tcp://HOST:8786）的 dask 集群上计算；集群须能读到同样的文件。",
        ),
    )
    return jobs(scheduler(command))


def machines(inputs: Sequence[object], jobs: int | None, scheduler: str | None) -> Machines:
    """Where so many inputs are worked on. Raises a usage error, or UnusableValue."""
    if scheduler is None:
        return Machines(1 if STANDARD_INPUT in inputs else processes(len(inputs), jobs))
    if jobs is not None:
        raise Mistake(_BOTH, click.get_current_context())
    if STANDARD_INPUT in inputs:
        raise UnusableValue(_STANDARD_INPUT, _NAME_IT).at(key="--scheduler")
    return Machines(scheduler=scheduler)


def processes(files: int, asked: int | None = None) -> int:
    """How many processes work on so many files: as many as were asked for, else as many as pay."""
    return min(asked or max(min(free(), files // FEWEST), 1), max(files, 1))


def free() -> int:
    """How many processors there are for this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def several(inputs: Sequence[str], output: str | None, jobs: int | None, scheduler: str | None) -> bool:
    """Whether a run writes one file an input into the folder `output`, and not one page.

    Raises UnusableValue where it would and cannot: there is no folder, or nothing to share.
    """
    into_folder = output is not None and (os.path.isdir(output) or output.endswith(("/", os.sep)))
    if len(inputs) > 1 or os.path.isdir(inputs[0]) or into_folder:
        if output is None:
            raise UnusableValue(_SEVERAL, _NAME_FOLDER).at(key="-o")
        if os.path.exists(output) and not os.path.isdir(output):
            raise UnusableValue(_NO_FOLDER, _NAME_FOLDER).at(file=output)
        return True
    for key, value in (("--jobs", jobs), ("--scheduler", scheduler)):
        if value is not None:
            raise UnusableValue(_ONE_INPUT, _NAME_FOLDER).at(key=key)
    return False


def all_of(paths: Sequence[str], ends: Sequence[str]) -> list[str]:
    """The files, and those of folders by the ends of their names. Raises UnreadableFile."""
    from symattn.cli.files import find

    found = find(paths, ends=ends)
    say_passed_over(found)
    for folder, reason in found.unlisted:
        raise UnreadableFile(reason).at(file=folder)
    return found.files


def write_each(
    work: Callable[[str], Made],
    inputs: Sequence[str],
    folder: str,
    name: Callable[[str], str],
    where: Machines,
) -> None:
    """Write what the work makes of each input to the file `name(input)` of the folder, in their order.

    What goes wrong with one is said, and the others are finished; the run then ends with the worst status.
    Raises UnusableValue, before any work, where two inputs would be written to one file, or over an input.
    """
    targets = _targets(inputs, folder, name)
    status = 0
    with Progress() as progress:
        found = progress.over(results(partial(_tried, work), inputs, where), len(inputs))
        for path, target, each in zip(inputs, targets, found, strict=True):
            made = each or _failed(OutOfMemory(LOST).at(file=path))
            made.tell()
            status = max(status, made.status)
            try:
                if made.content is not None:
                    write_file(target, [made.content])
            except SymattnError as error:
                _failed(error).tell()
                status = FAILED
    if status:
        raise click.exceptions.Exit(status)


def _tried(work: Callable[[str], Made], path: str) -> Made:
    try:
        return work(path)
    except SymattnError as error:
        return _failed(error.at(file=path))
    except Exception as error:  # a defect, or no memory left: the other inputs are worked on all the same
        return Made(messages=(placed(shown(path), explained(error)),), status=FAILED)


def _failed(error: SymattnError) -> Made:
    return Made(messages=(error.message,), status=FAILED)


def _targets(inputs: Sequence[str], folder: str, name: Callable[[str], str]) -> list[str]:
    """The file that each input is written to, in a folder that there is now."""
    made: dict[str, str] = {}
    for path in inputs:
        if path == STANDARD_INPUT:
            raise UnusableValue(_STANDARD_INPUT, _NAME_IT)
        target = os.path.join(folder, name(path))
        if target in made:
            raise UnusableValue(_ONE_NAME.format(one=made[target], other=path, name=target), _APART)
        if os.path.exists(target) and any(
            os.path.exists(each) and os.path.samefile(each, target) for each in inputs
        ):
            raise UnusableValue(_OVER.format(name=target), _NAME_FOLDER).at(key="-o")
        made[target] = path
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UnusableValue(why(error)).at(file=folder) from None
    return list(made)


def say_passed_over(found: Found) -> None:
    """Which files of the folders were left out since they are none of those that are read."""
    for files, reason in (
        (found.no_case, Bilingual("no [given], so not a case", "没有 [given]，不是算例")),
        (found.no_file, Bilingual("not a regular file", "不是普通文件")),
    ):
        if files:
            few, more = files[:MOST_NAMED], len(files) - MOST_NAMED
            rest = Bilingual(f" and {more} more", f" 等 {len(files)} 个") if more > 0 else both("")
            say(
                Bilingual(
                    f"symattn: skipped ({reason.en}): {', '.join(few)}{rest.en}",
                    f"symattn: 略过（{reason.zh}）：{'、'.join(few)}{rest.zh}",
                )
            )


_BOTH = Bilingual("--jobs and --scheduler exclude each other", "--jobs 与 --scheduler 不能同时使用")
_STANDARD_INPUT = Bilingual("standard input cannot be shared between processes", "标准输入不能由多个进程共用")
_NAME_IT = Bilingual("name the file", "请写出文件名")
_SEVERAL = Bilingual(
    "several inputs are written to a folder, one file each", "多个输入各写成文件夹中的一个文件"
)
_NAME_FOLDER = Bilingual("name a folder: -o FOLDER/", "请指定文件夹：-o FOLDER/")
_NO_FOLDER = Bilingual("it is a file, and several inputs go to a folder", "它是文件，而多个输入要写入文件夹")
_ONE_INPUT = Bilingual("a single input cannot be divided", "只有一个输入，没有可分的工作")
_ONE_NAME = Bilingual("{one} and {other} would both be written to {name}", "{one} 和 {other} 都会写入 {name}")
_APART = Bilingual("rename one of them, or write them in two runs", "请给其中一个改名，或分两次写出")
_OVER = Bilingual("{name} is an input, and would be overwritten", "{name} 是输入，会被覆盖")
