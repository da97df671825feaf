"""A document as PDF: by xelatex where it is installed, else by the embedded compiler of typst.

Both make the same page (:mod:`symattn.typeset.latex`, :mod:`symattn.typeset.typst`). Programs and fonts are
looked for first, so that what is missing is a message and not a page with holes.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symattn.text.bilingual import Bilingual, both
from symattn.text.document import Document
from symattn.text.errors import NotInstalled, NotTypeset
from symattn.typeset.engines import Engine, all_of, asked, need_program
from symattn.typeset.latex import latex
from symattn.typeset.latex_slides import slides
from symattn.typeset.latex_text import is_east_asian, shows
from symattn.typeset.typst import CHINESE_FONTS, typst

SECONDS = 60
_FANDOL = "FandolSong-Regular.otf"
_RUNS = 3  # longtable wants its widths in a later run
_FONTS = (
    *CHINESE_FONTS,
    "Noto Serif SC",
    "Source Han Serif SC",
    "Source Han Serif CN",
    "STSong",
    "NSimSun",
    "FandolSong",
    "AR PL SungtiL GB",
    "AR PL UMing CN",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
)
"""Fonts for Chinese that people have, the best first."""

_NO_CHINESE = {
    "xelatex": NotInstalled(
        Bilingual("xelatex has no fonts for Chinese (ctex, Fandol)", "xelatex 没有中文字体（ctex、Fandol）"),
        Bilingual(
            "install them (Debian: `apt install texlive-lang-chinese`)",
            "请安装（Debian：`apt install texlive-lang-chinese`）",
        ),
    ),
    "typst": NotInstalled(
        Bilingual("typst finds no font for Chinese", "typst 找不到中文字体"),
        Bilingual(
            "install one, such as Noto Serif CJK SC (Debian: `apt install fonts-noto-cjk`)",
            "请安装一种，例如 Noto Serif CJK SC（Debian：`apt install fonts-noto-cjk`）",
        ),
    ),
}
_NO_BEAMER = NotInstalled(
    Bilingual("xelatex lacks beamer or its fonts", "xelatex 没有 beamer 或缺少其字体"),
    Bilingual(
        "install them (Debian: `apt install texlive-latex-recommended texlive-fonts-recommended`)",
        "请安装（Debian：`apt install texlive-latex-recommended texlive-fonts-recommended`）",
    ),
)


def pdf(document: Document, engine: Engine | None = None) -> bytes:
    """The document as PDF, by this engine or by the first that has what the page needs.

    Raises NotInstalled where a program or a font is missing, NotTypeset where an engine fails.
    """
    missing = []
    for name in asked(engine):
        try:
            need_program(name)
            return _MAKERS[name](document)
        except NotInstalled as error:
            missing.append(error)
    raise all_of(missing)


def by_xelatex(document: Document) -> bytes:
    """The page that xelatex makes, without shell escape, in a folder that is removed, in at most a minute."""
    return _compiled(latex(document, standalone=True))


def slides_pdf(document: Document) -> bytes:
    """Slides by xelatex, which are as many frames as :func:`symattn.typeset.latex_slides.slides` has.

    Raises NotInstalled where xelatex, beamer or a font is missing, NotTypeset where xelatex fails.
    """
    need_program("xelatex")
    if not _in_tex("beamer.cls", "pzdr.tfm"):
        raise _NO_BEAMER
    return _compiled(slides(document))


def _compiled(source: str) -> bytes:
    if "{ctex" in source.partition(r"\begin{document}")[0] and not _in_tex("ctexart.cls", _FANDOL):
        raise _NO_CHINESE["xelatex"]
    with tempfile.TemporaryDirectory(prefix="symattn-") as folder:
        page = Path(folder, "page.tex")
        page.write_text(source, encoding="utf-8", newline="\n")
        until = time.monotonic() + SECONDS
        for _ in range(_RUNS):
            status = _run_xelatex(folder, until - time.monotonic())
            log = page.with_suffix(".log")
            said = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
            if status or not page.with_suffix(".pdf").exists():
                raise _failed("xelatex", _error_in(said, status))
            if not re.search("Rerun", said):
                break
        return page.with_suffix(".pdf").read_bytes()


def _run_xelatex(folder: str, seconds: float) -> int:
    command = ["xelatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    environment = {**os.environ, "max_print_line": "10000", "openout_any": "p"}
    quiet = subprocess.DEVNULL
    try:
        ran = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        late = Bilingual(f"not finished after {SECONDS} seconds", f"{SECONDS} 秒后仍未完成")
        raise _failed("xelatex", late) from None
    except OSError as error:
        raise _failed("xelatex", both(str(error.strerror))) from None
    return ran.returncode


def _error_in(log: str, status: int) -> Bilingual:
    """The first error of a log in one line, with the lines of the source and of the log where it stands."""
    lines = log.splitlines()
    at = next((at for at, line in enumerate(lines) if line.startswith("! ")), None)
    if at is None:
        return Bilingual(
            f"exit status {status}, and no error in its log", f"退出状态 {status}，日志中没有错误"
        )
    said = lines[at].removeprefix("! ").strip()
    spot = next((found[1] for line in lines[at:] if (found := re.match(r"l\.(\d+)", line))), None)
    en, zh = (f"line {spot} of the source, ", f"源文件第 {spot} 行，") if spot else ("", "")
    return Bilingual(f"{said} ({en}line {at + 1} of the log)", f"{said}（{zh}日志第 {at + 1} 行）")


def _in_tex(*files: str) -> list[str]:
    """Where TeX has its files of these names; [] unless it has all."""
    try:
        found = subprocess.run(
            ["kpsewhich", *files], capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return found.stdout.splitlines() if found.returncode == 0 else []


def by_typst(document: Document) -> bytes:
    """The page that the compiler in the Python package `typst` makes."""
    made = _compiled_by_typst(document, format="pdf")
    assert isinstance(made, bytes)
    return made


def picture(document: Document, ppi: float = 72) -> bytes:
    """The first page as PNG, by typst. Raises NotInstalled where typst or a font is missing."""
    need_program("typst")
    made = _compiled_by_typst(document, format="png", ppi=ppi)
    return made if isinstance(made, bytes) else made[0]


def _compiled_by_typst(document: Document, **output: Any) -> bytes | list[bytes]:
    import typst as compiler

    fonts = compiler.Fonts(font_paths=[str(Path(path).parent) for path in _in_tex(_FANDOL)])
    families = frozenset(fonts.families())
    source = typst(document, chinese=(), installed=families)
    if document.lang == "zh" or any(is_east_asian(character) and shows(character) for character in source):
        font = next((font for font in _FONTS if font in families), None)
        if font is None:
            raise _NO_CHINESE["typst"]
        source = typst(document, chinese=(font,), installed=families)
    try:
        return compiler.compile(source.encode(), font_paths=fonts, **output) or b""
    except (compiler.TypstError, RuntimeError) as error:
        raise _failed("typst", both(_first_error(error))) from None


def _first_error(error: Exception) -> str:
    """What the compiler says, with the line of the source."""
    spot = re.search(r"error: .*\n.*?\.typ:(\d+)", str(getattr(error, "diagnostic", "")))
    return " ".join(str(error).split()) + (f" (line {spot[1]} of the source)" if spot else "")


def _failed(engine: Engine, why: Bilingual) -> NotTypeset:
    other = "typst" if engine == "xelatex" else "xelatex"
    return NotTypeset(
        Bilingual(f"{engine} cannot make the page: {why.en}", f"{engine} 无法排出页面：{why.zh}"),
        Bilingual(
            f"--engine {other} chooses the other engine; --latex --standalone or --typst gives the source",
            f"--engine {other} 改用另一个引擎；--latex --standalone 或 --typst 输出源文件",
        ),
    )


_MAKERS: dict[Engine, Callable[[Document], bytes]] = {"xelatex": by_xelatex, "typst": by_typst}
