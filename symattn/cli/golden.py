"""`symattn golden INPUT`: attention on floats, correctly rounded once, and the errors of others."""

from __future__ import annotations

import json
from functools import partial

import click

from symattn.cli.boundary import FINDINGS
from symattn.cli.commands import Command, message_lang, option
from symattn.cli.effort import effort_option
from symattn.cli.golden_results import ARRAYS, Asked, answer, made_of, name_of, read
from symattn.cli.language import language
from symattn.cli.many import all_of, machines, many_options, several, write_each
from symattn.cli.memory import need_memory
from symattn.cli.output import emit, write_file
from symattn.cli.progress import Progress
from symattn.cli.usage import Mistake
from symattn.text.bilingual import Bilingual

FORMATS = ("float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")
RESULTS = ("o", "lse", "dq", "dk", "dv", "dsinks")


@click.command(
    "golden",
    cls=Command,
    help=Bilingual(
        "Compute attention on the floats of INPUT exactly, and round it once.\n\n"
        "INPUT is a file (.npz, .safetensors) with arrays q, k, v and perhaps "
        + ", ".join(ARRAYS[3:])
        + ", or "
        "seed:7:8x1024x64. Exit status 1 where --compare finds errors beyond --within or --tolerance.\n\n"
        "The results for several inputs, or for folders of them, are written to -o FOLDER, one file each.",
        "对 INPUT 中的浮点数精确计算注意力，只舍入一次。\n\n"
        "INPUT 是含数组 q、k、v（以及可选的 " + "、".join(ARRAYS[3:]) + "）的文件（.npz、.safetensors），"
        "或 seed:7:8x1024x64。--compare 的误差超出 --within 或 --tolerance 时，退出状态为 1。\n\n"
        "多个输入（或文件夹中的输入）的结果写入 -o FOLDER，每个输入一个文件。",
    ),
)
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True)
@option(
    "-o",
    "--output",
    type=click.Path(),
    help=Bilingual("Write the results to this file.", "把结果写入这个文件。"),
)
@option(
    "--compare",
    type=click.Path(),
    help=Bilingual(
        "Report the errors of the results in this file in ulps.", "以 ulp 为单位报告这个文件中结果的误差。"
    ),
)
@option(
    "--grad",
    type=click.Path(),
    help=Bilingual(
        "Also dq, dk, dv, and dsinks where there are sinks, for the dO of this file (or seed:8:8x1024x64).",
        "再用这个文件中的 dO（或 seed:8:8x1024x64）计算 dq、dk、dv，有 sinks 时还有 dsinks。",
    ),
)
@option(
    "--within",
    type=click.FloatRange(min=0),
    metavar="ULPS",
    help=Bilingual("The largest error in ulps that --compare accepts.", "--compare 接受的最大误差（ulp）。"),
)
@option(
    "--tolerance",
    "with_tolerance",
    is_flag=True,
    help=Bilingual(
        "List the errors of sound implementations and of known mistakes on these inputs, and which inputs "
        "show what these hide; --compare then judges each entry by that.",
        "列出正确的实现与常见错误在这些输入上的误差，以及哪些输入能显示这里看不出的错误；"
        "此时 --compare 据此判断每个数。",
    ),
)
@option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    help=Bilingual(
        "The format that results are rounded to; by default that of q.", "结果舍入到的格式；默认为 q 的格式。"
    ),
)
@option(
    "--causal",
    is_flag=True,
    help=Bilingual(
        "Query i sees the keys up to i, and all of the past: aligned at the top left, not at the bottom "
        "right as in FlashAttention.",
        "第 i 个查询看到第 i 个及之前的键和全部过去的键：按左上角对齐，不同于 FlashAttention 的右下角对齐。",
    ),
)
@option(
    "--scale",
    metavar="S",
    help=Bilingual(
        "exact (1/√d, the default), float32 (that rounded first), or a number.",
        "exact（1/√d，默认）、float32（先舍入）或一个数。",
    ),
)
@option(
    "--softcap",
    type=float,
    metavar="C",
    help=Bilingual("c tanh(s/c) for scores s, before the mask.", "加掩码之前把得分 s 换成 c·tanh(s/c)。"),
)
@option(
    "--window",
    type=click.IntRange(min=1),
    metavar="KEYS",
    help=Bilingual(
        "With --causal, a query sees only this many keys, ending with its own.",
        "因果查询只看这么多个键，最后一个是自己的键。",
    ),
)
@option(
    "--heads",
    type=click.IntRange(min=1),
    help=Bilingual(
        "Number of heads in the last axis of three-axis arrays; four-axis arrays are (batches, heads, n, d).",
        "三轴数组最后一轴中的头数；四轴数组应为 (批, 头, n, d)。",
    ),
)
@option(
    "--kv-heads",
    type=click.IntRange(min=1),
    help=Bilingual("Number of heads of k and v, if they have fewer.", "k、v 的头数（若较少）。"),
)
@option(
    "--saturate",
    is_flag=True,
    help=Bilingual("Overflow gives the largest finite number.", "溢出时取最大的有限数。"),
)
@option(
    "--picture",
    type=click.Path(),
    metavar="FILE.svg",
    help=Bilingual("Draw the comparison.", "把比较结果画成图。"),
)
@option(
    "--names",
    metavar="q=Q,o=out",
    help=Bilingual("Names of arrays in the files.", "文件中数组的名称。"),
)
@option(
    "--json",
    "as_json",
    is_flag=True,
    help=Bilingual("Print the comparison as data.", "以数据形式输出比较结果。"),
)
@many_options
@message_lang
@effort_option
@click.pass_context
def command(
    ctx: click.Context,
    sources: tuple[str, ...],
    output: str | None,
    compare: str | None,
    grad: str | None,
    within: float | None,
    with_tolerance: bool,
    format_name: str | None,
    causal: bool,
    scale: str | None,
    softcap: float | None,
    window: int | None,
    heads: int | None,
    kv_heads: int | None,
    saturate: bool,
    picture: str | None,
    names: str | None,
    as_json: bool,
    jobs: int | None,
    scheduler: str | None,
) -> None:
    """`symattn golden INPUT...`."""
    if output is None and compare is None and not with_tolerance:
        raise Mistake(_NOTHING, ctx)
    if picture is not None and (compare is None or not picture.endswith(".svg")):
        raise Mistake(_NO_PICTURE, ctx)
    need_memory()
    from msgspec import UNSET, UnsetType

    from symattn.golden import data, files
    from symattn.golden.backward import tolerances
    from symattn.golden.compare import compare_all
    from symattn.golden.inputs import need_floats
    from symattn.golden.picture import picture as drawn
    from symattn.golden.report import judged, lines, showing_lines, tolerance_lines
    from symattn.golden.showing import Showing, hidden, showing
    from symattn.golden.tolerance import beyond, nearest_mistake
    from symattn.text.errors import SymattnError, UnusableValue

    asked = Asked(
        format_name=format_name,
        causal=causal,
        scale=scale,
        softcap=softcap,
        window=window,
        heads=heads,
        kv_heads=kv_heads,
        saturate=saturate,
        grad=grad,
        renamed=_names(names, ctx),
    )
    if several(sources, output, jobs, scheduler) and output is not None:
        flags = {"--tolerance": with_tolerance, "--json": as_json}
        for key, value in {"--compare": compare, "--picture": picture, "--within": within, **flags}.items():
            if value not in (None, False):
                raise UnusableValue(_OF_ONE, _ONE_BY_ONE).at(key=key)
        every = all_of(sources, files.ENDINGS)
        write_each(partial(made_of, asked=asked), every, output, name_of, machines(every, jobs, scheduler))
        return
    actual = {} if compare is None else read(compare, RESULTS, asked.renamed)
    if compare is not None and not actual:
        raise UnusableValue(_NO_RESULTS).at(file=compare)
    try:
        for name, each in actual.items():
            need_floats(each, asked.renamed.get(name, name))
    except SymattnError as error:
        raise error.at(file=compare) from None
    with Progress() as progress:
        solved = answer(sources[0], asked, progress)
    some, found, settings = solved.inputs, solved.results, solved.settings
    if output is not None:
        write_file(output, [solved.file(output, asked.renamed)])
    if compare is None and not with_tolerance:
        return
    try:
        comparisons = compare_all({name: each.values for name, each in actual.items()}, found, some)
    except SymattnError as error:
        raise error.at(file=compare) from None
    if picture is not None:
        write_file(picture, [drawn(comparisons, language()).encode()])
    text, listed = [*lines(comparisons, language())], []
    shown: Showing | UnsetType | None = UNSET
    wrong = within is not None and not all(each.largest <= within for each in comparisons)
    if with_tolerance:
        allowed = tolerances(some, found)
        for name, one in allowed.items():
            text += tolerance_lines(name, one, found[name].format.name, language())
            count, mistake = None, None
            if name in actual:
                values = actual[name].values
                count = beyond(values, found[name], one)
                mistake = nearest_mistake(values, found[name], one) if count else None
                text.append(judged(name, count, mistake)[language()])
                wrong = wrong or count > 0
            listed.append(data.judged(name, one, count, mistake))
        unseen = hidden(allowed)
        if unseen:
            shown = showing(some, solved.target, unseen)
            text += showing_lines(shown, language())
    if as_json:
        report = data.report(comparisons, settings, listed or UNSET, shown)
        emit(json.dumps(report, ensure_ascii=False, indent=1) + "\n", None, document=True)
    else:
        emit("".join(f"{line}\n" for line in text), None, document=False)
    if wrong:
        raise click.exceptions.Exit(FINDINGS)


