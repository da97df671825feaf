"""Masks of every kind, each by the smallest case that shows it, with values worked by hand."""

from __future__ import annotations

import pytest
from variant_cases import QKV, holds, variant

from symattn.casefile.case_file import parse_case
from symattn.exact.number import MINUS_INFINITY
from symattn.plans.ops.mask import Mask, causal, padding, windowed
from symattn.result import work
from symattn.text.errors import SymattnError, UnusableValue

THREE_KEYS = "[given]\nQ = [[1], [1]]\nK = [[1], [1], [1]]\nV = [[2], [4], [9]]\n"


def shown(mask: Mask) -> list[str]:
    """A mask as text, one character a key: 1 seen, 0 hidden."""
    return ["".join("0" if x == MINUS_INFINITY else "1" for x in row) for row in mask.additive.rows()]


def test_a_causal_mask_is_aligned_at_either_corner() -> None:
    assert shown(Mask(causal(2, 3))) == ["100", "110"]
    assert shown(Mask(causal(2, 3, 1))) == ["110", "111"]
    assert shown(Mask(causal(3, 2, -1))) == ["00", "10", "11"]


def test_a_window_is_bounded_on_one_side_or_on_both() -> None:
    assert shown(Mask(windowed(3, 3, 0, 1, 0))) == ["100", "110", "011"]
    assert shown(Mask(windowed(3, 3, 0, None, 1))) == ["110", "111", "111"]
    assert shown(Mask(windowed(2, 4, 2, 1, 0))) == ["0110", "0011"]


def test_padding_hides_a_key_from_every_query() -> None:
    row = parse_case(QKV + "[attention]\npadding = [1, 0]\n").settings.padding
    assert row is not None
    assert shown(Mask(padding(2, row.values))) == ["10", "10"]


@pytest.mark.parametrize(
    "convention", ['mask = "causal"', "window_left = 1", 'positions = "alibi"', 'positions = "rope"']
)
def test_queries_and_keys_of_different_number_need_an_alignment_and_both_are_named(convention: str) -> None:
    heads = 'scale = "1"\n' if "rope" not in convention else "angles = [1]\n"
    text = THREE_KEYS if "rope" not in convention else THREE_KEYS.replace("1]", "1, 0]")
    with pytest.raises(UnusableValue) as problem:
        work(parse_case(f"{text}[attention]\n{heads}{convention}\n"))
    assert 'align = "top-left"' in problem.value.remedy
    assert 'align = "bottom-right"' in problem.value.remedy
    assert work(parse_case(f'{text}[attention]\n{heads}{convention}\nalign = "top-left"\n')).check.agrees


def test_the_two_alignments_show_different_keys() -> None:
    assert holds(variant("causal_top_left"), "Z", [[2], [3]])
    assert holds(variant("causal_bottom_right"), "Z", [[3], [5]])


def test_the_wrong_corner_is_a_slip_only_where_it_matters() -> None:
    codes = {
        name: [slip.code for line in variant(name).derivation for slip in line.op.slips()]
        for name in ("causal_bottom_right", "padded_batch")
    }
    assert "mask-misaligned" in codes["causal_bottom_right"]
    assert "mask-misaligned" not in codes["padded_batch"]


def test_a_row_that_sees_no_key_has_weights_of_zero_and_a_note() -> None:
    worked = variant("boolean_mask")
    assert holds(worked, "A", [["1/2", "1/2"], [0, 0]])
    assert holds(worked, "Z", [[6], [0]])
    assert [(fact.name, fact.rows) for fact in worked.facts if fact.kind == "masked-row"] == [("A", (1,))]
    assert "No key is visible in row 2 of" in worked.markdown()


def test_a_boolean_mask_without_true_hides_every_key() -> None:
    worked = work(parse_case(QKV + "[attention]\nmask = [[false, false], [false, false]]\n"))
    assert holds(worked, "A", [[0, 0], [0, 0]])


ONES = "[attention]\nmask = [[0, 1], [1, 0]]\n"


@pytest.mark.parametrize(
    ("ones", "expected"),
    [
        ("", [["-inf", 0], [0, "-inf"]]),
        ("mask_ones = 'visible'", [["-inf", 0], [0, "-inf"]]),
        ("mask_ones = 'hidden'", [[0, "-inf"], ["-inf", 0]]),
        ("mask_ones = 'added'", [[0, 1], [1, 0]]),
    ],
)
@pytest.mark.parametrize("boolean", [False, True])
def test_a_key_says_what_the_ones_of_a_mask_mean(
    ones: str, expected: list[list[object]], boolean: bool
) -> None:
    mask = ONES.replace("0, 1", "false, true").replace("1, 0", "true, false") if boolean else ONES
    worked = work(parse_case(f"{QKV}{mask}{ones}\n"))
    (line,) = (line for line in worked.derivation if isinstance(line.op, Mask))
    assert [
        ["-inf" if x == MINUS_INFINITY else x.rational for x in row] for row in line.op.additive.rows()
    ] == expected
    noted = not ones and not boolean
    assert [(each.key, each.kind) for each in worked.cautions] == [("attention.mask", "note")] * noted
    assert ("1 is a key that is seen" in " ".join(worked.text().split())) == noted


def test_a_mask_of_zeros_hides_nothing_unless_a_key_says_so() -> None:
    zeros = f"{QKV}[attention]\nmask = [[0, 0], [0, 0]]\n"
    (caution,) = work(parse_case(zeros)).cautions
    assert "the zeros of the mask are added and hide nothing" in caution.words.en
    hidden = work(parse_case(f"{zeros}mask_ones = 'visible'\n"))
    assert holds(hidden, "A", [[0, 0], [0, 0]])
    assert work(parse_case(f"{QKV}[attention]\nmask = [[true, true], [true, true]]\n")).cautions == ()


def test_ones_that_mark_keys_go_with_zeros_alone() -> None:
    text = f"{QKV}[attention]\nmask = [[0, 1], ['1/2', 0]]\nmask_ones = 'visible'\n"
    with pytest.raises(UnusableValue, match=r"neither 0 nor 1: 1/2") as problem:
        work(parse_case(text))
    assert (problem.value.key, problem.value.line) == ("attention.mask", 6)


def test_an_additive_mask_biases_the_scores() -> None:
    worked = variant("additive_mask")
    assert holds(worked, "A", [["3/4", "1/4"], [0, 1]])


def test_padding_and_a_causal_mask_add_up() -> None:
    assert holds(variant("padded_batch"), "Z", [[2], [3], [3]])


def test_a_sliding_window_shows_each_query_its_neighbours() -> None:
    assert holds(
        variant("sliding_window"),
        "masked",
        [[1, "-inf", "-inf", "-inf"], [1, 1, "-inf", "-inf"], ["-inf", 1, 2, "-inf"], ["-inf", "-inf", 2, 2]],
    )


def test_a_list_of_padding_that_does_not_fit_is_refused() -> None:
    with pytest.raises(SymattnError, match="padding"):
        work(parse_case(QKV + "[attention]\npadding = [1, 0, 1]\n"))


def test_a_mask_and_a_window_of_given_exponentials_are_refused() -> None:
    given = "[given]\nexp = [[2, 2], [1, 3]]\nV = [[1], [2]]\n"
    masked = given + '[attention]\nmask = [[1, 1], [1, 0]]\nwindow_left = 0\nalign = "top-left"\n'
    with pytest.raises(SymattnError, match="it changes masked, which is not computed"):
        work(parse_case(masked))
