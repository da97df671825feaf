"""The programs that make a PDF, and whether they are installed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Literal, get_args

from symattn.text.bilingual import Bilingual
from symattn.text.errors import NotInstalled

Engine = Literal["xelatex", "typst"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
"""In the order in which they are tried."""

_NO_PROGRAM = {
    "xelatex": NotInstalled(
        Bilingual("xelatex is not installed", "没有安装 xelatex"),
        Bilingual(
            "install TeX Live (Debian: `apt install texlive-xetex`)",
            "请安装 TeX Live（Debian：`apt install texlive-xetex`）",
        ),
    ),
    "typst": NotInstalled(
        Bilingual("the typst compiler is not installed", "没有安装 typst 编译器"),
        Bilingual("`pip install 'symattn[pdf]'` installs it", "`pip install 'symattn[pdf]'` 即可安装"),
    ),
}


def need_engine(engine: Engine | None) -> None:
    """Raise NotInstalled unless this engine, or any, is installed: before the page is worked out."""
    missing = []
    for name in asked(engine):
        try:
            return need_program(name)
        except NotInstalled as error:
            missing.append(error)
    raise all_of(missing)


def asked(engine: Engine | None) -> Sequence[Engine]:
    """The engines to try, in turn."""
    return ENGINES if engine is None else (engine,)


def need_program(engine: Engine) -> None:
    """Raise NotInstalled where this engine is not installed."""
    found = shutil.which("xelatex") if engine == "xelatex" else find_spec("typst")
    if found is None:
        raise _NO_PROGRAM[engine]


def all_of(missing: Sequence[NotInstalled]) -> NotInstalled:
    """What is missing of every engine, in one message."""
    found, advice = (
        Bilingual("; ".join(part.en for part in parts), "；".join(part.zh for part in parts))
        for parts in ([error.reason for error in missing], [error.advice for error in missing])
    )
    return NotInstalled(found, Bilingual(advice.en.replace("; ", "; or "), advice.zh.replace("；", "；或者")))