def _names(text: str | None, ctx: click.Context) -> dict[str, str]:
    """`q=Q,o=out` as a dictionary."""
    found: dict[str, str] = {}
    names = (*ARRAYS, "dO", *RESULTS)
    for part in text.split(",") if text else []:
        name, equals, other = part.partition("=")
        if name not in names or not equals or not other:
            raise Mistake(_BAD_NAMES.format(part=part[:40], names=f"`{' '.join(names)}`"), ctx)
        found[name] = other
    return found


_NOTHING = Bilingual(
    "Give -o OUTPUT, --compare OUT or --tolerance.", "请给出 -o OUTPUT、--compare OUT 或 --tolerance。"
)
_NO_PICTURE = Bilingual(
    "--picture needs --compare OUT, and a name that ends in .svg.",
    "--picture 需要 --compare OUT，且文件名以 .svg 结尾。",
)
_OF_ONE = Bilingual("it is for one input", "它只用于一个输入")
_ONE_BY_ONE = Bilingual("run it for each input, or leave it out", "请对各个输入分别运行，或去掉它")
_NO_RESULTS = Bilingual(
    f"it has none of the arrays {', '.join(RESULTS)}", f"没有数组 {'、'.join(RESULTS)} 中的任何一个"
)
_BAD_NAMES = Bilingual(
    "--names takes `q=Q,o=out` with the names {names}, not “{part}”",
    "--names 的形式为 `q=Q,o=out`，名称有 {names}，而不是“{part}”",
)
