"""The option `--set KEY=VALUE` of the verbs that read documents."""

from __future__ import annotations

from symattn.bilingual import Bilingual
from symattn.cli.commands import option

set_option = option(
    "--set",
    "given",
    metavar="KEY=VALUE",
    multiple=True,
    help=Bilingual(
        "A convention, over what the text says: weights=transposed, scale=1, base=2, mask=causal, ... "
        "(the keys of [attention] in a case), or first_index=0.",
        "指定一项约定，优先于文中的说明：weights=transposed、scale=1、base=2、mask=causal 等"
        "（算例中 [attention] 的键），或 first_index=0。",
    ),
)
