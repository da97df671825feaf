"""Markups beside Markdown and LaTeX, in the clothes of these, so that every offset stays true.

The tags of HTML and wiki text, the fences of Pandoc, the stars around stressed brackets, and what knitr and
TensorFlow print around numbers become blanks; `q<sub>1</sub>` becomes `q_1`, and the rows of a matrix in an
open frame stand in brackets.
"""

from __future__ import annotations

import re

from symattn.reading.notes.formulas.doubled import without_doubles
from symattn.reading.notes.formulas.formula import Name
from symattn.reading.notes.formulas.mathml import from_mathml
from symattn.reading.notes.formulas.names import resolve
from symattn.reading.notes.formulas.typst import from_typst

_SCRIPT = re.compile(r"<(su[bp])>([^<>\n]{1,12})</\1>", re.IGNORECASE)
_SIGNS = {"sub": "_", "sup": "^"}
_TAG = re.compile(
    r"</?(?:a|abbr|aside|b|big|blockquote|body|br|caption|center|code|dd|details|div|dl|dt|em|figcaption|figure"
    r"|font|h[1-6]|html|i|li|mark|math|ol|p|pre|s|section|small|span|strong|sub|summary|sup|table|tbody|td|tfoot"
    r"|th|thead|tr|tt|u|ul)(?:\s[^<>\n]{0,300})?/?>",
    re.IGNORECASE,
)
_DIVISION = re.compile(r"^ {0,8}:{3,}(?: *\{[^{}\n]*\}| *[\w-]*)? *$", re.MULTILINE)
"""The fence of a division, `::: {.cell-output}`."""
_KNITTED = re.compile(r"^(?:```+|~~~+)[^\n`]*\n((?:#[#>][^\n]*\n)+)(?:```+|~~~+) *$", re.MULTILINE)
"""A block of nothing but printed output, each line behind `##` or `#>`."""
_PREFIX = re.compile(r"^#[#>]", re.MULTILINE)
_TENSOR = re.compile(r"<tf\.(?:Tensor|Variable)\b[^\n<>]{0,200}?\bnumpy=")
_CORNERS = re.compile(r"┌ +┐|└ +┘")
"""The upper and the lower edge of a matrix in a frame that is open there, as no table is."""
_DRAWN = re.compile("[┌┐└┘├┤┬┴┼╭╮╰╯─⎡⎤⎣⎦⎛⎞⎝⎠]")
"""A sign of any other frame, or of the brackets of which a bar is the middle."""
_FRAMED = re.compile(r"^([^│\n]*)│( *[-+−\d.][-+−\d., ]*)│( *(?:←[^│\n]*)?)$", re.MULTILINE)
"""A row of such a matrix, and what an arrow says of it."""

_BRACED = re.compile(r"(?<![\\\w^}])\{ ?\{[-\d., ]+,[-\d., ]+\}(?:, ?\{[-\d., ]+\})* ?\}")
"""A matrix as Mathematica and C write it."""
_AS_BRACKETS = str.maketrans("{}", "[]")
_STAMPED = re.compile(
    r"^(?:> ?)?[\[(]?(?:\d{2,4}[-./]\d{1,2}[-./]\d{2,4}[ T,]+)?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?[\])]?"
    r"(?=[ <])(?: ?[-–|])?(?: *[<@]?[^\W\d][\w.-]{0,20}(?: [^\W\d]\w{0,20})?(?:>|:(?= )))?",
    re.MULTILINE,
)
"""When a message of a chat was sent, and by whom."""
_SESSION = re.compile(
    r"^(?P<said>[^\n]*(?:<-|%\*%)[^\n]*| *[A-Za-z]\w*)\n"
    r"(?P<heads> *\[,1\](?: +\[,\d+\])*) *\n(?P<rows>(?: *\[\d+,\][^\n\[]*(?:\n|\Z))+)",
    re.MULTILINE,
)
"""A matrix that R printed below the line that made it."""
_R_ROW = re.compile(r"\[\d+,\]")

