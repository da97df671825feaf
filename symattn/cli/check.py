"""`symattn check CASE.toml`: the independent computation in NumPy floats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from symattn.cli.boundary import FINDINGS
from symattn.cli.commands import Command, allow_files_option, message_lang, option
from symattn.cli.effort import effort_option
from symattn.cli.language import language
from symattn.cli.memory import need_memory
from symattn.cli.output import emit
from symattn.cli.progress import CROSS_CHECK, Progress
from symattn.cli.warnings import warn
from symattn.text.bilingual import Bilingual
from symattn.typeset.cjk import pad

if TYPE_CHECKING:
    from symattn.checks.crosscheck import CrossCheck, TextbookCheck
    from symattn.checks.gradcheck import GradientCheck
    from symattn.checks.step_check import StepCheck


@click.command(
    "check",
    cls=Command,
    help=Bilingual(
        "Compute CASE in float64 from its givens and report each step's largest error in ulps; an ulp is the "
        "distance between neighbouring floats, about 2e-16 of the value.\n\n"
        "Exit status 1 where a step is further from the exact values than rounding explains.",
        "用 float64 把 CASE 从给定的量起再算一遍，以 ulp 为单位列出每一步的最大误差：1 ulp 是相邻浮点数之差，"
        "约为数值的 2e-16。\n\n"
        "某一步与精确值之差超出舍入所能解释的范围时，退出状态为 1。",
    ),
)
@click.argument("case", type=click.Path())
@option(
    "--json",
    "as_json",
    is_flag=True,
    help=Bilingual("Print data instead of a table.", "输出数据，而不是表格。"),
)
@message_lang
@allow_files_option
@effort_option
def command(case: str, as_json: bool, allow_files: bool) -> None:
    """`symattn check CASE`."""
    need_memory()
    from symattn.casefile.case_file import read_case
    from symattn.narrate.export import check_data
    from symattn.result import work

    with Progress() as progress:
        worked = work(read_case(case, allow_files=allow_files), progress.steps)
        progress.say(CROSS_CHECK)
        check = worked.check
    warn(worked)
    if as_json:
        emit(json.dumps(check_data(check), ensure_ascii=False, indent=1) + "\n", None, document=True)
    else:
        emit("".join(f"{line}\n" for line in _table(check)), None, document=False)
    if not check.agrees:
        raise click.exceptions.Exit(FINDINGS)


def _table(check: CrossCheck) -> Iterator[str]:
    lang = language()
    for step in check.steps:
        error = _NOT_COMPARED[lang] if step.max_ulp is None else f"{step.max_ulp:.2f} ulp"
        yield f"{step.name:<14} {pad(error, 16, 'r')}  {_verdict(step)[lang]}"
    for gradient in check.gradients:
        error = _NOT_COMPARED[lang] if gradient.error is None else f"{gradient.error:.1e} {_RELATIVE[lang]}"
        verdict = _BY_COMPLEX_STEPS.format(verdict=_verdict(gradient))[lang]
        if gradient.doubt is not None:
            verdict = _verdict(gradient)[lang]
        yield f"{gradient.name:<14} {pad(error, 16, 'r')}  {verdict}"
    if check.textbook is not None:
        yield from _second(check.textbook, len(check.steps))
    for name, value in check.symbols.items():
        yield _WITH.format(name=name, value=value)[lang]


def _second(textbook: TextbookCheck, count: int) -> Iterator[str]:
    lang = language()
    if textbook.not_understood:
        yield _UNKNOWN.format(keys=", ".join(textbook.not_understood))[lang]
        return
    for name in textbook.wrong:
        yield f"{name:<14} {pad('', 16, 'r')}  {_VERDICTS[False][lang]}{_WITH_TEXTBOOK[lang]}"
    agreeing = len(textbook.covers) - len(textbook.wrong)
    yield _SECOND.format(agreeing=str(agreeing), count=count)[lang]


def _verdict(check: StepCheck | GradientCheck) -> Bilingual:
    """Whether it agrees, or why nothing was compared; what was seen to differ differs in any case."""
    return check.doubt.text if check.doubt is not None and check.agrees else _VERDICTS[check.agrees]


_SECOND = Bilingual(
    "{agreeing} of {count:step} also agree with the textbook formulas, evaluated separately",
    "{count} 步中有 {agreeing} 步也与单独按教科书公式计算的结果一致",
)
_UNKNOWN = Bilingual(
    "not compared with the textbook formulas, which do not cover {keys}",
    "未与教科书公式比较：其中没有 {keys} 的公式",
)
_WITH_TEXTBOOK = Bilingual(" with the textbook formulas", "（与教科书公式）")
_NOT_COMPARED = Bilingual("not compared", "未比较")
_RELATIVE = Bilingual("rel.", "（相对）")
_VERDICTS = {True: Bilingual("agrees", "一致"), False: Bilingual("DISAGREES", "不一致")}
_BY_COMPLEX_STEPS = Bilingual("{verdict} with the derivative by complex steps", "与复步法求得的导数{verdict}")
_WITH = Bilingual("with {name} = {value}", "其中 {name} = {value}")
