"""One audit report made by hand, with every kind of verdict, over a real derivation."""

from __future__ import annotations

from symattn.attention.case import Case, Place
from symattn.attention.recipes.attention import attention, values
from symattn.auditor.findings.codes import Finding
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import Cause, Judgement, Printed, Remark, Report, Unread
from symattn.casefile.case_file import parse_case
from symattn.exact.number import Exact
from symattn.plans.derive import derive
from symattn.text.bilingual import Bilingual

CASE = """\
title = "猫 & <cat>"
lang = "{lang}"
tokens = ["猫", "<b>"]

[given]
Q = [[1, 2], [3, 4]]
K = [[5, 6], [7, 8]]
V = [[1, 0], [0, "1/3"]]
"""


def case(lang: str = "en") -> Case:
    """Scores are [[17, 23], [39, 53]]; the source printed Q K, [[19, 22], [43, 50]]."""
    return parse_case(CASE.format(lang=lang), "notes/cat.toml")


def printed(index: int, name: str, row: int, col: int, text: str, line: int, **more: object) -> Printed:
    """A printed number in column 5 of a line of the audited file."""
    return Printed(index, name, row, col, read_numeral(text), place=Place(line, 5), **more)  # type: ignore[arg-type]


TRANSPOSE = Cause(
    "key-not-transposed",
    Bilingual("multiplied Q by K instead of K^T", "用 K 代替了 K^T"),
    "scores",
    "matrix",
    (0, 1, 2, 3),
)


def report(lang: str = "en", shift: int = 0) -> Report:
    """The report; every line is moved down by `shift`."""
    said = case(lang)
    derivation = derive(attention(said), values(said))
    scores = derivation["scores"]

    def slip(index: int, row: int, col: int, text: str, ulps: int) -> Judgement:
        return Judgement(
            printed(index, "scores", row, col, text, 10 + row + shift),
            "slip",
            "SA202",
            scores[row, col],
            str(scores[row, col].rational),
            str(scores[row, col].rational),
            ulps,
            cause=TRANSPOSE,
        )

    scaled = derivation["scaled"]
    judgements = (
        slip(0, 0, 0, "19", 2),
        slip(1, 0, 1, "22", 1),
        slip(2, 1, 0, "43", 4),
        slip(3, 1, 1, "50", 3),
        Judgement(
            printed(4, "scaled", 0, 0, "13.44", 12 + shift),
            "carried",
            "SA301",
            scaled[0, 0],
            "12.02",
            "13.44",
            142,
            root=0,
        ),
        Judgement(
            printed(5, "V", 1, 1, "0.33", 13 + shift), "correct", None, Exact.of(1), "0.33", note="copy"
        ),
        Judgement(
            printed(6, "exp", 0, 0, "2.00", 14 + shift),
            "rounding",
            "SA101",
            derivation["exp"][0, 0],
            "2.01",
            "2.00",
            1,
        ),
        Judgement(
            printed(7, "Z", 0, 0, "0.7", 15 + shift), "undecided", "SA107", None, None, "0.8", None, note=""
        ),
        Judgement(
            printed(8, "scores", 0, 0, "19", 16 + shift, first=0),
            "slip",
            "SA202",
            scores[0, 0],
            "17",
            "17",
            2,
            root=0,
            cause=TRANSPOSE,
            note="copy",
        ),
    )
    remarks = (
        Remark(
            "SA502",
            "claim",
            {"name": "A", "row": "1", "stated": "猫", "actual": "<b> > 猫", "largest": "<b>"},
            "A",
            0,
            place=Place(20 + shift, 1),
        ),
    )
    unread = (
        Unread(
            "1.2.3",
            Finding.UNREADABLE_NUMERAL,
            Bilingual("two points", "两个小数点"),
            None,
            Place(21 + shift, 3),
        ),
    )
    return Report(said, derivation, judgements, remarks, (TRANSPOSE,), unread)
