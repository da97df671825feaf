"""The option `--set KEY=VALUE`."""

from __future__ import annotations

from symattn.cli.commands import option
from symattn.text.bilingual import Bilingual

set_option = option(
    "--set",
    "given",
    metavar="KEY=VALUE",
    multiple=True,
    help=Bilingual(
        "A convention, which overrides the case: weights=transposed, scale=1, base=2, mask=causal, ... "
        "(the keys of its [attention]). Notes take none.",
        "指定一项约定，优先于算例中的说明：weights=transposed、scale=1、base=2、mask=causal 等"
        "（[attention] 的键）。讲义不接受此选项。",
    ),
)
