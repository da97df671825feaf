"""Documents in styles in which people write: each lays an example out from scratch, in a way of its own.

A style is a function from a `Sheet` to the text of a file, and a line in the table of its family, which says
what its examples are about (`Task`) and in which files it is written. The sheet hands out numerals as strings
that f-strings can carry anywhere: `s.r("A", 0, 1)` is a result, `s.o("A", 0, 1)` the same number as an
operand of a working, `s.v("Q", 0)` a row between brackets; `text.py` puts them together. Where a numeral
lands, and what it truly is, is found out when the text is finished.
"""
