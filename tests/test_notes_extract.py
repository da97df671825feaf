"""The case that is extracted from a note: its audit is that of the note, number for number."""

from __future__ import annotations

import pytest

from symattn.attention.given import Given
from symattn.auditor.audit import audit
from symattn.auditor.report import Report
from symattn.casefile.case_file import parse_case
from symattn.notes.documents import read_notes
from symattn.notes.extract import extract
from symattn.result import work
from symattn.text.errors import MissingGiven


def verdicts(report: Report) -> list[tuple[str, str]]:
    return [(one.printed.numeral.text, one.verdict) for one in report.judgements]


@pytest.mark.parametrize(
    "note",
    [
        "X = [[1, 2], [3, 4]]\nW_K = [[1, 1], [0, 1]]\n\nK = X W_K = [[1, 3], [3, 8]]",
        "x_1 = [1.25, 2.50]\n\nx_1 = [1.25, 2.50]\n\nThe embedding is x_1 = [1.25, 2.50].",
        "Z = [[1.25, 2.50], [0.75, 3.25]]\n\nSo Z = [[1.25, 2.50], [0.75, 3.25]] again.",
    ],
)
def test_the_audit_of_an_extracted_case_is_the_audit_of_the_note(note: str) -> None:
    reading = read_notes(note, None, "markdown")
    assert reading.cases
    for number, case in enumerate(reading.cases):
        assert verdicts(audit(parse_case(extract(reading, number)))) == verdicts(audit(case))


PRINTOUT = """\
{0}tensor([[ 1.78, -0.35],
        [-0.84,  0.91]]{1})
{2}tensor([[-2.52,  4.83],
        [-0.21, -1.62]]{1})
{3}tensor([[-6.1761,  0.1932],
        [ 6.5121, -1.2978]]{1})
"""


@pytest.mark.parametrize(
    "names",
    [
        ("Q = ", "K = ", "scores = "),
        ("Q: ", "K: ", "scores: "),
        (">>> Q\n", ">>> K\n", ">>> scores\n"),
        ('>>> print("Q:", Q)\nQ: ', '>>> print("K:", K)\nK: ', '>>> print("scores:", scores)\nscores: '),
    ],
)
@pytest.mark.parametrize(
    "attributes",
    [
        "",
        ", grad_fn=<MmBackward0>",
        ", device='cuda:0', dtype=torch.float64",
        ",\n       device='cuda:0', grad_fn=<SoftmaxBackward0>",
    ],
)
def test_printed_tensors_keep_their_names_whatever_attributes_they_print(
    names: tuple[str, ...], attributes: str
) -> None:
    note = PRINTOUT.format(names[0], attributes, *names[1:])
    for text in (note, note.replace("tensor", "array")):
        (case,) = read_notes(f"```\n{text}```\n", None, "markdown").cases
        assert list(case.given) == ["Q", "K"]
        assert [claim.name for claim in case.stated] == ["S"]


def test_a_session_that_divides_by_the_root_of_a_number_is_one_example() -> None:
    note = """\
>>> scores
tensor([[ 1.7804, -0.3512],
        [-0.8431,  0.9125]])
>>> scaled = scores / math.sqrt(2)
>>> scaled
tensor([[ 1.2589, -0.2483],
        [-0.5962,  0.6452]])
>>> A = torch.softmax(scaled, dim=-1)
>>> A
tensor([[0.8187, 0.1813],
        [0.2242, 0.7758]])
"""
    (case,) = read_notes(f"```\n{note}```\n", None, "markdown").cases
    assert list(case.given) == ["S"]
    assert [claim.name for claim in case.stated] == ["scaled", "A"]
    report = audit(case)
    assert {one.verdict for one in report.judgements} == {"correct"}
    assert len(report.judgements) == 8


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (">>> {0}\n", ""),
        (">>> print({0})\n", ""),
        (">>> {0}\n", "Parameter containing:\n"),
        ("In [7]: {0}\n", "Out[7]:\n"),
        ("In [7]: {0}\n", "Out[7]: "),
        ("{0}:\n ", ""),
        ("print({0})\n", ""),
        ("{0}\n```\n\n```\n", ""),
    ],
)
def test_what_a_session_prints_has_the_name_that_was_asked_for(asked: str, shown: str) -> None:
    prints = {
        "X": "tensor([[ 1.25, -0.50],\n        [ 0.75,  2.25]])",
        "W_q": "tensor([[0.35, 1.15],\n        [0.45, 0.65]], requires_grad=True)",
    }
    session = "\n".join(f"{asked.format(name)}{shown}{text}" for name, text in prints.items())
    note = f"{session}\nQ = X @ W_q = [[0.2125, 1.1125], [1.2750, 2.3250]]\n"
    (case,) = read_notes(f"```\n{note}```\n", None, "markdown").cases
    assert list(case.given) == ["X", "W_Q"]
    assert [claim.name for claim in case.stated] == ["Q"]


@pytest.mark.parametrize(
    "note",
    [
        "Q = tensor([[1., 0.], [0.5, 2.]])\nK = array([[0., 1.], [1., 0.]])\n",
        ">>> Q\ntensor([[1., 0.],\n        [0.5, 2.]])\n>>> K\narray([[0., 1.],\n       [1., 0.]])\n",
        "q_1 = [1, 0], q_2 = [0.5, 2]\n\nk_1 = [0, 1], k_2 = [1, 0]\n",
    ],
)
def test_inputs_without_a_result_are_a_case_that_derives(note: str) -> None:
    case = parse_case(extract(read_notes(note, "inputs.txt", "text")))
    assert {name: each.typed for name, each in case.given.items()} == {
        "Q": (("1", "0"), ("0.5", "2")),
        "K": (("0", "1"), ("1", "0")),
    }
    assert work(case)["A"].shape == (2, 2)


def test_a_mask_and_the_weights_of_heads_have_their_places_in_the_case_of_inputs() -> None:
    note = """\
inputs = torch.tensor([[1, 2, 0, 1], [0, 1, 1, 0]])
W_query1 = torch.tensor([[1, 0], [0, 1], [1, 0], [0, 1]])
W_query2 = torch.tensor([[1, 0], [0, 1], [1, 1], [0, 1]])
W_key = torch.tensor([[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0]])
mask = torch.tensor([[0, -inf], [0, 0]])
"""
    case = parse_case(extract(read_notes(note, "inputs.txt", "text")))
    assert list(case.given) == ["X", "head1.W_Q", "head2.W_Q", "W_K"]
    assert case.settings.heads == 2
    assert isinstance(case.settings.mask, Given)
    assert case.settings.mask.typed == (("0", "-oo"), ("0", "0"))
    assert work(case)["head2.A"].shape == (2, 2)


@pytest.mark.parametrize(
    ("note", "found"),
    [("Q = [[1, 2], [3, 4]]", "Q alone give no"), ("[[1, 2], [3, 4]]", "no inputs after a name")],
)
def test_inputs_that_make_no_attention_are_refused_with_what_it_starts_from(note: str, found: str) -> None:
    with pytest.raises(MissingGiven, match=found) as problem:
        extract(read_notes(note, "inputs.txt", "text"))
    assert "X and weights" in problem.value.remedy
