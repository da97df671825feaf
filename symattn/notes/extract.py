"""What was understood of a document as an editable case: `symattn extract notes.md -o case.toml`.

`parse_case` reads it back to the same givens, steps and claims.
"""

from __future__ import annotations

from symattn.attention.case import Claim
from symattn.casefile.written import comment, given_table, stated_table, step_lines, words
from symattn.notes.documents import Reading
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven


def extract(reading: Reading, walk: int = 0) -> str:
    """The TOML of one example of a document, counted from 0.

    Raises MissingGiven where the document has no such example.
    """
    if not 0 <= walk < len(reading.cases):
        count = len(reading.cases)
        examples = "worked example was" if count == 1 else "worked examples were"
        raise MissingGiven(
            Bilingual(f"{count or 'no'} {examples} found in the document", f"文中找到 {count} 个算例"),
            Bilingual(f"--walk goes from 1 to {count}", f"--walk 的范围是 1 到 {count}")
            if count
            else Bilingual(
                "a computation starts from X and weights, from Q, K and V, or from scores",
                "推导从 X 和权重、Q、K 和 V，或得分开始",
            ),
        ).at(file=reading.file)
    case = reading.cases[walk]
    blocks = [_head(reading, walk), given_table(case.given), *map(step_lines, case.program or ())]
    blocks += [_stated(claim) for claim in case.stated]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(reading: Reading, walk: int) -> str:
    case = reading.cases[walk]
    printed = sum(len(row) for claim in case.stated for row in claim.values)
    lines = [f"# Read from {comment(reading.file or 'notes')}: {printed} printed numbers."]
    if len(reading.cases) > 1:
        lines.append(f"# Example {walk + 1} of {len(reading.cases)}; --walk chooses another.")
    if case.stated:
        lines.append("# Of what is stated, row and col count from 0; line is that of the document.")
    lines.append(f"title = {words(case.title)}")
    if case.lang != "en":
        lines.append(f"lang = {words(case.lang)}")
    if reading.file:
        lines.append(f"source = {words(reading.file)}")
    if case.tokens:
        lines.append(f"tokens = [{', '.join(map(words, case.tokens))}]")
    if not case.program:
        lines.append("step = []  # nothing is worked out: what is stated repeats what is given")
    return "\n".join(lines)


def _stated(claim: Claim) -> str:
    return stated_table(claim, claim.place.line if claim.place is not None else None)
