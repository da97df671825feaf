"""What a token of each kind looks like, in one alphabet for Markdown, LaTeX, code and plain text.

The first rule that matches wins. What may run over many characters is bounded, or can match in one way only.
"""

from __future__ import annotations

import re
from typing import Final

from symattn.notes.grammar.signs import SUBSCRIPTS, SUPERSCRIPTS
from symattn.notes.names.vocabulary import vocabulary

_STEP = "|".join(vocabulary().steps)
_GROUP = r"\{(?:[^{}]|\{[^{}]{0,80}\}){0,200}\}"
_DRAWN_ENVIRONMENT = r"\{(?:[a-zA-Z]{0,20}matrix|array|smallmatrix)\*?\}"

_RULES: Final = (
    ("FENCE", r"^[ \t>]*(?:```|~~~)[^\n]*"),
    ("NL", r"\n"),
    ("RULE", r"^[ \t]*(?P<ruled>[=+~*_─━-])(?P=ruled){2,}[ \t]*$"),
    (
        "HEADING",
        rf"^[ \t>]*\#{{1,6}}[ \t]+(?:\*\*)?(?:\d+(?:\.\d+)*[.、)]?(?=[\s：:])|(?:{_STEP})[ \t]*\d+[^\w\n]?)?",
    ),
    ("SECTION", r"\\(?:sub){0,3}section\*?\s{0,9}\{"),
    ("LABEL", r"^[ \t>#\"]*\[\d*,\](?=[ \t]+-?[\d.])|\[,\d+\]"),
    (
        "MARKER",
        r"^[ \t>]*(?:(?:[-+•*]|\d{1,2}[.)、])[ \t]+(?=\S)"
        r"|[1-9]\d?(?:\.\d{1,2}){1,3}[ \t]{2,}(?=[^\W\d_]{2})"
        r"|\(\d{1,2}\)[ \t]+(?=[^\W\d]))",
    ),
    (
        "LINK",
        r"\]\((?:https?:|#|\.|/|[\w-]{1,80}\.md)[^)\n]{0,300}\)|https?://\S+|<[^<>\n]{1,80}>|\\(?:label|tag|ref|eqref|cite[tp]?)\*?\{[^}\n]{0,80}\}",
    ),
    (
        "BEGIN",
        rf"\\begin\s{{0,9}}{_DRAWN_ENVIRONMENT}(?:\[[a-z]{{1,4}}\])?(?:\{{[lcr|@{{}}\s!]{{0,200}}\}})?",
    ),
    ("END", rf"\\end\s{{0,9}}{_DRAWN_ENVIRONMENT}"),
    ("ENV", r"\\(?:begin|end)\s{0,9}\{[^}\n]{0,80}\}(?:\{[^}\n]{0,80}\})?"),
    ("ROW", r"\\\\(?:\[[0-9.a-z]{1,12}\])?"),
    (
        "TEXT",
        r"\\(?:text|mathrm|operatorname\*?|mbox|textbf|mathsf|textit|textrm|texttt|emph)\s{0,9}"
        r"\{(?P<said>[^{}\n$]{0,400})\}",
    ),
    ("ARROW", rf"\\x(?:right|Right)arrow(?:\[[^\]\n]{{0,200}}\])?{_GROUP}|<br ?/?>|-->|->|=>|→|⇒|➜|⟶|↦|⟹"),
    ("SET", rf"\\(?:underset|overset|[hv]?phantom)\s{{0,9}}{_GROUP}"),
    ("COMMAND", r"\\([A-Za-z]+|[|%_])"),
    (
        "PRIME",
        rf"(?<=[A-Za-z\u0370-\u03ff}}])(?:['′]+(?=[_^⁽{''.join(SUBSCRIPTS)}]|\s{{0,9}}=)|′+)"
        r"|(?<=[^\w'`‘“\"][A-Za-z])'{2,3}|[\u0300-\u036f]|\^?\{?\\prime\b\}?",
    ),
    (
        "SPACE",
        r"[ \t\u3000\xa0]+|\\[,;:! ~]|[$`\"“”'‘’「」『』]{1,3}(?![A-Za-z]\b)|[$`\"“”]|\\[()\[\]{}*]|\u200b"
        r"|~(?=\S)",
    ),
    (
        "NUM",
        r"(?<![\d.])(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,2}(?!\d))?(?:\.(?=[ \],\n;]))?"
        r"(?![A-Za-z_]{0,40}\.[A-Za-z])|[∞]|\binf\b|\bnan\b",
    ),
    ("SUB", f"[{''.join(SUBSCRIPTS)}]+"),
    ("UPPER", f"⁽[{''.join(SUPERSCRIPTS)}]+⁾"),
    ("SUP", f"[{''.join(SUPERSCRIPTS)}]+"),
    ("TRANS", r"ᵀ|\.T\b|\.transpose\(-2, ?-1\)|\.t\(\)|⊤|'(?=[\s)/;])"),
    (
        "NAME",
        r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+|[\u0370-\u03ff]|[^\W\d_A-Za-z\u00c0-\u024f\u0370-\u03ff]+",
    ),
    ("EMPHASIS", r"(?<![^\s(，。：])\*(?=[^\s*])|(?<=[^\s*])\*(?=[\s.,;:)，。：]|$)"),
    ("POW", r"\*\*"),
    ("REL", r"==|:=|≈|≒|≃|≅|="),
    ("MUL", r"[×·⋅∙•*@÷/⊙✕✖]"),
    ("OPEN", r"[\[(⎡⎛【]"),
    ("CLOSE", r"[\])⎤⎞】]"),
    ("DRAWN", r"[⎢⎣⎜⎝⎥⎦⎟⎠]"),
    ("OP", r"[+\-−–^_,、;:&|│┃√%‖{}]"),
    ("SEP", r"\.\.\.|…|[.。!?<>←↑↓✓✗✅]|."),
)
TOKEN: Final = re.compile("|".join(f"(?P<{name}>{rule})" for name, rule in _RULES), re.M | re.S)
CELL: Final = re.compile(r"<(?:t[dh]\b|/tr)")
"""The tags between the cells of a table."""
