"""What was understood of a document as an editable case: `symattn extract notes.md -o case.toml`.

`parse_case` reads it back to the same givens, steps and claims.
"""

from __future__ import annotations

from symattn.attention.case import Claim
from symattn.attention.recipes.attention import attention
from symattn.casefile.case_file import parse_case
from symattn.casefile.written import comment, given_table, rows, stated_table, step_lines, words
from symattn.notes.claims.givens import inputs
from symattn.notes.documents import Reading
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import MissingGiven, SymattnError

_STARTS = Bilingual(
    "a computation starts from X and weights, from Q, K and V, or from scores, each after its name: "
    "Q = [[1, 0], [0, 1]]",
    "推导从 X 和权重、Q、K 和 V，或得分开始，各写在名字之后：Q = [[1, 0], [0, 1]]",
)


def extract(reading: Reading, walk: int = 0) -> str:
    """The TOML of one example of a document, counted from 0; of a document without one its inputs.

    Raises MissingGiven where the document has no such example, or nothing can be computed from its inputs.
    """
    count = len(reading.cases)
    if not count and not walk:
        return _only_inputs(reading)
    if not 0 <= walk < count:
        noun = "worked example was/worked examples were"
        raise MissingGiven(
            Bilingual(
                f"{f'{Count(count):{noun}}' if count else 'no worked example was'} found in the document",
                f"文中找到 {count} 个算例",
            ),
            Bilingual(f"--walk goes from 1 to {count}", f"--walk 的范围是 1 到 {count}")
            if count
            else _STARTS,
        ).at(file=reading.file)
    case = reading.cases[walk]
    blocks = [_head(reading, walk), given_table(case.given), *map(step_lines, case.program or ())]
    blocks += [_stated(claim) for claim in case.stated]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _only_inputs(reading: Reading) -> str:
    """The case of what is printed under the names of inputs, for `derive`."""
    found = inputs(reading.understood)
    names = ", ".join(found.given)
    head = [f"# Read from {comment(reading.file or 'notes')}, where no result is printed: the inputs alone."]
    settings = [f"heads = {found.heads}"] if found.heads > 1 else []
    settings += [f"mask = {rows(found.mask.typed)}"] if found.mask is not None else []
    blocks = [
        "\n".join([*head, *_titles(reading, reading.title, reading.lang)]),
        given_table(found.given),
        "\n".join(["[attention]", *settings]) if settings else "",
    ]
    text = "\n\n".join(block for block in blocks if block) + "\n"
    if not _attends(text):
        raise MissingGiven(
            Bilingual(
                f"no worked examples were found in the document, and {names} alone give no attention",
                f"文中没有找到算例，从 {names} 也算不出注意力",
            )
            if names
            else Bilingual(
                "no worked examples were found in the document, and no inputs after a name",
                "文中没有找到算例，也没有写在名字之后的输入",
            ),
            _STARTS,
        ).at(file=reading.file)
    return text


def _attends(text: str) -> bool:
    """Whether the case computes attention, or would if its matrices fitted; `derive` says which do not."""
    try:
        return any(base_name(line.name) in ("A", "Z") for line in attention(parse_case(text)))
    except MissingGiven:
        return False
    except SymattnError:
        return True


def _head(reading: Reading, walk: int) -> str:
    case = reading.cases[walk]
    printed = sum(len(row) for claim in case.stated for row in claim.values)
    lines = [f"# Read from {comment(reading.file or 'notes')}: {printed} printed numbers."]
    if len(reading.cases) > 1:
        lines.append(f"# Example {walk + 1} of {len(reading.cases)}; --walk chooses another.")
    if case.stated:
        lines.append("# Of what is stated, row and col count from 0; line is that of the document.")
    lines += _titles(reading, case.title, case.lang)
    if case.tokens:
        lines.append(f"tokens = [{', '.join(map(words, case.tokens))}]")
    if not case.program:
        lines.append("step = []  # nothing is worked out: what is stated repeats what is given")
    return "\n".join(lines)


def _titles(reading: Reading, title: str, lang: str) -> list[str]:
    lines = [f"title = {words(title)}"]
    lines += [f"lang = {words(lang)}"] if lang != "en" else []
    return lines + ([f"source = {words(reading.file)}"] if reading.file else [])


def _stated(claim: Claim) -> str:
    return stated_table(claim, claim.place.line if claim.place is not None else None)
