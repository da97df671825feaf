"""The variants of attention, each by the smallest case that shows it, with values worked by hand."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from once import but_slow, page, work
from variant_cases import QKV, VARIANTS, holds, variant

from symattn.attention.case import Case, Given, Settings
from symattn.attention.keys import Key
from symattn.attention.registry import CONVENTION_KEYS
from symattn.casefile.case_file import parse_case
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.narrate.export import conventions
from symattn.text.errors import SymattnError, UnusableValue
from symattn.typeset.markdown import markdown

every_variant = pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)


@every_variant
def test_a_variant_is_confirmed_by_the_walk_in_floats(path: Path) -> None:
    worked = work(path)
    assert worked.check.agrees
    assert worked.check.steps
    assert all(step.max_ulp is None or step.max_ulp < 64 for step in worked.check.steps)


@pytest.mark.parametrize(
    "path", but_slow(VARIANTS, "stacked_pre_norm", "stacked_pre_norm_own", "stacked_post_norm_own")
)
def test_a_variant_reads_in_both_languages_and_every_step_has_a_title(path: Path) -> None:
    pages = {lang: markdown(page(path, lang)) for lang in ("en", "zh")}
    assert all(len(page) > 500 for page in pages.values())
    assert len(set(pages.values())) == 2
    assert re.search("[一-鿿]", pages["zh"])


@every_variant
def test_a_variant_begins_with_what_it_shows_and_says_its_source(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert len(lines[0]) > 40
    assert max(map(len, lines)) <= 120
    assert any(line.startswith("source = ") for line in lines)


# biases, scale, temperature


def test_every_projection_has_its_bias_and_the_output_too() -> None:
    """X = I, so Q = W_Q^T + b_Q = [[1, 1], [2, 2]], and so on; the output adds b_O last."""
    worked = variant("biases_everywhere")
    assert holds(worked, "Q", [[1, 1], [2, 2]])
    assert holds(worked, "K", [[2, 0], [1, 0]])
    assert holds(worked, "V", [[2, 2], [0, 6]])
    assert holds(worked, "scaled", [["1/2", "1/4"], [1, "1/2"]])
    z = "2/(exp(-1/4) + 1)"
    assert holds(
        worked,
        "output",
        [
            [f"{z} + (2 + 6*exp(-1/4))/(1 + exp(-1/4)) + 3", "(2 + 6*exp(-1/4))/(1 + exp(-1/4)) - 1"],
            [
                "2/(exp(-1/2) + 1) + (2 + 6*exp(-1/2))/(1 + exp(-1/2)) + 3",
                "(2 + 6*exp(-1/2))/(1 + exp(-1/2)) - 1",
            ],
        ],
    )


def test_a_temperature_of_one_half_doubles_the_logits() -> None:
    worked = variant("temperature")
    assert holds(worked, "tempered", [["2*log(2)", 0], [0, 0]])
    assert holds(worked, "A", [["4/5", "1/5"], ["1/2", "1/2"]])


def test_with_the_maximum_subtracted_the_largest_exponential_of_a_row_is_one() -> None:
    worked = variant("maximum_subtracted")  # scores 3 log 2, log 2 | 0, 0
    assert holds(worked, "shifted", [[0, "-2*log(2)"], [0, 0]])
    assert holds(worked, "exp", [[1, "1/4"], [1, 1]])
    assert holds(worked, "sum", [["5/4"], [2]])
    assert holds(worked, "A", [["4/5", "1/5"], ["1/2", "1/2"]])


def test_a_hidden_score_stays_hidden_at_any_temperature() -> None:
    worked = work(parse_case(QKV + '[attention]\nscale = "1"\nmask = "causal"\ntemperature = 2\n'))
    assert holds(worked, "tempered", [["1/2", "-inf"], ["1/2", "1/2"]])


@pytest.mark.parametrize("temperature", ["0", "-1"])
def test_a_temperature_that_is_not_positive_is_refused(temperature: str) -> None:
    with pytest.raises(SymattnError, match="temperature"):
        work(parse_case(QKV + f'[attention]\ntemperature = "{temperature}"\n'))


# heads


def test_runs_of_heads_share_keys_and_values() -> None:
    worked = variant("grouped_query")
    for head, keys, values in ((1, 1, [[1, 2], [5, 6]]), (2, 1, [[1, 2], [5, 6]]), (3, 0, [[3, 4], [7, 8]])):
        assert holds(worked, f"head{head}.K", [[keys], [1 - keys]])
        assert holds(worked, f"head{head}.V", [list(row) for row in values])
    assert worked["concat"].shape == (2, 8)


def test_giving_the_groups_out_in_turn_is_a_slip_of_the_heads_where_it_differs() -> None:
    lines = {line.name: line for line in variant("grouped_query").derivation}
    assert [slip.code for slip in lines["head2.K"].op.slips()] == ["groups-interleaved"]
    assert [slip.code for slip in lines["head1.K"].op.slips()] == []


def test_one_head_of_keys_serves_all_in_multi_query_attention() -> None:
    worked = variant("multi_query")
    assert worked["head1.K"] == worked["head2.K"] == worked["K"]
    assert worked["output"].shape == (2, 1)


@pytest.mark.parametrize(("heads", "shared"), [(3, 2), (1, 2)])
def test_shared_heads_must_divide_the_heads(heads: int, shared: int) -> None:
    with pytest.raises(UnusableValue, match="share"):
        work(parse_case(QKV + f"[attention]\nheads = {heads}\nkv_heads = {shared}\n"))


def test_values_may_be_wider_than_keys() -> None:
    worked = variant("cross_attention_wide")
    assert worked["scores"].shape == (2, 3)
    assert worked["Z"].shape == (2, 3)
    one, two = "(1 + exp(1) + exp(2))", "(1 + exp(2) + exp(4))"
    assert holds(
        worked,
        "A",
        [[f"1/{one}", f"exp(1)/{one}", f"exp(2)/{one}"], [f"1/{two}", f"exp(2)/{two}", f"exp(4)/{two}"]],
    )


# positions


def test_rotations_by_thirds_of_pi_keep_every_score_algebraic() -> None:
    """The angle between position 0 and 2 is 120 degrees: 1 * 2 * cos(2 pi/3) = -1."""
    assert holds(variant("rope_interleaved"), "scores", [[2, 1, -1], [1, 2, 1], [-1, 1, 2]])


def test_half_split_pairs_turn_the_first_and_the_second_half_of_the_rotary_columns() -> None:
    worked = variant("rope_half")
    assert holds(worked, "Q_R", [["cos(1)", "sin(1)", 2, 1], ["-sin(2)", "cos(2)", 1, 1]])


def test_pairs_of_four_columns_are_neighbours_or_half_a_width_apart() -> None:
    text = "[given]\nQ = [[1, 2, 3, 4]]\nK = [[1, 0, 0, 0]]\nV = [[1]]\n[attention]\n"
    text += 'positions = "rope"\nstart = 1\nangles = ["pi/2", "pi"]\n'
    assert holds(work(parse_case(text)), "Q_R", [[-2, 1, -3, -4]])
    assert holds(work(parse_case(text + 'pairs = "half"\n')), "Q_R", [[-3, -2, 1, -4]])


def test_the_angles_of_rope_come_from_the_base() -> None:
    text = "[given]\nQ = [[1, 0, 1, 0]]\nK = [[1, 0, 0, 0]]\nV = [[1]]\n[attention]\n"
    text += 'positions = "rope"\nstart = 1\n'
    assert holds(work(parse_case(text)), "Q_R", [["cos(1)", "sin(1)", "cos(1/100)", "sin(1/100)"]])
    assert holds(
        work(parse_case(text + "rotary_base = 4\n")), "Q_R", [["cos(1)", "sin(1)", "cos(1/2)", "sin(1/2)"]]
    )


def test_an_odd_number_of_rotary_columns_is_refused() -> None:
    text = "[given]\nQ = [[1, 0, 1]]\nK = [[1, 0, 0]]\nV = [[1]]\n[attention]\n"
    with pytest.raises(SymattnError, match="3 columns to rotate in pairs"):
        work(parse_case(text + 'positions = "rope"\n'))


def test_alibi_subtracts_slope_times_distance_with_the_slopes_of_the_paper() -> None:
    """Two heads: 2^-4 and 2^-8."""
    worked = variant("alibi")
    assert holds(worked, "head1.biased", [[1, "15/16", "7/8"], ["15/16", 1, "15/16"], ["7/8", "15/16", 1]])
    assert holds(
        worked, "head2.masked", [[1, "-inf", "-inf"], ["255/256", 1, "-inf"], ["127/128", "255/256", 1]]
    )


def test_slopes_may_be_given() -> None:
    worked = work(parse_case(QKV + '[attention]\npositions = "alibi"\nslopes = ["1/2"]\n'))
    assert holds(worked, "biased", [[1, "1/2"], ["1/2", 1]])
    with pytest.raises(SymattnError, match="2 slopes for 1 head"):
        work(parse_case(QKV + '[attention]\npositions = "alibi"\nslopes = [1, 2]\n'))


def test_a_relative_bias_looks_up_the_distance_and_clips_it() -> None:
    worked = variant("relative_bias")
    assert holds(
        worked,
        "biased",
        [[1, "2 - log(2)", "1 - log(2)"], ["1 + log(2)", 2, "1 - log(2)"], ["1 + log(2)", "2 + log(2)", 1]],
    )


# softcap, sinks, normalised queries and keys


def test_a_weight_that_is_zero_prints_as_zero_among_decimals() -> None:
    assert "⎡1.0000  0     ⎤" in variant("softcap").text()


def test_a_softcap_stands_before_the_mask() -> None:
    worked = variant("softcap")
    assert [line.name for line in worked.derivation][:4] == ["scores", "scaled", "capped", "masked"]
    tanh = {x: f"2*(exp({x}) - exp(-{x}))/(exp({x}) + exp(-{x}))" for x in ("1/2", "1", "3")}
    assert holds(worked, "masked", [[tanh["1/2"], "-inf"], [tanh["1"], tanh["3"]]])


def test_the_softmax_plus_one_leaves_a_share_for_nobody() -> None:
    worked = variant("softmax_plus_one")
    assert holds(worked, "A", [["1/2", "1/4"], ["1/3", "1/3"]])
    assert [fact for fact in worked.facts if fact.kind == "sums-to-one"] == []


def test_every_head_has_its_own_sink() -> None:
    worked = variant("learned_sinks")
    assert holds(worked, "head1.sum", [["2*exp(1) + 1"], ["2 + exp(1)"]])
    assert holds(worked, "head2.sum", [["2 + exp(b)"], ["exp(1) + exp(2) + exp(b)"]], ("b",))


def test_normalised_queries_and_keys_have_cosines_for_scores() -> None:
    worked = variant("qk_norm")
    assert holds(worked, "scores", [["24/25", "4/5"], ["7*sqrt(2)/10", "sqrt(2)/2"]])
    assert holds(worked, "scaled", [["48/5", 8], ["7*sqrt(2)", "5*sqrt(2)"]])


def test_the_root_mean_square_divides_the_rows_of_queries_and_keys() -> None:
    """Q's first row has the mean square (1 + 49)/2 = 25."""
    assert holds(variant("qk_rms_norm"), "Q_N", [["1/5", "7/5"], [1, 1]])