_NODES = re.compile(r"\\matrix\b[^\n]{0,400}\{ *$", re.MULTILINE)
"""The line that opens a matrix of nodes in a drawing of TikZ."""
_LABEL = re.compile(r"label *= *(?:\{?[\w ]{1,40}:)?\{((?:[^{}\n]|\{[^{}\n]{0,80}\}){1,80})\}")
_NODE = re.compile(r"\((\w+)\)")

_ENTITY = re.compile(
    r"&(amp|radic|times|middot|sdot|minus|infin|nbsp|asymp|alpha|mu|sigma|rarr|sum|top|ndash);"
)
_MEANT = {
    "amp": "&",
    "radic": "√",
    "times": "*",
    "middot": "*",
    "sdot": "*",
    "minus": "-",
    "ndash": "-",
    "infin": "∞",
    "nbsp": " ",
    "asymp": "≈",
    "alpha": "α",
    "mu": "μ",
    "sigma": "σ",
    "rarr": "→",
    "sum": "Σ",
    "top": "⊤",
}
"""Signs as HTML spells them."""

_FORMULA = re.compile(r"\$\$[^$]{1,2000}\$\$|(?<![\\$])\$[^$\n]{1,400}\$")
_APART = re.compile(r"(?<![\w.])(\d+)\. (\d+)(?![\w.]*\. )")
"""A decimal of a formula with a blank behind its point, left by a program that spaces sentences: `0. 707`."""

_STRESSED = re.compile(
    r"(?<!\S)\*(\([^()*\n]*[^\W\d_]{2}[^()*\n]*\)|[^\W\d_]{2}[^*\n\d=+/\\()\[\]]{0,60}(?<!\s))\*(?!\w)"
)
"""Words that are stressed, alone or in brackets, `*Given*`, `*(2 marks)*`, and multiply nothing."""

_MARKER = re.compile(r"\[(?=(?:CLS|SEP|PAD|MASK|UNK|BOS|EOS|START|END)\])(\w+)\]")
"""A token that a tokenizer adds, which is a word and no list: `[CLS]`."""


# `0.7 × [1, 0]   (cat)`, and the sum goes on in the next line: `+ 0.3 × [0, 1]`.
_ASIDE = re.compile(
    r"(?<=[\])\d])[ \t]{2,}(?:\([^()\[\]\d=+\n]+\)|(?:←|<-+|#|//|--)[^()\[\]\d=+\n]+)[ \t]*"
    r"(?=\n[ \t]*[+=][ \t]*[\d(\[−-])"
)

_KEY = re.compile(r"(?<=[\s{,])([\"'])([A-Za-z]\w{0,40})\1 ?:(?=\s*(?:\[|-?\d|\w{2,8}\())")
"""A key of JSON, or of a dictionary, before its value."""
_ANCHOR = re.compile(r"(?<=[\])\d$]) \^[A-Za-z][\w-]*$", re.MULTILINE)
"""What a block of a vault of notes is linked by: `z = [1, 2] ^out1`."""

_STEPS = r"(?:<[-+\d,.|@() A-Za-z:]{1,40}>|\[<[-+\d,.|@() A-Za-z:]{1,40}>\])"
_SHOWN = re.compile(rf"\\(?:only|onslide|uncover|visible|pause){_STEPS}")
r"""What only says at which steps a slide shows what stands behind it, `\visible<2->`."""
_OVERLAY = re.compile(
    r"(?<=\\)(?:item|invisible|alt|temporal|alert|textbf|textit|emph|column|begin ?\{[A-Za-z]{1,20}\*?\})"
    rf"{_STEPS}"
)
r"""A command of slides with the steps at which it holds, `\item<2->`."""

_COLOURED = re.compile(
    r"\\(?:(?:text|math)color|colorbox)(?: ?\[[^\[\]\n]{0,20}\])? ?\{[^{}\n]{0,40}\}(?= ?\{)"
    r"|\\color ?\{[^{}\n]{0,40}\}"
)
_DRESSED = re.compile(
    r"(?:\\(?:num|tablenum|alert|emph|textbf|textit|mathbf|boldsymbol|bm|underline|uline|hl) ?|(?<=  ))"
    r"\{( *[-+−]?\d+(?:\.\d+)? *)\}"
)
r"""A number that is printed in another way, `\num{0.5}`, `\mathbf{0.5}`; blanks may stand for a colour."""


