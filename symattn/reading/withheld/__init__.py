"""What of an example gets no verdict by its walk, since it may be of something else, and why.

An audit accuses on the evidence that a number is an entry of the walk. Where what it found of a quantity, of
a list or of a row speaks rather against that, the claims are taken out and the rest is audited anew
(`rounds.py`).
"""
