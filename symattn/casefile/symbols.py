"""The free symbols that a case declares: `symbols = ["a", "theta"]`."""

from __future__ import annotations

import keyword

from symattn.casefile import keys
from symattn.casefile.tables import Table, listed, plain_words, refuse
from symattn.exact.literal import CONSTANTS, FUNCTIONS, INFINITIES, quote
from symattn.text.bilingual import Bilingual

TAKEN = {
    **dict.fromkeys(FUNCTIONS, Bilingual("a function", "函数")),
    **dict.fromkeys(CONSTANTS, Bilingual("a constant", "常数")),
    **dict.fromkeys((*INFINITIES, "nan"), Bilingual("no number", "不表示数的词")),
    **dict.fromkeys(keys.SIZES, Bilingual("a size of the case", "算例的维数")),
}


def declared_symbols(table: Table) -> tuple[str, ...]:
    """The names under `symbols`. Raises UnusableValue for one that is taken, no name, or there already."""
    if "symbols" not in table:
        return ()
    names: list[str] = []
    for i, entry in enumerate(
        listed(
            table["symbols"],
            "symbols",
            Bilingual('a list of names: ["a", "theta"]', '应为名称的列表：["a", "theta"]'),
        )
    ):
        path, name = f"symbols[{i}]", plain_words(entry, f"symbols[{i}]")
        typed = quote(name)
        if name in TAKEN:
            found = Bilingual(f"{typed}, which is {TAKEN[name].en} already", f"{typed} 已是{TAKEN[name].zh}")
            refuse(path, found, Bilingual("choose another name", "请换一个名称"))
        if not name.isidentifier() or name.startswith("_") or len(name) > 40:
            refuse(
                path,
                Bilingual(f"{typed} as the name of a symbol", f"{typed} 不能作为符号的名称"),
                Bilingual(
                    "a symbol is a letter, then letters, digits and _: a, theta, x_1",
                    "符号以字母开头，其后是字母、数字和 _：a、theta、x_1",
                ),
            )
        if keyword.iskeyword(name):
            refuse(
                path,
                Bilingual(f"{typed}, which SymPy cannot read back", f"SymPy 读不回名称 {typed}"),
                Bilingual(f"choose another name, such as {name}_1", f"请换一个名称，例如 {name}_1"),
            )
        if name in names:
            refuse(
                path,
                Bilingual(f"{typed} for the second time", f"{typed} 重复声明"),
                Bilingual("declare a symbol once", "每个符号只声明一次"),
            )
        names.append(name)
    return tuple(names)