_METHOD = re.compile(
    r"(?<![\w.])(?!(?:np|numpy|torch|tf|jnp|cp|mx|F|math|linalg)\.)"
    r"([A-Za-z_]\w{0,40}(?:\.T)?)\.(dot|matmul|mm|bmm)(?=\()"
)
"""A product as a method of its first factor, `x.dot(w_q)`."""


def undressed(text: str) -> str:
    """The text without the dress of other markups, exactly as long as before."""
    text = _MARKER.sub(r" \1 ", text)
    if "<math" in text:
        text = from_mathml(text)
    if "mat(" in text and "$" in text:
        text = from_typst(text)
    if "\\begin{" in text:
        text = without_doubles(text)
    if "<" in text:
        text = _OVERLAY.sub(_from_the_start, _SHOWN.sub(_blank, text))
        text = _SCRIPT.sub(_scripted, text)
        text = _TENSOR.sub(_blank, _TAG.sub(_blank, text))
    if "color" in text and "\\" in text:
        text = _COLOURED.sub(_blank, text)
    if "\\" in text:
        text = _DRESSED.sub(lambda dressed: f" {dressed[1]} ".rjust(len(dressed[0])), text)
    if any(f".{product}(" in text for product in ("dot", "matmul", "mm", "bmm")):
        text = _METHOD.sub(lambda product: f"{product[1]} @".ljust(len(product[0])), text)
    if "{{" in text:
        text = _BRACED.sub(lambda found: found[0].translate(_AS_BRACKETS), text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: _MEANT[found[1]].rjust(len(found[0])), text)
    if "0. " in text:
        text = _FORMULA.sub(lambda found: _APART.sub(_pointed, found[0]), text)
    text = _STAMPED.sub(_blank, text)
    if '":' in text or "':" in text:
        text = _KEY.sub(_keyed, text)
    if " ^" in text:
        text = _ANCHOR.sub(_blank, text)
    if "*" in text:
        text = _STRESSED.sub(r" \1 ", text)
    if "[,1]" in text:
        text = _SESSION.sub(_answered, text)
    if "\\matrix" in text:
        text = _NODES.sub(_labelled, text)
    if ":::" in text:
        text = _DIVISION.sub(_blank, text)
    text = _ASIDE.sub(_blank, text)
    if "\n#" in text:
        text = _KNITTED.sub(lambda block: _PREFIX.sub("  ", block[0]), text)
    if _CORNERS.search(text) or ("│" in text and not _DRAWN.search(text)):
        text = _FRAMED.sub(_bracketed, _CORNERS.sub(_blank, text))
    return text


def _pointed(number: re.Match[str]) -> str:
    return f"{number[1]}.{number[2]} "


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _keyed(key: re.Match[str]) -> str:
    """The name of a quantity and a sign of equality; what is a key of anything else stays one."""
    meant = resolve(Name(key[2])) is not None
    return f" {key[2]} =".ljust(len(key[0])) if meant else key[0]


def _from_the_start(overlay: re.Match[str]) -> str:
    """A command of slides that shows what stands behind it at once."""
    said = overlay[0]
    return said[: said.index("<")].rstrip("[").ljust(len(said))


def _labelled(opening: re.Match[str]) -> str:
    """No more than what a matrix of nodes is called: the label beside it, or else its own name."""
    said = _LABEL.search(opening[0]) or _NODE.search(opening[0])
    return said[1].rjust(said.end(1)).ljust(len(opening[0])) if said is not None else opening[0]


def _answered(session: re.Match[str]) -> str:
    """What R was told with a sign that others write, one below it, and rows without their numbers."""
    said = session["said"].replace("<-", "= ").replace("%*%", " * ")
    gap = session.start("rows") - session.end("heads") - 1
    sign = "=".rjust(len(session["heads"])).ljust(len(session["heads"]) + gap)
    return f"{said}\n{sign}\n{_R_ROW.sub(_blank, session['rows'])}"


def _bracketed(row: re.Match[str]) -> str:
    return f"{row[1]}[{row[2]}]{' ' * len(row[3])}"


def _scripted(found: re.Match[str]) -> str:
    return (_SIGNS[found[1].lower()] + found[2]).ljust(len(found[0]))