# the JSON contract


def test_conventions_name_a_variant_and_keep_silent_otherwise() -> None:
    plain = work(parse_case(QKV)).data()["conventions"]
    assert not {"temperature", "softcap", "align", "padding", "kv_heads"} & set(plain)
    assert variant("padded_batch").data()["conventions"]["padding"] == ["1", "1", "0"]
    assert variant("grouped_query").data()["conventions"]["kv_heads"] == 2
    assert Fraction(variant("temperature").data()["conventions"]["temperature"]) == Fraction(1, 2)
    assert Exact.of(1) == variant("causal_top_left")["A"][0, 0]


@pytest.mark.parametrize("key", CONVENTION_KEYS, ids=lambda key: key.name)
def test_every_key_that_is_set_is_among_the_conventions(key: Key) -> None:
    row = Given((("2", "3"),), Matrix.rational([[2, 3]]))
    other = [choice for choice in key.choices if choice != key.default]
    by_kind: dict[str, object] = {"integer": 2, "row": row, "flags": row, "choice": other[-1:] and other[-1]}
    value = by_kind.get(key.kind, "7/3")
    case = Case("case", {}, settings=Settings(**{key.name: value}))  # type: ignore[arg-type]
    assert conventions(case)[key.name] == (["2", "3"] if value is row else value)


CLAUSES = {
    "linear attention": ("linear_attention", "linear_causal", "backward_linear"),
    "two attention maps": ("differential",),
    "one latent": ("latent_attention",),
    "multiplied by the gate": ("output_gate",),
    "the weights are": ("relu_weights", "sigmoid_attention"),
    "capped at": ("softcap",),
}


@pytest.mark.parametrize(
    "path", but_slow(VARIANTS, "stacked_pre_norm", "stacked_pre_norm_own", "stacked_post_norm_own")
)
def test_what_a_case_does_not_have_is_not_among_its_conventions(path: Path) -> None:
    conventions = markdown(page(path, "en")).partition("Conventions:")[2].partition("\n\n")[0]
    found = {clause for clause in CLAUSES if clause in conventions}
    assert found == {clause for clause, cases in CLAUSES.items() if path.stem in cases}
