"""The frame of an HTML page: its style sheet, its embedded maths font, its head. Nothing is fetched."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

_LIGHT_STYLE = """\
.symattn {
  --quiet: #5c6066; --rule: #d5d8dc; --slip: #b3261e; --carried: #8a5a00; --rounding: #00677f;
  --undecided: #77399a; --right: #2a6b31; --heat: 31 95 191;
  font: 1.0625rem/1.6 "Latin Modern Roman", "Source Serif 4", Charter, Cambria, Georgia, "Noto Serif",
    "Source Han Serif SC", "Noto Serif CJK SC", "Songti SC", SimSun, serif;
  text-align: start;
}
.symattn [class^=level-] {
  font-family: inherit; font-size: 1em; line-height: 1.3; margin: 2em 0 .6em; padding: 0; font-weight: 600;
  border-radius: 0;
}
.symattn .level-0 { font-size: 1.7em; margin-top: 0; }
.symattn .level-1 { font-size: 1.3em; border-bottom: 1px solid var(--rule); padding-bottom: .2em; }
.symattn .level-2 { font-size: 1.08em; }
.symattn p, .symattn ul { margin: .8em 0; }
.symattn li { margin: .25em 0; }
.symattn code { font: .88em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.symattn math { font-family: "Symattn Math", "Latin Modern Math", "STIX Two Math", "Cambria Math", math; }
.symattn math { font-size: 1.06em; }
.symattn mtext {
  font-family: "Symattn Math", "Latin Modern Roman", "Noto Serif CJK SC", "Songti SC", SimSun, serif;
}
.symattn:lang(zh) p math, .symattn:lang(zh) li math { margin-inline: .15em; }
.symattn .display { overflow-x: auto; overflow-y: hidden; margin: 1em 0; padding: .2em 0 .45em 1.6em; }
.symattn .display > math { display: block math; text-align: left; width: max-content; margin: 0; }
.symattn mtable.aligned > mtr > mtd { padding: .32em 0; vertical-align: baseline; }
.symattn mtable.aligned > mtr > mtd.left { text-align: right; text-align: -webkit-right; }
.symattn mtable.aligned > mtr > mtd.right, .symattn mtable.aligned > mtr > mtd.alone {
  text-align: left; text-align: -webkit-left;
}
.symattn mtable.aligned > mtr.tall > mtd { padding: .6em 0; }
.symattn mtd.label { padding-right: .55em; }
.symattn mtd.label, .symattn mtd.name { color: var(--quiet); font-size: .8em; }
.symattn mtd.name { padding-top: 0; padding-bottom: .15em; }
.symattn .slip { color: var(--slip); }
.symattn .carried { color: var(--carried); }
.symattn .rounding { color: var(--rounding); }
.symattn .undecided { color: var(--undecided); }
.symattn .verdict.right, .symattn .instead { color: var(--right); }
.symattn .token { font-weight: 600; }
.symattn mrow.slip > .body {
  background: linear-gradient(currentColor, currentColor) 0 55% / 100% .09em no-repeat;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
.symattn mrow.slip > .tall.body { /* a level line would hide in the bar of a fraction */
  background: linear-gradient(to top right, transparent calc(50% - .05em), currentColor calc(50% - .04em),
    currentColor calc(50% + .04em), transparent calc(50% + .05em));
}
.symattn mrow.carried > .body { border-bottom: .1em dotted; }
.symattn mrow.rounding > .body, .symattn mrow.undecided > .body { border-bottom: .06em dashed; }
.symattn .formulas, .symattn .panels { display: flex; flex-wrap: wrap; column-gap: 2em; }
.symattn .panel { flex: 1 1 auto; min-width: 0; max-width: 100%; }
.symattn .panel > [class^=level-] {
  display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 2em; font-size: 1.05em;
  margin-top: 1.2em; border-bottom: 1px solid var(--rule);
}
.symattn .panel > .level-3 { border: 0; font-weight: 400; }
.symattn .panel .formula { font-weight: 400; }
.symattn .worked, .symattn .result { width: fit-content; max-width: 100%; box-sizing: border-box; }
.symattn .whole { white-space: nowrap; }
.symattn .worked { background: rgb(127 127 127 / .09); padding: .3em .8em; }
.symattn .result { border: 2px solid rgb(var(--heat)); padding: .5em .8em; }
.symattn mrow.used { background: rgb(var(--heat) / .2); }
.symattn .scroll { overflow-x: auto; margin: 1em 0; }
.symattn table { border-collapse: collapse; font-variant-numeric: tabular-nums lining-nums; }
.symattn table th, .symattn table td { padding: .3em .9em; text-align: left; }
.symattn table td { border-bottom: 1px solid var(--rule); }
.symattn table th { border-bottom: 2px solid var(--quiet); background: none; }
.symattn table .c { text-align: center; }
.symattn table .r { text-align: right; }
.symattn table.heatmap { margin-left: 1.6em; }
.symattn table.heatmap th, .symattn table.heatmap td { border: 0; text-align: center; padding: .45em .9em; }
.symattn table.heatmap th { color: var(--quiet); font-weight: 400; font-size: .85em; }
.symattn table.heatmap th[scope=row] { text-align: right; }
.symattn table.heatmap td {
  background: rgb(var(--heat) / calc(var(--weight) * .68)); border: 2px solid transparent;
  background-clip: padding-box; print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
.symattn .remark { margin: 1em 0; padding: .1em 0 .1em 1em; border-left: .2em solid var(--rule); }
.symattn .remark.proved, .symattn .remark.check { border-color: var(--right); }
.symattn .remark.warning { border-color: var(--slip); }
.symattn .remark .sign { color: var(--quiet); margin-right: .35em; }
"""

_DARK = """\
--quiet: #a2a8b0; --rule: #3d434b; --slip: #ff8a80; --carried: #f0b84a; --rounding: #6fcbe0;
    --undecided: #d3a4f0; --right: #8fce95; --heat: 70 130 230;"""
STYLE = f"{_LIGHT_STYLE}@media (prefers-color-scheme: dark) {{\n  .symattn {{ {_DARK} }}\n}}\n"

_PAGE_STYLE = """\
:root { color-scheme: light dark; --page: #fff; }
body { margin: 0; background: var(--page); color: #16181b; }
main { max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
@media (prefers-color-scheme: dark) { :root { --page: #15181c; } body { color: #e4e6e9; } }
.symattn .display, .symattn .scroll { /* a shadow at the side where there is more */
  --paper: var(--page);
  background: linear-gradient(var(--paper), var(--paper)) right -2px top / 1.4em 100% no-repeat local,
    linear-gradient(var(--paper), var(--paper)) left -2px top / 1.4em 100% no-repeat local,
    linear-gradient(to left, rgb(127 127 127 / .6), transparent) right / 1em 100% no-repeat scroll,
    linear-gradient(to right, rgb(127 127 127 / .6), transparent) left / 1em 100% no-repeat scroll;
  background-color: var(--paper);
}
.symattn .worked { --paper: color-mix(in srgb, rgb(127 127 127) 9%, var(--page)); }
@media (max-width: 40rem) {
  main { padding-top: 1.25rem; }
  .symattn { font-size: 1rem; }
  .symattn .display { padding-left: .4em; }
  .symattn table.heatmap { margin-left: 0; }
  .symattn .display > math { width: auto; }
  .symattn mtable.aligned, .symattn mtable.aligned > mtr { display: block; }
  .symattn mtable.aligned > mtr { margin: .4em 0; text-align: left; }
  .symattn mtable.aligned > mtr > mtd, .symattn mtable.aligned > mtr > mtd.right > mrow { display: inline; }
  .symattn mtable.aligned > mtr > mtd > *, .symattn mrow.link { display: inline math; }
  .symattn mrow.link { margin-block: .25em; } /* a chain goes on below, before any of its relations */
  .symattn .scroll > table:not(.heatmap, .stacks) td { padding: .3em .5em; }
  .symattn table.stacks, .symattn table.stacks :is(tbody, tr) { display: block; }
  .symattn table.stacks thead { display: none; }
  .symattn table.stacks tr { border-bottom: 1px solid var(--rule); padding: .4em 0; }
  .symattn table.stacks td { display: inline; border: 0; padding: 0 .8em 0 0; }
  .symattn table.stacks td:last-child { display: block; }
}
@page { margin: 18mm; }
@media print {
  :root { color-scheme: light; --page: #fff; }
  body { background: none; color: #000; }
  .symattn .display, .symattn .scroll { background-image: none; }
  .symattn { font-size: 10.5pt; --quiet: #444; --rule: #bbb; --slip: #a00; --carried: #740; --rounding: #045;
    --undecided: #507; --right: #040; --heat: 31 95 191; }
  main { max-width: none; padding: 0; }
  h1, h2, h3, p:has(+ .display) { break-after: avoid; }
  tr, .remark, mtr, .panel { break-inside: avoid; }
  .page-break { break-after: page; }
  .symattn .display, .symattn .scroll { overflow: visible; }
  .symattn .display > math { font-size: min(1.06em, calc(168mm / (var(--wide, 72) * .58))); }
}
"""


@cache
def _font_face() -> str:
    font = (files("symattn.typeset") / "fonts" / "symattn-math.woff2").read_bytes()
    source = f"url(data:font/woff2;base64,{b64encode(font).decode()}) format('woff2')"
    return f"@font-face {{ font-family: 'Symattn Math'; src: {source}; }}\n"


def policy(script: str) -> str:
    """The content security policy of a page: no script runs but this one, and nothing is fetched."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    rules = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"
    rules += f"; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="{rules}">\n'


def page(title: str, lang: str, body: str, head: str = "", main: str = 'class="symattn"') -> str:
    """A whole page around `body`, with more of a `head` and the attributes of its `main` part.

    `title` and `lang` come escaped.
    """
    return f"""\
<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{_font_face()}{STYLE}{_PAGE_STYLE}</style>
{head}</head>
<body>
<main {main}>
{body}
</main>
</body>
</html>
"""


def fragment(lang: str, body: str) -> str:
    """The same for a page of somebody else's, such as a notebook: scoped style, no font of its own."""
    return f"<style>\n{STYLE}</style>\n{section(lang, body)}"


def section(lang: str, body: str) -> str:
    """The body for a site that has the style in a file."""
    return f'<div class="symattn" lang="{lang}">\n{body}\n</div>\n'


def site_style() -> str:
    """The style for a file of a site, with the font; dark where the site is, and not where the system is.

    Themes with a switch write `data-theme` (furo, pydata) on the page; those without one are light.
    """
    return (
        f"{_font_face()}{_LIGHT_STYLE}"
        ".symattn { margin: 1.8em 0; }\n.symattn .level-0 { font-size: 1.4em; }\n"
        f"[data-theme=dark] .symattn {{ {_DARK} }}\n"
        f"@media (prefers-color-scheme: dark) {{\n  [data-theme=auto] .symattn {{ {_DARK} }}\n}}\n"
    )
