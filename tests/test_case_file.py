"""A TOML case becomes a Case: what its file says, with the characters and the place of everything."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from symattn import result
from symattn.attention.case import Claim, Place, Settings, Statement, Word
from symattn.casefile.case_file import parse_case, read_case
from symattn.exact.functions import sqrt, symbol
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.text.errors import (
    MissingGiven,
    ShapeMismatch,
    UnknownKey,
)

CASE = """\
title = "我爱猫"
lang = "zh"
source = "notes"
tokens = ["我", "爱"]
symbols = ["a"]

[given]
X   = [[1.10, 0.5], ["1/3", "sqrt(2)"]]
W_Q = [[1, 0], [0, "a"]]
b_Q = [1, 2.50]

[attention]
weights = "transposed"
scale = "1/d_k"
mask = [[1, true], [-inf, "-∞"]]
heads = 2
positions = "sinusoidal"
start = 1
base = 2

[[stated]]
name = "Q"
values = [[1.10, "50%"], ["1/3", 2.61e-17]]
line = 47

[[stated]]
name = "scores"
row = 1
col = 0
values = 2.290
work = "1.14×0.93 + 0.57*0.58"
example = true

[[statement]]
kind = "order"
name = "A"
row = 0
value = ["爱", 0]
line = 190
"""
GIVEN = "[given]\nX = [[1, 2], [3, 4]]\n"


def test_a_case_says_what_its_file_says() -> None:
    case = parse_case(CASE, "cat.toml")
    assert (case.title, case.lang, case.source, case.file) == ("我爱猫", "zh", "notes", "cat.toml")
    assert (case.tokens, case.symbols) == (("我", "爱"), ("a",))
    assert list(case.given) == ["X", "W_Q", "b_Q"]
    assert case.given["X"].values[1, 0] == Exact.of(Fraction(1, 3))
    assert case.given["X"].values[1, 1] == sqrt(Exact.of(2))
    assert case.given["W_Q"].values[1, 1] == symbol("a")


def test_entries_keep_their_characters_beside_their_values() -> None:
    """1.10 is 11/10 and still has two decimals."""
    x = parse_case(CASE).given["X"]
    assert x.typed == (("1.10", "0.5"), ("1/3", "sqrt(2)"))
    assert x.values[0, 0] == Exact.of(Fraction(11, 10))


def test_a_bias_may_be_one_flat_row() -> None:
    bias = parse_case(CASE).given["b_Q"]
    assert bias.typed == (("1", "2.50"),)
    assert bias.shape == (1, 2)


def test_the_conventions_are_read_and_default_to_the_usual_ones() -> None:
    settings = parse_case(CASE).settings
    assert (settings.weights, settings.scale, settings.heads) == ("transposed", "1/d_k", 2)
    assert (settings.positions, settings.start, settings.base) == ("sinusoidal", 1, "2")
    assert parse_case(GIVEN).settings == Settings()


def test_a_mask_has_words_or_entries_with_minus_infinity() -> None:
    mask = parse_case(CASE).settings.mask
    assert not isinstance(mask, str)
    assert mask.typed == (("1", "1"), ("-inf", "-∞"))
    assert mask.values[0, 1] == Exact.of(1)
    assert mask.values[1, 1] == MINUS_INFINITY
    assert parse_case(GIVEN + '[attention]\nmask = "causal"\n').settings.mask == "causal"


def test_stated_numbers_are_verbatim_with_their_places() -> None:
    matrix, single = parse_case(CASE).stated
    assert matrix == Claim(
        name="Q",
        values=(("1.10", "50%"), ("1/3", "2.61e-17")),
        line=47,
        place=Place(23, 10),
        places=((Place(23, 12), Place(23, 18)), (Place(23, 27), Place(23, 34))),
    )
    assert single == Claim(
        name="scores",
        values=(("2.290",),),
        row=1,
        work="1.14×0.93 + 0.57*0.58",
        example=True,
        place=Place(30, 10),
        places=((Place(30, 10),),),
        work_places=(Place(31, 9), Place(31, 14), Place(31, 21), Place(31, 26)),
    )


def test_a_flat_list_of_stated_numbers_is_one_row() -> None:
    (claim,) = parse_case(GIVEN + '[[stated]]\nname = "Q"\nvalues = [1, "−0.50"]\n').stated
    assert claim.values == (("1", "−0.50"),)
    assert claim.places == ((Place(5, 11), Place(5, 14)),)


def test_a_statement_has_its_value_as_words() -> None:
    words = Word(Place(38, 10), "爱"), Word(Place(38, 15), "0")
    assert parse_case(CASE).statements == (
        Statement("order", "A", ("爱", "0"), row=0, line=190, place=Place(34, 1), words=words),
    )


def test_every_key_and_cell_has_a_place() -> None:
    places = parse_case(CASE).places
    assert places["given.X[1][1]"] == Place(8, 29)
    assert places["attention.scale"] == Place(14, 9)


def test_without_a_title_the_file_gives_its_name(tmp_path: Path) -> None:
    file = tmp_path / "two_cats.toml"
    file.write_text("\ufeff" + GIVEN, encoding="utf-8")
    assert read_case(file).title == "two_cats"


def test_an_encoding_may_stand_alone() -> None:
    case = parse_case('tokens = ["a"]\n[attention]\npositions = "sinusoidal"\nd_model = 4\n')
    assert case.given == {}
    assert case.settings.d_model == 4


def test_labels_of_the_keys_go_with_the_memory() -> None:
    text = 'tokens = ["a"]\nmemory_tokens = ["b", "c"]\n[given]\nA = [[0.5, 0.5]]\nV = [[1], [2]]\n'
    assert parse_case(text).memory_tokens == ("b", "c")
    with pytest.raises(
        ShapeMismatch, match=r"2:17: memory_tokens: 1 label, while V has 2 rows and A has 2 col"
    ):
        parse_case(text.replace('["b", "c"]', '["b"]'))


def test_a_case_of_decimals_needs_neither_sympy_nor_numpy() -> None:
    code = (
        "import sys; from symattn.casefile.case_file import parse_case\n"
        'parse_case(\'[given]\\nX = [[1.5, "1/3", "50%"]]\')\n'
        "assert not {'sympy', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_large_matrix_keeps_every_digit() -> None:
    rows = [[f"{(i * 64 + j) % 997}.{j:03d}" for j in range(64)] for i in range(256)]
    text = "[given]\nX = [" + ",\n".join("[" + ", ".join(row) + "]" for row in rows) + "]\n"
    x = parse_case(text).given["X"]
    assert x.shape == (256, 64)
    assert x.typed[255][63] == "431.063"
    assert x.values[255, 63] == Exact.of(Fraction(431063, 1000))


def steps(text: str) -> list[str]:
    """The steps that a case walks."""
    import symattn

    return [line.name for line in symattn.work(parse_case(f'title = "t"\n[given]\n{text}', None)).derivation]


def test_any_intermediate_may_be_given_and_the_walk_starts_there() -> None:
    v = "V = [[1, 2], [3, 4]]\n"
    assert steps(v + "exp = [[1, 2], [3, 4]]\nsum = [[3], [7]]") == ["A", "Z"]
    assert steps("concat = [[1, 2]]\nW_O = [[1], [1]]\n[attention]\nheads = 2") == ["output"]
    assert steps('"X+PE" = [[1], [2]]\nW_Q = [[1]]\n[attention]\npositions = "sinusoidal"') == ["Q"]
    assert steps('X = [[1], [2]]\nPE = [[0], [1]]\n[attention]\npositions = "sinusoidal"') == ["X+PE"]


def test_a_matrix_of_one_head_is_given_quoted_or_dotted() -> None:
    heads = "[attention]\nheads = 2"
    assert steps(f'"head1.A" = [[1]]\nhead1.V = [[2]]\n{heads}') == ["head1.Z"]
    with pytest.raises(UnknownKey, match="head3"):
        steps(f"head3.A = [[1]]\n{heads}")


def test_identity_is_as_wide_as_the_inputs_of_the_weights() -> None:
    """Those of X, of a memory for keys, and of X as columns."""
    inputs = "X = [[1, 2, 3], [0, 1, 0]]\nmemory = [[1, 0]]\n"
    case = parse_case(f"[given]\n{inputs}W_Q = 'identity'\nW_K = 'identity'\n")
    assert (case.given["W_Q"].shape, case.given["W_K"].shape) == ((3, 3), (2, 2))
    assert case.given["W_Q"].typed[1] == ("0", "1", "0")
    columns = parse_case("[given]\nX = [[1], [2]]\nW_Q = 'identity'\n[attention]\ntokens_as = 'columns'\n")
    assert columns.given["W_Q"].shape == (2, 2)
    with pytest.raises(MissingGiven, match="give X, or write the matrix"):
        parse_case("[given]\nW_Q = 'identity'\n")


def test_author_date_and_note_are_on_the_page() -> None:
    """Each where it is given, in both languages."""
    about = 'author = "A. Reader"\ndate = "1 May"\nnote = "For lecture 2."\n'
    case = parse_case(about + "[given]\nQ = [[1]]\nK = [[1]]\n")
    assert "A. Reader, 1 May\n\nFor lecture 2.\n" in result.work(case).text()
    assert "A. Reader，1 May\n\nFor lecture 2.\n" in result.work(case).text(lang="zh")
