"""Printed gradients are judged as every other number: the slip, its cause, and what it carries with it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from symattn.auditor.audit import audit
from symattn.auditor.report import Report
from symattn.casefile.case_file import parse_case, read_case

CASE = Path(__file__).parent.parent / "cases/variants/backward_stated.toml"


def report() -> Report:
    return audit(read_case(CASE))


def verdicts(name: str) -> Counter[str]:
    return Counter(found.verdict for found in report().judgements if found.printed.name == name)


def test_a_diagonal_jacobian_is_the_cause_and_stands_at_the_gradient_of_the_logits() -> None:
    [cause] = report().causes
    assert (cause.slip, cause.name) == ("softmax-jacobian-diagonal", "dscaled")
    assert verdicts("dscaled") == {"slip": 4}


def test_the_gradients_before_the_slip_are_right_and_those_behind_it_carried() -> None:
    assert verdicts("dV") == verdicts("dA") == {"correct": 4}
    for name in ("dscores", "dQ", "dK"):
        assert "slip" not in verdicts(name)
        assert verdicts(name)["carried"] > 0


DIAGONAL = """
[given]
A = [["1/2", "1/4", "1/4"], ["1/5", "2/5", "2/5"]]
V = [[2], [0], [4]]
dZ = [[1], [3]]

[[stated]]
name = "dscaled"
values = """


def test_a_jacobian_of_which_only_the_diagonal_is_kept_is_another_slip() -> None:
    """a (1 - a) dA with dA = (2, 0, 4) and (6, 0, 12)."""
    [cause] = audit(parse_case(DIAGONAL + '[["0.5", "0", "0.75"], ["0.96", "0", "2.88"]]')).causes
    assert cause.slip == "softmax-jacobian-own"
    [cause] = audit(parse_case(DIAGONAL + '[["1", "0", "1"], ["1.2", "0", "4.8"]]')).causes
    assert cause.slip == "softmax-jacobian-diagonal"
