"""Cases that say their computation themselves, in `[[step]]` tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import symattn

from symattn.casefile.case_file import parse_case
from symattn.casefile.idle import refuse_idle
from symattn.result import work
from symattn.text.errors import SymattnError

STEPS = """\
[given]
Q = [[1, 0]]
K = [[2, 1], [0, 3]]

[[step]]
name = "T"
operation = "scores"
of = ["Q", "K"]

[[step]]
name = "E"
operation = "exponential"
of = ["T"]

[[step]]
name = "D"
operation = "row-sums"
of = ["E"]

[[step]]
name = "A"
operation = "normalise"
of = ["E", "D"]

[[stated]]
name = "A"
values = [["0.88", "0.21"]]
"""


def test_a_computation_by_steps_is_derived_checked_and_audited(tmp_path: Path) -> None:
    file = tmp_path / "steps.toml"
    file.write_text(STEPS, encoding="utf-8")
    derived, checked = symattn("derive", file), symattn("check", file)
    assert (derived.returncode, derived.stderr) == (0, "")
    assert "2  Step E = e^T" in derived.stdout
    assert (checked.returncode, "DISAGREES" in checked.stdout) == (0, False)
    assert "2 printed numbers: 1 right, 1 slip." in symattn("audit", file).stdout


def test_the_textbook_formulas_do_not_know_what_steps_make() -> None:
    textbook = work(parse_case(STEPS)).check.textbook
    assert textbook is not None
    assert textbook.not_understood == ("[[step]]",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('of = ["E", "D"]', 'of = ["E"]', "step[3].of: 1 where normalise takes 2 names"),
        ('of = ["T"]', 'of = ["U"]', 'step[1].of: "U", neither given nor computed before'),
        ('name = "D"', 'name = "E"', 'step[2].name: "E" for the second time'),
        ('"row-sums"', '"softmax"', 'step[2].operation: "softmax" as an operation'),
        ("K = [[2, 1], [0, 3]]", "K = [[2], [0]]", "step[0].of: "),
        ("[given]\n", "[given]\nV = [[1], [2]]\n", "given.V: V is given, and no step takes it"),
        ("[given]\n", '[attention]\nscale = "1"\n[given]\n', "attention: [attention] beside [[step]] tables"),
    ],
)
def test_what_no_step_can_do_is_refused_at_its_place(old: str, new: str, said: str) -> None:
    with pytest.raises(SymattnError) as caught:
        refuse_idle(parse_case(STEPS.replace(old, new), "c.toml"))
    assert said in caught.value.message.en
    assert caught.value.line is not None


def test_weights_from_features_elu_plus_one_of_inputs_with_roots_have_short_closed_forms() -> None:
    steps = [
        line
        for x in "QK"
        for line in (
            (f"R_{x}", "relu", x),
            (f"N_{x}", "difference", x, f"R_{x}"),
            (f"E_{x}", "exponential", f"N_{x}"),
            (f"F_{x}", "add", f"R_{x}", f"E_{x}"),
        )
    ]
    steps += [("P", "scores", "F_Q", "F_K"), ("D", "row-sums", "P"), ("A", "normalise", "P", "D")]
    case = '[given]\nQ = [["sqrt(2)", -1]]\nK = [["sqrt(3)", -1], [-1, "sqrt(2)"]]\n' + "".join(
        f'[[step]]\nname = "{name}"\noperation = "{kind}"\nof = {list(of)}\n' for name, kind, *of in steps
    )
    page = work(parse_case(case)).text()
    assert "A₁₁ = P₁₁/D₁₁ = (e^2 - 1 + √2 + √3 e^2)/(e^2 + 2e - 1 + √2 + √3 e^2) ≈" in page
