r"""Words of other scripts in xelatex: `\sascript{thai}{...}` sets them in the first font that has them all.

Which fonts there are is asked where the page is compiled. A character of none is printed as U+XXXX.
"""

from __future__ import annotations

import re

from symattn.typeset.scripts import CJK, EMOJI, SYMBOLS, families, right_to_left

_USED = re.compile(r"\\sascript\{([a-z]+)\}")
_LINE_BREAKS = {CJK: "ja", "hangul": "ko", "thai": "th", "lao": "lo", "khmer": "km", "myanmar": "my"}
_COMMANDS = r"""\TeXXeTstate=1
\ExplSyntaxOn
\cs_set_protected:Npn \sanewscript #1#2#3#4#5 { % name, fonts, their features, before words and after them
  \clist_gset:cn { g_sa_#1_clist } {#2}
  \cs_gset_protected:cpn { sa_font_#1:n } ##1 { \fontspec {##1} [#3] }
  \cs_gset_protected:cpn { sa_set_#1:n } ##1 { #4 ##1 #5 } }
\cs_set_protected:Npn \sascript #1#2 { \leavevmode { \XeTeXinterchartokenstate=0
  \bool_set_false:N \l_tmpa_bool
  \clist_map_inline:cn { g_sa_#1_clist } { \sa_if_there:nT {##1} {
    \use:c { sa_font_#1:n } {##1} \bool_set_true:N \l_tmpa_bool
    \tl_map_inline:nn {#2} { \sa_if_shown:nF {####1} { \bool_set_false:N \l_tmpa_bool } }
    \bool_if:NT \l_tmpa_bool { \clist_map_break: } } }
  \bool_if:NTF \l_tmpa_bool { \use:c { sa_set_#1:n } {#2} }
    { \tl_map_inline:nn {#2} { \sa_if_shown:nTF {##1} {##1} { \sa_spelled:n {##1} } } } } }
\prg_set_protected_conditional:Npnn \sa_if_there:n #1 { T } {
  \cs_if_exist:cF { g_sa_there_#1 } { \IfFontExistsTF {#1}
    { \cs_gset:cpn { g_sa_there_#1 } { \prg_return_true: } }
    { \cs_gset:cpn { g_sa_there_#1 } { \prg_return_false: } } }
  \use:c { g_sa_there_#1 } }
\prg_set_protected_conditional:Npnn \sa_if_shown:n #1 { F , TF } {
  \int_case:nnTF {`#1} { {8204} { } {8205} { } {65038} { } {65039} { } } { \prg_return_true: }
    { \iffontchar\font`#1 ~ \prg_return_true: \else: \prg_return_false: \fi: } }
\cs_set_protected:Npn \sa_spelled:n #1 {
  \texttt { U+ \int_compare:nNnT {`#1} < {4096} {0} \int_to_Hex:n {`#1} } }
\ExplSyntaxOff"""


def definitions(source: str) -> list[str]:
    r"""What `\sascript` needs for the scripts that occur in the source of a page."""
    scripts = sorted(set(_USED.findall(source)))
    return [_COMMANDS, *map(_definition, scripts)] if scripts else []


def _definition(script: str) -> str:
    feature = "" if script in (CJK, EMOJI, SYMBOLS, "hangul", "latin") else f"Script={script.title()}"
    before, after = (r"\beginR ", r"\endR ") if right_to_left(script) else ("", "")
    if script in _LINE_BREAKS:
        before = rf'\XeTeXlinebreaklocale "{_LINE_BREAKS[script]}" '
    return rf"\sanewscript{{{script}}}{{{', '.join(families(script))}}}{{{feature}}}{{{before}}}{{{after}}}"
