"""Make the maths font that HTML pages carry inside: a small subset of Latin Modern Math, as woff2.

Run once, by hand, when a typesetter starts to use a character that the subset lacks:

    python -m pip install fonttools brotli
    apt-get install fonts-lmodern texlive-base      # latinmodern-math.otf and its licence text
    python tools/make_math_font.py latinmodern-math.otf symattn/typeset/fonts/symattn-math.woff2

The result is a modified work under the GUST Font License, hence it has a name of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FAMILY = "Symattn Math"
ITALIC_LATIN = range(0x1D434, 0x1D468)  # a single-letter <mi> is drawn with these; h lives at U+210E
ITALIC_GREEK = range(0x1D6E2, 0x1D71C)
GREEK = range(0x0391, 0x03CA)
ASCII = range(0x20, 0x7F)
SIGNS = "ℎıȷ−±·×⋅∘⊙√∑∏∞≈≠≤≥∈→↪∎✓…⋯⋮⋱⊤′|‖⟨⟩⌊⌋∂ϵϑφϱϖ\u00a0\u2009\u2061\u2062\u2064"


def main(source: str, target: str) -> None:
    """Write the subset of `source` to `target`."""
    wanted = {*ITALIC_LATIN, *ITALIC_GREEK, *GREEK, *ASCII, *map(ord, SIGNS)}
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["kern"]
    options.hinting = False
    options.desubroutinize = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    font: TTFont = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4):
            record.string = FAMILY
        elif record.nameID == 6:
            record.string = FAMILY.replace(" ", "")
    cff = font["CFF "].cff
    cff.fontNames[0] = FAMILY.replace(" ", "")
    cff[0].FamilyName = cff[0].FullName = FAMILY
    subset.save_font(font, target, options)
    print(f"{target}: {Path(target).stat().st_size / 1000:.1f} kB, {len(font.getGlyphOrder())} glyphs")


if __name__ == "__main__":
    main(*sys.argv[1:])
