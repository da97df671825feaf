"""Formulas of MathML in the clothes of others: `<msup><mi>K</mi><mi>T</mi></msup>` becomes `K^T`, and so on.

Where the TeX that they were made of stands beside them, as KaTeX leaves it, only that is kept. Everything is
exactly as long as before.
"""

from __future__ import annotations

import re

_PART = re.compile(
    r"<(?P<closes>/?)(?P<name>m[a-z]+|semantics|annotation)(?:\s[^<>]*)?(?P<alone>/?)>", re.IGNORECASE
)
_OPENING = re.compile(r"<math\b")
_SOURCE = re.compile(r"<annotation[^<>]*tex[^<>]*>(?P<tex>[^<>]*)</annotation>", re.IGNORECASE)
_DRAWN = re.compile(r"<span class=\"katex-html\"[^<>]*>")
_SPAN = re.compile(r"<(/?)span\b[^<>]*>")
_FENCE = re.compile(
    r"<mo\b[^<>]*>(?:[\[\](){}|]|&#x?\w+;)</mo>(?=\s*<mtable)|(?<=</mtable>)\s*<mo\b[^<>]*>[\[\](){}|]</mo>"
)
_RUN = re.compile(r"[^\n\d.]+")
_TIGHT = re.compile(r" ?([_^/(]) ?| (?=\))")
_BETWEEN = {"msup": "^", "msub": "_", "mfrac": "/"}
"""The sign between the two parts of each."""
_OPENS = {"mtable": "[", "mtr": "[", "msqrt": "√("}
_CLOSES = {"mtable": "]", "mtr": "]", "msqrt": ")"}


def from_mathml(text: str) -> str:
    """The text with the formulas in its tags as others write them."""
    text, kept, at = _undrawn(text), [], 0
    for opening in _OPENING.finditer(text):
        if opening.start() < at:
            continue
        end = text.find("</math>", opening.end())
        if end < 0:
            break
        end += len("</math>")
        kept += [text[at : opening.start()], _rewritten(text[opening.start() : end])]
        at = end
    return "".join((*kept, text[at:]))


def _undrawn(text: str) -> str:
    """The text without what KaTeX drew beside a formula that stands there for itself."""
    kept, at = [], 0
    for drawn in _DRAWN.finditer(text):
        if drawn.start() < at:
            continue
        depth, end = 1, None
        for span in _SPAN.finditer(text, drawn.end()):
            depth += -1 if span[1] else 1
            if not depth:
                end = span.end()
                break
        if end is None:
            break
        kept += [text[at : drawn.start()], _blanks(text[drawn.start() : end])]
        at = end
    return "".join((*kept, text[at:]))


def _rewritten(said: str) -> str:
    source = _SOURCE.search(said)
    if source is not None:
        tex = source["tex"].replace("&amp;", "&    ").replace("&lt;", "<   ").replace("&gt;", ">   ")
        begin, end = source.span("tex")
        return f"{_blanks(said[: begin - 1])}${tex}${_blanks(said[end + 1 :])}"
    return _parts(_FENCE.sub(lambda sign: _blanks(sign[0]), said))


def _parts(said: str) -> str:
    """The tags of a formula as the signs that they stand for."""
    made, at = [], 0
    above: list[list[str | int]] = []  # the names of the parts that are open, and how many each has had
    for tag in _PART.finditer(said):
        name = tag["name"].lower()
        made.append(said[at : tag.start()])
        at = tag.end()
        sign = ""
        if tag["closes"]:
            if above:
                above.pop()
            sign = _CLOSES.get(name, "")
            if name == "mrow" and above and above[-1][0] in _BETWEEN:
                sign = ")"
            if name in ("mtd", "mtr") and _PART.match(said, at) is not None and not said.startswith("</", at):
                sign += ","
        elif not tag["alone"]:
            parent = above[-1] if above else None
            if parent is not None:
                parent[1] = int(parent[1]) + 1
                sign = _BETWEEN.get(str(parent[0]), "") if parent[1] == 2 else ""
                sign += "(" if name == "mrow" and parent[0] in _BETWEEN else ""
            sign += _OPENS.get(name, "")
            above.append([name, 0])
        made.append(sign.ljust(len(tag[0])))
    return _RUN.sub(_moved, "".join((*made, said[at:])))


def _moved(run: re.Match[str]) -> str:
    """The signs between two numerals close to the second one: only the numerals keep their places."""
    return _TIGHT.sub(r"\1", " ".join(run[0].split())).rjust(len(run[0]))


def _blanks(said: str) -> str:
    """Blanks for characters, and the ends of lines where they were."""
    return "\n".join(" " * len(line) for line in said.split("\n"))
